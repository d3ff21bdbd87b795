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
from maumau.tournament.intervals import LEAST_SEEDS, factor, share_intervals
from maumau.tournament.moments import Estimates, Floats, Integers, ratio
from maumau.tournament.results import Results
from maumau.tournament.rounding import rounded
from maumau.tournament.sums import SHARE_UNITS

POINTS = 400 / math.log(10)
"""Elo points of a log strength of 1."""

CENTRE = 1500
DRAWS = 400
RARE = 5
"""Who won, or lost, less than so many games gets the interval that its share allows."""


_DENSE = 1_000_000
"""Up to so many numbers, games are counted by a table of all seeds and line-ups."""


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
    return rated(field, best, _errors(data, field, best, draws, seed), repeated=repeated)


def rated(field: Field, best: Floats, error: Floats, *, repeated: bool = False) -> list[Rating]:
    """Give everybody's rating, from the fit to what was played and its standard errors."""
    rating = field.points(best[None, : field.entrants])[0]
    ends = [_share_ends(i, field, repeated=repeated) for i in range(field.entrants)]
    pulled = _pulled(rating, field, best, ends)
    found = []
    for i in range(field.entrants):
        low, high = _ends(i, rating, error, field, best, ends, pulled, repeated=repeated)
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


Ends = tuple[float, float]


def _share_ends(i: int, field: Field, *, repeated: bool) -> Ends | None:
    """Give the ends of the share of who won, or lost, next to nothing; None for others."""
    won = field.units[i] / SHARE_UNITS
    if not field.games[i] or min(won, field.games[i] - won) >= RARE:
        return None
    low, high = share_intervals(
        field.share[[i]], field.share_variance[[i]], field.played[[i]], repeated=repeated
    )
    return None if math.isnan(low[0]) else (float(low[0]), float(high[0]))


def _pulled(
    rating: Floats, field: Field, best: Floats, ends: Sequence[Ends | None]
) -> tuple[Floats, Floats]:
    """Give how far each rating may lie lower and higher because others' are hardly known.

    Ratings are told from the field's mean, so who won next to nothing makes all others' uncertain,
    and lopsidedly so: more than seeds drawn again can show.
    """
    down, up = np.zeros(field.entrants), np.zeros(field.entrants)
    for j, pair in enumerate(ends):
        for share in pair or ():
            if 0 < share < 1:
                moved = field.ratings_at(j, share, best) - rating
                moved[j] = 0
                down, up = np.maximum(down, -moved), np.maximum(up, moved)
    return down, up


def _ends(
    i: int,
    rating: Floats,
    error: Floats,
    field: Field,
    best: Floats,
    ends: Sequence[Ends | None],
    pulled: tuple[Floats, Floats],
    *,
    repeated: bool,
) -> tuple[float | None, float | None]:
    """Give the ends of an interval: errors on both sides, or what the share's interval allows.

    The second is for those who won, or lost, next to nothing: drawing seeds again cannot show what
    else might have been. There is no bound on the side where the share has none.
    """
    wide = factor(int(field.played[i]), repeated=repeated)
    if not field.games[i] or not math.isfinite(wide) or math.isnan(error[i]):
        return None, None
    own = ends[i]
    if own is None:
        down, up = (max(wide * error[i], part[i]) for part in pulled)
        return rounded(rating[i] - down), rounded(rating[i] + up)
    low, high = own
    return (
        rounded(field.ratings_at(i, low, best)[i]) if low > 0 else None,
        rounded(field.ratings_at(i, high, best)[i]) if high < 1 else None,
    )


def _errors(data: _Data, field: Field, best: Floats, draws: int, seed: str) -> Floats:
    """Give standard errors by the block bootstrap."""
    if draws < 2 or data.seeds < 2:
        return np.full(data.entrants, np.nan)
    again = davidson.fit(field.companies, data.counts(drawn(data.seeds, draws, seed)), best)
    spread = field.points(again[:, : data.entrants]).std(axis=0, ddof=1)
    return np.asarray(spread * math.sqrt(data.seeds / (data.seeds - 1)))


def drawn(seeds: int, draws: int, seed: str) -> Floats:
    """Draw whole seeds with replacement: how often each comes up (draws × seeds)."""
    words = np.frombuffer(sha256(f"maumau-bootstrap/1:{seed}".encode()).digest(), dtype="<u4")
    rng = np.random.RandomState(words)
    picks = rng.randint(0, max(seeds, 1), size=(draws, seeds))
    place = (np.arange(draws)[:, None] * seeds + picks).ravel()
    return np.bincount(place, minlength=draws * seeds).astype(float).reshape(draws, seeds)


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

    def points(self, at: Floats) -> Floats:
        """Turn log strengths (fits × entrants) into points around 1500, island by island."""
        centred = np.zeros_like(at)
        for island in range(int(self.islands.max(initial=-1)) + 1):
            own = np.flatnonzero((self.islands == island) & (self.games > 0))
            if len(own):
                centred[:, own] = at[:, own] - at[:, own].mean(axis=1, keepdims=True)
        return CENTRE + POINTS * centred

    def ratings_at(self, i: int, share: float, best: Floats) -> Floats:
        """Give all ratings if an entrant's share had been this one, all else in proportion."""
        seen = self.once.seen.copy()
        others = (np.arange(self.entrants) != i) & (self.games > 0)
        change = share * float(self.games[i]) - seen[0, i]
        seen[0, i] += change
        seen[0, : self.entrants][others] -= change / others.sum()
        at = davidson.fit(self.companies, Counts(self.once.games, seen), best)
        return np.asarray(self.points(at[:, : self.entrants])[0])


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
