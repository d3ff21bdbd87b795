"""Problem reports for admins: the list, the position, an answer, a test case."""

from __future__ import annotations

from flask import Response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from maumau.errors import InvalidInput
from maumau.usecases import reports
from maumau.usecases.reports import ReportView
from service.auth import caller
from service.context import arena
from service.web.games import view
from service.web.site import pages

PAGE = 50


@pages.get("/reports")
def report_list() -> str:
    """List the reports."""
    after = request.args.get("cursor") or None
    found = reports.reports(arena().db, caller(), limit=PAGE, after=after)
    return render_template("reports.html", found=found)


@pages.get("/reports/<id>")
def report_page(id: str) -> str:
    """Show a report with the replay, opened at its position."""
    return _page(reports.report(arena().db, caller(), id))


@pages.get("/reports/<id>/step")
def report_step(id: str) -> str:
    """Give one step of a report's replay."""
    found = reports.report(arena().db, caller(), id)
    return render_template("replay.html", **_replay(found))


@pages.post("/reports/<id>")
def report_answer(id: str) -> AnyResponse | str:
    """Answer a report."""
    try:
        text = request.form.get("answer", "")
        reports.answer(arena().db, arena().clock, caller(), id, text)
    except InvalidInput as error:
        return _page(reports.report(arena().db, caller(), id), str(error))
    return redirect(f"/reports/{id}", 303)


@pages.get("/reports/<id>/conformance")
def report_conformance(id: str) -> Response:
    """Give a report's game as a line of the conformance format."""
    line = reports.conformance_line(arena().db, caller(), id)
    answer = Response(line + "\n", content_type="application/x-ndjson")
    name = f"report-{id}.jsonl"
    answer.headers.set("Content-Disposition", "attachment", filename=name)
    return answer


def _page(found: ReportView, wrong: str = "") -> str:
    return render_template("report.html", found=found, wrong=wrong, **_replay(found))


def _replay(found: ReportView) -> dict[str, object]:
    at = {"deal": str(found.report.deal), "step": str(found.report.step)}
    return view(found.replay, found.table.names, f"/reports/{found.report.id}", default=at)
