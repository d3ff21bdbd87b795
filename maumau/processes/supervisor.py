"""Children that are kept running, and stopped together within seconds.

All of it runs in one thread, the main one: children are tied to the thread that starts them.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from maumau.errors import Unavailable
from maumau.processes.tether import tethered

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# A child that lived this long was well; one that so many times in a row did not never will be.
WELL_SECONDS = 5.0
MOST_EARLY_ENDS = 5
LONGEST_PAUSE = 5.0
LOG_BYTES = 10_000_000


class Stopped(Exception):
    """A signal asked for the end while something else was waited for."""


@dataclass(frozen=True, slots=True)
class Service:
    """One kind of child: how it is started, and how long it may take to stop, in seconds."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(repr=False)
    log: Path | None
    """None: it writes where this process does."""
    stop_seconds: float
    pass_fds: tuple[int, ...] = ()
    ready: Callable[[], bool] = lambda: True
    ready_seconds: float = 30.0
    on_early_end: Callable[[], None] | None = None
    """Called when it ended within `WELL_SECONDS`: a chance to mend what stops it."""
    on_end: Callable[[Ended], None] | None = None
    """Called whenever it ended by itself, before it is started again."""
    give_up: bool = True
    """Whether one that ends at once, again and again, ends everything."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A child that ended: its process id, its exit status (negative: the signal), and when."""

    pid: int
    status: int
    started: float
    """On the monotonic clock."""

    def __str__(self) -> str:
        """Say how it ended."""
        if self.status < 0:
            return f"signal {signal.Signals(-self.status).name}"
        return f"exit status {self.status}"


@dataclass(slots=True)
class _Running:
    service: Service
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    early_ends: int = 0
    start_at: float = 0.0


class Supervisor:
    """Starts services in order, restarts those that end, stops all in the opposite order.

    `changed` is told the process ids by name whenever they change; `together` tells all services
    to stop before it waits for the first. Use it as a context: on entry it takes over the signals,
    on exit every child is gone.
    """

    def __init__(
        self,
        *,
        changed: Callable[[Mapping[str, int]], None] = lambda _pids: None,
        together: bool = False,
    ):
        self._running: list[_Running] = []
        self._together = together
        self._changed = changed
        self._untold = False
        self.stopping = False
        self._hurry = False
        self._before: dict[int, object] = {}

    def __enter__(self) -> Supervisor:
        """Take over the signals: from now on they set flags and wake the loop."""
        self._wake_out, self._wake_in = os.pipe()
        for end in (self._wake_out, self._wake_in):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(self._wake_in, warn_on_full_buffer=False)
        for number in STOP_SIGNALS:
            self._before[number] = signal.signal(number, self._asked)
        # Without a handler the wake-up is not written.
        self._before[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        return self

    def __exit__(self, *_: object) -> None:
        """Stop what runs and give the signals back."""
        try:
            self._stop_all()
        finally:
            signal.set_wakeup_fd(-1)
            for number, handler in self._before.items():
                signal.signal(number, handler)  # type: ignore[arg-type]
            os.close(self._wake_out)
            os.close(self._wake_in)

    def start(self, service: Service) -> None:
        """Start a service and wait until it is ready.

        Raises `Unavailable` with the end of its log where it does not come up, `Stopped` on a
        signal.
        """
        running = _Running(service)
        self._running.append(running)
        self._spawn(running)
        deadline = time.monotonic() + service.ready_seconds
        while not service.ready():
            if time.monotonic() > deadline:
                raise _not_up(service, f"was not ready within {service.ready_seconds:.0f} seconds")
            self.step(0.05)
        running.early_ends = 0

    def run(self) -> None:
        """Keep all services running until a signal asks for the end."""
        with contextlib.suppress(Stopped):
            while True:
                self.step(1.0)

    def step(self, seconds: float) -> None:
        """Wait for at most `seconds`, restart what has ended; raises `Stopped` on a signal."""
        self._sleep(seconds)
        if self.stopping:
            raise Stopped
        if self._untold:
            self._tell(self.pids())
        now = time.monotonic()
        for running in self._running:
            if running.process is None:
                if now >= running.start_at:
                    self._spawn(running)
            elif _ended(running.process):
                self._bury(running, now)

    def pids(self) -> dict[str, int]:
        """Give the process ids of the services that run now."""
        return {r.service.name: r.process.pid for r in self._running if r.process is not None}

    def _tell(self, pids: Mapping[str, int]) -> None:
        """Tell what runs; where that cannot be kept now (a full disk) it is told again."""
        try:
            self._changed(pids)
            self._untold = False
        except OSError:
            self._untold = True

    def _spawn(self, running: _Running) -> None:
        service = running.service
        try:
            with _log(service.log) as log:
                running.process = subprocess.Popen(
                    tethered(service.command),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    env=dict(service.environment),
                    pass_fds=service.pass_fds,
                    # A group of its own: Ctrl-C in the terminal is for the supervisor only.
                    start_new_session=True,
                )
        except OSError:
            # No memory or no process to be had now: the others go on meanwhile.
            running.start_at = time.monotonic() + LONGEST_PAUSE
            return
        running.started = time.monotonic()
        self._tell(self.pids())

    def _bury(self, running: _Running, now: float) -> None:
        """Take note of a child that ended by itself, and of when to start it again."""
        process, running.process = running.process, None
        assert process is not None
        _kill_group(process)
        ended = Ended(process.pid, process.returncode, running.started)
        if running.service.on_end is not None:
            running.service.on_end(ended)
        early = now - running.started < WELL_SECONDS
        running.early_ends = running.early_ends + 1 if early else 0
        if running.service.give_up and running.early_ends >= MOST_EARLY_ENDS:
            raise _not_up(running.service, f"ends as soon as it starts ({ended})")
        if early and running.service.on_early_end is not None:
            running.service.on_early_end()
        pause = min(0.1 * 2 ** min(running.early_ends, 9), LONGEST_PAUSE) if early else 0.0
        running.start_at = now + pause
        self._tell(self.pids())

    def _stop_all(self) -> None:
        left = [(r.service, r.process) for r in reversed(self._running) if r.process is not None]
        begun = time.monotonic()
        if self._together:
            for _, process in left:
                process.terminate()
        for service, process in left:
            if not self._together:
                begun = time.monotonic()
                process.terminate()
            deadline = begun + service.stop_seconds
            while not _ended(process) and not self._hurry and time.monotonic() < deadline:
                self._sleep(0.1)
            _kill_group(process)
        self._tell({})

    def _sleep(self, seconds: float) -> None:
        if select.select([self._wake_out], [], [], seconds)[0]:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake_out, 4096)

    def _asked(self, _number: int, _frame: FrameType | None) -> None:
        # The second time: at once.
        self._hurry = self.stopping
        self.stopping = True


def _ended(process: subprocess.Popen[bytes]) -> bool:
    """Say whether it has ended, without taking its process id away from its group yet."""
    if hasattr(os, "waitid"):
        try:
            how = os.WEXITED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, process.pid, how) is not None
        except ChildProcessError:
            return True
    return process.poll() is not None


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """End whatever is left of the child and its own children, and wait for it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextlib.contextmanager
def _log(path: Path | None) -> Iterator[int | None]:
    """Open a log to be appended to; one that has grown large makes room first.

    Where it cannot be opened (a full disk, a directory that somebody took away and that cannot be
    made again) its service runs all the same, without a log.
    """
    if path is None:
        yield None
        return
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.stat().st_size > LOG_BYTES:
            path.replace(path.with_name(path.name + ".1"))
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError:
        yield subprocess.DEVNULL
        return
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _not_up(service: Service, why: str) -> Unavailable:
    if service.log is None:
        return Unavailable("not_up", f"{service.name} {why}")
    with contextlib.suppress(OSError):
        lines = service.log.read_text(errors="backslashreplace").splitlines()[-12:]
        tail = "".join(f"\n  | {line}" for line in lines)
        return Unavailable("not_up", f"{service.name} {why}; the end of {service.log}:{tail}")
    return Unavailable("not_up", f"{service.name} {why}; it left no log")
