"""The bot that a worker runs in the cage before it takes any other: it tries to get out.

When it is asked which bots it brings, it tries what must fail, and raises if anything works. When
the bot is asked to act, it makes a call that must end the process. It is loaded as any submitted
file is; where there is no cage, none of its attempts does harm beyond its own process.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import socket
import sys
import threading
from collections.abc import Callable

from maumau import Bot, hookimpl


def _write(path: str) -> Callable[[], object]:
    def attempt() -> None:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
        os.unlink(path)

    return attempt


def _run_program() -> None:
    try:
        os.execv("/maumau/no/such/program", ["program"])
    except FileNotFoundError:
        return  # the kernel went and looked for it


def _raise_limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def _system_call(name: str, *arguments: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), name)


def _user() -> None:
    if os.geteuid() != 0:
        raise PermissionError("not root")


ATTEMPTS: dict[str, Callable[[], object]] = {
    "be root": _user,
    "read /etc/passwd": lambda: os.open("/etc/passwd", os.O_RDONLY),
    "list /": lambda: os.listdir("/"),
    "read /proc/self/environ": lambda: os.open("/proc/self/environ", os.O_RDONLY),
    "read the parent's memory": lambda: os.open(f"/proc/{os.getppid()}/mem", os.O_RDONLY),
    "write to /tmp": _write("/tmp/maumau-probe"),
    "write beside the bot": _write("probe"),
    "empty the bot's file": lambda: os.open(__file__, os.O_RDONLY | os.O_TRUNC),
    "open a TCP socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM),
    "open a unix socket": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM),
    "fork": _fork,
    "start a thread": lambda: threading.Thread(target=int).start(),
    "run a program": _run_program,
    "signal the parent": lambda: os.kill(os.getppid(), signal.SIGCONT),
    "raise its memory limit": _raise_limit,
    "make a file in memory": lambda: os.memfd_create("probe"),
    "delete the bot's file": lambda: os.unlink(__file__),
    "signal itself": lambda: _system_call("raise", 0),
    "watch its own signals": lambda: _system_call("prctl", 1, 0, 0, 0, 0),
}
"""What must fail in the cage, by the words for a person."""


def succeeded() -> list[str]:
    """Try everything and give what worked."""
    found = []
    for title, attempt in ATTEMPTS.items():
        with contextlib.suppress(OSError, RuntimeError, ValueError):
            attempt()
            found.append(title)
    return found


class Probe(Bot):
    """Makes a forbidden kernel call when it is asked."""

    name = "probe"

    def act(self, obs: object) -> str:
        """Trace itself, which must end the process with SIGSYS."""
        ctypes.CDLL(None).ptrace(0, 0, 0, 0)
        return "the process lives on"


@hookimpl
def maumau_bots() -> list[type[Bot]]:
    """Give the probe, unless something worked."""
    if worked := succeeded():
        sys.exit("a caged bot could " + ", ".join(worked))
    return [Probe]
