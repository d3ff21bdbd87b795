"""`maumau replay`: ask a bot again in a position of a recorded game."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from maumau.arena.limits import Limits, load_limits
from maumau.bots import registry
from maumau.cli import show
from maumau.cli.cage import file_source, limits_of, limits_option, log_of, uploads_here
from maumau.cli.client import Client
from maumau.cli.failures import NO, Failure
from maumau.cli.options import as_json, read_json
from maumau.cli.target import Find, to_server
from maumau.errors import RecordError
from maumau.usecases.reask import Place, Reasked, place_in, reask

VERSION = re.compile(r"([a-z][a-z0-9-]{1,39})@([1-9][0-9]{0,8})")
GAME = re.compile(r"[a-z0-9]{4,32}(-[0-9]{1,9}){3}")


@click.command()
@click.argument("record")
@click.option("--bot", "bot", required=True, help="A file (.py or wheel) or an installed bot.")
@click.option("--seat", type=click.IntRange(0), help="Whose decision; without it, the fault's.")
@click.option("--deal", type=click.IntRange(0), help="Which deal, from 0.  [default: 0]")
@click.option("--at", type=click.IntRange(0), help="Which action of the deal, from 0.")
@limits_option
@to_server
@as_json
def replay(
    target: Find,
    record: str,
    bot: str,
    seat: int | None,
    deal: int | None,
    at: int | None,
    limits: str | None,
    as_json: bool,
) -> None:
    """Ask a bot again in one position of a game, as it was asked there, in the cage.

    RECORD is a record's JSON file (- for the standard input), the id of a game on a server, or a
    rejected version there (my-bot@3): the position of its fault, or of the reason to reject, is
    asked where none is named. Exit code 1 if the bot fails there.
    """
    found, place, allowed = _found(record, target)
    if limits is not None:
        allowed = limits_of(limits)
    if seat is None and deal is None and at is None and place is not None:
        wanted = place
    else:
        wanted = place_in(found, seat=seat, deal=deal, at=at)
    if bot.endswith((".py", ".whl")):
        if not Path(bot).is_file():
            raise click.UsageError(f"there is no file {bot}")
        source = file_source(Path(bot))
    else:
        source = registry.find(bot).source
    done = reask(found, wanted, source, limits=allowed, uploads=uploads_here())
    if as_json:
        show.as_json(_document(done))
    else:
        show.lines(show.console(), *_told(done))
    if done.kind:
        raise Failure("\n".join([f"{done.kind}: {done.detail}", *log_of(done.log)]), NO)


def _found(text: str, target: Find) -> tuple[Any, Place | None, Limits]:
    """Give the record, the decision that it was kept for, and the limits it was played under."""
    version, is_file = VERSION.fullmatch(text), text == "-" or Path(text).is_file()
    if not is_file and version:
        with Client(target()) as client:
            report = client.get(f"/bots/{version[1]}/versions/{version[2]}/report")["report"] or {}
        for finding in [*report.get("findings", []), *report.get("marked", [])]:
            if finding["record"] is not None:
                place = Place(finding["seat"], finding["deal"], finding["action"])
                return finding["record"], place, Limits()
        raise Failure(f"the check of {text} found nothing that a game could show", NO)
    if not is_file and GAME.fullmatch(text):
        with Client(target()) as client:
            game = client.get(f"/games/{text}")
            tournament = client.get(f"/tournaments/{game['tournament']}")
            record = client.get(f"/games/{text}/record")
        return record, None, load_limits(tournament["limits"])
    record = read_json(Path(text))
    if not isinstance(record, dict):
        raise RecordError("", "is not a record: must be a JSON object")
    if "fault" not in record:
        raise RecordError("fault", "is missing")
    return record, None, Limits()


def _told(done: Reasked) -> list[str]:
    seen = done.observation
    lines = [
        f"{done.name} at {done.place}  ({done.runtime})",
        f"  hand {' '.join(seen.hand)}; top card {seen.top_card}"
        + (f", wish {seen.wish}" if seen.wish else "")
        + (f", owed {seen.owed}" if seen.owed else "")
        + f"; {seen.stock_count} in the stock; seats hold {', '.join(map(str, seen.hand_counts))}",
        f"  legal: {' '.join(seen.legal_actions)}",
        f"  recorded: {done.recorded}",
    ]
    for other in done.others[:5]:
        lines.append(f"  before, at {other.place}: {other.answer}, recorded {other.recorded}")
    if len(done.others) > 5:
        lines.append(f"  and {len(done.others) - 5} more answers that are not the recorded ones")
    if done.place != done.asked:
        lines.append(f"  it failed before {done.asked}")
    if done.answer is not None:
        lines.append(f"  it answers {done.answer}  ({done.cpu_ms:.1f} ms of CPU)")
    elif not done.kind:
        lines.append("  it starts")
    return lines


def _document(done: Reasked) -> dict[str, Any]:
    fault = {"kind": done.kind, "detail": done.detail} if done.kind else None
    return {
        "bot": done.name,
        "runtime": done.runtime,
        "asked": asdict(done.asked),
        "place": asdict(done.place),
        "observation": done.observation.to_dict(),
        "recorded": done.recorded,
        "answer": done.answer,
        "fault": fault,
        "others": [asdict(other) for other in done.others],
        "cpu_ms": round(done.cpu_ms, 3),
        "log": done.log,
    }
