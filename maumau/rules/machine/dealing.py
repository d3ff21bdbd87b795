"""How a deal begins (docs/rules.md §3, Set-up)."""

from __future__ import annotations

from mypy_extensions import i64

from maumau.rules.cards import BIT
from maumau.rules.machine.deal_state import NOBODY, RUNNING, DealState
from maumau.rules.machine.effects import move_on, work
from maumau.rules.machine.turns import begin_turn


def begin(state: DealState, order: list[i64], leader: i64) -> None:
    """Deal the cards of an order, turn up the starter and let the leader act."""
    state.leader = leader
    state.order = order
    state.direction = 1
    state.wish = 0
    state.owed = 0
    state.idle_turns = 0
    state.offender = NOBODY
    state.actions = 0
    state.end = RUNNING
    state.finisher = NOBODY
    state.shuffle_count = 0
    if state.keep_log:
        state.reshuffles = []
        state.log = []
        state.drawn_cards = []
    _deal_hands(state)
    _turn_up(state)
    if state.t.starter_acts:
        # The starter works as if the seat before the leader had played it.
        work(state, state.top)
        move_on(state, leader - 1)
    else:
        begin_turn(state, leader)


def _deal_hands(state: DealState) -> None:
    """Deal card k to seat (leader + k) mod n."""
    order = state.order
    seats = state.seats
    hand_size = state.t.hand_size
    hands: list[i64] = []
    seat: i64 = 0
    while seat < seats:
        hand: i64 = 0
        at = (seat - state.leader) % seats
        dealt = at + hand_size * seats
        while at < dealt:
            hand |= BIT[order[at]]
            at += seats
        hands.append(hand)
        seat += 1
    state.hands = hands
    state.stock = order
    state.stock_at = hand_size * seats
    state.stock_end = len(order)


def _turn_up(state: DealState) -> None:
    """Turn up the starter; forbidden ones go under the stock, at most once through it."""
    starter = state.stock[state.stock_at]
    state.stock_at += 1
    state.redrawn = []
    if BIT[starter] & state.t.starter_redrawn:
        stock = state.stock[state.stock_at :]
        tries = len(stock)
        while tries > 0 and BIT[starter] & state.t.starter_redrawn:
            state.redrawn.append(starter)
            stock.append(starter)
            starter = stock.pop(0)
            tries -= 1
        state.stock = stock
        state.stock_at = 0
        state.stock_end = len(stock)
    state.pile = [starter]
    state.top = starter
