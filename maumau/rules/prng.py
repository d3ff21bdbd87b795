"""Fast random numbers for playouts and samples; the games' own shuffles do not come from here.

Marsaglia's multiply-with-carry with 32-bit words: in plain integers and in compiled 64-bit ones the
same numbers, since nothing ever leaves 63 bits.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from mypy_extensions import i64

from maumau.rules.shuffle import Shuffles, check_seed

# Both MULTIPLIER * 2**32 - 1 and MULTIPLIER * 2**31 - 1 are prime: the period is above 2**61.
MULTIPLIER: Final = 2147483085
MASK32: Final = 0xFFFFFFFF


class Prng:
    """A stream of 32-bit words."""

    def __init__(self, seed: i64) -> None:
        """Begin a stream; the lowest 62 bits of `seed` choose it."""
        self.word: i64 = seed & MASK32
        self.carry: i64 = 1 + (seed >> 32) % (MULTIPLIER - 2)

    def below(self, n: i64) -> i64:
        """Give a number from 0 to n - 1, each alike (n up to 2**30; bias below n / 2**32)."""
        mixed = MULTIPLIER * self.word + self.carry
        self.word = mixed & MASK32
        self.carry = mixed >> 32
        return ((self.word ^ self.carry) * n) >> 32

    def shuffle(self, cards: list[i64]) -> None:
        """Put cards into a random order, in place."""
        i: i64 = len(cards) - 1
        word, carry = self.word, self.carry
        while i > 0:
            mixed = MULTIPLIER * word + carry
            word = mixed & MASK32
            carry = mixed >> 32
            j = ((word ^ carry) * (i + 1)) >> 32
            held = cards[i]
            cards[i] = cards[j]
            cards[j] = held
            i -= 1
        self.word, self.carry = word, carry

    def copy(self) -> Prng:
        """Give a stream that goes on with the same numbers."""
        twin = Prng(0)
        twin.word = self.word
        twin.carry = self.carry
        return twin


def prng_of(seed: str) -> Prng:
    """Begin the stream that a text names."""
    check_seed(seed)
    return Prng(int.from_bytes(sha256(seed.encode()).digest()[:8], "big") >> 2)


class PrngShuffles(Shuffles):
    """Orders drawn from a stream; it shuffles the list it is given."""

    def __init__(self, prng: Prng) -> None:
        self.prng = prng

    def order(self, k: int, cards: list[i64]) -> list[i64]:
        """Shuffle in place and give the same list."""
        self.prng.shuffle(cards)
        return cards

    def copy(self) -> Shuffles:
        """Give a source that goes on with the same orders."""
        return PrngShuffles(self.prng.copy())
