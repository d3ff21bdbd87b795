"""Commands for authors of bots: `new` and `check`."""

from __future__ import annotations

import json
import time
from pathlib import Path

import click

from maumau.bots.check import check_bot
from maumau.bots.load import load_file
from maumau.bots.report import FINDINGS, MARKS, Finding, Report
from maumau.bots.template import new_bot
from maumau.bots.trial import local_seats
from maumau.cli import show
from maumau.cli.failures import NO, USAGE, Failure
from maumau.cli.options import as_json
from maumau.errors import BotError
from maumau.wording import counted


@click.command()
@click.argument("name")
@click.argument("folder", type=click.Path(path_type=Path), required=False)
def new(name: str, folder: Path | None) -> None:
    """Write a new bot: a complete package called NAME, in FOLDER or a new one of that name.

    Its bot plays already; change it.
    """
    try:
        written = new_bot(name, folder)
    except BotError as error:
        raise Failure(str(error), USAGE) from error
    except OSError as error:
        raise Failure(f"cannot write {error.filename or folder}: {error.strerror}") from error
    for path in written:
        click.echo(show.plain(path))
    module = next(path for path in written if path.suffix == ".py")
    click.echo(f"\nNext: maumau check {module}")


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--name", help="The name that it is to be submitted under.")
@click.option("--limit-ms", type=click.FloatRange(min=0.001), help="What a decision may take.")
@click.option(
    "--decisions",
    type=click.IntRange(1, 1_000_000),
    default=2_000,
    show_default=True,
    help="How many decisions to make at least.",
)
@click.option(
    "--save",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to write the record of the game that a reason to reject was found in.",
)
@as_json
def check(
    file: Path,
    name: str | None,
    limit_ms: float | None,
    decisions: int,
    save: Path | None,
    as_json: bool,
) -> None:
    """Check a bot FILE (.py or wheel) as the server does before a version may play.

    Its code runs in this process, without a cage: check files that you trust.
    """
    try:
        bot = load_file(file, name)
    except BotError as error:
        if as_json:
            show.as_json({"accepted": False, "code": error.code, "message": str(error)})
        raise Failure(f"rejected: {error.code}: {error}", NO) from error
    report = check_bot(
        local_seats(bot), clock=time.perf_counter, decisions=decisions, limit_ms=limit_ms
    )
    if as_json:
        show.as_json({"name": bot.name, **report.to_dict()})
    else:
        _print(bot.name, report)
    if not report.accepted:
        raise Failure(_told(report.findings[0], save), NO)


def _print(name: str, report: Report) -> None:
    console = show.console()
    rows = [(kind.replace("_", " "), count) for kind, count in report.kinds.items()]
    console.print(
        show.table(
            f"{name}: {counted(report.decisions, 'decision')} in {counted(report.games, 'game')}",
            ["rare positions", ">decisions"],
            rows,
        )
    )
    if report.speed is not None:
        speed = report.speed
        limit = "" if speed.limit is None else f", limit {speed.limit:g}"
        console.print(
            f"Milliseconds a decision: median {speed.median:.3f}, 99 % below {speed.p99:.3f}, "
            f"worst {speed.worst:.3f}{limit}"
        )
    for match in report.matches:
        console.print(
            f"Against lots under {match.rules}: {match.share:.1%} of {counted(match.games, 'game')}"
        )
    for mark in report.marks:
        console.print(f"Mark {mark}: {MARKS[mark]}")
    if report.accepted:
        console.print("accepted")


def _told(finding: Finding, save: Path | None) -> str:
    """Say why a bot is rejected, and where; write the record if asked to."""
    text = (
        f"rejected: {finding.code}: {finding.message}\n  {FINDINGS[finding.code]}\n"
        f"  at seat {finding.seat}, deal {finding.deal}, action {finding.action}"
    )
    if finding.record is None:
        return text
    record = finding.record
    text += f" of a game of {counted(len(record['seats']), 'seat')} on seed {record['seed']!r}"
    if save is None:
        return f"{text}; --save FILE keeps its record"
    try:
        save.write_text(json.dumps(record) + "\n", encoding="utf-8")
    except OSError as error:
        return f"{text}; its record cannot be written: {error.strerror}"
    return f"{text}; its record is in {save}"
