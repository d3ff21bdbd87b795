"""How likely a deal's actions are, with the cards that the seats have in it (docs/bots.md).

A sample of a deal agrees with what happened; but in some samples the others would hardly have
played as they did. Two policies stand in for how they play: `heuristic` and `skilled`. Each is
taken to choose not always its best action but rather a better one than a worse one, and what has
been seen of a deal tells which of the two the others are more like.
"""

from __future__ import annotations

import math
from typing import Final

from mypy_extensions import i64

from maumau.rules.actions import CATCH, FORM_COUNT
from maumau.rules.cards import CARD_OF_BIT, RESIDUE
from maumau.rules.events import EVENT_SEAT
from maumau.rules.legality import MAY_CATCH
from maumau.rules.machine.acting import act
from maumau.rules.machine.deal_state import RUNNING, DealState
from maumau.rules.machine.dealing import begin
from maumau.rules.policies import Thumb, form_by_thumb, is_near_end, play_worth, thumb_of
from maumau.rules.shuffle import Shuffles
from maumau.rules.skill import Scales, look_over, scales_for
from maumau.rules.watching import Watch

SLIP: Final = 0.05
"""How often a seat chooses any action, without a thought."""
BY_THUMB: Final = 50.0
"""How much less an action may be worth, by rules of thumb, and be chosen 1/e times as often."""
BY_SKILL: Final = 0.007
"""The same by the policy `skilled`, in shares of deals won."""
OTHER_WISH: Final = 0.1
"""How often another suit is wished for than the rules of thumb say."""


class _Again(Shuffles):
    """The reshuffles that a deal had."""

    def __init__(self, orders: list[list[i64]]) -> None:
        self.orders = orders

    def order(self, k: int, cards: list[i64]) -> list[i64]:
        """Give the k-th reshuffle."""
        return self.orders[k - 1]


def log_likelihood(state: DealState, observer: i64, starter: i64) -> float:
    """Give the logarithm of the chance that the other seats act as they did: the policies' mean."""
    thumbs, skills = log_likelihoods(state, observer, starter, scales_for(state.t))
    return mean_of(thumbs, skills)


def mean_of(one: float, other: float) -> float:
    """Give the logarithm of the mean of two numbers that are given by their logarithms."""
    more = one if one > other else other
    return more + math.log(0.5 * math.exp(one - more) + 0.5 * math.exp(other - more))


def log_likelihoods(
    state: DealState, observer: i64, starter: i64, scales: Scales
) -> tuple[float, float]:
    """Give the logarithms of the chances under `heuristic` and under `skilled`.

    Each is a product over all that the other seats chose.
    """
    t = state.t
    thumb = thumb_of(t)
    watch = Watch(t, starter)
    again = DealState(t, _Again(state.reshuffles), keep_log=False)
    begin(again, state.order, state.leader)
    thumbs = 0.0
    skills = 0.0
    for code in state.log:
        if again.end != RUNNING:
            break
        action = code % EVENT_SEAT
        seat = again.seat
        plays = again.plays
        chose = plays != 0 and (again.others != 0 or plays & (plays - 1) != 0 or plays & t.wishing)
        if chose and seat != observer and again.others & MAY_CATCH == 0:
            thumbs += math.log(_by_thumb(again, thumb, action))
            skills += math.log(_by_skill(again, watch, scales, action))
        act(again, action)
        watch.see(seat, action, again.event_drawn, again.event_drawer, again.event_reshuffle)
    return thumbs, skills


def _by_thumb(state: DealState, thumb: Thumb, action: i64) -> float:
    """Give the chance of an action by rules of thumb; who can play plays."""
    if action >= CATCH:
        return SLIP
    hand = state.hand
    near_end = is_near_end(state)
    worths: list[float] = []
    plays = state.plays
    at: i64 = -1
    while plays != 0:
        bit = plays & -plays
        plays ^= bit
        card: i64 = CARD_OF_BIT[bit % RESIDUE]
        if card == action // FORM_COUNT:
            at = len(worths)
        worths.append(float(play_worth(hand, card, thumb, near_end)))
    chance = _chance(worths, at, BY_THUMB)
    wish = action % FORM_COUNT // 2
    if wish == 0:
        return chance
    agreed = form_by_thumb(state.t, action // FORM_COUNT, hand) // 2 == wish
    return chance * (1.0 - OTHER_WISH if agreed else OTHER_WISH / 3.0)


def _by_skill(state: DealState, watch: Watch, scales: Scales, action: i64) -> float:
    """Give the chance of an action by the policy `skilled`; calls make no difference."""
    numbers = look_over(state, watch, scales)
    at: i64 = -1
    for k, number in enumerate(numbers):
        if number // 2 == action // 2:
            at = k
    return _chance(scales.taken(), at, BY_SKILL)


def _chance(worths: list[float], at: i64, scale: float) -> float:
    """Give the chance of one of some actions, by their worths; without a place, of none of them."""
    if at < 0:
        return SLIP
    best = worths[at]
    for worth in worths:
        if worth > best:
            best = worth
    whole = 0.0
    for worth in worths:
        whole += math.exp((worth - best) / scale)
    chosen = math.exp((worths[at] - best) / scale) / whole
    return (1.0 - SLIP) * chosen + SLIP / float(len(worths))
