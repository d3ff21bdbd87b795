"""A tournament's rows made by hand, for tests of what is kept."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from maumau.storage import Database, Transaction
from maumau.storage.values import (
    BotVersion,
    Claim,
    Entrant,
    Leg,
    Match,
    NewChunk,
    NewVersion,
    Tournament,
)

NOW = datetime(2026, 1, 2, 3, 4, 5, 678901, UTC)


def tournament(db: Database, name: str, *, chunks: int, **change: Any) -> Tournament:
    """Keep a running tournament of two entrants whose chunks have one block of one game each."""
    with db.begin() as tx:
        owner = tx.accounts.by_name("ann") or tx.accounts.create("ann", "author", now=NOW)
        tx.rule_sets.put("0" * 64, "{}", name="none", account_id=owner.id, now=NOW)
        given: dict[str, Any] = {
            "id": name,
            "name": "",
            "owner": owner.name,
            "owner_id": owner.id,
            "state": "running",
            "rule_set_id": "0" * 64,
            "rules_name": "none",
            "seats": 2,
            "blocks": chunks,
            "line_ups": "all",
            "limits": {},
            "seed": "s",
            "commitment": "0" * 64,
            "open_seed": True,
            "created_at": NOW,
            "start_at": None,
            "started_at": NOW,
            "ended_at": None,
            "games_total": chunks,
            "games_played": 0,
            "chunks_total": chunks,
            "chunks_done": 0,
        }
        made = Tournament(**(given | change))
        versions = [version(tx, owner.id, bot) for bot in ("aa", "bb")]
        entrants = [Entrant(i, one.id, one.label, one.sha256) for i, one in enumerate(versions)]
        tx.tournaments.add(made, entrants, [Match(name, 0, (0, 1), chunks, 0, ())])
        tx.chunks.add(name, [NewChunk(i, 0, i, 1) for i in range(chunks)])
    return made


def version(tx: Transaction, account_id: int, name: str) -> BotVersion:
    """Give an accepted version of a bot."""
    bot = tx.bots.claim_name(name, account_id, now=NOW)
    found = tx.bots.latest(bot.id, "accepted")
    new = NewVersion(name * 32, "plugin", "", "", 0, "accepted", NOW)
    return found or tx.bots.add_version(bot.id, new)


def played(claim: Claim) -> Leg:
    """Give the one game of a claimed chunk."""
    chunk = claim.chunk
    return Leg(
        tournament_id=chunk.tournament_id,
        match=0,
        block=chunk.first_block,
        leg=0,
        seating=(0, 1),
        totals=(0, 1),
        ranks=(1, 2),
        deals=1,
        fault=None,
        record=claim.worker.encode(),
    )


def commit(db: Database, claim: Claim) -> bool:
    """Commit a claimed chunk with its game, as a worker does."""
    with db.begin() as tx:
        locked = tx.tournaments.lock(claim.chunk.tournament_id)
        if locked is None or locked.state != "running":
            return False
        if not tx.chunks.finish(claim, host_faults=0):
            return False
        tx.legs.add([played(claim)])
        tx.tournaments.add_to_match(claim.chunk.tournament_id, 0, games=1, sums=(1, 2))
        tx.tournaments.progress(claim.chunk.tournament_id, games=1)
    return True
