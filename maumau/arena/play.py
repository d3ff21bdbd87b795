"""Play a chunk: every leg of its blocks, each entrant in a process of its own per leg.

What comes out depends on seeds, entrants and rules only (docs/sandbox.md, "Same bytes"): a game
that was lost with a process is played again from its seed, in new processes, without the game
that the process failed at.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from maumau.arena.clock import Clock, SystemClock
from maumau.arena.launch import Launcher
from maumau.arena.leg import Attempt, GamePlan, Table, play_games
from maumau.arena.limits import Limits
from maumau.arena.seats import ProcessSeat, think
from maumau.arena.wire import Ask
from maumau.bots.source import BotSource
from maumau.errors import InvalidInput, Problem, Unavailable
from maumau.rules.ruleset import RuleSet
from maumau.settings import Uploads
from maumau.wording import counted, span

HOST_ATTEMPTS: Final = 5
"""How often in a row the host may fail before the chunk is given back."""


@dataclass(frozen=True, slots=True)
class BlockJob:
    """A block to be played: its number, its seed, and for each leg the entrant at each seat."""

    block: int
    seed: str
    seatings: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class ChunkJob:
    """A chunk to be played; entrants are indices into `sources` and `names`."""

    rules: RuleSet
    sources: tuple[BotSource, ...]
    names: tuple[str, ...]
    blocks: tuple[BlockJob, ...]
    limits: Limits


@dataclass(frozen=True, slots=True)
class FaultResult:
    """The fault that ended a game: which decision (both from 0), what was seen, the bot's log."""

    seat: int
    kind: str
    detail: str
    deal: int
    action: int
    seen: str
    log: str


@dataclass(frozen=True, slots=True)
class LegResult:
    """One game: `seating` is the entrant at each seat, `record` the compact record."""

    block: int
    leg: int
    seating: tuple[int, ...]
    record: bytes
    totals: tuple[int, ...]
    ranks: tuple[int, ...]
    deals: int
    fault: FaultResult | None


@dataclass(frozen=True, slots=True)
class ChunkResult:
    """All games of a chunk, by block and leg.

    `host_faults` counts attempts that the host spoilt, `decisions` those that were asked in the
    games as they stand, `runtimes` says for each entrant what its process ran on.
    """

    legs: tuple[LegResult, ...]
    host_faults: int
    decisions: int
    runtimes: tuple[str, ...]


def play_chunk(
    job: ChunkJob,
    *,
    clock: Clock | None = None,
    uploads: Uploads = "sandbox",
    cage_plugins: bool = False,
    alive: Callable[[], None] = lambda: None,
) -> ChunkResult:
    """Play a chunk.

    `alive` is called often, at least a few times a second, while it goes on; what it raises ends
    the play. Raises InvalidInput for a job that does not fit its rules, Unavailable where uploaded
    bots cannot be run safely or the host fails again and again.
    """
    _check(job)
    with Launcher(
        job.limits,
        clock or SystemClock(),
        uploads,
        games=len(job.blocks),
        cage_plugins=cage_plugins,
    ) as launcher:
        player = _ChunkPlayer(job, launcher, alive)
        return player.play()


class _ChunkPlayer:
    def __init__(self, job: ChunkJob, launcher: Launcher, alive: Callable[[], None]) -> None:
        self._job = job
        self._launcher = launcher
        self._alive = alive
        self._host_faults = 0
        self._decisions = 0
        self._runtimes = [""] * len(job.sources)

    def play(self) -> ChunkResult:
        results: list[LegResult] = []
        for leg in range(max(len(block.seatings) for block in self._job.blocks)):
            results += self._play_leg(leg)
        results.sort(key=lambda result: (result.block, result.leg))
        return ChunkResult(
            tuple(results), self._host_faults, self._decisions, tuple(self._runtimes)
        )

    def _play_leg(self, leg: int) -> list[LegResult]:
        """Play one leg of every block; what a failed process took with it is played again."""
        pending = {
            key: GamePlan(key, block.seed, block.seatings[leg])
            for key, block in enumerate(self._job.blocks)
            if leg < len(block.seatings)
        }
        results: list[LegResult] = []
        careful: set[int] = set()
        in_a_row = 0
        while pending:
            with self._seats(careful) as seats:
                tables, attempt = self._attempt(list(pending.values()), seats)
                over = attempt.over + _forfeited(tables, attempt, careful)
                if not attempt.failures:
                    self._tell_ends(over, seats)
                for table in over:
                    results.append(self._result(table, leg))
                    self._alive()
                    self._decisions += table.decisions
                    del pending[table.plan.key]
            if any(failure.fault.is_host for failure in attempt.failures.values()):
                self._host_faults += 1
                in_a_row = 0 if over else in_a_row + 1
                if in_a_row == HOST_ATTEMPTS:
                    raise _given_up(attempt)
        return results

    def _attempt(
        self, plans: Sequence[GamePlan], seats: Sequence[ProcessSeat]
    ) -> tuple[list[Table], Attempt]:
        think(seats, self._launcher.clock, self._alive)
        for entrant, seat in enumerate(seats):
            self._runtimes[entrant] = seat.runtime or self._runtimes[entrant]
        wants = [seat.wants for seat in seats]
        tables = [Table(plan, self._job.rules, self._job.names, wants) for plan in plans]
        failed = {e: seat.failure for e, seat in enumerate(seats) if seat.failure is not None}
        if not failed:
            return tables, play_games(tables, seats, self._launcher.clock, self._alive)
        attempt = Attempt(failures=failed, logs={e: seats[e].log() for e in failed})
        if not any(failure.fault.is_host for failure in failed.values()):
            for table in tables:
                seat_number = min(map(table.plan.seating.index, failed))
                entrant = table.plan.seating[seat_number]
                table.forfeit(seat_number, failed[entrant].fault, attempt.logs[entrant])
                attempt.over.append(table)
        return tables, attempt

    @contextlib.contextmanager
    def _seats(self, careful: set[int]) -> Iterator[list[ProcessSeat]]:
        """Start a process for each entrant; all of them end here."""
        seats: list[ProcessSeat] = []
        try:
            for entrant, source in enumerate(self._job.sources):
                seats.append(
                    self._launcher.start(source, self._job.rules, careful=entrant in careful)
                )
            yield seats
        finally:
            for seat in seats:
                seat.close()

    def _tell_ends(self, over: Sequence[Table], seats: Sequence[ProcessSeat]) -> None:
        """Let the bots know how their games ended; nothing that they do now counts."""
        news: dict[int, list[Ask]] = {}
        for table in over:
            for entrant, items in table.last_news().items():
                if seats[entrant].wants and not table.fault:
                    news.setdefault(entrant, []).append(Ask(table.plan.key, items, [], []))
        for entrant, asks in news.items():
            seats[entrant].finish(asks)
        think([seats[entrant] for entrant in news], self._launcher.clock, self._alive)

    def _result(self, table: Table, leg: int) -> LegResult:
        game, plan = table.game, table.plan
        fault = None
        if table.fault is not None and game.fault is not None:
            at = game.fault
            fault = FaultResult(
                at.seat, at.kind, at.detail, at.deal, at.action, table.fault.seen, table.log
            )
        return LegResult(
            block=self._job.blocks[plan.key].block,
            leg=leg,
            seating=plan.seating,
            record=game.compact(),
            totals=tuple(game.totals),
            ranks=tuple(game.ranks),
            deals=len(game.deals),
            fault=fault,
        )


def _forfeited(tables: Sequence[Table], attempt: Attempt, careful: set[int]) -> list[Table]:
    """Forfeit the games at which processes failed; where that is not clear, go carefully next."""
    found: list[Table] = []
    for entrant, failure in attempt.failures.items():
        if failure.fault.is_host:
            continue
        if failure.game is None:
            careful.add(entrant)
            continue
        table = next(table for table in tables if table.plan.key == failure.game)
        if not table.game.over:
            seat = table.plan.seating.index(entrant)
            table.forfeit(seat, failure.fault, attempt.logs[entrant])
            found.append(table)
    return found


def _given_up(attempt: Attempt) -> Unavailable:
    details = {f.fault.detail for f in attempt.failures.values() if f.fault.is_host}
    message = f"the host failed {HOST_ATTEMPTS} times in a row: {'; '.join(sorted(details))}"
    return Unavailable("host_fault", message)


def _check(job: ChunkJob) -> None:
    """Refuse a job that cannot be played."""
    problems: list[Problem] = []
    if not job.blocks:
        problems.append(Problem("blocks", "must not be empty"))
    if len(job.names) != len(job.sources):
        problems.append(Problem("names", f"must name {counted(len(job.sources), 'entrant')}"))
    fewest, most = job.rules.players
    entrants = set(range(len(job.sources)))
    for at, block in enumerate(job.blocks):
        for leg, seating in enumerate(block.seatings):
            path = f"blocks[{at}].seatings[{leg}]"
            if len(set(seating)) != len(seating) or set(seating) != entrants:
                problems.append(Problem(path, "must seat every entrant once"))
            elif not fewest <= len(seating) <= most:
                problems.append(Problem(path, f"must have {span(fewest, most)} seats"))
    if problems:
        raise InvalidInput(problems)
