"""`/tournaments`: schedule, list, read with progress, follow and cancel."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from flask import Response

from maumau.tournament.suspension import FAULT_SHARE
from maumau.usecases import cancel as cancelling
from maumau.usecases import read, retry, schedule, tournament_wish
from maumau.usecases import repeat as repeating
from service.api.common import (
    NEXT_LINK,
    PRIVATE,
    Moment,
    PageQuery,
    Resource,
    Strict,
    page,
    page_schema,
)
from service.auth import API, caller
from service.context import arena
from service.events import stream
from service.once import Keep, Reply, once

blueprint = Resource("tournaments", "Schedule tournaments, and follow them.")

STATES = ("scheduled", "running", "finished", "cancelled")


class EntrantOut(Strict):
    """A bot version in a tournament."""

    label = ma.fields.String(required=True, metadata={"description": "`name@version`"})
    bot = ma.fields.String(required=True)
    version = ma.fields.Integer(required=True)


class ChunksOut(Strict):
    """How many chunks are in each state."""

    due = ma.fields.Integer(required=True)
    claimed = ma.fields.Integer(required=True)
    done = ma.fields.Integer(required=True)
    stuck = ma.fields.Integer(required=True)


class ProgressOut(Strict):
    """How far a tournament is."""

    games_played = ma.fields.Integer(required=True)
    games_total = ma.fields.Integer(required=True)
    chunks = ma.fields.Nested(ChunksOut, required=True)


class StopOut(Strict):
    """When a tournament may end before its last block."""

    kind = ma.fields.String(
        required=True,
        validate=ma.validate.OneOf(("separated", "half_width", "better")),
        metadata={
            "description": "When no two entrants are left unseparated; when every score share "
            "is known to within `half_width`; or when it is decided whether `new` is better than "
            "`old`: a mean score of `better` against one of `worse`, wrong with the chances "
            "`alpha` (better) and `beta` (not better)."
        },
    )
    half_width = ma.fields.Float()
    new = ma.fields.String(metadata={"description": "As it was asked: `name@version` or `name`."})
    old = ma.fields.String(metadata={"description": "As it was asked."})
    better = ma.fields.Float()
    worse = ma.fields.Float()
    alpha = ma.fields.Float()
    beta = ma.fields.Float()


class RepeatOut(Strict):
    """When a tournament is played again."""

    cron = ma.fields.String(required=True)
    zone = ma.fields.String(required=True)
    missed = ma.fields.String(required=True, validate=ma.validate.OneOf(repeating.MISSED))


class TournamentOut(Strict):
    """A tournament: what was asked for, and how far it is."""

    id = ma.fields.String(required=True)
    name = ma.fields.String(required=True)
    owner = ma.fields.String(required=True)
    state = ma.fields.String(required=True, validate=ma.validate.OneOf(STATES))
    rule_set = ma.fields.String(required=True, metadata={"description": "The rule set's id."})
    rules = ma.fields.String(
        required=True, metadata={"description": "The rule set's name, or how it was asked for."}
    )
    entrants = ma.fields.List(
        ma.fields.Nested(EntrantOut),
        required=True,
        metadata={"description": "In the canonical order of the plan."},
    )
    seats = ma.fields.Integer(required=True, metadata={"description": "Seats at a table."})
    blocks = ma.fields.Integer(required=True, metadata={"description": "Blocks of a line-up."})
    line_ups = ma.fields.String(required=True, validate=ma.validate.OneOf(("all", "balanced")))
    limits = ma.fields.Dict(keys=ma.fields.String(), required=True)
    progress = ma.fields.Nested(ProgressOut, required=True)
    seed_commitment = ma.fields.String(
        required=True, metadata={"description": "SHA-256 of the seed."}
    )
    seed = ma.fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "Null until the tournament has ended, unless it was given."},
    )
    open_seed = ma.fields.Boolean(
        required=True, metadata={"description": "The seed was given with the request."}
    )
    created_at = Moment(required=True)
    start_at = Moment(required=True, allow_none=True)
    started_at = Moment(required=True, allow_none=True)
    ended_at = Moment(required=True, allow_none=True)
    stop = ma.fields.Nested(
        StopOut,
        required=True,
        allow_none=True,
        metadata={"description": "Its stop rule; null: all blocks are played."},
    )
    ended_blocks = ma.fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "After how many blocks the stop rule ended it; null: it did not."},
    )
    repeat = ma.fields.Nested(
        RepeatOut,
        required=True,
        allow_none=True,
        metadata={"description": "When it is played again; null: it is played once."},
    )
    series = ma.fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "Of one that repeats: the id of its first repetition."},
    )
    repetition = ma.fields.Integer(
        required=True, allow_none=True, metadata={"description": "The how manyth it is, from 1."}
    )
    fault_share = ma.fields.Float(
        required=True,
        allow_none=True,
        metadata={"description": "An entrant that forfeits more of its games is suspended."},
    )
    luck_model = ma.fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "SHA-256 of the model by which luck is taken off its shares, fixed when "
            "it was scheduled; null: it was scheduled before such were kept."
        },
    )


class StuckOut(Strict):
    """A chunk that was set aside."""

    chunk = ma.fields.String(required=True)
    first_block = ma.fields.Integer(required=True)
    blocks = ma.fields.Integer(required=True)
    attempts = ma.fields.Integer(required=True)
    deaths = ma.fields.Integer(
        required=True, metadata={"description": "Workers that died over it and were seen to."}
    )
    log = ma.fields.String(required=True, metadata={"description": "What was seen last."})


class StuckPage(Strict):
    """All chunks of a tournament that were set aside."""

    items = ma.fields.List(ma.fields.Nested(StuckOut), required=True)


class ProgressEvent(Strict):
    """What an event tells."""

    id = ma.fields.String(required=True)
    state = ma.fields.String(required=True, validate=ma.validate.OneOf(STATES))
    progress = ma.fields.Nested(ProgressOut, required=True)


class TournamentIn(ma.Schema):
    """What is to be played; how large each value may be, the use case knows."""

    name = ma.fields.String(load_default="", metadata={"maxLength": tournament_wish.LONGEST_NAME})
    entrants = ma.fields.List(
        ma.fields.String(),
        required=True,
        metadata={"description": "Bots: `name` (its youngest accepted version) or `name@version`."},
    )
    rules = ma.fields.Raw(
        required=True,
        metadata={
            "type": ["string", "object"],
            "description": "A preset's name, a rule set's id, `{preset, options, overrides}` or a "
            "rule set (docs/rules.md §2).",
        },
    )
    seats = ma.fields.Integer(
        strict=True, load_default=2, metadata={"description": "Seats at a table."}
    )
    blocks = ma.fields.Integer(
        strict=True,
        load_default=20,
        metadata={"description": "Blocks of every line-up: so many seeds are played."},
    )
    line_ups = ma.fields.String(
        load_default="all",
        metadata={
            "enum": ["all", "balanced"],
            "description": "Every line-up, or a balanced design where those are too many.",
        },
    )
    limits = ma.fields.Dict(
        keys=ma.fields.String(),
        load_default=dict,
        metadata={"description": "What a bot may use, where it is not the default."},
    )
    seed = ma.fields.String(
        load_default=None,
        allow_none=True,
        metadata={
            "maxLength": tournament_wish.LONGEST_SEED,
            "description": "Makes the tournament reproducible, and keeps it out of the "
            "leaderboard. Without it the server draws one and publishes its SHA-256.",
        },
    )
    start_at = ma.fields.String(
        load_default=None,
        allow_none=True,
        metadata={
            "format": "date-time",
            "description": "RFC 3339 with a time zone; without it, now.",
        },
    )
    stop = ma.fields.Dict(
        keys=ma.fields.String(),
        load_default=None,
        allow_none=True,
        metadata={
            "description": 'Ends it before its last block: `{"kind": "separated"}` when no two '
            'entrants are left unseparated, `{"kind": "half_width", "half_width": 0.02}` when '
            'every score share is known to within that, `{"kind": "better", "new": "mine@4", '
            '"old": "mine@3"}` when it is decided whether the one entrant is better than the '
            "other (`better` 0.52 against `worse` 0.5, `alpha` and `beta` 0.05, where not given). "
            "Null: all blocks are played."
        },
    )
    repeat = ma.fields.Dict(
        keys=ma.fields.String(),
        load_default=None,
        allow_none=True,
        metadata={
            "description": 'Plays it again and again: `{"cron": "0 18 * * FRI", "zone": '
            '"Europe/Berlin", "missed": "once"}`, the first time not before `start_at`. '
            "`missed` says what is done for times at which nothing ran: `once` plays one "
            "tournament for all of them, `skip` none, `all` one for each of the last day. Each "
            "repetition draws its own seed. Null: it is played once."
        },
    )
    fault_share = ma.fields.Float(
        load_default=FAULT_SHARE,
        allow_none=True,
        metadata={
            "description": "An entrant that forfeits more than this share of its games (of 20 at "
            "least) is suspended: its games so far stay, it plays no more. Null: nobody is."
        },
    )


class TournamentsQuery(PageQuery):
    """Which tournaments."""

    state = ma.fields.String(
        validate=ma.validate.OneOf(STATES), metadata={"description": "Only those in this state."}
    )
    rules = ma.fields.String(metadata={"description": "A preset's name or a rule set's id."})
    bot = ma.fields.String(metadata={"description": "Those with a version of this bot."})
    series = ma.fields.String(
        metadata={
            "description": "The repetitions of a repeating tournament, by its first one's id."
        }
    )
    sort = ma.fields.String(
        load_default="-created_at",
        validate=ma.validate.OneOf(("created_at", "-created_at")),
        metadata={"description": "The youngest first, or the oldest."},
    )


@blueprint.get("/tournaments")
@blueprint.arguments(TournamentsQuery, location="query")
@blueprint.response(200, page_schema(TournamentOut), headers=NEXT_LINK)
def list_tournaments(query: dict[str, Any]) -> Any:
    """List the tournaments."""
    if "rules" in query:
        query["rule_set"] = read.rule_set_id(query.pop("rules"))
    return page(read.tournaments(arena().db, **query))


@blueprint.post("/tournaments")
@blueprint.arguments(TournamentIn)
@blueprint.response(201, TournamentOut)
def schedule_tournament(wanted: dict[str, Any]) -> Response:
    """Schedule a tournament: now, at a time, or again and again."""

    def create(keep: Keep[schedule.Scheduled]) -> schedule.Scheduled:
        return schedule.schedule(
            arena().db,
            arena().clock,
            caller(),
            wanted,
            entropy=arena().entropy,
            keep=keep,
        )

    outcome = once(wanted, create, _scheduled)
    if outcome.made is not None:
        arena().queue.play_chunks(outcome.made.due)
    return outcome.answer


def _scheduled(done: schedule.Scheduled) -> Reply:
    shown = TournamentOut().dump(done.tournament)
    return Reply(201, shown, {"Location": f"{API}/tournaments/{done.tournament.id}"})


@blueprint.get("/tournaments/<id>")
@blueprint.response(200, TournamentOut)
def show_tournament(id: str) -> Any:
    """Show a tournament with its progress."""
    return read.tournament(arena().db, id)


@blueprint.post("/tournaments/<id>/cancel")
@blueprint.response(200, TournamentOut)
def cancel(id: str) -> Any:
    """Cancel a tournament; what was played stays."""
    cancelling.cancel(arena().db, arena().clock, caller(), id)
    return read.tournament(arena().db, id)


@blueprint.get("/tournaments/<id>/stuck")
@blueprint.response(200, StuckPage)
def show_stuck(id: str) -> Any:
    """Show the chunks that were set aside because workers died over them, and why."""
    return {"items": retry.stuck(arena().db, caller(), id)}, PRIVATE


@blueprint.post("/tournaments/<id>/retry")
@blueprint.response(200, TournamentOut)
def retry_stuck(id: str) -> Any:
    """Let the chunks that were set aside be played again; one that finished without them runs."""
    again = retry.retry_stuck(arena().db, arena().clock, caller(), id)
    arena().queue.play_chunks(again)
    return read.tournament(arena().db, id)


@blueprint.get("/tournaments/<id>/events")
@blueprint.response(
    200, {"type": "string"}, content_type="text/event-stream", description="An event a change."
)
@blueprint.alt_response(503, "DEFAULT_ERROR")
def events(id: str) -> Response:
    """Follow a tournament by server-sent events.

    `progress` events hold the tournament's id, state and progress; the last event is named
    `finished` or `cancelled`. At most half of the server's threads hold streams: beyond that the
    answer is 503, and clients poll the tournament.
    """
    db = arena().db

    def look() -> dict[str, Any]:
        shown: dict[str, Any] = ProgressEvent().dump(read.tournament(db, id))
        return shown

    return stream(arena().streams, look)
