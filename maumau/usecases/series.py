"""Play a few games on the author's machine as the arena plays them: same cage, limits, seatings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from maumau.arena.limits import Limits
from maumau.arena.play import BlockJob, ChunkJob, LegResult, play_chunk
from maumau.bots.base import Bot
from maumau.bots.play import play
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
    tally = Tally(rules, seats, blocks)
    for first in range(0, blocks, max(1, GAMES_AT_ONCE // seats)):
        some = range(first, min(blocks, first + max(1, GAMES_AT_ONCE // seats)))
        job = ChunkJob(
            rules,
            tuple(sources),
            tuple(names),
            tuple(
                BlockJob(block, f"{seed}:{block}", seatings(block, seats, games)) for block in some
            ),
            limits,
        )
        for leg in play_chunk(job, uploads=uploads).legs:
            fault = leg.fault.seat if leg.fault else None
            record = expand(leg.record, rules) if leg.fault else {}
            tally.add(leg.block, leg.seating, leg.ranks, leg.totals, fault, record)
        played(tally.games)
    return tally.series()


def play_exhibition(
    rules: RuleSet,
    bots: Sequence[type[Bot]],
    *,
    seed: str,
    games: int,
    played: Callable[[int], None] = lambda _: None,
) -> Series:
    """Play the same games with trusted bots in this process, where one may see all cards.

    Nothing limits the bots' time. Raises `InvalidInput` where the rules do not take so many seats.
    """
    seats = len(bots)
    tally = Tally(rules, seats, -(-games // seats))
    for block in range(-(-games // seats)):
        for seating in seatings(block, seats, games):
            game = play(rules, [bots[entrant] for entrant in seating], f"{seed}:{block}")
            fault = game.fault.seat if game.fault else None
            record = game.record() if game.fault else {}
            tally.add(block, seating, game.ranks, game.totals, fault, record)
            played(tally.games)
    return tally.series()


class Tally:
    """Adds up games of bots that play on the same seeds in turn at each seat."""

    def __init__(self, rules: RuleSet, seats: int, blocks: int) -> None:
        self.games = 0
        self._best: Literal["low", "high"] = (
            "low" if rules.data["game"]["best"] == "low" else "high"
        )
        self._sums = BlockSums(seats, blocks)
        self._faulty: dict[str, Any] | None = None

    def add(
        self,
        block: int,
        seating: Sequence[int],
        ranks: Sequence[int],
        totals: Sequence[int],
        fault: int | None,
        record: dict[str, Any],
    ) -> None:
        """Add a game; `fault` is the seat that forfeited, and then `record` the game's record."""
        self._sums.add_leg(block, seating, ranks, totals, fault=fault)
        if fault is not None and self._faulty is None:
            self._faulty = record
        self.games += 1

    def series(self) -> Series:
        """Give what came of it."""
        rows = rank(self._sums, best=self._best).rows
        in_order = tuple(sorted(rows, key=lambda row: row.entrant))
        return Series(in_order, self.games, self._faulty)


def seatings(block: int, seats: int, games: int) -> tuple[tuple[int, ...], ...]:
    """Give who sits where in each game of a block: each bot in turn at each seat."""
    legs = min(seats, games - block * seats)
    return tuple(tuple((seat + leg) % seats for seat in range(seats)) for leg in range(legs))


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
