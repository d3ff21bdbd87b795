"""Suspension: judged in block order, on complete prefixes, on games that count."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from maumau.tournament.suspension import LEAST_GAMES, Played, suspended


def blocks(line_up: tuple[int, ...], faults: list[tuple[int, ...]], games: int = 2) -> list[Played]:
    return [Played(block, line_up, games, of) for block, of in enumerate(faults)]


def test_nobody_is_suspended_on_few_games() -> None:
    always = blocks((0, 1), [(2, 0)] * 20)
    assert suspended(always, fault_share=0.5, complete=20) == {0: LEAST_GAMES // 2}
    assert suspended(always, fault_share=0.5, complete=LEAST_GAMES // 2) == {0: 10}
    assert suspended(always, fault_share=0.5, complete=LEAST_GAMES // 2 - 1) == {}
    assert suspended(always, fault_share=None, complete=20) == {}


def test_the_share_must_be_passed_not_reached() -> None:
    half = blocks((0, 1), [(1, 0)] * 20)
    assert suspended(half, fault_share=0.5, complete=20) == {}
    assert suspended(half, fault_share=0.49, complete=20) == {0: 10}
    # 3 of 10 is not more than 0.3, though the nearest double is less than that.
    third = blocks((0, 1), [(3, 0)] * 20, games=10)
    assert suspended(third, fault_share=0.3, complete=20) == {}


def test_blocks_beyond_the_complete_ones_are_not_looked_at() -> None:
    late = blocks((0, 1), [(0, 0)] * 20 + [(2, 0)] * 30)
    assert suspended(late, fault_share=0.5, complete=20) == {}
    # After 20 clean blocks it takes 21 forfeited ones.
    assert suspended(late, fault_share=0.5, complete=50) == {0: 41}


def test_games_with_a_suspended_entrant_count_for_nobody_after_that() -> None:
    """Entrant 1 fails only against 0: in the games that count that is not enough."""
    played = [
        *blocks((0, 1), [(2, 0)] * 10 + [(0, 2)] * 40),
        *blocks((1, 2), [(0, 0)] * 50),
    ]
    assert suspended(played, fault_share=0.45, complete=50) == {0: 10}


@given(
    st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=15, max_size=40),
    st.randoms(use_true_random=False),
    st.sampled_from([0.0, 0.1, 0.3, 0.5]),
)
def test_the_order_of_play_and_what_was_discarded_change_nothing(
    faults: list[tuple[int, int, int]], lots: random.Random, share: float
) -> None:
    line_ups = [(0, 1), (0, 2), (1, 2)]
    played = [
        Played(block, line_up, 2, (of[k], 2 - of[k]) if k else (of[k], 0))
        for block, of in enumerate(faults)
        for k, line_up in enumerate(line_ups)
    ]
    verdict = suspended(played, fault_share=share, complete=len(faults))
    shuffled = list(played)
    lots.shuffle(shuffled)
    assert suspended(shuffled, fault_share=share, complete=len(faults)) == verdict
    # Judged early, the verdicts are the same as far as they go.
    early = lots.randrange(len(faults) + 1)
    some = {one: after for one, after in verdict.items() if after <= early}
    assert suspended(played, fault_share=share, complete=early) == some
    # And judged again when later blocks of the suspended are gone.
    kept = [
        one
        for one in played
        if all(one.block < verdict.get(entrant, len(faults)) for entrant in one.line_up)
    ]
    assert suspended(kept, fault_share=share, complete=len(faults)) == verdict
