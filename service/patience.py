"""gunicorn's threads, but no client holds one for long by sending slowly.

A request that trickles in holds a thread, however little it sends. So the whole of a request,
headers and body, has a deadline; and of one address only some may be slow at a time.
"""

from __future__ import annotations

import socket
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

READ_SECONDS = 60.0
"""In which a request must be here, whole: 8 MB at 140 kB/s."""
SLOW_SECONDS = 5.0
"""After which a request that is not here yet counts as slow."""


class ListeningSocket(socket.socket):
    """A connection that tells whether somebody waits for the client to send."""

    listening = False

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        """Wait for what the client sends."""
        self.listening = True
        try:
            return super().recv(size, flags)
        finally:
            self.listening = False


class PatientWorker(ThreadWorker):  # type: ignore[misc]
    """Stops reading from who sends too slowly; a request that is here is answered in any time."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self._begun: dict[Any, float] = {}

    def enqueue_req(self, conn: Any) -> None:
        """Give a connection to a thread."""
        if not isinstance(conn.sock, ListeningSocket):
            conn.sock = ListeningSocket(fileno=conn.sock.detach())
            conn.sock.setblocking(False)
        super().enqueue_req(conn)

    def handle(self, conn: Any) -> Any:
        """Handle a request, in a thread of its own."""
        self._begun[conn] = time.monotonic()
        try:
            return super().handle(conn)
        finally:
            del self._begun[conn]

    def notify(self) -> None:
        """Say that this lives, once a second at least, and look at who is slow."""
        super().notify()
        waited_for = {c: at for c, at in self._begun.copy().items() if c.sock.listening}
        for conn in overdue(waited_for, time.monotonic(), self.cfg.threads // 4):
            # The read finds the end.
            with suppress(OSError):
                conn.sock.shutdown(socket.SHUT_RD)


def overdue(begun: Mapping[Any, float], now: float, slow_each: int) -> Iterator[Any]:
    """Give the connections that were listened to for long enough, by when their requests began.

    That is who has taken `READ_SECONDS`, and of each address with more than `slow_each` (at least
    one) requests over `SLOW_SECONDS` those that began first.
    """
    by_address: dict[str, list[Any]] = defaultdict(list)
    for conn in sorted(begun, key=begun.__getitem__):
        age = now - begun[conn]
        if age >= READ_SECONDS:
            yield conn
        elif age >= SLOW_SECONDS:
            by_address[str(conn.client[0])].append(conn)
    for slow in by_address.values():
        yield from slow[: -max(1, slow_each)]
