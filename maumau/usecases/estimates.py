"""What random play makes of each action: a rough guide to a position."""

from __future__ import annotations

from dataclasses import dataclass

from maumau.rules.actions import ACTION_NUMBER
from maumau.rules.deal import Deal
from maumau.rules.legality import random_action
from maumau.rules.machine.acting import act
from maumau.rules.machine.deal_state import RUNNING, DealState
from maumau.rules.prng import Prng, prng_of
from maumau.rules.scoring import deal_points


@dataclass(frozen=True, slots=True)
class Estimate:
    """Of one action: how often the seat finished first, and its mean points of the deal."""

    action: str
    finishes: float
    points: float


def estimates(deal: Deal, *, playouts: int, seed: str) -> list[Estimate]:
    """Play a deal on at random after each legal action, with its cards as they lie.

    The same seed gives the same figures.
    """
    seat = deal.seat
    found = []
    for action in deal.legal_actions():
        prng = prng_of(f"{seed}:{action}")
        finishes = points = 0
        for _ in range(playouts):
            state = _played_out(deal.state.copy(keep_log=False), ACTION_NUMBER[action], prng)
            finishes += state.finisher == seat
            points += deal_points(state)[seat]
        found.append(Estimate(action, finishes / playouts, points / playouts))
    return found


def _played_out(state: DealState, first: int, prng: Prng) -> DealState:
    act(state, first)
    while state.end == RUNNING:
        act(state, random_action(state.t, state.plays, state.others, state.hand, prng))
    return state
