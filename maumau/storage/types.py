"""Column types that mean the same on SQLite and PostgreSQL."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import DateTime, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator


class UtcTime(TypeDecorator[datetime]):
    """A moment, aware and in UTC; SQLite would give naive ones back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    @property
    def python_type(self) -> type[datetime]:
        """Say what values are."""
        return datetime

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Turn an aware moment to UTC; a naive one is a mistake of ours."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise TypeError(f"a moment needs its time zone: {value!r}")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the moment back in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Json(TypeDecorator[Any]):
    """A JSON value as canonical text: sorted keys, no blanks, ASCII (no NUL, no surrogate)."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """Write the value as text; `None` is NULL."""
        if value is None:
            return None
        return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Read the text back."""
        return None if value is None else msgspec.json.decode(value)


class ForeignText(TypeDecorator[str]):
    """Text from outside, kept whatever it holds: PostgreSQL refuses NUL and lone surrogates."""

    impl = Text
    cache_ok = True

    @property
    def python_type(self) -> type[str]:
        """Say what values are."""
        return str

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Replace what no database keeps."""
        return None if value is None else storable(value)


def storable(text: str) -> str:
    """Give `text` without NUL and lone surrogates, each shown in a form that can be kept."""
    return text.replace("\0", "\ufffd").encode("utf-8", "backslashreplace").decode("utf-8")
