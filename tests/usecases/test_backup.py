"""Backups are made while the arena runs, and restored into either kind of database."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from maumau.errors import Conflict, InvalidInput
from maumau.storage import Account, Database
from maumau.usecases import accounts, play, read
from maumau.usecases.backup import backup, restore
from maumau.usecases.due import due_chunks
from maumau.usecases.export import export_results
from maumau.usecases.schedule import schedule
from maumau.usecases.verify import verify_tournament
from tests.conftest import fresh_postgresql
from tests.usecases.plugged import accepted, source
from tests.usecases.standing import EITHER_DATABASE, StandingClock

Entropy = Callable[[int], bytes]


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """A database to restore into, which nobody has migrated or used."""
    if request.param == "sqlite":
        return Database(f"sqlite:///{tmp_path / 'restored' / 'maumau.db'}")
    return Database(fresh_postgresql(request.getfixturevalue("postgresql_template")))


def test_a_backup_made_in_mid_tournament_goes_on_to_the_same_end(
    db: Database,
    clock: StandingClock,
    entropy: Entropy,
    ann: Account,
    tmp_path: Path,
    empty: Database,
) -> None:
    accepted(
        db,
        ann,
        clock(),
        "aa",
        "bb",
        contents=[source("aa"), source("bb", "len(obs.legal_actions) // 3")],
    )
    wish = {"entrants": ["aa", "bb"], "rules": "crazy-eights", "blocks": 40, "seed": "s"}
    one = schedule(db, clock, ann, wish, entropy=entropy).tournament.id
    first, second = due_chunks(db, clock)

    def played(where: Database, chunk: str) -> bool:
        return play.play_chunk(where, clock, chunk, "w1", files=tmp_path, uploads="unsafe")

    assert played(db, first)
    assert play.claim(db, clock, second, "elsewhere")
    file = tmp_path / "arena.backup"
    rows = backup(db, file).rows
    assert rows > 60
    assert {path.name for path in tmp_path.glob("arena.backup*")} == {"arena.backup"}
    with db.begin() as tx:
        tx.chunks.release("elsewhere", blame=False, log="")
    assert played(db, second)

    assert restore(file, empty).rows == rows
    assert read.tournament(empty, one).progress.games_played == 40
    assert due_chunks(empty, clock) == [second]
    assert played(empty, second)
    assert export_results(empty, one) == export_results(db, one)
    assert verify_tournament(empty, one).differences == ()
    # New rows get new ids.
    admin = accounts.first_admin(empty, clock, entropy=entropy)
    assert admin is not None
    assert admin.token.account_id > ann.id
    # The backup is as it was, and serves again.
    again = Database(f"sqlite:///{tmp_path / 'again.db'}")
    assert restore(file, again).rows == rows
    again.close()
    empty.close()


@EITHER_DATABASE
def test_nothing_is_overwritten(db: Database, ann: Account, tmp_path: Path) -> None:
    file = tmp_path / "arena.backup"
    backup(db, file)
    before = file.read_bytes()
    with pytest.raises(Conflict, match="there already"):
        backup(db, file)
    with pytest.raises(Conflict, match="not empty"):
        restore(file, db)
    assert file.read_bytes() == before
    assert read.bots(db).items == ()


@EITHER_DATABASE
def test_a_backup_is_for_its_owner_only_while_it_is_made_too(
    db: Database, ann: Account, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds sources, seeds and the hashes of tokens; others may look into the directory."""
    tmp_path.chmod(0o755)
    copying = Database.copy_into
    beside: list[int] = []

    def watched(one: Database, target: Database) -> int:
        beside.extend(path.stat().st_mode & 0o077 for path in tmp_path.glob(".*"))
        return copying(one, target)

    monkeypatch.setattr(Database, "copy_into", watched)
    file = tmp_path / "arena.backup"
    before = os.umask(0o022)
    try:
        backup(db, file)
        with pytest.raises(Conflict, match="not empty"):
            restore(file, db)
    finally:
        os.umask(before)
    assert beside == [0, 0]
    assert file.stat().st_mode & 0o777 == 0o600
    assert not list(tmp_path.glob(".arena.backup*"))


@EITHER_DATABASE
def test_of_two_backups_at_once_into_one_file_one_is_refused(
    db: Database, ann: Account, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "arena.backup"
    copying = Database.copy_into

    def another_meanwhile(one: Database, target: Database) -> int:
        with monkeypatch.context() as plain:
            plain.setattr(Database, "copy_into", copying)
            backup(db, file)
        return copying(one, target)

    monkeypatch.setattr(Database, "copy_into", another_meanwhile)
    with pytest.raises(Conflict, match="there already"):
        backup(db, file)
    whole = Database(f"sqlite:///{file}")
    with whole.read() as tx:
        assert tx.accounts.by_name(ann.name) is not None
    whole.close()


@EITHER_DATABASE
def test_what_is_no_backup_is_refused(db: Database, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no file"):
        restore(tmp_path / "none", db)
    text = tmp_path / "text"
    text.write_text("this is no database at all, " * 100)
    with pytest.raises(InvalidInput, match="not a backup"):
        restore(text, db)
    empty = tmp_path / "empty"
    empty.write_bytes(b"")
    with pytest.raises(InvalidInput, match="not a backup"):
        restore(empty, db)
    assert {path.name for path in tmp_path.iterdir()} >= {"text", "empty"}
    assert not list(tmp_path.glob(".*"))
