"""Forms for who has a token: upload a bot, schedule a tournament, cancel, withdraw."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from flask import make_response, redirect, render_template, request
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as AnyResponse

from maumau.errors import Conflict, InvalidInput, Problem, Unavailable
from maumau.rules.presets import preset_names
from maumau.usecases import cancel, read, schedule, submit_bot, withdraw
from service import limits
from service.auth import caller
from service.context import arena
from service.web.site import pages

PLAIN = ("name", "line_ups")


@pages.get("/submit")
def submit_form() -> str:
    """Show the form for a bot's file."""
    return render_template("submit.html", said={}, problems=[])


@pages.post("/submit")
def submit_file() -> AnyResponse:
    """Keep a submitted file and go to its version."""
    sent = request.files.get("file")
    content = sent.stream.read(limits.UPLOAD_BYTES + 1) if sent else b""
    name = request.form.get("name", "").strip()
    try:
        done = submit_bot.submit(
            arena().db,
            arena().clock,
            caller(),
            name=name,
            filename=(sent.filename or "") if sent else "",
            content=content,
            uploads=arena().settings.uploads,
        )
    except InvalidInput as error:
        return _again("submit.html", error.problems)
    except (Conflict, Unavailable) as error:
        return _again("submit.html", [Problem("", str(error))])
    if done.created:
        arena().queue.check_bot(done.version.id)
    return redirect(f"/bots/{done.version.bot}/{done.version.version}", 303)


@pages.get("/schedule")
def schedule_form() -> str:
    """Show the form for a tournament."""
    return render_template("schedule.html", said={}, problems=[], **_choices())


@pages.post("/schedule")
def schedule_tournament() -> AnyResponse:
    """Schedule a tournament and go to it."""
    try:
        wish = _wish(request.form)
        done = schedule.schedule(arena().db, arena().clock, caller(), wish, entropy=arena().entropy)
    except InvalidInput as error:
        return _again("schedule.html", error.problems, **_choices())
    except Conflict as error:
        return _again("schedule.html", [Problem("", str(error))], **_choices())
    arena().queue.play_chunks(done.due)
    return redirect(f"/tournaments/{done.tournament.id}", 303)


@pages.post("/tournaments/<id>/cancel")
def cancel_tournament(id: str) -> AnyResponse:
    """Cancel a tournament; what was played stays."""
    cancel.cancel(arena().db, arena().clock, caller(), id)
    return redirect(f"/tournaments/{id}", 303)


@pages.post("/bots/<name>/<int:number>/withdraw")
def withdraw_version(name: str, number: int) -> AnyResponse:
    """Withdraw a bot version; its results stay."""
    withdraw.withdraw(arena().db, arena().clock, caller(), name, number)
    return redirect(f"/bots/{name}/{number}", 303)


def _wish(said: MultiDict[str, str]) -> dict[str, Any]:
    """Turn the form into what a request to schedule says."""
    wish: dict[str, Any] = {key: said[key] for key in PLAIN if key in said}
    wish["entrants"] = said.getlist("entrants")
    wish["rules"] = said.get("own_rules", "").strip() or said.get("rules", "")
    for key in ("seats", "blocks"):
        text = said.get(key, "")
        # What is no number is told so by the walk itself, with its path.
        wish[key] = int(text) if text.isascii() and text.isdigit() and len(text) < 9 else text
    if said.get("seed", "").strip():
        wish["seed"] = said["seed"].strip()
    if said.get("stop"):
        wish["stop"] = _stop(said["stop"], said.get("half_width", ""))
    zone = said.get("zone", "").strip() or "UTC"
    if said.get("start_at", "").strip():
        wish["start_at"] = _moment(said["start_at"].strip(), zone)
    if said.get("cron", "").strip():
        missed = said.get("missed", "once")
        wish["repeat"] = {"cron": said["cron"].strip(), "zone": zone, "missed": missed}
    return wish


def _stop(kind: str, half_width: str) -> dict[str, Any]:
    """Give a stop rule; a half-width is asked for in percent, with a point or a comma."""
    if kind != "half_width":
        return {"kind": kind}
    text = half_width.strip().replace(",", ".")
    # What is no number is told so by the walk itself, with its path.
    known = re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,3})?", text)
    return {"kind": kind, "half_width": float(text) / 100 if known else text}


def _moment(local: str, zone: str) -> str:
    """Give a time of a zone's clock with its offset; what is no time is told so by the walk."""
    try:
        place = ZoneInfo(zone)
    except (ValueError, KeyError, OSError) as error:
        message = "is not a time zone; they are called like Europe/Berlin, or UTC"
        raise InvalidInput([Problem("zone", message)]) from error
    try:
        moment = datetime.fromisoformat(local)
        return (moment if moment.tzinfo else moment.replace(tzinfo=place)).isoformat()
    except (ValueError, OverflowError):
        return local


def _choices() -> dict[str, Any]:
    return {
        "bots": read.playing_bots(arena().db),
        "presets": sorted(preset_names(), key=lambda name: (name != "champion", name)),
    }


def _again(page: str, problems: list[Problem], **more: Any) -> AnyResponse:
    said = request.form
    return make_response(render_template(page, said=said, problems=problems, **more), 422)
