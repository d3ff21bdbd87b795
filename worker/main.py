"""The pool of one host: `python -m worker.main` keeps workers and the reaper running.

On SIGTERM or SIGINT the workers finish or give back what they hold, within seconds.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import structlog

from maumau.errors import MaumauError
from maumau.logs import configure
from maumau.processes.supervisor import Ended, Service, Stopped, Supervisor
from maumau.settings import Settings, load
from maumau.storage import Database
from maumau.usecases.clock import system_clock
from worker.reaper import EVERY_SECONDS, Reaper

STOP_SECONDS = 4.0
# Ways to end that somebody outside chose; a worker that the kernel killed for want of memory is
# told apart by its counter.
CHOSEN = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

log = structlog.get_logger(__name__)


class Pool:
    """The workers of this host, and the reaper that looks after them."""

    def __init__(self, settings: Settings, redis_url: str):
        self._settings = settings
        self._reaper = Reaper(
            Database(settings.database_url),
            system_clock,
            redis_url,
            settings.workers,
            lease_seconds=settings.lease_seconds,
        )
        self._kills = out_of_memory_kills()

    def run(self) -> None:
        """Work until a signal asks for the end."""
        try:
            with Supervisor(together=True) as supervisor:
                for number in range(self._settings.workers):
                    supervisor.start(self._worker(number))
                while True:
                    self._reaper.tick()
                    supervisor.step(EVERY_SECONDS)
        except Stopped:
            pass
        # Those that had to be killed: what they held is nobody's fault.
        self._reaper.worker_ended(blamed=None, how="")

    def _worker(self, number: int) -> Service:
        return Service(
            name=f"worker {number}",
            command=[sys.executable, "-P", "-m", "worker.process", str(number)],
            environment=os.environ,
            log=None,
            stop_seconds=STOP_SECONDS,
            on_end=self._ended,
            # A database or queue that is away now may be back in a minute.
            give_up=False,
        )

    def _ended(self, ended: Ended) -> None:
        kills = out_of_memory_kills()
        blame = ended.status < 0 and (-ended.status not in CHOSEN or kills > self._kills)
        self._kills = kills
        seconds = time.monotonic() - ended.started
        log.warning("worker_ended", pid=ended.pid, how=str(ended), after=round(seconds, 1))
        blamed = ended.pid if blame else None
        self._reaper.worker_ended(blamed=blamed, how=f"worker {ended.pid} ended: {ended}")


def out_of_memory_kills() -> int:
    """Count the processes that the kernel killed for want of memory; 0 where it does not say."""
    try:
        lines = Path("/proc/vmstat").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)


def main() -> int:
    """Run the pool as the settings say."""
    try:
        settings = load()
    except MaumauError as error:
        print(f"worker: {error}", file=sys.stderr)
        return 2
    configure(settings)
    if settings.redis_url is None:
        print("worker: needs a queue: set MAUMAU_REDIS_URL, or use `maumau up`", file=sys.stderr)
        return 2
    log.info("pool_started", workers=settings.workers)
    Pool(settings, settings.redis_url).run()
    log.info("pool_stopped")
    return 0


if __name__ == "__main__":
    sys.exit(main())
