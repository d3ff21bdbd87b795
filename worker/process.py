"""One worker: a process that takes jobs from the queue, one by one, until it is told to stop.

`python -m worker.process NUMBER` is what the pool (worker/main.py) starts. The jobs run in this
process itself; the bots they play run in children of their own.
"""

from __future__ import annotations

import logging
import os
import sys
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from types import FrameType
from typing import Any

import structlog
from redis.exceptions import RedisError
from rq import SimpleWorker
from rq.serializers import JSONSerializer

from maumau.logs import configure
from maumau.settings import Settings, load
from maumau.storage import Database
from maumau.usecases.clock import Clock, system_clock
from worker import queue
from worker.names import worker_name
from worker.signs import signs_of_life

# RQ waits for work for 15 seconds less than this before it looks around.
TTL_SECONDS = 20

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class This:
    """What the jobs of this process work with."""

    settings: Settings
    db: Database
    clock: Clock
    name: str
    number: int
    stopping: bool = False
    """Set by the signal to stop: what is in hand is finished, nothing more is begun."""
    paused: dict[str, datetime] = field(default_factory=dict)
    """What could not be done here, and when that was seen."""

    @property
    def files(self) -> Path:
        """Where copies of submitted files are kept."""
        return self.settings.var / "files"

    @property
    def lease(self) -> timedelta:
        """How long a claim holds without a sign of life."""
        return timedelta(seconds=self.settings.lease_seconds)


_this: This | None = None


def current() -> This:
    """Give what the jobs of this process work with; there is nothing outside a worker."""
    assert _this is not None, "this process is not a worker"
    return _this


def become(this: This) -> None:
    """Make this process a worker."""
    global _this
    _this = this


class _Worker(SimpleWorker):
    """RQ's worker without a fork for each job, told about the stop before its job ends."""

    def request_stop(self, signum: int, frame: FrameType | None) -> Any:
        """Let the job in hand come to its end early."""
        current().stopping = True
        return super().request_stop(signum, frame)  # type: ignore[no-untyped-call]


def main(arguments: list[str]) -> int:
    """Work until told to stop; the exit status is 0 then."""
    settings = load()
    configure(settings)
    logging.getLogger("rq.worker").setLevel(logging.WARNING)
    if settings.redis_url is None:
        print("a worker needs a queue: set MAUMAU_REDIS_URL, or use `maumau up`", file=sys.stderr)
        return 2
    name = worker_name()
    this = This(settings, Database(settings.database_url), system_clock, name, int(arguments[0]))
    become(this)
    log.info("worker_started", worker=name, pid=os.getpid())
    worker = _Worker(
        [queue.NAME],
        name=name,
        connection=queue.connection(settings.redis_url),
        serializer=JSONSerializer,
        worker_ttl=TTL_SECONDS,
        log_job_description=False,
    )
    try:
        with signs_of_life(settings, this.db, this.clock, name):
            worker.work(logging_level="WARNING")
    except RedisError as error:
        log.warning("queue_away", worker=name, reason=type(error).__name__)
    log.info("worker_stopped", worker=name, told_to=this.stopping)
    # RQ ends its loop when the queue goes away; the pool then starts this worker again.
    return 0 if this.stopping else 1


if __name__ == "__main__":
    # Jobs import this module by its name: there must be one of it.
    from worker.process import main as run

    sys.exit(run(sys.argv[1:]))
