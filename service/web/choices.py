"""Language, card faces, signing in and out; and the drawn cards."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Response, abort, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from maumau.errors import Unauthenticated
from service.web import session
from service.web.cards import sprite
from service.web.language import FACES, LANGUAGES, keep_choice
from service.web.site import pages


@pages.get("/cards/<name>.svg")
def card_sprite(name: str) -> Response:
    """Give all cards of `french` or `german` faces with the letters of a language."""
    faces, _, language = name.partition("-")
    if faces not in FACES or language not in LANGUAGES:
        abort(404)
    answer = Response(sprite(faces, language), content_type="image/svg+xml")
    answer.headers["Cache-Control"] = "public, max-age=3600"
    return answer


@pages.get("/choose")
def choose() -> AnyResponse:
    """Remember a language or card faces, and go back to where that was asked for."""
    answer = make_response(redirect(own_address(request.args.get("back"))))
    for name, known in (("language", LANGUAGES), ("faces", FACES)):
        value = request.args.get(name)
        if value is not None and value in known:
            keep_choice(answer, name, value)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@pages.get("/session")
def session_form() -> str:
    """Ask for a token."""
    return render_template("session.html", after=request.args.get("back", "/"), wrong=False)


@pages.post("/session")
def sign_in() -> AnyResponse:
    """Begin a session, if the token holds."""
    after = own_address(request.form.get("back"))
    answer = make_response(redirect(after, 303))
    try:
        session.begin(answer, request.form.get("token", ""))
    except Unauthenticated:
        return make_response(render_template("session.html", after=after, wrong=True), 401)
    return answer


@pages.post("/session/end")
def sign_out() -> AnyResponse:
    """End the session."""
    answer = make_response(redirect("/", 303))
    session.end(answer)
    return answer


def own_address(wish: str | None) -> str:
    """Give a path on this server to go to; anything else becomes the start page."""
    parts = urlsplit(wish or "/")
    plain = not parts.scheme and not parts.netloc and (wish or "/").startswith("/")
    safe = plain and "\\" not in (wish or "") and not (wish or "").startswith("//")
    return (wish or "/") if safe and (wish or "/").isprintable() else "/"
