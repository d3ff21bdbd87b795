"""What ends early: blocks that do not count any more are discarded, and the rest counted again."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, case, func, select, true

from maumau.storage.schema import (
    block_sum,
    chunk,
    entrant,
    fault,
    leg,
    match,
    match_entrant,
    tournament,
)

BY_BLOCK = (
    (fault, fault.c.block),
    (leg, leg.c.block),
    (block_sum, block_sum.c.block),
    (chunk, chunk.c.first_block),
)
"""What is kept of blocks: the table, and the column with the (first) block."""


class Discards:
    """Discards of tournaments' later blocks, in one transaction; each tournament must be locked.

    After `end_early` or `suspend` set what is left of each match by `set_match`, then
    `count_again`: with that the tournament's totals are those of the plan as it is now.
    """

    def __init__(self, connection: Connection):
        self._connection = connection

    def end_early(self, tournament_id: str, blocks: int) -> None:
        """Let a tournament end after so many blocks; whom a later one suspended was not."""
        self._discard(tournament_id, blocks)
        self._connection.execute(
            entrant.update()
            .where(entrant.c.tournament_id == tournament_id, entrant.c.suspended_after > blocks)
            .values(suspended_after=None)
        )
        self._connection.execute(
            tournament.update().where(tournament.c.id == tournament_id).values(ended_blocks=blocks)
        )

    def suspend(self, tournament_id: str, number: int, blocks: int) -> list[int]:
        """Suspend an entrant after so many blocks; gives the numbers of its matches."""
        self._connection.execute(
            entrant.update()
            .where(entrant.c.tournament_id == tournament_id, entrant.c.number == number)
            .values(suspended_after=blocks)
        )
        mine = select(match_entrant.c.match).where(
            match_entrant.c.tournament_id == tournament_id, match_entrant.c.entrant == number
        )
        matches = sorted(self._connection.execute(mine).scalars())
        self._discard(tournament_id, blocks, matches)
        return matches

    def set_match(
        self, tournament_id: str, number: int, *, games: int, sums: Sequence[int]
    ) -> None:
        """Say that a match is over with so many games and these sums."""
        self._connection.execute(
            match.update()
            .where(match.c.tournament_id == tournament_id, match.c.number == number)
            .values(games_total=games, games_played=games, sums=list(sums))
        )

    def count_again(self, tournament_id: str) -> None:
        """Set the totals of games and chunks to those of its matches and chunks as they are."""
        done = func.coalesce(func.sum(case((chunk.c.state == "done", 1), else_=0)), 0)
        chunks, chunks_done = self._connection.execute(
            select(func.count(), done).where(chunk.c.tournament_id == tournament_id)
        ).one()
        games, played = self._connection.execute(
            select(
                func.coalesce(func.sum(match.c.games_total), 0),
                func.coalesce(func.sum(match.c.games_played), 0),
            ).where(match.c.tournament_id == tournament_id)
        ).one()
        self._connection.execute(
            tournament.update()
            .where(tournament.c.id == tournament_id)
            .values(
                games_total=games,
                games_played=played,
                chunks_total=chunks,
                chunks_done=chunks_done,
            )
        )

    def _discard(
        self, tournament_id: str, blocks: int, matches: Sequence[int] | None = None
    ) -> None:
        """Delete what is kept of the blocks from `blocks` on, of these matches or of all."""
        for table, block in BY_BLOCK:
            of: ColumnElement[bool] = true() if matches is None else table.c.match.in_(matches)
            self._connection.execute(
                table.delete().where(table.c.tournament_id == tournament_id, block >= blocks, of)
            )
