"""The queue that the workers serve, and the names that jobs have in it."""

from __future__ import annotations

from collections.abc import Iterable

from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer

NAME = "maumau"
CHECK_BOT = "worker.jobs.check_bot"
PLAY_CHUNK = "worker.jobs.play_chunk"
ANSWER_SECONDS = 2.0
# A job that failed says why for so long; what it was for is enqueued anew.
FAILED_SECONDS = 3600


def connection(redis_url: str) -> Redis:
    """Give a connection for a worker: it may wait for work as long as it likes."""
    return Redis.from_url(redis_url, socket_connect_timeout=ANSWER_SECONDS)


def queue(redis_url: str) -> Queue:
    """Give the queue for one who puts work in; nothing is contacted yet."""
    impatient = Redis.from_url(
        redis_url, socket_timeout=ANSWER_SECONDS, socket_connect_timeout=ANSWER_SECONDS
    )
    return Queue(NAME, connection=impatient, serializer=JSONSerializer)


def enqueue(to: Queue, job: str, keys: Iterable[int | str], *, at_front: bool = False) -> None:
    """Put a job for each key into the queue; raises `RedisError` where it is away."""
    for key in keys:
        to.enqueue_call(
            job,
            args=(key,),
            timeout=-1,
            result_ttl=0,
            failure_ttl=FAILED_SECONDS,
            at_front=at_front,
        )
