"""What is known of two entrants: who beat whom, how surely, and what more would settle it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations, permutations
from statistics import NormalDist
from typing import Any

import numpy as np

from maumau.tournament import intervals
from maumau.tournament.intervals import LEAST_SEEDS
from maumau.tournament.moments import PairEstimates, pair_ratio, ratio
from maumau.tournament.rounding import rounded
from maumau.tournament.sums import SHARE_UNITS, BlockSums

POWER = 0.8
"""With so much more play as is said to be needed, the pair is separated with this chance."""


def crosstable(sums: BlockSums, *, repeated: bool = False) -> list[dict[str, Any]]:
    """Give every ordered pair that met, in canonical order.

    `share` and `other_share` are their score shares in the games together, `ahead` and `behind`
    how often the entrant's rank was the better or the worse one; `low` to `high` is the 95 %
    interval of the difference of the shares; `variance_factor` says how many times more games
    without pairing (every leg on other cards) would have been needed for it. None where not known.
    `repeated` as for `rank`.
    """
    estimates = head_to_head(sums)
    n = sums.entrants
    _, entrant, other, table = sums.pairs()
    total = np.zeros((n * n, table.shape[1]), dtype=np.int64)
    np.add.at(total, entrant * n + other, table)
    cells = []
    for place in np.flatnonzero(total[:, 0]).tolist():
        i, j = divmod(place, n)
        games, units, ahead, _ = total[place].tolist()
        _, back, behind, _ = total[j * n + i].tolist()
        low, high = _direct(estimates, i, j, repeated=repeated)
        cells.append(
            {
                "entrant": i,
                "other": j,
                "games": games,
                "share": rounded(units / (SHARE_UNITS * games)),
                "other_share": rounded(back / (SHARE_UNITS * games)),
                "difference": rounded(estimates.value[i, j]),
                "low": rounded(low),
                "high": rounded(high),
                "ahead": ahead,
                "behind": behind,
                "variance_factor": rounded(variance_factor(estimates, i, j)),
            }
        )
    return cells


def head_to_head(sums: BlockSums) -> PairEstimates:
    """Estimate the mean difference of share for every ordered pair in their games together."""
    block, entrant, other, table = sums.pairs()
    n = sums.entrants
    # The opposite row of each row: (block, other, entrant), by the sorted key.
    key = (block * n + entrant) * n + other
    opposite = np.searchsorted(key, (block * n + other) * n + entrant)
    difference = table[:, 1] - table[opposite, 1]
    return pair_ratio(n, entrant * n + other, difference, table[:, 0], table[:, 3], SHARE_UNITS)


def _direct(
    estimates: PairEstimates, i: int, j: int, *, among: int = 1, repeated: bool = False
) -> tuple[float, float]:
    """Give the interval of the difference of two entrants in their games together."""
    low, high = intervals.difference_intervals(
        estimates.value[i, j],
        estimates.variance[i, j],
        int(estimates.seeds[i, j]),
        among=among,
        repeated=repeated,
    )
    return float(low), float(high)


def variance_factor(estimates: PairEstimates, i: int, j: int) -> float:
    """Give what pairing bought: the variance with independent legs over the one between seeds."""
    if estimates.seeds[i, j] < LEAST_SEEDS or not estimates.variance[i, j] > 0:
        return math.nan
    return float(estimates.of_legs[i, j] / estimates.variance[i, j])


@dataclass(frozen=True, slots=True)
class Difference:
    """Two entrants' shares against the whole field, the first having the higher one (or equal).

    `low` to `high` holds for all pairs at once with 95 %; `separated` if it excludes 0. For those
    that are not: `seeds_needed` more seeds, `games_needed` more games of the two and
    `deals_needed` more deals of these would separate them with a chance of 80 %, if the difference
    is what it now seems; None where no end is in sight or nothing is known.
    """

    entrant: int
    other: int
    difference: float | None
    low: float | None
    high: float | None
    separated: bool
    seeds_needed: int | None
    games_needed: int | None
    deals_needed: int | None


MOST_NEEDED = 10**9


def differences(
    sums: BlockSums, *, deals_per_game: float | None = None, repeated: bool = False
) -> list[Difference]:
    """Compare every two entrants; `deals_per_game` turns games needed into deals.

    `repeated` as for `rank`.
    """
    n = sums.entrants
    shares = ratio(sums.column("units"), sums.column("games"), SHARE_UNITS)
    games = sums.column("games").sum(axis=0)
    pairs, seeds = max(1, n * (n - 1) // 2), shares.all_seeds
    low, high = intervals.difference_intervals(
        shares.value[:, None] - shares.value,
        shares.difference_variance,
        seeds,
        among=pairs,
        repeated=repeated,
    )
    found = []
    for i, j in combinations(range(n), 2):
        if shares.value[j] > shares.value[i]:
            i, j = j, i
        value, variance = shares.value[i] - shares.value[j], shares.difference_variance[i, j]
        apart = bool(low[i, j] > 0)
        more = None if apart else _seeds_needed(value, variance, seeds, pairs)
        of_both = float(games[i] + games[j]) / seeds if seeds else 0.0
        found.append(
            Difference(
                entrant=i,
                other=j,
                difference=rounded(value),
                low=rounded(low[i, j]),
                high=rounded(high[i, j]),
                separated=apart,
                seeds_needed=more,
                games_needed=_times(more, of_both),
                deals_needed=_times(more, of_both * deals_per_game) if deals_per_game else None,
            )
        )
    return found


def _seeds_needed(value: float, variance: float, seeds: int, pairs: int) -> int | None:
    """Give the seeds still to be played; None where none of any number would do."""
    if seeds < LEAST_SEEDS or not value > 0:
        return None
    normal = NormalDist()
    reach = normal.inv_cdf(1 - (1 - intervals.CONFIDENCE) / (2 * pairs)) + normal.inv_cdf(POWER)
    needed = reach**2 * variance * seeds / value**2
    return min(MOST_NEEDED, max(1, math.ceil(needed) - seeds))


def _times(more: int | None, each: float) -> int | None:
    return None if more is None else math.ceil(more * each)


def intransitive(sums: BlockSums, *, repeated: bool = False) -> list[tuple[int, int, int]]:
    """Give triples in which each beats the next head to head, all pairs at once with 95 %.

    Each triple starts with its least index. A ranking cannot show what these three are. `repeated`
    as for `rank`.
    """
    n = sums.entrants
    estimates = head_to_head(sums)
    pairs = max(1, n * (n - 1) // 2)
    beats = np.zeros((n, n), dtype=bool)
    for i, j in permutations(range(n), 2):
        beats[i, j] = _direct(estimates, i, j, among=pairs, repeated=repeated)[0] > 0
    return [
        (i, j, k)
        for i, j in np.argwhere(beats).tolist()
        if i < j
        for k in np.flatnonzero(beats[j] & beats[:, i]).tolist()
        if k > i
    ]
