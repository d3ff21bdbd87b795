"""The bot `hard`: looks at what every play leaves, to itself and to the next seat, and weighs it.

For each play it works out a few numbers (`View`): how likely the next seat can follow, given what
it was seen to lack; whether something of the rest fits then; how well the rest hangs together; what
is spent and what is kept. A small network weighs them; it was trained on deals played out from both
sides of every choice (bench/train_hard.py) and knows no preset by name.
"""

from __future__ import annotations

from operator import mul
from typing import NamedTuple

from maumau import Bot, GameInfo, Observation, hookimpl
from plugins.hard_weights import HIDDEN, OUTPUT, SHORTCUT
from plugins.reading import SUITS, Group, Table, groups, table


class View(NamedTuple):
    """What is seen of one action; shares are from 0 to 1, counts are scaled to about that."""

    draws: float = 0
    passes: float = 0
    spends_wild: float = 0
    goes_again: float = 0
    makes_debt: float = 0
    expected_debt: float = 0
    they_fit: float = 0
    i_fit_then: float = 0
    i_fit_if_not: float = 0
    rest_fits: float = 0
    suits: float = 0
    longest: float = 0
    same_suit: float = 0
    same_rank: float = 0
    pairs: float = 0
    alone: float = 0
    wild_kept: float = 0
    debts_kept: float = 0
    answers_kept: float = 0
    one_left: float = 0
    two_left: float = 0
    left: float = 0
    they_have_one: float = 0
    they_have_two: float = 0
    they_have_three: float = 0
    they_have: float = 0
    several: float = 0


class Hard(Bot):
    """Weighs what each play leaves to itself and to the next seat."""

    name = "hard"

    def __init__(self, info: GameInfo) -> None:
        """Read the rule set."""
        super().__init__(info)
        self.table = table(info.rules, info.seats)

    def act(self, obs: Observation) -> str:
        """Catch, finish, or do what looks best."""
        choices = candidates(obs.legal_actions)
        if len(choices) == 1:
            return choices[0]
        last = len(obs.hand) == 1
        if last and choices[0] not in ("draw", "pass"):
            return choices[0]
        eyes = Eyes(obs, self.table)
        return max(choices, key=lambda action: (worth(eyes.view(action)), action))


def candidates(legal: tuple[str, ...]) -> list[str]:
    """Leave out what is never good: not to catch, not to call."""
    if "catch" in legal:
        return ["catch"]
    plays = [action for action in legal if action not in ("draw", "pass")]
    plays = [action for action in plays if action.endswith("!")] or plays
    return plays + [action for action in legal if action in ("draw", "pass")]


def worth(view: View) -> float:
    """Weigh a view: a linear part, and a layer of units that look at combinations."""
    value: float = sum(map(mul, view, SHORTCUT))
    for (bias, *weights), out in zip(HIDDEN, OUTPUT, strict=True):
        unit: float = bias + sum(map(mul, view, weights))
        if unit > 0:
            value += out * unit
    return value


class Eyes:
    """One position, seen by the seat that is to act."""

    def __init__(self, obs: Observation, at: Table) -> None:
        self.at = at
        self.owed = obs.owed
        self.several = obs.seats > 2
        self.hand = sum(at.bit[card] for card in obs.hand)
        pile = sum(at.bit[card] for card in obs.discard_pile)
        self.unseen = at.pack & ~self.hand & ~pile
        following = (obs.seat + obs.direction) % obs.seats
        self.count = obs.hand_counts[following]
        hand = groups(obs, following, at)
        if sum(group.count for group in hand) != self.count:
            hand = [Group(self.count, 0)]
        self.groups = hand
        self.odds = [
            (group.count / max(1, (self.unseen & ~group.lacks).bit_count()), group.lacks)
            for group in hand
        ]

    def view(self, action: str) -> View:
        """Look at one action."""
        if action in ("draw", "pass"):
            draws = action == "draw"
            return View(draws=draws, passes=not draws, **self._counts(self.hand.bit_count()))
        at = self.at
        card, wish = action[:2], action[3] if "=" in action else ""
        bit = at.bit[card]
        rest = self.hand & ~bit
        debt = self.owed + at.owes[card[0]] if card[0] in at.owes else 0
        again = bool(bit & at.again)
        fits = at.fits[card, wish]
        expected, they_fit, then, if_not = self._reply(
            card, rest, fits, 0 if again else debt, again
        )
        left = rest.bit_count()
        return View(
            spends_wild=bool(bit & at.wild),
            goes_again=again,
            makes_debt=bool(debt),
            expected_debt=expected,
            they_fit=they_fit,
            i_fit_then=then,
            i_fit_if_not=if_not,
            rest_fits=(rest & fits).bit_count() / max(left, 1),
            suits=sum(1 for suit in SUITS if rest & at.suit[suit]) / 4,
            longest=max((rest & at.suit[suit]).bit_count() for suit in SUITS) / max(left, 1),
            same_suit=(rest & at.suit.get(wish or card[1], 0)).bit_count() / 3,
            same_rank=(rest & at.rank[card[0]]).bit_count() / 2,
            pairs=sum(1 for rank in at.rank.values() if (rest & rank).bit_count() > 1) / 2,
            alone=self._alone(rest) / max(left, 1),
            wild_kept=min(3, (rest & at.wild).bit_count()) / 2,
            debts_kept=min(3, (rest & at.drawing).bit_count()) / 2,
            answers_kept=min(2, (rest & at.answering).bit_count()) / 2,
            **self._counts(left),
        )

    def _counts(self, left: int) -> dict[str, float]:
        """Tell the hands' sizes, small ones each by itself."""
        they = self.count
        return {
            "one_left": left == 1,
            "two_left": left == 2,
            "left": min(left, 10) / 10,
            "they_have_one": they == 1,
            "they_have_two": they == 2,
            "they_have_three": they == 3,
            "they_have": min(they, 10) / 10,
            "several": self.several,
        }

    def _reply(
        self, card: str, rest: int, fits: int, debt: int, again: bool
    ) -> tuple[float, float, float, float]:
        """Look one turn ahead.

        Gives the cards that the next seat is expected to draw for a debt, its chance to follow, and
        mine to follow it after it did and after it did not.
        """
        stays = float(bool(rest & fits))
        if again:
            return 0.0, 0.0, 0.0, stays
        replies = self.at.answers[card] if debt else fits
        chance = self._chance(replies)
        expected = (1 - chance) * min(debt, 6) / 2
        if self.several:
            # Somebody else plays before me: any card may lie there.
            return expected, chance, chance * self._follow(self.unseen, rest, even=True), stays
        then = chance * self._follow(replies & self.unseen, rest, even=False)
        return expected, chance, then, stays * (1 - chance)

    def _chance(self, cards: int) -> float:
        """Give the chance that the next seat holds one of some cards."""
        none = 1.0
        for group in self.groups:
            possible = self.unseen & ~group.lacks
            size, wanted = possible.bit_count(), (possible & cards).bit_count()
            if group.count >= size:
                if wanted:
                    return 1.0
                continue
            for taken in range(group.count):
                none *= max(0, size - wanted - taken) / (size - taken)
        return 1 - none

    def _follow(self, replies: int, rest: int, *, even: bool) -> float:
        """Give the chance that something of my rest fits on what the next seat plays."""
        at = self.at
        fit = weight = 0.0
        while replies:
            bit = replies & -replies
            replies ^= bit
            card = at.cards[bit.bit_length() - 1]
            # Wild cards are kept for later by others too.
            share = 0.4 if bit & at.wild else 1.0
            if not even:
                share *= sum(odds for odds, lacks in self.odds if not lacks & bit)
            weight += share
            if bit & at.drawing:
                fit += share * bool(rest & at.answers[card])
            elif bit & at.again and not self.several:
                pass
            elif card[0] in at.wishing:
                fit += share * sum(1 for suit in SUITS if rest & at.fits[card, suit]) / 4
            else:
                fit += share * bool(rest & at.fits[card, ""])
        return fit / weight if weight else 0.0

    def _alone(self, rest: int) -> int:
        """Count the cards of the rest that go with no other of it."""
        at = self.at
        found, cards = 0, rest & ~at.wild
        while cards:
            bit = cards & -cards
            cards ^= bit
            found += not at.fits[at.cards[bit.bit_length() - 1], ""] & rest & ~bit
        return found


@hookimpl
def maumau_bots() -> list[type[Bot]]:
    """Give the bot."""
    return [Hard]
