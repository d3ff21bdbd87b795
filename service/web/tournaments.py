"""Tournaments: their list, one with its results as they come in, matches and games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from flask import render_template, request
from markupsafe import Markup

from maumau.errors import InvalidInput, Problem
from maumau.rules.presets import preset_names
from maumau.storage.values import TournamentState
from maumau.usecases import read
from maumau.usecases.read import CrosstableView, GameView, StandingsView, TournamentView
from service.api.games import FAULTS
from service.api.tournaments import STATES
from service.auth import anyone
from service.context import arena
from service.web.charts import Scale, letters, scale_of
from service.web.language import words
from service.web.site import pages

PAGE = 50
LARGEST_CROSSTABLE = 40
MOST_PAIRS = 30


@dataclass(frozen=True, slots=True)
class Results:
    """Standings and crosstable as a page shows them; `cells` by the two labels.

    `open_pairs` are those that are not separated and `more_pairs` how many there are beyond them.
    """

    standings: StandingsView
    scale: Scale
    letters: list[str]
    cells: Mapping[tuple[str, str], Mapping[str, Any]]
    faulty: tuple[GameView, ...]
    open_pairs: Sequence[Mapping[str, Any]]
    more_pairs: int
    ratings: Sequence[Mapping[str, Any]]
    rating_chart: Markup


@pages.get("/tournaments")
def tournaments() -> str:
    """List the tournaments, filtered."""
    state, rules, bot = _chosen("state"), _chosen("rules"), _chosen("bot")
    if state and state not in STATES:
        raise InvalidInput([Problem("state", f"must be one of {', '.join(STATES)}")])
    found = read.tournaments(
        arena().db,
        limit=PAGE,
        after=_chosen("cursor"),
        state=cast("TournamentState | None", state),
        rule_set=read.rule_set_id(rules) if rules else None,
        bot=bot,
    )
    return render_template(
        "tournaments.html", found=found, states=STATES, presets=sorted(preset_names())
    )


@pages.get("/tournaments/<id>")
def tournament(id: str) -> str:
    """Show one tournament."""
    one = read.tournament(arena().db, id)
    return render_template("tournament.html", one=one, results=results(one), may=_may_cancel(one))


@pages.get("/tournaments/<id>/results")
def tournament_results(id: str) -> str:
    """Give the part of a tournament's page that changes while it runs."""
    one = read.tournament(arena().db, id)
    return render_template("results.html", one=one, results=results(one))


@pages.get("/tournaments/<id>/games")
def tournament_games(id: str) -> str:
    """List a tournament's games, filtered."""
    one = read.tournament(arena().db, id)
    fault, entrant = _chosen("fault"), _chosen("entrant")
    kinds = FAULTS
    faulty = True if fault == "any" else None
    found = read.games(
        arena().db,
        id,
        limit=PAGE,
        after=_chosen("cursor"),
        faulty=faulty,
        fault=None if fault in (None, "any") else fault,
        at_fault=entrant,
    )
    return render_template("games.html", one=one, found=found, kinds=kinds)


@pages.get("/tournaments/<id>/matches")
def tournament_matches(id: str) -> str:
    """List a tournament's matches, filtered by entrant."""
    one = read.tournament(arena().db, id)
    entrant = _chosen("entrant")
    found = read.matches(
        arena().db,
        id,
        limit=PAGE,
        after=_chosen("cursor"),
        entrants=[entrant] if entrant else [],
    )
    return render_template("matches.html", one=one, found=found)


@pages.get("/matches/<id>")
def match(id: str) -> str:
    """Show one match with its games."""
    found = read.match(arena().db, id)
    one = read.tournament(arena().db, found.tournament)
    listed = read.match_games(arena().db, id, limit=PAGE, after=_chosen("cursor"))
    return render_template("match.html", one=one, match=found, found=listed)


def results(one: TournamentView) -> Results:
    """Read what the results part shows; nothing is rated here."""
    db = arena().db
    standings = read.standings(db, one.id)
    faulty: tuple[GameView, ...] = ()
    if any(row["faults"] for row in standings.rows):
        faulty = read.games(db, one.id, limit=8, faulty=True).items
    table: CrosstableView | None = None
    if len(one.entrants) <= LARGEST_CROSSTABLE:
        table = read.crosstable(db, one.id)
    open_pairs = [
        one
        for one in standings.differences
        if not one["separated"] and one["difference"] is not None
    ]
    shares = [row[key] for row in standings.rows for key in ("score_share", "low", "high")]
    return Results(
        standings=standings,
        scale=scale_of([*shares, 1 / one.seats]),
        letters=letters([row["group"] or "" for row in standings.rows]),
        cells={(cell["entrant"], cell["other"]): cell for cell in table.cells} if table else {},
        faulty=faulty,
        open_pairs=open_pairs[:MOST_PAIRS],
        more_pairs=max(0, len(open_pairs) - MOST_PAIRS),
        ratings=sorted(standings.ratings, key=lambda row: -(row["rating"] or 0)),
        # Drawn by us; the names in it are made harmless there.
        rating_chart=Markup(
            read.rating_chart(standings, title=words()("chart.rating.title"))
            if standings.ratings
            else ""
        ),
    )


def _may_cancel(one: TournamentView) -> bool:
    who = anyone()
    return (
        who is not None
        and one.state in ("scheduled", "running")
        and (who.role == "admin" or (who.role == "author" and who.name == one.owner))
    )


def _chosen(name: str) -> str | None:
    """Give a filter of the address, None where it is left open."""
    return request.args.get(name, "").strip() or None
