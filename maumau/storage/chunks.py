"""Chunks: claimed by one worker at a time, committed once.

A claim is the pair of worker and attempt. Every claim raises the attempt, so a worker whose claim
was taken away cannot commit, however late it comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, case, exists, func, select

from maumau.storage.dialects import insert_many
from maumau.storage.schema import chunk, tournament
from maumau.storage.values import Chunk, ChunkCounts, Claim, NewChunk

# A chunk in whose hands so many workers died is set aside.
DEATHS_TO_STUCK = 3


class Chunks:
    """The chunks, in one transaction."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def add(self, tournament_id: str, chunks: Sequence[NewChunk]) -> None:
        """Keep the chunks of a plan, all due."""
        insert_many(
            self._connection,
            chunk,
            [
                {
                    "tournament_id": tournament_id,
                    "number": one.number,
                    "match": one.match,
                    "first_block": one.first_block,
                    "blocks": one.blocks,
                    "state": "due",
                    "attempts": 0,
                    "host_faults": 0,
                    "deaths": 0,
                    "log": "",
                }
                for one in chunks
            ],
        )

    def get(self, tournament_id: str, number: int) -> Chunk | None:
        """Find a chunk by its place."""
        row = self._connection.execute(
            select(chunk).where(chunk.c.tournament_id == tournament_id, chunk.c.number == number)
        ).first()
        return _chunk(row) if row else None

    def due(self, *, limit: int, tournament_id: str | None = None) -> list[str]:
        """Give the ids of due chunks of running tournaments, the longest running first."""
        query = (
            select(chunk.c.tournament_id, chunk.c.number)
            .join(tournament, tournament.c.id == chunk.c.tournament_id)
            .where(chunk.c.state == "due", tournament.c.state == "running")
            .order_by(tournament.c.started_at, chunk.c.tournament_id, chunk.c.number)
            .limit(limit)
        )
        if tournament_id is not None:
            query = query.where(tournament.c.id == tournament_id)
        return [f"{row.tournament_id}-{row.number}" for row in self._connection.execute(query)]

    def claim(
        self, tournament_id: str, number: int, worker: str, *, until: datetime
    ) -> Claim | None:
        """Take a due chunk of a running tournament; None if it is not to be had."""
        running = exists().where(tournament.c.id == tournament_id, tournament.c.state == "running")
        row = self._connection.execute(
            chunk.update()
            .where(
                chunk.c.tournament_id == tournament_id,
                chunk.c.number == number,
                chunk.c.state == "due",
                running,
            )
            .values(
                state="claimed",
                claimed_by=worker,
                lease_until=until,
                attempts=chunk.c.attempts + 1,
            )
            .returning(chunk)
        ).first()
        if row is None:
            return None
        taken = _chunk(row)
        return Claim(taken, worker, taken.attempts)

    def extend(self, claim: Claim, *, until: datetime) -> bool:
        """Show a sign of life; False if the claim is lost."""
        changed = self._connection.execute(
            chunk.update().where(_held(claim)).values(lease_until=until)
        )
        return changed.rowcount == 1

    def finish(self, claim: Claim, *, host_faults: int, runtimes: Sequence[str] = ()) -> bool:
        """Turn a claimed chunk to done; False if the claim is lost.

        `runtimes` is what each entrant of the line-up ran on.
        """
        changed = self._connection.execute(
            chunk.update()
            .where(_held(claim))
            .values(
                state="done",
                claimed_by=None,
                lease_until=None,
                host_faults=chunk.c.host_faults + host_faults,
                runtimes=list(runtimes),
            )
        )
        return changed.rowcount == 1

    def runtimes(self, tournament_id: str, match: int, block: int) -> list[str]:
        """Give what the entrants of a match ran on in a block; empty where that was not kept."""
        query = select(chunk.c.runtimes).where(
            chunk.c.tournament_id == tournament_id,
            chunk.c.match == match,
            chunk.c.first_block <= block,
            chunk.c.first_block + chunk.c.blocks > block,
        )
        return list(self._connection.execute(query).scalar() or [])

    def give_back(self, claim: Claim, *, log: str = "", host_faults: int = 0) -> bool:
        """Return a chunk that cannot be played here now, without blame; False if it was lost."""
        changed = self._connection.execute(
            chunk.update()
            .where(_held(claim))
            .values(
                state="due",
                claimed_by=None,
                lease_until=None,
                host_faults=chunk.c.host_faults + host_faults,
                log=log,
            )
        )
        return changed.rowcount == 1

    def blame(self, claim: Claim, *, log: str) -> bool:
        """Return a chunk whose play failed, as if its worker had died; False if it was lost."""
        return bool(self._release(_held(claim), blame=True, log=log))

    def holders(self) -> list[str]:
        """Give the names of the workers that hold chunks."""
        query = select(chunk.c.claimed_by).where(chunk.c.claimed_by.is_not(None)).distinct()
        return list(self._connection.execute(query).scalars())

    def release(self, worker: str, *, blame: bool, log: str) -> list[Chunk]:
        """Take back what a dead worker held; with `blame` its death counts against the chunk."""
        return self._release(chunk.c.claimed_by == worker, blame=blame, log=log)

    def expire(self, *, now: datetime) -> list[Chunk]:
        """Take back every chunk whose worker has shown no sign of life in time, without blame.

        Nobody saw that worker die: it may be held, cut off, or live by another clock.
        """
        return self._release(
            chunk.c.lease_until < now, blame=False, log="no sign of life from the worker"
        )

    def claimed(self) -> list[Chunk]:
        """Give all chunks that somebody holds."""
        query = select(chunk).where(chunk.c.state == "claimed")
        return [_chunk(row) for row in self._connection.execute(query)]

    def take_back(self, silent: Sequence[Chunk]) -> list[Chunk]:
        """Take back claims that have not changed since they were read, without blame."""
        taken: list[Chunk] = []
        for one in silent:
            unchanged = (
                (chunk.c.tournament_id == one.tournament_id)
                & (chunk.c.number == one.number)
                & (chunk.c.attempts == one.attempts)
                & (chunk.c.lease_until == one.lease_until)
            )
            taken += self._release(unchanged, blame=False, log="no sign of life from the worker")
        return taken

    def release_all(self) -> None:
        """Take back every claim, nobody to blame: the workers are those of another database."""
        self._connection.execute(
            chunk.update()
            .where(chunk.c.state == "claimed")
            .values(state="due", claimed_by=None, lease_until=None)
        )

    def _release(self, whose: ColumnElement[bool], *, blame: bool, log: str) -> list[Chunk]:
        deaths = chunk.c.deaths + int(blame)
        rows = self._connection.execute(
            chunk.update()
            .where(chunk.c.state == "claimed", whose)
            .values(
                state=case((deaths >= DEATHS_TO_STUCK, "stuck"), else_="due"),
                deaths=deaths,
                claimed_by=None,
                lease_until=None,
                log=log,
            )
            .returning(chunk)
        )
        return sorted((_chunk(row) for row in rows), key=lambda c: (c.tournament_id, c.number))

    def retry(self, tournament_id: str) -> list[Chunk]:
        """Make the stuck chunks of a tournament due again, their deaths forgotten."""
        rows = self._connection.execute(
            chunk.update()
            .where(chunk.c.tournament_id == tournament_id, chunk.c.state == "stuck")
            .values(state="due", deaths=0)
            .returning(chunk)
        )
        return sorted((_chunk(row) for row in rows), key=lambda c: c.number)

    def counts(self, tournament_id: str) -> ChunkCounts:
        """Count a tournament's chunks by state."""
        return self.counts_of([tournament_id])[tournament_id]

    def counts_of(self, tournament_ids: Sequence[str]) -> dict[str, ChunkCounts]:
        """Count the chunks of these tournaments by state."""
        query = (
            select(chunk.c.tournament_id, chunk.c.state, func.count())
            .where(chunk.c.tournament_id.in_(tournament_ids))
            .group_by(chunk.c.tournament_id, chunk.c.state)
        )
        found: dict[str, dict[str, int]] = {one: {} for one in tournament_ids}
        for tournament_id, state, count in self._connection.execute(query):
            found[tournament_id][state] = count
        return {one: ChunkCounts(**counts) for one, counts in found.items()}

    def unfinished_by_state(self) -> dict[str, int]:
        """Count the chunks of tournaments that have not ended, by state; stuck ones of all."""
        ended = tournament.c.state.in_(("finished", "cancelled"))
        query = (
            select(chunk.c.state, func.count())
            .join(tournament, tournament.c.id == chunk.c.tournament_id)
            .where(~ended | (chunk.c.state == "stuck"))
            .group_by(chunk.c.state)
        )
        none = dict.fromkeys(("due", "claimed", "done", "stuck"), 0)
        return none | {row[0]: row[1] for row in self._connection.execute(query)}

    def host_faults(self) -> int:
        """Count what the hosts did to games, over all tournaments."""
        query = select(func.coalesce(func.sum(chunk.c.host_faults), 0))
        return int(self._connection.execute(query).scalar_one())

    def complete_blocks(self, tournament_id: str, blocks: int) -> int:
        """Count the blocks from the first on that all their line-ups have played, of so many."""
        query = select(func.min(chunk.c.first_block)).where(
            chunk.c.tournament_id == tournament_id, chunk.c.state != "done"
        )
        first = self._connection.execute(query).scalar_one()
        return blocks if first is None else int(first)

    def stuck(self, tournament_id: str) -> list[Chunk]:
        """Give the stuck chunks of a tournament with their logs."""
        query = (
            select(chunk)
            .where(chunk.c.tournament_id == tournament_id, chunk.c.state == "stuck")
            .order_by(chunk.c.number)
        )
        return [_chunk(row) for row in self._connection.execute(query)]


def _held(claim: Claim) -> ColumnElement[bool]:
    return (
        (chunk.c.tournament_id == claim.chunk.tournament_id)
        & (chunk.c.number == claim.chunk.number)
        & (chunk.c.state == "claimed")
        & (chunk.c.claimed_by == claim.worker)
        & (chunk.c.attempts == claim.attempt)
    )


def _chunk(row: Row[Any]) -> Chunk:
    return Chunk(
        tournament_id=row.tournament_id,
        number=row.number,
        match=row.match,
        first_block=row.first_block,
        blocks=row.blocks,
        state=row.state,
        claimed_by=row.claimed_by,
        lease_until=row.lease_until,
        attempts=row.attempts,
        host_faults=row.host_faults,
        deaths=row.deaths,
        log=row.log,
    )
