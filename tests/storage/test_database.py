from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.exc import IntegrityError, StatementError

from maumau.errors import Conflict, InvalidInput, Unavailable
from maumau.storage import Answer, Database

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


def test_no_error_of_the_database_tells_the_values_it_was_given(db: Database) -> None:
    with (
        pytest.raises(IntegrityError) as told,
        db.begin() as tx,
    ):
        tx.answers.put(answer(0, b"a secret"))
    assert "INSERT INTO answer" in str(told.value)
    assert "secret" not in str(told.value)


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


def test_a_writer_that_waits_too_long_for_another_is_told_to_try_again(sqlite_url: str) -> None:
    first, second = Database(sqlite_url), Database(sqlite_url, busy_ms=10)
    with first.begin() as tx:
        tx.accounts.create("ann", "author", now=NOW)
        with pytest.raises(Unavailable, match="busy"), second.begin():
            pass
        # Readers do not wait.
        with second.read() as look:
            assert look.accounts.by_name("ann") is None
    with second.begin() as tx:
        assert tx.accounts.by_name("ann")
    first.close()
    second.close()


@pytest.mark.parametrize("content", [b"no database at all\n" * 100, None])
def test_a_damaged_file_is_told_as_such(sqlite_url: str, content: bytes | None) -> None:
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    whole = file.read_bytes()
    # All pages but the first are no pages any more.
    file.write_bytes(whole[:4096] + b"?" * (len(whole) - 4096) if content is None else content)
    database = Database(sqlite_url)
    with pytest.raises(Unavailable, match="put a backup in its place"), database.begin() as tx:
        tx.accounts.create("ann", "author", now=NOW)
    database.close()


def test_a_full_disk_undoes_the_transaction(sqlite_db: Database) -> None:
    def fill() -> None:
        with sqlite_db.begin() as tx:
            tx.accounts.create("ann", "author", now=NOW)
            tx.connection.exec_driver_sql("PRAGMA max_page_count = 200")
            tx.files.put(bytes(2_000_000))

    with pytest.raises(Unavailable):
        fill()
    with sqlite_db.read() as tx:
        assert tx.accounts.by_name("ann") is None


def test_connections_that_the_server_has_cut_are_made_anew(
    postgresql_url: str, postgresql_cluster: str
) -> None:
    database = Database(postgresql_url)
    with database.begin() as tx:
        tx.accounts.create("ann", "author", now=NOW)
    with psycopg.connect(host=postgresql_cluster, user="arena", dbname="postgres") as c:
        cut = c.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname LIKE 'test%'"
        ).fetchall()
    assert (True,) in cut
    with database.read() as tx:
        assert tx.accounts.by_name("ann")
    database.close()


def test_a_connection_cut_in_mid_transaction_is_unavailable_and_undone(
    postgresql_url: str, postgresql_cluster: str
) -> None:
    database = Database(postgresql_url)

    def cut_off() -> None:
        with database.begin() as tx:
            tx.accounts.create("ann", "author", now=NOW)
            with psycopg.connect(host=postgresql_cluster, user="arena", dbname="postgres") as c:
                c.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname LIKE 'test%'"
                ).fetchall()
            tx.accounts.create("bob", "author", now=NOW)

    with pytest.raises(Unavailable):
        cut_off()
    with database.read() as tx:
        assert tx.accounts.by_name("ann") is None
    database.close()


def test_a_forked_child_uses_connections_of_its_own(db: Database) -> None:
    with db.begin() as tx:
        tx.accounts.create("ann", "author", now=NOW)
    with db.read() as ours:
        child = os.fork()
        if child == 0:
            status = 1
            try:
                with db.begin() as tx:
                    tx.accounts.create("bob", "author", now=NOW)
                status = 0
            finally:
                os._exit(status)
        assert os.waitpid(child, 0)[1] == 0
        assert ours.accounts.by_name("ann")
    with db.read() as tx:
        assert tx.accounts.by_name("bob")


def test_hostile_text_is_kept_in_a_form_that_any_database_takes(db: Database) -> None:
    with db.begin() as tx:
        owner = tx.accounts.create("ann", "author", now=NOW)
        tx.rule_sets.put("0" * 64, "{}", name="a\0b\ud800", account_id=owner.id, now=NOW)
        kept = tx.rule_sets.get("0" * 64)
    assert kept is not None
    assert kept.name == "a\ufffdb\\ud800"


def test_a_naive_moment_is_a_mistake(db: Database) -> None:
    naive = NOW.replace(tzinfo=None)
    with pytest.raises(StatementError, match="time zone"), db.begin() as tx:
        tx.accounts.create("ann", "author", now=naive)


def test_several_processes_may_migrate_at_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new' / 'maumau.db'}"
    migrate = "import sys; from maumau.storage import Database; Database(sys.argv[1]).migrate()"
    command = [sys.executable, "-c", migrate, url]
    processes = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait(timeout=60) for process in processes] == [0, 0, 0]
    database = Database(url)
    assert database.differences() == []
    database.close()


def answer(account_id: int, body: bytes = b"{}", when: datetime = NOW) -> Answer:
    return Answer(account_id, "key", "f" * 64, 201, {"Location": "/x"}, body, when)


def test_an_answer_is_kept_once_for_each_account_and_key(db: Database) -> None:
    with db.begin() as tx:
        ann = tx.accounts.create("ann", "author", now=NOW)
        bob = tx.accounts.create("bob", "author", now=NOW)
        tx.answers.put(answer(ann.id))
        tx.answers.put(answer(bob.id, b"[]"))
    with pytest.raises(Conflict, match="Idempotency-Key"), db.begin() as tx:
        tx.answers.put(answer(ann.id, b"other"))
    with db.begin() as tx:
        assert tx.answers.get(ann.id, "key") == answer(ann.id)
        assert tx.answers.get(ann.id, "other") is None
        assert tx.answers.forget(before=NOW) == 0
        assert tx.answers.forget(before=NOW + timedelta(seconds=1)) == 2
        assert tx.answers.get(ann.id, "key") is None
