"""`/games/{id}`: one game, and its record as JSON or readable text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import marshmallow as ma
from flask import Response, request

from maumau.usecases import read
from service.api.common import PRIVATE, TEXT, Resource, Strict
from service.auth import caller
from service.context import arena
from service.tables import Table

blueprint = Resource("games", "Games, and their records.")

FAULTS = ("illegal_action", "timeout", "crash", "protocol", "memory", "start")


class FaultOut(Strict):
    """What ended a forfeited game."""

    entrant = ma.fields.String(required=True, metadata={"description": "`name@version`"})
    seat = ma.fields.Integer(required=True)
    kind = ma.fields.String(required=True, validate=ma.validate.OneOf(FAULTS))
    detail = ma.fields.String(required=True)
    deal = ma.fields.Integer(required=True, metadata={"description": "Counted from 0."})
    action = ma.fields.Integer(
        required=True, metadata={"description": "The decision that failed, counted from 0."}
    )


class GameOut(Strict):
    """One game: a leg of a block of a match."""

    id = ma.fields.String(required=True)
    tournament = ma.fields.String(required=True)
    match = ma.fields.String(required=True)
    block = ma.fields.Integer(required=True)
    leg = ma.fields.Integer(required=True)
    seats = ma.fields.List(
        ma.fields.String(), required=True, metadata={"description": "`name@version` at each seat."}
    )
    totals = ma.fields.List(ma.fields.Integer(), required=True)
    ranks = ma.fields.List(ma.fields.Integer(), required=True)
    deals = ma.fields.Integer(required=True, metadata={"description": "How many were played."})
    fault = ma.fields.Nested(FaultOut, required=True, allow_none=True)


class RecordQuery(ma.Schema):
    """In which form."""

    format = ma.fields.String(
        validate=ma.validate.OneOf(("json", "text")),
        metadata={"description": "Goes before the Accept header."},
    )


class RecordDealOut(Strict):
    """One deal of a record."""

    leader = ma.fields.Integer(required=True)
    order = ma.fields.List(ma.fields.String(), required=True)
    reshuffles = ma.fields.List(ma.fields.List(ma.fields.String()), required=True)
    actions = ma.fields.List(
        ma.fields.Raw(
            metadata={
                "type": "array",
                "prefixItems": [{"type": "integer"}, {"type": "string"}],
                "minItems": 2,
                "maxItems": 2,
            }
        ),
        required=True,
        metadata={"description": "Seat and action."},
    )
    end = ma.fields.String(required=True)
    finisher = ma.fields.Integer(required=True, allow_none=True)
    hands = ma.fields.List(ma.fields.List(ma.fields.String()), required=True)
    points = ma.fields.List(ma.fields.Integer(), required=True, allow_none=True)
    rating = ma.fields.List(ma.fields.Integer(), required=True, allow_none=True)


class RecordFaultOut(Strict):
    """The fault of a forfeited game's record."""

    seat = ma.fields.Integer(required=True)
    kind = ma.fields.String(required=True)
    detail = ma.fields.String(required=True)
    deal = ma.fields.Integer(required=True)
    action = ma.fields.Integer(required=True)


class RecordOut(Strict):
    """A replayable log, `maumau-record/1` (docs/rules.md §5)."""

    format = ma.fields.String(required=True)
    seed = ma.fields.String(required=True)
    rules = ma.fields.Dict(keys=ma.fields.String(), required=True)
    seats = ma.fields.List(ma.fields.String(), required=True)
    deals = ma.fields.List(ma.fields.Nested(RecordDealOut), required=True)
    totals = ma.fields.List(ma.fields.Integer(), required=True)
    ranks = ma.fields.List(ma.fields.Integer(), required=True)
    fault = ma.fields.Nested(RecordFaultOut, required=True, allow_none=True)


class EvidenceOut(Strict):
    """A fault with what its owner may see."""

    game = ma.fields.String(required=True)
    fault = ma.fields.Nested(FaultOut, required=True)
    seen = ma.fields.String(
        required=True, metadata={"description": "What was measured this time; may be empty."}
    )
    log = ma.fields.String(required=True, metadata={"description": "What the bot wrote."})
    observation = ma.fields.Dict(
        keys=ma.fields.String(),
        required=True,
        metadata={"description": "What it was asked when it failed (docs/bots.md)."},
    )
    runtime = ma.fields.String(
        required=True, metadata={"description": "The Python and the SDK that it ran on."}
    )
    replay = ma.fields.String(
        required=True, metadata={"description": "The command that asks the bot there again."}
    )


@blueprint.get("/games/<id>")
@blueprint.response(200, GameOut)
def show_game(id: str) -> Any:
    """Show a game: who sat where, and how it ended."""
    return read.game(arena().db, id)


@blueprint.get("/games/<id>/record")
@blueprint.arguments(RecordQuery, location="query")
@blueprint.alt_response(200, schema=TEXT, content_type="text/plain", success=True)
@blueprint.response(200, RecordOut)
def show_record(query: dict[str, Any], id: str) -> Any:
    """Give a game's record, as JSON or as readable text."""
    form = query.get("format") or request.accept_mimetypes.best_match(
        ["application/json", "text/plain"]
    )
    if form in ("text", "text/plain"):
        text = read.record_text(arena().db, id)
        return Response(text, content_type="text/plain; charset=utf-8")
    return read.record(arena().db, id)


@blueprint.get("/games/<id>/fault")
@blueprint.response(200, EvidenceOut)
def show_fault(id: str) -> Any:
    """Show what a bot was asked when it failed, and what it wrote; its owner and admins only."""
    return read.fault_evidence(arena().db, caller(), id), PRIVATE


def game_table(found: Sequence[read.GameView]) -> Table:
    """Give games as a table: a line a seat of each."""
    return Table(
        ("game", "match", "block", "leg", "seat", "entrant", "total", "rank", "deals", "fault"),
        [
            [
                *(one.id, one.match, one.block, one.leg, seat, one.seats[seat]),
                *(one.totals[seat], one.ranks[seat], one.deals),
                one.fault.kind if one.fault and one.fault.seat == seat else None,
            ]
            for one in found
            for seat in range(len(one.seats))
        ],
    )
