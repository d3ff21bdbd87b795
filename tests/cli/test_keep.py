from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from maumau.cli import first_run
from maumau.storage import Database
from maumau.usecases.export import export_results
from maumau.usecases.schedule import schedule
from tests.cli.running import Ran, maumau

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def at(var: Path, *arguments: str, **env: str) -> Ran:
    return maumau(*arguments, env={"MAUMAU_VAR": str(var), **env})


def test_migrate_makes_all_that_must_be_there_and_again_nothing(tmp_path: Path) -> None:
    first = at(tmp_path / "var", "migrate")
    assert first.code == 0
    assert first.out.startswith("The schema is at ")
    token = (tmp_path / "var" / "admin-token").read_text()
    assert at(tmp_path / "var", "migrate").out == first.out
    assert (tmp_path / "var" / "admin-token").read_text() == token


def test_a_backup_is_restored_elsewhere_with_everything(tmp_path: Path) -> None:
    old, new, file = tmp_path / "old", tmp_path / "new", tmp_path / "backup.db"
    db = Database(f"sqlite:///{old}/maumau.db")
    first_run.prepare(db, lambda: NOW, os.urandom, old / "admin-token")
    with db.read() as tx:
        admin = tx.accounts.by_name("admin")
    assert admin is not None
    wish = {"entrants": ["easy", "random"], "rules": "champion", "blocks": 10}
    one = schedule(db, lambda: NOW, admin, wish, entropy=os.urandom).tournament.id
    made = at(old, "backup", str(file))
    assert (made.code, made.out.startswith(f"{file} holds ")) == (0, True)
    back = at(new, "restore", str(file))
    assert back.code == 0, back.err
    assert "Back in sqlite://" in back.out
    restored = Database(f"sqlite:///{new}/maumau.db")
    assert export_results(restored, one) == export_results(db, one)
    again = at(new, "restore", str(file))
    assert (again.code, "is not empty" in again.err) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("restore", "nowhere.db"), "there is no file nowhere.db"),
        (("restore", __file__), "is not a backup"),
        (("backup", __file__), "is there already"),
    ],
)
def test_what_cannot_be_done_is_said(tmp_path: Path, arguments: tuple[str, str], says: str) -> None:
    ran = at(tmp_path / "var", *arguments)
    assert ran.code in (1, 2)
    assert says in ran.err
    assert "Traceback" not in ran.err


def test_a_password_is_not_shown(tmp_path: Path) -> None:
    from maumau.cli.keep import _shown
    from maumau.settings import load

    url = "postgresql://arena:secret@db/arena?password=secret"
    assert _shown(load({"MAUMAU_DATABASE_URL": url})) == "postgresql://db/arena"
