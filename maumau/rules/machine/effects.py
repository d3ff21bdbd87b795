"""What a played card does, and whose turn is next (docs/rules.md §3, Playing)."""

from __future__ import annotations

from mypy_extensions import i64

from maumau.rules.machine.deal_state import FINISHED, RUNNING, DealState
from maumau.rules.machine.turns import begin_turn


def work(state: DealState, card: i64) -> None:
    """Let a card's `draw` and `reverse` work; where the turn goes is `move_on`'s."""
    state.owed += state.t.debt[card]
    if state.t.turns_round[card]:
        state.direction = -state.direction


def move_on(state: DealState, seat: i64) -> None:
    """Give the next turn as the card just played by `seat` says."""
    if state.end == RUNNING:
        state.idle_turns = 0
        begin_turn(state, (seat + state.direction * state.t.steps[state.top]) % state.seats)


def finish(state: DealState, seat: i64) -> None:
    """End the deal: the seat has played its last card."""
    state.end = FINISHED
    state.finisher = seat
