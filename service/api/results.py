"""`/tournaments/{id}/standings`, `…/crosstable` and `…/matches`: the results, JSON or CSV."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from maumau.usecases import read
from service.api.common import (
    FormatQuery,
    Moment,
    PageQuery,
    Resource,
    Strict,
    csv_page,
    page,
)
from service.api.games import FAULTS, GameOut, game_table
from service.api.matches import MatchOut, match_table
from service.api.tournaments import STATES
from service.context import arena
from service.tables import table_of, wants_csv

blueprint = Resource("results", "Standings, crosstable and matches of a tournament.")

SHARE = "Score share, 0 to 1."


class StandingsRow(Strict):
    """One entrant's line."""

    rank = ma.fields.Integer(
        required=True, metadata={"description": "1 is the best; equal shares share a rank."}
    )
    rank_low = ma.fields.Integer(
        required=True, metadata={"description": "The best rank it may truly have, with 95 %."}
    )
    rank_high = ma.fields.Integer(required=True, metadata={"description": "The worst."})
    entrant = ma.fields.String(required=True, metadata={"description": "`name@version`"})
    bot = ma.fields.String(required=True)
    version = ma.fields.Integer(required=True)
    group = ma.fields.String(
        required=True,
        metadata={"description": "Entrants with a letter in common are not separated."},
    )
    games = ma.fields.Integer(required=True)
    score_share = ma.fields.Float(required=True, allow_none=True, metadata={"description": SHARE})
    low = ma.fields.Float(
        required=True, allow_none=True, metadata={"description": "Its 95 % interval, from."}
    )
    high = ma.fields.Float(required=True, allow_none=True, metadata={"description": "To."})
    points_per_game = ma.fields.Float(required=True, allow_none=True)
    points = ma.fields.Integer(required=True)
    games_won = ma.fields.Integer(required=True)
    games_shared = ma.fields.Integer(required=True)
    faults = ma.fields.Integer(required=True)
    rank_without_faults = ma.fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The rank if only games without any fault counted."},
    )
    games_without_faults = ma.fields.Integer(
        required=True, allow_none=True, metadata={"description": "Games in which nobody failed."}
    )
    score_share_without_faults = ma.fields.Float(
        required=True, allow_none=True, metadata={"description": "Score share in these."}
    )
    low_without_faults = ma.fields.Float(
        required=True, allow_none=True, metadata={"description": "Its 95 % interval, from."}
    )
    high_without_faults = ma.fields.Float(
        required=True, allow_none=True, metadata={"description": "To."}
    )
    suspended_after = ma.fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "Suspended for faults: so many blocks count for it; else null."},
    )


class RatingRow(Strict):
    """One entrant's strength, on a scale like Elo's."""

    entrant = ma.fields.String(required=True)
    bot = ma.fields.String(required=True)
    version = ma.fields.Integer(required=True)
    rating = ma.fields.Float(
        required=True,
        allow_none=True,
        metadata={"description": "400 points are odds of ten to one; the field's mean is 1500."},
    )
    error = ma.fields.Float(
        required=True, allow_none=True, metadata={"description": "The standard error."}
    )
    low = ma.fields.Float(
        required=True,
        allow_none=True,
        metadata={"description": "The 95 % interval, from; null without bound."},
    )
    high = ma.fields.Float(required=True, allow_none=True, metadata={"description": "To."})
    games = ma.fields.Integer(required=True)
    island = ma.fields.Integer(
        required=True,
        metadata={"description": "Entrants of different islands never met, not even by others."},
    )


class DifferenceRow(Strict):
    """Two entrants compared against the whole field."""

    entrant = ma.fields.String(required=True)
    other = ma.fields.String(required=True)
    difference = ma.fields.Float(
        required=True,
        allow_none=True,
        metadata={"description": "The first one's score share less the other's."},
    )
    low = ma.fields.Float(
        required=True,
        allow_none=True,
        metadata={"description": "Its interval, from; all pairs' hold together with 95 %."},
    )
    high = ma.fields.Float(required=True, allow_none=True, metadata={"description": "To."})
    separated = ma.fields.Boolean(required=True, metadata={"description": "It excludes 0."})
    seeds_needed = ma.fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "More seeds that would separate them with a chance of 80 %."},
    )
    games_needed = ma.fields.Integer(
        required=True, allow_none=True, metadata={"description": "The two's games in these."}
    )
    deals_needed = ma.fields.Integer(
        required=True, allow_none=True, metadata={"description": "The deals of these."}
    )


class RatingHistory(Strict):
    """Ratings against blocks played; at the end."""

    blocks = ma.fields.List(ma.fields.Integer(), required=True)
    ratings = ma.fields.List(
        ma.fields.List(ma.fields.Float(allow_none=True)),
        required=True,
        metadata={"description": "For each number of blocks those of all `entrants`."},
    )


class Standings(Strict):
    """The ranked result."""

    tournament = ma.fields.String(required=True)
    state = ma.fields.String(required=True, validate=ma.validate.OneOf(STATES))
    measure = ma.fields.String(required=True, validate=ma.validate.OneOf(("score_share",)))
    best = ma.fields.String(
        required=True,
        validate=ma.validate.OneOf(("low", "high")),
        metadata={"description": "Which total of points is the better one."},
    )
    complete = ma.fields.Boolean(
        required=True, metadata={"description": "All that was planned was played."}
    )
    final = ma.fields.Boolean(
        required=True, metadata={"description": "The tournament has ended: these stay."}
    )
    repeated = ma.fields.Boolean(
        required=True,
        metadata={"description": "Intervals hold at every number of seeds together (stop rules)."},
    )
    seeds = ma.fields.Integer(required=True, metadata={"description": "Seeds played so far."})
    games = ma.fields.Integer(required=True)
    confidence = ma.fields.Float(required=True)
    updated_at = Moment(required=True)
    rows = ma.fields.List(ma.fields.Nested(StandingsRow), required=True)
    ratings = ma.fields.List(
        ma.fields.Nested(RatingRow), required=True, metadata={"description": "At the end."}
    )
    differences = ma.fields.List(
        ma.fields.Nested(DifferenceRow),
        required=True,
        metadata={"description": "Every two entrants; what is still needed to separate them."},
    )
    intransitive = ma.fields.List(
        ma.fields.List(ma.fields.String()),
        required=True,
        metadata={"description": "Three entrants each of whom beats the next: no order shows it."},
    )
    entrants = ma.fields.List(
        ma.fields.String(),
        required=True,
        metadata={"description": "In the canonical order of the plan."},
    )
    rating_history = ma.fields.Nested(RatingHistory, required=True)


class CrosstableCell(Strict):
    """What an entrant did in the games it played with another."""

    entrant = ma.fields.String(required=True)
    other = ma.fields.String(required=True)
    games = ma.fields.Integer(required=True)
    share = ma.fields.Float(required=True, allow_none=True, metadata={"description": SHARE})
    other_share = ma.fields.Float(required=True, allow_none=True)
    ahead = ma.fields.Integer(
        required=True, metadata={"description": "Games in which it had the better rank."}
    )
    behind = ma.fields.Integer(required=True)
    difference = ma.fields.Float(
        required=True, allow_none=True, metadata={"description": "The first share less the other."}
    )
    low = ma.fields.Float(
        required=True, allow_none=True, metadata={"description": "Its 95 % interval, from."}
    )
    high = ma.fields.Float(required=True, allow_none=True, metadata={"description": "To."})
    variance_factor = ma.fields.Float(
        required=True,
        allow_none=True,
        metadata={"description": "How many times more games it takes without paired cards."},
    )


class Crosstable(Strict):
    """Who beat whom: every ordered pair that met."""

    tournament = ma.fields.String(required=True)
    state = ma.fields.String(required=True, validate=ma.validate.OneOf(STATES))
    complete = ma.fields.Boolean(required=True)
    final = ma.fields.Boolean(required=True)
    updated_at = Moment(required=True)
    entrants = ma.fields.List(ma.fields.String(), required=True)
    cells = ma.fields.List(ma.fields.Nested(CrosstableCell), required=True)


class MatchesQuery(PageQuery, FormatQuery):
    """Which matches."""

    entrant = ma.fields.List(
        ma.fields.String(),
        metadata={"description": "Only those with this entrant (`name@version`); may be repeated."},
    )


class GamesQuery(PageQuery, FormatQuery):
    """Which games."""

    faulty = ma.fields.Boolean(
        metadata={"description": "Only those that ended in a fault, or only those that did not."}
    )
    fault = ma.fields.String(
        validate=ma.validate.OneOf(FAULTS), metadata={"description": "Only those with this fault."}
    )
    at_fault = ma.fields.String(
        metadata={"description": "Only those that this entrant (`name@version`) forfeited."}
    )


@blueprint.table("/tournaments/<id>/standings", Standings)
def show_standings(query: dict[str, Any], id: str) -> Any:
    """Show the ranked result with its intervals; of a running tournament as of the last count."""
    found = read.standings(arena().db, id)
    if wants_csv(query):
        return table_of(StandingsRow(), found.rows).answer(f"{id}-standings")
    return found


@blueprint.table("/tournaments/<id>/crosstable", Crosstable)
def show_crosstable(query: dict[str, Any], id: str) -> Any:
    """Show who did how well against whom."""
    found = read.crosstable(arena().db, id)
    if wants_csv(query):
        return table_of(CrosstableCell(), found.cells).answer(f"{id}-crosstable")
    return found


@blueprint.table_page("/tournaments/<id>/matches", MatchOut, MatchesQuery)
def list_matches(query: dict[str, Any], id: str) -> Any:
    """List the matches in the order of the plan; as CSV a line an entrant of each."""
    as_csv, entrants = wants_csv(query), query.pop("entrant", ())
    found = read.matches(arena().db, id, entrants=entrants, **query)
    if as_csv:
        return csv_page(f"{id}-matches", match_table(found.items), found)
    return page(found)


@blueprint.table_page("/tournaments/<id>/games", GameOut, GamesQuery)
def list_games(query: dict[str, Any], id: str) -> Any:
    """List the games in the order of the plan; as CSV a line a seat of each."""
    as_csv = wants_csv(query)
    found = read.games(arena().db, id, **query)
    if as_csv:
        return csv_page(f"{id}-games", game_table(found.items), found)
    return page(found)
