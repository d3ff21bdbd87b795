"""Start what was scheduled for a time that has come."""

from __future__ import annotations

from maumau.storage import Database
from maumau.usecases.clock import Clock


def start_due(db: Database, clock: Clock) -> list[str]:
    """Begin the tournaments whose time has come; gives the ids of those that this call began.

    Several processes may do this at once: each tournament begins once.
    """
    now = clock()
    with db.read() as tx:
        due = tx.tournaments.due_starts(now=now)
    if not due:
        return []
    with db.begin() as tx:
        return [one for one in due if tx.tournaments.start(one, now=now)]
