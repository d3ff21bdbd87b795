"""The bot `lowest`: a complete plugin for Mau-Mau Arena in twenty lines."""

from maumau import Bot, Observation, hookimpl


class Lowest(Bot):
    """Plays the first legal action, with its call where one is due."""

    name = "lowest"

    def act(self, obs: Observation) -> str:
        """Choose one of the legal actions; they are sorted, so the lowest cards come first."""
        legal = obs.legal_actions
        return next((action for action in legal if action.endswith("!")), legal[0])


@hookimpl
def maumau_bots() -> list[type[Bot]]:
    """Tell the arena which bots this package brings."""
    return [Lowest]
