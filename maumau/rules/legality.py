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
from maumau.rules.tables import MANY_LEFT, WISHES, Tables

MAY_CATCH: Final = 1
MAY_DRAW: Final = 2
MAY_PASS: Final = 4


def fitting(t: Tables, hand: i64, top: i64, wish: i64, owed: i64) -> i64:
    """Give the cards of a hand that fit (docs/rules.md §3, What fits)."""
    if owed > 0:
        return hand & t.answers[top]
    return hand & t.fits[top * WISHES + wish]


def play_case(t: Tables, card: i64, held: i64) -> i64:
    """Give the index into `Tables.forms` and `due` for a card played from `held` cards."""
    left = 3 - held if held <= 2 else MANY_LEFT
    return left + 3 if t.wishing & BIT[card] else left


def legal_ids(t: Tables, plays: i64, others: i64, held: i64) -> list[int]:
    """List the legal actions, ascending; `held` is the number of cards in the acting hand."""
    ids: list[int] = []
    while plays != 0:
        card: i64 = CARD_OF_BIT[(plays & -plays) % RESIDUE]
        plays &= plays - 1
        for form in t.forms[play_case(t, card, held)]:
            ids.append(FORM_COUNT * card + form)
    if others & MAY_CATCH:
        ids.append(CATCH)
    if others & MAY_DRAW:
        ids.append(DRAW)
    if others & MAY_PASS:
        ids.append(PASS)
    return ids


def is_legal(t: Tables, plays: i64, others: i64, held: i64, action: i64) -> bool:
    """Tell whether an action is one of the legal ones."""
    if action < 0 or action > PASS:
        return False
    if action < CATCH:
        card = action // FORM_COUNT
        if plays & BIT[card] == 0:
            return False
        return action % FORM_COUNT in t.forms[play_case(t, card, held)]
    if action == CATCH:
        return others & MAY_CATCH != 0
    if action == DRAW:
        return others & MAY_DRAW != 0
    return others & MAY_PASS != 0


def random_action(t: Tables, plays: i64, others: i64, held: i64, prng: Prng) -> i64:
    """Draw one of the legal actions, each alike."""
    if plays == 0:
        if others == MAY_DRAW:
            return DRAW
        if others == MAY_PASS:
            return PASS
        return CATCH if prng.below(2) == 0 else PASS
    left = 3 - held if held <= 2 else MANY_LEFT
    wild = plays & t.wishing
    plain = plays ^ wild
    plain_forms: i64 = len(t.forms[left])
    wild_forms: i64 = len(t.forms[left + 3])
    plain_actions = count_cards(plain) * plain_forms
    actions = plain_actions
    if wild != 0:
        actions += count_cards(wild) * wild_forms
    total = actions
    if others != 0:
        total += 1
    at: i64 = 0
    if total > 1:
        at = prng.below(total)
    if at < plain_actions:
        card = nth_card(plain, at // plain_forms)
        return FORM_COUNT * card + t.forms[left][at % plain_forms]
    at -= plain_actions
    if at < actions - plain_actions:
        card = nth_card(wild, at // wild_forms)
        return FORM_COUNT * card + t.forms[left + 3][at % wild_forms]
    return DRAW if others == MAY_DRAW else PASS


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
