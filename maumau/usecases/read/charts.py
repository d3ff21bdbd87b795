"""Charts of a tournament: drawn from what its standings and crosstable say, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from maumau.errors import NotFound
from maumau.storage import Database
from maumau.tournament import charts
from maumau.usecases.read.results import CrosstableView, StandingsView, crosstable, standings
from maumau.usecases.read.tournaments import tournament


def chart(db: Database, tournament_id: str, name: str) -> str:
    """Draw one of `CHARTS` as an SVG text; raises `NotFound` for another name or tournament."""
    if name not in CHARTS:
        raise NotFound("chart", name)
    return CHARTS[name](db, tournament_id)


def rating_chart(shown: StandingsView, *, title: str = "Rating by blocks played") -> str:
    """Draw ratings against blocks played; without final standings it is empty."""
    history = shown.rating_history
    return charts.rating_chart(history["blocks"], history["ratings"], shown.entrants, title=title)


def share_chart(shown: StandingsView, *, seats: int) -> str:
    """Draw score shares with their intervals."""
    place = {label: i for i, label in enumerate(shown.entrants)}
    rows = [_numbered(row, place) for row in shown.rows]
    return charts.share_chart(rows, shown.entrants, seats=seats)


def crosstable_chart(shown: StandingsView, table: CrosstableView) -> str:
    """Draw who did how well against whom, in the order of the standings."""
    place = {label: i for i, label in enumerate(table.entrants)}
    cells = [_numbered(cell, place) for cell in table.cells]
    order = [place[row["entrant"]] for row in shown.rows]
    return charts.crosstable_chart(cells, table.entrants, order)


def _numbered(row: Mapping[str, Any], place: Mapping[str, int]) -> dict[str, Any]:
    named = {key: place[row[key]] for key in ("entrant", "other") if key in row}
    return {**row, **named}


def _share(db: Database, tournament_id: str) -> str:
    seats = tournament(db, tournament_id).seats
    return share_chart(standings(db, tournament_id), seats=seats)


def _crosstable(db: Database, tournament_id: str) -> str:
    return crosstable_chart(standings(db, tournament_id), crosstable(db, tournament_id))


def _rating(db: Database, tournament_id: str) -> str:
    return rating_chart(standings(db, tournament_id))


CHARTS: Mapping[str, Callable[[Database, str], str]] = {
    "share": _share,
    "crosstable": _crosstable,
    "rating": _rating,
}
