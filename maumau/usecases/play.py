"""Play a chunk: claimed by one worker, played in the arena, committed once by its key.

The commit is one transaction: the chunk turns to done, and its legs, faults, sums and the progress
are there. It holds only while the worker's claim does, so a chunk that was taken away (its worker
was thought dead) is committed by whoever played it next, and a late commit changes nothing.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import structlog

from maumau.arena import play as arena
from maumau.arena.limits import load_limits
from maumau.arena.play import BlockJob, ChunkJob, ChunkResult, LegResult
from maumau.bots.source import BotSource
from maumau.errors import MaumauError, Unavailable
from maumau.rules.ruleset import RuleSet
from maumau.settings import Uploads
from maumau.storage import Database, ids
from maumau.storage.values import BotVersion, Claim, Entrant, Fault, Leg, Match, Tournament
from maumau.tournament import seeds
from maumau.tournament.formats import plan
from maumau.tournament.plans import legs_of
from maumau.usecases import rank
from maumau.usecases.clock import Clock
from maumau.usecases.read.games import rules_of
from maumau.usecases.sources import source_of
from maumau.usecases.sums import sums_of, total

LEASE = timedelta(seconds=30)
COMMIT_PAUSE = 1.0
"""Seconds between two tries to commit to a database that is out of reach."""

log = structlog.get_logger(__name__)

Play = Callable[..., ChunkResult]


class ClaimLost(Exception):
    """Somebody else has the chunk now, or the tournament has ended."""


@dataclass(frozen=True, slots=True)
class Work:
    """A claimed chunk with all that its play needs."""

    claim: Claim
    tournament: Tournament
    match: Match
    entrants: tuple[Entrant, ...]
    versions: tuple[BotVersion, ...]
    rules: RuleSet


def play_chunk(
    db: Database,
    clock: Clock,
    chunk_id: str,
    worker: str,
    *,
    files: Path,
    uploads: Uploads = "sandbox",
    lease: timedelta = LEASE,
    play: Play = arena.play_chunk,
    wait: Callable[[float], object] = time.sleep,
) -> bool:
    """Claim a chunk, play it and commit it; True if it was this call that committed it.

    `files` is a directory for copies of submitted files, `lease` how long the claim holds without
    a sign of life, `wait` is called with seconds before a commit is tried again. Raises
    `Unavailable` where the chunk cannot be played here; it is due again then.
    """
    work = claim(db, clock, chunk_id, worker, lease=lease)
    if work is None:
        return False
    chunk = work.claim.chunk
    last = chunk.first_block + chunk.blocks - 1
    with structlog.contextvars.bound_contextvars(
        chunk=chunk.id, blocks=f"{chunk.first_block}-{last}", attempt=work.claim.attempt
    ):
        return _play(db, clock, work, worker, files, uploads, lease, play, wait)


def _play(
    db: Database,
    clock: Clock,
    work: Work,
    worker: str,
    files: Path,
    uploads: Uploads,
    lease: timedelta,
    play: Play,
    wait: Callable[[float], object],
) -> bool:
    began = clock()
    try:
        sources = tuple(source_of(db, version, files) for version in work.versions)
        job = job_of(work, sources)
        result = play(job, uploads=uploads, alive=_Heartbeat(db, clock, work.claim, lease))
    except ClaimLost:
        log.warning("claim_lost")
        return False
    except Unavailable as error:
        _give_back(db, work.claim, str(error), blame=False)
        raise
    except (KeyboardInterrupt, SystemExit):
        _give_back(db, work.claim, f"worker {worker} was told to end", blame=False)
        raise
    except Exception:
        _give_back(db, work.claim, traceback.format_exc(), blame=True)
        raise
    committed = _commit_patiently(db, work, result, wait)
    log.info(
        "chunk_played",
        games=len(result.legs),
        faults=sum(leg.fault is not None for leg in result.legs),
        host_faults=result.host_faults,
        ms=round((clock() - began).total_seconds() * 1000),
        committed=committed,
    )
    if committed:
        rank.refresh(db, clock, work.tournament.id)
    return committed


def claim(
    db: Database, clock: Clock, chunk_id: str, worker: str, *, lease: timedelta = LEASE
) -> Work | None:
    """Take a due chunk of a running tournament; None if it is not to be had."""
    tournament_id, number = ids.chunk_place(chunk_id)
    with db.begin() as tx:
        taken = tx.chunks.claim(tournament_id, number, worker, until=clock() + lease)
        if taken is None:
            return None
        tournament = tx.tournaments.get(tournament_id)
        match = tx.tournaments.match(tournament_id, taken.chunk.match)
        assert tournament is not None
        assert match is not None
        entrants = tx.tournaments.entrants(tournament_id)
        ours = tuple(entrants[number] for number in match.line_up)
        versions = tx.bots.many([one.bot_version_id for one in ours])
        return Work(
            claim=taken,
            tournament=tournament,
            match=match,
            entrants=entrants,
            versions=tuple(versions[one.bot_version_id] for one in ours),
            rules=rules_of(tx, tournament_id),
        )


def heartbeat(db: Database, clock: Clock, held: Claim, *, lease: timedelta = LEASE) -> bool:
    """Show a sign of life; False if the claim is lost or the tournament was cancelled."""
    with db.begin() as tx:
        tournament = tx.tournaments.get(held.chunk.tournament_id)
        if tournament is None or tournament.state != "running":
            return False
        return tx.chunks.extend(held, until=clock() + lease)


def commit(db: Database, work: Work, result: ChunkResult) -> bool:
    """Keep a played chunk; False, and nothing changed, if the claim does not hold any more."""
    tournament_id, chunk = work.tournament.id, work.claim.chunk
    legs = [_leg(work, leg) for leg in result.legs]
    sums = sums_of(work.match.line_up, legs)
    with db.begin() as tx:
        # Locked first, always: chunks of one tournament are committed one after the other.
        tournament = tx.tournaments.lock(tournament_id)
        if tournament is None or tournament.state != "running":
            tx.chunks.give_back(work.claim, log="the tournament has ended")
            return False
        if not tx.chunks.finish(
            work.claim, host_faults=result.host_faults, runtimes=result.runtimes
        ):
            return False
        _check_whole(work, result)
        tx.legs.add(legs)
        tx.legs.add_sums(tournament_id, sums)
        tx.tournaments.add_to_match(tournament_id, chunk.match, games=len(legs), sums=total(sums))
        tx.tournaments.progress(tournament_id, games=len(legs))
        return True


class _Heartbeat:
    """Keeps a claim alive while the arena plays; raises `ClaimLost` to end the play."""

    def __init__(self, db: Database, clock: Clock, held: Claim, lease: timedelta):
        self._db, self._clock, self._held, self._lease = db, clock, held, lease
        self._last = clock()

    def __call__(self) -> None:
        now = self._clock()
        # A clock that was set back must not silence it.
        if self._last <= now < self._last + self._lease / 3:
            return
        self._last = now
        try:
            held = heartbeat(self._db, self._clock, self._held, lease=self._lease)
        except Unavailable:
            # The database is away: play on, and see at the commit.
            return
        if not held:
            raise ClaimLost


def job_of(work: Work, sources: tuple[BotSource, ...]) -> ChunkJob:
    """Give the arena its part of the plan; entrants are places in the line-up there."""
    tournament, chunk = work.tournament, work.claim.chunk
    planned = plan(
        len(work.entrants),
        seats=tournament.seats,
        blocks=tournament.blocks,
        line_ups=tournament.line_ups,
    )
    place = {entrant: i for i, entrant in enumerate(work.match.line_up)}
    blocks = range(chunk.first_block, chunk.first_block + chunk.blocks)
    return ChunkJob(
        rules=work.rules,
        sources=sources,
        names=tuple(work.entrants[number].label for number in work.match.line_up),
        blocks=tuple(
            BlockJob(
                block=block,
                seed=seeds.block_seed(tournament.seed, block),
                seatings=tuple(
                    tuple(place[entrant] for entrant in seating)
                    for seating in planned.seatings(chunk.match, block)
                ),
            )
            for block in blocks
        ),
        limits=load_limits(tournament.limits),
    )


def _leg(work: Work, result: LegResult) -> Leg:
    seating = tuple(work.match.line_up[place] for place in result.seating)
    fault = None
    if result.fault is not None:
        fault = Fault(
            entrant=seating[result.fault.seat],
            seat=result.fault.seat,
            kind=result.fault.kind,
            detail=result.fault.detail,
            deal=result.fault.deal,
            action=result.fault.action,
            seen=result.fault.seen,
            log=result.fault.log,
        )
    return Leg(
        tournament_id=work.tournament.id,
        match=work.match.number,
        block=result.block,
        leg=result.leg,
        seating=seating,
        totals=tuple(result.totals),
        ranks=tuple(result.ranks),
        deals=result.deals,
        fault=fault,
        record=result.record,
    )


def _check_whole(work: Work, result: ChunkResult) -> None:
    """A chunk is committed whole: every leg of every block, none twice."""
    chunk = work.claim.chunk
    blocks = {leg.block for leg in result.legs}
    places = {(leg.block, leg.leg) for leg in result.legs}
    planned = set(range(chunk.first_block, chunk.first_block + chunk.blocks))
    games = chunk.blocks * legs_of(work.tournament.seats)
    if blocks != planned or not len(places) == len(result.legs) == games:
        raise MaumauError(f"chunk {chunk.id}: the arena did not give all of its games")


def _commit_patiently(
    db: Database, work: Work, result: ChunkResult, wait: Callable[[float], object]
) -> bool:
    """Commit, however long the database is out of reach: what was played is not thrown away."""
    while True:
        try:
            return commit(db, work, result)
        except Unavailable:
            wait(COMMIT_PAUSE)


def _give_back(db: Database, held: Claim, log: str, *, blame: bool) -> None:
    with db.begin() as tx:
        if blame:
            tx.chunks.blame(held, log=log)
        else:
            tx.chunks.give_back(held, log=log)
