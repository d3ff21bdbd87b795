"""Try stuck chunks again: for an operator who has mended what ended the workers."""

from __future__ import annotations

from maumau.errors import Conflict
from maumau.storage import Account, Database
from maumau.usecases import access
from maumau.usecases.clock import Clock
from maumau.usecases.read.tournaments import found_tournament


def retry_stuck(
    db: Database, clock: Clock, account: Account, tournament_id: str
) -> tuple[str, ...]:
    """Make the stuck chunks of a tournament due again; admins only. Gives their ids.

    A tournament that has finished without them runs again. Raises `Conflict` (`nothing_stuck`,
    `has_ended` for a cancelled one).
    """
    access.admin(account, "try stuck chunks again")
    with db.begin() as tx:
        found_tournament(tx, tournament_id)
        locked = tx.tournaments.lock(tournament_id)
        assert locked is not None
        if locked.state == "cancelled":
            raise Conflict("has_ended", "the tournament was cancelled")
        again = tx.chunks.retry(tournament_id)
        if not again:
            raise Conflict("nothing_stuck", "no chunk of this tournament is stuck")
        if locked.state == "finished":
            tx.tournaments.reopen(tournament_id)
            tx.standings.reopen(tournament_id)
            if not locked.open_seed:
                tx.rule_sets.lock(locked.rule_set_id)
                tx.standings.forget_leaderboard_sum(locked.rule_set_id, locked.seats)
    return tuple(chunk.id for chunk in again)
