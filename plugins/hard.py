"""The bot `hard`: at once what looks best to the policy `skilled`.

The policy (docs/bots.md) sees of every action what it leaves, to the seat itself and to the next
one: how likely the next seat can follow, given what it was seen to lack; whether something of the
rest fits then; how well the rest hangs together; what is spent and what is kept. A small network
weighs that; it was trained on deals played out from both sides of every choice
(as bench/train_skill.py does) and knows no preset by name.
"""

from __future__ import annotations

from maumau import Bot, Observation, hookimpl


class Hard(Bot):
    """Weighs what each play leaves to itself and to the next seat."""

    name = "hard"

    def act(self, obs: Observation) -> str:
        """Do what weighs most."""
        worth = obs.weigh()
        return max(worth, key=lambda action: (worth[action], action))


@hookimpl
def maumau_bots() -> list[type[Bot]]:
    """Give the bot."""
    return [Hard]
