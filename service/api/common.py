"""What the resources share: the blueprint, pages, fields."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any
from urllib.parse import urlencode

import marshmallow as ma
from flask import Response, request
from flask_smorest import Blueprint

from maumau.errors import Problem
from maumau.usecases.read import Page
from service.auth import API
from service.mending import mending
from service.parsing import StrictParser
from service.problems import HttpProblem
from service.tables import Table

PAGE = 50
LARGEST_PAGE = 200
TEXT = {"type": "string"}
View = Callable[..., Any]
BINARY = {"type": "string", "format": "binary"}
PRIVATE = {"Cache-Control": "no-store"}
"""For what is one account's own."""


class Resource(Blueprint):
    """A blueprint below `/api/v1` that parses strictly."""

    ARGUMENTS_PARSER = StrictParser()

    def __init__(self, name: str, description: str):
        super().__init__(name, __name__, url_prefix=API, description=description)

    def table(
        self,
        rule: str,
        shape: type[ma.Schema],
        query: type[ma.Schema] | None = None,
        **described: Any,
    ) -> Callable[[View], View]:
        """Route GETs of a table: JSON of this shape, or CSV to who asks for it."""

        def decorate(view: View) -> View:
            for step in (
                self.response(200, shape, **described),
                self.alt_response(200, schema=TEXT, content_type="text/csv", success=True),
                self.arguments(query or FormatQuery, location="query"),
                self.get(rule),
            ):
                view = step(view)
            return view

        return decorate

    def table_page(
        self, rule: str, item: type[ma.Schema], query: type[ma.Schema]
    ) -> Callable[[View], View]:
        """Route GETs of a list that is a table: a page of items, or of CSV."""
        return self.table(rule, page_schema(item), query, headers=NEXT_LINK)

    def arguments(self, schema: type[ma.Schema] | ma.Schema, **options: Any) -> Any:
        """Read arguments by a schema whose messages tell how to mend a value."""
        made = schema() if isinstance(schema, type) else schema
        return super().arguments(mending(made), **options)


class PageQuery(ma.Schema):
    """Which page of a list."""

    limit = ma.fields.Integer(
        load_default=PAGE,
        validate=ma.validate.Range(1, LARGEST_PAGE),
        metadata={"description": "Items on a page."},
    )
    cursor = ma.fields.String(
        data_key="cursor",
        attribute="after",
        validate=ma.validate.Length(1, 500),
        metadata={"description": "`next` of the page before."},
    )


class FormatQuery(ma.Schema):
    """In which form."""

    format = ma.fields.String(
        validate=ma.validate.OneOf(("json", "csv")),
        metadata={"description": "Goes before the Accept header."},
    )


@cache
def page_schema(item: type[ma.Schema]) -> type[ma.Schema]:
    """Make the schema of a page of items."""
    fields: dict[str, Any] = {
        "items": ma.fields.List(ma.fields.Nested(item), required=True),
        "next": ma.fields.String(
            required=True,
            allow_none=True,
            metadata={"description": "The cursor of the next page, null on the last."},
        ),
    }
    return type(f"{item.__name__}Page", (Strict,), fields)


NEXT_LINK = {
    "Link": {
        "description": 'The next page, where there is one: `<…>; rel="next"`.',
        "schema": {"type": "string"},
    }
}


def page(found: Page[Any]) -> tuple[Page[Any], dict[str, str]]:
    """Answer with a page and the link to the next."""
    return found, _next_link(found)


def csv_page(name: str, table: Table, found: Page[Any]) -> Response:
    """Answer with a page as CSV and the link to the next."""
    answer = table.answer(name)
    answer.headers.update(_next_link(found))
    return answer


def _next_link(found: Page[Any]) -> dict[str, str]:
    if found.next is None:
        return {}
    kept = [(k, v) for k, v in request.args.items(multi=True) if k != "cursor"]
    arguments = urlencode([*kept, ("cursor", found.next)])
    return {"Link": f'<{request.path}?{arguments}>; rel="next"'}


class Strict(ma.Schema):
    """A schema of answers: exactly these fields, each present."""

    class Meta:
        """Said in the description too."""

        unknown = ma.RAISE


class Moment(ma.fields.AwareDateTime):
    """RFC 3339 in UTC, with `Z`."""

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> str | None:
        if value is None:
            return None
        return str(value.isoformat().replace("+00:00", "Z"))


def problem(path: str, message: str) -> HttpProblem:
    """Refuse one value of a request."""
    wrong = Problem(path, message)
    return HttpProblem(422, str(wrong), problems=(wrong,))
