"""The bot `easy`: the first card that fits."""

from __future__ import annotations

from maumau import Bot, Observation, hookimpl


class Easy(Bot):
    """Plays the first card that fits, with its call; draws only if none does; catches."""

    name = "easy"

    def act(self, obs: Observation) -> str:
        """Take the first play, and of it the form with the call."""
        legal = obs.legal_actions
        if "catch" in legal:
            return "catch"
        plays = [action for action in legal if action not in ("draw", "pass")]
        if not plays:
            return legal[0]
        called = plays[0] + "!"
        return called if called in plays else plays[0]


@hookimpl
def maumau_bots() -> list[type[Bot]]:
    """Give the bot."""
    return [Easy]
