"""What is to be enqueued, again if need be: the database is the truth, the queue only carries."""

from __future__ import annotations

from maumau.storage import Database
from maumau.usecases.clock import Clock

AT_ONCE = 1000


def due_chunks(
    db: Database, clock: Clock, *, tournament_id: str | None = None, limit: int = AT_ONCE
) -> list[str]:
    """Give the ids of due chunks of running tournaments (or of one), running longest first."""
    with db.read() as tx:
        return tx.chunks.due(limit=limit, tournament_id=tournament_id)


def due_checks(db: Database, clock: Clock, *, limit: int = AT_ONCE) -> list[int]:
    """Give the ids of pending bot versions that nobody is checking, oldest first."""
    with db.read() as tx:
        return tx.bots.due_checks(now=clock(), limit=limit)


def due_standings(db: Database) -> list[str]:
    """Give the ids of tournaments that are played out or cancelled and lack their final ranking."""
    with db.read() as tx:
        return tx.tournaments.unranked()
