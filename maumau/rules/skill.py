"""The policy `skilled`: a small network weighs what a seat can see of each action (docs/bots.md).

One set of weights plays by any rules, another one where more than two seats play;
`skill_weights` tells how both were trained.
"""

from __future__ import annotations

from mypy_extensions import i64

from maumau.rules.actions import CATCH, DRAW, FORM_COUNT, PASS
from maumau.rules.cards import CARD_OF_BIT, RESIDUE
from maumau.rules.legality import MAY_CATCH, MAY_DRAW, left_after, play_case
from maumau.rules.machine.acting import act
from maumau.rules.machine.deal_state import RUNNING, TURN, DealState
from maumau.rules.prng import Prng, PrngShuffles
from maumau.rules.seeing import SEEN, Eyes
from maumau.rules.skill_weights import SEVERAL, TWO
from maumau.rules.tables import NONE_LEFT, Tables
from maumau.rules.watching import Watch


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


SKILL_OF_TWO = Skill(TWO)
SKILL_OF_SEVERAL = Skill(SEVERAL)


def skill_for(t: Tables) -> Skill:
    """Give the weights for a number of seats."""
    return SKILL_OF_TWO if t.seats == 2 else SKILL_OF_SEVERAL


def _suited(t: Tables, hand: i64) -> i64:
    """Give the cards of a hand that a wish can be for: jokers have no suit."""
    suits = t.suit_cards
    return hand & ~t.wild & (suits[0] | suits[1] | suits[2] | suits[3])


def skilled_action(state: DealState, watch: Watch, eyes: Eyes, skill: Skill) -> i64:
    """Choose what weighs most: always with the call that is due, always a catch."""
    plays = state.plays
    others = _worth_a_thought(state)
    if plays == 0:
        if others & MAY_CATCH:
            return CATCH
        return DRAW if others & MAY_DRAW else PASS
    t = state.t
    hand = state.hand
    if left_after(hand) == NONE_LEFT or (
        others == 0 and plays & (plays - 1) == 0 and plays & t.wishing == 0
    ):
        only: i64 = CARD_OF_BIT[(plays & -plays) % RESIDUE]
        return FORM_COUNT * only + (1 if t.due[play_case(t, only, hand)] else 0)
    numbers: list[i64] = []
    worths: list[float] = []
    weigh_into(state, watch, eyes, skill, numbers, worths)
    best: i64 = -1
    best_worth = 0.0
    for k, worth in enumerate(worths):
        if best < 0 or worth > best_worth:
            best = numbers[k]
            best_worth = worth
    return best


def weigh_into(
    state: DealState,
    watch: Watch,
    eyes: Eyes,
    skill: Skill,
    numbers: list[i64],
    worths: list[float],
    sights: list[list[float]] | None = None,
) -> None:
    """Append the actions worth a thought, catches aside, their worths and what is seen of them."""
    t = state.t
    hand = state.hand
    plays = state.plays
    held = _suited(t, hand)
    last = left_after(hand) == NONE_LEFT
    eyes.look(state, watch)
    while plays != 0:
        bit = plays & -plays
        plays ^= bit
        card: i64 = CARD_OF_BIT[bit % RESIDUE]
        called: i64 = 1 if t.due[play_case(t, card, hand)] else 0
        most: i64 = 4 if bit & t.wishing and not last else 0
        wish: i64 = 1 if most > 0 else 0
        while wish <= most:
            # A suit that is not held is wished for only where none is.
            if wish == 0 or held & t.suit_cards[wish - 1] or (held == 0 and wish == 1):
                eyes.at_play(state, watch, card, wish)
                numbers.append(FORM_COUNT * card + 2 * wish + called)
                worths.append(skill.worth(eyes.seen))
                if sights is not None:
                    sights.append(eyes.seen.copy())
            wish += 1
    others = _worth_a_thought(state)
    # Who can play the last card plays it.
    if others & ~MAY_CATCH and not (last and state.plays != 0):
        eyes.at_draw(state, watch, others & MAY_DRAW == 0)
        numbers.append(DRAW if others & MAY_DRAW else PASS)
        worths.append(skill.worth(eyes.seen))
        if sights is not None:
            sights.append(eyes.seen.copy())


def _worth_a_thought(state: DealState) -> i64:
    """Give the actions but plays; drawing without need is none where something can be played."""
    if state.plays != 0 and state.owed == 0 and state.phase == TURN:
        return 0
    return state.others


def play_skilled(state: DealState, watch: Watch, skill: Skill) -> None:
    """Play a deal to its end, every seat by the same skill; `watch` is used up."""
    eyes = Eyes(state.t)
    while state.end == RUNNING:
        seat = state.seat
        action = skilled_action(state, watch, eyes, skill)
        act(state, action)
        watch.see(seat, action, state.event_drawn, state.event_drawer, state.event_reshuffle)


def views(state: DealState, watch: Watch) -> list[tuple[int, list[float]]]:
    """List the actions worth a thought, each with what is seen of it."""
    numbers: list[i64] = []
    worths: list[float] = []
    sights: list[list[float]] = []
    t = state.t
    weigh_into(state, watch, Eyes(t), skill_for(t), numbers, worths, sights)
    return [(action, sights[k]) for k, action in enumerate(numbers)]


def tried(state: DealState, watch: Watch, action: i64, skill: Skill, prng: Prng) -> i64:
    """Give the finisher of a copy of the deal that goes on with an action; NOBODY for none."""
    twin = state.copy(keep_log=False)
    twin.shuffles = PrngShuffles(prng)
    seen = watch.copy()
    seat = twin.seat
    act(twin, action)
    seen.see(seat, action, twin.event_drawn, twin.event_drawer, twin.event_reshuffle)
    play_skilled(twin, seen, skill)
    return twin.finisher


def weighed(state: DealState, watch: Watch) -> list[tuple[int, float]]:
    """List the actions worth a thought, each with its worth."""
    if state.others & MAY_CATCH:
        return [(CATCH, 0.0)]
    numbers: list[i64] = []
    worths: list[float] = []
    weigh_into(state, watch, Eyes(state.t), skill_for(state.t), numbers, worths)
    return [(action, worths[k]) for k, action in enumerate(numbers)]
