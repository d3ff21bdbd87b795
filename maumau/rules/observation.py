"""What one seat may know of a deal (docs/rules.md §1, §3), and nothing else.

An observation is made of three parts, all plain integers on a wire: what is fixed for the deal
(`DealInfo`), the events so far as this seat saw them (`History`), and the position now (a
snapshot). A child process that is fed the same integers holds the identical observation.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mypy_extensions import i64

from maumau.errors import Conflict
from maumau.rules.actions import ACTIONS, CATCH, FORM_COUNT
from maumau.rules.cards import CARDS, NO_CARD, SUITS, texts_in
from maumau.rules.deal_state import (
    ASKED,
    EVENT_DRAWER,
    EVENT_DRAWN,
    EVENT_RESHUFFLE,
    EVENT_SEAT,
    NOBODY,
    OVER,
    PHASES,
    DealState,
)
from maumau.rules.legality import MAY_CATCH, MAY_PASS, count_cards, legal_ids
from maumau.rules.prng import Prng
from maumau.rules.ruleset import RuleSet
from maumau.rules.shuffle import Shuffles
from maumau.rules.tables import tables_for

if TYPE_CHECKING:
    from maumau.rules.deal import Deal

# A snapshot's places; the hand counts of all seats follow.
ACTING: Final = 0
DIRECTION: Final = 1
TOP: Final = 2
WISH: Final = 3
OWED: Final = 4
PHASE: Final = 5
DRAWN_CARD: Final = 6
DRAWS: Final = 7
OFFENDER: Final = 8
STOCK: Final = 9
HAND: Final = 10
PLAYS: Final = 11
OTHERS: Final = 12
MOVED: Final = 13
IDLE_TURNS: Final = 14
COUNTS: Final = 15


class Event(NamedTuple):
    """One action of a deal, as one seat saw it.

    `drawn` cards were taken because of it by seat `drawn_by` (None where none were), the stock
    having been reshuffled before or meanwhile if `reshuffled`. `cards` are the drawn cards where
    the observer drew them, else empty.
    """

    seat: int
    action: str
    drawn: int
    drawn_by: int | None
    reshuffled: bool
    cards: tuple[str, ...]


@dataclass(frozen=True)
class DealInfo:
    """What is fixed for one seat during a deal.

    `turned_up` are the cards turned up to find the starter, which is the last of them; the others
    lie at the bottom of the stock in this order.
    """

    rules: RuleSet
    seats: int
    seat: int
    leader: int
    number: int
    totals: tuple[int, ...]
    turned_up: tuple[int, ...]

    def to_wire(self) -> list[Any]:
        """Give the plain values, all but the rules, from which `from_wire` makes it again."""
        return [
            self.seats,
            self.seat,
            self.leader,
            self.number,
            list(self.totals),
            list(self.turned_up),
        ]

    @staticmethod
    def from_wire(rules: RuleSet, values: list[Any]) -> DealInfo:
        """Make it from what `to_wire` gave."""
        seats, seat, leader, number, totals, turned_up = values
        return DealInfo(rules, seats, seat, leader, number, tuple(totals), tuple(turned_up))


class History:
    """A deal's events as one seat saw them, in order; it only grows."""

    def __init__(self, info: DealInfo) -> None:
        self.tables = tables_for(info.rules, info.seats)
        self.seat: i64 = info.seat
        self.starter: i64 = info.turned_up[-1]
        self.codes: list[i64] = []
        self.cards: list[i64] = []
        """The cards that this seat drew, in order."""
        self._events: list[Event] = []
        self._cards_told: i64 = 0
        self._pile: list[i64] = [self.starter]
        self._pile_events: i64 = 0

    def __len__(self) -> int:
        """Give the number of events."""
        return len(self.codes)

    def feed(self, wire: list[i64]) -> list[Event]:
        """Add the events of a wire list (see `events_for`) and give them."""
        first = len(self.codes)
        self.extend(wire)
        return self.events[first:]

    def extend(self, wire: list[i64]) -> None:
        """Add the events of a wire list; they are made when somebody looks at them."""
        at: i64 = 0
        end: i64 = len(wire)
        while at < end:
            code = wire[at]
            at += 1
            self.codes.append(code)
            drawn = code // EVENT_DRAWN % 64
            if drawn > 0 and code // EVENT_DRAWER % 64 == self.seat:
                self.cards += wire[at : at + drawn]
                at += drawn

    @property
    def events(self) -> list[Event]:
        """All events so far."""
        events = self._events
        for k in range(len(events), len(self.codes)):
            events.append(self._event(self.codes[k]))
        return events

    def _event(self, code: i64) -> Event:
        drawn = code // EVENT_DRAWN % 64
        drawer: int | None = None
        own: tuple[str, ...] = ()
        if drawn > 0:
            drawer = code // EVENT_DRAWER % 64
            if drawer == self.seat:
                first = self._cards_told
                self._cards_told += drawn
                own = tuple([CARDS[card] for card in self.cards[first : first + drawn]])
        return Event(
            code // EVENT_SEAT % 64,
            ACTIONS[code % EVENT_SEAT],
            drawn,
            drawer,
            code >= EVENT_RESHUFFLE,
            own,
        )

    def cards_before(self, count: i64) -> list[i64]:
        """Give the cards that this seat drew in the first `count` events."""
        drawn: i64 = 0
        for code in self.codes[:count]:
            if code // EVENT_DRAWN % 64 > 0 and code // EVENT_DRAWER % 64 == self.seat:
                drawn += code // EVENT_DRAWN % 64
        return self.cards[:drawn]

    def pile(self, count: i64) -> list[i64]:
        """Give the discard pile, bottom first, as it was after the first `count` events."""
        if count < self._pile_events:
            pile = [self.starter]
            _lay(pile, self.codes[:count])
            return pile
        _lay(self._pile, self.codes[self._pile_events : count])
        self._pile_events = count
        return self._pile


def _lay(pile: list[i64], codes: list[i64]) -> None:
    """Lay the cards of events on a pile; a reshuffle leaves its top card."""
    for code in codes:
        action = code % EVENT_SEAT
        if action < CATCH:
            pile.append(action // FORM_COUNT)
        if code >= EVENT_RESHUFFLE:
            del pile[:-1]


def events_for(state: DealState, seat: i64, start: i64 = 0) -> list[i64]:
    """Give the events from number `start` on as one seat may see them, as flat integers.

    Each is its code, followed by the cards drawn where the seat itself drew them.
    """
    wire: list[i64] = []
    codes = state.log[start:]
    cards_at: i64 = len(state.drawn_cards)
    for code in codes:
        cards_at -= code // EVENT_DRAWN % 64
    for code in codes:
        drawn = code // EVENT_DRAWN % 64
        wire.append(code)
        if drawn > 0 and code // EVENT_DRAWER % 64 == seat:
            wire += state.drawn_cards[cards_at : cards_at + drawn]
        cards_at += drawn
    return wire


def snapshot(state: DealState, seat: i64) -> list[i64]:
    """Give what a seat may know of the position now, as flat integers."""
    acting = state.seat == seat
    now: list[i64] = [
        state.seat,
        state.direction,
        state.top,
        state.wish,
        state.owed,
        state.phase,
        state.drawn if acting else NO_CARD,
        state.draws,
        state.offender,
        state.stock_end - state.stock_at,
        state.hands[seat],
        state.plays if acting else 0,
        state.others if acting else 0,
        1 if state.moved else 0,
        state.idle_turns,
    ]
    for hand in state.hands:
        now.append(count_cards(hand))
    return now


class Observation:
    """What one seat may know; cannot be changed, and stays as it is when the deal goes on.

    Everything is worked out when it is asked for. Cards, suits and actions are texts
    (docs/rules.md §1), lists are tuples.
    """

    __slots__ = ("_count", "_history", "_info", "_now", "_sampler")

    def __init__(self, info: DealInfo, history: History, now: list[i64]) -> None:
        """Take the fixed part, the events (those there are now) and a snapshot."""
        self._info = info
        self._history = history
        self._count: i64 = len(history.codes)
        self._now = now
        self._sampler: Any = None

    @property
    def rules(self) -> RuleSet:
        """The rule set; `rules.data` is the complete one as plain values."""
        return self._info.rules

    @property
    def seats(self) -> int:
        """How many seats play."""
        return self._info.seats

    @property
    def seat(self) -> int:
        """The observing seat."""
        return self._info.seat

    @property
    def leader(self) -> int:
        """The seat that acted first in this deal."""
        return self._info.leader

    @property
    def deal_number(self) -> int:
        """The number of the deal in its game, from 0."""
        return self._info.number

    @property
    def totals(self) -> tuple[int, ...]:
        """The seats' totals before this deal."""
        return self._info.totals

    @property
    def acting(self) -> int:
        """The seat that is to act, or acted last if the deal is over."""
        return self._now[ACTING]

    @property
    def direction(self) -> int:
        """1 if the turn passes to higher seats, -1 if to lower ones."""
        return self._now[DIRECTION]

    @property
    def top_card(self) -> str:
        """The discard pile's last card."""
        return CARDS[self._now[TOP]]

    @property
    def wish(self) -> str | None:
        """The suit that is wished for, if any."""
        wish = self._now[WISH]
        return SUITS[wish - 1] if wish > 0 else None

    @property
    def owed(self) -> int:
        """How many cards the next turn's seat must draw unless it answers."""
        return self._now[OWED]

    @property
    def phase(self) -> str:
        """What the acting seat is asked.

        `turn`: an ordinary turn, or to answer what is owed; `drawn`: whether to play the card just
        drawn; `drawing`: the turn goes on after drawing; `asked`: whether to catch a missed call;
        `over`: nothing any more.
        """
        return PHASES[self._now[PHASE]]

    @property
    def drawn_card(self) -> str | None:
        """The card just drawn, where the observer is asked whether to play it."""
        card = self._now[DRAWN_CARD]
        return CARDS[card] if card != NO_CARD else None

    @property
    def draws(self) -> int:
        """How many ordinary draws the acting seat has made in this turn."""
        return self._now[DRAWS]

    @property
    def offender(self) -> int | None:
        """The seat that missed a call, while the others are asked about it."""
        seat = self._now[OFFENDER]
        return seat if seat != NOBODY else None

    @property
    def stock_count(self) -> int:
        """How many cards the stock holds."""
        return self._now[STOCK]

    @property
    def hand(self) -> tuple[str, ...]:
        """The observer's own cards, sorted."""
        return tuple(texts_in(self._now[HAND]))

    @property
    def hand_counts(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return tuple(self._now[COUNTS:])

    @property
    def legal_actions(self) -> tuple[str, ...]:
        """The observer's legal actions, sorted; empty where it is not to act."""
        return tuple([ACTIONS[number] for number in self.legal_ids()])

    def legal_ids(self) -> list[i64]:
        """Give the legal actions as indices into the table of all actions."""
        now = self._now
        return legal_ids(self._history.tables, now[PLAYS], now[OTHERS], now[HAND])

    @property
    def events(self) -> tuple[Event, ...]:
        """All actions of the deal so far, in order."""
        return tuple(self._history.events[: self._count])

    @property
    def discard_pile(self) -> tuple[str, ...]:
        """The face-up cards, bottom first; the last one is the top card."""
        return tuple([CARDS[card] for card in self._history.pile(self._count)])

    @property
    def turned_up(self) -> tuple[str, ...]:
        """The cards turned up at the start: the last one is the starter.

        The others might not be the starter and went under the stock, in this order.
        """
        return tuple([CARDS[card] for card in self._info.turned_up])

    def sample(self, rng: Random) -> Deal:
        """Draw a deal that agrees with all that the observer knows, for search.

        Hidden cards are drawn, by a chain of exchanges that converges to the uniform draw (see
        `sampling`), over the shuffles that agree with the history: with the cards seen, those
        known to be back in the stock, and what draws prove that seats lacked (docs/rules.md §3).
        What the others chose counts as no evidence. In the deal everybody's
        cards are open; the observer's observation of it equals this one. Raises Conflict when the
        deal is over.
        """
        from maumau.rules.deal import Deal
        from maumau.rules.sampling import sampler_of

        if self._now[PHASE] == OVER:
            raise Conflict("deal_over", "the deal is over: there is nothing left to sample")
        info = self._info
        if self._sampler is None:
            codes = self._history.codes[: self._count]
            turned_up = list(info.turned_up)
            self._sampler = sampler_of(
                self._history.tables,
                info.seat,
                info.leader,
                turned_up,
                codes,
                self._history.cards_before(self._count),
                self._known_state(codes, turned_up),
            )
        return Deal(
            info.rules,
            info.seats,
            info.leader,
            number=info.number,
            totals=info.totals,
            state=self._sampler.draw(Prng(rng.getrandbits(62))),
        )

    def _known_state(self, codes: list[i64], turned_up: list[i64]) -> DealState:
        """Give a deal's state with all that is known, the other hands empty and no stock."""
        now = self._now
        state = DealState(self._history.tables, Shuffles())
        state.leader = self._info.leader
        state.hands = [0 for _ in range(self._info.seats)]
        state.hands[self._info.seat] = now[HAND]
        state.pile = self._history.pile(self._count).copy()
        state.redrawn = turned_up[:-1]
        state.log = codes
        state.actions = len(codes)
        state.seat = now[ACTING]
        state.direction = now[DIRECTION]
        state.top = now[TOP]
        state.wish = now[WISH]
        state.owed = now[OWED]
        state.phase = now[PHASE]
        state.drawn = now[DRAWN_CARD]
        state.draws = now[DRAWS]
        state.offender = now[OFFENDER]
        state.moved = now[MOVED] == 1
        state.idle_turns = now[IDLE_TURNS]
        state.plays = now[PLAYS]
        state.others = now[OTHERS]
        if state.phase == ASKED:
            state.others = MAY_CATCH | MAY_PASS
        for code in codes:
            if code >= EVENT_RESHUFFLE:
                state.shuffle_count += 1
        return state

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain values, the rules as their id."""
        values: dict[str, Any] = {name: getattr(self, name) for name in _FIELDS}
        values["rules"] = self.rules.id
        values["events"] = [event._asdict() for event in self.events]
        return values

    def to_json(self) -> str:
        """Give the canonical text: equal knowledge, equal text."""
        return json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"))

    def __repr__(self) -> str:
        """Show the position in one line."""
        hand, legal = " ".join(self.hand), " ".join(self.legal_actions)
        return f"<Observation seat {self.seat}: {hand} on {self.top_card}; legal: {legal}>"


_FIELDS: Final = (
    "acting",
    "deal_number",
    "direction",
    "discard_pile",
    "draws",
    "drawn_card",
    "events",
    "hand",
    "hand_counts",
    "leader",
    "legal_actions",
    "offender",
    "owed",
    "phase",
    "seat",
    "seats",
    "stock_count",
    "top_card",
    "totals",
    "turned_up",
    "wish",
)
