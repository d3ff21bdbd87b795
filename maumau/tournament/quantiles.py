"""Quantiles of Student's t, in plain Python (SciPy is not needed to run the arena)."""

from __future__ import annotations

from functools import lru_cache
from math import exp, lgamma, log


def t_tail(t: float, df: int) -> float:
    """Give the chance that Student's t with `df` degrees of freedom exceeds `t`.

    By the regularised incomplete beta function, as a continued fraction (Lentz).
    """
    if t < 0:
        return 1 - t_tail(-t, df)
    return 0.5 * _beta(df / (df + t * t), df / 2, 0.5)


@lru_cache(maxsize=4096)
def t_quantile(p: float, df: int) -> float:
    """Give the value that Student's t stays below with chance `p` (0 < p < 1)."""
    if p < 0.5:
        return -t_quantile(1 - p, df)
    low, high = 0.0, 2.0
    while t_tail(high, df) > 1 - p:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if t_tail(middle, df) > 1 - p else (low, middle)
    return (low + high) / 2


def _beta(x: float, a: float, b: float) -> float:
    """Give the regularised incomplete beta function I_x(a, b)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    tiny = 1e-300
    f, c, d = 1.0, 1.0, 0.0
    for i in range(500):
        m = i // 2
        if i == 0:
            term = 1.0
        elif i % 2 == 0:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / (1 + term * d or tiny)
        c = 1 + term / c or tiny
        f *= c * d
        if abs(1 - c * d) < 1e-15:
            break
    return front * (f - 1)
