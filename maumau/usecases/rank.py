"""Keep the standings: workers rank now and then while a tournament runs, and finally at its end."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from maumau.errors import NotFound
from maumau.storage import Database, Transaction
from maumau.storage.values import StoredStandings, Tournament
from maumau.tournament.standings import crosstable, rank
from maumau.tournament.sums import BlockSums
from maumau.usecases import board
from maumau.usecases.clock import Clock
from maumau.usecases.sums import gather

LEAST_PAUSE = timedelta(seconds=2)
COST_FACTOR = 20
"""A running tournament is ranked again after at least so many times what ranking took."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What standings are made from, as of one moment."""

    tournament: Tournament
    sums: BlockSums
    best: str
    final: bool


def refresh(db: Database, clock: Clock, tournament_id: str) -> bool:
    """Rank a tournament if it is time to; the last ranking ends it. True if there was a new one.

    Whoever calls this after each committed chunk keeps the standings: while chunks are open the
    ranking is spaced out, once all are done (or stuck) it is made at once and the tournament is
    finished.
    """
    with db.read() as tx:
        if not _is_time(tx, clock, tournament_id):
            return False
        basis = _basis(tx, tournament_id)
    started = clock()
    document = document_of(basis)
    now = clock()
    cost_ms = (now - started) // timedelta(milliseconds=1)
    with db.begin() as tx:
        tournament = tx.tournaments.lock(tournament_id)
        assert tournament is not None
        final = basis.final and tournament.chunks_done == basis.tournament.chunks_done
        new = StoredStandings(
            tournament_id, basis.tournament.chunks_done, final, document, cost_ms, now
        )
        kept = tx.standings.put_standings(new)
        if final and tournament.state == "running":
            tx.tournaments.end(tournament_id, "finished", now=now)
            board.count(tx, clock, tournament, basis.sums)
        return kept


def finish_due(db: Database, clock: Clock) -> list[str]:
    """Make the final ranking of every tournament that lacks only that; gives their ids."""
    with db.read() as tx:
        due = tx.tournaments.unranked()
    return [one for one in due if refresh(db, clock, one)]


def document_of(basis: Basis) -> dict[str, Any]:
    """Rank: a pure function of the sums; the same tournament gives the same document."""
    tournament = basis.tournament
    standings = rank(
        basis.sums,
        best="low" if basis.best == "low" else "high",
        complete=tournament.chunks_done == tournament.chunks_total,
    )
    return {"standings": standings.to_dict(), "crosstable": crosstable(basis.sums)}


def _is_time(tx: Transaction, clock: Clock, tournament_id: str) -> bool:
    tournament = tx.tournaments.get(tournament_id)
    if tournament is None:
        raise NotFound("tournament", tournament_id)
    stored = tx.standings.standings(tournament_id)
    if stored is None:
        return True
    if stored.final or tournament.state == "scheduled":
        return False
    if tx.tournaments.is_open(tournament_id):
        pause = max(LEAST_PAUSE, COST_FACTOR * timedelta(milliseconds=stored.cost_ms))
        return tournament.chunks_done > stored.chunks_done and clock() >= stored.updated_at + pause
    return True


def _basis(tx: Transaction, tournament_id: str) -> Basis:
    tournament = tx.tournaments.get(tournament_id)
    assert tournament is not None
    stored = tx.rule_sets.get(tournament.rule_set_id)
    assert stored is not None
    return Basis(
        tournament=tournament,
        sums=stored_sums(tx, tournament),
        best=json.loads(stored.canonical)["game"]["best"],
        final=tournament.state != "scheduled" and not tx.tournaments.is_open(tournament_id),
    )


def stored_sums(tx: Transaction, tournament: Tournament) -> BlockSums:
    """Gather the sums that were kept as chunks landed."""
    line_ups = {m.number: m.line_up for m in tx.tournaments.all_matches(tournament.id)}
    entrants = len(tx.tournaments.entrants(tournament.id))
    return gather(entrants, tournament.blocks, line_ups, tx.legs.sums(tournament.id))
