"""A whole arena for tests: `maumau up` as a real process, in a place and on a port of its own."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

READY_SECONDS = 60.0
STOP_SECONDS = 30.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(reached: Callable[[], Any], seconds: float = READY_SECONDS, what: str = "") -> Any:
    """Look again and again until `reached` gives something true, and give that."""
    deadline = time.monotonic() + seconds
    while True:
        found = reached()
        if found:
            return found
        assert time.monotonic() < deadline, f"not within {seconds} s: {what or reached}"
        time.sleep(0.02)


class Arena:
    """One `maumau up`: started, stopped, killed and started again in the same place."""

    def __init__(self, var: Path, *, workers: int = 1, **env: str):
        self.var, self.number = var, workers
        self.port = free_port()
        self.server = f"http://127.0.0.1:{self.port}"
        self.env = {
            **os.environ,
            "MAUMAU_VAR": str(var),
            "MAUMAU_PORT": str(self.port),
            "MAUMAU_WORKERS": str(workers),
            "MAUMAU_SERVER": "",
            "MAUMAU_TOKEN": "",
            # Rate limits are tested for themselves.
            "MAUMAU_RATE_READS": "off",
            "MAUMAU_RATE_WRITES": "off",
            **env,
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, *options: str) -> Arena:
        """Start it, without the welcome tournament, and wait until it can do its work."""
        self.var.parent.mkdir(parents=True, exist_ok=True)
        with open(self.output, "ab") as output:
            self.process = subprocess.Popen(
                [*MAUMAU, "up", *(options or ("--no-welcome",))],
                env=self.env,
                cwd=self.var.parent,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        try:
            wait_for(self._is_up, what="the arena is up")
        except BaseException:
            self.kill()
            raise
        return self

    @property
    def output(self) -> Path:
        return self.var.with_name(f"{self.var.name}.out")

    def _is_up(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.output.read_text()
        try:
            ready = httpx.get(f"{self.server}/readyz", timeout=5).status_code == 200
        except httpx.HTTPError:
            return False
        if not ready or "workers" not in self.state().get("children", {}):
            return False
        return len(self.workers()) == self.number

    def state(self) -> dict[str, Any]:
        try:
            found = json.loads((self.var / "run" / "up.json").read_text())
        except (OSError, ValueError):
            return {}
        assert isinstance(found, dict)
        return found

    def workers(self) -> list[int]:
        """The process ids of the workers, without their pool."""
        return children(int(self.state()["children"]["workers"]))

    def stop(self) -> int:
        """Stop it as Ctrl-C does; gives the exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(STOP_SECONDS)

    def kill(self) -> None:
        """End its first process at once, as a crash would, and wait until the others are gone."""
        assert self.process is not None
        left = [pid for pid in self.state().get("children", {}).values() if is_alive(pid)]
        self.process.kill()
        self.process.wait(STOP_SECONDS)
        for pid in left:
            ended(pid)

    @property
    def token(self) -> str:
        return (self.var / "admin-token").read_text().strip()

    def client(self, token: str | None = None) -> httpx.Client:
        return httpx.Client(
            base_url=f"{self.server}/api/v1",
            headers={"Authorization": f"Bearer {token or self.token}"},
            timeout=30,
        )

    def maumau(
        self, *arguments: str, code: int = 0, **env: str
    ) -> subprocess.CompletedProcess[str]:
        """Run the command line against it, as a process."""
        done = subprocess.run(
            [*MAUMAU, *arguments],
            env={**self.env, **env},
            cwd=self.var.parent,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == code, f"{done.stdout}\n{done.stderr}"
        return done


MAUMAU = [sys.executable, "-P", "-m", "maumau.cli"]


@contextmanager
def running(var: Path, *, workers: int = 1, **env: str) -> Iterator[Arena]:
    arena = Arena(var, workers=workers, **env)
    try:
        yield arena.start()
    finally:
        if arena.process is not None and arena.process.poll() is None:
            arena.stop()


def is_alive(pid: int) -> bool:
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] not in "ZX"


def ended(pid: int, seconds: float = 30.0) -> None:
    """Wait until a process that is not our child has ended."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        assert select.select([descriptor], [], [], seconds)[0], f"process {pid} lives on"
    finally:
        os.close(descriptor)


def children(pid: int) -> list[int]:
    """The processes whose parent is `pid`."""
    return [one for one, parent in parents().items() if parent == pid]


def descendants(pid: int) -> set[int]:
    """All processes below `pid`."""
    found, tree = {pid}, parents()
    while more := {one for one, parent in tree.items() if parent in found} - found:
        found |= more
    return found - {pid}


def parents() -> Mapping[int, int]:
    """Each process with its parent."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                text = (entry / "stat").read_text()
            except OSError:
                continue
            found[int(entry.name)] = int(text.rpartition(")")[2].split()[1])
    return found
