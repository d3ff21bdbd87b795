"""Read standings and crosstables: kept as chunks land, nothing is rated here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from maumau.storage import Database
from maumau.storage.values import Entrant, StoredStandings, Tournament
from maumau.usecases.read.tournaments import entrant_view, found_tournament
from maumau.usecases.suspend import WITHOUT

NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class StandingsView:
    """The ranked result of a tournament, final once it has ended.

    `rows` are those of `maumau.tournament.standings.Row` with `entrant` as the label and `bot` and
    `version` beside it; `complete` is whether all that was planned was played, `repeated` whether
    intervals hold at every number of seeds together, as with a stop rule. `differences` are of
    every two entrants, `intransitive` triples that beat one another in a circle. `ratings` come
    with the final standings, and with them `rating_history`: `blocks`, and for each of these
    numbers the ratings of all entrants in the order of `entrants`.
    """

    tournament: str
    state: str
    measure: str
    best: str
    complete: bool
    final: bool
    repeated: bool
    seeds: int
    games: int
    confidence: float
    updated_at: datetime
    rows: tuple[Mapping[str, Any], ...]
    ratings: tuple[Mapping[str, Any], ...]
    differences: tuple[Mapping[str, Any], ...]
    intransitive: tuple[tuple[str, ...], ...]
    entrants: tuple[str, ...]
    rating_history: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CrosstableView:
    """Who did how well against whom; one cell for each ordered pair that met.

    `cells` are those of `maumau.tournament.standings.crosstable`, entrants as labels.
    """

    tournament: str
    state: str
    complete: bool
    final: bool
    updated_at: datetime
    entrants: tuple[str, ...]
    cells: tuple[Mapping[str, Any], ...]


def standings(db: Database, tournament_id: str) -> StandingsView:
    """Read a tournament's standings; raises `NotFound`."""
    found, entrants, stored = _stored(db, tournament_id)
    document = stored.document["standings"]
    return StandingsView(
        tournament=found.id,
        state=found.state,
        measure=document["measure"],
        best=document["best"],
        complete=document["complete"],
        final=stored.final,
        repeated=document["repeated"],
        seeds=document["seeds"],
        games=document["games"],
        confidence=document["confidence"],
        updated_at=stored.updated_at,
        rows=tuple(_row(row, entrants, ADDED) for row in document["rows"]),
        ratings=tuple(_row(row, entrants) for row in stored.document["ratings"]),
        differences=tuple(
            pair | {key: entrants[pair[key]].label for key in ("entrant", "other")}
            for pair in stored.document["differences"]
        ),
        intransitive=tuple(
            tuple(entrants[number].label for number in triple)
            for triple in stored.document["intransitive"]
        ),
        entrants=tuple(entrant.label for entrant in entrants),
        # Standings that were final before ratings had a history have none.
        rating_history=stored.document.get("rating_history", {"blocks": [], "ratings": []}),
    )


def crosstable(db: Database, tournament_id: str) -> CrosstableView:
    """Read a tournament's crosstable; raises `NotFound`."""
    found, entrants, stored = _stored(db, tournament_id)
    labels = tuple(entrant.label for entrant in entrants)
    cells = stored.document["crosstable"]
    return CrosstableView(
        tournament=found.id,
        state=found.state,
        complete=stored.document["standings"]["complete"],
        final=stored.final,
        updated_at=stored.updated_at,
        entrants=labels,
        cells=tuple(
            cell | {"entrant": labels[cell["entrant"]], "other": labels[cell["other"]]}
            for cell in cells
        ),
    )


def _stored(
    db: Database, tournament_id: str
) -> tuple[Tournament, Sequence[Entrant], StoredStandings]:
    with db.read() as tx:
        found = found_tournament(tx, tournament_id)
        stored = tx.standings.standings(tournament_id)
        assert stored is not None, "schedule keeps the first standings"
        return found, tx.tournaments.entrants(tournament_id), stored


ADDED = dict.fromkeys([*(f"{name}_without_faults" for name in WITHOUT), "suspended_after"])
"""What standings lack that were final before they told it."""


def _row(
    row: Mapping[str, Any], entrants: Sequence[Entrant], added: Mapping[str, Any] = NOTHING
) -> Mapping[str, Any]:
    entrant = entrant_view(entrants[row["entrant"]])
    return {
        **added,
        **row,
        "entrant": entrant.label,
        "bot": entrant.bot,
        "version": entrant.version,
    }
