"""Ratings: strengths on a scale like Elo's, with errors from seeds drawn again.

400 points are odds of ten to one, and the field's mean is 1500. All fits start at the same place
in canonical order, and seeds are drawn again from a seed that is passed in: the same results give
the same ratings.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from maumau.tournament import davidson
from maumau.tournament.davidson import Company, Counts
from maumau.tournament.moments import Estimates, Floats, Integers, ratio
from maumau.tournament.rating_intervals import Again, Field, Rating, rated
from maumau.tournament.results import Results
from maumau.tournament.sums import SHARE_UNITS

DRAWS = 400
_DENSE = 1_000_000
"""Up to so many numbers, games are counted by a table of all seeds and line-ups."""


def rate(
    results: Sequence[Results],
    entrants: int,
    *,
    seed: str,
    draws: int = DRAWS,
    repeated: bool = False,
) -> list[Rating]:
    """Rate all entrants, in canonical order.

    `results` may come from many tournaments (their seeds numbered apart) and from tables of
    different sizes. `seed` is for the block bootstrap: `draws` times as many whole seeds as there
    were are drawn with replacement and everything is fitted again; without draws no intervals.
    `repeated` gives intervals that hold at every number of seeds together (`standings.rank`).
    """
    data = _Data.of(results, entrants)
    field = data.field()
    best = davidson.fit(field.companies, field.once)[0]
    if draws < 2 or data.seeds < 2:
        return rated(field, best, None, repeated=repeated)
    again = davidson.fit(field.companies, data.counts(drawn(data.seeds, draws, seed)), best)
    # Seeds drawn again vary too little, by one of them.
    spread = Again(again, math.sqrt(data.seeds / (data.seeds - 1)))
    return rated(field, best, spread, repeated=repeated)


def over_blocks(
    results: Sequence[Results], entrants: int, blocks: Sequence[int]
) -> list[list[float | None]]:
    """Give the ratings of all entrants after so many seeds, for each of these numbers."""
    found = []
    for number in blocks:
        parts = [one.first(number) for one in results]
        rated = rate([one for one in parts if len(one.seed)], entrants, seed="", draws=0)
        found.append([one.rating for one in rated])
    return found


def drawn(seeds: int, draws: int, seed: str) -> Floats:
    """Draw whole seeds with replacement: how often each comes up (draws × seeds)."""
    words = np.frombuffer(sha256(f"maumau-bootstrap/1:{seed}".encode()).digest(), dtype="<u4")
    rng = np.random.RandomState(words)
    picks = rng.randint(0, max(seeds, 1), size=(draws, seeds))
    place = (np.arange(draws)[:, None] * seeds + picks).ravel()
    return np.bincount(place, minlength=draws * seeds).astype(float).reshape(draws, seeds)


@dataclass(frozen=True, slots=True)
class _Data:
    """Results made ready to be weighted by seed."""

    entrants: int
    seeds: int
    companies: list[Company]
    rows: list[tuple[Integers, Integers, Integers]]
    """For each company: seed, line-up and games of each row."""
    seen: Floats
    """(seeds × parameters): score shares of entrants, then ties."""
    games: Integers
    units: Integers
    played: Integers
    shares: Estimates
    islands: Integers

    @classmethod
    def of(cls, results: Sequence[Results], entrants: int) -> _Data:
        results = _by_size(results)
        every = np.concatenate([one.seed for one in results] or [np.zeros(0, dtype=np.int64)])
        names, place = np.unique(every, return_inverse=True)
        seeds, ties = len(names), max((one.size for one in results), default=2) - 1
        seen = np.zeros((seeds, entrants + ties))
        games, units = np.zeros((2, seeds, entrants), dtype=np.int64)
        companies, rows, start = [], [], 0
        for one in results:
            seed = place[start : start + len(one.seed)]
            start += len(one.seed)
            members, line_up = np.unique(one.members, axis=0, return_inverse=True)
            companies.append(davidson.company(members, entrants))
            rows.append((seed, line_up, one.games))
            np.add.at(seen, (seed[:, None], one.members), one.units / SHARE_UNITS)
            np.add.at(seen, (seed[:, None], entrants + np.arange(one.size - 1)), one.ties)
            np.add.at(games, (seed[:, None], one.members), one.games[:, None])
            np.add.at(units, (seed[:, None], one.members), one.units)
        return cls(
            entrants=entrants,
            seeds=seeds,
            companies=companies,
            rows=rows,
            seen=seen,
            games=games.sum(axis=0),
            units=units.sum(axis=0),
            played=(games > 0).sum(axis=0),
            shares=ratio(units, games, SHARE_UNITS),
            islands=islands([one.members for one in companies], entrants),
        )

    def counts(self, weights: Floats) -> Counts:
        """Count games, shares and ties with each seed taken so many times (fits × seeds)."""
        games: list[Floats] = []
        for one, (seed, line_up, number) in zip(self.companies, self.rows, strict=True):
            length = len(one.members)
            if self.seeds * length <= _DENSE:
                by_seed = np.bincount(seed * length + line_up, number, self.seeds * length)
                games.append(weights @ by_seed.reshape(self.seeds, length))
                continue
            found = [np.bincount(line_up, w[seed] * number, length) for w in weights]
            games.append(np.array(found, dtype=float).reshape(len(weights), length))
        return Counts(games, weights @ self.seen)

    def field(self) -> Field:
        """Give all that played, each seed taken once."""
        return Field(
            entrants=self.entrants,
            seeds=self.seeds,
            companies=self.companies,
            once=self.counts(np.ones((1, self.seeds))),
            games=self.games,
            units=self.units,
            played=self.played,
            share=self.shares.value,
            share_variance=np.diag(self.shares.covariance),
            islands=self.islands,
        )


def _by_size(results: Sequence[Results]) -> list[Results]:
    """Put the results of line-ups of one size together."""
    found = []
    for size in sorted({one.size for one in results}):
        own = [one for one in results if one.size == size]
        columns = (
            np.concatenate([getattr(one, name) for one in own])
            for name in ("seed", "members", "games", "units", "ties")
        )
        found.append(Results(*columns))
    return found


def islands(members: Sequence[Integers], entrants: int) -> Integers:
    """Number the sets of entrants that are joined by line-ups, in canonical order."""
    island = list(range(entrants))

    def root(x: int) -> int:
        while island[x] != x:
            x = island[x]
        return x

    for rows in members:
        for row in rows.tolist():
            for x in row[1:]:
                a, b = root(row[0]), root(x)
                island[max(a, b)] = min(a, b)
    roots = [root(x) for x in range(entrants)]
    names = {r: k for k, r in enumerate(sorted(set(roots)))}
    return np.array([names[r] for r in roots], dtype=np.int64)
