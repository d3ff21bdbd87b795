"""Forget what need not be kept: answers to requests that nobody will send again."""

from __future__ import annotations

from datetime import timedelta

from maumau.storage import Database
from maumau.usecases.clock import Clock

ANSWERS_KEPT = timedelta(days=1)


def forget_answers(db: Database, clock: Clock) -> int:
    """Drop the kept answers of requests with an `Idempotency-Key` after a day; gives how many."""
    with db.begin() as tx:
        return tx.answers.forget(before=clock() - ANSWERS_KEPT)
