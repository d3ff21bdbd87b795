"""What is to be enqueued, again if need be: the database is the truth, the queue only carries."""

from __future__ import annotations

from maumau.storage import Database
from maumau.usecases.clock import Clock

AT_ONCE = 1000


def due_chunks(db: Database, clock: Clock, *, limit: int = AT_ONCE) -> list[str]:
    """Give the ids of due chunks of running tournaments, those running longest first."""
    with db.read() as tx:
        return tx.chunks.due(limit=limit)


def due_checks(db: Database, clock: Clock, *, limit: int = AT_ONCE) -> list[int]:
    """Give the ids of pending bot versions that nobody is checking, oldest first."""
    with db.read() as tx:
        return tx.bots.due_checks(now=clock(), limit=limit)


def due_standings(db: Database) -> list[str]:
    """Give the ids of running tournaments that are played out and only need their final ranking."""
    with db.read() as tx:
        return tx.tournaments.played_out()
