"""One database: its engine, its transactions and its migrations."""

from __future__ import annotations

import os
import sqlite3
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, exc, make_url, text

from maumau.errors import InvalidInput, Problem, Unavailable
from maumau.storage.copy import copy_rows
from maumau.storage.schema import metadata
from maumau.storage.transaction import Transaction

BUSY_MS = 30_000
RETRY_AFTER = 5
PATIENCE = {
    "connect_timeout": 5,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
}
"""How long PostgreSQL may be silent (seconds, the second in milliseconds) before it is taken to be
away: else a cut network would hold whoever asks for a quarter of an hour. The URL goes before.
"""


class Database:
    """SQLite or PostgreSQL by its URL; safe to share between threads, and across a fork.

    `begin()` is a writing transaction, `read()` a consistent look; both give the repositories.
    A database that cannot be reached raises `Unavailable` with `retry_after`.
    """

    def __init__(self, url: str, *, busy_ms: int = BUSY_MS):
        """`busy_ms` is how long a writer waits for another one on SQLite."""
        self._busy_ms = busy_ms
        try:
            self._url = make_url(url)
        except exc.ArgumentError:
            raise InvalidInput([Problem("MAUMAU_DATABASE_URL", "is not a database URL")]) from None
        if self._url.drivername == "postgresql":
            self._url = self._url.set(drivername="postgresql+psycopg")
        self.kind = self._url.get_backend_name()
        if self._url.drivername not in ("sqlite", "postgresql+psycopg"):
            raise InvalidInput(
                [Problem("MAUMAU_DATABASE_URL", "must begin with sqlite:/// or postgresql://")]
            )
        self._engine = self._make_engine()
        _dispose_after_fork(self._engine)

    def _make_engine(self) -> Engine:
        if self.kind == "postgresql":
            return create_engine(
                self._url,
                connect_args={k: v for k, v in PATIENCE.items() if k not in self._url.query},
                pool_pre_ping=True,
                pool_size=5,
                max_overflow=20,
                hide_parameters=True,
            )
        if self._url.database and self._url.database != ":memory:":
            Path(self._url.database).parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(
            self._url,
            connect_args={"timeout": self._busy_ms / 1000},
            pool_size=5,
            max_overflow=50,
            # Seeds and hashes of tokens stay out of errors, and so out of the log.
            hide_parameters=True,
        )
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine

    @contextmanager
    def begin(self) -> Iterator[Transaction]:
        """Open a writing transaction: all of it is kept, or with an exception nothing."""
        with _reachable(), self._engine.begin() as connection:
            yield Transaction(connection)

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """Open a reading transaction: everything in it is seen as of one moment."""
        options: dict[str, Any] = {"maumau_read": True}
        if self.kind == "postgresql":
            options |= {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        with _reachable(), self._engine.connect() as plain:
            connection = plain.execution_options(**options)
            with connection.begin():
                yield Transaction(connection)

    def migrate(self) -> None:
        """Bring the schema up to date; several processes may do this at once."""
        with _reachable(), self._engine.connect() as connection:
            if self.kind == "postgresql":
                # One migrating process at a time; the lock goes with the connection.
                connection.execute(text("SELECT pg_advisory_lock(7238420)"))
                connection.commit()
            with connection.begin():
                config = _alembic()
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
            if self.kind == "postgresql":
                connection.execute(text("SELECT pg_advisory_unlock(7238420)"))
                connection.commit()

    def revision(self) -> tuple[str | None, str | None]:
        """Give the schema's revision and the one that this release needs."""
        head = ScriptDirectory.from_config(_alembic()).get_current_head()
        with _reachable(), self._engine.connect() as connection:
            return MigrationContext.configure(connection).get_current_revision(), head

    def is_ours(self) -> bool:
        """Tell whether this is a database of an arena, of this release or one before."""
        script = ScriptDirectory.from_config(_alembic())
        try:
            with self._engine.connect() as connection:
                current = MigrationContext.configure(connection).get_current_revision()
        except exc.DatabaseError:
            return False
        return current in {revision.revision for revision in script.walk_revisions()}

    def copy_into(self, target: Database) -> int:
        """Copy everything, as of one moment, into an empty database; gives the number of rows."""
        with self.read() as source, target.begin() as tx:
            return copy_rows(source.connection, tx.connection)

    def differences(self) -> list[Any]:
        """Compare the schema that is there with the one in the code; empty where they agree."""
        with _reachable(), self._engine.connect() as connection:
            return list(compare_metadata(MigrationContext.configure(connection), metadata))

    def close(self) -> None:
        """Give all connections back."""
        self._engine.dispose()


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # The driver must not begin transactions on its own: _begin_sqlite does.
    connection.isolation_level = None
    for pragma in (
        "journal_mode=WAL",
        "foreign_keys=ON",
        # With WAL the default would lose what was acknowledged at a power cut.
        "synchronous=FULL",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes its lock first: upgrading a read lock later can fail at once.
    reading = connection.get_execution_options().get("maumau_read", False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


@contextmanager
def _reachable() -> Iterator[None]:
    try:
        yield
    except (exc.OperationalError, exc.InterfaceError, exc.TimeoutError) as error:
        # The cause names hosts and files: it goes to the log with the traceback, not to clients.
        raise Unavailable(
            "database", "the database is out of reach or busy; try again", retry_after=RETRY_AFTER
        ) from error
    except exc.DatabaseError as error:
        if type(error) is not exc.DatabaseError:
            raise  # one of its kinds: a mistake of ours
        # SQLite's word for a file that is none of its own, or whose pages do not fit together.
        raise Unavailable(
            "database_damaged",
            "the database file is damaged, or is no database: put a backup in its place "
            "(docs/operations.md)",
        ) from error


def _dispose_after_fork(engine: Engine) -> None:
    """Let a forked child open connections of its own: two processes on one socket break both."""
    reference = weakref.ref(engine)

    def forget() -> None:
        alive = reference()
        if alive is not None:
            alive.dispose(close=False)

    os.register_at_fork(after_in_child=forget)


def _alembic() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config
