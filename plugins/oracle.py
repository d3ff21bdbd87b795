"""The exhibition bot `oracle`: sees all cards and what comes next, and shows what skill could win.

It looks some actions of its own ahead; of what the others do meanwhile it only knows that they
rather choose what looks good to the policy `skilled`. What comes after that it has played out
twice, by the policies `heuristic` and `skilled`. Nobody can play so who has to guess at cards: it
is the ceiling in the table of strengths, and it is in no tournament.
"""

from __future__ import annotations

from math import exp
from operator import mul
from random import Random

from maumau import Deal, ExhibitionBot, GameInfo, hookimpl
from maumau.bots.base import Bot

AHEAD = 3
"""How many actions of its own it looks ahead, at a table of two; elsewhere one less."""
ACTIONS = 6
"""How many of its actions are looked at in each position: those that look best at sight."""
REPLIES = {2: 3, 3: 2, 4: 2}
"""How many of another's, by the number of seats; at larger tables one."""
DOUBT = 0.03
"""How much worse an action looks, in shares of deals won, that is chosen 1/e times as often."""
POLICIES = ("heuristic", "skilled")


class Oracle(ExhibitionBot):
    """Looks ahead in the deal as it is."""

    name = "oracle"

    def __init__(self, info: GameInfo) -> None:
        """Begin a game."""
        super().__init__(info)
        self.seed = info.rng.getrandbits(62)
        self.ahead = AHEAD if info.seats == 2 else AHEAD - 1
        self.replies = REPLIES.get(info.seats, 1)

    def act_open(self, deal: Deal) -> str:
        """Take the action that leads to the most, of equal ones the one that looks best."""
        # Of its own for each decision: what was decided before changes nothing.
        rng = Random(f"{self.seed} {deal.number} {deal.action_count}")
        actions = [action for action, _ in at_sight(deal, ACTIONS)]
        if len(actions) == 1:
            return actions[0]
        return max(
            actions, key=lambda action: self.outlook(after(deal, action), self.ahead - 1, rng)
        )

    def outlook(self, deal: Deal, ahead: int, rng: Random) -> float:
        """Tell how much of a deal is won, from 0 to 1, looking `ahead` actions of its own ahead."""
        seat = self.info.seat
        if deal.over:
            return won(deal.result().finisher, seat, deal.seats)
        if deal.seat != seat:
            replies = at_sight(deal, self.replies)
            chances = [exp((worth - replies[0][1]) / DOUBT) for _, worth in replies]
            ends = [self.outlook(after(deal, action), ahead, rng) for action, _ in replies]
            whole: float = sum(map(mul, chances, ends))
            return whole / sum(chances)
        if ahead:
            return max(
                self.outlook(after(deal, action), ahead - 1, rng)
                for action, _ in at_sight(deal, ACTIONS)
            )
        finishers = [deal.rollout(policy, rng).finisher for policy in POLICIES]
        return sum(won(it, seat, deal.seats) for it in finishers) / len(finishers)


def at_sight(deal: Deal, most: int) -> list[tuple[str, float]]:
    """List actions of the seat to act with their worth to the policy `skilled`, best first."""
    worth = deal.observation(deal.seat).weigh()
    return sorted(worth.items(), key=lambda it: (-it[1], it[0]))[:most]


def after(deal: Deal, action: str) -> Deal:
    """Give a copy of a deal in which the action was taken."""
    deal = deal.copy()
    deal.apply(action)
    return deal


def won(finisher: int | None, seat: int, seats: int) -> float:
    """Give a seat's share of a deal that was won; nobody's is shared."""
    return 1 / seats if finisher is None else float(finisher == seat)


@hookimpl
def maumau_bots() -> list[type[Bot]]:
    """Give the bot."""
    return [Oracle]
