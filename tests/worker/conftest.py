from __future__ import annotations

import itertools
import shutil
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from redis import Redis

from maumau.cli import embedded
from maumau.processes.tether import tethered
from maumau.storage import Account, Database
from maumau.usecases import builtins
from maumau.usecases.schedule import schedule
from tests.e2e.arena import wait_for


@pytest.fixture(scope="session")
def queue_server() -> Iterator[str]:
    """A real queue server; its address."""
    runtime = embedded.runtime_directory()
    path = runtime / "queue.sock"
    command = embedded.command(embedded.binary(), socket_path=path, directory=runtime)
    with open(runtime / "log", "wb") as log:
        process = subprocess.Popen(tethered(command), stdout=log, stderr=log)
    wait_for(lambda: embedded.answers(path), what="the queue server")
    yield f"unix://{path}"
    process.terminate()
    process.wait(30)
    shutil.rmtree(runtime)


@pytest.fixture
def queue_url(queue_server: str) -> str:
    """The same, with nothing in it."""
    Redis.from_url(queue_server).flushall()
    return queue_server


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def admin(db: Database, clock: Clock) -> Account:
    builtins.install_builtins(db, clock)
    with db.begin() as tx:
        return tx.accounts.create("root", "admin", now=clock())


@pytest.fixture
def begin(db: Database, clock: Clock, admin: Account) -> Callable[..., str]:
    """Schedules a tournament of two bots that ship, six chunks by default; gives its id."""
    numbers = itertools.count(1)

    def make(**change: object) -> str:
        wish = {
            "entrants": ["random", "easy"],
            "rules": "crazy-eights",
            "blocks": 192,
            "seed": "s",
        } | change
        entropy = lambda size: next(numbers).to_bytes(size, "big")  # noqa: E731
        return schedule(db, clock, admin, wish, entropy=entropy).tournament.id

    return make


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return tmp_path / "files"
