"""A card is played (docs/rules.md §3, Playing)."""

from __future__ import annotations

from mypy_extensions import i64

from maumau.rules.cards import BIT
from maumau.rules.legality import play_case
from maumau.rules.machine.calls import miss_call
from maumau.rules.machine.deal_state import DealState
from maumau.rules.machine.effects import finish, move_on, work


def play(state: DealState, card: i64, form: i64) -> None:
    """Play a card of the acting seat's hand; `form` says with which wish and call."""
    t = state.t
    seat = state.seat
    bit = BIT[card]
    hand = state.hand
    left = hand ^ bit
    state.hand = left
    state.hands[seat] = left
    state.pile.append(card)
    state.top = card
    state.wish = form // 2
    state.moved = True
    if left & (left - 1) == 0:  # one card left or none
        if form % 2 == 0 and t.due[play_case(t, card, hand)]:
            miss_call(state, seat, card)
            return
        if left == 0:
            finish(state, seat)
            return
    if bit & t.effective:
        work(state, card)
    move_on(state, seat)
