"""Simple ways to play, inside the engine: for rollouts and as a yardstick (docs/bots.md).

`random` plays every legal action alike. `heuristic` plays by rules of thumb that it reads off the
rule set's tables, so that it understands any rule set. `skilled` is stronger and some twenty times
slower: the small network of `skill`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mypy_extensions import i64

from maumau.errors import InvalidInput, Problem
from maumau.rules.actions import CATCH, DRAW, FORM_COUNT, PASS
from maumau.rules.cards import BIT, CARD_OF_BIT, CARDS, RESIDUE, set_of, suit_of
from maumau.rules.legality import (
    MAY_CATCH,
    MAY_DRAW,
    count_cards,
    left_after,
    play_case,
    random_action,
)
from maumau.rules.machine.acting import act
from maumau.rules.machine.deal_state import RUNNING, DealState
from maumau.rules.prng import Prng
from maumau.rules.skill import play_skilled, scales_for
from maumau.rules.tables import NONE_LEFT, TO_NONE, Tables
from maumau.rules.watching import watch_of

RANDOM: Final = 0
HEURISTIC: Final = 1
SKILLED: Final = 2
LIKELY: Final = 3
POLICIES: Final = {"random": RANDOM, "heuristic": HEURISTIC, "skilled": SKILLED}
SAMPLE_POLICIES: Final = {**POLICIES, "likely": LIKELY}
"""Those of `Observation.rollouts`: `likely` needs to know what happened before (`rollouts`)."""

# What makes a play worth while, in hundredths of a card of its suit that stays in the hand.
SUIT_KEPT: Final = 100
RANK_KEPT: Final = -100
VALUE: Final = 10
WILD: Final = -2000
DEBT: Final = 100
DEBT_NEAR_END: Final = 300
SKIP_NEAR_END: Final = 300
AGAIN: Final = 1000
AGAIN_ALONE: Final = -200
ANY_FITS: Final = -200
NEAR_END: Final = 2


class Thumb:
    """The rules of thumb for one rule set and number of seats: a worth for each card."""

    def __init__(self, t: Tables) -> None:
        self.worth: list[i64] = []
        self.near_end: list[i64] = []
        self.again: i64 = 0
        self.suits: list[i64] = []
        self.ranks: list[i64] = []
        for card, _ in enumerate(CARDS):
            again = t.steps[card] == 0
            worth: i64 = VALUE * t.values[card] if t.score_to != TO_NONE else 0
            near_end: i64 = 0
            if t.wild & BIT[card]:
                worth += WILD
            if t.accepting & BIT[card]:
                worth += ANY_FITS
            if again:
                self.again |= BIT[card]
                worth -= 6 * DEBT * t.debt[card]
            elif t.debt[card] > 0:
                worth += DEBT * 2
                near_end += DEBT_NEAR_END * t.debt[card]
            if not again and t.steps[card] != 1:
                near_end += SKIP_NEAR_END
            self.worth.append(worth)
            self.near_end.append(near_end)
            suit, rank = suit_of(card), CARDS[card][0]
            alike = [c for c, _ in enumerate(CARDS) if suit_of(c) == suit >= 0 and c != card]
            self.suits.append(set_of(alike) & ~t.wild)
            self.ranks.append(set_of([c for c, text in enumerate(CARDS) if text[0] == rank]))


def policy_number(policy: str, known: Mapping[str, int] = POLICIES) -> int:
    """Give a policy's number; raises InvalidInput for one that there is not."""
    if policy not in known:
        names = ", ".join(sorted(known))
        raise InvalidInput([Problem("policy", f"there is no {policy!r}; there are {names}")])
    return known[policy]


def thumb_of(t: Tables) -> Thumb:
    """Give the rules of thumb for these tables, made once."""
    thumb = t.thumb
    if thumb is None:
        thumb = Thumb(t)
        t.thumb = thumb
    assert isinstance(thumb, Thumb)
    return thumb


def heuristic_action(state: DealState, thumb: Thumb) -> i64:
    """Choose by rules of thumb: catch, else make the play that is worth most, else draw.

    Always with the call that is due. Wild cards are kept, and go-again cards played while another
    can follow; the suit that the hand holds most of is played and wished for.
    """
    plays = state.plays
    if plays == 0:
        if state.others & MAY_CATCH:
            return CATCH
        return DRAW if state.others & MAY_DRAW else PASS
    near_end = is_near_end(state)
    best: i64 = -1
    best_worth: i64 = 0
    while plays != 0:
        bit = plays & -plays
        card: i64 = CARD_OF_BIT[bit % RESIDUE]
        plays ^= bit
        worth = play_worth(state.hand, card, thumb, near_end)
        if best < 0 or worth > best_worth:
            best = card
            best_worth = worth
    return FORM_COUNT * best + form_by_thumb(state.t, best, state.hand)


def is_near_end(state: DealState) -> bool:
    """Tell whether the next seat has so few cards that it must be hindered."""
    next_seat = (state.seat + state.direction) % state.seats
    return count_cards(state.hands[next_seat]) <= NEAR_END


def play_worth(hand: i64, card: i64, thumb: Thumb, near_end: bool) -> i64:
    """Give what a play is worth by rules of thumb, in hundredths of a card of its suit."""
    bit = BIT[card]
    rest = hand ^ bit
    same_suit = count_cards(rest & thumb.suits[card])
    same_rank = count_cards(rest & thumb.ranks[card])
    worth = thumb.worth[card] + SUIT_KEPT * same_suit + RANK_KEPT * same_rank
    if bit & thumb.again:
        worth += AGAIN if same_suit + same_rank > 0 else AGAIN_ALONE
    if near_end:
        worth += thumb.near_end[card]
    return worth


def form_by_thumb(t: Tables, card: i64, hand: i64) -> i64:
    """Give the form of a play: the call where it is due, a wish for the longest suit."""
    called: i64 = 1 if t.due[play_case(t, card, hand)] else 0
    if t.wishing & BIT[card] == 0 or left_after(hand) == NONE_LEFT:
        return called
    rest = (hand ^ BIT[card]) & ~t.wild
    best: i64 = 0
    most: i64 = -1
    for suit in range(4):
        held = count_cards(rest & t.suit_cards[suit])
        if held > most:
            most = held
            best = suit
    return 2 * (1 + best) + called


def play_on(state: DealState, policy: i64, prng: Prng, starter: i64, log: list[i64]) -> None:
    """Play a deal to its end, every seat by the same policy; the deal's log tells what was seen."""
    t = state.t
    if policy == HEURISTIC:
        thumb = thumb_of(t)
        while state.end == RUNNING:
            act(state, heuristic_action(state, thumb))
    elif policy == SKILLED:
        play_skilled(state, watch_of(t, starter, log), scales_for(t))
    else:
        while state.end == RUNNING:
            act(state, random_action(t, state.plays, state.others, state.hand, prng))
