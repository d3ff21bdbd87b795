"""The bot `medium`: a few rules that a person would explain.

Keep wild cards for later. Go again where a card lets you. Play from your longest suit, and rather a
card whose rank you hold once: the others connect your suits. Shed what counts most. Wish for your
longest suit. Answer a debt if you can. Always call, and always catch.
"""

from __future__ import annotations

from maumau import Bot, GameInfo, Observation, hookimpl


class Medium(Bot):
    """Plays by a person's rules of thumb, read off the rule set's data."""

    name = "medium"

    def __init__(self, info: GameInfo) -> None:
        """Read the rule set: which ranks are wild, go again, or make the next seat draw."""
        super().__init__(info)
        rules = info.rules.data
        effects = rules["effects"]
        two_again = info.seats == 2 and rules["reverse_with_two"] == "again"
        self.wild = {rank for rank, effect in effects.items() if "wild" in effect}
        self.again = {
            rank
            for rank, effect in effects.items()
            if effect.get("again")
            or (1 + effect.get("skip", 0)) % info.seats == 0
            or (two_again and effect.get("reverse"))
        }
        self.draws: dict[str, int] = {
            rank: effect["draw"] for rank, effect in effects.items() if "draw" in effect
        }
        self.values: dict[str, int] = rules["scoring"]["values"]

    def act(self, obs: Observation) -> str:
        """Catch, else make the best play, else draw."""
        legal = obs.legal_actions
        if "catch" in legal:
            return "catch"
        plays = [action for action in legal if action not in ("draw", "pass")]
        if not plays:
            return legal[0]
        # Where a call is due, every play has a form with it.
        plays = [action for action in plays if action.endswith("!")] or plays
        return max(plays, key=lambda action: (self.worth(action, obs.hand), action))

    def worth(self, action: str, hand: tuple[str, ...]) -> float:
        """Say how good a play is for the rest of the hand; higher is better."""
        rank, suit = action[0], action[3] if "=" in action else action[1]
        rest = [card for card in hand if card != action[:2]]
        same_suit = sum(card[1] == suit for card in rest)
        same_rank = sum(card[0] == rank for card in rest)
        worth = same_suit - same_rank + 0.1 * self.values.get(rank, 0)
        if rank in self.wild:
            worth -= 20
        if rank in self.again:
            # Only with a card to follow; and what makes the next seat draw would make me draw.
            worth += 10 if same_suit or same_rank else -2
            worth -= 6 * self.draws.get(rank, 0)
        elif rank in self.draws:
            worth += 2
        return worth


@hookimpl
def maumau_bots() -> list[type[Bot]]:
    """Give the bot."""
    return [Medium]
