"""Time and chance, as every walk is given them."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Gives the present moment, aware and in UTC."""

Entropy = Callable[[int], bytes]
"""Gives that many random bytes."""


def system_clock() -> datetime:
    """Give the present moment by the system's clock."""
    return datetime.now(UTC)


system_entropy: Entropy = os.urandom
