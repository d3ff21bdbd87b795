"""Which entrants are suspended for faults, and after how many blocks.

An entrant is suspended after the first block at which it has played enough games and has forfeited
more than the set share of them. Blocks are judged in their order, each with all of its line-ups, so
that the verdict is the same whoever played when (see `prefix`). The games so far stay; line-ups of
a suspended entrant play no later block, and what they have played of these is discarded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final, NamedTuple

FAULT_SHARE: Final = 0.5
"""The share of its games beyond which an entrant is suspended, where a tournament sets none."""

LEAST_GAMES: Final = 20
"""Nobody is suspended on fewer games."""


class Played(NamedTuple):
    """A block of a line-up that was played: its games, and those that each entrant forfeited."""

    block: int
    line_up: Sequence[int]
    games: int
    faults: Sequence[int]


def suspended(
    played: Iterable[Played], *, fault_share: float | None, complete: int
) -> dict[int, int]:
    """Give the suspended entrants, each with the number of blocks that count for it.

    `complete` blocks from the first on are played by all their line-ups; later ones are not looked
    at. `fault_share` None suspends nobody.
    """
    found: dict[int, int] = {}
    if fault_share is None:
        return found
    most = Fraction(repr(fault_share))
    games: dict[int, int] = {}
    faults: dict[int, int] = {}
    ordered = sorted(played, key=lambda one: (one.block, *one.line_up))
    for block, rows in groupby(ordered, key=lambda one: one.block):
        if block >= complete:
            break
        for row in rows:
            if any(entrant in found for entrant in row.line_up):
                continue
            for entrant, forfeited in zip(row.line_up, row.faults, strict=True):
                games[entrant] = games.get(entrant, 0) + row.games
                faults[entrant] = faults.get(entrant, 0) + forfeited
        for entrant, count in games.items():
            if entrant not in found and count >= LEAST_GAMES and faults[entrant] > most * count:
                found[entrant] = block + 1
    return found
