"""Every error as an RFC 9457 problem document with a stable `code`.

The domain's errors (maumau/errors.py) and HTTP's own are mapped here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

import structlog
from flask import Flask, Response, g, json
from gunicorn.http.errors import ParseException  # type: ignore[import-untyped]
from werkzeug.exceptions import HTTPException

from maumau import errors
from maumau.errors import MaumauError, Problem
from maumau.wording import counted

MEDIA_TYPE = "application/problem+json"

STATUS: tuple[tuple[type[MaumauError], int], ...] = (
    (errors.InvalidInput, 422),
    (errors.IllegalAction, 409),
    (errors.RecordError, 422),
    (errors.BotError, 422),
    (errors.NotFound, 404),
    (errors.Conflict, 409),
    (errors.Unauthenticated, 401),
    (errors.Forbidden, 403),
    (errors.Unavailable, 503),
)

HTTP_CODES: Mapping[int, tuple[str, str]] = {
    400: ("bad_request", "The request cannot be read."),
    401: ("unauthenticated", "This needs a token: `Authorization: Bearer <token>`."),
    403: ("forbidden", "This token does not give the right to do this."),
    404: ("not_found", "There is nothing at this address; see /api/v1/docs for what there is."),
    405: ("method_not_allowed", "This address does not take this method."),
    406: ("not_acceptable", "This address cannot answer in the media type that was asked for."),
    408: ("request_timeout", "The request took too long to arrive."),
    411: ("length_required", "Send a Content-Length."),
    413: ("too_large", "The request is too large."),
    414: ("address_too_long", "The address is too long."),
    415: ("unsupported_media_type", "The body is not of a type that this address takes."),
    422: ("invalid_input", "Some values are wrong."),
    429: ("too_many_requests", "Too many requests; wait as long as Retry-After says."),
    431: ("header_too_large", "The header fields are too large."),
    500: ("internal", "Something went wrong on the server; it was logged under this request id."),
    503: ("unavailable", "This cannot be done now."),
}

log = structlog.get_logger(__name__)


class HttpProblem(MaumauError):
    """A fault of the request itself, which the domain knows nothing of."""

    def __init__(
        self,
        status: int,
        detail: str = "",
        *,
        code: str = "",
        problems: tuple[Problem, ...] = (),
        headers: Mapping[str, str] | None = None,
    ):
        usual_code, usual_detail = HTTP_CODES[status]
        self.status = status
        self.code = code or usual_code
        self.problems = problems
        self.headers = dict(headers or {})
        super().__init__(detail or usual_detail)


def document(
    status: int,
    code: str,
    detail: str,
    *,
    problems: list[Problem] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Build the answer: `errors` holds path and message of each wrong value."""
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": detail,
        "request_id": g.get("request_id", ""),
    }
    if problems:
        body["errors"] = [{"path": p.path, "message": p.message} for p in problems]
    response = Response(json.dumps(body), status=status, content_type=MEDIA_TYPE)
    for name, value in (headers or {}).items():
        response.headers[name] = value
    response.headers["Cache-Control"] = "no-store"
    return response


def from_error(error: MaumauError) -> Response:
    """Map an error of the domain."""
    if isinstance(error, HttpProblem):
        return document(
            error.status,
            error.code,
            str(error),
            problems=list(error.problems),
            headers=error.headers,
        )
    status = next((status for kind, status in STATUS if isinstance(error, kind)), 500)
    if status == 500:
        return _internal(error)
    headers = {}
    problems = None
    detail = str(error)
    if isinstance(error, errors.InvalidInput):
        problems = error.problems
        detail = f"{counted(len(problems), 'value')} are wrong" if len(problems) > 1 else detail
    if isinstance(error, errors.RecordError):
        problems = [Problem(error.place, detail)]
    if isinstance(error, errors.IllegalAction):
        problems = [Problem("action", detail)]
    if isinstance(error, errors.Unauthenticated):
        headers["WWW-Authenticate"] = 'Bearer realm="maumau"'
    if isinstance(error, errors.Unavailable):
        if error.retry_after is not None:
            headers["Retry-After"] = str(error.retry_after)
        if error.code == "database":
            # What the database said may name hosts and files: that is for the log.
            log.warning("database_away", request_id=g.get("request_id", ""), reason=detail)
            detail = "the database cannot be reached now; wait as long as Retry-After says"
    return document(status, error.code, detail, problems=problems, headers=headers)


def from_http(error: HTTPException) -> Response:
    """Map an error of HTTP: unknown address, method, body too large, values that do not parse."""
    status = error.code or 500
    if status == 500:
        return _internal(getattr(error, "original_exception", None) or error)
    if status < 400:
        # A redirect to the address that was meant.
        return Response(status=status, headers=dict(error.get_headers()))
    code, detail = HTTP_CODES.get(status, ("error", HTTPStatus(status).phrase))
    headers = {
        name: value
        for name, value in error.get_headers()
        if name in ("Allow", "Retry-After", "WWW-Authenticate", "Location")
    }
    data = getattr(error, "data", None) or {}
    headers.update(data.get("headers") or {})
    problems = list(flatten(data.get("messages") or {}))
    if status == 405 and "Allow" in headers:
        detail = f"This address takes {headers['Allow']} only."
    if len(problems) == 1:
        detail = str(problems[0])
    elif problems:
        detail = f"{counted(len(problems), 'value')} are wrong"
    return document(status, code, detail, problems=problems, headers=headers)


def flatten(messages: object, path: str = "") -> Iterator[Problem]:
    """Give each message of webargs' nested answer with a dotted path, without the location."""
    if isinstance(messages, Mapping):
        for location in messages.values():
            yield from _flatten(location, "")
    else:
        yield from _flatten(messages, path)


def _flatten(messages: object, path: str) -> Iterator[Problem]:
    if isinstance(messages, Mapping):
        for key, value in messages.items():
            # marshmallow's name for what concerns the whole, and for a wrong key or value of a dict
            step = "" if key in ("_schema", "key", "value") else str(key)[:80]
            yield from _flatten(value, ".".join(s for s in (path, step) if s))
    elif isinstance(messages, (list, tuple)):
        for message in messages:
            yield from _flatten(message, path)
    else:
        yield Problem(path, str(messages))


def _internal(error: BaseException) -> Response:
    """Answer without internals; the log has them."""
    log.error("internal_error", request_id=g.get("request_id", ""), exc_info=error)
    code, detail = HTTP_CODES[500]
    return document(500, code, detail)


def from_framing(error: ParseException) -> Response:
    """Map a body whose chunks cannot be told apart; the server finds out while it is read."""
    problem = HttpProblem(400, f"the body cannot be read: {type(error).__name__}")
    return document(problem.status, problem.code, str(problem), headers={"Connection": "close"})


def register(app: Flask) -> None:
    """Answer every error of `app` with a problem document."""
    # What Flask would log as a bare traceback is logged above, with the request's id.
    app.logger.disabled = True
    app.register_error_handler(MaumauError, from_error)
    app.register_error_handler(HTTPException, from_http)
    app.register_error_handler(ParseException, from_framing)
