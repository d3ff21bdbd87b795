"""Copy a whole database, row by row, from one kind to another: what backups are made of."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Integer, func, select, text
from sqlalchemy.sql.schema import Table

from maumau.errors import Conflict
from maumau.storage.dialects import insert_many
from maumau.storage.schema import metadata

AT_ONCE = 500


def copy_rows(source: Connection, target: Connection) -> int:
    """Copy all rows into an empty database of the same schema; gives their number.

    Raises `Conflict` (`not_empty`) where the target holds anything.
    """
    tables = metadata.sorted_tables
    for table in tables:
        if target.execute(select(func.count()).select_from(table)).scalar_one():
            raise Conflict("not_empty", "the database to restore into is not empty; take a new one")
    copied = sum(_copy(source, target, table) for table in tables)
    if target.dialect.name == "postgresql":
        for table in tables:
            _count_on(target, table)
    return copied


def _copy(source: Connection, target: Connection, table: Table) -> int:
    copied = 0
    result = source.execution_options(stream_results=True, max_row_buffer=AT_ONCE).execute(
        select(table).order_by(*table.primary_key)
    )
    for rows in result.mappings().partitions(AT_ONCE):
        insert_many(target, table, [_plain(row) for row in rows])
        copied += len(rows)
    return copied


def _plain(row: Any) -> dict[str, Any]:
    return {name: bytes(v) if isinstance(v, memoryview) else v for name, v in row.items()}


def _count_on(target: Connection, table: Table) -> None:
    """Let PostgreSQL count on from the highest id that was copied."""
    key = next(iter(table.primary_key))
    if len(table.primary_key) == 1 and isinstance(key.type, Integer) and not key.foreign_keys:
        # Names of our own schema, nothing from outside.
        target.execute(
            text(
                f"SELECT setval(pg_get_serial_sequence('{table.name}', '{key.name}'), "
                f"coalesce(max({key.name}), 0) + 1, false) FROM {table.name}"
            )
        )
