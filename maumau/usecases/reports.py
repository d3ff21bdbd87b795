"""Problems that people report at a table: kept with the position, answered, made test cases."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from typing import Any

from maumau.errors import InvalidInput, NotFound, Problem
from maumau.rules.game import Game, deal_record
from maumau.storage import Account, Database, Transaction
from maumau.storage.game_tables import REPORTS_NEWEST
from maumau.storage.values import ProblemReport
from maumau.usecases import access
from maumau.usecases.clock import Clock, Entropy
from maumau.usecases.read.pages import Page, Pages
from maumau.usecases.replay import Replay
from maumau.usecases.tables import TableView, found_table, view_of
from maumau.wording import within

ID_BYTES = 8
LONGEST = 4000
MOST = 50
"""Reports of one table."""


@dataclass(frozen=True, slots=True)
class ReportView:
    """A report with the game as it was then."""

    report: ProblemReport
    table: TableView = field(repr=False)
    replay: Replay = field(repr=False)


def report_problem(
    db: Database,
    clock: Clock,
    table_id: str,
    comment: str,
    *,
    entropy: Entropy,
    deal: int | None = None,
    step: int | None = None,
) -> ProblemReport:
    """Keep what a person finds wrong in a position of a table; by default the present one."""
    if not comment.strip() or len(comment) > LONGEST:
        raise InvalidInput([Problem("comment", f"must be a text of 1 to {LONGEST} characters")])
    with db.begin() as tx:
        table = view_of(tx, found_table(tx, table_id))
        actions = table.replay.actions
        deal = len(actions) - 1 if deal is None else deal
        if not 0 <= deal < len(actions):
            raise InvalidInput([Problem("deal", f"must be {within(0, len(actions) - 1)}")])
        most = len(actions[deal])
        step = most if step is None else step
        if not 0 <= step <= most:
            raise InvalidInput([Problem("step", f"must be {within(0, most)}")])
        if len(tx.game_tables.reports(_cut(MOST), table_id=table_id).items) >= MOST:
            raise InvalidInput([Problem("comment", f"this table has {MOST} reports already")])
        new = ProblemReport(
            id=base64.b32encode(entropy(ID_BYTES)).decode().rstrip("=").lower(),
            table_id=table_id,
            deal=deal,
            step=step,
            actions=actions,
            comment=comment,
            created_at=clock(),
            answer=None,
            answered_by=None,
            answered_at=None,
        )
        tx.game_tables.add_report(new)
        return new


def reports(
    db: Database, account: Account, *, limit: int = 50, after: str | None = None
) -> Page[ProblemReport]:
    """List all reports, youngest first; admins only."""
    access.admin(account, "see the problem reports")
    pages = Pages(REPORTS_NEWEST, "reports")
    with db.read() as tx:
        return pages.page(tx.game_tables.reports(pages.slice(limit, after)), lambda one: one)


def reports_of(db: Database, table_id: str) -> tuple[ProblemReport, ...]:
    """Give the reports of one table, for the person who plays there."""
    with db.read() as tx:
        return tx.game_tables.reports(_cut(MOST), table_id=table_id).items


def report(db: Database, account: Account, report_id: str) -> ReportView:
    """Read one report with its game; admins only. Raises `NotFound`."""
    access.admin(account, "see the problem reports")
    with db.read() as tx:
        return _view(tx, report_id)


def answer(
    db: Database, clock: Clock, account: Account, report_id: str, text: str
) -> ProblemReport:
    """Answer a report; admins only."""
    access.admin(account, "answer problem reports")
    if not text.strip() or len(text) > LONGEST:
        raise InvalidInput([Problem("answer", f"must be a text of 1 to {LONGEST} characters")])
    with db.begin() as tx:
        _view(tx, report_id)
        tx.game_tables.answer(report_id, text, by=account.name, now=clock())
        return _view(tx, report_id).report


def conformance_line(db: Database, account: Account, report_id: str) -> str:
    """Give a report's game as a line of the conformance format (docs/rules.md); admins only.

    The game up to the reported position's deal: every decision with its legal actions as the
    engine has them. A deal that had not ended has end, finisher, points and rating null.
    """
    found = report(db, account, report_id)
    game = _replayed(found)
    deals = []
    for deal in game.deals[: found.report.deal + 1]:
        entry = deal_record(deal)
        if not deal.over:
            entry["end"] = None
        entry["actions"] = found.replay.decisions(deal.number)
        deals.append(entry)
    line: dict[str, Any] = {
        "format": "maumau-conformance/1",
        "name": f"report-{report_id}",
        "policy": "reported",
        "players": game.seats,
        "seed": game.seed,
        "rules": game.rules.data,
        "deals": deals,
        "totals": game.totals,
        "ranks": game.ranks if game.over else None,
    }
    return json.dumps(line, sort_keys=True, separators=(",", ":"))


def _replayed(found: ReportView) -> Game:
    game = Game(
        found.table.rules,
        seats=len(found.table.names),
        seed=found.table.game.seed,
        names=found.table.names,
    )
    for deal in found.report.actions[: found.report.deal + 1]:
        for action in deal:
            game.apply(action)
    return game


def _view(tx: Transaction, report_id: str) -> ReportView:
    found = tx.game_tables.report(report_id)
    if found is None:
        raise NotFound("report", report_id)
    table = view_of(tx, found_table(tx, found.table_id))
    replay = Replay(table.rules, table.game.seed, table.names, found.actions)
    return ReportView(found, table, replay)


def _cut(limit: int) -> Any:
    return Pages(REPORTS_NEWEST, "reports").slice(limit, None)
