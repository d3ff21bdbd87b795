"""Headers of every answer: its request id, what a browser may do with it, and its ETag."""

from __future__ import annotations

import structlog
from flask import Flask, Response, g, request

from service.context import arena
from service.limits import UNLIMITED

POLICY = "; ".join(
    (
        "default-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "object-src 'none'",
        "img-src 'self' data:",
    )
)

SECURITY = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def name_request() -> None:
    """Give each request an id, for its answer and its lines in the log."""
    g.request_id = arena().entropy(8).hex()
    # A thread serves one request after the other: whatever it logs meanwhile carries this id.
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(request_id=g.request_id)


def secure(response: Response) -> Response:
    """Add what every answer carries; an answer may have set a stricter value itself."""
    for name, value in SECURITY.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("X-Request-ID", g.get("request_id", ""))
    if "Authorization" in request.headers:
        response.vary.add("Authorization")
    return response


def validate(response: Response) -> Response:
    """Give what was read an ETag, and answer 304 to whoever has it already."""
    if request.method not in ("GET", "HEAD") or response.status_code != 200:
        return response
    if request.path.endswith(UNLIMITED):
        response.headers["Cache-Control"] = "no-store"
    if response.is_streamed or response.headers.get("Cache-Control") == "no-store":
        return response
    response.headers.setdefault("Cache-Control", "no-cache")
    response.vary.add("Accept")
    response.add_etag()
    response.make_conditional(request)
    return response


def register(app: Flask) -> None:
    """Put the headers on all answers of `app`; to be called before what else answers."""
    app.before_request(name_request)
    app.after_request(secure)
    app.after_request(validate)
