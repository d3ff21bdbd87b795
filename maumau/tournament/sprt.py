"""Is version 4 better than version 3? Wald's sequential test, on seeds.

Each seed gives one score of the new version against the old, 0 to 1. The generalised likelihood
ratio compares the best distribution on the scores seen whose mean is `worse` with the best whose
mean is `better` (Van den Bergh, "MLE for multinomial distributions", as used for chess engines).
Where scores are 0 or 1 only, it is Wald's test of two chances (Sequential Analysis, 1947).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from maumau.errors import InvalidInput, Problem
from maumau.tournament.sums import SHARE_UNITS, BlockSums

Verdict = Literal["better", "not better", "undecided"]

LEAST_SCORES = 10


@dataclass(frozen=True, slots=True)
class Sprt:
    """What is tested: a mean score of `worse` against one of `better`.

    `alpha` is the chance to call "better" what has the mean `worse`, `beta` to miss what has the
    mean `better`. Raises `InvalidInput`.
    """

    worse: float = 0.5
    better: float = 0.52
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        problems = []
        if not 0 < self.worse < self.better < 1:
            problems.append(Problem("better", "give 0 < worse < better < 1"))
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                problems.append(Problem(name, "give a chance above 0 and below 0.5"))
        if problems:
            raise InvalidInput(problems)

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which it is decided, by Wald's approximation."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)


@dataclass(frozen=True, slots=True)
class Tested:
    """How the test stands after so many seeds: the log likelihood ratio and what follows."""

    verdict: Verdict
    log_ratio: float
    low: float
    high: float
    seeds: int


def decide(scores: Sequence[Fraction], what: Sprt, *, least: int = LEAST_SCORES) -> Tested:
    """Go through the scores in order and stop at the first that decides, from the `least`-th on."""
    low, high = what.bounds
    counts: dict[Fraction, int] = {}
    ratio = 0.0
    for number, score in enumerate(scores, start=1):
        counts[score] = counts.get(score, 0) + 1
        if number < least:
            continue
        ratio = log_ratio(counts, what)
        if not low < ratio < high:
            verdict: Verdict = "better" if ratio >= high else "not better"
            return Tested(verdict, ratio, low, high, number)
    return Tested("undecided", ratio, low, high, len(scores))


def log_ratio(counts: dict[Fraction, int], what: Sprt) -> float:
    """Give the generalised log likelihood ratio of `better` over `worse`."""
    if set(counts) <= {Fraction(0), Fraction(1)}:
        won = counts.get(Fraction(1), 0)
        lost = sum(counts.values()) - won
        of_lost = math.log((1 - what.better) / (1 - what.worse))
        return won * math.log(what.better / what.worse) + lost * of_lost
    # The ends have a little weight if they never came, else no distribution might have the mean.
    weight = {Fraction(0): 1e-3, Fraction(1): 1e-3} | {x: float(n) for x, n in counts.items()}
    scores = [(float(x), w) for x, w in sorted(weight.items())]
    return _log_likelihood(scores, what.better) - _log_likelihood(scores, what.worse)


def _log_likelihood(scores: list[tuple[float, float]], mean: float) -> float:
    """Give the largest log likelihood of a distribution on these scores with that mean.

    The chances are w / (1 + x (score − mean)) / Σw with the x that makes Σ chance (score − mean)
    zero, which lies between the poles and is found by halving.
    """
    total = sum(w for _, w in scores)
    low, high = -1 / (scores[-1][0] - mean), 1 / (mean - scores[0][0])
    for _ in range(50):
        x = (low + high) / 2
        slope = sum(w * (s - mean) / (1 + x * (s - mean)) for s, w in scores)
        low, high = (x, high) if slope > 0 else (low, x)
    x = (low + high) / 2
    return sum(w * math.log(w / total / (1 + x * (s - mean))) for s, w in scores)


def scores_of(sums: BlockSums, new: int, old: int) -> list[Fraction]:
    """Give the new version's score of each seed in which both played: (1 + difference) / 2.

    The difference is that of their mean shares in the seed; level is ½.
    """
    games, units = sums.column("games"), sums.column("units")
    found = []
    for block in range(sums.blocks):
        ours, theirs = int(games[block, new]), int(games[block, old])
        if ours and theirs:
            difference = Fraction(int(units[block, new]), SHARE_UNITS * ours) - Fraction(
                int(units[block, old]), SHARE_UNITS * theirs
            )
            found.append((1 + difference) / 2)
    return found
