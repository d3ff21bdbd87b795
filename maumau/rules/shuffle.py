"""Where the order of the cards comes from (docs/rules.md §5).

A deal asks its `Shuffles` for the pack's order (k = 0) and for every reshuffle (k = 1, 2 …).
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import shake_128

from mypy_extensions import i64

from maumau.errors import InvalidInput, Problem
from maumau.rules.cards import CARD_NUMBER, CARDS


def shuffled(cards: Sequence[int], label: str) -> list[i64]:
    """Shuffle by the SHAKE-128 stream of a label: Fisher-Yates, each index drawn without bias.

    Source: docs/rules.md §5.
    """
    order = list(cards)
    length = 2 * len(order) + 32
    stream = shake_128(label.encode()).digest(length)
    at = 0
    for i in range(len(order) - 1, 0, -1):
        limit = 256 - 256 % (i + 1)
        while True:
            if at == length:
                length *= 2
                stream = shake_128(label.encode()).digest(length)
            byte = stream[at]
            at += 1
            if byte < limit:
                break
        j = byte % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def check_seed(seed: object) -> None:
    """Refuse a seed that is no text, or one that UTF-8 cannot write (half of a surrogate pair)."""
    try:
        if isinstance(seed, str):
            seed.encode()
            return
    except UnicodeEncodeError:
        pass
    raise InvalidInput([Problem("seed", "must be a text that UTF-8 can write")])


class Shuffles:
    """A source of orders; it has no state of its own that a deal could change."""

    def order(self, k: int, cards: list[i64]) -> list[i64]:
        """Give the cards in a new order: the pack for k = 0, the k-th reshuffle after that."""
        raise NotImplementedError

    def copy(self) -> Shuffles:
        """Give a source that goes on alike and shares nothing that changes."""
        return self


class SeededShuffles(Shuffles):
    """The shuffles of one deal of a game, from the game's seed."""

    def __init__(self, seed: str, number: int) -> None:
        check_seed(seed)
        self.seed = seed
        self.number = number

    def order(self, k: int, cards: list[i64]) -> list[i64]:
        """Shuffle by the label of seed, deal and k."""
        return shuffled(cards, f"{self.seed}:{self.number}:{k}")


class GivenShuffles(Shuffles):
    """Orders that are given; where they run out, those of a seed."""

    def __init__(self, orders: list[list[i64]], then: Shuffles) -> None:
        self.orders = orders
        self.then = then

    def order(self, k: int, cards: list[i64]) -> list[i64]:
        """Give the k-th order; raises InvalidInput where it does not hold just these cards."""
        if k >= len(self.orders):
            return self.then.order(k, cards)
        given = self.orders[k]
        if sorted(given) != sorted(cards):
            what = "order" if k == 0 else f"reshuffle {k}"
            due = " ".join(CARDS[card] for card in sorted(cards))
            raise InvalidInput(f"{what} must hold exactly these cards: {due}")
        return given


def card_numbers(texts: Sequence[str], what: str) -> list[i64]:
    """Turn card texts into numbers; raises InvalidInput that names the first that is no card."""
    numbers = []
    for place, text in enumerate(texts):
        number = CARD_NUMBER.get(text) if isinstance(text, str) else None
        if number is None:
            raise InvalidInput(f"{what}[{place}] is {text!r}, not a card such as 7h or X1")
        numbers.append(number)
    return numbers
