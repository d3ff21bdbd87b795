"""The script that the arena executes: a clean process that forks one child per bot.

It is started with an environment made from nothing and without site-packages, reads its job from
the first argument, and then takes orders over a socket: `spawn` forks a child, which locks itself
down and becomes a bot's process; `reap` says how one ended. A fork of a clean process costs a
tenth of a fresh start and shows the bot nothing: no order, bot or game has been held here before
the fork but those that made it.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import shutil
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Sequence
from types import FrameType, ModuleType
from typing import Any, Final

_IN, _OUT = 3, 4
_KEPT_FREE: Final = 16


class SdkFinder(importlib.abc.MetaPathFinder):
    """Finds the few packages that bots need, and nothing else of where they are installed."""

    def __init__(self, origins: dict[str, str]) -> None:
        self._origins = origins

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Give the place of a top-level package or module of the SDK."""
        origin = self._origins.get(fullname)
        if origin is None:
            return None
        package = [os.path.dirname(origin)] if _is_package(origin) else None
        return importlib.util.spec_from_file_location(
            fullname, origin, submodule_search_locations=package
        )


def _is_package(origin: str) -> bool:
    return os.path.basename(origin).startswith("__init__.")


def main() -> None:
    """Prepare, say so, and take orders until the other side is gone."""
    job = json.loads(sys.argv[1])
    control = socket.socket(fileno=job["control"])
    control.set_inheritable(False)
    if job["kind"] == "submitted":
        sys.meta_path.append(SdkFinder(job["needed"]))
    else:
        sys.path[:] = job["path"]
    try:
        Zygote(job, control).run()
        return
    except Forked as forked:
        # Unwound: no frame above the bot's holds anything of the clean process.
        orders = forked.args
    del job, control
    sys.argv[:] = sys.orig_argv[:] = ["bot"]
    try:
        become_bot(*orders)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(70)


class Forked(BaseException):
    """This is the child: the order, its descriptors, the cage, what it may read, its parent."""


class Zygote:
    """The clean process: forks, and waits for what it forked."""

    def __init__(self, job: dict[str, Any], control: socket.socket) -> None:
        self._job = job
        self._control = control
        self._children: set[int] = set()
        self._readable: list[tuple[str, int]] = []

    def run(self) -> None:
        """Take orders until the socket closes; then nothing of this process is left."""
        signal.signal(signal.SIGTERM, _end)
        try:
            problem = self._prepare()
            self._send({"problem": problem})
            while (order := self._receive()) is not None:
                values, descriptors = order
                if values["order"] == "spawn":
                    self._send(self._spawn(values, descriptors))
                else:
                    self._send(self._reap(values["pid"], values["patience_s"]))
        except Forked:
            raise
        except BaseException:
            self._clear()
            raise
        self._clear()

    def _prepare(self) -> str:
        """Import what every child needs; give the reason if bots cannot be caged."""
        from maumau.arena.sandbox import landlock, lockdown, preload

        lockdown.tie_to_parent(self._job["parent"], signal.SIGTERM)
        importlib.import_module("maumau.arena.child")
        problem = lockdown.unsupported()
        if not problem:
            landlock.handled()
        self._job["uid"] = _able_to_drop(self._job["uid"])
        preload.warm_up()
        library = self._job["uid"] is None or _reads_library(self._job["uid"])
        if not library and self._job["kind"] == "submitted":
            preload.standard_library()
        origins = self._job["needed"].values()
        others = [os.path.dirname(o) if _is_package(o) else o for o in origins]
        package = os.path.dirname(self._job["needed"]["maumau"])
        self._readable = lockdown.readable_paths(
            package, [other for other in others if other != package], library=library
        )
        if self._job["kind"] == "plugin":
            self._load_plugins()
        gc.collect()
        gc.freeze()
        return problem

    def _load_plugins(self) -> None:
        """Load the plugins once for all children, unless that starts threads."""
        from maumau.arena.sandbox import preload

        if self._job["preload"]:
            preload.plugins()
            if _threads() > 1:
                # Begin again without: children that load them themselves are slow, but sound.
                job = {**self._job, "preload": False}
                self._control.set_inheritable(True)
                os.execv(sys.executable, [*sys.orig_argv[:-1], json.dumps(job)])

    def _spawn(self, order: dict[str, Any], descriptors: list[int]) -> dict[str, Any]:
        zygote = os.getpid()
        try:
            pid = os.fork()
        except OSError as error:
            return {"error": f"cannot fork: {error.strerror}"}
        if pid == 0:
            raise Forked(order, descriptors, self._job["uid"], self._readable_for(order), zygote)
        for descriptor in descriptors:
            os.close(descriptor)
        self._children.add(pid)
        return {"pid": pid}

    def _readable_for(self, order: dict[str, Any]) -> list[tuple[str, int]]:
        from maumau.arena.sandbox.landlock import READ_FILE

        if not order["file"]:
            return self._readable
        return [*self._readable, (order["file"], READ_FILE)]

    def _reap(self, pid: int, patience_s: float) -> dict[str, Any]:
        """Give how a child ended; kill its group if it does not end by itself in time."""
        deadline = time.monotonic() + patience_s
        killed = False
        while True:
            found, status, usage = os.wait4(pid, os.WNOHANG)
            if found:
                break
            if time.monotonic() >= deadline:
                killed = True
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(pid, signal.SIGKILL)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                found, status, usage = os.wait4(pid, 0)
                break
            time.sleep(0.001)
        self._children.discard(pid)
        cpu_ns = round((usage.ru_utime + usage.ru_stime) * 1_000_000_000)
        unit = 1 if sys.platform == "darwin" else 1024
        code = os.waitstatus_to_exitcode(status)
        return {
            "status": None if killed else code,
            "cpu_ns": cpu_ns,
            "peak_bytes": usage.ru_maxrss * unit,
        }

    def _clear(self) -> None:
        for pid in self._children:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if self._job["staging"]:
            shutil.rmtree(self._job["staging"], ignore_errors=True)

    def _send(self, values: dict[str, Any]) -> None:
        body = json.dumps(values).encode()
        self._control.sendall(len(body).to_bytes(4, "little") + body)

    def _receive(self) -> tuple[dict[str, Any], list[int]] | None:
        data, descriptors, _, _ = socket.recv_fds(self._control, 4, 3)
        if len(data) < 4:
            return None
        body = b""
        while len(body) < int.from_bytes(data, "little"):
            more = self._control.recv(int.from_bytes(data, "little") - len(body))
            if not more:
                return None
            body += more
        return json.loads(body), list(descriptors)


def become_bot(
    order: dict[str, Any],
    descriptors: list[int],
    uid: int | None,
    readable: list[tuple[str, int]],
    zygote: int,
) -> None:
    """Lock this process down and serve; never returns."""
    from maumau.arena import child
    from maumau.arena.sandbox import lockdown

    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.setsid()
    _place(descriptors)
    os.chdir(order["directory"] or "/")
    cage = lockdown.Cage(uid, order["memory_bytes"], order["cpu_s"])
    problem = ""
    try:
        if order["caged"]:
            lockdown.lock(cage, parent=zygote, readable=readable)
        else:
            lockdown.tie_to_parent(zygote)
            lockdown.limit(cage, files=False)
    except (OSError, lockdown.LockdownError) as error:
        problem = f"{type(error).__name__}: {error}"
    child.serve(_IN, _OUT, problem)


def _place(descriptors: list[int]) -> None:
    """Put input, output and log at their numbers and close everything else."""
    import fcntl

    moved = [fcntl.fcntl(fd, fcntl.F_DUPFD, _KEPT_FREE) for fd in descriptors]
    null = os.open(os.devnull, os.O_RDONLY)
    incoming, outgoing, log = moved
    for source, target in ((null, 0), (log, 1), (log, 2), (incoming, _IN), (outgoing, _OUT)):
        os.dup2(source, target)
    os.closerange(_OUT + 1, 1 << 16)


def _threads() -> int:
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return threading.active_count()


def _able_to_drop(uid: int) -> int | None:
    """Give the user that bots become, None where this process is not root."""
    return uid if os.geteuid() == 0 else None


def _reads_library(uid: int) -> bool:
    """Tell whether a user can read the standard library (root's home is closed to others)."""
    groups = os.getgroups()
    os.setgroups([])
    os.setegid(uid)
    os.seteuid(uid)
    try:
        with open(os.__file__, "rb"):
            return True
    except OSError:
        return False
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(groups)


def _end(number: int, frame: FrameType | None) -> None:
    sys.exit(0)


if __name__ == "__main__":
    main()
