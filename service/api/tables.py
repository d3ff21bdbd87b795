"""`/tables`: a person or a remote program plays bots; whoever knows a table's id plays there."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from flask import Response

from maumau.errors import Conflict
from maumau.storage.values import ProblemReport
from maumau.usecases import reports, tables
from maumau.usecases.tables import TableView
from service.api.common import PRIVATE, Moment, Resource, Strict
from service.api.games import RecordOut
from service.auth import API, anyone
from service.context import arena
from service.once import Keep, Outcome, Reply, once

blueprint = Resource("tables", "Play against bots: the id of a table is the right to play there.")


class TableIn(ma.Schema):
    """Whom to play, and by which rules."""

    rules = ma.fields.Raw(
        load_default="champion",
        metadata={
            "type": ["string", "object"],
            "description": "As for a tournament: a preset's name, a rule set's id, or an object.",
        },
    )
    opponents = ma.fields.List(
        ma.fields.String(),
        required=True,
        metadata={
            "description": "Bots in playing order after you: `name` (its youngest accepted "
            "version) or `name@version`."
        },
    )
    seat = ma.fields.Integer(strict=True, load_default=0, metadata={"description": "Yours."})
    name = ma.fields.String(load_default="you", validate=ma.validate.Length(1, 40))
    seed = ma.fields.String(
        load_default=None,
        allow_none=True,
        validate=ma.validate.Length(1, 128),
        metadata={"description": "Determines all cards; without it the server draws one."},
    )


class ActionIn(ma.Schema):
    """What you do; nothing to let the bots go on where they were interrupted."""

    action = ma.fields.String(
        load_default=None, allow_none=True, metadata={"description": "One of `legal_actions`."}
    )
    seen = ma.fields.Integer(
        strict=True,
        load_default=None,
        allow_none=True,
        metadata={"description": "`moves` as you saw it: a request sent twice then does nothing."},
    )


class ReportIn(ma.Schema):
    """What seems wrong."""

    comment = ma.fields.String(required=True, validate=ma.validate.Length(1, reports.LONGEST))
    deal = ma.fields.Integer(
        strict=True,
        load_default=None,
        allow_none=True,
        metadata={"description": "Counted from 0; without it the present one."},
    )
    step = ma.fields.Integer(
        strict=True,
        load_default=None,
        allow_none=True,
        metadata={"description": "Actions of the deal before it; without it all so far."},
    )


class ReportOut(Strict):
    """A report, with its answer once there is one."""

    id = ma.fields.String(required=True)
    deal = ma.fields.Integer(required=True)
    step = ma.fields.Integer(required=True)
    comment = ma.fields.String(required=True)
    created_at = Moment(required=True)
    answer = ma.fields.String(required=True, allow_none=True)
    answered_at = Moment(required=True, allow_none=True)


class DealOut(Strict):
    """How a deal ended."""

    end = ma.fields.String(required=True)
    finisher = ma.fields.Integer(required=True, allow_none=True)
    hands = ma.fields.List(ma.fields.List(ma.fields.String()), required=True)
    points = ma.fields.List(ma.fields.Integer(), required=True)
    rating = ma.fields.List(ma.fields.Integer(), required=True, allow_none=True)


class TableFaultOut(Strict):
    """The fault of a bot that forfeited the game."""

    seat = ma.fields.Integer(required=True)
    kind = ma.fields.String(required=True)
    detail = ma.fields.String(required=True)


class TableOut(Strict):
    """A table as its person may see it."""

    id = ma.fields.String(required=True)
    state = ma.fields.String(
        required=True,
        validate=ma.validate.OneOf(("yours", "waiting", "over")),
        metadata={
            "description": "`yours`: you are to act; `waiting`: a bot is, and goes on with the "
            "next POST to `actions`; `over`: the game has ended."
        },
    )
    rules = ma.fields.String(required=True)
    rule_set = ma.fields.String(required=True)
    seats = ma.fields.List(ma.fields.String(), required=True)
    seat = ma.fields.Integer(required=True, metadata={"description": "Yours."})
    moves = ma.fields.Integer(required=True, metadata={"description": "Actions so far."})
    deal = ma.fields.Integer(required=True, metadata={"description": "Counted from 0."})
    observation = ma.fields.Dict(
        required=True,
        allow_none=True,
        metadata={"description": "What you know, as a bot would; null when the game is over."},
    )
    legal_actions = ma.fields.List(ma.fields.String(), required=True)
    results = ma.fields.List(
        ma.fields.Nested(DealOut), required=True, metadata={"description": "Of the ended deals."}
    )
    totals = ma.fields.List(ma.fields.Integer(), required=True)
    ranks = ma.fields.List(ma.fields.Integer(), required=True, allow_none=True)
    fault = ma.fields.Nested(TableFaultOut, required=True, allow_none=True)
    seed_commitment = ma.fields.String(required=True)
    seed = ma.fields.String(required=True, allow_none=True)
    created_at = Moment(required=True)
    changed_at = Moment(required=True)


def shown(table: TableView) -> dict[str, Any]:
    """Give what the answer's schema reads."""
    game = table.game
    seen = None if game.over else game.deal.observation(table.seat)
    state = "over" if game.over else "waiting" if table.waiting else "yours"
    return {
        "id": table.id,
        "state": state,
        "rules": table.rules_name,
        "rule_set": table.rules.id,
        "seats": table.names,
        "seat": table.seat,
        "moves": table.moves,
        "deal": game.number,
        "observation": seen.to_dict() if seen else None,
        "legal_actions": seen.legal_actions if seen else (),
        "results": game.results,
        "totals": game.totals,
        "ranks": game.ranks if game.over else None,
        "fault": game.fault,
        "seed_commitment": table.seed_commitment,
        "seed": table.seed,
        "created_at": table.created_at,
        "changed_at": table.changed_at,
    }


def played_on(table: TableView) -> TableView:
    """Let the bots act until the person is to act."""
    if not table.waiting:
        return table
    return tables.play_on(arena().db, arena().clock, table.id, arena().thinker.ask)


@blueprint.post("/tables")
@blueprint.arguments(TableIn)
@blueprint.response(201, TableOut)
@blueprint.alt_response(503, "DEFAULT_ERROR")
def open_table(request: dict[str, Any]) -> Response:
    """Open a table and deal. Keep the id: it is the only way back, and the right to play."""
    who = anyone()

    def create(keep: Keep[TableView]) -> TableView:
        return tables.open_table(
            arena().db, arena().clock, who, request, entropy=arena().entropy, keep=keep
        )

    if who is None:
        made = create(lambda tx, made: None)
        outcome: Outcome[TableView] = Outcome(made, _opened(made).response())
    else:
        outcome = once(request, create, _opened)
    if outcome.made is None or not outcome.made.waiting:
        return outcome.answer
    return _opened(played_on(outcome.made)).response()


def _opened(table: TableView) -> Reply:
    return Reply(
        201, TableOut().dump(shown(table)), {"Location": f"{API}/tables/{table.id}", **PRIVATE}
    )


@blueprint.get("/tables/<id>")
@blueprint.response(200, TableOut)
def show_table(id: str) -> Any:
    """Show a table as its person may see it."""
    return shown(tables.table(arena().db, id)), PRIVATE


@blueprint.post("/tables/<id>/actions")
@blueprint.arguments(ActionIn)
@blueprint.response(200, TableOut)
@blueprint.alt_response(503, "DEFAULT_ERROR")
def act(request: dict[str, Any], id: str) -> Any:
    """Act; the answer comes when you are to act again, or the game is over.

    An action that is not legal is refused with 409 and changes nothing: a person may try again.
    """
    if request["action"] is None:
        table = tables.table(arena().db, id)
    else:
        table = tables.act(arena().db, arena().clock, id, request["action"], seen=request["seen"])
    return shown(played_on(table)), PRIVATE


@blueprint.post("/tables/<id>/report")
@blueprint.arguments(ReportIn)
@blueprint.response(200, ReportOut)
def report(request: dict[str, Any], id: str) -> Any:
    """Report a problem on a position: it is kept with the game as it is now, for the admins."""
    made: ProblemReport = reports.report_problem(
        arena().db, arena().clock, id, entropy=arena().entropy, **request
    )
    return made, PRIVATE


@blueprint.get("/tables/<id>/record")
@blueprint.response(200, RecordOut)
def record(id: str) -> Any:
    """Give the record of a game that is over (docs/rules.md §5)."""
    table = tables.table(arena().db, id)
    if not table.over:
        raise Conflict("game_not_over", "the game is not over: it has no record yet")
    return table.game.record(), PRIVATE
