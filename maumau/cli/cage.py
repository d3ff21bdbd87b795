"""How bots from files run on this machine: in the cage if it holds here, else under timers only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from maumau.arena import sandbox
from maumau.arena.launch import source_of
from maumau.arena.limits import Limits, load_limits
from maumau.arena.trials import Trials
from maumau.bots import registry
from maumau.bots.reasons import escaped
from maumau.bots.source import BotSource
from maumau.bots.wheels import check_path
from maumau.cli.options import parsed_json
from maumau.rules.ruleset import load_rules
from maumau.settings import Uploads

UNCAGED = (
    "The sandbox does not work on this machine ({reason}): the bot runs in a child process with "
    "timers only, and can reach what you can. Run files that you trust."
)

limits_option = click.option(
    "--limits", help="What a bot may use, as JSON, where it is not the default."
)


def uploads_here() -> Uploads:
    """Say how bots from files run here; a machine without a cage is told on the error stream."""
    state = sandbox.status()
    if state.ok:
        return "sandbox"
    click.echo(UNCAGED.format(reason=state.reason), err=True)
    return "unsafe"


def limits_of(text: str | None) -> Limits:
    """Read `--limits`."""
    return load_limits(parsed_json(text, "--limits") if text else {})


def file_source(path: Path, name: str = "") -> BotSource:
    """Check a file without running anything and give what a child process loads of it.

    Raises `BotError` with the reason where it is no submission.
    """
    return source_of(path, name, entry=check_path(path, path.name).entry)


def bot_source(text: str, limits: Limits) -> tuple[BotSource, str]:
    """Give what plays for a file or the name of an installed bot, and what it calls itself.

    Raises `BotError` for a file that does not load.
    """
    if not text.endswith((".py", ".whl")):
        return registry.find(text).source, text
    if not Path(text).is_file():
        raise click.UsageError(f"there is no file {text}")
    source = file_source(Path(text))
    with Trials(source, limits=limits, uploads=uploads_here()) as trials:
        trials.load(load_rules("champion"))
        return source, trials.name


def log_of(log: str) -> list[str]:
    """Give the last lines of what a bot printed, for its author to see."""
    lines = [escaped(line.expandtabs(4)) for line in log.splitlines()[-20:]]
    return ["  It printed:", *(f"    {line}" for line in lines)] if lines else []


def plain_speed(speed: Any) -> str:
    """Say how long decisions took."""
    limit = "" if speed.limit is None else f", limit {speed.limit:g}"
    return (
        f"Milliseconds a decision: median {speed.median:.3f}, 99 % below {speed.p99:.3f}, "
        f"worst {speed.worst:.3f}{limit}"
    )
