"""What one seat may know of a deal (docs/rules.md §1, §3), and nothing else.

An observation is made of three parts, all plain integers on a wire: what is fixed for the deal
(`DealInfo`), the events so far as this seat saw them (`History`), and the position now (a
snapshot). A child process that is fed the same integers holds the identical observation.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from maumau.rules.actions import ACTIONS, CATCH, FORM_COUNT
from maumau.rules.cards import CARDS, NO_CARD, SUITS, texts_in
from maumau.rules.deal_state import (
    EVENT_DRAWER,
    EVENT_DRAWN,
    EVENT_RESHUFFLE,
    EVENT_SEAT,
    NOBODY,
    PHASES,
    DealState,
)
from maumau.rules.legality import legal_ids
from maumau.rules.ruleset import RuleSet
from maumau.rules.tables import tables_for

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


@dataclass(frozen=True, slots=True)
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

    __slots__ = ("cards", "codes", "events", "pile", "seat")

    def __init__(self, info: DealInfo) -> None:
        self.seat = info.seat
        self.codes: list[int] = []
        self.cards: list[int] = []
        self.events: list[Event] = []
        self.pile: list[int] = [info.turned_up[-1]]

    def feed(self, wire: list[int]) -> list[Event]:
        """Add the events of a wire list (see `events_for`) and give them."""
        at = 0
        first = len(self.events)
        while at < len(wire):
            code = wire[at]
            at += 1
            drawn = code // EVENT_DRAWN % 64
            drawer = code // EVENT_DRAWER % 64 if drawn else None
            own = wire[at : at + drawn] if drawer == self.seat else []
            at += len(own)
            reshuffled = code >= EVENT_RESHUFFLE
            action = code % EVENT_SEAT
            self.codes.append(code)
            self.cards.extend(own)
            if action < CATCH:
                self.pile.append(action // FORM_COUNT)
            if reshuffled:
                self.pile = self.pile[-1:]
            self.events.append(
                Event(
                    code // EVENT_SEAT % 64,
                    ACTIONS[action],
                    drawn,
                    drawer,
                    reshuffled,
                    tuple([CARDS[card] for card in own]),
                )
            )
        return self.events[first:]

    def pile_after(self, info: DealInfo, count: int) -> list[int]:
        """Give the discard pile, bottom first, as it was after the first `count` events."""
        if count == len(self.events):
            return self.pile
        pile = [info.turned_up[-1]]
        for code in self.codes[:count]:
            action = code % EVENT_SEAT
            if action < CATCH:
                pile.append(action // FORM_COUNT)
            if code >= EVENT_RESHUFFLE:
                pile = pile[-1:]
        return pile


def events_for(state: DealState, seat: int, start: int = 0) -> list[int]:
    """Give the events from number `start` on as one seat may see them, as flat integers.

    Each is its code, followed by the cards drawn where the seat itself drew them.
    """
    wire: list[int] = []
    codes = state.log[start:]
    cards_at = len(state.drawn_cards) - sum([code // EVENT_DRAWN % 64 for code in codes])
    for code in codes:
        drawn = code // EVENT_DRAWN % 64
        wire.append(code)
        if drawn and code // EVENT_DRAWER % 64 == seat:
            wire.extend(state.drawn_cards[cards_at : cards_at + drawn])
        cards_at += drawn
    return wire


def snapshot(state: DealState, seat: int) -> list[int]:
    """Give what a seat may know of the position now, as flat integers."""
    acting = state.seat == seat
    return [
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
        int(state.moved),
        state.idle_turns,
        *[int(hand).bit_count() for hand in state.hands],
    ]


class Observation:
    """What one seat may know; cannot be changed, and stays as it is when the deal goes on.

    Everything is worked out when it is asked for. Cards, suits and actions are texts
    (docs/rules.md §1), lists are tuples.
    """

    __slots__ = ("_count", "_history", "_info", "_now")

    def __init__(self, info: DealInfo, history: History, now: list[int]) -> None:
        """Take the fixed part, the events (those there are now) and a snapshot."""
        self._info = info
        self._history = history
        self._count = len(history.events)
        self._now = now

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
        return SUITS[wish - 1] if wish else None

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

    def legal_ids(self) -> list[int]:
        """Give the legal actions as indices into the table of all actions."""
        now = self._now
        tables = tables_for(self._info.rules, self._info.seats)
        return legal_ids(tables, now[PLAYS], now[OTHERS], now[HAND])

    @property
    def events(self) -> tuple[Event, ...]:
        """All actions of the deal so far, in order."""
        return tuple(self._history.events[: self._count])

    @property
    def discard_pile(self) -> tuple[str, ...]:
        """The face-up cards, bottom first; the last one is the top card."""
        return tuple([CARDS[card] for card in self._history.pile_after(self._info, self._count)])

    @property
    def redrawn(self) -> tuple[str, ...]:
        """Cards that were turned up but may not be the starter: once the stock's last cards."""
        return tuple([CARDS[card] for card in self._info.turned_up[:-1]])

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


_FIELDS: Final = sorted(
    name
    for name, value in vars(Observation).items()
    if isinstance(value, property) and name != "rules"
)
