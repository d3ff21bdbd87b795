"""The clocks by which a bot's time is judged; tests pass their own. All in nanoseconds."""

from __future__ import annotations

import os
import time
from typing import Protocol


class ProcessClock(Protocol):
    """How one process spends its time."""

    def cpu(self) -> int:
        """Give the CPU time that it has used, all its threads together."""
        ...

    def waited(self) -> int:
        """Give how long it has been ready to run while the host ran something else."""
        ...

    def switches(self) -> tuple[int, int]:
        """Give how often it was put on a processor, and how often it left one by itself."""
        ...

    def ready(self) -> bool:
        """Tell whether it is on a processor, or waits for one, or for the kernel's own work."""
        ...

    def close(self) -> None:
        """Watch it no longer."""
        ...


class Clock(Protocol):
    """Wall time, and the clocks of processes."""

    def wall(self) -> int:
        """Give monotonic time."""
        ...

    def process(self, pid: int) -> ProcessClock:
        """Watch a process."""
        ...


class SystemProcessClock:
    """The host's clocks of a process; once it has been waited for they say 0."""

    def __init__(self, pid: int) -> None:
        # clock_getcpuclockid(3): the kernel's name of a process's CPU clock.
        self._cpu = (~pid << 3) | 2
        self._pid = pid
        try:
            self._schedstat: int | None = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY)
        except OSError:
            self._schedstat = None

    def cpu(self) -> int:
        """Give the CPU time (1 µs)."""
        try:
            return time.clock_gettime_ns(self._cpu)
        except OSError:
            return 0

    def waited(self) -> int:
        """Give the run-queue wait of its first thread (3 µs); 0 where the kernel keeps none."""
        return self._scheduled(1)

    def switches(self) -> tuple[int, int]:
        """Give the time slices of its first thread, and its voluntary switches (30 µs)."""
        try:
            with open(f"/proc/{self._pid}/status", "rb") as file:
                by_itself = int(file.read().split(b"\nvoluntary_ctxt_switches:")[1].split()[0])
        except (OSError, ValueError, IndexError):
            by_itself = 0
        return self._scheduled(2), by_itself

    def ready(self) -> bool:
        """Tell whether it runs or could run (20 µs)."""
        try:
            with open(f"/proc/{self._pid}/stat", "rb") as file:
                return file.read().rpartition(b")")[2].split()[0] in (b"R", b"D")
        except (OSError, IndexError):
            return False

    def _scheduled(self, field: int) -> int:
        if self._schedstat is None:
            return 0
        try:
            return int(os.pread(self._schedstat, 128, 0).split()[field])
        except (OSError, ValueError, IndexError):
            return 0

    def close(self) -> None:
        """Close its file."""
        if self._schedstat is not None:
            os.close(self._schedstat)
            self._schedstat = None


class SystemClock:
    """The host's clocks."""

    def wall(self) -> int:
        """Give monotonic time."""
        return time.monotonic_ns()

    def process(self, pid: int) -> SystemProcessClock:
        """Watch a process."""
        return SystemProcessClock(pid)
