"""Put work into the queue, by name; what cannot be enqueued is found again by the worker's sweep.

The database says what is due (docs/design.md, storage and use cases). The queue only carries it, so
a queue that is away never fails a request.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Protocol

import structlog
from redis import Redis
from redis.exceptions import RedisError
from rq import Queue as RqQueue
from rq.serializers import JSONSerializer

QUEUE = "maumau"
CHECK_BOT = "worker.jobs.check_bot"
PLAY_CHUNK = "worker.jobs.play_chunk"
CONNECT_SECONDS = 1.0
ENOUGH = 16
"""A job that plays goes on with what else is due, so a few of them wake all workers."""

log = structlog.get_logger(__name__)


class Queue(Protocol):
    """What the routes need of a queue; both give False where the work waits for the sweep."""

    def check_bot(self, version_id: int) -> bool:
        """Ask for the check of one bot version."""

    def play_chunks(self, chunk_ids: Iterable[str]) -> bool:
        """Ask for these chunks to be played."""

    def depth(self) -> int | None:
        """Give the number of jobs that wait, or None where the queue cannot be reached."""


class NoQueue:
    """No Redis is set: all work waits for the worker's sweep."""

    def check_bot(self, version_id: int) -> bool:
        """Leave it to the sweep."""
        return False

    def play_chunks(self, chunk_ids: Iterable[str]) -> bool:
        """Leave them to the sweep."""
        return False

    def depth(self) -> int | None:
        """Nothing can be said."""
        return None


class RedisQueue:
    """The queue of the workers, in Redis or Valkey."""

    def __init__(self, redis_url: str):
        connection = Redis.from_url(
            redis_url,
            socket_connect_timeout=CONNECT_SECONDS,
            socket_timeout=CONNECT_SECONDS,
        )
        self._queue = RqQueue(QUEUE, connection=connection, serializer=JSONSerializer)

    def check_bot(self, version_id: int) -> bool:
        """Enqueue the check of one bot version, before all play: somebody waits for it."""
        return self._enqueue(CHECK_BOT, [version_id], at_front=True)

    def play_chunks(self, chunk_ids: Iterable[str]) -> bool:
        """Enqueue as many jobs as it takes for the workers to find the rest by themselves."""
        return self._enqueue(PLAY_CHUNK, list(islice(chunk_ids, ENOUGH)))

    def depth(self) -> int | None:
        """Count the jobs that wait."""
        try:
            return self._queue.count
        except RedisError:
            return None

    def _enqueue(self, name: str, keys: Sequence[int | str], *, at_front: bool = False) -> bool:
        try:
            self._queue.enqueue_many(
                [
                    RqQueue.prepare_data(
                        name,
                        args=[key],
                        timeout=-1,
                        result_ttl=0,
                        failure_ttl=3600,
                        at_front=at_front,
                    )
                    for key in keys
                ]
            )
        except RedisError as error:
            log.warning("queue_away", job=name, jobs=len(keys), reason=type(error).__name__)
            return False
        return True


def connect(redis_url: str | None) -> Queue:
    """Give the queue that the settings name; nothing is contacted yet."""
    return RedisQueue(redis_url) if redis_url else NoQueue()
