"""Brings about what the database says: enqueues what is due, releases what the dead held.

Every host's pool runs one. Each step may be done by several at once, at any time, any number of
times: the database decides by compare-and-set, and the queue only carries hints.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog
from redis.exceptions import RedisError
from rq import Queue

from maumau.errors import Unavailable
from maumau.storage import Database
from maumau.usecases import due, rank, reap, start, tidy, workers
from maumau.usecases.clock import Clock
from worker import names, queue

EVERY_SECONDS = 0.5
EXPIRE_SECONDS = 5.0
TIDY_SECONDS = 3600.0
# Each job plays for about a second and finds more by itself: a few for each worker are enough.
JOBS_A_WORKER = 2
CHECKS_AT_ONCE = 20
FEEDING = f"{queue.NAME}:feeding"

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Reaper:
    """Looks after one host's workers, and after all that is due anywhere."""

    db: Database
    clock: Clock
    redis_url: str
    workers: int
    is_dead: Callable[[str], bool] = names.is_dead
    timer: Callable[[], float] = time.monotonic
    lease_seconds: float = 30.0
    _watch: reap.Watch = field(init=False)
    _queue: Queue = field(init=False)
    _next: dict[str, float] = field(init=False, default_factory=dict)
    _away: set[str] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        """Name the queue; nothing is contacted yet."""
        self._queue = queue.queue(self.redis_url)
        self._watch = reap.Watch(self.timer, self.lease_seconds)

    def tick(self) -> None:
        """Do whatever it is time for; neither database nor queue need be there."""
        if not self._is_time("tick", EVERY_SECONDS):
            return
        try:
            self.release_dead()
            for tournament in start.start_due(self.db, self.clock):
                log.info("tournament_started", tournament=tournament)
            if self._is_time("expire", EXPIRE_SECONDS):
                _report(reap.expire(self.db, self.clock), "lease_expired")
                _report(self._watch.look(self.db), "worker_silent")
                workers.forget_dead(self.db, self.clock, self.is_dead)
            if self._is_time("tidy", TIDY_SECONDS):
                tidy.forget_answers(self.db, self.clock)
            for tournament in rank.finish_due(self.db, self.clock):
                log.info("tournament_finished", tournament=tournament)
            self._here("database")
            self._feed()
            self._here("queue")
        except Unavailable as error:
            self._gone("database", str(error))
        except RedisError as error:
            self._gone("queue", type(error).__name__)

    def release_dead(self, blamed: int | None = None, log_text: str = "") -> None:
        """Release what workers of this host held whose process is gone.

        The death of the process `blamed` counts against what it held; of others nobody saw why.
        """
        for holder in reap.holders(self.db):
            if self.is_dead(holder):
                blame = blamed is not None and names.pid_of(holder) == blamed
                done = reap.release(self.db, self.clock, holder, blame=blame, log=log_text)
                _report(done, "worker_died", worker=holder)

    def worker_ended(self, *, blamed: int | None, how: str) -> None:
        """Release at once what the worker held that just ended; `blamed` as in `release_dead`."""
        try:
            self.release_dead(blamed, how)
        except Unavailable as error:
            # The next tick does it, without blame.
            self._gone("database", str(error))

    def _feed(self) -> None:
        """Enqueue what is due where the queue runs low; one host at a time."""
        low = self.workers * JOBS_A_WORKER
        waiting = self._queue.count
        if waiting >= low or not self._queue.connection.set(
            FEEDING, names.host(), nx=True, px=int(EVERY_SECONDS * 1000)
        ):
            return
        checks = due.due_checks(self.db, self.clock, limit=CHECKS_AT_ONCE)
        chunks = due.due_chunks(self.db, self.clock, limit=low - waiting)
        queue.enqueue(self._queue, queue.PLAY_CHUNK, chunks)
        # Short, and somebody waits for them: before the chunks.
        queue.enqueue(self._queue, queue.CHECK_BOT, checks, at_front=True)

    def _is_time(self, what: str, every: float) -> bool:
        now = self.timer()
        if now < self._next.get(what, 0.0):
            return False
        self._next[what] = now + every
        return True

    def _gone(self, what: str, reason: str) -> None:
        if what not in self._away:
            log.warning(f"{what}_away", reason=reason)
        self._away.add(what)

    def _here(self, what: str) -> None:
        if what in self._away:
            log.info(f"{what}_back")
        self._away.discard(what)


def _report(done: reap.Reaped, event: str, **more: str) -> None:
    if done.chunks or done.checks:
        log.warning(event, due_again=len(done.chunks) + len(done.checks), **more)
    for chunk in done.stuck:
        log.error("chunk_stuck", chunk=chunk, **more)
