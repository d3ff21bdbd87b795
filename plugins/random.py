"""The bot `random`: every legal action alike."""

from __future__ import annotations

from maumau import Bot, Observation, hookimpl


class Random(Bot):
    """Plays any legal action, all equally likely."""

    name = "random"

    def act(self, obs: Observation) -> str:
        """Draw lots."""
        return self.info.rng.choice(obs.legal_actions)


@hookimpl
def maumau_bots() -> list[type[Bot]]:
    """Give the bot."""
    return [Random]
