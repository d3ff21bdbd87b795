"""Maintained results: a tournament's standings, a rule set's leaderboard."""

from __future__ import annotations

from sqlalchemy import Connection, select

from maumau.storage.dialects import upsert
from maumau.storage.schema import leaderboard, leaderboard_sum, standings, tournament
from maumau.storage.tournaments import COUNTS
from maumau.storage.values import LeaderboardSum, StoredLeaderboard, StoredStandings


class Results:
    """The standings and leaderboards, in one transaction."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def standings(self, tournament_id: str) -> StoredStandings | None:
        """Find a tournament's standings."""
        row = self._connection.execute(
            select(standings).where(standings.c.tournament_id == tournament_id)
        ).first()
        if row is None:
            return None
        return StoredStandings(
            row.tournament_id,
            row.chunks_done,
            row.final,
            row.document,
            row.cost_ms,
            row.updated_at,
        )

    def put_standings(self, new: StoredStandings) -> bool:
        """Keep standings unless newer ones are there; the tournament must be locked."""
        old = self.standings(new.tournament_id)
        if old is not None and (old.final, old.chunks_done) >= (new.final, new.chunks_done):
            return False
        upsert(
            self._connection,
            standings,
            {
                "tournament_id": new.tournament_id,
                "chunks_done": new.chunks_done,
                "final": new.final,
                "document": new.document,
                "cost_ms": new.cost_ms,
                "updated_at": new.updated_at,
            },
        )
        return True

    def outdate(self, tournament_id: str) -> None:
        """Let the next standings take the place of these, though they are of fewer chunks."""
        self._connection.execute(
            standings.update()
            .where(standings.c.tournament_id == tournament_id, standings.c.final.is_(False))
            .values(chunks_done=-1)
        )

    def reopen(self, tournament_id: str) -> None:
        """Say that a tournament's standings are not final any more."""
        self._connection.execute(
            standings.update().where(standings.c.tournament_id == tournament_id).values(final=False)
        )

    def leaderboard(self, rule_set_id: str, seats: int) -> StoredLeaderboard | None:
        """Find a rule set's leaderboard at tables of so many seats."""
        row = self._connection.execute(
            select(leaderboard).where(
                leaderboard.c.rule_set_id == rule_set_id, leaderboard.c.seats == seats
            )
        ).first()
        if row is None:
            return None
        return StoredLeaderboard(
            row.rule_set_id, row.seats, row.tournaments, row.document, row.updated_at
        )

    def stale_leaderboards(self) -> list[tuple[str, int]]:
        """Give rule set and seats of the leaderboards that lack a finished tournament."""
        where = (tournament.c.rule_set_id, tournament.c.seats)
        query = (
            select(*where)
            .where(COUNTS, tournament.c.on_leaderboard.is_(False))
            .distinct()
            .order_by(*where)
        )
        return [(row.rule_set_id, row.seats) for row in self._connection.execute(query)]

    def put_leaderboard(self, new: StoredLeaderboard) -> None:
        """Keep a leaderboard; the rule set must be locked."""
        upsert(
            self._connection,
            leaderboard,
            {
                "rule_set_id": new.rule_set_id,
                "seats": new.seats,
                "tournaments": new.tournaments,
                "document": new.document,
                "updated_at": new.updated_at,
            },
        )

    def leaderboard_sum(self, rule_set_id: str, seats: int) -> LeaderboardSum | None:
        """Find the running sums of a leaderboard."""
        row = self._connection.execute(
            select(leaderboard_sum).where(
                leaderboard_sum.c.rule_set_id == rule_set_id, leaderboard_sum.c.seats == seats
            )
        ).first()
        return LeaderboardSum(row.tournaments, bytes(row.content)) if row else None

    def put_leaderboard_sum(self, rule_set_id: str, seats: int, new: LeaderboardSum) -> None:
        """Keep the running sums of a leaderboard; the rule set must be locked."""
        upsert(
            self._connection,
            leaderboard_sum,
            {
                "rule_set_id": rule_set_id,
                "seats": seats,
                "tournaments": new.tournaments,
                "content": new.content,
            },
        )

    def forget_leaderboard_sum(self, rule_set_id: str, seats: int) -> None:
        """Let a leaderboard be added up anew: a tournament in it plays again."""
        self._connection.execute(
            leaderboard_sum.delete().where(
                leaderboard_sum.c.rule_set_id == rule_set_id, leaderboard_sum.c.seats == seats
            )
        )
        self._connection.execute(
            tournament.update()
            .where(tournament.c.rule_set_id == rule_set_id, tournament.c.seats == seats)
            .values(on_leaderboard=False)
        )
