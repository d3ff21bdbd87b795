"""Cards as small integers, sets of cards as bits of one integer (docs/rules.md §1).

A card's number is ``4 * rank + suit`` with the ranks in the order of their texts, so that ascending
numbers are sorted texts. The order in which a pack goes into a shuffle (§5) is another one.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

RANKS: Final = "23456789AJKQTX"
"""Rank letters in the order of their texts; `X` is the joker's."""

SUITS: Final = "cdhs"

CARDS: Final = [rank + suit for rank in RANKS[:13] for suit in SUITS] + ["X1", "X2"]
"""The text of every card, by its number."""

CARD_NUMBER: Final = {text: number for number, text in enumerate(CARDS)}

FIRST_JOKER: Final = 52
NO_CARD: Final = -1

RANK_UPWARDS: Final = "23456789TJQKA"
"""Ranks as a pack is sorted before it is shuffled, lowest first (docs/rules.md §5)."""

# Taken from a table because a compiled `1 << n` is a 32-bit shift.
BIT: Final[list[i64]] = [1 << number for number in range(len(CARDS))]
"""The one-card set of each card."""

# 2 generates all residues modulo the prime 67, so a one-bit integer is told by its remainder.
RESIDUE: Final = 67
CARD_OF_BIT: Final[list[i64]] = [NO_CARD] * RESIDUE
for _number, _bit in enumerate(BIT):
    CARD_OF_BIT[_bit % RESIDUE] = _number


def rank_of(card: int) -> str:
    """Give the rank letter of a card."""
    return CARDS[card][0]


def suit_of(card: int) -> int:
    """Give the suit of a card as an index into `SUITS`, or -1 for a joker: jokers have none."""
    return card % 4 if card < FIRST_JOKER else -1


def pack(lowest: str, jokers: int) -> list[i64]:
    """Give all cards of a pack in the order in which it is shuffled (docs/rules.md §5).

    `lowest` is the lowest rank that the pack holds, `jokers` the number of its jokers.
    """
    ranks = RANK_UPWARDS[RANK_UPWARDS.index(lowest) :]
    cards = [CARD_NUMBER[rank + suit] for suit in SUITS for rank in ranks]
    return cards + [FIRST_JOKER + joker for joker in range(jokers)]


def cards_in(cards: i64) -> list[i64]:
    """List the cards of a set, ascending: in the order of their texts."""
    found: list[i64] = []
    while cards != 0:
        found.append(CARD_OF_BIT[(cards & -cards) % RESIDUE])
        cards &= cards - 1
    return found


def texts_in(cards: i64) -> list[str]:
    """List the texts of a set of cards, sorted."""
    texts: list[str] = []
    while cards != 0:
        texts.append(CARDS[CARD_OF_BIT[(cards & -cards) % RESIDUE]])
        cards &= cards - 1
    return texts


def set_of(cards: list[i64]) -> int:
    """Give the set that holds these cards."""
    whole = 0
    for card in cards:
        whole |= BIT[card]
    return whole
