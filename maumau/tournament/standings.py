"""The standings of a tournament: a pure function of its sums.

Ranked by mean score share; entrants with exactly equal shares share a rank. What is sure about a
rank is its confidence set (`rank_low` to `rank_high`), not its place in the list.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from maumau.tournament import intervals
from maumau.tournament.groups import letters
from maumau.tournament.intervals import CONFIDENCE, LEAST_SEEDS
from maumau.tournament.moments import Estimates, ratio
from maumau.tournament.pairs import crosstable
from maumau.tournament.rounding import rounded
from maumau.tournament.sums import SHARE_UNITS, BlockSums

__all__ = ["Row", "Standings", "crosstable", "rank"]


@dataclass(frozen=True, slots=True)
class Row:
    """One entrant's line.

    `entrant` is its canonical index; `rank_low` to `rank_high` the ranks it may truly have (all
    entrants' sets hold together with 95 %); entrants whose `group` has a letter in common are not
    separated; `low` to `high` is the 95 % interval of its score share. None where it is not known:
    no games, or fewer than 10 seeds.
    """

    entrant: int
    rank: int
    rank_low: int
    rank_high: int
    group: str
    games: int
    score_share: float | None
    low: float | None
    high: float | None
    points_per_game: float | None
    points: int
    games_won: int
    games_shared: int
    faults: int


@dataclass(frozen=True, slots=True)
class Standings:
    """The ranked result.

    `complete` is false where not all that was planned was played; `repeated` says whether the
    intervals hold at every number of seeds together.
    """

    measure: str
    best: str
    complete: bool
    repeated: bool
    seeds: int
    games: int
    confidence: float
    rows: tuple[Row, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give plain JSON values."""
        return {**asdict(self), "rows": [asdict(row) for row in self.rows]}

    def to_bytes(self) -> bytes:
        """Give the canonical JSON: the same sums and seed give the same bytes."""
        return json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":")).encode()


def rank(
    sums: BlockSums,
    *,
    best: Literal["low", "high"],
    complete: bool = True,
    repeated: bool = False,
) -> Standings:
    """Rank the entrants of a tournament.

    `best` says which of the rule set's totals is the better one (it does not change the order),
    `complete` whether all that was planned was played. `repeated` gives intervals that hold at
    every number of seeds together, as they must where a stop rule decides when to end.
    """
    shares = ratio(sums.column("units"), sums.column("games"), SHARE_UNITS)
    low, high = intervals.share_intervals(
        shares.value, np.diag(shares.covariance), shares.seeds, repeated=repeated
    )
    ahead = better(shares, repeated=repeated)
    total = {name: sums.column(name).sum(axis=0).tolist() for name in COUNTED}
    ranks = ranks_of(total["units"], total["games"])
    group = letters(ahead, ranks)
    rows = [
        Row(
            entrant=i,
            rank=ranks[i],
            rank_low=1 + int(ahead[:, i].sum()),
            rank_high=sums.entrants - int(ahead[i].sum()),
            group=group[i],
            games=total["games"][i],
            score_share=rounded(shares.value[i]),
            low=rounded(low[i]),
            high=rounded(high[i]),
            points_per_game=_per_game(total["points"][i], total["games"][i]),
            points=total["points"][i],
            games_won=total["wins"][i],
            games_shared=total["shared"][i],
            faults=total["faults"][i],
        )
        for i in sorted(range(sums.entrants), key=lambda i: (ranks[i], i))
    ]
    return Standings(
        measure="score_share",
        best=best,
        complete=complete,
        repeated=repeated,
        seeds=shares.all_seeds,
        games=sum(total["units"]) // SHARE_UNITS,
        confidence=CONFIDENCE,
        rows=tuple(rows),
    )


COUNTED = ("games", "units", "points", "wins", "shared", "faults")


def better(shares: Estimates, *, repeated: bool = False) -> npt.NDArray[np.bool_]:
    """Say for each ordered pair whether the first is better, all pairs at once with 95 %."""
    n = len(shares.value)
    if shares.all_seeds < LEAST_SEEDS or n < 2:
        return np.zeros((n, n), dtype=bool)
    low, _ = intervals.difference_intervals(
        shares.value[:, None] - shares.value,
        shares.difference_variance,
        shares.all_seeds,
        among=n * (n - 1) // 2,
        repeated=repeated,
    )
    return np.asarray(low > 0)


def ranks_of(units: list[int], games: list[int]) -> list[int]:
    """Give each entrant's rank by units per game; exactly equal shares share a rank."""
    shares = [Fraction(u, g) if g else Fraction(-1) for u, g in zip(units, games, strict=True)]
    return [1 + sum(other > share for other in shares) for share in shares]


def _per_game(points: int, games: int) -> float | None:
    return rounded(points / games) if games else None
