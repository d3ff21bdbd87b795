"""A whole arena for measuring: `maumau up` as a real process, asked over HTTP."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
from redis import Redis

from bench.places import environment
from bench.runs import NotMeasured

READY_SECONDS = 90.0
STOP_SECONDS = 30.0
ASK_SECONDS = 0.4
"""Between two looks at a running tournament: each costs the service some milliseconds."""


@dataclass(frozen=True, slots=True)
class Played:
    """A tournament from its being scheduled to its final standings, in seconds of the arena."""

    blocks: int
    seconds: float
    in_jobs: float
    """What all workers together spent inside jobs."""
    rows: tuple[tuple[str, float], ...]
    """Entrant and score share, to see that the same was played."""


class Arena:
    """An arena that runs."""

    def __init__(self, process: subprocess.Popen[bytes], port: int, var: Path, workers: int):
        self._process = process
        self.workers = workers
        self._var = var
        self._http = httpx.Client(
            base_url=f"http://127.0.0.1:{port}/api/v1", timeout=30, trust_env=False
        )

    def wait(self) -> None:
        """Wait until it can do its work."""

        def ready() -> bool:
            if self._process.poll() is not None:
                raise NotMeasured(f"the arena ended: {self.told()}")
            try:
                if self._http.get("/readyz").status_code != 200:
                    return False
            except httpx.HTTPError:
                return False
            return len(self._registered()) == self.workers

        _wait(ready, READY_SECONDS, "the arena was not ready")
        token = (self._var / "admin-token").read_text().strip()
        self._http.headers["Authorization"] = f"Bearer {token}"

    def told(self) -> str:
        """Give the last line that it printed."""
        text = (self._var.parent / f"{self._var.name}.out").read_text(errors="replace")
        return text.strip().rpartition("\n")[2][:200]

    def play(self, request: dict[str, Any], timeout: float) -> Played:
        """Schedule a tournament and wait for its final standings."""
        before = self._in_jobs()
        answer = self._http.post("/tournaments", json=request)
        if answer.status_code != 201:
            raise NotMeasured(f"scheduling gave {answer.status_code}: {answer.text[:200]}")
        path = f"/tournaments/{answer.json()['id']}"

        def finished() -> dict[str, Any] | None:
            seen: dict[str, Any] = self._http.get(path).json()
            if seen["progress"]["chunks"]["stuck"] or seen["state"] == "cancelled":
                raise NotMeasured(f"the tournament did not end well: {seen['progress']}")
            return seen if seen["state"] == "finished" else None

        seen = _wait(finished, timeout, "the tournament did not end")
        standings = self._http.get(f"{path}/standings").json()
        if not standings["complete"]:
            raise NotMeasured("the standings are not complete")
        # The last job ends a moment after the tournament that it finished.
        _wait(lambda: self._idle(), 10, "the workers did not come to rest")
        began, ended = (datetime.fromisoformat(seen[key]) for key in ("created_at", "ended_at"))
        return Played(
            blocks=seen["blocks"],
            seconds=(ended - began).total_seconds(),
            in_jobs=self._in_jobs() - before,
            rows=tuple((row["entrant"], row["score_share"]) for row in standings["rows"]),
        )

    def _redis(self) -> Redis:
        state = json.loads((self._var / "run" / "up.json").read_text())
        return Redis.from_url(state["queue"])

    def _registered(self) -> list[dict[bytes, bytes]]:
        """Read what RQ keeps of each worker."""
        try:
            with self._redis() as redis:
                return [redis.hgetall(key) for key in redis.smembers("rq:workers")]
        except (OSError, ValueError, TypeError):
            return []

    def _in_jobs(self) -> float:
        return sum(float(one.get(b"total_working_time", 0)) for one in self._registered())

    def _idle(self) -> bool:
        return all(one.get(b"state") == b"idle" for one in self._registered())


@contextmanager
def running(python: str, var: Path, *, workers: int) -> Iterator[Arena]:
    """Run an arena with this Python and stop it at the end."""
    port = _free_port()
    var.parent.mkdir(parents=True, exist_ok=True)
    with open(var.parent / f"{var.name}.out", "wb") as output:
        process = subprocess.Popen(
            [python, "-P", "-m", "maumau.cli", "up", "--no-welcome"],
            cwd=var.parent,
            env=environment(
                MAUMAU_VAR=str(var),
                MAUMAU_PORT=str(port),
                MAUMAU_WORKERS=str(workers),
                MAUMAU_RATE_READS="off",
                MAUMAU_RATE_WRITES="off",
            ),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        arena = Arena(process, port, var, workers)
        arena.wait()
        yield arena
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _wait(reached: Callable[[], Any], seconds: float, what: str) -> Any:
    """Look until `reached` gives something true, and give that."""
    deadline = time.monotonic() + seconds
    while not (found := reached()):
        if time.monotonic() > deadline:
            raise NotMeasured(f"{what} within {seconds:.0f} s")
        time.sleep(ASK_SECONDS)
    return found


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
