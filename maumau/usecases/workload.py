"""How much is to be done and was done, in numbers: for whoever watches an arena."""

from __future__ import annotations

from dataclasses import dataclass

from maumau.storage import Database
from maumau.tournament.plans import legs_of
from maumau.usecases import workers
from maumau.usecases.clock import Clock

MOST_CHECKS = 10_000
"""Bot versions that wait are counted up to here."""


@dataclass(frozen=True, slots=True)
class Workload:
    """Numbers as of one moment; `faults` holds the host's beside those of bots, by kind."""

    workers: int
    tournaments: dict[str, int]
    chunks: dict[str, int]
    checks_due: int
    games_played: int
    blocks_played: int
    faults: dict[str, int]


def workload(db: Database, clock: Clock) -> Workload:
    """Count it all; chunks are those of tournaments that have not ended, by state."""
    with db.read() as tx:
        played = tx.tournaments.games_by_seats()
        faults = tx.legs.faults_by_kind()
        return Workload(
            workers=workers.crew_in(tx, clock).alive,
            tournaments=tx.tournaments.by_state(),
            chunks=tx.chunks.unfinished_by_state(),
            checks_due=len(tx.bots.due_checks(now=clock(), limit=MOST_CHECKS)),
            games_played=sum(played.values()),
            # Blocks are committed whole: so many games each, whatever the tournament.
            blocks_played=sum(games // legs_of(seats) for seats, games in played.items()),
            faults=faults | {"host": tx.chunks.host_faults()},
        )
