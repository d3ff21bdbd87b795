"""Cursor pages: opaque to whoever reads them, checked when they come back."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, NoReturn, TypeVar

from maumau.errors import InvalidInput, Problem
from maumau.storage.pages import Keyed, Order, Slice
from maumau.storage.types import storable

T = TypeVar("T")
V = TypeVar("V")

LARGEST_PAGE = 200
_LONGEST_CURSOR = 500
_LARGEST_KEY = 2**31


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some items of a list; `next` is the cursor of the page after, None on the last."""

    items: tuple[T, ...]
    next: str | None


class Pages:
    """The pages of one list, by what it is (with its filters and sort) and its order.

    A cursor holds for the list that gave it only: the same filters, the same sort.
    """

    def __init__(self, order: Order, *what: object):
        self.order = order
        self._mark = hashlib.sha256(json.dumps(what).encode()).hexdigest()[:12]

    def slice(self, limit: int, after: str | None) -> Slice:
        """Say which rows are asked for; raises `InvalidInput` (`limit`, `cursor`)."""
        if not 1 <= limit <= LARGEST_PAGE:
            raise InvalidInput([Problem("limit", f"must be from 1 to {LARGEST_PAGE}")])
        return Slice(limit, None if after is None else self._key(after))

    def page(self, found: Keyed[V], show: Callable[[V], T]) -> Page[T]:
        """Give what was found as a page."""
        following = None if found.next is None else self._cursor(found.next)
        return Page(tuple(map(show, found.items)), following)

    def _cursor(self, key: tuple[Any, ...]) -> str:
        plain = [v.isoformat() if isinstance(v, datetime) else v for v in key]
        text = json.dumps([self._mark, *plain], separators=(",", ":"))
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    def _key(self, cursor: str) -> tuple[Any, ...]:
        if len(cursor) > _LONGEST_CURSOR or not cursor.isascii():
            _refuse()
        try:
            padded = cursor + "=" * (-len(cursor) % 4)
            parts = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        except (ValueError, RecursionError):
            _refuse()
        types = self.order.types()
        if not isinstance(parts, list) or len(parts) != len(types) + 1 or parts[0] != self._mark:
            _refuse()
        return tuple(map(_value, parts[1:], types))


def _value(part: object, kind: type) -> Any:
    if kind is datetime and isinstance(part, str):
        return _moment(part)
    if kind is str and isinstance(part, str) and storable(part) == part:
        return part
    if kind is int and type(part) is int and -_LARGEST_KEY <= part < _LARGEST_KEY:
        return part
    return _refuse()


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    return _refuse()


def _refuse() -> NoReturn:
    message = "is not one that this list gave; leave it out to begin with the first page"
    raise InvalidInput([Problem("cursor", message)])


def chosen(orders: dict[str, Order], sort: str) -> Order:
    """Give the order that a sort names; raises `InvalidInput` with the names there are."""
    if sort not in orders:
        raise InvalidInput([Problem("sort", f"must be one of {', '.join(orders)}")])
    return orders[sort]
