"""Tables as CSV, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import marshmallow as ma
from flask import Response, request

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


@dataclass(frozen=True, slots=True)
class Table:
    """Columns by name, and rows of cells."""

    columns: Sequence[str]
    rows: Sequence[Sequence[object]]

    def answer(self, name: str) -> Response:
        """Answer with the table; `name` is the file's, without ending."""
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(self.columns)
        writer.writerows([cell(value) for value in row] for row in self.rows)
        response = Response(text.getvalue(), content_type="text/csv; charset=utf-8")
        response.headers.set("Content-Disposition", "attachment", filename=f"{name}.csv")
        return response


def table_of(schema: ma.Schema, items: Iterable[object]) -> Table:
    """Make a table of items whose fields are plain: the schema's fields are the columns."""
    columns = list(schema.fields)
    dumped: list[Mapping[str, Any]] = [schema.dump(item) for item in items]
    return Table(columns, [[row[column] for column in columns] for row in dumped])


def wants_csv(query: dict[str, Any]) -> bool:
    """Tell whether a request asks for CSV, by `?format=csv` (taken out), else by its Accept."""
    asked = query.pop("format", None)
    if asked is not None:
        return bool(asked == "csv")
    return request.accept_mimetypes.best_match(["application/json", "text/csv"]) == "text/csv"


def cell(value: object) -> object:
    """Give a value as a cell: a text that a spreadsheet would take for a formula gets a quote."""
    if value is None:
        return ""
    if isinstance(value, str) and value.startswith(FORMULA):
        return "'" + value
    return value
