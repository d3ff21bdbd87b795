"""Deals that agree with all that a seat knows, drawn at random (docs/bots.md).

The shuffles that agree with a history are the perfect matchings of cards and positions that
`hidden` allows. A walk goes over them: take up the card at some position, lay it down at one of its
places drawn at random, taking up the card that lay there, and so on until the first position is
filled again. Each such walk is as likely as its reverse, so the walk favours no shuffle; and every
shuffle can be reached. (The hole's walk is that of Jerrum and Sinclair's chain on near-perfect
matchings, 1989, watched only when it closes.)
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from maumau.rules.actions import CATCH, FORM_COUNT
from maumau.rules.cards import BIT
from maumau.rules.events import EVENT_DRAWER, EVENT_DRAWN, EVENT_SEAT
from maumau.rules.hidden import Hidden, HiddenOrder
from maumau.rules.machine.deal_state import DRAWN, DealState
from maumau.rules.machine.turns import offer_again
from maumau.rules.prng import Prng, PrngShuffles
from maumau.rules.tables import Tables

WALKS: Final = 24
"""Closed walks for a sample; each moves about as many cards as are hidden."""

WALKS_ON: Final = 4
"""Closed walks from one sample of a row to the next one."""

LONGEST: Final = 2000
"""A walk that is longer is taken back, which keeps it as likely as its reverse."""


def drawn_order(order: HiddenOrder, start: list[i64], walks: i64, prng: Prng) -> list[i64]:
    """Draw one of the orders that agree with the history, by walks from one of them."""
    cards = start.copy()
    if order.unknown & ~order.played == 0:
        return cards
    _mix_stock(order, cards, prng)
    for _ in range(walks if order.open else 0):
        _walk(order, cards, prng)
    _mix_stock(order, cards, prng)
    return cards


def _mix_stock(order: HiddenOrder, cards: list[i64], prng: Prng) -> None:
    """Shuffle the stock's unknown cards among themselves: any of them may lie at any place."""
    places = order.stock_open
    i: i64 = len(places) - 1
    while i > 0:
        one, other = places[i], places[prng.below(i + 1)]
        held = cards[one]
        cards[one] = cards[other]
        cards[other] = held
        i -= 1


def _walk(order: HiddenOrder, cards: list[i64], prng: Prng) -> None:
    """Take one closed walk from a seat's position drawn at random."""
    before = cards.copy()
    count: i64 = len(order.open)
    hole = order.open[prng.below(count)]
    card = cards[hole]
    steps: i64 = 0
    while steps < LONGEST:
        places = order.places[card]
        count = len(places)
        place = places[prng.below(count)]
        if place == hole:
            cards[hole] = card
            return
        there = cards[place]
        cards[place] = card
        card = there
        steps += 1
    cards[:] = before


class Sampler:
    """What is the same for all samples of one observation."""

    def __init__(self, hidden: Hidden, now: DealState, starter: i64) -> None:
        """Take the proofs, and a state that holds what is public and the observer's own."""
        self.hidden = hidden
        self.now = now
        self.starter = starter

    def draw(self, prng: Prng, before: DealState | None = None) -> DealState:
        """Draw a state of the deal that agrees with all that the observer knows.

        With the state that was drawn before it goes on from there, which takes less time: each by
        itself is as likely as ever, but neighbours are a little alike.
        """
        hidden = self.hidden
        state = self.now.copy()
        state.shuffles = PrngShuffles(prng)
        orders: list[list[i64]] = []
        for number, order in enumerate(hidden.orders):
            start, walks = order.card_at, WALKS
            if before is not None:
                start = before.order if number == 0 else before.reshuffles[number - 1]
                walks = WALKS_ON
            orders.append(drawn_order(order, start, walks, prng))
        state.order = orders[0]
        state.reshuffles = orders[1:]
        drawn_cards: list[i64] = []
        for k in range(len(hidden.draw_orders)):
            drawn_cards.append(orders[hidden.draw_orders[k]][hidden.draw_positions[k]])
        state.drawn_cards = drawn_cards
        for number, order in enumerate(hidden.orders):
            _give(order, orders[number], state.hands)
        _lay_stock(state, hidden.orders[-1], orders[-1])
        state.hand = state.hands[state.seat]
        if state.phase == DRAWN and state.seat != hidden.observer:
            state.drawn = drawn_cards[-1]
        offer_again(state)
        return state


def sampler_of(
    t: Tables,
    observer: i64,
    leader: i64,
    turned_up: list[i64],
    codes: list[i64],
    own_draws: list[i64],
    now: DealState,
    *,
    trusting: bool,
) -> Sampler:
    """Prepare samples of what a seat sees now: its events, the cards it drew, a state as known.

    `trusting` takes it that nobody drew who could have played, unless that cannot be.
    """
    hidden = Hidden(t, t.seats, observer, leader, turned_up, trusting=trusting)
    hidden.know_hand(_dealt_hand(observer, codes, own_draws, now.hands[observer]))
    hidden.follow(codes, own_draws, now.seat)
    if hidden.settle():
        return Sampler(hidden, now, turned_up[-1])
    assert trusting, "no shuffle agrees with this history"
    return sampler_of(t, observer, leader, turned_up, codes, own_draws, now, trusting=False)


def _dealt_hand(seat: i64, codes: list[i64], draws: list[i64], hand: i64) -> i64:
    """Give the hand that a seat was dealt, going back from the one it has now."""
    at: i64 = len(draws)
    for code in reversed(codes):
        drawn = code // EVENT_DRAWN % 64
        if drawn > 0 and code // EVENT_DRAWER % 64 == seat:
            for k in range(at - drawn, at):
                hand &= ~BIT[draws[k]]
            at -= drawn
        action = code % EVENT_SEAT
        if action < CATCH and code // EVENT_SEAT % 64 == seat:
            hand |= BIT[action // FORM_COUNT]
    return hand


def _lay_stock(state: DealState, order: HiddenOrder, cards: list[i64]) -> None:
    stock: list[i64] = []
    for k in range(order.at, len(order.queue)):
        stock.append(cards[order.queue[k]])
    state.stock = stock
    state.stock_at = 0
    state.stock_end = len(stock)


def _give(order: HiddenOrder, cards: list[i64], hands: list[i64]) -> None:
    """Put what came from a shuffle and was not played into the other seats' hands."""
    for position in order.held:
        bit = BIT[cards[position]]
        if bit & order.played == 0:
            seat = order.holder[position]
            hands[seat] = hands[seat] | bit
