"""The directory of everything that is kept: one arena at a time lives in it."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import shutil
import socket
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from maumau.errors import Conflict, Unavailable

# What a predecessor that was killed leaves is gone by then.
LISTEN_SECONDS = 5.0
BACKLOG = 512
# Another command's look at the lock is over by then.
GLANCE_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Place:
    """The paths below `MAUMAU_VAR`."""

    var: Path

    @property
    def logs(self) -> Path:
        """Where the children's logs are."""
        return self.var / "log"

    @property
    def queue(self) -> Path:
        """Where the embedded queue server keeps its file."""
        return self.var / "queue"

    @property
    def state(self) -> Path:
        """What runs now: written by `maumau up`, read by `maumau status`."""
        return self.var / "run" / "up.json"

    def prepare(self) -> None:
        """Make the directories; raises `Unavailable` where that cannot be done."""
        try:
            self.var.mkdir(mode=0o700, parents=True, exist_ok=True)
            for directory in (self.logs, self.queue, self.state.parent):
                directory.mkdir(mode=0o700, exist_ok=True)
            probe = self.state.parent / "probe"
            probe.write_text("")
            probe.unlink()
        except OSError as error:
            raise Unavailable(
                "not_writable",
                f"{self.var} cannot be written to ({error.strerror}): set MAUMAU_VAR to a "
                "directory of your own",
            ) from error

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Hold the directory for this process; raises `Conflict` where another one does."""
        deadline = time.monotonic() + GLANCE_SECONDS
        with open(self._lock, "w", encoding="ascii") as lock:
            while not _locked(lock, fcntl.LOCK_EX):
                # `running` may have a look just now.
                if time.monotonic() > deadline:
                    raise Conflict("runs_already", self._who_holds())
                time.sleep(0.02)
            yield

    def running(self) -> dict[str, Any] | None:
        """Give the state of the arena that runs here, None where none does.

        What a killed one left is not believed: the directory must be held, by a process that lives.
        """
        state = read_state(self.state)
        if state is None or not _lives(state["pid"]):
            return None
        try:
            with open(self._lock, encoding="ascii") as lock:
                return None if _locked(lock, fcntl.LOCK_SH) else state
        except OSError:
            return None

    @property
    def _lock(self) -> Path:
        return self.state.parent / "up.lock"

    def _who_holds(self) -> str:
        running = read_state(self.state)
        who = f" (process {running['pid']}, {running['server']})" if running else ""
        return (
            f"an arena runs in {self.var} already{who}: use that one, stop it, or start a second "
            "one with a MAUMAU_VAR and a MAUMAU_PORT of its own"
        )


def _locked(lock: IO[str], how: int) -> bool:
    try:
        fcntl.flock(lock, how | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _lives(pid: object) -> bool:
    try:
        os.kill(int(str(pid)), 0)
    except (ProcessLookupError, ValueError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def write_state(path: Path, state: Mapping[str, Any]) -> None:
    """Write the state file, whole or not at all."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_suffix(".new")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        json.dump(state, file, indent=1)
    draft.replace(path)


def read_state(path: Path) -> dict[str, Any] | None:
    """Read the state file; None where there is none that can be read."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and {"pid", "server"} <= found.keys() else None


def clear_away(state: Mapping[str, Any] | None) -> None:
    """Remove the socket directory of a predecessor that was killed."""
    left = (state or {}).get("runtime")
    if isinstance(left, str) and Path(left).name.startswith("maumau-"):
        shutil.rmtree(left, ignore_errors=True)


def listen(host: str, port: int) -> socket.socket:
    """Open the API's socket before anything else is started.

    The supervisor holds it, so that requests wait while the API is started again. Raises
    `Unavailable` where the port is taken or the address is not one of this machine.
    """
    deadline = time.monotonic() + LISTEN_SECONDS
    while True:
        try:
            return _bind(host, port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and time.monotonic() < deadline:
                time.sleep(0.2)
                continue
            raise _cannot_listen(host, port, error) from error


def _bind(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def _cannot_listen(host: str, port: int, error: OSError) -> Unavailable:
    if error.errno == errno.EADDRINUSE:
        return Unavailable(
            "port_taken",
            f"port {port} of {host} is taken by another program: stop that one, or choose another "
            f"port, for example MAUMAU_PORT={port + 1 if port < 65535 else 8001} ./run",
        )
    if error.errno == errno.EACCES:
        return Unavailable(
            "port_forbidden",
            f"this account may not listen on port {port}: choose one above 1023 with MAUMAU_PORT",
        )
    return Unavailable(
        "no_such_address",
        f"cannot listen on {host} ({error.strerror or error}): set MAUMAU_HOST to an address of "
        "this machine",
    )
