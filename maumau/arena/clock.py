"""The three clocks by which a bot's time is judged; tests pass their own."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Wall time, and how a process spent it; all in nanoseconds."""

    def wall(self) -> int:
        """Give monotonic time."""
        ...

    def cpu(self, pid: int) -> int:
        """Give the CPU time that a process has used, all its threads together."""
        ...

    def waited(self, pid: int) -> int:
        """Give how long a process has been ready to run while the host ran something else."""
        ...


class SystemClock:
    """The host's clocks; of processes that have ended and been waited for they say 0."""

    def wall(self) -> int:
        """Give monotonic time."""
        return time.monotonic_ns()

    def cpu(self, pid: int) -> int:
        """Give the CPU time of a process by its own clock (0.7 µs; Linux)."""
        try:
            # clock_getcpuclockid(3): the kernel's name of a process's CPU clock.
            return time.clock_gettime_ns((~pid << 3) | 2)
        except OSError:
            return 0

    def waited(self, pid: int) -> int:
        """Give the run-queue wait of a process's first thread."""
        try:
            with open(f"/proc/{pid}/schedstat", "rb", buffering=0) as file:
                return int(file.read(128).split()[1])
        except (OSError, ValueError, IndexError):
            return 0
