"""gunicorn's settings: threads, because a stream holds one; a stop within seconds."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import struct
import tempfile
from types import FrameType
from typing import TYPE_CHECKING, Any, cast

from maumau.settings import load

if TYPE_CHECKING:
    from service.context import Arena

_settings = load()
_counted_in: str | None = None
if os.environ.get("WEB_CONCURRENCY", "1") != "1" and "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
    # Several processes count requests together, in files. The variable must be there before the
    # library is: that is why nothing of the service is imported above.
    _counted_in = os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(
        prefix="maumau-metrics-"
    )

bind = [
    f"[{_settings.host}]:{_settings.port}"
    if ":" in _settings.host
    else f"{_settings.host}:{_settings.port}"
]
worker_class = "service.patience.PatientWorker"
threads = _settings.threads
graceful_timeout = 3
timeout = 60
keepalive = 5
STALL_SECONDS = 10
"""How long a client may send or take nothing in the middle of a request: it holds a thread."""
control_socket_disable = True
# Nobody's headers say where the app is mounted or what was asked: by default those of clients on
# this machine do. What proxies say of askers is MAUMAU_TRUSTED_PROXIES' matter (service/limits.py).
forwarded_allow_ips = ""
forwarder_headers = ""
limit_request_line = 8190
limit_request_fields = 100
limit_request_field_size = 8190
loglevel = _settings.log_level
# The app logs requests itself, with ids and without secrets.
accesslog = None


def when_ready(server: Any) -> None:
    """Let no stalled client hold a thread for good."""
    for listener in server.LISTENERS:
        # Connections inherit these from the socket that accepts them; gunicorn has no such setting.
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            listener.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", STALL_SECONDS, 0))


def post_worker_init(worker: Any) -> None:
    """End the event streams when the worker is told to stop: their threads would hold it."""
    arena = cast("Arena", worker.wsgi.extensions["maumau"])
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
        before = signal.getsignal(number)

        def stop(signum: int, frame: FrameType | None, before: Any = before) -> None:
            arena.streams.close()
            if callable(before):
                before(signum, frame)

        signal.signal(number, stop)


def child_exit(server: Any, worker: Any) -> None:
    """Take a process that has ended out of the gauges of those that live."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def on_exit(server: Any) -> None:
    """Remove what was counted in."""
    if _counted_in is not None:
        shutil.rmtree(_counted_in, ignore_errors=True)
