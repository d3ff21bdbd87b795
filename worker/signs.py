"""Signs of life: a thread of each worker tells the database that it lives, and of its cage."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

import structlog

from maumau.arena import sandbox
from maumau.errors import Unavailable
from maumau.settings import Settings
from maumau.storage import Database
from maumau.usecases import workers
from maumau.usecases.clock import Clock

log = structlog.get_logger(__name__)


@contextlib.contextmanager
def signs_of_life(
    settings: Settings, db: Database, clock: Clock, name: str, *, every: float | None = None
) -> Iterator[None]:
    """Show one at once, then again and again until the block ends, then say that it ended."""
    cages, reason = proved(settings, name)
    over = threading.Event()

    def show() -> None:
        with contextlib.suppress(Unavailable):
            workers.show(db, clock, name, cages=cages, reason=reason)

    def go_on() -> None:
        while not over.wait(workers.EVERY_SECONDS if every is None else every):
            show()

    show()
    thread = threading.Thread(target=go_on, name="signs of life", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(1.0)
        with contextlib.suppress(Unavailable):
            workers.leave(db, name)


def proved(settings: Settings, name: str) -> tuple[bool, str]:
    """Try the cage before any bot is run in it; say so where it does not hold."""
    if settings.uploads != "sandbox":
        return False, f"MAUMAU_UPLOADS={settings.uploads} on this worker"
    state = sandbox.status()
    if not state.ok:
        log.warning("uploaded_bots_refused", worker=name, reason=state.reason)
    return state.ok, state.reason
