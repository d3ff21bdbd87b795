"""`/matches/{id}`: all blocks of a line-up, and their games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import marshmallow as ma

from maumau.usecases import read
from service.api.common import (
    FormatQuery,
    PageQuery,
    Resource,
    Strict,
    csv_page,
    page,
)
from service.api.games import GameOut, game_table
from service.context import arena
from service.tables import Table, wants_csv

blueprint = Resource("matches", "Matches: all blocks of one line-up.")


class MatchResultOut(Strict):
    """What an entrant has in a match."""

    entrant = ma.fields.String(required=True, metadata={"description": "`name@version`"})
    games = ma.fields.Integer(required=True)
    score_share = ma.fields.Float(
        required=True,
        allow_none=True,
        metadata={"description": "0 to 1; null before its first game."},
    )
    points = ma.fields.Integer(required=True)
    points_per_game = ma.fields.Float(required=True, allow_none=True)
    games_won = ma.fields.Integer(required=True)
    games_shared = ma.fields.Integer(required=True)
    faults = ma.fields.Integer(required=True)


class MatchOut(Strict):
    """All blocks of one line-up."""

    id = ma.fields.String(required=True)
    tournament = ma.fields.String(required=True)
    number = ma.fields.Integer(required=True, metadata={"description": "Its place in the plan."})
    line_up = ma.fields.List(ma.fields.String(), required=True)
    games_played = ma.fields.Integer(required=True)
    games_total = ma.fields.Integer(required=True)
    results = ma.fields.List(ma.fields.Nested(MatchResultOut), required=True)


class MatchGamesQuery(PageQuery, FormatQuery):
    """Which page, in which form."""


@blueprint.table("/matches/<id>", MatchOut)
def show_match(query: dict[str, Any], id: str) -> Any:
    """Show a match: what each entrant of the line-up has in it."""
    found = read.match(arena().db, id)
    return match_table([found]).answer(f"{id}-match") if wants_csv(query) else found


@blueprint.table_page("/matches/<id>/games", GameOut, MatchGamesQuery)
def list_match_games(query: dict[str, Any], id: str) -> Any:
    """List the games of a match in the order of the plan; as CSV a line a seat of each."""
    as_csv = wants_csv(query)
    found = read.match_games(arena().db, id, **query)
    return csv_page(f"{id}-games", game_table(found.items), found) if as_csv else page(found)


def match_table(found: Sequence[read.MatchView]) -> Table:
    """Give matches as a table: a line an entrant of each."""
    columns = list(MatchResultOut().fields)
    return Table(
        ("match", "number", *columns),
        [
            [one.id, one.number, *(getattr(result, column) for column in columns)]
            for one in found
            for result in one.results
        ],
    )
