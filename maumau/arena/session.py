"""Hold one bot in a process and ask it single positions: for the check, for replays, for the probe.

Whole games are played by `play.play_chunk`; here every decision is measured by itself, and a
process that fails is replaced by a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType

from maumau.arena.clock import Clock, SystemClock
from maumau.arena.faults import Fault
from maumau.arena.launch import Launcher
from maumau.arena.leg import not_legal
from maumau.arena.limits import Limits
from maumau.arena.seats import ProcessSeat, think
from maumau.arena.wire import NEW_DEAL, Ask, News, new_game
from maumau.bots.source import BotSource
from maumau.errors import Unavailable
from maumau.rules.actions import ACTIONS
from maumau.rules.deal import Deal
from maumau.rules.ruleset import RuleSet
from maumau.settings import Uploads


@dataclass(frozen=True, slots=True)
class Position:
    """A decision to be asked: what the seat to act knows, and its legal actions as indices.

    `seed` is the game's, from which the bot's rng is seeded.
    """

    seat: int
    seats: int
    seed: str
    legal: tuple[int, ...]
    info: list[object]
    started: list[int]
    events: list[int]
    now: list[int]

    @staticmethod
    def of(deal: Deal, seed: str) -> Position:
        """Take the position of a deal that is not over; the deal may go on afterwards."""
        seat = deal.seat
        begin = Deal.from_order(
            deal.rules,
            deal.seats,
            deal.leader,
            deal.order(),
            number=deal.number,
            totals=deal.totals,
        )
        return Position(
            seat=seat,
            seats=deal.seats,
            seed=seed,
            legal=tuple(deal.legal_ids()),
            info=deal.info(seat).to_wire(),
            started=begin.snapshot(seat),
            events=deal.events(seat, 0),
            now=deal.snapshot(seat),
        )

    def ask(self, game: int) -> Ask:
        """Give the question that puts it to a new object of the bot."""
        news: list[News] = [
            new_game(self.seat, self.seats, self.seed),
            [NEW_DEAL, self.info, self.started],
        ]
        return Ask(game, news, self.now, self.events)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a bot said to a position: a legal action, or None and the fault; its CPU time."""

    action: str | None
    fault: Fault | None
    cpu_ns: int


class Session:
    """One bot in a process of its own, under limits; a context manager.

    Raises Unavailable, when entered or asked, where its process may not or cannot be started.
    """

    def __init__(
        self,
        source: BotSource,
        rules: RuleSet,
        *,
        limits: Limits | None = None,
        clock: Clock | None = None,
        uploads: Uploads = "sandbox",
        caged: bool | None = None,
        alive: Callable[[], None] = lambda: None,
    ) -> None:
        """`caged` True or False goes before `uploads`."""
        self._source = source
        self._rules = rules
        self._caged = caged
        self._alive = alive
        self._launcher = Launcher(limits or Limits(), clock or SystemClock(), uploads)
        self._seat: ProcessSeat | None = None
        self._game = 0
        self.failed = 0
        """How many processes have failed."""

    def __enter__(self) -> Session:
        self._launcher.__enter__()
        try:
            self._begin()
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._seat is not None:
            self._seat.close()
        self._launcher.__exit__(kind, error, trace)

    @property
    def start_fault(self) -> Fault | None:
        """Why the bot could not be started, None if it was."""
        failure = self._process.failure
        return failure.fault if failure is not None else None

    @property
    def refusal(self) -> str:
        """The code of the `BotError` by which the bot was refused, "" if that is not why."""
        return self._process.code

    @property
    def runtime(self) -> str:
        """What the bot's process runs on."""
        return self._process.runtime

    def log(self) -> str:
        """Give the last of what the bot's present process printed."""
        return self._process.log()

    def ask(self, position: Position) -> Answer:
        """Ask one position; after a failed process, in a new one."""
        seat = self._process
        if seat.failure is not None:
            seat = self._restart()
        self._game += 1
        seat.begin([position.ask(self._game)])
        think([seat], self._launcher.clock, self._alive)
        if seat.failure is not None:
            self.failed += 1
            return Answer(None, seat.failure.fault, seat.process.spent_ns)
        answer, cpu = seat.answers[0], seat.cpu_ns[0]
        if isinstance(answer, Fault):
            return Answer(None, answer, cpu)
        if answer not in position.legal:
            return Answer(None, not_legal(answer, position.legal), cpu)
        return Answer(ACTIONS[answer], None, cpu)

    def ask_all(self, positions: Sequence[Position], *, most_failed: int = 3) -> list[Answer]:
        """Ask positions in order; fewer answers than positions after `most_failed` processes."""
        answers: list[Answer] = []
        for position in positions:
            answers.append(self.ask(position))
            if self.failed >= most_failed:
                break
        return answers

    @property
    def _process(self) -> ProcessSeat:
        assert self._seat is not None, "the session is not entered"
        return self._seat

    def _restart(self) -> ProcessSeat:
        self._process.close()
        self._begin()
        if self._process.failure is not None:
            fault = self._process.failure.fault
            raise Unavailable("host_fault", f"the bot started once and not again: {fault.detail}")
        return self._process

    def _begin(self) -> None:
        self._seat = self._launcher.start(
            self._source, self._rules, careful=True, caged=self._caged
        )
        think([self._seat], self._launcher.clock, self._alive)
