"""The bot `expert`: tries its best actions in deals that may be the real one, and plays them out.

Each deal (`Observation.sample`) agrees with all that the seat knows, and counts the more, the more
likely the others would have played in it as they did. All actions are tried in the same deals, so
that luck strikes them alike. What comes out is put together with what the policy `skilled` thinks
of the actions at sight: each counts by its precision. How much is tried is counted, not timed, so
that the bot decides alike on any machine; it is meant for the compiled engine.
"""

from __future__ import annotations

from operator import mul
from random import Random

from maumau import Bot, GameInfo, Observation, hookimpl

WORLDS = 320
"""How many deals are tried for a decision, at most."""
WORK = 30_000
"""How many actions may be played in them, so that long deals take no longer; counted, not timed."""
ACTIONS = 4
"""How many actions are tried: those that look best at sight."""
SIGHT = 0.04
"""How far off, in shares of deals won, the difference of two actions at sight is (its spread)."""
SLIP = 0.3
"""How often the others play otherwise than by rule of thumb."""


class Expert(Bot):
    """Plays out its best actions in sampled deals, and weighs the outcomes with its first sight."""

    name = "expert"

    def __init__(self, info: GameInfo) -> None:
        """Begin a game."""
        super().__init__(info)
        self.share = 1 / info.seats
        self.seed = info.rng.getrandbits(62)

    def act(self, obs: Observation) -> str:
        """Do what is clear at once; else try."""
        worth = obs.weigh()
        best = sorted(worth, key=lambda action: (-worth[action], action))[:ACTIONS]
        if len(best) == 1 or len(obs.hand) == 1:
            return best[0]
        return self.tried(obs, best, worth)

    def tried(self, obs: Observation, actions: list[str], worth: dict[str, float]) -> str:
        """Give the action that is best, by sight and by playouts."""
        # Of its own for each decision: what was decided before changes nothing.
        rng = Random(f"{self.seed} {obs.deal_number} {len(obs.events)}")
        weights: list[float] = []
        outcomes: list[list[float]] = []
        work = WORK
        while work > 0 and len(weights) < WORLDS:
            world = obs.sample(rng, trusting=True)
            weights.append(world.likelihood(obs.seat, slip=SLIP))
            row = []
            for action in actions:
                after = world.copy()
                after.apply(action)
                end = after.rollout("heuristic", rng)
                row.append(self.share if end.finisher is None else float(end.finisher == obs.seat))
                work -= end.actions
            outcomes.append(row)
        first = actions[0]
        gains = {first: 0.0}
        for at, action in enumerate(actions[1:], 1):
            differences = [row[at] - row[0] for row in outcomes]
            gains[action] = gain(differences, weights, worth[action] - worth[first])
        return max(actions, key=lambda action: gains[action])


def gain(differences: list[float], weights: list[float], sight: float) -> float:
    """Put the mean of weighted differences together with the one at sight, by their precisions."""
    whole = sum(weights)
    mean: float = sum(map(mul, weights, differences)) / whole
    error = sum((w * (x - mean)) ** 2 for w, x in zip(weights, differences, strict=True))
    spread = max(error / whole**2, 1 / len(weights) ** 2)
    return (mean / spread + sight / SIGHT**2) / (1 / spread + 1 / SIGHT**2)


@hookimpl
def maumau_bots() -> list[type[Bot]]:
    """Give the bot."""
    return [Expert]
