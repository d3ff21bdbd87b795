"""The command line's root: options for all, errors as sentences, commands from their files."""

from __future__ import annotations

import contextlib
import errno
import os
import platform
import sys
from collections.abc import Sequence
from importlib import metadata
from typing import Any

import click

from maumau.cli import failures
from maumau.cli.accounts import accounts, tokens
from maumau.cli.again import replay
from maumau.cli.analysis import better, chart, compare, luck
from maumau.cli.bots import bots, submit
from maumau.cli.games import games, matches, record
from maumau.cli.keep import backup, migrate, restore
from maumau.cli.kit import check, new, wheel
from maumau.cli.local import play, rules, verify
from maumau.cli.options import Group
from maumau.cli.retry import retry
from maumau.cli.status import status
from maumau.cli.tournaments import demo, schedule, standings, tournaments, watch
from maumau.cli.up import up
from maumau.errors import MaumauError


class Root(Group):
    """The group of all commands; the library's errors end as sentences, not as tracebacks."""

    def invoke(self, context: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(context)
        except MaumauError as error:
            raise failures.of_error(error) from error

    def list_commands(self, context: click.Context) -> list[str]:
        """Give the commands as they were added: in the order of a first walk through them."""
        return list(self.commands)


def engine() -> str:
    """Say how the rules run here: compiled, or as plain Python."""
    import maumau.rules

    files = [
        getattr(module, "__file__", None) or ""
        for name, module in list(sys.modules.items())
        if name.startswith(f"{maumau.rules.__name__}.")
    ]
    compiled = any(not file.endswith(".py") for file in files if file)
    return "compiled" if compiled else "pure Python"


def version() -> str:
    """Give version, Python and the form of the engine on one line."""
    return (
        f"maumau {metadata.version('maumau-arena')}, Python {platform.python_version()}, "
        f"engine: {engine()}"
    )


def _show_version(context: click.Context, _parameter: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        click.echo(version())
        context.exit()


@click.group(cls=Root, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show version, Python, and whether the engine is compiled; then exit.",
)
def cli() -> None:
    """Mau-Mau Arena: run a server, submit bots, schedule tournaments, read results.

    Settings are environment variables, see docs/settings.md; each command has its own --help.
    Exit codes: 0 done, 1 no, 2 wrong use, 3 no server answers, 4 refused, 5 the server cannot now.
    """


COMMANDS = (
    up,
    demo,
    play,
    rules,
    verify,
    new,
    check,
    wheel,
    replay,
    submit,
    bots,
    schedule,
    watch,
    tournaments,
    standings,
    matches,
    games,
    chart,
    better,
    compare,
    luck,
    record,
    status,
    retry,
    accounts,
    tokens,
    migrate,
    backup,
    restore,
)

for _command in COMMANDS:
    cli.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; never returns."""
    with contextlib.suppress(AttributeError):
        # A name or a log may hold what the terminal cannot show.
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        code = cli.main(
            args=None if arguments is None else list(arguments),
            prog_name="maumau",
            standalone_mode=False,
        )
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.Abort:
        click.echo("Interrupted.", err=True)
        sys.exit(failures.INTERRUPTED)
    except click.ClickException as failure:
        failure.show()
        sys.exit(failure.exit_code)
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        sys.stderr.close()
        sys.exit(failures.NO)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        click.echo("Error: there is no space left for what is to be written", err=True)
        # What is still to be written at the end must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(failures.NO)
    # Where a command asked for an early end (`--help`), click gives its exit code.
    sys.exit(code if isinstance(code, int) else 0)
