"""Tables as CSV, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from flask import Response, request

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def wants_csv(format_asked: str | None) -> bool:
    """Tell whether this request asks for CSV: by `?format=csv`, else by its Accept."""
    if format_asked is not None:
        return format_asked == "csv"
    return request.accept_mimetypes.best_match(["application/json", "text/csv"]) == "text/csv"


def csv_answer(name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Response:
    """Answer with a table; `name` is the file's, without ending."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([cell(value) for value in row])
    response = Response(text.getvalue(), content_type="text/csv; charset=utf-8; header=present")
    response.headers.set("Content-Disposition", "attachment", filename=f"{name}.csv")
    return response


def cell(value: object) -> object:
    """Give a value as a cell: a text that a spreadsheet would take for a formula gets a quote."""
    if value is None:
        return ""
    if isinstance(value, str) and value.startswith(FORMULA):
        return "'" + value
    return value
