"""Forget what need not be kept: answers to requests that nobody will send again."""

from __future__ import annotations

from datetime import timedelta

from maumau.storage import Database
from maumau.usecases.clock import Clock

ANSWERS_KEPT = timedelta(days=7)


def forget_answers(db: Database, clock: Clock) -> int:
    """Drop answers kept for an `Idempotency-Key` after seven days; gives how many."""
    with db.begin() as tx:
        return tx.answers.forget(before=clock() - ANSWERS_KEPT)
