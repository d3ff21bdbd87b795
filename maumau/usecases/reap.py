"""Return what dead workers left behind."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from maumau.storage import Database
from maumau.storage.values import Chunk
from maumau.usecases.check_bot import LEASE as CHECK_LEASE
from maumau.usecases.clock import Clock

Mark = TypeVar("Mark", bound=Hashable)


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
    set back: a claim that has not changed for `seconds` while this looked on is taken back too,
    be it on a chunk or on a check.
    """

    def __init__(self, timer: Callable[[], float], seconds: float):
        """`timer` gives seconds that only go forward; a check has at least its own lease."""
        self._timer = timer
        self._chunks = _Silence(seconds)
        self._checks = _Silence(max(seconds, CHECK_LEASE.total_seconds()))

    def look(self, db: Database) -> Reaped:
        """Compare all claims with those of the looks before, and take back the silent ones."""
        now = self._timer()
        with db.read() as tx:
            chunks = {(one.id, one.attempts, one.lease_until): one for one in tx.chunks.claimed()}
            checks = tx.bots.checking()
        silent = [chunks[mark] for mark in self._chunks.among(chunks, now)]
        unheard = self._checks.among(checks, now)
        if not silent and not unheard:
            return Reaped((), (), ())
        with db.begin() as tx:
            return _reaped(tx.chunks.take_back(silent), tx.bots.take_back_checks(unheard))


class _Silence:
    """What has been seen unchanged for so many seconds."""

    def __init__(self, seconds: float):
        self._seconds = seconds
        self._since: dict[Hashable, float] = {}

    def among(self, seen: Iterable[Mark], now: float) -> list[Mark]:
        """Give those of `seen` that every look showed since `seconds` ago."""
        marks = list(seen)
        self._since = {mark: self._since.get(mark, now) for mark in marks}
        return [mark for mark in marks if now - self._since[mark] >= self._seconds]


def _reaped(chunks: list[Chunk], checks: list[int]) -> Reaped:
    return Reaped(
        chunks=tuple(chunk.id for chunk in chunks if chunk.state == "due"),
        checks=tuple(checks),
        stuck=tuple(chunk.id for chunk in chunks if chunk.state == "stuck"),
    )
