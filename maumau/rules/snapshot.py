"""What one seat may know of the position now, as flat integers.

`snapshot` takes it from a deal's state, `known_state` puts it into one: they are each other's
mirror, and the only two functions that see both.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from maumau.rules.cards import NO_CARD
from maumau.rules.deal_info import DealInfo
from maumau.rules.events import EVENT_RESHUFFLE
from maumau.rules.history import History
from maumau.rules.legality import MAY_CATCH, MAY_PASS, count_cards
from maumau.rules.machine.deal_state import ASKED, DealState
from maumau.rules.shuffle import Shuffles

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


def known_state(now: list[i64], info: DealInfo, history: History, codes: list[i64]) -> DealState:
    """Give a deal's state with all that the seat knows, the other hands empty and no stock.

    `now` is the seat's snapshot after the events `codes`, with which `history` begins.
    """
    state = DealState(history.tables, Shuffles())
    state.leader = info.leader
    state.hands = [0 for _ in range(info.seats)]
    state.hands[info.seat] = now[HAND]
    state.pile = history.pile(len(codes)).copy()
    state.redrawn = list(info.turned_up[:-1])
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
