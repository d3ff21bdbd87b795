"""Sixteen numbers side by side: the compiled engine adds such up without a list between."""

from __future__ import annotations


class Sixteen:
    """Sixteen numbers."""

    def __init__(self, numbers: list[float]) -> None:
        """Take up to sixteen numbers; the rest are zeros."""
        all_ = numbers + [0.0] * (16 - len(numbers))
        self.a: float = all_[0]
        self.b: float = all_[1]
        self.c: float = all_[2]
        self.d: float = all_[3]
        self.e: float = all_[4]
        self.f: float = all_[5]
        self.g: float = all_[6]
        self.h: float = all_[7]
        self.i: float = all_[8]
        self.j: float = all_[9]
        self.k: float = all_[10]
        self.l: float = all_[11]
        self.m: float = all_[12]
        self.n: float = all_[13]
        self.o: float = all_[14]
        self.p: float = all_[15]

    def take(self, other: Sixteen) -> None:
        """Become equal to others."""
        self.a = other.a
        self.b = other.b
        self.c = other.c
        self.d = other.d
        self.e = other.e
        self.f = other.f
        self.g = other.g
        self.h = other.h
        self.i = other.i
        self.j = other.j
        self.k = other.k
        self.l = other.l
        self.m = other.m
        self.n = other.n
        self.o = other.o
        self.p = other.p

    def add(self, x: float, other: Sixteen) -> None:
        """Add others, x times each."""
        self.a += x * other.a
        self.b += x * other.b
        self.c += x * other.c
        self.d += x * other.d
        self.e += x * other.e
        self.f += x * other.f
        self.g += x * other.g
        self.h += x * other.h
        self.i += x * other.i
        self.j += x * other.j
        self.k += x * other.k
        self.l += x * other.l
        self.m += x * other.m
        self.n += x * other.n
        self.o += x * other.o
        self.p += x * other.p

    def rectified(self, other: Sixteen) -> float:
        """Give the sum of those above 0, each times its number among others."""
        total = 0.0
        total += self.a * other.a if self.a > 0.0 else 0.0
        total += self.b * other.b if self.b > 0.0 else 0.0
        total += self.c * other.c if self.c > 0.0 else 0.0
        total += self.d * other.d if self.d > 0.0 else 0.0
        total += self.e * other.e if self.e > 0.0 else 0.0
        total += self.f * other.f if self.f > 0.0 else 0.0
        total += self.g * other.g if self.g > 0.0 else 0.0
        total += self.h * other.h if self.h > 0.0 else 0.0
        total += self.i * other.i if self.i > 0.0 else 0.0
        total += self.j * other.j if self.j > 0.0 else 0.0
        total += self.k * other.k if self.k > 0.0 else 0.0
        total += self.l * other.l if self.l > 0.0 else 0.0
        total += self.m * other.m if self.m > 0.0 else 0.0
        total += self.n * other.n if self.n > 0.0 else 0.0
        total += self.o * other.o if self.o > 0.0 else 0.0
        total += self.p * other.p if self.p > 0.0 else 0.0
        return total
