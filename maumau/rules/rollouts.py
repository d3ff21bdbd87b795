"""What a seat's actions come to in deals that may be the real one (docs/bots.md)."""

from __future__ import annotations

import math
from typing import Final

from mypy_extensions import i64

from maumau.rules.likelihood import log_likelihoods, mean_of
from maumau.rules.machine.acting import act
from maumau.rules.machine.deal_state import NOBODY, RUNNING, DealState
from maumau.rules.policies import LIKELY, heuristic_action, play_on, thumb_of
from maumau.rules.prng import Prng
from maumau.rules.sampling import Sampler
from maumau.rules.skill import scales_for, skilled_action
from maumau.rules.tables import Tables
from maumau.rules.watching import Watch, watch_of

THOUGHT: Final = 8
"""After how many actions a rollout by the policy `likely` goes on by rules of thumb."""
SAMPLE_WORK: Final = 30
"""What it costs to sample a deal, in actions played."""
SIGHT_WORK: Final = 3
"""What it costs to look at one action that a seat has."""


class Rollouts:
    """Outcomes of some actions in the same sampled deals, and how much each deal counts.

    `weights` has a number for each deal, in proportion to how likely the others' actions are in it;
    the greatest is 1. `shares` has for each action a list with one number for each deal: 1 where
    the seat finished first, 0 where another did, an equal share where nobody did.
    """

    __slots__ = ("shares", "weights")

    def __init__(self, weights: list[float], shares: list[list[float]]) -> None:
        self.weights = weights
        self.shares = shares


def roll_out(
    sampler: Sampler, actions: list[i64], policy: i64, prng: Prng, most: i64, work: i64
) -> Rollouts:
    """Sample deals, take each action in a copy of each, and play on to the end by a policy.

    At most `most` deals, at least one, and none after about as much work as to play `work` actions.
    """
    seat = sampler.hidden.observer
    nobody = 1.0 / float(sampler.hidden.seats)
    logs: list[float] = []
    shares: list[list[float]] = [[] for _ in actions]
    likeliest = -1e300
    spent: i64 = 0
    t = sampler.now.t
    mind = Mind(t, seat)
    seen: Watch | None = None
    world: DealState | None = None
    looked: i64 = 0
    while len(logs) < most and (spent < work or len(logs) == 0):
        world = sampler.draw(prng, world)
        thumbs, skills = log_likelihoods(world, seat, sampler.starter, mind.scales)
        log = mean_of(thumbs, skills)
        logs.append(log)
        if log > likeliest:
            likeliest = log
        spent += SAMPLE_WORK + len(world.log)
        if policy == LIKELY:
            if seen is None:
                seen = watch_of(t, sampler.starter, world.log)
            # As likely as the others play so in this deal.
            mind.thumbs = float(prng.below(1 << 20)) < math.exp(thumbs - log) * float(1 << 19)
        for k, action in enumerate(actions):
            after = world.copy(keep_log=False)
            if seen is not None:
                mind.play(after, seen.copy(), action)
            else:
                act(after, action)
                play_on(after, policy, prng, sampler.starter, world.log)
            share = nobody
            if after.finisher != NOBODY:
                share = 1.0 if after.finisher == seat else 0.0
            shares[k].append(share)
            spent += after.actions - world.actions
        spent += SIGHT_WORK * (mind.scales.looked - looked)
        looked = mind.scales.looked
    return Rollouts([math.exp(log - likeliest) for log in logs], shares)


class Mind:
    """Who plays how in a rollout by the policy `likely`."""

    def __init__(self, t: Tables, seat: i64) -> None:
        self.seat = seat
        self.thumb = thumb_of(t)
        self.scales = scales_for(t)
        self.thumbs = True
        """Whether the other seats play by rules of thumb, else by skill."""

    def play(self, state: DealState, watch: Watch, action: i64) -> None:
        """Take an action and play on to the end."""
        left: i64 = THOUGHT
        while True:
            seat = state.seat
            act(state, action)
            if state.end != RUNNING:
                return
            if left > 0:
                watch.see(
                    seat, action, state.event_drawn, state.event_drawer, state.event_reshuffle
                )
                left -= 1
            if left == 0 or (self.thumbs and state.seat != self.seat):
                action = heuristic_action(state, self.thumb)
            else:
                action = skilled_action(state, watch, self.scales)
