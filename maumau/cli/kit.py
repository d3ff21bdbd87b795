"""Commands for authors of bots: `new`, `check` and `wheel`."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import click

from maumau.bots.report import Finding, Report
from maumau.bots.template import new_bot
from maumau.cli import show
from maumau.cli.cage import file_source, limits_of, limits_option, log_of, plain_speed, uploads_here
from maumau.cli.called import called, python
from maumau.cli.failures import NO, USAGE, Failure
from maumau.cli.options import as_json, kept_record
from maumau.errors import BotError
from maumau.usecases.examine import DECISIONS, examine
from maumau.wording import counted


@click.command()
@click.argument("name")
@click.argument("folder", type=click.Path(path_type=Path), required=False)
def new(name: str, folder: Path | None) -> None:
    """Write a new bot: a complete package called NAME, in FOLDER or a new one of that name.

    Its bot plays already; change it.
    """
    try:
        place = Path.cwd() / (folder or name)
        written = new_bot(name, folder, maumau=called(at=place), python=python(at=place))
    except BotError as error:
        raise Failure(str(error), USAGE) from error
    except OSError as error:
        raise Failure(f"cannot write {error.filename or folder}: {error.strerror}") from error
    for path in written:
        click.echo(show.plain(path))
    module = next(path for path in written if path.suffix == ".py")
    click.echo(f"\nNext: {called('check', shlex.quote(str(module)))}")


BUILD = "import sys, setuptools.build_meta as b; print(b.build_wheel(sys.argv[1]))"


@click.command()
@click.argument(
    "folder", type=click.Path(path_type=Path, exists=True, file_okay=False), default="."
)
def wheel(folder: Path) -> None:
    """Build the wheel of a bot's package in FOLDER (the current one by default) into its dist/.

    Nothing is fetched: the package is built by the setuptools that is installed here.
    """
    if not (folder / "pyproject.toml").is_file():
        raise Failure(
            f"{folder} holds no pyproject.toml: `{called('new')}` writes a package", USAGE
        )
    dist = folder.absolute() / "dist"
    with tempfile.TemporaryDirectory(prefix="maumau-wheel-") as scratch:
        # A copy: what the building leaves beside the sources is nobody's.
        copy = Path(scratch) / "package"
        left_out = shutil.ignore_patterns("dist", "build", "*.egg-info", ".*", "__pycache__")
        shutil.copytree(folder, copy, ignore=left_out)
        command = [sys.executable, "-P", "-c", BUILD, str(dist)]
        dist.mkdir(exist_ok=True)
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = show.printable("".join(done.stderr.splitlines()[-1:])) or "it said nothing"
        raise Failure(f"the wheel cannot be built: {said}", NO)
    click.echo(show.plain(folder / "dist" / done.stdout.splitlines()[-1]))


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--name", help="The name that it is to be submitted under.")
@limits_option
@click.option(
    "--limit-ms", type=click.IntRange(1), help="What a decision may take, in milliseconds."
)
@click.option(
    "--decisions",
    type=click.IntRange(1, 1_000_000),
    default=DECISIONS,
    show_default=True,
    help="How many decisions to make at least.",
)
@click.option(
    "--save",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to write the game that a reason to reject was found in.  "
    "[default: BOT-rejected.json]",
)
@as_json
def check(
    file: Path,
    name: str | None,
    limits: str | None,
    limit_ms: int | None,
    decisions: int,
    save: Path | None,
    as_json: bool,
) -> None:
    """Check a bot FILE (.py or wheel) as the server does before a version may play.

    It plays in the cage that the server uses, under the same limits. Where the sandbox does not
    work on this machine it plays in a child process with timers, and that is said.
    """
    allowed = limits_of(limits)
    if limit_ms is not None:
        allowed = replace(allowed, decision_ms=limit_ms)
    uploads = uploads_here()
    try:
        source = file_source(file, name or "")
    except BotError as error:
        _refused(error, "", as_json=as_json)
    found = examine(source, limits=allowed, uploads=uploads, decisions=decisions)
    if found.refusal is not None:
        _refused(found.refusal, found.log, as_json=as_json)
    report = found.report
    assert report is not None
    if as_json:
        caged = uploads == "sandbox"
        show.as_json({"name": found.name, "caged": caged, **(found.document() or {})})
    elif report.accepted:
        _print(found.name, report)
    if not report.accepted:
        if save is None and not as_json:
            save = Path(f"{found.name}-rejected.json")
        told = [_told(report.findings[0], file, save), *log_of(found.log)]
        raise Failure("\n".join(told), NO)


def _refused(error: BotError, log: str, *, as_json: bool) -> NoReturn:
    if as_json:
        show.as_json({"accepted": False, "code": error.code, "message": str(error)})
    told = [f"rejected: {error.code}: {error}", *log_of(log)]
    raise Failure("\n".join(told), NO) from error


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
        console.print(plain_speed(report.speed))
    for match in report.matches:
        console.print(
            f"Against random play under {match.rules}: {match.share:.1%} of "
            f"{counted(match.games, 'game')}"
        )
    for mark in report.marked:
        show.lines(console, f"Mark {mark.code}: {mark.meaning}", f"  {mark.message} ({mark.place})")
    console.print("accepted")


def _told(finding: Finding, file: Path, save: Path | None) -> str:
    """Say why a bot is rejected, and where; keep the game, and name the command that replays it."""
    text = f"rejected: {finding.code}: {finding.message}\n  {finding.meaning}\n  at {finding.place}"
    if finding.record is None or save is None:
        return text
    kept = kept_record(finding.record, save)
    if kept is not None:
        return f"{text}\n  its record cannot be written: {kept}"
    again = called(
        *("replay", shlex.quote(str(save)), "--deal", str(finding.deal)),
        *("--seat", str(finding.seat), "--at", str(finding.action)),
        *("--bot", shlex.quote(str(file))),
    )
    return f"{text}\n  See it again: {again}"
