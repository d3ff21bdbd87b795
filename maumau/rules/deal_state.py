"""A deal's whole state and how actions change it (docs/rules.md §3).

Everything is small integers: cards, actions and sets of cards as in `cards` and `actions`. What
fits and what is legal is `legality`'s; what each card does is read from `tables`.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from maumau.rules.actions import CATCH, DRAW, FORM_COUNT
from maumau.rules.cards import BIT, NO_CARD
from maumau.rules.legality import MAY_CATCH, MAY_DRAW, MAY_PASS, fitting, play_case
from maumau.rules.shuffle import Shuffles
from maumau.rules.tables import (
    CALL_CATCH,
    THEN_END,
    THEN_MAY_PLAY_ANY,
    THEN_MUST_PLAY_DRAWN,
    Tables,
)

# Phases: what the seat to act is asked.
TURN: Final = 0  # its turn, nothing drawn yet but what was owed
DRAWN: Final = 1  # whether it plays the card just drawn
DRAWING: Final = 2  # its turn goes on after drawing, with all its cards
ASKED: Final = 3  # whether it catches a missed call
OVER: Final = 4
PHASES: Final = ["turn", "drawn", "drawing", "asked", "over"]

# Ends of a deal.
RUNNING: Final = 0
FINISHED: Final = 1
STOCK_OUT: Final = 2
BLOCKED: Final = 3
LIMIT: Final = 4
ENDS: Final = ["", "finished", "stock_out", "blocked", "limit"]

NOBODY: Final = -1

# An event is one integer: the action in 10 bits, then 6 bits each for the seat, the seat that drew
# and how many cards, then one for a reshuffle.
EVENT_SEAT: Final = 1 << 10
EVENT_DRAWER: Final = 1 << 16
EVENT_DRAWN: Final = 1 << 22
EVENT_RESHUFFLE: Final = 1 << 28


class DealState:
    """The state machine of a deal. It trusts its caller: `act` takes legal actions only."""

    def __init__(self, tables: Tables, shuffles: Shuffles, *, keep_log: bool = True) -> None:
        # All of it is assigned here: compiled code then knows that it is there.
        self.t = tables
        self.shuffles = shuffles
        self.keep_log = keep_log
        self.seats: i64 = tables.seats
        self.leader: i64 = 0
        self.hands: list[i64] = []
        self.order: list[i64] = []
        # The stock is `stock[stock_at:stock_end]`, next card first; the list is never changed.
        self.stock: list[i64] = []
        self.stock_at: i64 = 0
        self.stock_end: i64 = 0
        self.pile: list[i64] = []
        self.redrawn: list[i64] = []
        self.reshuffles: list[list[i64]] = []
        self.shuffle_count: i64 = 0
        self.log: list[i64] = []
        self.drawn_cards: list[i64] = []
        self.seat: i64 = 0
        self.hand: i64 = 0  # that of the seat to act, `hands[seat]`
        self.direction: i64 = 1
        self.top: i64 = NO_CARD
        self.wish: i64 = 0
        self.owed: i64 = 0
        self.phase: i64 = TURN
        self.drawn: i64 = NO_CARD
        self.draws: i64 = 0
        self.moved = False
        self.idle_turns: i64 = 0
        self.offender: i64 = NOBODY
        self.actions: i64 = 0
        self.end: i64 = RUNNING
        self.finisher: i64 = NOBODY
        self.plays: i64 = 0
        self.others: i64 = 0
        self.event_drawer: i64 = NOBODY
        self.event_drawn: i64 = 0
        self.event_reshuffle = False

    # Set-up (docs/rules.md §3).

    def begin(self, order: list[i64], leader: i64) -> None:
        """Deal the cards of an order, turn up the starter and let the leader act."""
        self.leader = leader
        self.order = order
        self.direction = 1
        self.wish = 0
        self.owed = 0
        self.idle_turns = 0
        self.offender = NOBODY
        self.actions = 0
        self.end = RUNNING
        self.finisher = NOBODY
        self.shuffle_count = 0
        if self.keep_log:
            self.reshuffles = []
            self.log = []
            self.drawn_cards = []
        self._deal_hands()
        self._turn_up()
        if self.t.starter_acts:
            self._starter_acts()
        else:
            self._begin_turn(leader)

    def _deal_hands(self) -> None:
        """Deal card k to seat (leader + k) mod n."""
        order = self.order
        seats = self.seats
        hand_size = self.t.hand_size
        hands: list[i64] = []
        seat: i64 = 0
        while seat < seats:
            hand: i64 = 0
            at = (seat - self.leader) % seats
            dealt = at + hand_size * seats
            while at < dealt:
                hand |= BIT[order[at]]
                at += seats
            hands.append(hand)
            seat += 1
        self.hands = hands
        self.stock = order
        self.stock_at = hand_size * seats
        self.stock_end = len(order)

    def _turn_up(self) -> None:
        """Turn up the starter; forbidden ones go under the stock, at most once through it."""
        starter = self.stock[self.stock_at]
        self.stock_at += 1
        self.redrawn = []
        if BIT[starter] & self.t.starter_redrawn:
            stock = self.stock[self.stock_at :]
            tries = len(stock)
            while tries > 0 and BIT[starter] & self.t.starter_redrawn:
                self.redrawn.append(starter)
                stock.append(starter)
                starter = stock.pop(0)
                tries -= 1
            self.stock = stock
            self.stock_at = 0
            self.stock_end = len(stock)
        self.pile = [starter]
        self.top = starter

    def _starter_acts(self) -> None:
        """Let the starter work as if the seat before the leader had played it."""
        t = self.t
        starter = self.top
        self.owed = t.debt[starter]
        if t.turns_round[starter]:
            self.direction = -1
        dealer = self.leader - 1
        self._begin_turn((dealer + self.direction * t.steps[starter]) % self.seats)

    # Actions.

    def act(self, action: i64) -> None:
        """Apply a legal action."""
        self.actions += 1
        seat = self.seat
        self.event_drawn = 0
        self.event_reshuffle = False
        if action < CATCH:
            self._play(action // FORM_COUNT, action % FORM_COUNT)
        elif action == DRAW:
            if self.owed > 0:
                self._pay()
            else:
                self._draw()
        elif action == CATCH:
            self._catch()
        else:
            self._pass()
        if self.end == RUNNING and self.actions >= self.t.max_actions:
            self.end = LIMIT
        if self.end != RUNNING:
            self.phase = OVER
            self.plays = 0
            self.others = 0
        if self.keep_log:
            self._write_event(seat, action)

    def _write_event(self, seat: i64, action: i64) -> None:
        event = action + EVENT_SEAT * seat
        if self.event_drawn > 0:
            event += EVENT_DRAWER * self.event_drawer + EVENT_DRAWN * self.event_drawn
        if self.event_reshuffle:
            event += EVENT_RESHUFFLE
        self.log.append(event)

    def _play(self, card: i64, form: i64) -> None:
        """Play a card (docs/rules.md §3, Playing)."""
        t = self.t
        seat = self.seat
        bit = BIT[card]
        hand = self.hand
        left = hand ^ bit
        self.hand = left
        self.hands[seat] = left
        self.pile.append(card)
        self.top = card
        self.wish = form // 2
        self.moved = True
        if left & (left - 1) == 0:  # one card left or none
            if form % 2 == 0 and t.due[play_case(t, card, hand)]:
                self._miss_call(seat, card)
                return
            if left == 0:
                self._finish(seat)
                return
        if bit & t.effective:
            self._work(card)
        self._move_on(seat)

    def _work(self, card: i64) -> None:
        """Let a card's `draw` and `reverse` work; where the turn goes is `_move_on`'s."""
        self.owed += self.t.debt[card]
        if self.t.turns_round[card]:
            self.direction = -self.direction

    def _move_on(self, seat: i64) -> None:
        """Give the next turn as the card just played by `seat` says."""
        if self.end == RUNNING:
            self.idle_turns = 0
            self._begin_turn((seat + self.direction * self.t.steps[self.top]) % self.seats)

    def _finish(self, seat: i64) -> None:
        self.end = FINISHED
        self.finisher = seat

    # Missed calls (docs/rules.md §3).

    def _miss_call(self, seat: i64, card: i64) -> None:
        """Let the card work, then punish at once or ask the others whether they catch it."""
        t = self.t
        self._work(card)
        if t.call_mode == CALL_CATCH:
            self.offender = seat
            self._ask((seat + self.direction) % self.seats)
        else:
            self._take(seat, t.call_penalty)
            self._move_on(seat)

    def _ask(self, seat: i64) -> None:
        """Ask a seat whether it catches; when all have passed the play stands."""
        if seat != self.offender:
            self.seat = seat
            self.hand = self.hands[seat]
            self.phase = ASKED
            self.plays = 0
            self.others = MAY_CATCH | MAY_PASS
            return
        self.offender = NOBODY
        if self.hands[seat] == 0:
            self._finish(seat)
        else:
            self._move_on(seat)

    def _catch(self) -> None:
        offender = self.offender
        self.offender = NOBODY
        self._take(offender, self.t.call_penalty)
        self._move_on(offender)

    # Drawing (docs/rules.md §3).

    def _can_draw(self) -> bool:
        return self.stock_at < self.stock_end or (self.t.reshuffles and len(self.pile) > 1)

    def _take(self, seat: i64, wanted: i64) -> i64:
        """Draw cards one at a time; give the last one. What cannot be drawn lapses."""
        card: i64 = NO_CARD
        hand = self.hand if seat == self.seat else self.hands[seat]
        drawn: i64 = 0
        while drawn < wanted and (self.stock_at < self.stock_end or self._reshuffle()):
            card = self.stock[self.stock_at]
            self.stock_at += 1
            hand |= BIT[card]
            drawn += 1
            if self.keep_log:
                self.drawn_cards.append(card)
            if self.stock_at == self.stock_end and not self.t.reshuffles:
                self.end = STOCK_OUT
                break
        if drawn > 0:
            self.hands[seat] = hand
            if seat == self.seat:
                self.hand = hand
            self.moved = True
        self.event_drawer = seat
        self.event_drawn = drawn
        return card

    def _reshuffle(self) -> bool:
        """Make the discard pile but its top card the new stock; tell whether there was any."""
        if not self.t.reshuffles or len(self.pile) < 2:
            return False
        cards = self.pile
        self.pile = [cards.pop()]
        self.shuffle_count += 1
        self.stock = self.shuffles.order(self.shuffle_count, cards)
        self.stock_at = 0
        self.stock_end = len(cards)
        self.event_reshuffle = True
        if self.keep_log:
            self.reshuffles.append(self.stock)
        return True

    def _pay(self) -> None:
        """Draw all that is owed."""
        owed = self.owed
        self.owed = 0
        self._take(self.seat, owed)
        if self.end == RUNNING:
            self._after_penalty()

    def _after_penalty(self) -> None:
        if self.t.turn_after_penalty:
            self._offer_turn()
        else:
            self._end_turn()

    def _draw(self) -> None:
        """Draw one card in the ordinary way; `draw.then` says how the turn goes on."""
        t = self.t
        card = self._take(self.seat, 1)
        self.draws += 1
        if self.end != RUNNING:
            return
        if t.then == THEN_END:
            self._end_turn()
        elif t.then == THEN_MAY_PLAY_ANY:
            self._offer_drawing()
        else:
            self.plays = fitting(t, BIT[card], self.top, self.wish, 0)
            if self.plays == 0:
                self._end_turn()
            else:
                self.phase = DRAWN
                self.drawn = card
                self.others = 0 if t.then == THEN_MUST_PLAY_DRAWN else MAY_PASS

    def _pass(self) -> None:
        if self.phase == ASKED:
            self._ask((self.seat + self.direction) % self.seats)
        elif self.owed > 0:
            self.owed = 0
            self._after_penalty()
        else:
            self._end_turn()

    # Turns (docs/rules.md §3, Legal actions of a turn).

    def _end_turn(self) -> None:
        """End a turn without a play; n turns in a row without play or draw block the deal."""
        self.idle_turns = 0 if self.moved else self.idle_turns + 1
        if self.idle_turns == self.seats:
            self.end = BLOCKED
        else:
            self._begin_turn((self.seat + self.direction) % self.seats)

    def _begin_turn(self, seat: i64) -> None:
        self.seat = seat
        self.hand = self.hands[seat]
        self.moved = False
        self.draws = 0
        self.drawn = NO_CARD
        self._offer_turn()

    def _offer_turn(self) -> None:
        """Offer an ordinary turn, or to answer or draw what is owed."""
        t = self.t
        self.phase = TURN
        self.plays = fitting(t, self.hand, self.top, self.wish, self.owed)
        if self.owed > 0 or self.plays == 0 or t.voluntary:
            self.others = MAY_DRAW if self._can_draw() else MAY_PASS
        else:
            self.others = 0

    def _offer_drawing(self) -> None:
        """Offer the rest of a turn in which cards were drawn and any card may be played."""
        t = self.t
        self.phase = DRAWING
        self.plays = fitting(t, self.hand, self.top, self.wish, 0)
        if self.draws >= t.max_draws or not self._can_draw():
            self.others = MAY_PASS
        elif self.plays == 0 or t.voluntary:
            self.others = MAY_DRAW
        else:
            self.others = 0

    def offer_again(self) -> None:
        """Offer what the phase offers, to a state put together from what is known of it."""
        t = self.t
        if self.phase == TURN:
            self._offer_turn()
        elif self.phase == DRAWING:
            self._offer_drawing()
        elif self.phase == DRAWN:
            self.plays = fitting(t, BIT[self.drawn], self.top, self.wish, 0)
            self.others = 0 if t.then == THEN_MUST_PLAY_DRAWN else MAY_PASS

    # Copies.

    def copy(self, *, keep_log: bool = True) -> DealState:
        """Give another state equal to this one that shares nothing that changes.

        Without the log it cannot tell what happened before, which a rollout never asks.
        """
        twin = DealState(self.t, self.shuffles.copy(), keep_log=keep_log and self.keep_log)
        twin.leader = self.leader
        twin.hands = self.hands.copy()
        twin.order = self.order
        twin.stock = self.stock
        twin.stock_at = self.stock_at
        twin.stock_end = self.stock_end
        twin.pile = self.pile.copy()
        twin.redrawn = self.redrawn
        twin.shuffle_count = self.shuffle_count
        if twin.keep_log:
            twin.reshuffles = self.reshuffles.copy()
            twin.log = self.log.copy()
            twin.drawn_cards = self.drawn_cards.copy()
        twin.seat = self.seat
        twin.hand = self.hand
        twin.direction = self.direction
        twin.top = self.top
        twin.wish = self.wish
        twin.owed = self.owed
        twin.phase = self.phase
        twin.drawn = self.drawn
        twin.draws = self.draws
        twin.moved = self.moved
        twin.idle_turns = self.idle_turns
        twin.offender = self.offender
        twin.actions = self.actions
        twin.end = self.end
        twin.finisher = self.finisher
        twin.plays = self.plays
        twin.others = self.others
        return twin
