"""Whose turn it is and what the seat is offered (docs/rules.md §3, Legal actions of a turn)."""

from __future__ import annotations

from mypy_extensions import i64

from maumau.rules.cards import BIT, NO_CARD
from maumau.rules.legality import MAY_DRAW, MAY_PASS, fitting
from maumau.rules.machine.deal_state import BLOCKED, DRAWING, DRAWN, TURN, DealState
from maumau.rules.tables import THEN_MUST_PLAY_DRAWN


def begin_turn(state: DealState, seat: i64) -> None:
    """Give a seat its turn."""
    state.seat = seat
    state.hand = state.hands[seat]
    state.moved = False
    state.draws = 0
    state.drawn = NO_CARD
    offer_turn(state)


def end_turn(state: DealState) -> None:
    """End a turn without a play; n turns in a row without play or draw block the deal."""
    state.idle_turns = 0 if state.moved else state.idle_turns + 1
    if state.idle_turns == state.seats:
        state.end = BLOCKED
    else:
        begin_turn(state, (state.seat + state.direction) % state.seats)


def offer_turn(state: DealState) -> None:
    """Offer an ordinary turn, or to answer or draw what is owed."""
    t = state.t
    state.phase = TURN
    state.plays = fitting(t, state.hand, state.top, state.wish, state.owed)
    if state.owed > 0 or state.plays == 0 or t.voluntary:
        state.others = MAY_DRAW if state.can_draw() else MAY_PASS
    else:
        state.others = 0


def offer_drawing(state: DealState) -> None:
    """Offer the rest of a turn in which cards were drawn and any card may be played."""
    t = state.t
    state.phase = DRAWING
    state.plays = fitting(t, state.hand, state.top, state.wish, 0)
    if state.draws >= t.max_draws or not state.can_draw():
        state.others = MAY_PASS
    elif state.plays == 0 or t.voluntary:
        state.others = MAY_DRAW
    else:
        state.others = 0


def offer_drawn(state: DealState, card: i64) -> bool:
    """Offer to play the card just drawn; tell whether it fits, else nothing has changed."""
    t = state.t
    plays = fitting(t, BIT[card], state.top, state.wish, 0)
    if plays == 0:
        return False
    state.phase = DRAWN
    state.drawn = card
    state.plays = plays
    state.others = 0 if t.then == THEN_MUST_PLAY_DRAWN else MAY_PASS
    return True


def offer_again(state: DealState) -> None:
    """Offer what the phase offers, to a state put together from what is known of it."""
    if state.phase == TURN:
        offer_turn(state)
    elif state.phase == DRAWING:
        offer_drawing(state)
    elif state.phase == DRAWN:
        offer_drawn(state, state.drawn)
