"""Keyset pages: rows after a key in a stated order, whatever was added meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, Select, literal, tuple_

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Order:
    """A total order: columns whose values together are unique, all up or all down."""

    columns: tuple[ColumnElement[Any], ...]
    descending: bool = False

    def types(self) -> tuple[type, ...]:
        """Give the Python type of each column, for checking a key from outside."""
        return tuple(column.type.python_type for column in self.columns)


@dataclass(frozen=True, slots=True)
class Slice:
    """Which rows of a list: at most `limit`, after the key `after`."""

    limit: int
    after: tuple[Any, ...] | None = None


@dataclass(frozen=True, slots=True)
class Keyed(Generic[T]):
    """Values with the key of the last one, where more follow."""

    items: tuple[T, ...]
    next: tuple[Any, ...] | None


def fetch(
    connection: Connection,
    query: Select[Any],
    order: Order,
    cut: Slice,
    make: Callable[[Row[Any]], T],
) -> Keyed[T]:
    """Read the rows of `query` that `cut` asks for in `order`, each made a value by `make`."""
    keys = tuple_(*order.columns)
    if cut.after is not None:
        after = tuple_(*(literal(v, c.type) for v, c in zip(cut.after, order.columns, strict=True)))
        query = query.where(keys < after if order.descending else keys > after)
    query = query.add_columns(*(c.label(f"_key{i}") for i, c in enumerate(order.columns)))
    query = query.order_by(*(c.desc() if order.descending else c.asc() for c in order.columns))
    rows = connection.execute(query.limit(cut.limit + 1)).all()
    shown = rows[: cut.limit]
    more = len(rows) > cut.limit and bool(shown)
    width = len(order.columns)
    return Keyed(tuple(make(row) for row in shown), tuple(shown[-1][-width:]) if more else None)
