"""Return what dead workers left behind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from maumau.storage import Database
from maumau.storage.values import Chunk
from maumau.usecases.clock import Clock


@dataclass(frozen=True, slots=True)
class Reaped:
    """What is due again (ids), and the chunks that were set aside as stuck."""

    chunks: tuple[str, ...]
    checks: tuple[int, ...]
    stuck: tuple[str, ...]


def holders(db: Database) -> list[str]:
    """Give the names of all workers that hold a chunk or a check now."""
    with db.read() as tx:
        return sorted({*tx.chunks.holders(), *tx.bots.check_holders()})


def release(
    db: Database, clock: Clock, worker: str, *, blame: bool = True, log: str = ""
) -> Reaped:
    """Return what a worker held that is known to be gone.

    `blame` says whether its death counts against the chunk (a supervisor or operator who ended the
    worker is no reason to); a chunk that so many workers died over is set aside. `log` is kept
    with it.
    """
    with db.begin() as tx:
        chunks = tx.chunks.release(worker, blame=blame, log=log or f"worker {worker} ended")
        return _reaped(chunks, tx.bots.release_checks(worker, blame=blame))


def expire(db: Database, clock: Clock) -> Reaped:
    """Return the chunks of workers that have shown no sign of life in time, on whatever host.

    Nobody saw them die, so it counts against no chunk: only deaths that were seen do (`release`).
    """
    now = clock()
    with db.begin() as tx:
        return _reaped(tx.chunks.expire(now=now), [])


class Watch:
    """Finds claims without signs of life by a timer of its own, whatever the clocks say.

    A worker whose clock was ahead leaves leases that run far into the future, and a clock may be
    set back: a claim that has not changed for `seconds` while this looked on is taken back too.
    """

    def __init__(self, timer: Callable[[], float], seconds: float):
        """`timer` gives seconds that only go forward."""
        self._timer, self._seconds = timer, seconds
        self._seen: dict[str, tuple[tuple[int, datetime | None], float]] = {}

    def look(self, db: Database) -> Reaped:
        """Compare all claims with those of the looks before, and take back the silent ones."""
        now = self._timer()
        with db.read() as tx:
            claims = tx.chunks.claimed()
        seen, silent = {}, []
        for one in claims:
            mark = (one.attempts, one.lease_until)
            before = self._seen.get(one.id)
            since = before[1] if before is not None and before[0] == mark else now
            seen[one.id] = (mark, since)
            if now - since >= self._seconds:
                silent.append(one)
        self._seen = seen
        if not silent:
            return Reaped((), (), ())
        with db.begin() as tx:
            return _reaped(tx.chunks.take_back(silent), [])


def _reaped(chunks: list[Chunk], checks: list[int]) -> Reaped:
    return Reaped(
        chunks=tuple(chunk.id for chunk in chunks if chunk.state == "due"),
        checks=tuple(checks),
        stuck=tuple(chunk.id for chunk in chunks if chunk.state == "stuck"),
    )
