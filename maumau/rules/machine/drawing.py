"""Drawing, and the end of the stock (docs/rules.md §3, Drawing)."""

from __future__ import annotations

from mypy_extensions import i64

from maumau.rules.cards import BIT, NO_CARD
from maumau.rules.machine.deal_state import RUNNING, STOCK_OUT, DealState
from maumau.rules.machine.turns import end_turn, offer_drawing, offer_drawn, offer_turn
from maumau.rules.tables import THEN_END, THEN_MAY_PLAY_ANY


def take(state: DealState, seat: i64, wanted: i64) -> i64:
    """Draw cards one at a time; give the last one. What cannot be drawn lapses."""
    card: i64 = NO_CARD
    hand = state.hand if seat == state.seat else state.hands[seat]
    drawn: i64 = 0
    while drawn < wanted and (state.stock_at < state.stock_end or _reshuffle(state)):
        card = state.stock[state.stock_at]
        state.stock_at += 1
        hand |= BIT[card]
        drawn += 1
        if state.keep_log:
            state.drawn_cards.append(card)
        if state.stock_at == state.stock_end and not state.t.reshuffles:
            state.end = STOCK_OUT
            break
    if drawn > 0:
        state.hands[seat] = hand
        if seat == state.seat:
            state.hand = hand
        state.moved = True
    state.event_drawer = seat
    state.event_drawn = drawn
    return card


def _reshuffle(state: DealState) -> bool:
    """Make the discard pile but its top card the new stock; tell whether there was any."""
    if not state.t.reshuffles or len(state.pile) < 2:
        return False
    cards = state.pile
    state.pile = [cards.pop()]
    state.shuffle_count += 1
    state.stock = state.shuffles.order(state.shuffle_count, cards)
    state.stock_at = 0
    state.stock_end = len(cards)
    state.event_reshuffle = True
    if state.keep_log:
        state.reshuffles.append(state.stock)
    return True


def draw(state: DealState) -> None:
    """Draw one card in the ordinary way; `draw.then` says how the turn goes on."""
    t = state.t
    card = take(state, state.seat, 1)
    state.draws += 1
    if state.end != RUNNING:
        return
    if t.then == THEN_END:
        end_turn(state)
    elif t.then == THEN_MAY_PLAY_ANY:
        offer_drawing(state)
    elif not offer_drawn(state, card):
        end_turn(state)


def pay(state: DealState) -> None:
    """Draw all that is owed."""
    owed = state.owed
    state.owed = 0
    take(state, state.seat, owed)
    if state.end == RUNNING:
        _after_penalty(state)


def lapse(state: DealState) -> None:
    """Let a debt lapse of which not one card can be had."""
    state.owed = 0
    _after_penalty(state)


def _after_penalty(state: DealState) -> None:
    if state.t.turn_after_penalty:
        offer_turn(state)
    else:
        end_turn(state)
