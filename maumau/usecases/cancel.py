"""Cancel a tournament: what was played stays and is reported as incomplete."""

from __future__ import annotations

from maumau.errors import Conflict, NotFound
from maumau.storage import Account, Database
from maumau.storage.values import Tournament
from maumau.usecases import access
from maumau.usecases.clock import Clock


def cancel(db: Database, clock: Clock, account: Account, tournament_id: str) -> Tournament:
    """Cancel a scheduled or running tournament; its owner or an admin only.

    A chunk that is being played meanwhile is thrown away. Raises `Conflict` (`has_ended`).
    """
    with db.begin() as tx:
        found = tx.tournaments.lock(tournament_id)
        if found is None:
            raise NotFound("tournament", tournament_id)
        access.owner_or_admin(account, found.owner_id, "cancel this tournament")
        if not tx.tournaments.end(tournament_id, "cancelled", now=clock()):
            raise Conflict("has_ended", f"the tournament has ended: it is {found.state}")
        changed = tx.tournaments.get(tournament_id)
        assert changed is not None
        return changed
