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
from maumau.rules.sixteen import Sixteen
from maumau.rules.skill_weights import SEVERAL, TWO
from maumau.rules.tables import NONE_LEFT, Tables
from maumau.rules.watching import Watch


class Skill:
    """The weights: a linear part and a layer of rectified units, for one kind of table."""

    def __init__(self, rows: list[list[float]]) -> None:
        """Take a row for each unit (its bias, a weight for each thing seen), outputs, linear.

        There may be up to sixteen units.
        """
        units = rows[:-2]
        self.linear: list[float] = rows[-1]
        self.out = Sixteen(rows[-2])
        self.bias = Sixteen([unit[0] for unit in units])
        self.weights = [Sixteen([unit[1 + place] for unit in units]) for place in range(SEEN)]
        """By thing seen."""


class Scales(Eyes):
    """Weigh actions while they are looked at."""

    def __init__(self, t: Tables, skill: Skill) -> None:
        super().__init__(t)
        self.skill = skill
        self.value = 0.0
        self.units = Sixteen([])
        self.worths: list[float] = []

    def begin(self) -> None:
        """Begin with an action."""
        self.value = 0.0
        self.units.take(self.skill.bias)

    def see(self, place: i64, x: float) -> None:
        """Put one thing seen on the scales."""
        if x != 0.0:
            skill = self.skill
            self.value += x * skill.linear[place]
            self.units.add(x, skill.weights[place])

    def end(self) -> None:
        """Note what the action weighs."""
        self.worths.append(self.value + self.units.rectified(self.skill.out))

    def taken(self) -> list[float]:
        """Give what the actions weigh that were looked at since the last time."""
        worths = self.worths
        self.worths = []
        return worths


class Views(Eyes):
    """Keep what is seen of each action looked at."""

    def __init__(self, t: Tables) -> None:
        super().__init__(t)
        self.seen: list[list[float]] = []

    def begin(self) -> None:
        """Begin with an action."""
        self.seen.append([0.0] * SEEN)

    def see(self, place: i64, x: float) -> None:
        """Keep one thing seen."""
        self.seen[-1][place] = x


SKILL_OF_TWO = Skill(TWO)
SKILL_OF_SEVERAL = Skill(SEVERAL)


def scales_for(t: Tables) -> Scales:
    """Give scales with the weights for a number of seats."""
    return Scales(t, SKILL_OF_TWO if t.seats == 2 else SKILL_OF_SEVERAL)


def _suited(t: Tables, hand: i64) -> i64:
    """Give the cards of a hand that a wish can be for: jokers have no suit."""
    suits = t.suit_cards
    return hand & ~t.wild & (suits[0] | suits[1] | suits[2] | suits[3])


def skilled_action(state: DealState, watch: Watch, scales: Scales) -> i64:
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
    numbers = look_over(state, watch, scales)
    best: i64 = -1
    best_worth = 0.0
    for k, worth in enumerate(scales.taken()):
        if best < 0 or worth > best_worth:
            best = numbers[k]
            best_worth = worth
    return best


def look_over(state: DealState, watch: Watch, eyes: Eyes) -> list[i64]:
    """Look at the actions worth a thought, catches aside, and list them."""
    numbers: list[i64] = []
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
            wish += 1
    others = _worth_a_thought(state)
    # Who can play the last card plays it.
    if others & ~MAY_CATCH and not (last and state.plays != 0):
        eyes.at_draw(state, watch, others & MAY_DRAW == 0)
        numbers.append(DRAW if others & MAY_DRAW else PASS)
    return numbers


def _worth_a_thought(state: DealState) -> i64:
    """Give the actions but plays; drawing without need is none where something can be played."""
    if state.plays != 0 and state.owed == 0 and state.phase == TURN:
        return 0
    return state.others


def play_skilled(state: DealState, watch: Watch, scales: Scales) -> None:
    """Play a deal to its end, every seat by the same skill; `watch` is used up."""
    while state.end == RUNNING:
        seat = state.seat
        action = skilled_action(state, watch, scales)
        act(state, action)
        watch.see(seat, action, state.event_drawn, state.event_drawer, state.event_reshuffle)


def views(state: DealState, watch: Watch) -> list[tuple[int, list[float]]]:
    """List the actions worth a thought, each with what is seen of it."""
    eyes = Views(state.t)
    numbers = look_over(state, watch, eyes)
    return [(action, eyes.seen[k]) for k, action in enumerate(numbers)]


def tried(state: DealState, watch: Watch, action: i64, scales: Scales, prng: Prng) -> i64:
    """Give the finisher of a copy of the deal that goes on with an action; NOBODY for none."""
    twin = state.copy(keep_log=False)
    twin.shuffles = PrngShuffles(prng)
    seen = watch.copy()
    seat = twin.seat
    act(twin, action)
    seen.see(seat, action, twin.event_drawn, twin.event_drawer, twin.event_reshuffle)
    play_skilled(twin, seen, scales)
    return twin.finisher


def weighed(state: DealState, watch: Watch) -> list[tuple[int, float]]:
    """List the actions worth a thought, each with its worth."""
    if state.others & MAY_CATCH:
        return [(CATCH, 0.0)]
    scales = scales_for(state.t)
    numbers = look_over(state, watch, scales)
    worths = scales.taken()
    return [(action, worths[k]) for k, action in enumerate(numbers)]
