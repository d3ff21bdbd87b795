from __future__ import annotations

import threading
from datetime import timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from maumau.arena.sandbox import lockdown, proof
from maumau.settings import load
from maumau.storage import Database
from maumau.usecases import workers
from tests.worker.conftest import Clock
from worker import healthy
from worker.names import worker_name
from worker.signs import signs_of_life


def test_a_worker_says_that_it_lives_and_that_its_cage_holds_until_it_ends(
    db: Database, clock: Clock, tmp_path: Path
) -> None:
    settings = load({"MAUMAU_VAR": str(tmp_path)})
    with signs_of_life(settings, db, clock, "one"):
        assert workers.crew(db, clock) == workers.Crew(1, "")
    assert workers.crew(db, clock).alive == 0


def test_where_the_cage_does_not_hold_log_and_database_have_the_reason(
    db: Database, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lockdown, "unsupported", lambda: "no Landlock in this kernel")
    proof._status.cache_clear()
    try:
        with (
            capture_logs() as logs,
            signs_of_life(load({"MAUMAU_VAR": str(tmp_path)}), db, clock, "one"),
        ):
            assert workers.crew(db, clock) == workers.Crew(1, "no Landlock in this kernel")
    finally:
        proof._status.cache_clear()
    assert [(log["event"], log["reason"]) for log in logs] == [
        ("uploaded_bots_refused", "no Landlock in this kernel")
    ]


def test_signs_are_shown_again_and_again(
    sqlite_db: Database, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = load({"MAUMAU_VAR": str(tmp_path), "MAUMAU_UPLOADS": "off"})
    shown, thrice = [], threading.Event()
    real = workers.show

    def show(*args: object, **more: object) -> None:
        real(*args, **more)  # type: ignore[arg-type]
        shown.append(more["reason"])
        if len(shown) == 3:
            thrice.set()

    monkeypatch.setattr(workers, "show", show)
    with signs_of_life(settings, sqlite_db, clock, "one", every=0.01):
        assert thrice.wait(30)
    assert shown[:3] == ["MAUMAU_UPLOADS=off on this worker"] * 3


def test_the_dead_and_the_long_silent_are_forgotten(db: Database, clock: Clock) -> None:
    for name in ("dead", "silent"):
        workers.show(db, clock, name, cages=True, reason="")
    clock.now += timedelta(hours=1)
    workers.show(db, clock, "lives", cages=True, reason="")
    workers.forget_dead(db, clock, {"dead"}.__contains__)
    with db.read() as tx:
        assert tx.workers.names() == ["lives"]


def test_a_host_is_healthy_while_a_worker_of_its_own_lives(db: Database, clock: Clock) -> None:
    workers.show(db, clock, "elsewhere-0123456789-7-8", cages=True, reason="")
    assert healthy.living(db, clock) == 0
    workers.show(db, clock, worker_name(), cages=True, reason="")
    assert healthy.living(db, clock) == 1
    clock.now += workers.ALIVE + timedelta(seconds=1)
    assert healthy.living(db, clock) == 0


def test_the_health_check_says_that_nothing_lives_or_that_it_cannot_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MAUMAU_VAR", str(tmp_path))
    database = f"sqlite:///{tmp_path}/maumau.db"
    monkeypatch.setenv("MAUMAU_DATABASE_URL", database)
    assert healthy.main() == 2
    assert "worker:" in capsys.readouterr().err
    Database(database).migrate()
    assert healthy.main() == 1
    assert capsys.readouterr().out == "workers of this host alive: 0\n"
