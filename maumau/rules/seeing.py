"""What the acting seat can see of each of its actions, as numbers (docs/bots.md).

All is read off the rule set's tables, and only what the seat may know is looked at: its hand, the
pile, how many cards the others hold, and what they lacked when they drew.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from maumau.rules.cards import BIT, CARD_OF_BIT, CARDS, RESIDUE, set_of, suit_of
from maumau.rules.machine.deal_state import DealState
from maumau.rules.tables import THEN_END, WISHES, Tables
from maumau.rules.watching import Watch

# What is seen of an action, by place. Shares are from 0 to 1, counts scaled to about that.
DRAWS: Final = 0
PASSES: Final = 1
WILD: Final = 2
ANY_FITS: Final = 3
AGAIN: Final = 4
AGAIN_ALONE: Final = 5
EXPECTED_DEBT: Final = 6
DEBT_SAFE: Final = 7
OWN_DEBT: Final = 8
THEY_FIT: Final = 9
I_FIT_IF_NOT: Final = 10
I_FIT_THEN: Final = 11
REST_FITS: Final = 12
SAME_SUIT: Final = 13
SAME_RANK: Final = 14
SUITS_LEFT: Final = 15
WILD_KEPT: Final = 16
DEBTS_KEPT: Final = 17
AGAIN_KEPT: Final = 18
ONE_LEFT_: Final = 19
TWO_LEFT: Final = 20
LEFT: Final = 21
ONE_AND_FIT: Final = 22
THEY_HAVE_ONE: Final = 23
THEY_HAVE_TWO: Final = 24
THEY_HAVE: Final = 25
ONE_MAY_FIT: Final = 26
SOMEBODY_HAS_ONE: Final = 27
PLAYS_DRAWN: Final = 28
TURN_AFTER_DEBT: Final = 29
MAY_DRAW_ANYHOW: Final = 30
STOCK_ENDS: Final = 31
SEEN: Final = 32

_M1: Final[i64] = 0x15555555555555
_M2: Final[i64] = 0x33333333333333
_M4: Final[i64] = 0x0F0F0F0F0F0F0F


def count(cards: i64) -> i64:
    """Give the number of cards in a set, by adding up neighbouring bits."""
    x = cards - ((cards >> 1) & _M1)
    x = (x & _M2) + ((x >> 2) & _M2)
    x = (x + (x >> 4)) & _M4
    x += x >> 8
    x += x >> 16
    x += x >> 32
    return x & 127


class Facts:
    """What is the same in all positions under a rule set at a number of seats."""

    def __init__(self, t: Tables) -> None:
        self.pack: i64 = set_of(t.pack)
        self.again: i64 = 0
        self.drawing: i64 = 0
        self.suit_of: list[i64] = [suit_of(card) for card, _ in enumerate(CARDS)]
        self.alike: list[i64] = []
        for card, text in enumerate(CARDS):
            if t.steps[card] == 0:
                self.again |= BIT[card]
            if t.debt[card] > 0:
                self.drawing |= BIT[card]
            self.alike.append(set_of([c for c, other in enumerate(CARDS) if other[0] == text[0]]))


def facts_of(t: Tables) -> Facts:
    """Give the facts for these tables, made once."""
    facts = t.facts
    if facts is None:
        facts = Facts(t)
        t.facts = facts
    assert isinstance(facts, Facts)
    return facts


class Eyes:
    """One seat's view of the actions that it has."""

    def __init__(self, t: Tables) -> None:
        self.t = t
        self.facts = facts_of(t)
        self.looked: i64 = 0
        """How many actions were looked at so far."""
        self.unseen: i64 = 0
        self.hand: i64 = 0
        self.seat: i64 = 0
        self.direction: i64 = 1
        self.owed: i64 = 0
        self.fewest: i64 = 0

    # What is done with what is seen: a class of eyes says so.

    def begin(self) -> None:
        """Begin with an action."""

    def see(self, place: i64, x: float) -> None:
        """See one thing of the action."""

    def end(self) -> None:
        """Everything of the action has been seen."""

    # The looking.

    def look(self, state: DealState, watch: Watch) -> None:
        """Look at the position of the seat to act."""
        self.hand = state.hand
        self.seat = state.seat
        self.direction = state.direction
        self.owed = state.owed
        self.unseen = self.facts.pack & ~(state.hand | watch.open)
        fewest: i64 = 99
        for seat in range(state.seats):
            if seat != state.seat and watch.counts[seat] < fewest:
                fewest = watch.counts[seat]
        self.fewest = fewest

    def at_draw(self, state: DealState, watch: Watch, passes: bool) -> None:
        """See what drawing or passing is."""
        self.looked += 1
        self.begin()
        self.see(PASSES if passes else DRAWS, 1.0)
        self.see(OWN_DEBT, float(state.owed) / 2.0)
        following = (state.seat + state.direction) % state.seats
        self._counts(self.hand, watch.counts[following])
        self.end()

    def at_play(self, state: DealState, watch: Watch, card: i64, wish: i64) -> None:
        """See what a play is and what it leaves."""
        t = self.t
        facts = self.facts
        self.looked += 1
        self.begin()
        bit = BIT[card]
        rest = self.hand & ~bit
        left = count(rest)
        fits = t.fits[card * WISHES + wish]
        follows = rest & fits
        again = t.steps[card] == 0
        debt = t.debt[card] + self.owed if t.debt[card] > 0 else 0
        direction = self.direction
        if t.turns_round[card]:
            direction = -direction
        following = (self.seat + direction * (t.steps[card] if not again else 1)) % state.seats
        if bit & t.wild:
            self.see(WILD, 1.0)
        if bit & t.accepting:
            self.see(ANY_FITS, 1.0)
        chance = 0.0
        if again:
            self.see(AGAIN, 1.0)
            if follows == 0:
                self.see(AGAIN_ALONE, 1.0)
            if debt > 0:
                self.see(OWN_DEBT, float(debt) / 2.0)
        else:
            replies = fits
            if debt > 0:
                replies = t.answers[card]
            chance = self.chance(watch, following, replies)
            self.see(THEY_FIT, chance)
            if debt > 0:
                self.see(EXPECTED_DEBT, float(debt if debt < 6 else 6) * (1.0 - chance) / 2.0)
                if rest & t.answers[card]:
                    self.see(DEBT_SAFE, 1.0)
            if follows != 0:
                self.see(I_FIT_IF_NOT, 1.0 - chance)
            self.see(I_FIT_THEN, chance * self._follow(replies & self.unseen, rest))
        if left > 0:
            self.see(REST_FITS, float(count(follows)) / float(left))
        suit = wish - 1 if wish > 0 else facts.suit_of[card]
        if suit >= 0:
            self.see(SAME_SUIT, float(count(rest & t.suit_cards[suit] & ~t.wild)) / 3.0)
        self.see(SAME_RANK, float(count(rest & facts.alike[card])) / 2.0)
        self._counts(rest, watch.counts[following])
        if left == 1 and follows != 0:
            self.see(ONE_AND_FIT, 1.0 - chance)
        if watch.counts[following] == 1:
            self.see(ONE_MAY_FIT, chance)
        self.end()

    def _counts(self, rest: i64, they: i64) -> None:
        """See what is kept, and the hands' sizes, small ones each by itself."""
        t = self.t
        left = count(rest)
        suits: i64 = 0
        for suit in range(4):
            if rest & t.suit_cards[suit]:
                suits += 1
        self.see(SUITS_LEFT, float(suits) / 4.0)
        self.see(WILD_KEPT, float(count(rest & t.wild)) / 2.0)
        self.see(DEBTS_KEPT, float(count(rest & self.facts.drawing)) / 2.0)
        self.see(AGAIN_KEPT, float(count(rest & self.facts.again)) / 2.0)
        if left == 1:
            self.see(ONE_LEFT_, 1.0)
        elif left == 2:
            self.see(TWO_LEFT, 1.0)
        self.see(LEFT, float(left if left < 10 else 10) / 10.0)
        if they == 1:
            self.see(THEY_HAVE_ONE, 1.0)
        elif they == 2:
            self.see(THEY_HAVE_TWO, 1.0)
        self.see(THEY_HAVE, float(they if they < 10 else 10) / 10.0)
        if t.then != THEN_END:
            self.see(PLAYS_DRAWN, 1.0)
        if t.turn_after_penalty:
            self.see(TURN_AFTER_DEBT, 1.0)
        if t.voluntary:
            self.see(MAY_DRAW_ANYHOW, 1.0)
        if not t.reshuffles:
            self.see(STOCK_ENDS, 1.0)
        if self.fewest == 1:
            self.see(SOMEBODY_HAS_ONE, 1.0)

    def chance(self, watch: Watch, seat: i64, cards: i64) -> float:
        """Give the chance that a seat holds one of some cards."""
        held = watch.counts[seat]
        fresh = watch.fresh[seat]
        if fresh > held:
            fresh = held
        if fresh < 0:
            fresh = 0
        unseen = self.unseen
        known = unseen & ~watch.lacks[seat]
        none = _none(count(known), count(known & cards), held - fresh)
        return 1.0 - none * _none(count(unseen), count(unseen & cards), fresh)

    def _follow(self, replies: i64, rest: i64) -> float:
        """Give the chance that something of the rest fits on what the next seat plays."""
        t = self.t
        fit = 0.0
        weight = 0.0
        while replies != 0:
            bit = replies & -replies
            replies ^= bit
            card: i64 = CARD_OF_BIT[bit % RESIDUE]
            share = 0.4 if bit & t.wild else 1.0
            weight += share
            if bit & self.facts.drawing:
                if rest & t.answers[card]:
                    fit += share
            elif bit & self.facts.again and t.seats == 2:
                pass
            elif bit & t.wishing:
                for wish in range(1, WISHES):
                    if rest & t.fits[card * WISHES + wish]:
                        fit += share * 0.25
            elif rest & t.fits[card * WISHES]:
                fit += share
        return fit / weight if weight > 0.0 else 0.0


def _none(size: i64, wanted: i64, held: i64) -> float:
    """Give the chance that none of some held cards is a wanted one."""
    none = 1.0
    while held > 0:
        if size <= 0:
            return none
        none *= float(size - wanted if size > wanted else 0) / float(size)
        size -= 1
        held -= 1
    return none
