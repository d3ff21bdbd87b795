"""Play against bots: set up a table, act by buttons, see why a card is not allowed.

Every button is a form's, so that a table can be played without JavaScript; with it only the part
that changes is fetched.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import make_response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from maumau.errors import Conflict, Forbidden, IllegalAction, InvalidInput, Problem, Unavailable
from maumau.rules.hints import WORDS, Hint, why_not, why_not_draw
from maumau.rules.observation import Observation
from maumau.rules.presets import preset_info, preset_names
from maumau.rules.ruleset import load_rules
from maumau.usecases import read, reports, tables
from maumau.usecases.tables import TableView
from service.api.tables import played_on
from service.auth import anyone
from service.context import arena
from service.web.games import seat_names, view
from service.web.language import reader, words
from service.web.site import pages
from service.web.telling import Teller, parts

MOST_OPPONENTS = 3
FIRST_OPPONENT = "medium"


@dataclass(frozen=True, slots=True)
class Now:
    """What the table shows of the deal: what an observation and a replay have in common."""

    top: str
    wish: str | None
    owed: int
    direction: int
    stock: int
    pile: tuple[str, ...]


@pages.get("/tables")
def table_form() -> str:
    """Let a person choose rules, opponents and a seat."""
    return _form({"rules": request.args.get("rules", "")}, [])


@pages.post("/tables")
def open_table() -> AnyResponse:
    """Set up a table and deal."""
    said = request.form
    opponents = [said.get(f"opponent{n}", "").strip() for n in range(1, MOST_OPPONENTS + 1)]
    wish = said.get("own_rules", "").strip() or said.get("rules", "champion")
    seat = said.get("seat", "0")
    asked: dict[str, Any] = {
        "rules": wish,
        "opponents": [one for one in opponents if one],
        "seat": int(seat) if seat.isascii() and seat.isdigit() and len(seat) < 3 else -1,
        "name": words()("table.you"),
    }
    try:
        made = tables.open_table(
            arena().db, arena().clock, anyone(), asked, entropy=arena().entropy
        )
    except InvalidInput as error:
        return make_response(_form(said.to_dict(), error.problems), 422)
    return redirect(f"/tables/{made.id}", 303)


def _form(said: dict[str, str], problems: list[Problem]) -> str:
    names = sorted(preset_names(), key=lambda name: (name != "champion", name))
    bots = read.playing_bots(arena().db)
    presets = [(name, preset_info(name).title, load_rules(name).players) for name in names]
    return render_template(
        "table_form.html",
        said=said,
        problems=problems,
        presets=presets,
        bots=bots,
        first=FIRST_OPPONENT if FIRST_OPPONENT in bots else (bots or [""])[0],
        opponents=range(1, MOST_OPPONENTS + 1),
    )


@pages.get("/tables/<id>")
def table(id: str) -> AnyResponse:
    """Show a table; bots that are to act have been interrupted, or have not begun."""
    found = tables.table(arena().db, id)
    note = ""
    if found.waiting and found.moves == 0:
        # A new table at which a bot leads: nothing is lost if it is asked again.
        found, note = _went_on(found)
    return _answer("table.html", found, note=note)


@pages.post("/tables/<id>")
def act(id: str) -> AnyResponse:
    """Do what a button says, and let the bots answer; or say why it is not allowed."""
    found = tables.table(arena().db, id)
    note, wishing = "", ""
    said = request.form
    try:
        if not found.over and not found.waiting:
            action, note, wishing = _meant(found, said.get("do", ""), call=bool(said.get("call")))
            if action:
                seen = said.get("seen", "")
                found = tables.act(
                    arena().db,
                    arena().clock,
                    id,
                    action,
                    seen=int(seen) if seen.isascii() and seen.isdigit() else None,
                )
    except IllegalAction:
        note = words()("hint.illegal")
    except Conflict:
        note = words()("hint.moved_on")
        found = tables.table(arena().db, id)
    if not wishing:
        found, failed = _went_on(found)
        note = failed or note
    page = "table_part.html" if request.headers.get("X-Part") else "table.html"
    return _answer(page, found, note=note, wishing=wishing, call=bool(said.get("call")))


def _went_on(found: TableView) -> tuple[TableView, str]:
    try:
        return played_on(found), ""
    except Unavailable:
        return tables.table(arena().db, found.id), words()("hint.busy")


def _meant(found: TableView, do: str, *, call: bool) -> tuple[str, str, str]:
    """Read a button: the action, or why there is none, or the card whose wish is to be chosen."""
    deal = found.game.deal
    obs = deal.observation(found.seat)
    legal = obs.legal_actions
    if do in WORDS:
        hint = why_not_draw(obs) if do == "draw" else None
        return (do, "", "") if hint is None else ("", hint_text(hint, "", found), "")
    card, wish, _ = parts(do)
    hint = why_not(obs, card)
    if hint is not None:
        return "", hint_text(hint, card, found), ""
    fitting = [one for one in legal if one not in WORDS and one[:2] == card]
    called = [one for one in fitting if one.endswith("!")]
    # A call that is not due is no fault at a table: it is let fall, and said.
    choices = called if call and called else [one for one in fitting if not one.endswith("!")]
    note = words()("play.call.not_due") if call and not called else ""
    if len(choices) == 1:
        return choices[0], note, ""
    for one in choices:
        if wish and parts(one)[1] == wish:
            return one, note, ""
    return "", note, card


def hint_text(hint: Hint, card: str, found: TableView) -> str:
    """Say why something is not allowed."""
    teller = Teller(words(), reader())
    key = "hint.owed.none" if hint.code == "owed" and not hint.ranks else f"hint.{hint.code}"
    return words()(
        key,
        n=hint.number,
        card=teller.card(card) if card and card in found.game.deal.order() else card[:2],
        ranks=", ".join(teller.rank(rank) for rank in hint.ranks),
        suit=teller.suit(hint.suit) if hint.suit else "",
        drawn=teller.card(hint.card) if hint.card else "",
        top=teller.card(hint.card) if hint.card else "",
    )


def _answer(
    page: str, found: TableView, *, note: str = "", wishing: str = "", call: bool = False
) -> AnyResponse:
    answer = make_response(
        render_template(page, **_shown(found), note=note, wishing=wishing, call=call)
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _shown(found: TableView) -> dict[str, Any]:
    game = found.game
    deal = game.deal
    obs = deal.observation(found.seat)
    names = seat_names(found.names)
    return {
        "table": found,
        "game": game,
        "obs": obs,
        "now": Now(
            obs.top_card, obs.wish, obs.owed, obs.direction, obs.stock_count, obs.discard_pile
        ),
        "names": names,
        "teller": Teller(words(), reader()),
        "since": _since(found, names),
        "playable": {one[:2] for one in obs.legal_actions if one not in WORDS},
        "wishes": _wishes(obs),
        "reports": reports.reports_of(arena().db, found.id),
        "calls": found.rules.data["call"]["mode"] != "none",
    }


def _wishes(obs: Observation) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for action in obs.legal_actions:
        if action not in WORDS and "=" in action:
            card, wish, _ = parts(action)
            if wish not in found.setdefault(card, []):
                found[card].append(wish)
    return found


def _since(found: TableView, names: list[str]) -> list[str]:
    """Tell what happened since the person acted last, over the end of a deal too."""
    teller = Teller(words(), reader())
    told: list[str] = []
    for deal in reversed(found.game.deals):
        events = deal.observation(found.seat).events
        own = [n for n, event in enumerate(events) if event.seat == found.seat]
        start = own[-1] if own else 0
        lines = [teller.event(event, names, found.seat) for event in events[start:]]
        if deal.over:
            lines.append(teller.end(deal.result(), names, found.seat))
        told = lines + told
        if own:
            break
    return told[-40:]


@pages.post("/tables/<id>/report")
def report(id: str) -> AnyResponse:
    """Keep what a person finds wrong."""
    try:
        reports.report_problem(
            arena().db,
            arena().clock,
            id,
            request.form.get("comment", ""),
            entropy=arena().entropy,
        )
    except InvalidInput as error:
        found = tables.table(arena().db, id)
        answer = _answer("table.html", found, note=str(error))
        answer.status_code = 422
        return answer
    return redirect(f"/tables/{id}?reported=1#report", 303)


@pages.get("/tables/<id>/replay")
def table_replay(id: str) -> AnyResponse:
    """Replay a table's ended deals, or all of a game that is over."""
    found = _ended(id)
    shown = view(_replayable(found), found.names, f"/tables/{id}/replay")
    return make_response(render_template("table_replay.html", table=found, **shown))


@pages.get("/tables/<id>/replay/step")
def table_replay_step(id: str) -> str:
    """Give one step of a table's replay."""
    found = _ended(id)
    shown = view(_replayable(found), found.names, f"/tables/{id}/replay")
    return render_template("replay.html", **shown)


def _ended(id: str) -> TableView:
    found = tables.table(arena().db, id)
    if not found.game.results and not found.over:
        raise Forbidden("the first deal is still being played: its cards are hidden")
    return found


def _replayable(found: TableView) -> Any:
    """Give the deals that tell no hidden card any more."""
    whole = found.replay
    if found.over:
        return whole
    ended = len(found.game.results)
    return type(whole)(whole.rules, whole.seed, whole.names, whole.actions[:ended])
