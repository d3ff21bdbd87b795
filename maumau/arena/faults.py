"""Faults: the kinds there are, and how the evidence tells them apart (docs/sandbox.md, "Faults").

Everything here is a pure function of what was seen: exit status, clocks, the answer.
"""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass
from typing import Final

from maumau.bots.reasons import printable

ILLEGAL_ACTION: Final = "illegal_action"
TIMEOUT: Final = "timeout"
CRASH: Final = "crash"
PROTOCOL: Final = "protocol"
MEMORY: Final = "memory"
START: Final = "start"
HOST: Final = "host"

KINDS: Final = {
    ILLEGAL_ACTION: "the answer is not one of the legal actions",
    TIMEOUT: "too much CPU, or no answer in time although the host let the bot run",
    CRASH: "the bot raised an exception, or its process ended",
    PROTOCOL: "the process answered something that is no answer, or closed its channel",
    MEMORY: "more memory than allowed",
    START: "the bot could not be loaded, or not in time",
}
"""The kinds that are the bot's and forfeit the game; `HOST` is nobody's and is played again."""

EXIT_MEMORY: Final = 77
"""The exit status of a bot process that ran out of memory outside of the bot's code."""

FORBIDDEN_CALL: Final = "the process made a forbidden kernel call (SIGSYS)"
DETAIL_LENGTH: Final = 500
_ADDRESS: Final = re.compile(r"\b0x[0-9a-f]{6,}\b")
STARVED_SHARE: Final = 0.9
MEMORY_SHARE: Final = 0.8


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong: one of `KINDS` or `HOST`, and one line for the record.

    The line is the same whenever the game is played again; what was measured is in `seen`.
    """

    kind: str
    detail: str
    seen: str = ""

    @property
    def is_host(self) -> bool:
        """Whether nobody is to blame, so that the game is played again."""
        return self.kind == HOST


@dataclass(frozen=True, slots=True)
class Ended:
    """How a bot process ended: `status` as of `Popen.returncode`, None if it had to be killed."""

    status: int | None
    cpu_ns: int
    peak_bytes: int


@dataclass(frozen=True, slots=True)
class Spent:
    """Nanoseconds since the bot was asked: on the wall, of its own CPU, and waiting for a CPU.

    `left_share` is the part of its turns on a processor that it ended by itself, as who sleeps
    does and who computes does not. Waiting after that is its own doing: else a bot that naps for
    an instant over and over would look like one that the host starves.
    """

    wall_ns: int
    cpu_ns: int
    waited_ns: int
    left_share: float = 0.0
    ready: bool = False
    """Whether it would compute just now if the host let it: the kernel adds a wait for a processor
    to what was waited only when it is over."""

    @property
    def accounted_ns(self) -> float:
        """The time in which the bot computed, or would have if the host had let it."""
        return self.cpu_ns + self.waited_ns * (1 - min(1.0, self.left_share))


def clean(text: object) -> str:
    """Give a bot's text on one line, printable, not too long, and without addresses."""
    return _ADDRESS.sub("0x…", printable(text, DETAIL_LENGTH))


def ended(end: Ended, *, memory_bytes: int, cpu_limit_s: int) -> Fault:
    """Judge a process that ended, or closed its channel, before it answered."""
    if end.status is None:
        return Fault(PROTOCOL, "the process closed its channel")
    needed = f"needed more than the {memory_bytes >> 20} MB allowed"
    if end.status == EXIT_MEMORY:
        return Fault(MEMORY, needed)
    if end.status >= 0:
        return Fault(CRASH, f"the process exited with status {end.status}")
    number = -end.status
    if number == signal.SIGXCPU or (
        number == signal.SIGKILL and end.cpu_ns >= cpu_limit_s * 1_000_000_000
    ):
        return Fault(TIMEOUT, f"used up the {cpu_limit_s} s of CPU that its process had")
    if number == signal.SIGKILL:
        # Nothing a caged bot can do kills it so: the host ran out of memory, or somebody did it.
        if end.peak_bytes >= MEMORY_SHARE * memory_bytes:
            return Fault(MEMORY, needed, f"killed while it used {end.peak_bytes >> 20} MB")
        return Fault(HOST, "the process was killed from outside")
    if number == signal.SIGSYS:
        return Fault(CRASH, FORBIDDEN_CALL)
    return Fault(CRASH, f"the process was killed by {_signal_name(number)}")


def overran(
    spent: Spent, *, cpu_ns: int, wall_ns: int, patience_ns: int, what: str = "decision"
) -> Fault | None:
    """Judge a process that has not answered yet; None while it may go on.

    `cpu_ns` and `wall_ns` are the limits; a process that the host keeps waiting may go on for
    `patience_ns`, so that a host that is merely busy spoils nothing.
    """
    if spent.cpu_ns > cpu_ns:
        detail = f"used more than {_ms(cpu_ns)} ms of CPU for one {what}"
        return Fault(TIMEOUT, detail, _seen(spent))
    if spent.wall_ns <= wall_ns:
        return None
    if spent.accounted_ns < STARVED_SHARE * spent.wall_ns:
        if spent.ready and spent.wall_ns <= patience_ns:
            # What is missing may be the wait that goes on; who sleeps is soon seen asleep.
            return None
        detail = f"gave no answer in {_ms(wall_ns)} ms, in part of which it did not compute"
        return Fault(TIMEOUT, detail, _seen(spent))
    if spent.wall_ns <= patience_ns:
        return None
    return Fault(HOST, f"the host was busy: {_seen(spent)}")


def _seen(spent: Spent) -> str:
    wall, cpu, waited = _ms(spent.wall_ns), _ms(spent.cpu_ns), _ms(spent.waited_ns)
    return f"in {wall} ms the bot had {cpu} ms of CPU and waited {waited} ms for one"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _ms(nanoseconds: int) -> int:
    return round(nanoseconds / 1_000_000)
