"""Intervals at a number of seeds that was fixed before play, or at every number looked at.

Seeds are the independent units: all line-ups that play a seed play the same cards, so a seed's
sums are kept whole (maumau.tournament.moments).
"""

from __future__ import annotations

import math

import numpy as np

from maumau.tournament.moments import Floats, Integers
from maumau.tournament.quantiles import t_quantile

LEAST_SEEDS = 10
"""Below this number of seeds no interval is given."""

CONFIDENCE = 0.95

MIXTURE = 16.0
"""Bounds for repeated looks are tightest for effects of about 1/√16 of a seed's spread."""


def factor(seeds: int, *, among: int = 1, repeated: bool = False) -> float:
    """Give the standard errors on each side of an estimate; nan below `LEAST_SEEDS` seeds.

    `among` intervals hold together with 95 % (Bonferroni: 2 to 3 % wider than an exact bound for
    all pairs, measured by simulation for 3 to 100 entrants). For a number of seeds fixed before
    play by Student's t; `repeated` bounds hold at every number of seeds together (Lai 1976; Wang
    and Ramdas 2024, mixture of t tests), and are infinite at first.
    """
    if seeds < LEAST_SEEDS:
        return math.nan
    alpha = (1 - CONFIDENCE) / among
    if not repeated:
        return t_quantile(1 - alpha / 2, seeds - 1)
    weight = seeds + MIXTURE
    part = 1 - (alpha**2 * MIXTURE / weight) ** (1 / seeds)
    room = seeds - part * weight
    return math.sqrt(part * weight * (seeds - 1) / room) if room > 0 else math.inf


def certain_part(seeds: int, *, among: int = 1, repeated: bool = False) -> float:
    """Give the least share that so many seeds, all at the limit, leave possible.

    Where every seed came out at 0 or at 1 there is no spread to measure. A share below this one
    would have shown a seed elsewhere (Clopper and Pearson 1934, all successes; under repeated looks
    with the same error spent once: only the first of them can be the one that differs).
    """
    if not seeds:
        return 0.0
    alpha = (1 - CONFIDENCE) / (2 * among)
    if repeated:
        # A run of successes is judged at every length: spend alpha / (k (k + 1)) at length k.
        alpha /= seeds * (seeds + 1)
    return float(alpha ** (1 / seeds))


def share_intervals(
    value: Floats, variance: Floats, seeds: Integers, *, repeated: bool = False
) -> tuple[Floats, Floats]:
    """Give lower and upper ends of shares between 0 and 1, nan below `LEAST_SEEDS` seeds."""
    wide = np.array([factor(int(k), repeated=repeated) for k in seeds])
    part = np.array([certain_part(int(k), repeated=repeated) for k in seeds])
    return _score(value, variance, wide, part)


def difference_intervals(
    value: Floats, variance: Floats, seeds: int, *, among: int = 1, repeated: bool = False
) -> tuple[Floats, Floats]:
    """Give lower and upper ends of differences of shares, `among` of them at once with 95 %."""
    wide = np.array(factor(seeds, among=among, repeated=repeated))
    part = np.array(certain_part(seeds, among=among, repeated=repeated))
    low, high = _score((value + 1) / 2, variance / 4, wide, part)
    return 2 * low - 1, 2 * high - 1


def _score(value: Floats, variance: Floats, wide: Floats, part: Floats) -> tuple[Floats, Floats]:
    """Give score intervals for means of what lies between 0 and 1.

    Wilson's interval (1927) at the number of independent games that has the same variance, with
    Student's t for the normal (Korn and Graubard 1998). Near 0 and 1 it is lopsided as it must be,
    in between it is the value with `wide` standard errors on each side. `part` is for values
    without spread.
    """
    inside = np.where((variance > 0) & (value > 0) & (value < 1), value * (1 - value), 1.0)
    with np.errstate(invalid="ignore", over="ignore"):
        pull = wide**2 * variance / inside
        middle = (value + pull / 2) / (1 + pull)
        half = np.sqrt(pull * value * (1 - value) + pull**2 / 4) / (1 + pull)
        low, high = middle - half, middle + half
    endless = np.isinf(pull)
    known = ~np.isnan(wide) & ~np.isnan(value)
    still = ~(variance > 0)
    low = np.where(still, np.where(value == 1, part, value), np.where(endless, 0.0, low))
    high = np.where(still, np.where(value == 0, 1 - part, value), np.where(endless, 1.0, high))
    return (
        np.where(known, np.maximum(low, 0), np.nan),
        np.where(known, np.minimum(high, 1), np.nan),
    )
