"""`/bots`: list, submit, read and withdraw bots and their versions."""

from __future__ import annotations

import hashlib
from typing import Any

import marshmallow as ma
from flask import Response
from flask_smorest.fields import Upload
from werkzeug.datastructures import FileStorage

from maumau.usecases import read, submit_bot, withdraw
from service import limits
from service.api.common import (
    BINARY,
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
from service.once import Keep, Reply, once

blueprint = Resource("bots", "Bots and their versions: list, submit, read, withdraw.")

STATES = ("pending", "accepted", "rejected", "withdrawn")


class ReasonOut(Strict):
    """Why a bot version was rejected."""

    code = ma.fields.String(required=True)
    message = ma.fields.String(required=True)


class VersionOut(Strict):
    """One immutable release of a bot."""

    bot = ma.fields.String(required=True)
    version = ma.fields.Integer(required=True)
    label = ma.fields.String(required=True, metadata={"description": "`name@version`"})
    state = ma.fields.String(required=True, validate=ma.validate.OneOf(STATES))
    reasons = ma.fields.List(ma.fields.Nested(ReasonOut), required=True)
    owner = ma.fields.String(required=True)
    kind = ma.fields.String(required=True, validate=ma.validate.OneOf(("plugin", "wheel", "py")))
    filename = ma.fields.String(required=True)
    sha256 = ma.fields.String(required=True, metadata={"description": "Of the file's content."})
    size = ma.fields.Integer(required=True, metadata={"description": "Bytes."})
    created_at = Moment(required=True)
    decided_at = Moment(required=True, allow_none=True)


class WithdrawnOut(Strict):
    """The versions of a bot, all withdrawn."""

    items = ma.fields.List(ma.fields.Nested(VersionOut), required=True)


class BotOut(Strict):
    """A name, whose it is, and its youngest version."""

    name = ma.fields.String(required=True)
    owner = ma.fields.String(required=True)
    created_at = Moment(required=True)
    latest = ma.fields.Nested(VersionOut, required=True, allow_none=True)


class BotsQuery(PageQuery):
    """Which bots."""

    owner = ma.fields.String(
        validate=ma.validate.Length(1, 40),
        metadata={"description": "Only those of this account."},
    )
    sort = ma.fields.String(
        load_default="name",
        validate=ma.validate.OneOf(("name", "-created_at")),
        metadata={"description": "By name, or the youngest first."},
    )


class VersionsQuery(PageQuery):
    """Which versions."""

    state = ma.fields.String(
        validate=ma.validate.OneOf(STATES), metadata={"description": "Only those in this state."}
    )


class SentFile(Upload):
    """A file of a multipart form."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> FileStorage:
        if not isinstance(value, FileStorage) or not value.filename:
            raise ma.ValidationError("must be a file with a name: `-F file=@lowest.py`")
        return value


class Submission(ma.Schema):
    """A multipart form with a name and a file."""

    name = ma.fields.String(
        required=True,
        metadata={"description": "The bot's name: `[a-z][a-z0-9-]{1,39}`, as in the file."},
    )
    file = SentFile(
        required=True,
        metadata={"description": "A pure-Python wheel or a single `.py` file, at most 5 MB."},
    )


class LogOut(Strict):
    """What a bot version wrote while it was checked; hostile text."""

    label = ma.fields.String(required=True)
    log = ma.fields.String(required=True)


class CheckReportOut(Strict):
    """What the check of a bot version found."""

    label = ma.fields.String(required=True)
    report = ma.fields.Dict(
        keys=ma.fields.String(),
        required=True,
        allow_none=True,
        metadata={
            "description": "Null until it is checked, or where it did not load. `findings` has "
            "the reasons to reject, each with the position and the record of its game."
        },
    )


@blueprint.get("/bots")
@blueprint.arguments(BotsQuery, location="query")
@blueprint.response(200, page_schema(BotOut), headers=NEXT_LINK)
def list_bots(query: dict[str, Any]) -> Any:
    """List the bots with their youngest versions."""
    return page(read.bots(arena().db, **query))


@blueprint.post("/bots")
@blueprint.arguments(Submission, location="files")
@blueprint.alt_response(200, schema=VersionOut, description="This file was there already.")
@blueprint.alt_response(202, schema=VersionOut, description="Kept; it will be checked.")
def submit(form: dict[str, Any]) -> Response:
    """Submit a bot: a wheel or a single `.py` file with exactly one bot.

    The answer comes before the file is looked at: follow the version until it is `accepted`, or
    `rejected` with reasons.
    """
    sent: FileStorage = form["file"]
    content = sent.stream.read(limits.UPLOAD_BYTES + 1)
    if len(content) > limits.UPLOAD_BYTES:
        raise limits.too_large(limits.UPLOAD_BYTES)
    filename = sent.filename or ""
    said = [form["name"], filename, hashlib.sha256(content).hexdigest()]

    def create(keep: Keep[submit_bot.Submitted]) -> submit_bot.Submitted:
        return submit_bot.submit(
            arena().db,
            arena().clock,
            caller(),
            name=form["name"],
            filename=filename,
            content=content,
            uploads=arena().settings.uploads,
            keep=keep,
        )

    outcome = once(said, create, _submitted)
    if outcome.made is not None and outcome.made.created:
        arena().queue.check_bot(outcome.made.version.id)
    return outcome.answer


def _submitted(done: submit_bot.Submitted) -> Reply:
    version = done.version
    where = f"{API}/bots/{version.bot}/versions/{version.version}"
    return Reply(202 if done.created else 200, VersionOut().dump(version), {"Location": where})


@blueprint.get("/bots/<name>")
@blueprint.response(200, BotOut)
def show_bot(name: str) -> Any:
    """Show a bot with its youngest version."""
    return read.bot(arena().db, name)


@blueprint.delete("/bots/<name>")
@blueprint.response(200, WithdrawnOut)
def withdraw_bot(name: str) -> Any:
    """Withdraw every version of a bot; what they played stays."""
    return {"items": withdraw.withdraw_all(arena().db, arena().clock, caller(), name)}


@blueprint.get("/bots/<name>/versions")
@blueprint.arguments(VersionsQuery, location="query")
@blueprint.response(200, page_schema(VersionOut), headers=NEXT_LINK)
def list_versions(query: dict[str, Any], name: str) -> Any:
    """List a bot's versions, the youngest first."""
    return page(read.versions(arena().db, name, **query))


@blueprint.get("/bots/<name>/versions/<int:number>")
@blueprint.response(200, VersionOut)
def show_version(name: str, number: int) -> Any:
    """Show a bot version: its state, and why where it was rejected."""
    return read.version(arena().db, name, number)


@blueprint.delete("/bots/<name>/versions/<int:number>")
@blueprint.response(200, VersionOut)
def withdraw_version(name: str, number: int) -> Any:
    """Withdraw a bot version: it enters no new tournament; what it played stays."""
    return withdraw.withdraw(arena().db, arena().clock, caller(), name, number)


@blueprint.get("/bots/<name>/versions/<int:number>/report")
@blueprint.response(200, CheckReportOut)
def show_report(name: str, number: int) -> Any:
    """Show what the check of a bot version found: positions met, speed, marks, games.

    `maumau replay name@number --bot FILE` plays the position of a rejection again.
    """
    version = read.version(arena().db, name, number)
    return {"label": version.label, "report": version.report}


@blueprint.get("/bots/<name>/versions/<int:number>/log")
@blueprint.response(200, LogOut)
def show_log(name: str, number: int) -> Any:
    """Show what a bot version wrote while it was checked; its owner and admins only."""
    shown = {"label": f"{name}@{number}", "log": read.log(arena().db, caller(), name, number)}
    return shown, PRIVATE


@blueprint.get("/bots/<name>/versions/<int:number>/source")
@blueprint.response(200, BINARY, content_type="application/octet-stream")
def show_source(name: str, number: int) -> Response:
    """Give the file that was submitted; its owner and admins only."""
    source = read.source(arena().db, caller(), name, number)
    answer = Response(source.content, content_type="application/octet-stream")
    answer.headers.set("Content-Disposition", "attachment", filename=source.filename)
    answer.headers.update(PRIVATE)
    return answer
