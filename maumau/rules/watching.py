"""What everybody could see so far, as far as it tells who can follow (docs/bots.md)."""

from __future__ import annotations

from mypy_extensions import i64

from maumau.rules.actions import CATCH, DRAW, FORM_COUNT
from maumau.rules.cards import BIT
from maumau.rules.events import EVENT_DRAWER, EVENT_DRAWN, EVENT_RESHUFFLE, EVENT_SEAT
from maumau.rules.machine.deal_state import NOBODY
from maumau.rules.tables import (
    CALL_CATCH,
    NONE_LEFT,
    ONE_LEFT,
    THEN_MAY_PLAY_DRAWN,
    THEN_MUST_PLAY_DRAWN,
    WISHES,
    Tables,
)


class Watch:
    """What everybody could see so far, kept up action by action."""

    def __init__(self, t: Tables, turned_up: i64) -> None:
        """Begin a deal at which this starter lies."""
        self.t = t
        self.open: i64 = BIT[turned_up]
        """The cards of the discard pile."""
        self.top: i64 = turned_up
        self.wish: i64 = 0
        self.owed: i64 = t.debt[turned_up] if t.starter_acts else 0
        self.asked: i64 = 0
        self.counts: list[i64] = [t.hand_size for _ in range(t.seats)]
        self.lacks: list[i64] = [0 for _ in range(t.seats)]
        """By seat: cards that it did not hold when it last drew."""
        self.fresh: list[i64] = [0 for _ in range(t.seats)]
        """By seat: how many cards it took since."""
        self.drew: i64 = NOBODY
        """A seat that drew and may go on: if it does not, the card drawn did not fit either."""

    def copy(self) -> Watch:
        """Give a watch that goes on by itself."""
        twin = Watch(self.t, self.top)
        twin.open = self.open
        twin.wish = self.wish
        twin.owed = self.owed
        twin.asked = self.asked
        twin.counts = self.counts.copy()
        twin.lacks = self.lacks.copy()
        twin.fresh = self.fresh.copy()
        twin.drew = self.drew
        return twin

    def see(self, seat: i64, action: i64, drawn: i64, drawer: i64, reshuffled: bool) -> None:
        """Take note of an action and of the cards drawn because of it."""
        if self.drew != NOBODY:
            if self.drew != seat:
                self.fresh[self.drew] = self.fresh[self.drew] - 1
            self.drew = NOBODY
        t = self.t
        if self.asked > 0:
            self.asked = 0 if action == CATCH else self.asked - 1
        elif action < CATCH:
            self._play(seat, action // FORM_COUNT, action % FORM_COUNT)
        else:
            if action == DRAW:
                self._lack(seat)
            if self.owed == 0 and (t.then == THEN_MAY_PLAY_DRAWN or t.then == THEN_MUST_PLAY_DRAWN):
                self.drew = seat if action == DRAW else NOBODY
            self.owed = 0
        if drawn > 0:
            self.counts[drawer] = self.counts[drawer] + drawn
            self.fresh[drawer] = self.fresh[drawer] + drawn
            if reshuffled:
                self.open = BIT[self.top]

    def _play(self, seat: i64, card: i64, form: i64) -> None:
        t = self.t
        self.open |= BIT[card]
        self.top = card
        self.wish = form // 2
        self.owed += t.debt[card]
        left = self.counts[seat] - 1
        self.counts[seat] = left
        if self.fresh[seat] > 0:
            self.fresh[seat] = self.fresh[seat] - 1
        if left <= 1 and form % 2 == 0 and t.call_mode == CALL_CATCH:
            case = ONE_LEFT if left == 1 else NONE_LEFT
            if t.due[case + 3 if t.wishing & BIT[card] else case]:
                self.asked = t.seats - 1

    def _lack(self, seat: i64) -> None:
        """Note that a seat drew: hardly anybody does who could play."""
        t = self.t
        fits = t.answers[self.top] if self.owed > 0 else t.fits[self.top * WISHES + self.wish]
        if self.fresh[seat] * 2 > self.counts[seat]:
            self.lacks[seat] = fits
        else:
            self.lacks[seat] = self.lacks[seat] | fits
        self.fresh[seat] = 0


def watch_of(t: Tables, starter: i64, codes: list[i64]) -> Watch:
    """Watch a deal from its events."""
    watch = Watch(t, starter)
    for code in codes:
        watch.see(
            code // EVENT_SEAT % 64,
            code % EVENT_SEAT,
            code // EVENT_DRAWN % 64,
            code // EVENT_DRAWER % 64,
            code >= EVENT_RESHUFFLE,
        )
    return watch
