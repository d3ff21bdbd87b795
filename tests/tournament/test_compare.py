"""The same entrants on the same seeds under two rule sets."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from maumau.errors import InvalidInput
from maumau.tournament.compare import compare
from maumau.tournament.intervals import factor
from maumau.tournament.sums import BlockSums


def played(chances: list[float], seeds: int, seed: int) -> tuple[BlockSums, list[list[float]]]:
    """Two legs a seed for each pair of three, `chances` in the order 0–1, 0–2, 1–2."""
    rng = np.random.default_rng(seed)
    sums = BlockSums(3, seeds)
    won = [[0.0] * 3 for _ in range(seeds)]
    for block in range(seeds):
        for (i, j), chance in zip(((0, 1), (0, 2), (1, 2)), chances, strict=True):
            for seating in ((i, j), (j, i)):
                winner = i if rng.random() < chance else j
                won[block][winner] += 0.25
                sums.add_leg(block, seating, [1 if x == winner else 2 for x in seating], (0, 0))
    return sums, won


def test_a_reversed_pair_is_told_and_an_unchanged_one_is_not() -> None:
    first, _ = played([0.8, 0.5, 0.5], 200, 1)
    second, _ = played([0.2, 0.5, 0.5], 200, 2)
    changes = {(c.entrant, c.other): c for c in compare(first, second)}
    assert changes[0, 1].changed
    assert changes[0, 1].reversed
    assert changes[0, 1].high is not None
    assert changes[0, 1].high < 0
    same, _ = played([0.8, 0.5, 0.5], 200, 3)
    assert not any(c.changed or c.reversed for c in compare(first, same))
    assert all(c.change == 0 and not c.changed for c in compare(first, first))


def test_the_interval_is_that_of_the_paired_seeds() -> None:
    first, a = played([0.6, 0.5, 0.5], 40, 4)
    second, b = played([0.5, 0.6, 0.5], 40, 5)
    change = compare(first, second)[0]
    paired = [(y[0] - y[1]) - (x[0] - x[1]) for x, y in zip(a, b, strict=True)]
    half = stats.t.ppf(1 - 0.05 / 6, 39) * stats.sem(paired)
    assert change.change == pytest.approx(np.mean(paired), abs=1e-6)
    assert change.low == pytest.approx(np.mean(paired) - half, abs=1e-6)
    assert change.high == pytest.approx(np.mean(paired) + half, abs=1e-6)


def test_where_a_stop_rule_ended_it_the_interval_allows_for_every_look() -> None:
    first, _ = played([0.8, 0.5, 0.5], 60, 6)
    second, _ = played([0.6, 0.5, 0.5], 60, 7)
    once, always = compare(first, second)[0], compare(first, second, repeated=True)[0]
    assert once.change == always.change
    ends = [once.low, once.high, always.low, always.high]
    low, high, lowest, highest = [end for end in ends if end is not None]
    # As much wider as the bounds for repeated looks are, of three pairs at once.
    wider = factor(60, among=3, repeated=True) / factor(60, among=3)
    assert wider > 1.2
    assert highest - lowest == pytest.approx(wider * (high - low), rel=1e-4)


def test_other_entrants_or_seeds_cannot_be_compared() -> None:
    with pytest.raises(InvalidInput, match="same entrants"):
        compare(BlockSums(3, 10), BlockSums(3, 11))
