"""The start page: what goes on, who leads, how to take part."""

from __future__ import annotations

from dataclasses import dataclass

from flask import render_template, request

from maumau.rules.presets import preset_names
from maumau.rules.ruleset import load_rules
from maumau.usecases import read
from maumau.usecases.read import LeaderboardView
from service.context import arena
from service.web.site import pages

SHOWN = 8
FIRST = "champion"


@dataclass(frozen=True, slots=True)
class Leaders:
    """The leaderboard of a preset, by its name."""

    name: str
    board: LeaderboardView


@pages.get("/")
def home() -> str:
    """Show running and recent tournaments, leaderboards and how to submit."""
    db = arena().db
    running = read.tournaments(db, limit=SHOWN, state="running").items
    recent = read.tournaments(db, limit=SHOWN).items
    ids = {one.id for one in running}
    shown = [*running, *(one for one in recent if one.id not in ids)][:SHOWN]
    return render_template(
        "home.html", tournaments=shown, leaders=leaders(), server=request.host_url.rstrip("/")
    )


def leaders() -> list[Leaders]:
    """Give the leaderboards of the presets that have one, the plain one first."""
    names = sorted(preset_names(), key=lambda name: (name != FIRST, name))
    found = []
    for name in names:
        rules = load_rules(name)
        board = read.leaderboard(arena().db, rules.id, seats=rules.players[0])
        if board.rows:
            found.append(Leaders(name, board))
    return found
