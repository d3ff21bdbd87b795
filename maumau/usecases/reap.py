"""Return what dead workers left behind."""

from __future__ import annotations

from dataclasses import dataclass

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


def _reaped(chunks: list[Chunk], checks: list[int]) -> Reaped:
    return Reaped(
        chunks=tuple(chunk.id for chunk in chunks if chunk.state == "due"),
        checks=tuple(checks),
        stuck=tuple(chunk.id for chunk in chunks if chunk.state == "stuck"),
    )
