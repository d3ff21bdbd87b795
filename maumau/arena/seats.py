"""An entrant at its seats in all games of a leg: in its own process, or in this one.

Whoever plays gives a seat the decisions due (`begin`), lets all seats think (`think`), and reads
`answers`, or `failure` where the process is of no use any more.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from typing import Final, Protocol

from maumau.arena import faults, wire
from maumau.arena.botgames import BotGames, wanted
from maumau.arena.clock import Clock
from maumau.arena.faults import Fault
from maumau.arena.process import Allowed, BotProcess
from maumau.arena.wait import settle
from maumau.arena.wire import Ask, WireError
from maumau.bots.base import Bot
from maumau.bots.source import BotSource
from maumau.rules.ruleset import RuleSet

_MS: Final = 1_000_000
FIRST_BATCH: Final = 4
FIRST_COST_NS: Final = 200_000
"""What a decision is taken to cost before there was one: bots that think long begin together."""
GROWTH: Final = 8
"""How many times larger the next batch may be."""
BATCH_SHARE: Final = 4
"""A batch is made so large that it should cost a quarter of one decision's limit."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a process is given up; `game` is the one whose decision it was, None if not clear."""

    fault: Fault
    game: int | None


class Seat(Protocol):
    """What plays a leg's games for one entrant."""

    wants: int
    answers: list[int | Fault]
    failure: Failure | None
    cost_ns: int
    """CPU that a decision is expected to need."""

    def begin(self, asks: list[Ask]) -> None:
        """Take the decisions due."""
        ...

    def close(self) -> None:
        """End it."""
        ...

    def log(self) -> str:
        """Give the last of what the bot printed."""
        ...


class LocalSeat:
    """A trusted bot in this process: no limits, and no protection from what it does."""

    def __init__(self, bot: type[Bot], rules: RuleSet) -> None:
        self.wants = wanted(bot)
        self.answers: list[int | Fault] = []
        self.failure: Failure | None = None
        self.cost_ns = 0
        self._games = BotGames(bot, rules)

    def begin(self, asks: list[Ask]) -> None:
        """Take the decisions due and decide them."""
        actions, reported = self._games.ask(asks)
        self.answers = list(actions)
        for at, kind, detail in reported:
            self.answers[at] = Fault(kind, detail)

    def close(self) -> None:
        """Let the bot's objects go."""

    def log(self) -> str:
        """Give nothing: what a trusted bot prints is not caught."""
        return ""


class ProcessSeat:
    """A bot in a process of its own, under limits.

    Many decisions travel in one message. Only where a message carries one alone can the arena say
    for sure which decision a process failed at; `careful` sends them so. A timeout counts only
    there, so that it has been seen twice: the host may stop for a moment that its clocks call CPU.
    """

    def __init__(
        self, process: BotProcess, source: BotSource, rules: RuleSet, *, path: str, careful: bool
    ) -> None:
        self.wants = 0
        self.runtime = ""
        self.name = source.name
        """What the bot calls itself."""
        self.code = ""
        """Why the bot was refused, as a `BotError` names it."""
        self.answers: list[int | Fault] = []
        self.failure: Failure | None = None
        self.cost_ns = FIRST_COST_NS
        self.process = process
        self.cpu_ns: list[int] = []
        """CPU of each decision of the last `begin`; shared equally within a message."""
        self._limits = process.limits
        self._careful = careful
        self._reported = False
        self._started = False
        self._batch = 1 if careful else FIRST_BATCH
        self._asks: list[Ask] = []
        self._sent = 0
        self._game_cpu: dict[int, int] = {}
        self._next = self._read_report
        self._nonce = _nonce()
        start = wire.Start(
            wire.VERSION,
            self._nonce,
            source.kind,
            source.name,
            source.entry,
            path,
            rules.canonical,
            rules.name,
        )
        limits = self._limits
        self._starting = Allowed.of(limits.start_ms, limits.wall_ms, "start")
        self._deciding = Allowed.of(limits.decision_ms, limits.wall_ms, "decision")
        process.begin(wire.start_request(start), self._starting)

    def begin(self, asks: list[Ask]) -> None:
        """Take the decisions due and send the first of them."""
        self.answers, self.cpu_ns = [], []
        self._asks = asks
        self._send()

    def finish(self, asks: list[Ask]) -> None:
        """Send last news, which ask for nothing."""
        self._asks, self._sent = [], 0
        self._nonce = _nonce()
        self._next = self._read_answers
        self.process.begin(wire.request(self._nonce, wire.END, asks), self._deciding)

    def answered(self) -> None:
        """Read the process's answer and send what is next."""
        try:
            self._next(self.process.take())
        except WireError as error:
            self._fail(wire.protocol_fault(error))

    def settled(self) -> None:
        """Make a failure of the process's fault, if it has one."""
        if self.process.fault is not None:
            self._fail(self.process.fault)

    def close(self) -> None:
        """End the process."""
        self.process.end()

    def log(self) -> str:
        """Give the last of what the bot printed."""
        return self.process.log()

    def _read_report(self, body: bytearray) -> None:
        problem = wire.read_report(body)
        if problem:
            self._fail(Fault(faults.HOST, f"the process could not be locked down: {problem}"))
            return
        self._reported = True
        self._next = self._read_ready
        self.process.begin(None, self._starting)

    def _read_ready(self, body: bytearray) -> None:
        ready = wire.read_ready(body, self._nonce)
        if ready.problem_kind:
            self.code = ready.code
            self._fail(Fault(ready.problem_kind, faults.clean(ready.problem)))
            return
        if self.process.spent_ns > self._starting.cpu_ns:
            self._fail(Fault(faults.START, _too_long(self._limits.start_ms, "start")))
            return
        self.wants = ready.wants
        # The process uses this very SDK; of itself it can say which Python it runs on.
        self.runtime = f"{faults.clean(ready.runtime)[:60]}, maumau {_sdk_version()}"
        self.name = self.name or faults.clean(ready.name)[:40]
        self._started = True

    def _send(self) -> None:
        due = self._asks[len(self.answers) : len(self.answers) + self._batch]
        self._sent = len(due)
        self._nonce = _nonce()
        self._next = self._read_answers
        self.process.begin(wire.request(self._nonce, wire.ASK, due), self._deciding)

    def _read_answers(self, body: bytearray) -> None:
        given = wire.read_answers(body, self._nonce, self._sent)
        answers: list[int | Fault] = list(given.actions)
        for at, fault in given.faults.items():
            answers[at] = fault
            if fault.kind == faults.MEMORY:
                # The process is not to be trusted with more.
                self._fail(fault, self._asks[len(self.answers) + at].game)
                return
        if self._sent and self._judge_cpu(answers):
            return
        self.answers += answers
        if len(self.answers) < len(self._asks):
            self._send()

    def _judge_cpu(self, answers: list[int | Fault]) -> bool:
        """Charge what the answers cost; True if that gives the process up."""
        spent, limits = self.process.spent_ns, self._limits
        each = spent // self._sent
        self.cost_ns = (self.cost_ns + each) // 2
        over, detail = spent > limits.decision_ms * _MS, ""
        for ask in self._asks[len(self.answers) : len(self.answers) + self._sent]:
            used = self._game_cpu[ask.game] = self._game_cpu.get(ask.game, 0) + each
            if used > limits.game_ms * _MS:
                over, detail = True, _too_long(limits.game_ms, "game")
        if over and not detail:
            detail = _too_long(limits.decision_ms, "decision")
        self.cpu_ns += [each] * self._sent
        if over and not self._careful:
            self._fail(Fault(faults.TIMEOUT, detail))
            return True
        if over:
            answers[0] = Fault(faults.TIMEOUT, detail, f"it used {spent // _MS} ms")
        elif not self._careful:
            affordable = limits.decision_ms * _MS // BATCH_SHARE // max(each, 1)
            self._batch = max(1, min(affordable, self._sent * GROWTH, len(self._asks)))
        return False

    def _fail(self, fault: Fault, game: int | None = None) -> None:
        if self.failure is None:
            if not self._reported and not fault.is_host:
                # None of the bot's code has run yet.
                fault = Fault(faults.HOST, f"the process did not begin: {fault.detail}")
            elif not self._started and not fault.is_host:
                fault = Fault(faults.START, fault.detail, fault.seen)
            # A clock may run ahead once: a decision is too slow only if it is so again.
            unsure = fault.kind == faults.TIMEOUT and not self._careful
            if game is None and self._sent == 1 and not unsure:
                game = self._asks[len(self.answers)].game
            self.failure = Failure(fault, game)
            self.process.fail(fault)


def think(seats: Sequence[Seat], clock: Clock, alive: Callable[[], None]) -> None:
    """Let all seats answer what they were asked, those in processes side by side."""
    owners = {seat.process: seat for seat in seats if isinstance(seat, ProcessSeat)}
    if owners:
        settle(list(owners), lambda process: owners[process].answered(), alive, clock)
        for seat in owners.values():
            seat.settled()


@cache
def _sdk_version() -> str:
    try:
        return metadata.version("maumau-arena")
    except metadata.PackageNotFoundError:
        return "of no version"


def _nonce() -> int:
    # Nothing shared: several threads may play.
    return int.from_bytes(os.urandom(8), "little")


def _too_long(limit_ms: int, what: str) -> str:
    return f"used more than {limit_ms} ms of CPU for one {what}"
