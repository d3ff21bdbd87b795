"""The two statements that SQLite and PostgreSQL spell alike but SQLAlchemy keeps apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

# SQLite allows 32,766 bound values in a statement; rows here have at most 20.
ROWS_AT_ONCE = 1000


def insert_absent(connection: Connection, table: Table, values: Mapping[str, Any]) -> bool:
    """Insert a row unless its keys are there already; True if it was inserted."""
    return connection.execute(_insert(connection, table, values)).first() is not None


def _insert(connection: Connection, table: Table, values: Mapping[str, Any]) -> Any:
    # RETURNING, since the row count of such an insert is not told by psycopg.
    key = next(iter(table.primary_key))
    if connection.dialect.name == "postgresql":
        return postgresql.insert(table).values(**values).on_conflict_do_nothing().returning(key)
    return sqlite.insert(table).values(**values).on_conflict_do_nothing().returning(key)


def upsert(connection: Connection, table: Table, values: Mapping[str, Any]) -> None:
    """Insert a row, or replace the one with the same primary key."""
    keys = [column.name for column in table.primary_key]
    changed = {name: value for name, value in values.items() if name not in keys}
    make = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    statement = make(table).values(**values)
    connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=changed))


def insert_many(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert all rows, in batches."""
    for first in range(0, len(rows), ROWS_AT_ONCE):
        connection.execute(
            table.insert(), [dict(row) for row in rows[first : first + ROWS_AT_ONCE]]
        )
