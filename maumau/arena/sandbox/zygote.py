"""The arena's side of the clean process that forks bot processes (`launcher.py`)."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from maumau.arena.faults import Ended
from maumau.arena.sandbox import lockdown
from maumau.errors import Unavailable

Kind = Literal["submitted", "plugin"]

UNPRIVILEGED: Final = 65534
"""The user, and group, that bot processes become where the arena runs as root."""
NEEDED: Final = ("maumau", "msgspec", "pluggy", "mypy_extensions")
START_SECONDS: Final = 60.0
_LAUNCHER: Final = Path(__file__).with_name("launcher.py")


class ZygoteLost(Exception):
    """The clean process is gone, and its children with it."""


@dataclass(frozen=True, slots=True)
class Order:
    """What one bot process is to be: `file` lies in `directory`; both "" for a plugin."""

    directory: str
    file: str
    caged: bool
    memory_bytes: int
    cpu_s: int


class Zygote:
    """One clean process; used by the thread that started it, and gone when that thread is."""

    def __init__(self, kind: Kind) -> None:
        """Start it and wait until it is ready; raises Unavailable with the reason."""
        if kind == "submitted":
            # Else a bot of the same user could read this process's memory and environment.
            lockdown.hide()
        self.staging = tempfile.mkdtemp(prefix="maumau-")
        os.chmod(self.staging, 0o755)
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with theirs, tempfile.TemporaryFile() as errors:
            self._process = _start(kind, theirs, self.staging, errors.fileno())
            self._end = weakref.finalize(
                self, _end, self._process, self._socket, self.staging, os.getpid()
            )
            theirs.close()
            try:
                self._socket.settimeout(START_SECONDS)
                self.problem: str = self._receive()["problem"]
                self._socket.settimeout(None)
            except (ZygoteLost, OSError):
                self.close()
                errors.seek(0)
                last = errors.read().decode(errors="replace").strip().rpartition("\n")[2]
                message = f"no process for bots could be started: {last or 'it ended at once'}"
                raise Unavailable("sandbox_unavailable", message) from None

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it still takes orders."""
        return self._end.alive and self._process.poll() is None

    def spawn(self, order: Order, incoming: int, outgoing: int, log: int) -> int:
        """Fork a bot process with these descriptors and give its id; raises ZygoteLost, OSError."""
        values = {slot: getattr(order, slot) for slot in order.__slots__}
        answer = self._ask({"order": "spawn", **values}, [incoming, outgoing, log])
        if "error" in answer:
            raise OSError(answer["error"])
        return int(answer["pid"])

    def reap(self, pid: int, patience_s: float) -> Ended:
        """Wait until a bot process has ended, kill it after `patience_s`, and say how it ended."""
        answer = self._ask({"order": "reap", "pid": pid, "patience_s": patience_s}, [])
        return Ended(answer["status"], answer["cpu_ns"], answer["peak_bytes"])

    def close(self) -> None:
        """End it, its children, and what it staged."""
        self._end()

    def _ask(self, order: dict[str, Any], descriptors: list[int]) -> dict[str, Any]:
        body = json.dumps(order).encode()
        try:
            socket.send_fds(self._socket, [len(body).to_bytes(4, "little")], descriptors)
            self._socket.sendall(body)
            return self._receive()
        except (OSError, ZygoteLost):
            # At once, so that whoever asks for one next gets another.
            self.close()
            raise ZygoteLost("the arena's clean process ended") from None

    def _receive(self) -> dict[str, Any]:
        length = int.from_bytes(self._exactly(4), "little")
        answer: dict[str, Any] = json.loads(self._exactly(length))
        return answer

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self._socket.recv(count - len(data))
            if not more:
                raise ZygoteLost
            data += more
        return data


_local = threading.local()


def zygote(kind: Kind) -> Zygote:
    """Give this thread's clean process of a kind, started now if there is none.

    Each thread has its own: a process tied to its parent is tied to the thread that made it.
    """
    owned: dict[Kind, Zygote] = _local.__dict__.setdefault("owned", {})
    if _local.__dict__.setdefault("pid", os.getpid()) != os.getpid():
        # Forked meanwhile: those belong to the process that started them.
        owned.clear()
        _local.pid = os.getpid()
    found = owned.get(kind)
    if found is None or not found.alive:
        if found is not None:
            found.close()
        found = owned[kind] = Zygote(kind)
    return found


def close_all() -> None:
    """End this thread's clean processes."""
    owned: dict[Kind, Zygote] = _local.__dict__.get("owned", {})
    for found in owned.values():
        found.close()
    owned.clear()


def _start(
    kind: Kind, control: socket.socket, staging: str, errors: int
) -> subprocess.Popen[bytes]:
    job = {
        "control": control.fileno(),
        "parent": os.getpid(),
        "uid": UNPRIVILEGED,
        "kind": kind,
        "needed": _origins(),
        "path": sys.path if kind == "plugin" else [],
        "preload": True,
        "staging": staging,
    }
    # A hash seed of its own, as -I would give, differs from process to process: so do set orders.
    flags = ["-s", "-P", "-B", "-X", "utf8"] + (["-S"] if kind == "submitted" else [])
    return subprocess.Popen(
        [sys.executable, *flags, str(_LAUNCHER), json.dumps(job)],
        env=_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        pass_fds=[control.fileno()],
        start_new_session=True,
    )


def _environment() -> dict[str, str]:
    """Make the environment of bots from nothing; numeric libraries must start no threads."""
    made = {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}
    made |= {f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL")}
    if "LD_LIBRARY_PATH" in os.environ:
        made["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
    return made


def _origins() -> dict[str, str]:
    """Give where the packages that bots need lie; compiled modules share one more."""
    found: dict[str, str] = {}
    for name in NEEDED:
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            raise Unavailable("sandbox_unavailable", f"the package {name} has no file")
        found[name] = os.path.abspath(spec.origin)
    for name, module in list(sys.modules.items()):
        origin = getattr(module, "__file__", None)
        if name.endswith("__mypyc") and origin:
            found[name] = os.path.abspath(origin)
    return found


def _end(process: subprocess.Popen[bytes], control: socket.socket, staging: str, pid: int) -> None:
    control.close()
    if os.getpid() != pid:
        return
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    with contextlib.suppress(OSError):
        shutil.rmtree(staging)
