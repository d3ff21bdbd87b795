"""Keep the standings: workers rank now and then while a tournament runs, and finally at its end."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from typing import Any

from maumau.errors import NotFound
from maumau.storage import Database, Transaction
from maumau.storage.values import BlockSum, Forfeit, StoredStandings, Tournament
from maumau.tournament.pairs import crosstable, differences, intransitive
from maumau.tournament.ratings import over_blocks, rate
from maumau.tournament.sequential import stops_at
from maumau.tournament.standings import rank
from maumau.tournament.stop_rules import StopRule, load_stop_rule
from maumau.tournament.sums import BlockSums
from maumau.tournament.suspension import suspended
from maumau.usecases import board
from maumau.usecases.clock import Clock
from maumau.usecases.sums import games_of, gather, results_of, total
from maumau.usecases.suspend import played, suspend, with_and_without

LEAST_PAUSE = timedelta(seconds=2)
COST_FACTOR = 20
"""A running tournament is ranked again after at least so many times what ranking took."""
MOST_COST_MS = 60_000

MILESTONES = 12


@dataclass(frozen=True, slots=True)
class Basis:
    """What standings are made from, as of one moment.

    `labels` are the entrants'. `complete` blocks from the first on are played by all their
    line-ups; `ended` is after how many the tournament ends early, None where it does not.
    `suspended` are the entrants that were suspended for faults, each with the number of blocks that
    count for it.
    """

    tournament: Tournament
    labels: Sequence[str]
    line_ups: Mapping[int, Sequence[int]]
    sums: Sequence[BlockSum]
    best: str
    deals: int
    final: bool
    complete: int
    ended: int | None
    forfeits: Sequence[Forfeit]
    suspended: Mapping[int, int]

    @property
    def entrants(self) -> int:
        """How many entrants there are."""
        return len(self.labels)

    @property
    def rule(self) -> StopRule:
        """The stop rule."""
        return load_stop_rule(self.tournament.stop)

    def ends_at(self, whole: BlockSums, *, complete: int) -> int | None:
        """Judge by the stop rule: after how many blocks the tournament ends early."""
        rule = self.rule
        return stops_at(
            whole,
            rule,
            complete=complete,
            suspended=self.suspended,
            pair=rule.pair(self.labels),
        )


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
    while new := _to_suspend(basis):
        with db.begin() as tx:
            locked = tx.tournaments.lock(tournament_id)
            if locked is None or locked.state != "running":
                return False
            suspend(tx, tournament_id, new, basis.sums)
        with db.read() as tx:
            basis = basis_of(tx, tournament_id)
    started = clock()
    whole = gather(basis.entrants, basis.tournament.blocks, basis.line_ups, basis.sums)
    ended = ends_at(basis, whole)
    if ended is not None:
        basis, whole = _cut(db, basis, ended), whole.first_blocks(ended)
    document = document_of(basis, whole)
    now = clock()
    # A clock that jumps meanwhile must not make it cost a day.
    cost_ms = min(max(0, (now - started) // timedelta(milliseconds=1)), MOST_COST_MS)
    with db.begin() as tx:
        tournament = tx.tournaments.lock(tournament_id)
        assert tournament is not None
        if ended is not None:
            if tournament.state != "running":
                return False
            tournament = _discard(tx, basis, ended)
        final = basis.final and (
            ended is not None or tournament.chunks_done == basis.tournament.chunks_done
        )
        done = tournament.chunks_done if ended is not None else basis.tournament.chunks_done
        kept = tx.standings.put_standings(
            StoredStandings(tournament_id, done, final, document, cost_ms, now)
        )
        if final and tx.tournaments.finish(tournament_id, now=now):
            tx.tournaments.keep_totals(tournament_id, whole.by_entrant.sum(axis=0).tolist())
    if final and not tournament.open_seed:
        board.refresh(db, clock, tournament.rule_set_id, tournament.seats)
    return kept


def _to_suspend(basis: Basis) -> dict[int, int]:
    """Judge a running tournament's entrants: whom to suspend that is not, after how many blocks."""
    if basis.tournament.state != "running" or not basis.forfeits:
        return {}
    judged = suspended(
        played(basis.line_ups, basis.sums),
        fault_share=basis.tournament.fault_share,
        complete=basis.complete,
    )
    return {one: blocks for one, blocks in judged.items() if one not in basis.suspended}


def ends_at(basis: Basis, whole: BlockSums) -> int | None:
    """Judge a running tournament by its stop rule: after how many blocks it ends early."""
    if basis.tournament.state != "running":
        return None
    return basis.ends_at(whole, complete=basis.complete)


def _cut(db: Database, basis: Basis, blocks: int) -> Basis:
    """Give what counts if the tournament ends after so many blocks."""
    with db.read() as tx:
        deals = tx.legs.deals(basis.tournament.id, blocks=blocks)
    sums = [one for one in basis.sums if one.block < blocks]
    return replace(
        basis,
        sums=sums,
        deals=deals,
        final=True,
        ended=blocks,
        forfeits=[one for one in basis.forfeits if one.block < blocks],
        suspended={one: after for one, after in basis.suspended.items() if after <= blocks},
    )


def _discard(tx: Transaction, basis: Basis, blocks: int) -> Tournament:
    """Discard what was played after so many blocks; gives the tournament as it is then."""
    tx.discards.end_early(basis.tournament.id, blocks)
    by_match: dict[int, list[BlockSum]] = {number: [] for number in basis.line_ups}
    for one in basis.sums:
        by_match[one.match].append(one)
    for number, own in by_match.items():
        left = total(own)
        tx.discards.set_match(basis.tournament.id, number, games=games_of(left), sums=left)
    tx.discards.count_again(basis.tournament.id)
    tournament = tx.tournaments.get(basis.tournament.id)
    assert tournament is not None
    return tournament


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

    Ratings are made at the end only: they cost the most.
    """
    tournament, repeated = basis.tournament, basis.rule.repeated
    standings = rank(
        whole,
        best="low" if basis.best == "low" else "high",
        complete=basis.ended is not None or tournament.chunks_done == tournament.chunks_total,
        repeated=repeated,
    )
    per_game = basis.deals / standings.games if standings.games else None
    compared = differences(whole, deals_per_game=per_game, repeated=repeated)
    document: dict[str, Any] = {
        "standings": with_and_without(standings, whole, basis.forfeits, basis.suspended),
        "crosstable": crosstable(whole, repeated=repeated),
        "ratings": [],
        "rating_history": {"blocks": [], "ratings": []},
        "differences": [asdict(one) for one in compared],
        "intransitive": [list(one) for one in intransitive(whole, repeated=repeated)],
    }
    results = results_of(basis.line_ups, basis.sums)
    if basis.final and results is not None:
        # The commitment is public and a function of the seed.
        rated = rate([results], basis.entrants, seed=tournament.commitment, repeated=repeated)
        blocks = milestones(1 + max(one.block for one in basis.sums))
        document["ratings"] = [asdict(one) for one in rated]
        document["rating_history"] = {
            "blocks": blocks,
            "ratings": over_blocks([results], basis.entrants, blocks),
        }
    return document


def milestones(blocks: int) -> list[int]:
    """Give the numbers of blocks at which a chart shows ratings: twelve at most, the last too."""
    return sorted({-(-blocks * step // MILESTONES) for step in range(1, MILESTONES + 1)} - {0})


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
        # Standings of a time to come were made before the clock was set back.
        spaced = stored.updated_at <= clock() < stored.updated_at + pause
        return tournament.chunks_done > stored.chunks_done and not spaced
    return True


def basis_of(tx: Transaction, tournament_id: str) -> Basis:
    """Gather what was kept as chunks landed."""
    tournament = tx.tournaments.get(tournament_id)
    assert tournament is not None
    stored = tx.rule_sets.get(tournament.rule_set_id)
    assert stored is not None
    entrants = tx.tournaments.entrants(tournament_id)
    return Basis(
        tournament=tournament,
        labels=[one.label for one in entrants],
        line_ups=tx.tournaments.line_ups(tournament_id),
        sums=tx.legs.sums(tournament_id),
        best=json.loads(stored.canonical)["game"]["best"],
        deals=tx.legs.deals(tournament_id, blocks=tournament.blocks),
        final=tournament.state != "scheduled" and not tx.tournaments.is_open(tournament_id),
        complete=tx.chunks.complete_blocks(tournament_id, tournament.blocks),
        ended=tournament.ended_blocks,
        forfeits=tx.legs.forfeits(tournament_id),
        suspended={
            one.number: one.suspended_after for one in entrants if one.suspended_after is not None
        },
    )
