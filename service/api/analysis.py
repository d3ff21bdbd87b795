"""What else a tournament's results say: ratings, pairs, charts, tests and comparisons."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from flask import Response

from maumau.usecases import read
from service.api.common import TEXT, FormatQuery, Resource, Strict
from service.api.results import DifferenceRow, RatingRow
from service.api.tournaments import STATES
from service.context import arena
from service.tables import table_of, wants_csv

blueprint = Resource("analysis", "Ratings, pairs, charts, tests and comparisons.")


class Ratings(Strict):
    """Every entrant's strength; empty until the tournament has ended."""

    tournament = ma.fields.String(required=True)
    state = ma.fields.String(required=True, validate=ma.validate.OneOf(STATES))
    final = ma.fields.Boolean(required=True)
    ratings = ma.fields.List(ma.fields.Nested(RatingRow), required=True)


class Differences(Strict):
    """Every two entrants, and what play would separate those that are not."""

    tournament = ma.fields.String(required=True)
    state = ma.fields.String(required=True, validate=ma.validate.OneOf(STATES))
    final = ma.fields.Boolean(required=True)
    differences = ma.fields.List(ma.fields.Nested(DifferenceRow), required=True)


class VersionTest(Strict):
    """How the sequential test stands: is `new` better than `old`?"""

    tournament = ma.fields.String(required=True)
    state = ma.fields.String(required=True, validate=ma.validate.OneOf(STATES))
    new = ma.fields.String(required=True)
    old = ma.fields.String(required=True)
    verdict = ma.fields.String(
        required=True, validate=ma.validate.OneOf(("better", "not better", "undecided"))
    )
    log_ratio = ma.fields.Float(
        required=True, metadata={"description": "Log likelihood ratio of `better` over `worse`."}
    )
    low = ma.fields.Float(required=True, metadata={"description": "At or below this: not better."})
    high = ma.fields.Float(required=True, metadata={"description": "At or above this: better."})
    seeds = ma.fields.Integer(
        required=True, metadata={"description": "Seeds after which it stands so."}
    )
    seeds_played = ma.fields.Integer(required=True)
    worse = ma.fields.Float(required=True)
    better = ma.fields.Float(required=True)
    alpha = ma.fields.Float(required=True)
    beta = ma.fields.Float(required=True)


class VersionTestQuery(ma.Schema):
    """Which versions, and what is tested; what is left out is as in the stop rule, if it tests."""

    new = ma.fields.String(
        metadata={"description": "`name@version`; must be given where no stop rule says it."}
    )
    old = ma.fields.String(metadata={"description": "`name@version`; likewise."})
    worse = ma.fields.Float(metadata={"description": "A mean score that is not better; 0.5."})
    better = ma.fields.Float(metadata={"description": "A mean score that is; 0.52."})
    alpha = ma.fields.Float(metadata={"description": "The chance of a wrong `better`; 0.05."})
    beta = ma.fields.Float(metadata={"description": "The chance of a wrong `not better`; 0.05."})


class ChangeRow(Strict):
    """Two entrants under two rule sets."""

    entrant = ma.fields.String(required=True)
    other = ma.fields.String(required=True)
    first = ma.fields.Float(
        required=True,
        allow_none=True,
        metadata={"description": "The first one's score share less the other's, first rule set."},
    )
    second = ma.fields.Float(
        required=True, allow_none=True, metadata={"description": "Under the second rule set."}
    )
    change = ma.fields.Float(
        required=True, allow_none=True, metadata={"description": "Second less first."}
    )
    low = ma.fields.Float(
        required=True,
        allow_none=True,
        metadata={"description": "Its interval, from; all pairs' hold together with 95 %."},
    )
    high = ma.fields.Float(required=True, allow_none=True, metadata={"description": "To."})
    changed = ma.fields.Boolean(required=True, metadata={"description": "It excludes 0."})
    reversed = ma.fields.Boolean(
        required=True,
        metadata={"description": "The two are separated under both, in opposite orders."},
    )


class RuleComparison(Strict):
    """The same entrants on the same seeds under two rule sets."""

    first = ma.fields.String(required=True)
    second = ma.fields.String(required=True)
    first_rules = ma.fields.String(required=True)
    second_rules = ma.fields.String(required=True)
    seeds = ma.fields.Integer(required=True)
    confidence = ma.fields.Float(required=True)
    rows = ma.fields.List(ma.fields.Nested(ChangeRow), required=True)


class ComparisonQuery(FormatQuery):
    """With which tournament."""

    other = ma.fields.String(
        required=True, data_key="with", metadata={"description": "The other tournament's id."}
    )


@blueprint.table("/tournaments/<id>/ratings", Ratings)
def show_ratings(query: dict[str, Any], id: str) -> Any:
    """Show every entrant's rating with its interval, once the tournament has ended."""
    found = read.standings(arena().db, id)
    if wants_csv(query):
        return table_of(RatingRow(), found.ratings).answer(f"{id}-ratings")
    return found


@blueprint.table("/tournaments/<id>/differences", Differences)
def show_differences(query: dict[str, Any], id: str) -> Any:
    """Compare every two entrants; says what play would separate those that are not."""
    found = read.standings(arena().db, id)
    if wants_csv(query):
        return table_of(DifferenceRow(), found.differences).answer(f"{id}-differences")
    return found


@blueprint.get("/tournaments/<id>/charts/<name>")
@blueprint.response(200, TEXT, content_type="image/svg+xml")
def show_chart(id: str, name: str) -> Response:
    """Draw a chart as SVG: `share` with intervals, `crosstable`, or `rating` against blocks."""
    drawn = read.chart(arena().db, id, name)
    return Response(drawn, content_type="image/svg+xml; charset=utf-8")


@blueprint.get("/tournaments/<id>/test")
@blueprint.arguments(VersionTestQuery, location="query")
@blueprint.response(200, VersionTest)
def show_test(query: dict[str, Any], id: str) -> Any:
    """Test whether one entrant is better than another, seed after seed, until it is decided."""
    return read.version_test(arena().db, id, query)


@blueprint.table("/tournaments/<id>/comparison", RuleComparison, ComparisonQuery)
def show_comparison(query: dict[str, Any], id: str) -> Any:
    """Compare with another tournament: the same entrants and seeds under another rule set."""
    found = read.rule_comparison(arena().db, id, query["other"])
    if wants_csv(query):
        return table_of(ChangeRow(), found.rows).answer(f"{id}-comparison")
    return found
