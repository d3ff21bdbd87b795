"""Ask another bot in a replayed position, and see what random play makes of each action."""

from __future__ import annotations

from flask import render_template, request

from maumau.errors import InvalidInput, Problem
from maumau.usecases import read
from maumau.usecases.ask import decision_seed
from maumau.usecases.estimates import CARDS, estimates
from maumau.usecases.read.bots import found_version
from maumau.usecases.replay import Replay, whole_number
from service.context import arena
from service.web.games import seat_names
from service.web.language import reader, words
from service.web.site import pages
from service.web.telling import Teller

PLAYOUTS = 300


@pages.post("/games/<id>/ask")
def ask_here(id: str) -> str:
    """Ask a bot version what it would do, and play each action on at random."""
    said = request.form
    number = whole_number(said.get("deal", ""), "deal")
    step = whole_number(said.get("step", ""), "step")
    played = Replay.of_record(read.record(arena().db, id))
    deal = played.deal_at(number, step)
    cards = said.get("cards", "known")
    if cards not in CARDS:
        raise InvalidInput([Problem("cards", f"must be one of {', '.join(CARDS)}")])
    with arena().db.read() as tx:
        version = found_version(tx, said.get("bot", "").strip())
    if isinstance(version, str):
        raise InvalidInput([Problem("bot", version)])
    if deal.over:
        raise InvalidInput([Problem("step", "the deal is over: nobody acts here")])
    seed = decision_seed(played.seed, number, step)
    thinker = arena().thinker
    answer = thinker.ask(version, deal, seed, stand_in=False)
    found = thinker.do(lambda: estimates(deal, playouts=PLAYOUTS, seed=seed, cards=cards))
    return render_template(
        "ask.html",
        back=f"/games/{id}?deal={number}&step={step}&seat=all",
        label=version.label,
        answer=answer,
        estimates=found,
        playouts=PLAYOUTS,
        cards=cards,
        now=played.step(number, step),
        steps=len(played.actions[number]),
        names=seat_names(played.names),
        teller=Teller(words(), reader()),
    )
