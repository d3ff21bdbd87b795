"""`/leaderboard`: all accepted versions under one rule set, over all tournaments."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from maumau.usecases import read
from service.api.common import FormatQuery, Moment, Resource, Strict
from service.context import arena
from service.tables import table_of, wants_csv

blueprint = Resource("leaderboard", "All accepted versions under one rule set.")


class LeaderboardRow(Strict):
    """One bot version's line."""

    rank = ma.fields.Integer(required=True)
    label = ma.fields.String(required=True, metadata={"description": "`name@version`"})
    bot = ma.fields.String(required=True)
    version = ma.fields.Integer(required=True)
    owner = ma.fields.String(required=True)
    tournaments = ma.fields.Integer(required=True)
    rating = ma.fields.Float(
        required=True,
        metadata={"description": "Strength on a scale like Elo's; an island's mean is 1500."},
    )
    rating_low = ma.fields.Float(
        required=True, allow_none=True, metadata={"description": "Its 95 % interval, from."}
    )
    rating_high = ma.fields.Float(required=True, allow_none=True, metadata={"description": "To."})
    island = ma.fields.Integer(
        required=True,
        metadata={"description": "Versions of different islands never met, not even by others."},
    )
    games = ma.fields.Integer(required=True)
    score_share = ma.fields.Float(
        required=True, allow_none=True, metadata={"description": "Score share, 0 to 1."}
    )
    points_per_game = ma.fields.Float(required=True, allow_none=True)
    games_won = ma.fields.Integer(required=True)
    games_shared = ma.fields.Integer(required=True)
    faults = ma.fields.Integer(required=True)


class LeaderboardOut(Strict):
    """A rule set's leaderboard at tables of so many seats."""

    rule_set = ma.fields.String(required=True)
    seats = ma.fields.Integer(required=True)
    tournaments = ma.fields.Integer(required=True)
    updated_at = Moment(required=True, allow_none=True)
    rows = ma.fields.List(ma.fields.Nested(LeaderboardRow), required=True)


class LeaderboardQuery(FormatQuery):
    """Which leaderboard."""

    rules = ma.fields.String(
        load_default="champion",
        metadata={"description": "A preset's name or a rule set's id."},
    )
    seats = ma.fields.Integer(
        load_default=2,
        validate=ma.validate.Range(2, 8),
        metadata={"description": "Seats at a table."},
    )


@blueprint.table("/leaderboard", LeaderboardOut, LeaderboardQuery)
def show_leaderboard(query: dict[str, Any]) -> Any:
    """Show all accepted versions under one rule set, over the tournaments without an open seed."""
    found = read.leaderboard(arena().db, read.rule_set_id(query["rules"]), seats=query["seats"])
    if wants_csv(query):
        return table_of(LeaderboardRow(), found.rows).answer("leaderboard")
    return found
