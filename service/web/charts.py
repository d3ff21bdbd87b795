"""Charts drawn on the server as SVG: the same numbers as in the tables, for the eye."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

WIDTH: Final = 240
HEIGHT: Final = 22
HEAT_STEPS: Final = 10


@dataclass(frozen=True, slots=True)
class Scale:
    """Shares from `low` to `high` on an axis of `WIDTH`."""

    low: float
    high: float

    def x(self, share: float) -> float:
        """Give the place of a share on the axis."""
        whole = self.high - self.low or 1.0
        place = (share - self.low) / whole
        return round(6 + (WIDTH - 12) * min(1.0, max(0.0, place)), 1)


def scale_of(shares: Sequence[float | None]) -> Scale:
    """Give an axis on which all shares lie, in steps of a tenth."""
    known = [share for share in shares if share is not None]
    if not known:
        return Scale(0.0, 1.0)
    low = max(0, int(10 * min(known) - 0.01))
    high = min(10, int(10 * max(known) + 0.99))
    return Scale(low / 10, max(high, low + 1) / 10)


def heat(share: float | None) -> str:
    """Give the class of a share's colour, from `heat-0` (all lost) to `heat-10` (all won)."""
    return "heat-none" if share is None else f"heat-{round(HEAT_STEPS * min(1, max(0, share)))}"


def letters(rows: Sequence[str]) -> list[str]:
    """Give the group letters that occur, in order."""
    names = {name for row in rows for name in row.split()}
    return sorted(names, key=lambda name: (len(name), name))


def versus(cell: Mapping[str, Any]) -> float:
    """Give the part of the score of a pair that the first one took, half where nobody scored."""
    mine, other = cell["share"] or 0.0, cell["other_share"] or 0.0
    whole = mine + other
    return mine / whole if whole else 0.5
