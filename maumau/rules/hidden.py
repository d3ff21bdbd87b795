"""What a history proves about hidden cards (docs/rules.md §3).

Every card lies at a position of some shuffle: of the pack, or of a later reshuffle. A seat knows
which positions it got itself, which were turned up, and which cards were played by whom; and where
a seat may draw only if nothing fits, its draw proves that nothing did. So for each shuffle by
itself it follows at which positions each unknown card may lie; and a shuffle agrees with the
history just if every card lies at a position where it may lie.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from maumau.rules.actions import CATCH, DRAW, FORM_COUNT
from maumau.rules.cards import BIT, NO_CARD, cards_in, set_of
from maumau.rules.events import EVENT_DRAWER, EVENT_DRAWN, EVENT_RESHUFFLE, EVENT_SEAT
from maumau.rules.machine.deal_state import NOBODY
from maumau.rules.tables import (
    CALL_CATCH,
    NONE_LEFT,
    ONE_LEFT,
    THEN_MAY_PLAY_ANY,
    THEN_MAY_PLAY_DRAWN,
    THEN_MUST_PLAY_DRAWN,
    WISHES,
    Tables,
)

EVERY_CARD: Final[i64] = (1 << 54) - 1
NEVER: Final = 1 << 60
DEALT: Final = -1
"""The time at which the first hands were got; later times are the numbers of events."""


class HiddenOrder:
    """One shuffle as a seat knows it: by position who got the card and when, and what it may be."""

    def __init__(self, cards: list[i64]) -> None:
        self.size: i64 = len(cards)
        self.unknown: i64 = set_of(cards)
        """The cards whose positions are not known."""
        self.card_at: list[i64] = [NO_CARD for _ in cards]
        """By position: the card, where it is known; `settle` adds one that may be there."""
        self.holder: list[i64] = [NOBODY for _ in cards]
        """By position: the seat that got it, NOBODY while it is in the stock."""
        self.since: list[i64] = [NEVER for _ in cards]
        self.limit: list[i64] = [EVERY_CARD for _ in cards]
        """By position: what the card may be, as far as is known of this very draw."""
        self.queue: list[i64] = list(range(len(cards)))
        """The positions in the order in which the stock is drawn."""
        self.at: i64 = 0
        self.played: i64 = 0
        self.played_by: list[i64] = [NOBODY for _ in BIT]
        self.played_at: list[i64] = [NEVER for _ in BIT]
        self.open: list[i64] = []
        """Positions of seats whose cards are not known; `stock_open` are those of the stock."""
        self.stock_open: list[i64] = []
        self.held: list[i64] = []
        """All positions whose cards went to other seats than the observer."""
        self.places: list[list[i64]] = [[] for _ in BIT]
        """By card: the positions where it may lie."""

    def know(self, position: i64, card: i64) -> None:
        """Note which card lies at a position."""
        self.card_at[position] = card
        self.unknown &= ~BIT[card]


class Proof:
    """That a seat held none of some cards at the time of an event."""

    def __init__(self, event: i64, lacked: i64) -> None:
        self.event = event
        self.lacked = lacked


class Hidden:
    """All that follows from a history: the shuffles so far, the last one being the stock's."""

    def __init__(
        self,
        t: Tables,
        seats: i64,
        observer: i64,
        leader: i64,
        turned_up: list[i64],
        *,
        trusting: bool = False,
    ) -> None:
        self.t = t
        self.seats = seats
        self.observer = observer
        self.trusting = trusting
        """Whether every draw is taken for a proof that nothing could be played."""
        self.orders: list[HiddenOrder] = []
        self.draw_orders: list[i64] = []
        """For every card drawn so far: the number of its shuffle, and its position there."""
        self.draw_positions: list[i64] = []
        self.proofs: list[list[Proof]] = [[] for _ in range(seats)]
        self.order_of: list[i64] = [0 for _ in BIT]
        self.pile: list[i64] = [turned_up[-1]]
        self.counts: list[i64] = [t.hand_size for _ in range(seats)]
        self.wish: i64 = 0
        self.owed: i64 = t.debt[turned_up[-1]] if t.starter_acts else 0
        self.asked: i64 = 0
        """How many seats are still to be asked about a missed call."""
        self.drew: i64 = NOBODY
        """The seat whose ordinary draw was the last event, if that was one."""
        self._deal(leader, turned_up)

    def _deal(self, leader: i64, turned_up: list[i64]) -> None:
        """Lay out the pack's shuffle (docs/rules.md §3, Set-up)."""
        order = HiddenOrder(self.t.pack)
        dealt = self.t.hand_size * self.seats
        for position in range(dealt):
            order.holder[position] = (leader + position) % self.seats
            order.since[position] = DEALT
        for k, card in enumerate(turned_up):
            order.know(dealt + k, card)
        starter = dealt + len(turned_up) - 1
        order.queue = [*range(starter + 1, order.size), *range(dealt, starter)]
        self.orders.append(order)

    def know_hand(self, hand: i64) -> None:
        """Note the cards that the observer was dealt; in which order does not matter."""
        order = self.orders[0]
        cards = cards_in(hand)
        for position, holder in enumerate(order.holder):
            if holder == self.observer and order.since[position] == DEALT:
                order.know(position, cards.pop())

    def follow(self, codes: list[i64], cards: list[i64], acting: i64) -> None:
        """Go through the events; `cards` are those that the observer drew, `acting` acts now."""
        own: i64 = 0
        for number, code in enumerate(codes):
            action = code % EVENT_SEAT
            seat = code // EVENT_SEAT % 64
            drawn = code // EVENT_DRAWN % 64
            drawer = code // EVENT_DRAWER % 64
            following = acting
            if number + 1 < len(codes):
                following = codes[number + 1] // EVENT_SEAT % 64
            before = self.drew
            self.drew = NOBODY
            if self.asked > 0:
                self.asked = 0 if action == CATCH else self.asked - 1
            elif action < CATCH:
                self._play(number, seat, action, before == seat)
            elif self.owed > 0:
                if self.trusting and seat != self.observer:
                    self.proofs[seat].append(Proof(number, self.t.answers[self.pile[-1]]))
                self.owed = 0
            else:
                self._decline(number, seat, action, before == seat)
            if drawn > 0:
                self._draw(number, drawer, drawn, code >= EVENT_RESHUFFLE)
                if drawer == self.observer:
                    for k in range(drawn):
                        self._know_draw(drawn - k, cards[own + k])
                    own += drawn
            if self.drew == seat and drawer != self.observer:
                self._judge_draw(following == seat)

    def _play(self, number: i64, seat: i64, action: i64, after_draw: bool) -> None:
        """Follow a play: it tells where the card was, and a missed call is asked about."""
        t = self.t
        card = action // FORM_COUNT
        order = self.orders[self.order_of[card]]
        order.played |= BIT[card]
        order.played_by[card] = seat
        order.played_at[card] = number
        if after_draw and t.then in (THEN_MAY_PLAY_DRAWN, THEN_MUST_PLAY_DRAWN):
            self._know_draw(1, card)
        self.pile.append(card)
        self.counts[seat] -= 1
        self.wish = action % FORM_COUNT // 2
        self.owed += t.debt[card]
        left = self.counts[seat]
        if t.call_mode == CALL_CATCH and left <= 1 and action % 2 == 0:
            case = ONE_LEFT if left == 1 else NONE_LEFT
            if t.due[case + 3 if t.wishing & BIT[card] else case]:
                self.asked = self.seats - 1

    def _decline(self, number: i64, seat: i64, action: i64, after_draw: bool) -> None:
        """Follow a draw or pass with nothing owed: it may prove that nothing fitted."""
        t = self.t
        fits = t.fits[self.pile[-1] * WISHES + self.wish]
        if action == DRAW:
            self.drew = seat
        elif after_draw:
            # The card just drawn was declined, or (`may_play_any`) the turn ended.
            if t.then != THEN_MAY_PLAY_ANY and seat != self.observer:
                self._limit_draw(fits)
            return
        if self.trusting or not t.voluntary:
            self.proofs[seat].append(Proof(number, fits))

    def _judge_draw(self, goes_on: bool) -> None:
        """Tell from whether the turn went on if the card just drawn fitted."""
        t = self.t
        if t.then == THEN_MAY_PLAY_DRAWN or t.then == THEN_MUST_PLAY_DRAWN:
            fits = t.fits[self.pile[-1] * WISHES + self.wish]
            self._limit_draw(fits if goes_on else EVERY_CARD & ~fits)

    def _draw(self, number: i64, drawer: i64, drawn: i64, reshuffled: bool) -> None:
        """Follow the stock: who got its next cards, over a reshuffle where there was one."""
        for _ in range(drawn):
            order = self.orders[-1]
            if reshuffled and order.at == len(order.queue):
                order = self._reshuffle()
            position = order.queue[order.at]
            order.at += 1
            order.holder[position] = drawer
            order.since[position] = number
            self.draw_orders.append(len(self.orders) - 1)
            self.draw_positions.append(position)
        self.counts[drawer] += drawn

    def _reshuffle(self) -> HiddenOrder:
        cards = self.pile[:-1]
        self.pile = self.pile[-1:]
        order = HiddenOrder(cards)
        for card in cards:
            self.order_of[card] = len(self.orders)
        self.orders.append(order)
        return order

    def _know_draw(self, back: i64, card: i64) -> None:
        """Note the card of the last draw but `back` - 1."""
        order = self.orders[self.draw_orders[-back]]
        order.know(self.draw_positions[-back], card)

    def _limit_draw(self, cards: i64) -> None:
        """Note that the last card drawn is one of these."""
        order = self.orders[self.draw_orders[-1]]
        position = self.draw_positions[-1]
        order.limit[position] = order.limit[position] & cards

    # Where each card may lie.

    def settle(self) -> bool:
        """Work out where each unknown card may lie, and find one shuffle that agrees, if any."""
        for order in self.orders:
            self._find_places(order)
            if not _match(order):
                return False
        return True

    def _find_places(self, order: HiddenOrder) -> None:
        hidden = order.unknown & ~order.played
        for position in range(order.size):
            holder = order.holder[position]
            if holder not in (NOBODY, self.observer):
                order.held.append(position)
            if order.card_at[position] != NO_CARD:
                continue
            if holder == NOBODY:
                order.stock_open.append(position)
                may_be = hidden
            else:
                order.open.append(position)
                may_be = self._may_be(order, position, holder)
            for card in cards_in(may_be):
                order.places[card].append(position)

    def _may_be(self, order: HiddenOrder, position: i64, holder: i64) -> i64:
        """Give the unknown cards that may have come to a seat at this position."""
        since = order.since[position]
        lacked: i64 = 0
        played: i64 = 0
        for card in cards_in(order.unknown & order.played):
            if order.played_by[card] == holder and order.played_at[card] > since:
                played |= BIT[card]
        for proof in self.proofs[holder]:
            if proof.event > since:
                lacked |= proof.lacked
                for card in cards_in(proof.lacked & played):
                    if order.played_at[card] > proof.event:
                        played &= ~BIT[card]
        return order.limit[position] & (played | (order.unknown & ~order.played & ~lacked))


def _match(order: HiddenOrder) -> bool:
    """Place every unknown card where it may lie (augmenting paths, Kuhn 1955)."""
    return all(_place(order, card, set()) for card in cards_in(order.unknown))


def _place(order: HiddenOrder, card: i64, tried: set[int]) -> bool:
    for position in order.places[card]:
        if position in tried:
            continue
        tried.add(position)
        there = order.card_at[position]
        if there == NO_CARD or _place(order, there, tried):
            order.card_at[position] = card
            return True
    return False
