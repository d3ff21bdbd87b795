"""Bots and their versions: what the check said, how they do, where they failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import render_template, request

from maumau.rules.presets import preset_names
from maumau.rules.ruleset import load_rules
from maumau.storage.values import BotVersion
from maumau.usecases import read
from maumau.usecases.read import GameView, TournamentView
from service.auth import anyone
from service.context import arena
from service.web.site import pages

PAGE = 50
LATEST = 8
WORST = 8


@dataclass(frozen=True, slots=True)
class Standing:
    """A bot version's line on the leaderboard of a rule set at tables of so many seats."""

    rules: str
    seats: int
    row: Any


@pages.get("/bots")
def bots() -> str:
    """List the bots."""
    found = read.bots(arena().db, limit=PAGE, after=request.args.get("cursor") or None)
    return render_template("bots.html", found=found)


@pages.get("/bots/<name>")
def bot(name: str) -> str:
    """Show a bot with its versions and tournaments."""
    db = arena().db
    one = read.bot(db, name)
    versions = read.versions(db, name, limit=PAGE, after=request.args.get("cursor") or None)
    played = read.tournaments(db, limit=LATEST, bot=name).items
    return render_template(
        "bot.html", one=one, found=versions, tournaments=played, standings=_standings(name)
    )


@pages.get("/bots/<name>/<int:number>")
def bot_version(name: str, number: int) -> str:
    """Show a bot version: check report, results, faults; the log to who may read it."""
    db = arena().db
    one = read.version(db, name, number)
    played = read.tournaments(db, limit=LATEST, bot=name).items
    played = tuple(t for t in played if any(e.label == one.label for e in t.entrants))
    return render_template(
        "version.html",
        one=one,
        tournaments=played,
        standings=[s for s in _standings(name) if s.row["version"] == number],
        faults=_faults(one.label, played),
        log=read.log(db, _me(), name, number) if may_read(one) else None,
        may=may_read(one),
    )


def may_read(version: BotVersion) -> bool:
    """Tell whether who looks may read a version's log."""
    who = anyone()
    if who is None or who.role == "reader":
        return False
    return who.role == "admin" or who.id == version.owner_id


def _me() -> Any:
    return anyone()


def _standings(name: str) -> list[Standing]:
    """Give the lines of a bot's versions on the leaderboards of all presets."""
    found = []
    for preset in sorted(preset_names()):
        rules = load_rules(preset)
        for seats in range(rules.players[0], rules.players[1] + 1):
            board = read.leaderboard(arena().db, rules.id, seats=seats)
            found += [Standing(preset, seats, row) for row in board.rows if row["bot"] == name]
    return found


def _faults(label: str, played: tuple[TournamentView, ...]) -> list[GameView]:
    """Give the latest games that a version forfeited."""
    found: list[GameView] = []
    for one in played:
        found += read.games(arena().db, one.id, limit=WORST, at_fault=label).items
        if len(found) >= WORST:
            break
    return found[:WORST]
