"""Two hosts with three workers, one cut off in the middle of a chunk: the bytes of one worker."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from maumau.processes.tether import tethered
from maumau.storage import Database
from maumau.usecases import builtins, read
from maumau.usecases.clock import system_clock
from maumau.usecases.export import export_results
from maumau.usecases.schedule import schedule
from maumau.usecases.verify import verify_tournament
from tests.e2e import hosts
from tests.e2e.arena import wait_for

WANTED: dict[str, Any] = {
    "entrants": ["easy", "medium", "random"],
    "rules": "gameduell",
    "blocks": 128,
    "seed": "on two hosts",
}
LEASE_SECONDS = 2


def prepared(url: str) -> tuple[Database, str]:
    """A migrated database with the tournament in it; and the tournament's id."""
    db = Database(url)
    db.migrate()
    builtins.install_builtins(db, system_clock)
    with db.begin() as tx:
        owner = tx.accounts.create("ann", "author", now=system_clock())
    made = schedule(db, system_clock, owner, WANTED, entropy=os.urandom)
    return db, made.tournament.id


def results(db: Database, tournament: str) -> bytes:
    """Wait for the end; gives all results."""
    wait_for(
        lambda: read.tournament(db, tournament).state == "finished", seconds=180, what="the end"
    )
    assert verify_tournament(db, tournament).differences == ()
    return export_results(db, tournament)


@pytest.fixture(scope="module")
def of_one_worker(tmp_path_factory: pytest.TempPathFactory, queue_url: str) -> bytes:
    """What one worker on SQLite makes of it."""
    place = tmp_path_factory.mktemp("one")
    db, tournament = prepared(f"sqlite:///{place}/maumau.db")
    environment = {
        "PATH": os.environ["PATH"],
        "MAUMAU_VAR": str(place),
        "MAUMAU_REDIS_URL": queue_url,
        "MAUMAU_WORKERS": "1",
    }
    with (
        open(place / "log", "wb") as log,
        subprocess.Popen(
            tethered([sys.executable, "-P", "-m", "worker.main"]),
            env=environment,
            stdout=log,
            stderr=log,
        ) as pool,
    ):
        found = results(db, tournament)
        pool.terminate()
    db.close()
    return found


@pytest.fixture(scope="module")
def queue_url() -> Iterator[str]:
    """A Valkey for the one worker."""
    from maumau.cli import embedded

    runtime = embedded.runtime_directory()
    path = runtime / "queue.sock"
    command = embedded.command(embedded.binary(), socket_path=path, directory=runtime)
    with (
        open(runtime / "log", "wb") as log,
        subprocess.Popen(tethered(command), stdout=log, stderr=log) as server,
    ):
        wait_for(lambda: embedded.answers(path), what="the queue server")
        yield f"unix://{path}"
        server.terminate()


@pytest.fixture
def hub() -> Iterator[hosts.Hub]:
    if reason := hosts.missing():
        pytest.skip(f"several hosts are not tested: {reason}")
    with hosts.hub() as made:
        yield made


def holders(db: Database) -> set[str]:
    """The hosts that hold chunks now, by the names of their workers without process and start."""
    with db.read() as tx:
        return {name.rsplit("-", 2)[0] for name in tx.chunks.holders()}


def hosts_seen(db: Database) -> set[str]:
    with db.read() as tx:
        return {name.rsplit("-", 2)[0] for name in tx.workers.names()}


@pytest.mark.slow
def test_a_host_that_is_cut_off_in_mid_chunk_and_joined_again_changes_no_byte(
    hub: hosts.Hub, of_one_worker: bytes, tmp_path: Path
) -> None:
    db, tournament = prepared(hub.local_url)
    first, second = hub.host(2), hub.host(3)

    def settings(name: str) -> dict[str, str]:
        return {
            "MAUMAU_DATABASE_URL": hub.database_url,
            "MAUMAU_REDIS_URL": hub.redis_url,
            "MAUMAU_VAR": str(tmp_path / name),
            "MAUMAU_LEASE_SECONDS": str(LEASE_SECONDS),
            "MAUMAU_LOG_FORMAT": "json",
        }

    with second.workers(1, tmp_path / "second.log", **settings("second")):
        (far,) = wait_for(lambda: hosts_seen(db), what="the second host works")
        wait_for(lambda: far in holders(db), what="it holds a chunk")
        second.cut_off()
        held = held_by(db, tournament, far)
        with first.workers(2, tmp_path / "first.log", **settings("first")):
            # The lease runs out, and the first host plays on, the lost chunk too.
            wait_for(
                lambda: held.isdisjoint(held_by(db, tournament, far)),
                what="the lost chunk is taken back",
            )
            wait_for(
                lambda: read.tournament(db, tournament).progress.chunks.done >= 3,
                seconds=120,
                what="others are played",
            )
            assert read.tournament(db, tournament).state == "running"
            second.join()
            assert results(db, tournament) == of_one_worker
            with db.read() as tx:
                # Nobody was seen to die.
                assert all((tx.chunks.get(tournament, n) or held).deaths == 0 for n in range(12))  # type: ignore[union-attr]
    db.close()


def held_by(db: Database, tournament: str, host: str) -> set[int]:
    """The chunks that a host holds, by their numbers, as the database has it."""
    with db.read() as tx:
        chunks = [tx.chunks.get(tournament, n) for n in range(12)]
    return {
        one.number
        for one in chunks
        if one is not None and one.claimed_by is not None and one.claimed_by.startswith(host)
    }
