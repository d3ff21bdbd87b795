"""Two rule sets with the same entrants on the same seeds: which pair's order changes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from maumau.errors import InvalidInput
from maumau.tournament import intervals
from maumau.tournament.moments import Floats, ratio
from maumau.tournament.rounding import rounded
from maumau.tournament.standings import better
from maumau.tournament.sums import SHARE_UNITS, BlockSums


@dataclass(frozen=True, slots=True)
class Change:
    """One pair under two rule sets.

    `first` and `second` are the entrant's share less the other's under each; `change` is second
    less first, and `low` to `high` its interval, which holds for all pairs together with 95 %.
    `changed` says that it excludes 0, `reversed` that the pair is separated under both, the other
    way round under the second.
    """

    entrant: int
    other: int
    first: float | None
    second: float | None
    change: float | None
    low: float | None
    high: float | None
    changed: bool
    reversed: bool


def compare(first: BlockSums, second: BlockSums, *, repeated: bool = False) -> list[Change]:
    """Compare every two entrants under two rule sets, seed by seed.

    Both must have the same entrants and blocks, the blocks of the same seeds. What a seed's cards
    do to both sides cancels as far as they do the same under both rule sets. `repeated` gives
    intervals that hold at every number of seeds together, as they must where a stop rule of either
    decided how many there are.
    """
    n = first.entrants
    if (n, first.blocks) != (second.entrants, second.blocks):
        raise InvalidInput("compare tournaments of the same entrants on the same seeds")
    shares = [ratio(s.column("units"), s.column("games"), SHARE_UNITS) for s in (first, second)]
    residual = _residuals(second) - _residuals(first)
    seeds = min(one.all_seeds for one in shares)
    pairs = max(1, n * (n - 1) // 2)
    wide = intervals.factor(seeds, among=pairs, repeated=repeated)
    ahead = [better(one, repeated=repeated) for one in shares]
    found = []
    for i, j in combinations(range(n), 2):
        before, after = (float(one.value[i] - one.value[j]) for one in shares)
        spread = residual[:, i] - residual[:, j]
        error = float(np.sqrt((spread**2).sum() * seeds / max(1, seeds - 1)))
        # Where bounds are endless a spread of 0 is none yet.
        half = wide * error if error > 0 or math.isfinite(wide) else math.nan
        change = after - before
        turned = (ahead[0][i, j] and ahead[1][j, i]) or (ahead[0][j, i] and ahead[1][i, j])
        found.append(
            Change(
                entrant=i,
                other=j,
                first=rounded(before),
                second=rounded(after),
                change=rounded(change),
                low=rounded(change - half),
                high=rounded(change + half),
                changed=bool(abs(change) > half),
                reversed=bool(turned),
            )
        )
    return found


def _residuals(sums: BlockSums) -> Floats:
    """Give each seed's part of the error of each share; they add up to 0."""
    games, units = sums.column("games"), sums.column("units")
    total = np.maximum(games.sum(axis=0), 1)
    return np.asarray((units - units.sum(axis=0) / total * games) / total / SHARE_UNITS)
