"""Calls that were missed (docs/rules.md §3, Missed calls)."""

from __future__ import annotations

from mypy_extensions import i64

from maumau.rules.legality import MAY_CATCH, MAY_PASS
from maumau.rules.machine.deal_state import ASKED, NOBODY, DealState
from maumau.rules.machine.drawing import take
from maumau.rules.machine.effects import finish, move_on, work
from maumau.rules.tables import CALL_CATCH


def miss_call(state: DealState, seat: i64, card: i64) -> None:
    """Let the card work, then punish at once or ask the others whether they catch it."""
    t = state.t
    work(state, card)
    if t.call_mode == CALL_CATCH:
        state.offender = seat
        _ask(state, (seat + state.direction) % state.seats)
    else:
        take(state, seat, t.call_penalty)
        move_on(state, seat)


def _ask(state: DealState, seat: i64) -> None:
    """Ask a seat whether it catches; when all have passed the play stands."""
    if seat != state.offender:
        state.seat = seat
        state.hand = state.hands[seat]
        state.phase = ASKED
        state.plays = 0
        state.others = MAY_CATCH | MAY_PASS
        return
    state.offender = NOBODY
    if state.hands[seat] == 0:
        finish(state, seat)
    else:
        move_on(state, seat)


def catch(state: DealState) -> None:
    """Let the offender draw the penalty; the turn moves on as its card says."""
    offender = state.offender
    state.offender = NOBODY
    take(state, offender, state.t.call_penalty)
    move_on(state, offender)


def let_pass(state: DealState) -> None:
    """Ask the next seat: this one does not catch."""
    _ask(state, (state.seat + state.direction) % state.seats)
