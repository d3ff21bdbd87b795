"""Keep the standings: workers rank now and then while a tournament runs, and finally at its end."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from maumau.errors import NotFound
from maumau.storage import Database, Transaction
from maumau.storage.values import BlockSum, StoredStandings, Tournament
from maumau.tournament.pairs import crosstable, differences, intransitive
from maumau.tournament.ratings import rate
from maumau.tournament.standings import rank
from maumau.tournament.sums import BlockSums
from maumau.usecases import board
from maumau.usecases.clock import Clock
from maumau.usecases.sums import gather, results_of

LEAST_PAUSE = timedelta(seconds=2)
COST_FACTOR = 20
"""A running tournament is ranked again after at least so many times what ranking took."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What standings are made from, as of one moment."""

    tournament: Tournament
    entrants: int
    line_ups: Mapping[int, Sequence[int]]
    sums: Sequence[BlockSum]
    best: str
    deals: int
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
        basis = basis_of(tx, tournament_id)
    started = clock()
    whole = gather(basis.entrants, basis.tournament.blocks, basis.line_ups, basis.sums)
    document = document_of(basis, whole)
    now = clock()
    cost_ms = (now - started) // timedelta(milliseconds=1)
    with db.begin() as tx:
        tournament = tx.tournaments.lock(tournament_id)
        assert tournament is not None
        final = basis.final and tournament.chunks_done == basis.tournament.chunks_done
        kept = tx.standings.put_standings(
            StoredStandings(
                tournament_id, basis.tournament.chunks_done, final, document, cost_ms, now
            )
        )
        if final and tx.tournaments.finish(tournament_id, now=now):
            tx.tournaments.keep_totals(tournament_id, whole.by_entrant.sum(axis=0).tolist())
    if final and not tournament.open_seed:
        board.refresh(db, clock, tournament.rule_set_id, tournament.seats)
    return kept


def finish_due(db: Database, clock: Clock) -> list[str]:
    """Make the final ranking of every tournament that lacks only that; gives their ids.

    Leaderboards that lack a finished tournament are made anew too.
    """
    with db.read() as tx:
        due = tx.tournaments.unranked()
        boards = tx.standings.stale_leaderboards()
    finished = [one for one in due if refresh(db, clock, one)]
    for rule_set_id, seats in boards:
        board.refresh(db, clock, rule_set_id, seats)
    return finished


def document_of(basis: Basis, whole: BlockSums) -> dict[str, Any]:
    """Rank: a pure function of the sums; the same tournament gives the same document.

    Ratings and comparisons of every pair are made at the end only: they cost the most.
    """
    tournament = basis.tournament
    standings = rank(
        whole,
        best="low" if basis.best == "low" else "high",
        complete=tournament.chunks_done == tournament.chunks_total,
    )
    document: dict[str, Any] = {
        "standings": standings.to_dict(),
        "crosstable": crosstable(whole),
        "ratings": [],
        "differences": [],
        "intransitive": [],
    }
    results = results_of(basis.line_ups, basis.sums)
    if basis.final and results is not None:
        # The commitment is public and a function of the seed.
        rated = rate([results], basis.entrants, seed=tournament.commitment)
        per_game = basis.deals / tournament.games_played
        document["ratings"] = [asdict(one) for one in rated]
        document["differences"] = [asdict(d) for d in differences(whole, deals_per_game=per_game)]
        document["intransitive"] = [list(triple) for triple in intransitive(whole)]
    return document


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


def basis_of(tx: Transaction, tournament_id: str) -> Basis:
    """Gather what was kept as chunks landed."""
    tournament = tx.tournaments.get(tournament_id)
    assert tournament is not None
    stored = tx.rule_sets.get(tournament.rule_set_id)
    assert stored is not None
    return Basis(
        tournament=tournament,
        entrants=len(tx.tournaments.entrants(tournament_id)),
        line_ups=tx.tournaments.line_ups(tournament_id),
        sums=tx.legs.sums(tournament_id),
        best=json.loads(stored.canonical)["game"]["best"],
        deals=tx.legs.deals(tournament_id),
        final=tournament.state != "scheduled" and not tx.tournaments.is_open(tournament_id),
    )
