"""The events of a deal as one seat saw them, and the discard pile that follows from them."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from maumau.rules.actions import ACTIONS, CATCH, FORM_COUNT
from maumau.rules.cards import CARDS
from maumau.rules.deal_info import DealInfo
from maumau.rules.events import EVENT_DRAWER, EVENT_DRAWN, EVENT_RESHUFFLE, EVENT_SEAT, Event
from maumau.rules.machine.deal_state import DealState
from maumau.rules.tables import tables_for

SHARED_MOST: Final = 1 << 14
_SHARED: Final[dict[int, Event]] = {}
"""Events without cards, which are alike for all who see them, by their codes."""


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

    def follow(self, state: DealState) -> None:
        """Add the events that a deal's log has beyond these."""
        known: i64 = len(self.codes)
        cards_at = _cards_before(state, known)
        for at in range(known, len(state.log)):
            code = state.log[at]
            self.codes.append(code)
            drawn = code // EVENT_DRAWN % 64
            if drawn > 0:
                if code // EVENT_DRAWER % 64 == self.seat:
                    self.cards += state.drawn_cards[cards_at : cards_at + drawn]
                cards_at += drawn

    @property
    def events(self) -> list[Event]:
        """All events so far."""
        events = self._events
        for k in range(len(events), len(self.codes)):
            events.append(self._event(self.codes[k]))
        return events

    def _event(self, code: i64) -> Event:
        drawn = code // EVENT_DRAWN % 64
        if drawn > 0 and code // EVENT_DRAWER % 64 == self.seat:
            first = self._cards_told
            self._cards_told += drawn
            cards = self.cards[first : first + drawn]
            return _made(code, tuple([CARDS[card] for card in cards]))
        event = _SHARED.get(code)
        if event is None:
            event = _made(code, ())
            if len(_SHARED) < SHARED_MOST:
                _SHARED[code] = event
        return event

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


def _made(code: i64, own: tuple[str, ...]) -> Event:
    """Make the event of a code; `own` are the cards that the observer drew."""
    drawn = code // EVENT_DRAWN % 64
    return Event(
        code // EVENT_SEAT % 64,
        ACTIONS[code % EVENT_SEAT],
        drawn,
        code // EVENT_DRAWER % 64 if drawn > 0 else None,
        code >= EVENT_RESHUFFLE,
        own,
    )


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
    cards_at = _cards_before(state, start)
    for at in range(start, len(state.log)):
        code = state.log[at]
        wire.append(code)
        drawn = code // EVENT_DRAWN % 64
        if drawn > 0:
            if code // EVENT_DRAWER % 64 == seat:
                wire += state.drawn_cards[cards_at : cards_at + drawn]
            cards_at += drawn
    return wire


def _cards_before(state: DealState, start: i64) -> i64:
    """Give how many cards were drawn before event number `start`."""
    cards: i64 = len(state.drawn_cards)
    for at in range(start, len(state.log)):
        cards -= state.log[at] // EVENT_DRAWN % 64
    return cards
