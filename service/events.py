"""Server-sent events: the progress of a tournament, by looking at the database.

A stream holds a thread of the server, so at most half of them may be held; who comes later is
told to poll.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from flask import Response

from maumau.errors import Unavailable

LOOK_SECONDS = 0.5
HEARTBEAT_LOOKS = 6
"""A comment after this many looks without a change, so that a dead connection is noticed."""

RETRY_AFTER = 5
ENDED = ("finished", "cancelled")

Look = Callable[[], Mapping[str, Any]]


class Streams:
    """The streams that are open: how many there may be, and the sign that they must end."""

    def __init__(self, most: int):
        self.most = most
        self._open = 0
        self._lock = threading.Lock()
        self.closing = threading.Event()

    def enter(self) -> None:
        """Take a place; raises `Unavailable` where there is none."""
        with self._lock:
            if self._open >= self.most or self.closing.is_set():
                raise Unavailable(
                    "streams_full",
                    f"{self.most} event streams are open, as many as there may be; "
                    "poll the tournament instead",
                    retry_after=RETRY_AFTER,
                )
            self._open += 1

    def leave(self) -> None:
        """Give a place back."""
        with self._lock:
            self._open -= 1

    @property
    def open(self) -> int:
        """How many streams are held now."""
        return self._open

    def close(self) -> None:
        """End all streams, and let no new one begin: the server stops."""
        self.closing.set()


def stream(streams: Streams, look: Look) -> Response:
    """Answer with an event stream of what `look` gives, until its `state` is an end.

    `look` is called once before the answer begins, so that its errors are ordinary answers.
    """
    first = look()
    streams.enter()
    response = Response(_events(streams, first, look), content_type="text/event-stream")
    response.call_on_close(streams.leave)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _events(streams: Streams, first: Mapping[str, Any], look: Look) -> Iterator[str]:
    yield "retry: 3000\n\n"
    shown, now, quiet = None, first, 0
    while True:
        if now != shown:
            shown, quiet = now, 0
            yield _event("progress", now)
            if now["state"] in ENDED:
                yield _event(now["state"], now)
                return
        else:
            quiet += 1
            if quiet % HEARTBEAT_LOOKS == 0:
                yield ": still here\n\n"
        if streams.closing.wait(LOOK_SECONDS):
            return
        try:
            now = look()
        except Unavailable:
            # The database is away for a moment; the stream holds, and looks again.
            continue


def _event(name: str, value: Mapping[str, Any]) -> str:
    # JSON on one line: nothing in it can begin a field of its own.
    return f"event: {name}\ndata: {json.dumps(value)}\n\n"
