"""All that a deal's state holds (docs/rules.md §1, §3); `acting` changes it.

Everything is small integers: cards, actions and sets of cards as in `cards` and `actions`.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from maumau.rules.cards import NO_CARD
from maumau.rules.shuffle import Shuffles
from maumau.rules.tables import Tables

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

    def can_draw(self) -> bool:
        """Tell whether one card can be had: from the stock, or by a reshuffle."""
        return self.stock_at < self.stock_end or (self.t.reshuffles and len(self.pile) > 1)

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
