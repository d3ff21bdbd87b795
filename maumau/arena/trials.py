"""Seats for the check of a bot (maumau.bots.check), each bot in a child process under limits."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from types import TracebackType

from maumau.arena.clock import Clock, SystemClock
from maumau.arena.faults import TIMEOUT, Fault
from maumau.arena.launch import Launcher
from maumau.arena.limits import Limits
from maumau.arena.seats import ProcessSeat, think
from maumau.arena.wire import (
    DEAL_OVER,
    EVENTS,
    NEW_DEAL,
    WANTS_ENDS,
    WANTS_EVENTS,
    WANTS_STARTS,
    Ask,
    News,
    new_game,
)
from maumau.bots.source import BotSource
from maumau.bots.trial import Seat, SeatFault
from maumau.errors import BotError, Unavailable
from maumau.rules.actions import ACTIONS
from maumau.rules.deal import Deal, DealResult
from maumau.rules.ruleset import RuleSet
from maumau.settings import Uploads

MOST_GAMES = 1_000
"""Games that one process may play, for the kernel's own limit on its CPU."""
IDLE_NS = 500_000_000
"""A pause before an answer that counts as sleep; the host's own are shorter."""
MOST_IDLE_S = 30.0
"""Seconds that a bot may sleep in all: each decision has its limit, a check thousands of them."""


class Trials:
    """One bot in processes of its own, one for each rule set; a context manager.

    `seat` and `fresh` are the makers of seats that the check asks for. Raises Unavailable where a
    process may not or cannot be started, or the host fails.
    """

    def __init__(
        self,
        source: BotSource,
        *,
        limits: Limits | None = None,
        clock: Clock | None = None,
        uploads: Uploads = "sandbox",
        most_idle_s: float = MOST_IDLE_S,
        alive: Callable[[], None] = lambda: None,
    ) -> None:
        self.cpu_ns = 0
        """CPU that the bot has used for its decisions."""
        self.runtime = ""
        self.name = source.name
        self._source, self._alive = source, alive
        self._clock = clock or SystemClock()
        self._limits = limits or Limits()
        self._own = self._clock.process(os.getpid())
        self._most_idle_s = most_idle_s
        self._idle_ns = 0
        self._launcher = Launcher(self._limits, self._clock, uploads, games=MOST_GAMES)
        self._processes: dict[str, ProcessSeat] = {}
        self._log = ""
        self._games = 0

    def __enter__(self) -> Trials:
        self._launcher.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in self._processes.values():
            process.close()
        self._own.close()
        self._launcher.__exit__(kind, error, trace)

    def load(self, rules: RuleSet) -> None:
        """Start the bot once; raises BotError with the reason where that fails."""
        process = self._start(rules)
        try:
            if process.failure is not None:
                fault = process.failure.fault
                _not_the_hosts(fault)
                raise BotError(process.code or fault.kind, fault.detail)
            self.runtime, self.name = process.runtime, process.name
        finally:
            self._close(process)

    def seat(self, rules: RuleSet, seats: int, seat: int, seed: str) -> Seat:
        """Seat the bot for a game in the process that has played the games under these rules."""
        process = self._processes.get(rules.id)
        if process is None or process.failure is not None:
            if process is not None:
                self._close(process)
            process = self._processes[rules.id] = self._start(rules)
        return _TrialSeat(self, process, seats, seat, seed, last=False)

    def fresh(self, rules: RuleSet, seats: int, seat: int, seed: str) -> Seat:
        """Seat the bot for a game in a process of its own."""
        return _TrialSeat(self, self._start(rules), seats, seat, seed, last=True)

    def seconds(self) -> float:
        """Give the CPU time of all decisions so far: the clock for the check."""
        return self.cpu_ns / 1_000_000_000

    def log(self) -> str:
        """Give the last of what the bot printed."""
        return "".join(process.log() for process in self._processes.values()) or self._log

    def next_game(self) -> int:
        """Give the number of a new game."""
        self._games += 1
        return self._games

    def think(self, process: ProcessSeat) -> None:
        """Let the bot answer; raises SeatFault where its process fails."""
        waited = self._own.waited()
        think([process], self._clock, self._alive)
        self.cpu_ns += sum(process.cpu_ns)
        # What this process waited for a processor is no sleep of the bot's.
        idle = process.process.idle_ns - (self._own.waited() - waited)
        if idle > IDLE_NS:
            self._idle_ns += idle
        if process.failure is not None:
            self._fail(process.failure.fault)
        if self._idle_ns > self._most_idle_s * 1_000_000_000:
            detail = (
                f"slept more than {self._most_idle_s:g} s in all before its answers in this check"
            )
            raise SeatFault(TIMEOUT, detail)

    def _fail(self, fault: Fault) -> None:
        _not_the_hosts(fault)
        raise SeatFault(fault.kind, fault.detail)

    def _start(self, rules: RuleSet) -> ProcessSeat:
        process = self._launcher.start(self._source, rules, careful=True)
        think([process], self._clock, self._alive)
        return process

    def _close(self, process: ProcessSeat) -> None:
        self._log = process.log() or self._log
        process.close()

    def end(self, process: ProcessSeat) -> None:
        """Give up a process that played one game only."""
        self._close(process)


class _TrialSeat:
    """A bot at one seat of one game, behind the wire."""

    def __init__(
        self, trials: Trials, process: ProcessSeat, seats: int, seat: int, seed: str, *, last: bool
    ) -> None:
        self._trials, self._process, self._seat, self._last = trials, process, seat, last
        self._game = trials.next_game()
        self._news: list[News] = [new_game(seat, seats, seed)]
        self._told = 0
        if process.failure is not None:
            fault = process.failure.fault
            if last:
                trials.end(process)
            _not_the_hosts(fault)
            raise SeatFault(fault.kind, fault.detail)

    def start(self, deal: Deal) -> None:
        """Begin a deal in which nobody has acted yet."""
        wanted = self._process.wants & WANTS_STARTS
        now = deal.snapshot(self._seat) if wanted else None
        self._news.append([NEW_DEAL, deal.info(self._seat).to_wire(), now])
        self._told = 0

    def ask(self, deal: Deal) -> str:
        """Give the bot's action; it is not known yet whether it is legal."""
        self._add_events(deal)
        news, self._news = self._news, []
        self._process.begin([Ask(self._game, news, deal.snapshot(self._seat), [])])
        self._trials.think(self._process)
        answer = self._process.answers[0]
        if isinstance(answer, Fault):
            _not_the_hosts(answer)
            raise SeatFault(answer.kind, answer.detail)
        return ACTIONS[answer] if 0 <= answer < len(ACTIONS) else str(answer)

    def end(self, deal: Deal, result: DealResult) -> None:
        """End a deal."""
        if self._process.wants & (WANTS_EVENTS | WANTS_ENDS):
            self._add_events(deal)
        if self._process.wants & WANTS_ENDS:
            over = [result.end, result.finisher, result.hands, result.points, result.rating]
            self._news.append([DEAL_OVER, *over])

    def close(self) -> None:
        """End the game; what the bot does with its last news does not count."""
        if self._news and self._process.wants and self._process.failure is None:
            self._process.finish([Ask(self._game, self._news, [], [])])
            self._process.cpu_ns = []
            with contextlib.suppress(SeatFault):
                self._trials.think(self._process)
        if self._last:
            self._trials.end(self._process)

    def _add_events(self, deal: Deal) -> None:
        events = deal.events(self._seat, self._told)
        if events:
            self._news.append([EVENTS, events])
            self._told = deal.action_count


def _not_the_hosts(fault: Fault) -> None:
    if fault.is_host:
        raise Unavailable("host_fault", f"the host failed while a bot was checked: {fault.detail}")
