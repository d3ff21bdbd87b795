"""Intervals at a number of seeds that was fixed before play, or at every number looked at.

Seeds are the independent units: all line-ups that play a seed play the same cards, so a seed's
sums are kept whole (maumau.tournament.moments).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

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
    alpha = (1 - CONFIDENCE) / (2 * among)
    if repeated:
        # A run of successes is judged at every length: spend alpha / (k (k + 1)) at length k.
        alpha /= seeds * (seeds + 1)
    return float(alpha ** (1 / seeds)) if seeds else 0.0


def share_intervals(
    value: Floats, variance: Floats, seeds: Integers, *, repeated: bool = False
) -> tuple[Floats, Floats]:
    """Give lower and upper ends of shares between 0 and 1, nan below `LEAST_SEEDS` seeds."""
    wide = np.array([factor(int(k), repeated=repeated) for k in seeds])
    spread = variance > 0
    nothing = np.where(np.isnan(wide), np.nan, 0.0)
    half = np.where(spread, wide * np.sqrt(np.where(spread, variance, 1)), nothing)
    part = np.array([certain_part(int(k), repeated=repeated) for k in seeds])
    low = np.where(~spread & (value == 1), part + nothing, value - half)
    high = np.where(~spread & (value == 0), 1 - part + nothing, value + half)
    return np.clip(low, 0, 1), np.clip(high, 0, 1)


def separated(
    value: Floats, variance: Floats, seeds: int, *, among: int, repeated: bool = False
) -> npt.NDArray[np.bool_]:
    """Say which differences (−1 to 1) are above 0, `among` of them at once with 95 %."""
    wide = factor(seeds, among=among, repeated=repeated)
    spread = variance > 0
    bound = wide * np.sqrt(np.where(spread, variance, 1))
    without_spread = certain_part(seeds, among=among, repeated=repeated) > 0.5
    return np.where(spread, value > bound, (value > 0) & without_spread)
