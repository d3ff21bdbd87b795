"""Tables at which people play, and the problems that they report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select

from maumau.storage.pages import Keyed, Order, Slice, fetch
from maumau.storage.schema import game_table, problem_report
from maumau.storage.values import GameTable, ProblemReport

REPORTS_NEWEST = Order((problem_report.c.created_at, problem_report.c.id), descending=True)


class GameTables:
    """The tables and reports, in one transaction."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def add(self, new: GameTable) -> None:
        """Keep a new table."""
        self._connection.execute(game_table.insert().values(**asdict(new)))

    def get(self, table_id: str) -> GameTable | None:
        """Find a table by its id."""
        row = self._connection.execute(
            select(game_table).where(game_table.c.id == table_id)
        ).first()
        return _table(row) if row else None

    def advance(
        self,
        table_id: str,
        seen: int,
        *,
        actions: Sequence[Sequence[str]],
        fault: tuple[int, str, str] | None,
        over: bool,
        now: datetime,
    ) -> bool:
        """Keep how a game went on after `seen` actions; False if it had gone on already."""
        changed = self._connection.execute(
            game_table.update()
            .where(
                game_table.c.id == table_id,
                game_table.c.moves == seen,
                game_table.c.over.is_(False),
            )
            .values(
                actions=[list(deal) for deal in actions],
                moves=sum(map(len, actions)),
                fault=None if fault is None else list(fault),
                over=over,
                changed_at=now,
            )
        )
        return changed.rowcount == 1

    def add_report(self, new: ProblemReport) -> None:
        """Keep a problem report."""
        self._connection.execute(problem_report.insert().values(**asdict(new)))

    def report(self, report_id: str) -> ProblemReport | None:
        """Find a report by its id."""
        row = self._connection.execute(
            select(problem_report).where(problem_report.c.id == report_id)
        ).first()
        return _report(row) if row else None

    def reports(self, cut: Slice, *, table_id: str | None = None) -> Keyed[ProblemReport]:
        """List the reports, of one table or of all, youngest first."""
        query = select(problem_report)
        if table_id is not None:
            query = query.where(problem_report.c.table_id == table_id)
        return fetch(self._connection, query, REPORTS_NEWEST, cut, _report)

    def answer(self, report_id: str, text: str, *, by: str, now: datetime) -> None:
        """Answer a report; a later answer takes the place of the one before."""
        self._connection.execute(
            problem_report.update()
            .where(problem_report.c.id == report_id)
            .values(answer=text, answered_by=by, answered_at=now)
        )


def _table(row: Row[Any]) -> GameTable:
    fault = None
    if row.fault is not None:
        seat, kind, detail = row.fault
        fault = (int(seat), str(kind), str(detail))
    return GameTable(
        id=row.id,
        rule_set_id=row.rule_set_id,
        rules_name=row.rules_name,
        versions=tuple(row.versions),
        names=tuple(row.names),
        seed=row.seed,
        open_seed=row.open_seed,
        actions=tuple(map(tuple, row.actions)),
        moves=row.moves,
        fault=fault,
        over=row.over,
        created_at=row.created_at,
        changed_at=row.changed_at,
    )


def _report(row: Row[Any]) -> ProblemReport:
    return ProblemReport(
        id=row.id,
        table_id=row.table_id,
        deal=row.deal,
        step=row.step,
        actions=tuple(map(tuple, row.actions)),
        comment=row.comment,
        created_at=row.created_at,
        answer=row.answer,
        answered_by=row.answered_by,
        answered_at=row.answered_at,
    )
