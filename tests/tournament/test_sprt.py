"""The sequential test of two versions."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from maumau.errors import InvalidInput
from maumau.tournament import sprt
from maumau.tournament.sprt import Sprt
from maumau.tournament.sums import BlockSums

DEFECT, GOOD = Fraction(1), Fraction(0)


def test_walds_test_is_the_published_one() -> None:
    """NIST/SEMATECH e-Handbook of Statistical Methods, 6.2.6, sequential sampling.

    p1 = 0.01, p2 = 0.10, alpha = 0.05, beta = 0.20: "for n = 24 the acceptance number is 0 and the
    rejection number is 3". The lines are those of its formulas, with h1, h2 and s.
    """
    what = Sprt(worse=0.01, better=0.10, alpha=0.05, beta=0.20)
    low, high = what.bounds
    step = math.log(0.10 / 0.01) - math.log(0.90 / 0.99)
    slope = math.log(0.99 / 0.90) / step
    assert (-low / step, high / step, slope) == pytest.approx((0.6498, 1.1563, 0.0397), abs=5e-4)
    after_24 = [sprt.log_ratio({DEFECT: d, GOOD: 24 - d}, what) for d in range(5)]
    assert after_24[0] <= low
    assert all(low < ratio < high for ratio in after_24[1:3])
    assert after_24[3] >= high


def test_the_plan_decides_item_by_item() -> None:
    """The same plan: a second defect among 21 items rejects, 17 good ones in a row are enough."""
    what = Sprt(worse=0.01, better=0.10, alpha=0.05, beta=0.20)
    found = sprt.decide([GOOD] * 10 + [DEFECT] + [GOOD] * 3 + [DEFECT] * 2, what, least=1)
    assert (found.verdict, found.seeds) == ("better", 15)
    kept = sprt.decide([GOOD] * 40, what, least=1)
    assert (kept.verdict, kept.seeds) == ("not better", 17)


def test_many_small_differences_follow_the_normal_approximation() -> None:
    """Van den Bergh's formula for small differences: n (s1 − s0)(2 x̄ − s0 − s1) / (2 σ²)."""
    counts = {Fraction(k, 4): n for k, n in enumerate((120, 900, 2000, 1010, 150))}
    what = Sprt(worse=0.50, better=0.51)
    total = sum(counts.values())
    mean = float(sum(x * n for x, n in counts.items()) / total)
    spread = sum((float(x) - mean) ** 2 * n for x, n in counts.items()) / total
    near = total * 0.01 * (2 * mean - 1.01) / (2 * spread)
    assert sprt.log_ratio(counts, what) == pytest.approx(near, rel=0.01)


def test_equal_versions_are_called_better_rarely_and_better_ones_mostly() -> None:
    """Wald's promise, with three-valued scores as two seats give them: 5 % and 95 %."""
    what = Sprt(worse=0.5, better=0.65)
    for mean, wanted in ((0.5, "not better"), (0.65, "better")):
        rng = random.Random(f"{mean}")
        right = 0
        for _ in range(400):
            half = 0.5
            wins = mean - half / 2  # draws in half of the seeds
            scores = (
                Fraction(2 if u < wins else 1 if u < wins + half else 0, 2)
                for u in (rng.random() for _ in range(600))
            )
            right += sprt.decide(list(scores), what).verdict == wanted
        assert right / 400 > 0.95 - 2 * 0.011


def test_scores_come_from_shared_seeds() -> None:
    sums = BlockSums(3, 3)
    for block in range(2):
        sums.add_leg(block, (0, 1), (1, 2), (0, 0))
        sums.add_leg(block, (1, 0), (block + 1, 2 - block), (0, 0))
    sums.add_leg(2, (0, 2), (1, 2), (0, 0))
    assert sprt.scores_of(sums, 0, 1) == [Fraction(1, 2), Fraction(1)]
    assert sprt.decide([], Sprt()).verdict == "undecided"


@pytest.mark.parametrize(
    ("values", "path"),
    [
        ({"worse": 0.6, "better": 0.5}, "better"),
        ({"alpha": 0.0}, "alpha"),
        ({"beta": 0.7}, "beta"),
    ],
)
def test_a_test_that_cannot_be_meant_is_refused(values: dict[str, float], path: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        Sprt(**values)
    assert [problem.path for problem in refused.value.problems] == [path]
