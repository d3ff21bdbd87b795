"""Structured logs of the service: a line per request, with its id and without its secrets."""

from __future__ import annotations

import structlog
from flask import Flask, Response, g, request

from service.context import arena

log = structlog.get_logger(__name__)


def _begin() -> None:
    g.began_at = arena().clock()


def _line(response: Response) -> Response:
    began = g.get("began_at")
    caller = g.get("caller")
    log.info(
        "request",
        request_id=g.get("request_id", ""),
        method=request.method,
        path=request.path,
        status=response.status_code,
        ms=round((arena().clock() - began).total_seconds() * 1000) if began else None,
        account=caller.name if caller else None,
    )
    return response


def register(app: Flask) -> None:
    """Log every request of `app`; to be called first, so that the line tells the final status."""
    app.before_request(_begin)
    app.after_request(_line)
