"""gunicorn's settings: threads, because a stream holds one; a stop within seconds."""

from __future__ import annotations

import signal
from types import FrameType
from typing import Any, cast

from maumau.settings import load
from service.context import Arena

_settings = load()

bind = [
    f"[{_settings.host}]:{_settings.port}"
    if ":" in _settings.host
    else f"{_settings.host}:{_settings.port}"
]
worker_class = "gthread"
threads = _settings.threads
graceful_timeout = 3
timeout = 60
keepalive = 5
control_socket_disable = True
limit_request_line = 4094
limit_request_fields = 100
limit_request_field_size = 8190
loglevel = _settings.log_level
# The app logs requests itself, with ids and without secrets.
accesslog = None


def post_worker_init(worker: Any) -> None:
    """End the event streams when the worker is told to stop: their threads would hold it."""
    arena = cast(Arena, worker.wsgi.extensions["maumau"])
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
        before = signal.getsignal(number)

        def stop(signum: int, frame: FrameType | None, before: Any = before) -> None:
            arena.streams.close()
            if callable(before):
                before(signum, frame)

        signal.signal(number, stop)
