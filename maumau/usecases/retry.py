"""Stuck chunks: see why, and try them again, for an operator who has mended what ended workers."""

from __future__ import annotations

from dataclasses import dataclass

from maumau.errors import Conflict
from maumau.storage import Account, Database
from maumau.usecases import access
from maumau.usecases.clock import Clock
from maumau.usecases.read.tournaments import found_tournament


@dataclass(frozen=True, slots=True)
class StuckView:
    """A chunk that was set aside: which blocks, how often it was tried, and what was seen last."""

    chunk: str
    first_block: int
    blocks: int
    attempts: int
    deaths: int
    log: str


def stuck(db: Database, account: Account, tournament_id: str) -> tuple[StuckView, ...]:
    """Show the chunks of a tournament in whose hands too many workers died; admins only."""
    access.admin(account, "see stuck chunks")
    with db.read() as tx:
        found_tournament(tx, tournament_id)
        return tuple(
            StuckView(one.id, one.first_block, one.blocks, one.attempts, one.deaths, one.log)
            for one in tx.chunks.stuck(tournament_id)
        )


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
