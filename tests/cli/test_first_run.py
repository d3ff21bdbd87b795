from __future__ import annotations

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from maumau.cli import first_run
from maumau.storage import Database
from maumau.usecases import accounts

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def clock() -> datetime:
    return NOW


@pytest.fixture
def db(tmp_path: Path) -> Database:
    return Database(f"sqlite:///{tmp_path}/maumau.db")


def test_the_first_run_leaves_an_admins_token_for_its_owner_only(
    db: Database, tmp_path: Path
) -> None:
    file = tmp_path / "admin-token"
    first_run.prepare(db, clock, os.urandom, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    text = file.read_text().strip()
    assert accounts.verify_token(db, clock, text).role == "admin"
    assert not any(name.suffix == ".new" for name in tmp_path.iterdir())
    with db.read() as tx:
        bot = tx.bots.by_name("easy")
    assert bot is not None


def test_again_changes_nothing(db: Database, tmp_path: Path) -> None:
    file = tmp_path / "admin-token"
    first_run.prepare(db, clock, os.urandom, file)
    before = file.read_text()
    first_run.prepare(db, clock, os.urandom, file)
    assert file.read_text() == before


def test_a_lost_token_is_made_anew(db: Database, tmp_path: Path) -> None:
    file = tmp_path / "admin-token"
    first_run.prepare(db, clock, os.urandom, file)
    before = file.read_text()
    # As after a crash between the two: the account is there, the file is a draft.
    file.rename(tmp_path / "admin-token.new")
    first_run.prepare(db, clock, os.urandom, file)
    assert file.read_text() != before
    assert accounts.verify_token(db, clock, file.read_text().strip()).role == "admin"


def test_a_token_that_does_not_hold_is_told_and_left(db: Database, tmp_path: Path) -> None:
    file = tmp_path / "admin-token"
    file.write_text("mm_nonsense\n")
    warnings = first_run.prepare(db, clock, os.urandom, file)
    assert any("remove the file for a new one" in warning for warning in warnings)
    assert file.read_text() == "mm_nonsense\n"
