"""Start what was scheduled for a time that has come, and schedule its next repetition."""

from __future__ import annotations

from datetime import datetime

import structlog

from maumau.errors import Conflict, InvalidInput
from maumau.storage import Database, Transaction
from maumau.storage.values import Tournament
from maumau.usecases import schedule
from maumau.usecases.clock import Clock, Entropy, system_entropy
from maumau.usecases.repeat import LATE, MADE_UP, Repeat, load_repeat

log = structlog.get_logger(__name__)


def start_due(db: Database, clock: Clock, *, entropy: Entropy = system_entropy) -> list[str]:
    """Begin the tournaments whose time has come; gives the ids of those that this call began.

    Several processes may do this at once: each tournament begins once, and of one that repeats
    the next is scheduled in the same transaction, with a seed of its own from `entropy`.
    """
    now = clock()
    with db.read() as tx:
        due = tx.tournaments.due_starts(now=now)
    begun = []
    for one in due:
        with db.begin() as tx:
            if _begin(tx, one, now, entropy):
                begun.append(one)
    return begun


def _begin(tx: Transaction, tournament_id: str, now: datetime, entropy: Entropy) -> bool:
    found = tx.tournaments.lock(tournament_id)
    if found is None or found.state != "scheduled" or found.start_at is None:
        return False
    if found.start_at > now:
        # Another process was faster, and has put it off.
        return False
    if found.repeat is None:
        return tx.tournaments.start(tournament_id, now=now)
    repeat = load_repeat(found.repeat)
    if repeat.missed == "skip" and now - found.start_at > LATE:
        _put_off(tx, found, repeat, now)
        return False
    schedule.renew_entrants(tx, found, now)
    tx.tournaments.start(tournament_id, now=now)
    # What was missed longer ago than a day is given up: a long absence must not bury the workers.
    oldest = now - MADE_UP if repeat.missed == "all" else now
    after = max(oldest, found.start_at)
    following = repeat.next_after(after)
    if following is not None:
        try:
            schedule.once_more(tx, found, following, now, entropy)
        except (InvalidInput, Conflict) as error:
            # A bot has no accepted version any more; what has begun is played all the same.
            log.warning("series_ended", tournament=tournament_id, reason=str(error))
    return True


def _put_off(tx: Transaction, found: Tournament, repeat: Repeat, now: datetime) -> None:
    """Let a tournament whose time was missed wait for its next one."""
    following = repeat.next_after(now)
    if following is None:
        tx.tournaments.end(found.id, "cancelled", now=now)
        return
    tx.tournaments.put_off(found.id, following)
    log.info("start_missed", tournament=found.id, next_at=following.isoformat())
