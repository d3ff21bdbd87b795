"""Play a few games on the author's machine as the arena plays them: same cage, limits, seatings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from maumau.arena.limits import Limits
from maumau.arena.play import BlockJob, ChunkJob, LegResult, play_chunk
from maumau.bots.source import BotSource
from maumau.rules.compact import expand
from maumau.rules.ruleset import RuleSet
from maumau.settings import Uploads
from maumau.tournament.standings import Row, rank
from maumau.tournament.sums import BlockSums

GAMES_AT_ONCE = 64
"""As many as a chunk has, about."""


@dataclass(frozen=True, slots=True)
class Series:
    """What came of it: a row for each bot in the order given, the first game with a fault."""

    rows: tuple[Row, ...]
    games: int
    faulty: dict[str, Any] | None


def play_series(
    rules: RuleSet,
    sources: Sequence[BotSource],
    names: Sequence[str],
    *,
    seed: str,
    games: int,
    limits: Limits,
    uploads: Uploads,
    played: Callable[[int], None] = lambda _: None,
) -> Series:
    """Play so many games; every seed is played from all seats, each bot in turn at each.

    `played` is told how many games are over. The last seed is left unfinished where the games do
    not come out even. Raises `InvalidInput` where the rules do not take so many seats,
    `Unavailable` where the bots cannot be run.
    """
    seats = len(sources)
    blocks = -(-games // seats)
    sums = BlockSums(seats, blocks)
    faulty: dict[str, Any] | None = None
    over = 0
    for first in range(0, blocks, max(1, GAMES_AT_ONCE // seats)):
        some = range(first, min(blocks, first + max(1, GAMES_AT_ONCE // seats)))
        job = ChunkJob(
            rules,
            tuple(sources),
            tuple(names),
            tuple(_block(block, f"{seed}:{block}", seats, games) for block in some),
            limits,
        )
        for leg in play_chunk(job, uploads=uploads).legs:
            fault = leg.fault.seat if leg.fault else None
            sums.add_leg(leg.block, leg.seating, leg.ranks, leg.totals, fault=fault)
            if leg.fault and faulty is None:
                faulty = expand(leg.record, rules)
            over += 1
        played(over)
    rows = rank(sums, best="low" if rules.data["game"]["best"] == "low" else "high").rows
    return Series(tuple(sorted(rows, key=lambda row: row.entrant)), games, faulty)


def _block(block: int, seed: str, seats: int, games: int) -> BlockJob:
    legs = min(seats, games - block * seats)
    seatings = tuple(tuple((seat + leg) % seats for seat in range(seats)) for leg in range(legs))
    return BlockJob(block, seed, seatings)


def play_one(
    rules: RuleSet,
    sources: Sequence[BotSource],
    names: Sequence[str],
    *,
    seed: str,
    limits: Limits,
    uploads: Uploads,
) -> tuple[LegResult, dict[str, Any]]:
    """Play one game with the bots in the order given; its result and its record."""
    block = BlockJob(0, seed, (tuple(range(len(sources))),))
    job = ChunkJob(rules, tuple(sources), tuple(names), (block,), limits)
    (leg,) = play_chunk(job, uploads=uploads).legs
    return leg, expand(leg.record, rules)
