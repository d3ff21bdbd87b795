"""How likely a deal's actions are, with the cards that the seats have in it (docs/bots.md).

A sample of a deal agrees with what happened; but in some samples the others would hardly have
played as they did. The heuristic stands in for how they play.
"""

from __future__ import annotations

from mypy_extensions import i64

from maumau.rules.actions import CATCH, DRAW, FORM_COUNT
from maumau.rules.events import EVENT_SEAT
from maumau.rules.machine.acting import act
from maumau.rules.machine.deal_state import RUNNING, DealState
from maumau.rules.machine.dealing import begin
from maumau.rules.policies import heuristic_action, thumb_of
from maumau.rules.shuffle import Shuffles


class _Again(Shuffles):
    """The reshuffles that a deal had."""

    def __init__(self, orders: list[list[i64]]) -> None:
        self.orders = orders

    def order(self, k: int, cards: list[i64]) -> list[i64]:
        """Give the k-th reshuffle."""
        return self.orders[k - 1]


def likelihood(state: DealState, observer: i64, slip: float) -> float:
    """Give the product over what the other seats chose: 1 - slip where the heuristic agrees.

    Forms of one card count alike: only which card was played is judged, or that none was.
    """
    t = state.t
    thumb = thumb_of(t)
    again = DealState(t, _Again(state.reshuffles), keep_log=False)
    begin(again, state.order, state.leader)
    result = 1.0
    for code in state.log:
        if again.end != RUNNING:
            break
        action = code % EVENT_SEAT
        plays = again.plays
        chose = plays != 0 and (again.others != 0 or plays & (plays - 1) != 0)
        if chose and again.seat != observer:
            agreed = _card(heuristic_action(again, thumb)) == _card(action)
            result *= 1.0 - slip if agreed else slip
        act(again, action)
    return result


def _card(action: i64) -> i64:
    """Give the card that an action plays; one number for all that play none."""
    return action // FORM_COUNT if action < CATCH else DRAW
