"""Ratings over many tournaments from sums that only grow: no tournament is read a second time.

Of each tournament its results are kept as they are and some hundred times with its seeds drawn
again, added up by line-up. Tournaments are added in any order; what a rating costs depends on how
many versions and line-ups there are, not on how much was played.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from maumau.tournament import davidson, ratings
from maumau.tournament.davidson import Counts
from maumau.tournament.moments import Integers
from maumau.tournament.rating_intervals import Again, Field, Rating, rated
from maumau.tournament.results import Results
from maumau.tournament.sums import SHARE_UNITS

DRAWS = 200


@dataclass(frozen=True, slots=True)
class Drawn:
    """Results of whole tournaments at tables of one size.

    Every array's last axis is 1 + draws long: first what was played, then each draw. `members`
    (line-ups × size, rising) and `players` (rising) are numbers of bot versions, `games` goes by
    line-up, `units` by player, `ties` (size − 1) by how many shared rank 1; `played` counts seeds
    by player, `seeds` and `tournaments` count all.
    """

    members: Integers
    games: Integers
    players: Integers
    units: Integers
    played: Integers
    ties: Integers
    seeds: int
    tournaments: int

    def __add__(self, other: Drawn) -> Drawn:
        """Put the tournaments of both together; the order does not matter."""
        members, games = _added(
            np.concatenate([self.members, other.members]),
            np.concatenate([self.games, other.games]),
        )
        players = np.concatenate([self.players, other.players])[:, None]
        names, units = _added(players, np.concatenate([self.units, other.units]))
        _, played = _added(players, np.concatenate([self.played, other.played])[:, None])
        return Drawn(
            members=members,
            games=games,
            players=names[:, 0],
            units=units,
            played=played[:, 0],
            ties=self.ties + other.ties,
            seeds=self.seeds + other.seeds,
            tournaments=self.tournaments + other.tournaments,
        )


def drawn_results(
    results: Results, versions: Sequence[int], *, seed: str, draws: int = DRAWS
) -> Drawn:
    """Make the sums of one tournament; `versions` gives each entrant's bot version.

    Two entrants of the same version are added up. `seed` is for drawing whole seeds again.
    """
    names, place = np.unique(results.seed, return_inverse=True)
    weights = np.vstack([np.ones((1, len(names))), ratings.drawn(len(names), draws, seed)])
    numbers = np.array(versions, dtype=np.int64)[results.members]
    members, line_up = np.unique(np.sort(numbers, axis=1), axis=0, return_inverse=True)
    games = [
        np.bincount(line_up.ravel(), row[place] * results.games, len(members)) for row in weights
    ]
    players, player = np.unique(numbers, return_inverse=True)
    where = (place[:, None] * len(players) + player.reshape(numbers.shape)).ravel()
    size = len(names) * len(players)
    units = np.bincount(where, results.units.ravel(), size).reshape(len(names), -1)
    met = np.bincount(where, minlength=size).reshape(len(names), -1)
    ties = np.zeros((len(names), results.size - 1))
    np.add.at(ties, place, results.ties)
    return Drawn(
        members=members,
        games=_whole(np.array(games).T),
        players=players,
        units=_whole((weights @ units).T),
        played=(met > 0).sum(axis=0),
        ties=_whole((weights @ ties).T),
        seeds=len(names),
        tournaments=1,
    )


def _whole(values: npt.NDArray[Any]) -> Integers:
    """Turn sums of whole numbers, exact as they are, to integers."""
    return np.asarray(np.rint(values), dtype=np.int64)


def rate_drawn(sums: Drawn, order: Sequence[int]) -> list[Rating]:
    """Rate all versions together; `order` is the canonical order of all `players`.

    Ratings are those of `ratings.rate`; seeds are drawn again within their tournaments.
    """
    place = {version: i for i, version in enumerate(order)}
    members = np.array([[place[one] for one in row] for row in sums.members.tolist()])
    members = np.sort(members.reshape(len(sums.members), -1), axis=1)
    rows = np.lexsort(members.T[::-1])
    members, games = members[rows], sums.games[rows].T.astype(float)
    own = np.array([place[one] for one in sums.players.tolist()], dtype=np.int64)
    units = np.zeros((len(order), games.shape[0]))
    units[own] = sums.units
    of_each = np.zeros_like(units)
    for column in range(members.shape[1]):
        np.add.at(of_each, members[:, column], games.T)
    played = np.zeros(len(order), dtype=np.int64)
    played[own] = sums.played
    seen = np.hstack([units.T / SHARE_UNITS, sums.ties.T.astype(float)])
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = units / SHARE_UNITS / of_each
    wide = _widened(sums)
    field = Field(
        entrants=len(order),
        seeds=sums.seeds,
        companies=[davidson.company(members, len(order))],
        once=Counts([games[:1]], seen[:1]),
        games=of_each[:, 0].astype(np.int64),
        units=units[:, 0].astype(np.int64),
        played=played,
        share=shares[:, 0],
        share_variance=shares[:, 1:].var(axis=1, ddof=1) * wide**2,
        islands=ratings.islands([members], len(order)),
    )
    best = davidson.fit(field.companies, field.once)[0]
    again = davidson.fit(field.companies, Counts([games[1:]], seen[1:]), best)
    return rated(field, best, Again(again, wide))


def _widened(sums: Drawn) -> float:
    """Each tournament's draws vary too little by one of its seeds."""
    left = sums.seeds - sums.tournaments
    return math.sqrt(sums.seeds / left) if left > 0 else math.nan


def _added(keys: Integers, values: Integers) -> tuple[Integers, Integers]:
    """Add the rows of equal keys up, in the order of the keys."""
    unique, place = np.unique(keys, axis=0, return_inverse=True)
    total = np.zeros((len(unique), values.shape[1]), dtype=np.int64)
    np.add.at(total, place.ravel(), values)
    return unique, total
