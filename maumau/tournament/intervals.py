"""Intervals at a fixed number of seeds, by Student's t at seeds − 1 degrees of freedom.

Seeds are the independent units: all line-ups that play a seed play the same cards, so a seed's
sums are kept whole (maumau.tournament.moments).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from maumau.tournament.moments import Floats, Integers
from maumau.tournament.quantiles import t_quantile

LEAST_SEEDS = 10
"""Below this number of seeds no interval is given."""

CONFIDENCE = 0.95


def factor(seeds: int, *, among: int = 1) -> float:
    """Give the standard errors on each side of an estimate; nan below `LEAST_SEEDS` seeds.

    `among` intervals hold together with 95 % (Bonferroni: 2 to 3 % wider than an exact bound for
    all pairs, measured by simulation for 3 to 100 entrants).
    """
    if seeds < LEAST_SEEDS:
        return np.nan
    return t_quantile(1 - (1 - CONFIDENCE) / (2 * among), seeds - 1)


def certain_part(seeds: int, *, among: int = 1) -> float:
    """Give the least share that so many seeds, all at the limit, leave possible.

    Where every seed came out at 0 or at 1 there is no spread to measure. A share below this one
    would have shown a seed elsewhere (Clopper and Pearson 1934, all successes).
    """
    return float(((1 - CONFIDENCE) / (2 * among)) ** (1 / seeds)) if seeds else 0.0


def share_intervals(value: Floats, variance: Floats, seeds: Integers) -> tuple[Floats, Floats]:
    """Give lower and upper ends of shares between 0 and 1, nan below `LEAST_SEEDS` seeds."""
    half = np.array([factor(int(k)) for k in seeds]) * np.sqrt(variance)
    part = np.array([certain_part(int(k)) for k in seeds])
    sure = (variance == 0) & ~np.isnan(half)
    low = np.where(sure & (value == 1), part, value - half)
    high = np.where(sure & (value == 0), 1 - part, value + half)
    return np.clip(low, 0, 1), np.clip(high, 0, 1)


def separated(value: Floats, variance: Floats, seeds: int, *, among: int) -> npt.NDArray[np.bool_]:
    """Say which differences (−1 to 1) are above 0, `among` of them at once with 95 %."""
    wide = factor(seeds, among=among) * np.sqrt(variance)
    without_spread = certain_part(seeds, among=among) > 0.5
    return np.where(variance > 0, value > wide, (value > 0) & without_spread)
