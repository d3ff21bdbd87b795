"""Structured logs of the service: a line per request, with its id and without its secrets."""

from __future__ import annotations

import logging

import structlog
from flask import Flask, Response, g, request

from maumau.settings import Settings
from service.context import arena

log = structlog.get_logger(__name__)


def configure(settings: Settings) -> None:
    """Set up structlog for this process."""
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    renderer: structlog.types.Processor = (
        structlog.processors.JSONRenderer()
        if settings.log_format == "json"
        else structlog.dev.ConsoleRenderer(colors=False)
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.StackInfoRenderer(),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=False,
    )


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
        account=caller.account.name if caller else None,
    )
    return response


def register(app: Flask) -> None:
    """Log every request of `app`; to be called first, so that the line tells the final status."""
    app.before_request(_begin)
    app.after_request(_line)
