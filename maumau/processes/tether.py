"""Processes that end with their parent, however that one ends.

Linux tells a child by a signal. Elsewhere a process in between looks whether the parent is there.
As a script, `python -I -S tether.py PARENT COMMAND…` becomes COMMAND, tied to the process PARENT;
it needs the standard library only, so that this costs a few milliseconds.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence

PR_SET_PDEATHSIG = 1
LOOK_SECONDS = 0.5
# What a shell says of a process that a SIGKILL ended.
KILLED = 128 + signal.SIGKILL


def tethered(command: Sequence[str]) -> list[str]:
    """Give the command that runs `command` (its first word a path) tied to this process.

    It must be started from a thread that lasts: on Linux the tie is to the thread.
    """
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), *command]


def end_with_parent(parent: int) -> None:
    """Tie this process to `parent`, which started it: SIGKILL when that one ends."""
    if sys.platform == "linux":
        if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG)")
    else:
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    # It may have ended before the tie was made.
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)


def main(arguments: Sequence[str]) -> int:
    """Run the command that follows the parent's process id."""
    parent, command = int(arguments[0]), list(arguments[1:])
    if sys.platform == "linux":
        end_with_parent(parent)
        os.execv(command[0], command)
    return _between(parent, command)


def _between(parent: int, command: list[str]) -> int:
    """Stand between parent and command where the system has no signal for a parent's end."""
    child = subprocess.Popen(command)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda got, _frame: child.send_signal(got))
    while os.getppid() == parent:
        try:
            return child.wait(LOOK_SECONDS)
        except subprocess.TimeoutExpired:
            continue
    child.kill()
    child.wait()
    return KILLED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
