"""Stop rules: judged on complete prefixes, right however often one looks."""

from __future__ import annotations

import math

import numpy as np
import pytest

from maumau.errors import InvalidInput
from maumau.tournament import intervals
from maumau.tournament.sequential import StopRule, looks, stops_at
from maumau.tournament.standings import rank
from maumau.tournament.sums import BlockSums


def coin(chance: float, seeds: int, rng: np.random.Generator) -> BlockSums:
    """Two entrants, two legs a seed, the first winning with that chance."""
    sums = BlockSums(2, seeds)
    for block in range(seeds):
        for seating in ((0, 1), (1, 0)):
            winner = int(rng.random() >= chance)
            sums.add_leg(block, seating, [1 if x == winner else 2 for x in seating], (0, 0))
    return sums


def test_looks_are_a_function_of_the_plan() -> None:
    assert looks(10) == []
    assert looks(14) == [10, 11, 12, 13]
    assert looks(1000)[:3] == [10, 11, 12]
    assert all(b > a for a, b in zip(looks(1000), looks(1000)[1:], strict=False))
    assert len(looks(1000)) < 60


def test_a_clear_difference_ends_early_and_at_the_same_block_for_everybody() -> None:
    sums = coin(0.8, 300, np.random.default_rng(1))
    rule = StopRule("separated")
    end = stops_at(sums, rule, complete=300)
    assert end is not None
    assert end < 100
    assert stops_at(sums, rule, complete=end) == end
    assert stops_at(sums, rule, complete=end - 1) is None
    rows = rank(sums.first_blocks(end), best="low", repeated=True).rows
    assert [row.rank_high for row in rows] == [1, 2]


def test_what_was_played_after_the_end_changes_nothing() -> None:
    first, second = (coin(0.8, 300, np.random.default_rng(1)) for _ in range(2))
    for block in range(200, 300):
        second.add_leg(block, (0, 1), (2, 1), (0, 0))
    rule = StopRule("separated")
    assert stops_at(first, rule, complete=300) == stops_at(second, rule, complete=200)


def test_equal_bots_are_hardly_ever_called_different_however_often_one_looks() -> None:
    """At every look of 400: at most 5 %, with two standard errors of 400 runs to spare."""
    rng = np.random.default_rng(2)
    called = 0
    for _ in range(400):
        called += stops_at(coin(0.5, 120, rng), StopRule("separated"), complete=120) is not None
    assert called / 400 <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 400)


def test_bounds_for_repeated_looks_hold_at_every_number_of_seeds() -> None:
    """Normal scores looked at after each of 10 to 500 seeds."""
    rng = np.random.default_rng(3)
    scores = rng.standard_normal((1000, 500))
    number = np.arange(1, 501)
    mean = scores.cumsum(axis=1) / number
    square = (scores**2).cumsum(axis=1) / number - mean**2
    error = np.sqrt(square[:, 9:] / (number[9:] - 1))
    wide = [intervals.factor(int(k), repeated=True) for k in number[9:]]
    missed = (np.abs(mean[:, 9:]) > np.array(wide) * error).any(axis=1).mean()
    once = [intervals.factor(int(k)) for k in number[9:]]
    assert missed <= 0.05
    assert (np.abs(mean[:, 9:]) > np.array(once) * error).any(axis=1).mean() > 0.25


def test_a_wanted_precision_ends_it() -> None:
    sums = coin(0.55, 800, np.random.default_rng(4))
    end = stops_at(sums, StopRule("half_width", 0.08), complete=800)
    assert end is not None
    rows = rank(sums.first_blocks(end), best="low", repeated=True).rows
    assert all(row.high - row.low <= 0.16 for row in rows if row.high and row.low)
    assert stops_at(sums, StopRule("half_width", 0.001), complete=800) is None
    assert stops_at(sums, StopRule(), complete=800) is None


@pytest.mark.parametrize(
    ("kind", "half_width", "path"),
    [
        ("never", None, "kind"),
        ("half_width", None, "half_width"),
        ("half_width", 0.7, "half_width"),
        ("separated", 0.1, "half_width"),
    ],
)
def test_a_rule_that_cannot_be_meant_is_refused(
    kind: str, half_width: float | None, path: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        StopRule(kind, half_width)  # type: ignore[arg-type]
    assert [problem.path for problem in refused.value.problems] == [path]
