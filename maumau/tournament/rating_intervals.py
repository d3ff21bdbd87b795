"""From fits to ratings with intervals, on a scale like Elo's.

400 points are odds of ten to one, and the mean of those who met is 1500. That mean is part of what
is uncertain: in a field with one who won next to nothing all others' ratings move with it, and by
more one way than the other. So an interval is put together from independent parts, each with ends
of its own (Zou and Donner 2008, "method of variance estimates recovery"): the squares of what the
parts allow below are added, and likewise above.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from maumau.tournament import davidson
from maumau.tournament.davidson import Company, Counts
from maumau.tournament.intervals import LEAST_SEEDS, factor, share_intervals
from maumau.tournament.moments import Floats, Integers
from maumau.tournament.rounding import rounded
from maumau.tournament.sums import SHARE_UNITS

POINTS = 400 / math.log(10)
"""Elo points of a log strength of 1."""

CENTRE = 1500
RARE = 5
"""Who won, or lost, less than so many games gets the interval that its share allows."""

Ends = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Rating:
    """One entrant's strength.

    `low` to `high` is the 95 % interval, None where there is no bound (nothing won, or nothing
    lost) or fewer than 10 seeds; `error` the standard error. Entrants of different `island`s never
    met, not even through others: their ratings cannot be compared. None without games.
    """

    entrant: int
    rating: float | None
    error: float | None
    low: float | None
    high: float | None
    games: int
    island: int


@dataclass(frozen=True, slots=True)
class Again:
    """Fits (draws × parameters) to seeds drawn again; their spread times `widened` is the error."""

    fits: Floats
    widened: float


@dataclass(frozen=True, slots=True)
class Field:
    """All that played, with what came of it: `once` are the counts of what was played.

    Arrays are by entrant: games, share units, seeds played, score share with its variance, island.
    """

    entrants: int
    seeds: int
    companies: list[Company]
    once: Counts
    games: Integers
    units: Integers
    played: Integers
    share: Floats
    share_variance: Floats
    islands: Integers

    def points(self, at: Floats, among: npt.NDArray[np.bool_] | None = None) -> Floats:
        """Turn log strengths (fits × entrants) into points around 1500, island by island.

        With `among` (entrants) the mean of these is 1500, where an island has any.
        """
        centred = np.zeros_like(at)
        for island in range(int(self.islands.max(initial=-1)) + 1):
            here = (self.islands == island) & (self.games > 0)
            own = np.flatnonzero(here)
            some = own if among is None else np.flatnonzero(here & among)
            if len(own):
                middle = some if len(some) else own
                centred[:, own] = at[:, own] - at[:, middle].mean(axis=1, keepdims=True)
        return CENTRE + POINTS * centred

    def ratings_at(self, i: int, share: float, best: Floats) -> Floats:
        """Give all ratings if an entrant's share had been this one, all else in proportion.

        What it has more, the others of its island have less.
        """
        seen = self.once.seen.copy()
        others = (self.islands == self.islands[i]) & (self.games > 0)
        others[i] = False
        change = share * float(self.games[i]) - seen[0, i]
        theirs = seen[0, : self.entrants] * others
        parts = theirs / theirs.sum() if theirs.sum() > 0 else others / others.sum()
        seen[0, i] += change
        seen[0, : self.entrants] -= change * parts
        at = davidson.fit(self.companies, Counts(self.once.games, seen), best)
        return np.asarray(self.points(at[:, : self.entrants])[0])


def rated(
    field: Field, best: Floats, again: Again | None, *, repeated: bool = False
) -> list[Rating]:
    """Give everybody's rating, from the fit to what was played and those to seeds drawn again.

    Without the latter no errors and no intervals. `repeated` as in `ratings.rate`.
    """
    rating = field.points(best[None, : field.entrants])[0]
    share_ends = [_share_ends(i, field, repeated=repeated) for i in range(field.entrants)]
    rare = np.array([pair is not None for pair in share_ends], dtype=bool)
    error = _spread(field, again, np.ones(field.entrants, dtype=bool))
    among_common = _spread(field, again, ~rare)
    moved = _moved(rating, field, best, share_ends)
    found = []
    for i in range(field.entrants):
        low, high = None, None
        wide = factor(int(field.played[i]), repeated=repeated)
        if field.games[i] and math.isfinite(wide) and not math.isnan(error[i]):
            own = None if rare[i] else wide * float(among_common[i])
            low, high = _ends(float(rating[i]), own, i, moved, share_ends[i])
        known = bool(field.games[i])
        found.append(
            Rating(
                entrant=i,
                rating=rounded(rating[i]) if known else None,
                error=rounded(error[i]) if known and field.seeds >= LEAST_SEEDS else None,
                low=low,
                high=high,
                games=int(field.games[i]),
                island=int(field.islands[i]),
            )
        )
    return found


def _spread(field: Field, again: Again | None, among: npt.NDArray[np.bool_]) -> Floats:
    """Give the standard errors of ratings that are told from the mean of some of the field."""
    if again is None:
        return np.full(field.entrants, np.nan)
    points = field.points(again.fits[:, : field.entrants], among)
    return np.asarray(points.std(axis=0, ddof=1) * again.widened)


def _share_ends(i: int, field: Field, *, repeated: bool) -> Ends | None:
    """Give the ends of the share of who won, or lost, next to nothing; None for others."""
    won = field.units[i] / SHARE_UNITS
    if not field.games[i] or min(won, field.games[i] - won) >= RARE:
        return None
    low, high = share_intervals(
        field.share[[i]], field.share_variance[[i]], field.played[[i]], repeated=repeated
    )
    return None if math.isnan(low[0]) else (float(low[0]), float(high[0]))


Moved = dict[int, list[Floats]]


def _moved(rating: Floats, field: Field, best: Floats, share_ends: Sequence[Ends | None]) -> Moved:
    """Give, for each who is hardly known, how all ratings move if its share is at either end.

    An end at 0 or 1 moves nothing: there is no bound to move to.
    """
    return {
        j: [field.ratings_at(j, share, best) - rating for share in pair if 0 < share < 1]
        for j, pair in enumerate(share_ends)
        if pair is not None
    }


def _ends(
    rating: float, own: float | None, i: int, moved: Moved, share_ends: Ends | None
) -> tuple[float | None, float | None]:
    """Put an interval together: `own` error, and what those who are hardly known move.

    Who is hardly known itself (`own` is None) has no bound on the side where its share has none.
    """
    moves = [[float(each[i]) for each in parts] for parts in moved.values()]
    down, up = _farthest(moves)
    if own is not None:
        return rounded(rating - math.hypot(own, down)), rounded(rating + math.hypot(own, up))
    assert share_ends is not None
    return (
        rounded(rating - down) if share_ends[0] > 0 else None,
        rounded(rating + up) if share_ends[1] < 1 else None,
    )


def _farthest(moves: Iterable[Sequence[float]]) -> tuple[float, float]:
    """Add the squares of how far each part moves down, and up; give the roots."""
    down = math.hypot(*(max([0.0, *(-one for one in part)]) for part in moves))
    up = math.hypot(*(max([0.0, *part]) for part in moves))
    return down, up
