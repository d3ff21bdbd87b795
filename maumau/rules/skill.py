"""A policy that learned: what a seat can see of each action, weighed by a small network.

What is seen is read off the rule set's tables, so that one set of weights plays by any rules
(bench/train_skill.py made those in `skill_weights`). Only what the acting seat may know is looked
at: its hand, the pile, how many cards the others hold, and what they lacked when they drew.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from maumau.rules.actions import CATCH, DRAW, FORM_COUNT, PASS
from maumau.rules.cards import BIT, CARD_OF_BIT, CARDS, NO_CARD, RESIDUE, set_of, suit_of
from maumau.rules.legality import MAY_CATCH, MAY_DRAW, left_after, play_case
from maumau.rules.machine.acting import act
from maumau.rules.machine.deal_state import (
    EVENT_DRAWER,
    EVENT_DRAWN,
    EVENT_RESHUFFLE,
    EVENT_SEAT,
    NOBODY,
    RUNNING,
    DealState,
)
from maumau.rules.prng import Prng, PrngShuffles
from maumau.rules.tables import (
    CALL_CATCH,
    NONE_LEFT,
    ONE_LEFT,
    THEN_END,
    THEN_MAY_PLAY_DRAWN,
    THEN_MUST_PLAY_DRAWN,
    WISHES,
    Tables,
)

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


class Skill:
    """The weights: a linear part and a layer of rectified units, for one kind of table."""

    def __init__(self, rows: list[list[float]]) -> None:
        """Take a row for each unit (its bias, a weight for each thing seen), outputs, linear."""
        self.linear: list[float] = rows[-1]
        self.out: list[float] = rows[-2]
        self.units: i64 = len(self.out)
        self.bias: list[float] = [row[0] for row in rows[:-2]]
        self.weights: list[float] = []
        """By unit, then by thing seen."""
        for row in rows[:-2]:
            self.weights += row[1:]

    def worth(self, seen: list[float]) -> float:
        """Weigh what is seen of an action."""
        places: list[i64] = []
        value = 0.0
        k: i64 = 0
        while k < SEEN:
            x = seen[k]
            if x != 0.0:
                places.append(k)
                value += x * self.linear[k]
            k += 1
        weights = self.weights
        first: i64 = 0
        unit: i64 = 0
        while unit < self.units:
            sum_ = self.bias[unit]
            for k in places:
                sum_ += seen[k] * weights[first + k]
            if sum_ > 0.0:
                value += sum_ * self.out[unit]
            first += SEEN
            unit += 1
        return value


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


class Watch:
    """What everybody could see so far, kept up action by action."""

    def __init__(self, t: Tables, turned_up: i64) -> None:
        """Begin a deal at which this starter lies."""
        self.t = t
        self.open: i64 = BIT[turned_up]
        """The cards of the discard pile."""
        self.top: i64 = turned_up
        self.wish: i64 = 0
        self.owed: i64 = t.debt[turned_up] if t.starter_acts else 0
        self.asked: i64 = 0
        self.counts: list[i64] = [t.hand_size for _ in range(t.seats)]
        self.lacks: list[i64] = [0 for _ in range(t.seats)]
        """By seat: cards that it did not hold when it last drew."""
        self.fresh: list[i64] = [0 for _ in range(t.seats)]
        """By seat: how many cards it took since."""
        self.drew: i64 = NOBODY
        """A seat that drew and may go on: if it does not, the card drawn did not fit either."""

    def copy(self) -> Watch:
        """Give a watch that goes on by itself."""
        twin = Watch(self.t, self.top)
        twin.open = self.open
        twin.wish = self.wish
        twin.owed = self.owed
        twin.asked = self.asked
        twin.counts = self.counts.copy()
        twin.lacks = self.lacks.copy()
        twin.fresh = self.fresh.copy()
        twin.drew = self.drew
        return twin

    def see(self, seat: i64, action: i64, drawn: i64, drawer: i64, reshuffled: bool) -> None:
        """Take note of an action and of the cards drawn because of it."""
        if self.drew != NOBODY:
            if self.drew != seat:
                self.fresh[self.drew] = self.fresh[self.drew] - 1
            self.drew = NOBODY
        t = self.t
        if self.asked > 0:
            self.asked = 0 if action == CATCH else self.asked - 1
        elif action < CATCH:
            self._play(seat, action // FORM_COUNT, action % FORM_COUNT)
        else:
            if action == DRAW:
                self._lack(seat)
            if self.owed == 0 and (t.then == THEN_MAY_PLAY_DRAWN or t.then == THEN_MUST_PLAY_DRAWN):
                self.drew = seat if action == DRAW else NOBODY
            self.owed = 0
        if drawn > 0:
            self.counts[drawer] = self.counts[drawer] + drawn
            self.fresh[drawer] = self.fresh[drawer] + drawn
            if reshuffled:
                self.open = BIT[self.top]

    def _play(self, seat: i64, card: i64, form: i64) -> None:
        t = self.t
        self.open |= BIT[card]
        self.top = card
        self.wish = form // 2
        self.owed += t.debt[card]
        left = self.counts[seat] - 1
        self.counts[seat] = left
        if self.fresh[seat] > 0:
            self.fresh[seat] = self.fresh[seat] - 1
        if left <= 1 and form % 2 == 0 and t.call_mode == CALL_CATCH:
            case = ONE_LEFT if left == 1 else NONE_LEFT
            if t.due[case + 3 if t.wishing & BIT[card] else case]:
                self.asked = t.seats - 1

    def _lack(self, seat: i64) -> None:
        """Note that a seat drew: hardly anybody does who could play."""
        t = self.t
        fits = t.answers[self.top] if self.owed > 0 else t.fits[self.top * WISHES + self.wish]
        if self.fresh[seat] * 2 > self.counts[seat]:
            self.lacks[seat] = fits
        else:
            self.lacks[seat] = self.lacks[seat] | fits
        self.fresh[seat] = 0


def watch_of(t: Tables, starter: i64, codes: list[i64]) -> Watch:
    """Watch a deal from its events."""
    watch = Watch(t, starter)
    for code in codes:
        watch.see(
            code // EVENT_SEAT % 64,
            code % EVENT_SEAT,
            code // EVENT_DRAWN % 64,
            code // EVENT_DRAWER % 64,
            code >= EVENT_RESHUFFLE,
        )
    return watch


class Eyes:
    """One seat's view of the actions that it has."""

    def __init__(self, t: Tables) -> None:
        self.t = t
        self.facts = facts_of(t)
        self.seen: list[float] = [0.0] * SEEN
        self.unseen: i64 = 0
        self.hand: i64 = 0
        self.seat: i64 = 0
        self.direction: i64 = 1
        self.owed: i64 = 0
        self.fewest: i64 = 0

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
        seen = self.seen
        for k in range(SEEN):
            seen[k] = 0.0
        seen[PASSES if passes else DRAWS] = 1.0
        seen[OWN_DEBT] = float(state.owed) / 2.0
        following = (state.seat + state.direction) % state.seats
        self._counts(self.hand, watch.counts[following])

    def at_play(self, state: DealState, watch: Watch, card: i64, wish: i64) -> None:
        """See what a play is and what it leaves."""
        t = self.t
        facts = self.facts
        seen = self.seen
        for k in range(SEEN):
            seen[k] = 0.0
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
            seen[WILD] = 1.0
        if bit & t.accepting:
            seen[ANY_FITS] = 1.0
        chance = 0.0
        if again:
            seen[AGAIN] = 1.0
            if follows == 0:
                seen[AGAIN_ALONE] = 1.0
            if debt > 0:
                seen[OWN_DEBT] = float(debt) / 2.0
        else:
            replies = fits
            if debt > 0:
                replies = t.answers[card]
            chance = self.chance(watch, following, replies)
            seen[THEY_FIT] = chance
            if debt > 0:
                seen[EXPECTED_DEBT] = float(debt if debt < 6 else 6) * (1.0 - chance) / 2.0
                if rest & t.answers[card]:
                    seen[DEBT_SAFE] = 1.0
            if follows != 0:
                seen[I_FIT_IF_NOT] = 1.0 - chance
            seen[I_FIT_THEN] = chance * self._follow(replies & self.unseen, rest)
        if left > 0:
            seen[REST_FITS] = float(count(follows)) / float(left)
        suit = wish - 1 if wish > 0 else facts.suit_of[card]
        if suit >= 0:
            seen[SAME_SUIT] = float(count(rest & t.suit_cards[suit] & ~t.wild)) / 3.0
        seen[SAME_RANK] = float(count(rest & facts.alike[card])) / 2.0
        self._counts(rest, watch.counts[following])
        if left == 1:
            if follows != 0:
                seen[ONE_AND_FIT] = 1.0 - chance
        if watch.counts[following] == 1:
            seen[ONE_MAY_FIT] = chance

    def _counts(self, rest: i64, they: i64) -> None:
        """See what is kept, and the hands' sizes, small ones each by itself."""
        t = self.t
        seen = self.seen
        left = count(rest)
        suits: i64 = 0
        for suit in range(4):
            if rest & t.suit_cards[suit]:
                suits += 1
        seen[SUITS_LEFT] = float(suits) / 4.0
        seen[WILD_KEPT] = float(count(rest & t.wild)) / 2.0
        seen[DEBTS_KEPT] = float(count(rest & self.facts.drawing)) / 2.0
        seen[AGAIN_KEPT] = float(count(rest & self.facts.again)) / 2.0
        if left == 1:
            seen[ONE_LEFT_] = 1.0
        elif left == 2:
            seen[TWO_LEFT] = 1.0
        seen[LEFT] = float(left if left < 10 else 10) / 10.0
        if they == 1:
            seen[THEY_HAVE_ONE] = 1.0
        elif they == 2:
            seen[THEY_HAVE_TWO] = 1.0
        seen[THEY_HAVE] = float(they if they < 10 else 10) / 10.0
        if t.then != THEN_END:
            seen[PLAYS_DRAWN] = 1.0
        if t.turn_after_penalty:
            seen[TURN_AFTER_DEBT] = 1.0
        if t.voluntary:
            seen[MAY_DRAW_ANYHOW] = 1.0
        if not t.reshuffles:
            seen[STOCK_ENDS] = 1.0
        if self.fewest == 1:
            seen[SOMEBODY_HAS_ONE] = 1.0

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


def skilled_action(state: DealState, watch: Watch, eyes: Eyes, skill: Skill) -> i64:
    """Choose what weighs most: always with the call that is due, always a catch."""
    plays = state.plays
    others = state.others
    if plays == 0:
        if others & MAY_CATCH:
            return CATCH
        return DRAW if others & MAY_DRAW else PASS
    t = state.t
    hand = state.hand
    if others == 0 and plays & (plays - 1) == 0 and plays & t.wishing == 0:
        only: i64 = CARD_OF_BIT[plays % RESIDUE]
        return FORM_COUNT * only + (1 if t.due[play_case(t, only, hand)] else 0)
    eyes.look(state, watch)
    best: i64 = -1
    best_worth = 0.0
    last = left_after(hand) == NONE_LEFT
    while plays != 0:
        bit = plays & -plays
        plays ^= bit
        card: i64 = CARD_OF_BIT[bit % RESIDUE]
        called: i64 = 1 if t.due[play_case(t, card, hand)] else 0
        if last:
            return FORM_COUNT * card + called
        wish: i64 = 0
        most: i64 = 0
        if bit & t.wishing:
            wish = 1
            most = 4
        while wish <= most:
            eyes.at_play(state, watch, card, wish)
            worth = skill.worth(eyes.seen)
            if best < 0 or worth > best_worth:
                best = FORM_COUNT * card + 2 * wish + called
                best_worth = worth
            wish += 1
    if others != 0:
        eyes.at_draw(state, watch, others & MAY_DRAW == 0)
        if skill.worth(eyes.seen) > best_worth:
            best = DRAW if others & MAY_DRAW else PASS
    return best


def play_skilled(state: DealState, watch: Watch, skills: list[Skill]) -> None:
    """Play a deal to its end, each seat by its skill."""
    eyes = Eyes(state.t)
    while state.end == RUNNING:
        seat = state.seat
        action = skilled_action(state, watch, eyes, skills[seat])
        act(state, action)
        watch.see(seat, action, state.event_drawn, state.event_drawer, state.event_reshuffle)


def views(state: DealState, watch: Watch) -> list[tuple[int, list[float]]]:
    """List the actions worth a thought, each with what is seen of it."""
    found: list[tuple[int, list[float]]] = []
    t = state.t
    hand = state.hand
    eyes = Eyes(t)
    eyes.look(state, watch)
    plays = state.plays
    while plays != 0:
        bit = plays & -plays
        plays ^= bit
        card: i64 = CARD_OF_BIT[bit % RESIDUE]
        called: i64 = 1 if t.due[play_case(t, card, hand)] else 0
        wishes: i64 = 4 if bit & t.wishing and left_after(hand) != NONE_LEFT else 0
        wish: i64 = 1 if wishes > 0 else 0
        while wish <= wishes:
            eyes.at_play(state, watch, card, wish)
            found.append((FORM_COUNT * card + 2 * wish + called, eyes.seen.copy()))
            wish += 1
    if state.others & ~MAY_CATCH:
        eyes.at_draw(state, watch, state.others & MAY_DRAW == 0)
        found.append((DRAW if state.others & MAY_DRAW else PASS, eyes.seen.copy()))
    return found


def tried(state: DealState, watch: Watch, action: i64, skills: list[Skill], prng: Prng) -> i64:
    """Give the finisher of a copy of the deal that goes on with an action; NOBODY for none."""
    twin = state.copy(keep_log=False)
    twin.shuffles = PrngShuffles(prng)
    seen = watch.copy()
    seat = twin.seat
    act(twin, action)
    seen.see(seat, action, twin.event_drawn, twin.event_drawer, twin.event_reshuffle)
    play_skilled(twin, seen, skills)
    return twin.finisher
