"""Stopping early without fooling oneself: judged at fixed looks, by bounds that hold at all.

The bounds are those of `intervals.factor(…, repeated=True)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from maumau.tournament import intervals
from maumau.tournament.moments import ratio
from maumau.tournament.prefix import first_verdict
from maumau.tournament.sprt import decide, scores_of
from maumau.tournament.standings import better
from maumau.tournament.stop_rules import StopRule, load_stop_rule
from maumau.tournament.sums import SHARE_UNITS, BlockSums

__all__ = ["StopRule", "load_stop_rule", "looks", "stops_at"]

FIRST_LOOK = 10
_NOBODY: Mapping[int, int] = MappingProxyType({})
GROWTH = 1.1


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
    sums: BlockSums,
    rule: StopRule,
    *,
    complete: int,
    suspended: Mapping[int, int] = _NOBODY,
    pair: tuple[int, int] | None = None,
) -> int | None:
    """Give the number of blocks at which the tournament ends early, if it does.

    Judged on complete prefixes: `complete` blocks, from the first on, are played by all their
    line-ups. Later blocks are to be discarded, and the standings made with `repeated=True`. Of
    entrants that were `suspended` after so many blocks no more will be known: nobody waits for it.
    `pair` is `rule.pair` of the entrants' labels.
    """
    if rule.kind == "blocks":
        return None
    if pair is not None:
        return _decided_at(sums, rule, pair, complete=complete, suspended=suspended)
    found = first_verdict(
        sums,
        lambda part: _is_enough(part, rule, suspended) or None,
        at=looks(sums.blocks),
        complete=complete,
    )
    return found[0] if found else None


def _decided_at(
    sums: BlockSums,
    rule: StopRule,
    pair: tuple[int, int],
    *,
    complete: int,
    suspended: Mapping[int, int],
) -> int | None:
    """Give the first block after which the sequential test is decided, or has nobody to test.

    It may be judged after every block, and each score depends on its block alone, so one walk over
    the complete ones does.
    """
    assert rule.test is not None
    played = (sums.column("games")[:complete, list(pair)] > 0).all(axis=1)
    tested = decide(scores_of(sums.first_blocks(complete), *pair), rule.test)
    gone = [max(after, FIRST_LOOK) for one, after in suspended.items() if one in pair]
    ends = [after for after in gone if after <= complete]
    if tested.verdict != "undecided":
        ends.append(int(np.flatnonzero(played)[tested.seeds - 1]) + 1)
    end = min(ends, default=sums.blocks)
    return end if end < sums.blocks else None


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
