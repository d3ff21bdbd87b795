import csv
import io

import pytest
from flask import Flask

from service.tables import Table, wants_csv


@pytest.mark.parametrize("text", ["=1+1", "+1", "-x", "@sum", "\tx", "\rx"])
def test_a_text_that_a_spreadsheet_would_compute_is_quoted(text: str) -> None:
    with Flask(__name__).test_request_context():
        answer = Table(["name"], [[text]]).answer("t")
    rows = list(csv.reader(io.StringIO(answer.get_data(as_text=True), newline="")))
    assert rows[0] == ["name"]
    assert rows[1][0].startswith("'" + text[0])


def test_numbers_stay_numbers_and_none_is_empty() -> None:
    with Flask(__name__).test_request_context():
        answer = Table(["a", "b", "c"], [[-1, None, 0.5]]).answer("t")
    assert answer.get_data(as_text=True).splitlines()[1] == "-1,,0.5"
    assert answer.headers["Content-Disposition"] == "attachment; filename=t.csv"
    assert answer.mimetype == "text/csv"


@pytest.mark.parametrize(
    ("accept", "asked", "csv_wanted"),
    [
        ("*/*", None, False),
        ("application/json", None, False),
        ("text/csv", None, True),
        ("text/html, text/csv;q=0.5, application/json;q=0.9", None, False),
        ("application/json", "csv", True),
        ("text/csv", "json", False),
    ],
)
def test_csv_is_asked_for_by_query_or_accept(
    accept: str, asked: str | None, csv_wanted: bool
) -> None:
    with Flask(__name__).test_request_context(headers={"Accept": accept}):
        assert wants_csv({"format": asked} if asked else {}) is csv_wanted
