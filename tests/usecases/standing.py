"""What the walks are given in tests: a clock that stands still."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest


@dataclass
class StandingClock:
    """A clock that a test turns."""

    now: datetime = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def turn(self, **by: float) -> None:
        self.now += timedelta(**by)


EITHER_DATABASE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
"""For tests of what is decided before the database is asked: one kind is enough."""
