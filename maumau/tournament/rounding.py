"""How a figure is given: rounded once, here, so that the same numbers stand everywhere."""

from __future__ import annotations

import math

DIGITS = 6


def rounded(value: float) -> float | None:
    """Round to six places; None for what is not known or has no bound."""
    return round(float(value), DIGITS) + 0.0 if math.isfinite(value) else None
