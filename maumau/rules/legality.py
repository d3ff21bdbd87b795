"""What may be done now, decided in this one place (docs/rules.md §3, What fits, Legal actions).

A decision is offered as two small sets: `plays`, the cards that may be played, and `others`, which
of draw, pass and catch are open. Listing the legal actions, counting them and checking one all read
these two, so they cannot disagree.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from maumau.rules.actions import CATCH, DRAW, FORM_COUNT, PASS
from maumau.rules.cards import BIT, CARD_OF_BIT, RESIDUE
from maumau.rules.prng import Prng
from maumau.rules.tables import MANY_LEFT, NONE_LEFT, ONE_LEFT, WISHES, Tables

MAY_CATCH: Final = 1
MAY_DRAW: Final = 2
MAY_PASS: Final = 4


def fitting(t: Tables, hand: i64, top: i64, wish: i64, owed: i64) -> i64:
    """Give the cards of a hand that fit (docs/rules.md §3, What fits)."""
    if owed > 0:
        return hand & t.answers[top]
    return hand & t.fits[top * WISHES + wish]


def left_after(hand: i64) -> i64:
    """Tell how many cards a play from this hand leaves: NONE_LEFT, ONE_LEFT or MANY_LEFT."""
    left = hand & (hand - 1)
    if left & (left - 1) != 0:
        return MANY_LEFT
    return ONE_LEFT if left != 0 else NONE_LEFT


def play_case(t: Tables, card: i64, hand: i64) -> i64:
    """Give the index into `Tables.forms` and `due` for a card played from a hand."""
    left = left_after(hand)
    return left + 3 if t.wishing & BIT[card] else left


def legal_ids(t: Tables, plays: i64, others: i64, hand: i64) -> list[i64]:
    """List the legal actions, ascending; `hand` is the acting seat's."""
    ids: list[i64] = []
    while plays != 0:
        card: i64 = CARD_OF_BIT[(plays & -plays) % RESIDUE]
        plays &= plays - 1
        for form in t.forms[play_case(t, card, hand)]:
            ids.append(FORM_COUNT * card + form)
    if others & MAY_CATCH:
        ids.append(CATCH)
    if others & MAY_DRAW:
        ids.append(DRAW)
    if others & MAY_PASS:
        ids.append(PASS)
    return ids


def is_legal(t: Tables, plays: i64, others: i64, hand: i64, action: i64) -> bool:
    """Tell whether an action, by its index, is one of the legal ones."""
    if action < CATCH:
        card = action // FORM_COUNT
        if plays & BIT[card] == 0:
            return False
        return action % FORM_COUNT in t.forms[play_case(t, card, hand)]
    if action == CATCH:
        return others & MAY_CATCH != 0
    if action == DRAW:
        return others & MAY_DRAW != 0
    return others & MAY_PASS != 0


def random_action(t: Tables, plays: i64, others: i64, hand: i64, prng: Prng) -> i64:
    """Draw one of the legal actions, each alike."""
    if plays == 0:
        if others == MAY_DRAW:
            return DRAW
        if others == MAY_PASS:
            return PASS
        return CATCH if prng.below(2) == 0 else PASS
    left = left_after(hand)
    plain = plays & ~t.wishing
    wishing = plays & t.wishing
    forms = t.forms[left]
    actions: i64 = count_cards(plain) * len(forms)
    if wishing != 0:
        actions += count_cards(wishing) * len(t.forms[left + 3])
    total = actions
    if others != 0:
        total += 1
    at: i64 = 0
    if total > 1:
        at = prng.below(total)
        if at >= actions:
            return DRAW if others == MAY_DRAW else PASS
    if wishing == 0 and left == MANY_LEFT:
        return FORM_COUNT * nth_card(plain, at)
    return _nth_play(t, plain, wishing, left, at)


def _nth_play(t: Tables, plain: i64, wishing: i64, left: i64, at: i64) -> i64:
    """Give the play at a place, those of plain cards before those that wish."""
    cards = plain
    forms = t.forms[left]
    count: i64 = len(forms)
    before: i64 = count_cards(plain) * count
    if at >= before:
        at -= before
        cards = wishing
        forms = t.forms[left + 3]
        count = len(forms)
    nth: i64 = 0
    while at >= count:
        at -= count
        nth += 1
    return FORM_COUNT * nth_card(cards, nth) + forms[at]


def count_cards(cards: i64) -> i64:
    """Give the number of cards in a set."""
    count: i64 = 0
    while cards != 0:
        cards &= cards - 1
        count += 1
    return count


def nth_card(cards: i64, n: i64) -> i64:
    """Give the n-th card of a set, from 0, ascending."""
    while n > 0:
        cards &= cards - 1
        n -= 1
    return CARD_OF_BIT[(cards & -cards) % RESIDUE]
