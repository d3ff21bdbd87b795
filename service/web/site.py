"""Put the pages into the app: their blueprint, what templates can use, error pages, headers."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Flask, Response, json, make_response, render_template, request
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from maumau.errors import MaumauError, Unauthenticated
from service import problems
from service.auth import API, anyone
from service.web import charts, session
from service.web.language import FACES, LANGUAGES, NAMES, reader, words

pages = Blueprint("pages", __name__, template_folder="templates")
OWN_TEXTS = ("401", "403", "404", "429", "500", "503")


def register_pages(app: Flask) -> None:
    """Serve the pages from `app`."""
    # Each module adds its routes to the blueprint.
    from service.web import (  # noqa: F401
        asking,
        bots,
        choices,
        forms,
        games,
        home,
        leaderboard,
        reports,
        rules,
        tables,
        tournaments,
    )

    app.register_blueprint(pages)
    app.register_error_handler(404, _unknown_address)
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True


pages.before_request(session.check_form)


@pages.app_context_processor
def shared() -> dict[str, Any]:
    """Give every template its language, who looks, and how to write numbers and moments."""
    t = words()
    return {
        "t": t,
        "reader": reader(),
        "who": anyone(),
        "csrf": session.csrf,
        "languages": [(code, NAMES[code]) for code in LANGUAGES],
        "all_faces": FACES,
        "api": API,
        "moment": moment,
        "charts": charts,
        "page_args": page_args,
        "sprite": f"/cards/{reader().faces}-{reader().language}.svg",
    }


def page_args(**changed: str) -> str:
    """Give the address's arguments with some changed, from the first page on."""
    kept = [(k, v) for k, v in request.args.items(multi=True) if k not in ("cursor", *changed)]
    return urlencode([*kept, *changed.items()])


def moment(value: datetime | None) -> str:
    """Write a moment to the minute, in UTC."""
    return "" if value is None else value.strftime("%Y-%m-%d %H:%M UTC")


@pages.after_request
def page_headers(response: Response) -> Response:
    """Say that a page depends on the reader's language, choices and session."""
    response.vary.update(["Accept-Language", "Cookie"])
    if anyone() is not None:
        response.headers["Cache-Control"] = "no-store"
    return response


def error_page(problem: Response) -> AnyResponse:
    """Show a problem document as a page."""
    document = json.loads(problem.get_data())
    status = str(document["status"])
    title = words()(f"error.{status if status in OWN_TEXTS else 'other'}")
    page = make_response(
        render_template("error.html", title=title, problem=document), problem.status_code
    )
    for name in ("Retry-After", "Allow"):
        if name in problem.headers:
            page.headers[name] = problem.headers[name]
    page.headers["Cache-Control"] = "no-store"
    return page


@pages.errorhandler(MaumauError)
def _domain(error: MaumauError) -> AnyResponse:
    found = problems.from_error(error)
    if not _for_people():
        return found
    if isinstance(error, Unauthenticated) and request.method == "GET":
        # Whoever may be right here signs in first, and comes back.
        page = render_template("session.html", after=request.full_path.rstrip("?"), wrong=False)
        return make_response(page, 401)
    return error_page(found)


@pages.errorhandler(429)
@pages.errorhandler(HTTPException)
def _http(error: HTTPException) -> AnyResponse:
    if error.code is not None and error.code < 400:
        return error.get_response()
    found = problems.from_http(error)
    return error_page(found) if _for_people() else found


def _unknown_address(error: HTTPException) -> AnyResponse:
    found = problems.from_http(error)
    page = _for_people() and not request.path.startswith(("/api/", "/static/"))
    return error_page(found) if page else found


def _for_people() -> bool:
    """Tell whether a browser asks, not a program."""
    return request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html"
