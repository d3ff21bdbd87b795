"""Exact sums of squares and products over seeds, and the errors of ratio estimates from them.

All in whole numbers until the last division: the same sums give the same figures on any machine,
and a spread that is zero comes out as zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimates:
    """Amount per game of each entrant, with what the spread between seeds says about it.

    `value` (entrants) is nan where nothing was played; `covariance` is that of the estimates,
    `difference_variance` (entrants × entrants) that of their differences; `seeds` counts the seeds
    each entrant played, `all_seeds` those that anybody did.
    """

    value: Floats
    covariance: Floats
    difference_variance: Floats
    seeds: Integers
    all_seeds: int


def ratio(amounts: Integers, games: Integers, unit: int) -> Estimates:
    """Estimate amount/games per entrant from sums per (seed, entrant), in multiples of `unit`.

    A ratio of sums with its linearised error (Cochran, Sampling Techniques, ch. 6), seeds being
    the independent units.
    """
    seeds = int((games > 0).any(axis=1).sum())
    u, g = amounts.sum(axis=0).astype(object), games.sum(axis=0).astype(object)
    uu = (amounts.T @ amounts).astype(object)
    ug = (amounts.T @ games).astype(object)
    gg = (games.T @ games).astype(object)
    # Σ (u_i − r_i g_i)(u_j − r_j g_j) with r = u/g, times g_i g_j
    spread = np.outer(g, g) * uu - np.outer(g, u) * ug - np.outer(u, g) * ug.T + np.outer(u, u) * gg
    squared = g * g
    scale = seeds / (seeds - 1) / unit**2 if seeds > 1 else np.nan
    diagonal = np.diag(spread)
    fourth = squared * squared
    apart = (
        np.outer(diagonal, fourth)
        + np.outer(fourth, diagonal)
        - 2 * spread * np.outer(squared, squared)
    )
    return Estimates(
        value=_divided(u, g * unit),
        covariance=_divided(spread, np.outer(squared, squared)) * scale,
        difference_variance=_divided(apart, np.outer(fourth, fourth)) * scale,
        seeds=(games > 0).sum(axis=0),
        all_seeds=seeds,
    )


@dataclass(frozen=True, slots=True)
class PairEstimates:
    """Mean difference of share per game together, each array entrants × entrants.

    `of_legs` is the variance that the mean would have if every leg were independent.
    """

    value: Floats
    variance: Floats
    of_legs: Floats
    games: Integers
    seeds: Integers


def pair_ratio(
    entrants: int,
    place: Integers,
    differences: Integers,
    games: Integers,
    squares: Integers,
    unit: int,
) -> PairEstimates:
    """Estimate the mean difference in the games together, from rows per (seed, ordered pair).

    `place` is entrant · entrants + other of each row.
    """

    def summed(values: Integers) -> Any:
        total = np.zeros(entrants * entrants, dtype=np.int64)
        np.add.at(total, place, values)
        return total.reshape(entrants, entrants)

    seeds = summed((games > 0).astype(np.int64))
    d, g = summed(differences).astype(object), summed(games).astype(object)
    dd, dg = summed(differences**2).astype(object), summed(differences * games).astype(object)
    gg, legs = summed(games**2).astype(object), summed(squares).astype(object)
    spread = g * g * dd - 2 * d * g * dg + d * d * gg
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = np.where(seeds > 1, seeds / (seeds - 1.0), np.nan) / unit**2
    return PairEstimates(
        value=_divided(d, g * unit),
        variance=_divided(spread, g**4) * scale,
        of_legs=_divided(g * legs - d * d, g * g * (g - 1)) / unit**2,
        games=g.astype(np.int64),
        seeds=seeds,
    )


def _divided(numerator: Any, denominator: Any) -> Floats:
    """Divide whole numbers exactly rounded; nan for a denominator of 0."""
    pairs = zip(numerator.ravel(), denominator.ravel(), strict=True)
    flat = [int(a) / int(b) if b else np.nan for a, b in pairs]
    return np.array(flat, dtype=float).reshape(numerator.shape)
