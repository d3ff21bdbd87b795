"""Leaderboards: all accepted bot versions under one rule set."""

from __future__ import annotations

from flask import render_template, request

from maumau.errors import InvalidInput, Problem
from maumau.rules.presets import preset_names
from maumau.rules.ruleset import load_rules
from maumau.usecases import read
from service.context import arena
from service.web.home import FIRST
from service.web.site import pages


@pages.get("/leaderboard")
def leaderboard() -> str:
    """Show one leaderboard."""
    wish = request.args.get("rules", "").strip() or FIRST
    named = read.named_rules(arena().db, wish)
    fewest, most = load_rules(named.rules).players
    text = request.args.get("seats", "").strip()
    if text and not (text.isascii() and text.isdigit() and len(text) < 4):
        raise InvalidInput([Problem("seats", "must be a number of seats")])
    seats = min(max(int(text or fewest), fewest), most)
    board = read.leaderboard(arena().db, named.id, seats=seats)
    return render_template(
        "leaderboard.html",
        board=board,
        named=named,
        wish=wish,
        choices=range(fewest, min(most, 8) + 1),
        presets=sorted(preset_names()),
    )
