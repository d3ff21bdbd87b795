"""Structured logs: one line per event, for people or for programs."""

from __future__ import annotations

import contextlib
import logging

import structlog
from structlog.typing import EventDict

from maumau.settings import Settings


def harmless(logger: object, method: str, event: EventDict) -> EventDict:
    """Show control characters of texts from outside as escapes: a log is read in terminals."""
    return {key: _shown(value) for key, value in event.items()}


def _shown(value: object) -> object:
    if not isinstance(value, str) or value.isprintable():
        return value
    return "".join(
        one if one.isprintable() or one in "\n\t" else one.encode("unicode_escape").decode()
        for one in value
    )


class _Lines:
    """Writes lines to the standard output; a full disk there must not end what logs."""

    def msg(self, message: str) -> None:
        """Write one line, as far as that can be done."""
        with contextlib.suppress(OSError, ValueError):
            print(message, flush=True)

    log = debug = info = warn = warning = error = critical = exception = fatal = failure = err = msg


def configure(settings: Settings) -> None:
    """Set up structlog for this process, as the settings say."""
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
            harmless,
            renderer,
        ],
        logger_factory=lambda *_: _Lines(),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=False,
    )
