"""Ask bots from within the service: few at a time, each in a child process of a lasting thread.

Whoever plays at a table waits for the answer, and the workers' queue holds tournaments: so the
service asks by itself. The bot runs in the same cage as in a tournament; a clean process belongs to
the thread that started it, so these threads stay as long as the service does.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLate
from typing import Final, TypeVar

from maumau.arena.session import Answer
from maumau.errors import Unavailable
from maumau.rules.deal import Deal
from maumau.settings import Settings
from maumau.storage import Database
from maumau.storage.values import BotVersion
from maumau.usecases import ask

AT_ONCE: Final = 2
WAITING: Final = 16
"""How many may be asked for or wait for it; who comes later is told to come again."""
PATIENCE: Final = 30.0
RETRY_AFTER: Final = 3

T = TypeVar("T")


class Thinker:
    """Asks bots for decisions, and does other work that takes a while."""

    def __init__(self, settings: Settings, db: Database):
        self._settings, self._db = settings, db
        self._threads: ThreadPoolExecutor | None = None
        self._lock = threading.Lock()
        self._places = threading.BoundedSemaphore(WAITING)

    def ask(self, version: BotVersion, deal: Deal, seed: str, *, stand_in: bool = True) -> Answer:
        """Give a bot version's answer; raises `Unavailable` where too many are asked already.

        `stand_in`: a game at a table goes on after an upgrade of the bots that ship.
        """

        def work() -> Answer:
            return ask.ask(
                self._db,
                version,
                deal,
                seed,
                files=self._settings.var / "files",
                uploads=self._settings.uploads,
                stand_in=stand_in,
            )

        return self.do(work)

    def do(self, work: Callable[[], T]) -> T:
        """Do work in one of the lasting threads, and wait for it."""
        if not self._places.acquire(blocking=False):
            raise _busy()
        try:
            future = self._started().submit(work)
        except BaseException:
            self._places.release()
            raise
        future.add_done_callback(lambda _: self._places.release())
        try:
            return future.result(PATIENCE)
        except TooLate:
            future.cancel()
            raise _busy() from None

    def _started(self) -> ThreadPoolExecutor:
        """Start the threads with the first work: the process may have been forked before."""
        with self._lock:
            if self._threads is None:
                self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="thinker")
            return self._threads


def _busy() -> Unavailable:
    message = "too many bots are asked at once; wait as long as Retry-After says"
    return Unavailable("bots_busy", message, retry_after=RETRY_AFTER)
