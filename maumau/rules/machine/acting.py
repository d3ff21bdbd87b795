"""An action and the end that it may bring (docs/rules.md §3, Ends)."""

from __future__ import annotations

from mypy_extensions import i64

from maumau.rules.actions import CATCH, DRAW, FORM_COUNT
from maumau.rules.events import EVENT_DRAWER, EVENT_DRAWN, EVENT_RESHUFFLE, EVENT_SEAT
from maumau.rules.machine.calls import catch, let_pass
from maumau.rules.machine.deal_state import ASKED, LIMIT, OVER, RUNNING, DealState
from maumau.rules.machine.drawing import draw, lapse, pay
from maumau.rules.machine.playing import play
from maumau.rules.machine.turns import end_turn


def act(state: DealState, action: i64) -> None:
    """Let the seat to act do a legal action; that it is legal is for the caller to see to."""
    state.actions += 1
    seat = state.seat
    state.event_drawn = 0
    state.event_reshuffle = False
    if action < CATCH:
        play(state, action // FORM_COUNT, action % FORM_COUNT)
    elif action == DRAW:
        if state.owed > 0:
            pay(state)
        else:
            draw(state)
    elif action == CATCH:
        catch(state)
    else:
        _pass(state)
    if state.end == RUNNING and state.actions >= state.t.max_actions:
        state.end = LIMIT
    if state.end != RUNNING:
        state.phase = OVER
        state.plays = 0
        state.others = 0
    if state.keep_log:
        _write_event(state, seat, action)


def _pass(state: DealState) -> None:
    if state.phase == ASKED:
        let_pass(state)
    elif state.owed > 0:
        lapse(state)
    else:
        end_turn(state)


def _write_event(state: DealState, seat: i64, action: i64) -> None:
    """Add an action to the log, with what was drawn because of it."""
    event = action + EVENT_SEAT * seat
    if state.event_drawn > 0:
        event += EVENT_DRAWER * state.event_drawer + EVENT_DRAWN * state.event_drawn
    if state.event_reshuffle:
        event += EVENT_RESHUFFLE
    state.log.append(event)
