"""Stopping early without fooling oneself: judged at fixed looks, by bounds that hold at all.

The bounds are those of `intervals.factor(…, repeated=True)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from maumau.errors import InvalidInput, Problem
from maumau.tournament import intervals
from maumau.tournament.moments import ratio
from maumau.tournament.prefix import first_verdict
from maumau.tournament.standings import better
from maumau.tournament.sums import SHARE_UNITS, BlockSums

FIRST_LOOK = 10
_NOBODY: Mapping[int, int] = MappingProxyType({})
GROWTH = 1.1


@dataclass(frozen=True, slots=True)
class StopRule:
    """When a tournament may end before its last block.

    `blocks`: never. `separated`: when no two entrants are left unseparated. `half_width`: when
    every share is known to within `half_width`. Raises `InvalidInput`.
    """

    kind: Literal["blocks", "separated", "half_width"] = "blocks"
    half_width: float | None = None

    def __post_init__(self) -> None:
        if self.kind not in ("blocks", "separated", "half_width"):
            raise InvalidInput(
                [Problem("kind", f'{self.kind!r}; give "blocks", "separated" or "half_width"')]
            )
        wanted = self.kind == "half_width"
        if wanted and not (self.half_width is not None and 0 < self.half_width < 0.5):
            raise InvalidInput([Problem("half_width", "give a share above 0 and below 0.5")])
        if not wanted and self.half_width is not None:
            raise InvalidInput([Problem("half_width", 'goes only with kind "half_width"')])

    @property
    def repeated(self) -> bool:
        """Whether the tournament is looked at again and again: its intervals must allow for it."""
        return self.kind != "blocks"

    def to_dict(self) -> dict[str, Any]:
        """Give plain JSON values."""
        if self.half_width is None:
            return {"kind": self.kind}
        return {"kind": self.kind, "half_width": self.half_width}


KEYS = ("kind", "half_width")


def load_stop_rule(value: object) -> StopRule:
    """Read a stop rule: None for playing all blocks, or an object with `kind` and `half_width`.

    Raises `InvalidInput` with the path of each wrong value.
    """
    if value is None:
        return StopRule()
    if not isinstance(value, Mapping) or "kind" not in value:
        raise InvalidInput(
            [Problem("", 'must be null, {"kind": "separated"} or the like (docs/standings.md)')]
        )
    unknown = [Problem(str(key)[:60], "is not known here") for key in value if key not in KEYS]
    if unknown:
        raise InvalidInput(unknown)
    width = value.get("half_width")
    if isinstance(width, bool) or not isinstance(width, int | float | None):
        raise InvalidInput([Problem("half_width", "give a share above 0 and below 0.5")])
    return StopRule(value["kind"], width)


def looks(blocks: int) -> list[int]:
    """Give the numbers of blocks at which a tournament of so many is judged.

    They are a function of the plan alone, so that it ends at the same block whoever plays when.
    """
    found, at = [], float(FIRST_LOOK)
    while round(at) < blocks:
        found.append(round(at))
        at = max(at + 1, at * GROWTH)
    return found


def stops_at(
    sums: BlockSums, rule: StopRule, *, complete: int, suspended: Mapping[int, int] = _NOBODY
) -> int | None:
    """Give the number of blocks at which the tournament ends early, if it does.

    Judged on complete prefixes: `complete` blocks, from the first on, are played by all their
    line-ups. Later blocks are to be discarded, and the standings made with `repeated=True`. Of
    entrants that were `suspended` after so many blocks no more will be known: nobody waits for it.
    """
    if rule.kind == "blocks":
        return None
    found = first_verdict(
        sums,
        lambda part: _is_enough(part, rule, suspended) or None,
        at=looks(sums.blocks),
        complete=complete,
    )
    return found[0] if found else None


def _is_enough(sums: BlockSums, rule: StopRule, suspended: Mapping[int, int]) -> bool:
    shares = ratio(sums.column("units"), sums.column("games"), SHARE_UNITS)
    never = sums.blocks + 1
    plays = np.array([suspended.get(e, never) > sums.blocks for e in range(sums.entrants)])
    if rule.kind == "separated":
        ahead = better(shares, repeated=True)
        apart = ahead | ahead.T | np.eye(sums.entrants, dtype=bool)
        return bool(apart[np.ix_(plays, plays)].all())
    assert rule.half_width is not None
    low, high = intervals.share_intervals(
        shares.value, np.diag(shares.covariance), shares.seeds, repeated=True
    )
    return bool(((high - low)[plays] / 2 <= rule.half_width).all())
