"""Replay a game: a deal as cards on a table, step by step, and what others make of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import render_template, request

from maumau.errors import InvalidInput, Problem
from maumau.usecases import read
from maumau.usecases.replay import Replay, whole_number
from service.auth import API
from service.context import arena
from service.web.language import reader, words
from service.web.site import pages
from service.web.telling import Teller

START: Mapping[str, str] = {"deal": "0", "step": "0"}


@pages.get("/games/<id>")
def game(id: str) -> str:
    """Show a game at a step of a deal, which the address names."""
    one = read.game(arena().db, id)
    record = read.record(arena().db, id)
    played = Replay.of_record(record)
    return render_template(
        "game.html",
        one=one,
        tournament=read.tournament(arena().db, one.tournament),
        download=f"{API}/games/{id}/record",
        **view(played, one.seats, f"/games/{id}", fault=record["fault"]),
    )


@pages.get("/games/<id>/step")
def game_step(id: str) -> str:
    """Give the part of a replay that changes from step to step."""
    record = read.record(arena().db, id)
    played = Replay.of_record(record)
    return render_template(
        "replay.html", **view(played, record["seats"], f"/games/{id}", fault=record["fault"])
    )


def view(
    played: Replay,
    names: tuple[str, ...] | list[str],
    base: str,
    *,
    fault: Any = None,
    default: Mapping[str, str] = START,
) -> dict[str, Any]:
    """Give what the replay template shows of the step that the request, or `default`, asks for."""
    asked = request.args if "deal" in request.args else default
    number = whole_number(asked.get("deal") or "0", "deal")
    step = whole_number(asked.get("step") or "0", "step")
    looks = request.args.get("seat") or "all"
    seat = None
    if looks != "all":
        seat = whole_number(looks, "seat")
        if seat >= len(names):
            raise InvalidInput([Problem("seat", f"must be all, or from 0 to {len(names) - 1}")])
    names = seat_names(names)
    now = played.step(number, step)
    teller = Teller(words(), reader())
    events = [teller.event(event, names) for event in played.events(number)]
    return {
        "now": now,
        "names": names,
        "seat": seat,
        "looks": looks,
        "base": base,
        "teller": teller,
        "events": events,
        "steps": [len(actions) for actions in played.actions],
        "fault": fault if fault and fault["deal"] == number else None,
        "leader": number % len(names),
        "bots": read.playing_bots(arena().db),
    }


def seat_names(names: tuple[str, ...] | list[str]) -> list[str]:
    """Give the seats' names, numbered where two are alike."""
    names = list(names)
    return [
        name if names.count(name) == 1 else f"{name} ({seat})" for seat, name in enumerate(names)
    ]
