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

from maumau.tournament.intervals import LEAST_SEEDS, Floats, ratio, t_interval
from maumau.tournament.quantiles import t_quantile
from maumau.tournament.sums import SHARE_UNITS, BlockSums

DIGITS = 6
CONFIDENCE = 0.95


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
    """The ranked result; `complete` is false where not all that was planned was played."""

    measure: str
    best: str
    complete: bool
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
    sums: BlockSums, *, seed: str, best: Literal["low", "high"], complete: bool = True
) -> Standings:
    """Rank the entrants of a tournament.

    `seed` is for the draws of the simultaneous bounds, `best` says which of the rule set's totals
    is the better one (it does not change the order), `complete` whether all that was planned was
    played.
    """
    games, units = sums.column("games"), sums.column("units")
    total_games, total_units = games.sum(axis=0), units.sum(axis=0)
    shares = ratio(units, games, SHARE_UNITS)
    low, high = t_interval(shares.value, np.diag(shares.covariance()), shares.seeds, CONFIDENCE)
    low, high = np.clip(low, 0, 1), np.clip(high, 0, 1)
    ahead = separated(sums, seed=seed)
    ranks = _ranks([_fraction(u, g) for u, g in zip(total_units, total_games, strict=True)])
    letters = groups(ahead, ranks)
    points = sums.column("points").sum(axis=0)
    rows = [
        Row(
            entrant=i,
            rank=ranks[i],
            rank_low=1 + int(ahead[:, i].sum()),
            rank_high=sums.entrants - int(ahead[i].sum()),
            group=letters[i],
            games=int(total_games[i]),
            score_share=rounded(shares.value[i]),
            low=rounded(low[i]),
            high=rounded(high[i]),
            points_per_game=rounded(points[i] / total_games[i]) if total_games[i] else None,
            points=int(points[i]),
            games_won=int(sums.column("wins")[:, i].sum()),
            games_shared=int(sums.column("shared")[:, i].sum()),
            faults=int(sums.column("faults")[:, i].sum()),
        )
        for i in sorted(range(sums.entrants), key=lambda i: (ranks[i], i))
    ]
    return Standings(
        measure="score_share",
        best=best,
        complete=complete,
        seeds=int((games > 0).any(axis=1).sum()),
        games=int(sums.column("wins").sum()) + _shared_games(sums),
        confidence=CONFIDENCE,
        rows=tuple(rows),
    )


def _shared_games(sums: BlockSums) -> int:
    """Count the games without a sole winner: each game gives away one share."""
    won = int(sums.column("wins").sum())
    return int(sums.column("units").sum()) // SHARE_UNITS - won


def rounded(value: float) -> float | None:
    """Give a figure as it is shown everywhere; None for what is not known."""
    return None if np.isnan(value) else round(float(value), DIGITS) + 0.0


def _fraction(units: int, games: int) -> Fraction:
    return Fraction(int(units), int(games)) if games else Fraction(-1)


def _ranks(shares: list[Fraction]) -> list[int]:
    """Give each entrant's rank; equal shares share a rank."""
    return [1 + sum(other > share for other in shares) for share in shares]


def separated(sums: BlockSums, *, seed: str) -> npt.NDArray[np.bool_]:
    """Say for each ordered pair whether the first is better, all pairs at once with 95 %."""
    n = sums.entrants
    shares = ratio(sums.column("units"), sums.column("games"), SHARE_UNITS)
    covariance = shares.covariance()
    seeds = len(shares.residual)
    if seeds < LEAST_SEEDS or n < 2:
        return np.zeros((n, n), dtype=bool)
    variance = np.diag(covariance)
    spread: Floats = np.sqrt(np.maximum(variance[:, None] + variance - 2 * covariance, 0))
    pairs = n * (n - 1) // 2
    factor = t_quantile(1 - (1 - CONFIDENCE) / (2 * pairs), seeds - 1)
    difference = shares.value[:, None] - shares.value
    return np.asarray(difference > factor * spread) & ~np.eye(n, dtype=bool)


def groups(ahead: npt.NDArray[np.bool_], ranks: list[int]) -> list[str]:
    """Give letters: two entrants have one in common exactly if neither is ahead of the other.

    Insert-and-absorb (Piepho 2004): start with one group of all and split it at each separated
    pair.
    """
    n = len(ranks)
    sets: list[frozenset[int]] = [frozenset(range(n))]
    for i, j in np.argwhere(ahead).tolist():
        new: list[frozenset[int]] = []
        for group in sets:
            new += [group - {i}, group - {j}] if {i, j} <= group else [group]
        sets = [
            a
            for k, a in enumerate(new)
            if not any(a < b or (a == b and k > m) for m, b in enumerate(new))
        ]
    sets.sort(key=lambda group: sorted((ranks[i], i) for i in group))
    return [" ".join(_letters(k) for k, group in enumerate(sets) if i in group) for i in range(n)]


def _letters(k: int) -> str:
    """Name a group: a … z, then aa, ab …"""
    name = ""
    while k >= 0:
        name = chr(ord("a") + k % 26) + name
        k = k // 26 - 1
    return name


def crosstable(sums: BlockSums) -> list[dict[str, Any]]:
    """Give every ordered pair that met, in canonical order.

    `share` is the entrant's score share in the games together, `ahead` how often its rank was the
    better one; None never stands for 0.
    """
    _, entrant, other, table = sums.pairs()
    key = entrant * sums.entrants + other
    total = np.zeros((sums.entrants**2, table.shape[1]), dtype=np.int64)
    np.add.at(total, key, table)
    cells = []
    for place in np.flatnonzero(total[:, 0]).tolist():
        i, j = divmod(place, sums.entrants)
        back = total[j * sums.entrants + i]
        games, units, ahead, _ = total[place].tolist()
        cells.append(
            {
                "entrant": i,
                "other": j,
                "games": games,
                "share": rounded(units / (SHARE_UNITS * games)),
                "other_share": rounded(int(back[1]) / (SHARE_UNITS * games)),
                "ahead": ahead,
                "behind": int(back[2]),
            }
        )
    return cells
