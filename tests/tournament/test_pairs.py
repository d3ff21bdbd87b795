"""Differences, the crosstable, what pairing bought and what more play would settle."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from scipy import stats

from maumau.tournament import intervals
from maumau.tournament.moments import ratio
from maumau.tournament.pairs import crosstable, differences, intransitive
from maumau.tournament.standings import rank
from maumau.tournament.sums import SHARE_UNITS, BlockSums


def two(winners: list[tuple[int, ...]]) -> BlockSums:
    """Sums of two entrants: for each block who won its two legs."""
    sums = BlockSums(2, len(winners))
    for block, legs in enumerate(winners):
        for winner, seating in zip(legs, ((0, 1), (1, 0)), strict=True):
            sums.add_leg(block, seating, [1 if x == winner else 2 for x in seating], (0, 0))
    return sums


def test_the_ends_of_an_interval_are_students_t_away() -> None:
    """At each end the share is exactly t errors off, the error being what it would be there."""
    rng = random.Random(1)
    winners = [(rng.randrange(2), rng.randrange(2)) for _ in range(30)]
    row = rank(two(winners), best="low").rows[0]
    means = [np.mean([winner == row.entrant for winner in legs]) for legs in winners]
    value, error = float(np.mean(means)), float(stats.sem(means))
    assert row.score_share == pytest.approx(value, abs=1e-6)
    for end in (row.low, row.high):
        assert end is not None
        there = error * math.sqrt(end * (1 - end) / (value * (1 - value)))
        assert abs(value - end) / there == pytest.approx(stats.t.ppf(0.975, 29), abs=1e-3)
    middle = stats.t.interval(0.95, 29, loc=value, scale=error)
    assert (row.low, row.high) == pytest.approx(middle, abs=0.005)


def test_with_single_independent_games_it_is_wilsons_interval() -> None:
    """Seeds of one game each: SciPy's score interval, but for t and the n − 1 of the variance."""
    units = np.array([[SHARE_UNITS]] * 5 + [[0]] * 395)
    found = ratio(units, np.ones_like(units), SHARE_UNITS)
    low, high = intervals.share_intervals(found.value, np.diag(found.covariance), found.seeds)
    other = stats.binomtest(5, 400).proportion_ci(0.95, "wilson")
    assert (low[0], high[0]) == pytest.approx((other.low, other.high), rel=0.01)


def test_the_standard_error_equals_scipys_bootstrap() -> None:
    """Seeds of unequal size: the linearised error against whole seeds drawn again."""
    rng = np.random.default_rng(2)
    games = rng.integers(1, 9, size=(200, 1))
    units = rng.binomial(games * SHARE_UNITS, 0.3)
    own = ratio(units, games, SHARE_UNITS)

    def share(u: np.ndarray, g: np.ndarray, axis: int) -> np.ndarray:
        return np.asarray(u.sum(axis=axis) / g.sum(axis=axis) / SHARE_UNITS)

    drawn = stats.bootstrap(
        (units[:, 0], games[:, 0]), share, paired=True, n_resamples=20_000, rng=3
    )
    assert np.sqrt(own.covariance[0, 0]) == pytest.approx(drawn.standard_error, rel=0.03)


def test_differences_use_that_entrants_shared_the_seed() -> None:
    """Both shares move together with the seed: the paired error is the one that counts."""
    rng = np.random.default_rng(4)
    luck = rng.integers(0, 6, size=40)
    units = np.stack([luck + rng.integers(0, 2, 40), luck], axis=1)
    games = np.ones_like(units)
    own = ratio(units, games, SHARE_UNITS)
    paired = (units[:, 0] - units[:, 1]) / SHARE_UNITS
    assert own.difference_variance[0, 1] == pytest.approx(paired.var(ddof=1) / 40)
    assert own.difference_variance[0, 1] < 0.2 * own.covariance[0, 0]


def test_a_spread_of_zero_is_exactly_zero() -> None:
    rng = np.random.default_rng(5)
    units = rng.integers(0, 10**6, size=(50, 1)) * np.array([1, 1])
    games = rng.integers(1, 10**4, size=(50, 1)) * np.array([1, 1])
    own = ratio(units, games, SHARE_UNITS)
    assert own.difference_variance[0, 1] == 0
    assert own.covariance[0, 0] > 0


def test_identical_entrants_are_not_separated() -> None:
    """Two of the same bot: each seed ends level once both seat orders are played."""
    (difference,) = differences(two([(0, 1)] * 40))
    assert difference.separated is False
    assert difference.difference == 0
    assert (difference.seeds_needed, difference.games_needed) == (None, None)


def test_one_who_always_wins_is_not_certain_to() -> None:
    """All seeds alike: the interval is that of so many successes (Clopper–Pearson)."""
    rows = rank(two([(0, 0)] * 20), best="low").rows
    found = stats.binomtest(20, 20).proportion_ci(0.95, "exact")
    assert rows[0].low == pytest.approx(found.low, abs=1e-6)
    assert rows[0].high == 1
    assert rows[1].high == pytest.approx(1 - found.low, abs=1e-6)
    assert rows[0].rank_high == 1
    assert intervals.certain_part(20) == pytest.approx(found.low)


def test_what_is_said_to_be_needed_separates_four_times_of_five() -> None:
    """The figure is a sample size: played that long, a true difference is found with 80 %."""
    rng = np.random.default_rng(6)
    chances = [0.55, 0.45]
    winners = [tuple(int(x) for x in rng.choice(2, 2, p=chances)) for _ in range(60)]
    (difference,) = differences(two(winners), deals_per_game=3.0)
    seeds = 60 + (difference.seeds_needed or 0)
    assert difference.separated is False
    assert difference.games_needed == 4 * (difference.seeds_needed or 0)
    assert difference.deals_needed == 12 * (difference.seeds_needed or 0)
    assert difference.difference is not None
    variance = np.var([(a == 0) - (a == 1) + (b == 0) - (b == 1) for a, b in winners], ddof=1) / 4
    reach = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    assert seeds == pytest.approx(reach**2 * variance / difference.difference**2, rel=0.05)


def test_pairing_is_measured() -> None:
    """Cards decide: whoever holds the better ones wins, in either seat order.

    Luck cancels in each block; without pairing the spread of single legs would stay.
    """
    rng = random.Random(7)
    winners: list[tuple[int, ...]] = []
    for _ in range(400):
        lucky = rng.randrange(2)  # the seat with the better cards
        first = lucky if rng.random() < 0.9 else 1 - lucky
        second = 1 - lucky if rng.random() < 0.9 else lucky
        winners.append((first, second))
    cell = crosstable(two(winners))[0]
    share = np.array([(a == 0) * 0.5 + (b == 0) * 0.5 for a, b in winners])
    expected = 0.25 / 2 / share.var(ddof=1)
    assert cell["variance_factor"] == pytest.approx(expected, rel=0.02)
    assert cell["variance_factor"] > 1.8


def test_three_who_beat_each_other_in_a_circle_are_told() -> None:
    rng = random.Random(8)
    sums = BlockSums(3, 60)
    for block in range(60):
        for i, j in ((0, 1), (1, 2), (2, 0)):
            for seating in ((i, j), (j, i)):
                winner = i if rng.random() < 0.85 else j
                sums.add_leg(block, seating, [1 if x == winner else 2 for x in seating], (0, 0))
    assert intransitive(sums) == [(0, 1, 2)]
    assert intransitive(two([(0, 0)] * 30)) == []


def test_the_crosstable_gives_the_direct_difference_with_its_interval() -> None:
    rng = random.Random(9)
    winners = [(rng.randrange(2), rng.randrange(2)) for _ in range(25)]
    cell = crosstable(two(winners))[0]
    found = [((a == 0) - (a == 1) + (b == 0) - (b == 1)) / 2 for a, b in winners]
    low, high = stats.t.interval(0.95, 24, loc=np.mean(found), scale=stats.sem(found))
    assert cell["difference"] == pytest.approx(np.mean(found), abs=1e-6)
    assert (cell["low"], cell["high"]) == pytest.approx((low, high), abs=0.03)
    (row,) = (row for row in rank(two(winners), best="low").rows if row.entrant == 0)
    assert row.low is not None
    assert cell["low"] == pytest.approx(2 * row.low - 1, abs=1e-5)
    assert cell["share"] + cell["other_share"] == pytest.approx(1)
