from datetime import UTC, datetime

import pytest

from maumau.errors import Conflict, InvalidInput, Unavailable
from maumau.storage import Database

NOW = datetime(2026, 1, 2, 3, 4, 5, 678901, UTC)


def test_a_moment_comes_back_aware_and_in_utc(db: Database) -> None:
    with db.begin() as tx:
        tx.accounts.create("ann", "author", now=NOW)
    with db.read() as tx:
        found = tx.accounts.by_name("ann")
    assert found is not None
    assert found.created_at == NOW
    assert found.created_at.tzinfo is UTC


def test_an_exception_undoes_the_whole_transaction(db: Database) -> None:
    def fail() -> None:
        with db.begin() as tx:
            tx.accounts.create("ann", "author", now=NOW)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    with db.read() as tx:
        assert tx.accounts.by_name("ann") is None


def test_a_conflict_leaves_the_transaction_usable(db: Database) -> None:
    with db.begin() as tx:
        tx.accounts.create("ann", "author", now=NOW)
        with pytest.raises(Conflict):
            tx.accounts.create("ann", "author", now=NOW)
        tx.accounts.create("bob", "author", now=NOW)
    with db.read() as tx:
        assert tx.accounts.by_name("ann")
        assert tx.accounts.by_name("bob")


def test_a_reading_transaction_sees_one_moment(db: Database) -> None:
    with db.read() as before:
        assert before.accounts.by_name("ann") is None
        with db.begin() as tx:
            tx.accounts.create("ann", "author", now=NOW)
        assert before.accounts.by_name("ann") is None
    with db.read() as after:
        assert after.accounts.by_name("ann")


def test_the_schema_is_what_the_migrations_make(db: Database) -> None:
    assert db.differences() == []


def test_migrating_again_changes_nothing(db: Database) -> None:
    db.migrate()
    current, head = db.revision()
    assert current == head is not None


@pytest.mark.parametrize("url", ["mysql://x/y", "nonsense", "sqlite+aiosqlite:///x"])
def test_another_kind_of_database_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput, match="MAUMAU_DATABASE_URL"):
        Database(url)


def test_a_database_out_of_reach_is_unavailable() -> None:
    database = Database("postgresql://nobody:secret@127.0.0.1:1/none")
    with pytest.raises(Unavailable) as caught, database.read():
        pass
    assert caught.value.retry_after
    assert "secret" not in str(caught.value)
