"""The bot `expert`: plays its best actions out in deals that may be the real one.

All actions are tried in the same sampled deals, so that luck strikes them alike; a deal counts the
more, the likelier the others would have played in it as they did, and goes on as they seem to play
in it (`Observation.rollouts`). What comes out is put together with what the policy `skilled` thinks
of the actions at sight: each counts by its precision. How much is tried is counted, not timed, so
that the bot decides alike on any machine; it is meant for the compiled engine.
"""

from __future__ import annotations

from math import hypot
from operator import mul, sub
from random import Random

from maumau import Bot, GameInfo, Observation, hookimpl

DEALS = 2000
"""In how many deals the actions are tried, at most."""
WORK = 60_000
"""How much that may cost (`Observation.rollouts`), so that long deals take no longer."""
ACTIONS = 5
"""How many actions are tried: those that look best at sight."""
SIGHT = 0.06
"""How far off, in shares of deals won, the difference of two actions at sight is (its spread)."""


class Expert(Bot):
    """Plays out its best actions in sampled deals, and weighs the outcomes with its first sight."""

    name = "expert"

    def __init__(self, info: GameInfo) -> None:
        """Begin a game."""
        super().__init__(info)
        self.seed = info.rng.getrandbits(62)

    def act(self, obs: Observation) -> str:
        """Do what is clear at once; else try."""
        worth = obs.weigh()
        actions = sorted(worth, key=lambda action: (-worth[action], action))[:ACTIONS]
        if len(actions) == 1 or len(obs.hand) == 1:
            return actions[0]
        # Of its own for each decision: what was decided before changes nothing.
        rng = Random(f"{self.seed} {obs.deal_number} {len(obs.events)}")
        tried = obs.rollouts(actions, rng, deals=DEALS, work=WORK, policy="likely")
        first = tried.shares[0]
        gains = {actions[0]: 0.0}
        for action, shares in zip(actions[1:], tried.shares[1:], strict=True):
            differences = list(map(sub, shares, first))
            gains[action] = gain(differences, tried.weights, worth[action] - worth[actions[0]])
        return max(actions, key=lambda action: gains[action])


def gain(differences: list[float], weights: list[float], sight: float) -> float:
    """Put the mean of weighted differences together with the one at sight, by their precisions."""
    whole = sum(weights)
    mean: float = sum(map(mul, weights, differences)) / whole
    errors = [weight * (it - mean) for weight, it in zip(weights, differences, strict=True)]
    spread = max(hypot(*errors) / whole, 1 / len(weights))
    return (mean / spread**2 + sight / SIGHT**2) / (1 / spread**2 + 1 / SIGHT**2)


@hookimpl
def maumau_bots() -> list[type[Bot]]:
    """Give the bot."""
    return [Expert]
