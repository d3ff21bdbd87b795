from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from maumau.cli import failures
from maumau.cli.app import cli

TEXT = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")


def commands(group: click.Group, path: str) -> Iterator[tuple[str, click.Command]]:
    for name, command in group.commands.items():
        yield f"{path} {name}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")


# Told once, before the commands.
SHARED = {"--server", "--token"}
HEAD = TEXT.partition("\n## ")[0]
ALL = dict(commands(cli, "maumau"))


def section(path: str) -> str:
    """What the page says of a command: from its heading to the next."""
    head = " ".join(path.split()[:2])
    parts = TEXT.split("\n### `")
    return next(p for p in parts if p.startswith((f"{head}`", f"{head} ")))


@pytest.mark.parametrize("path", ALL)
def test_every_command_is_documented_with_every_option(path: str) -> None:
    said = section(path)
    assert path in said
    for parameter in ALL[path].params:
        if isinstance(parameter, click.Option):
            for name in (*parameter.opts, *parameter.secondary_opts):
                assert f"`{name}`" in (HEAD if name in SHARED else said), name


def test_the_page_names_no_command_that_is_not_there() -> None:
    told = {
        " ".join(line.split("`")[1].split()[:2]) for line in TEXT.splitlines() if line[:4] == "### "
    }
    assert told == {" ".join(path.split()[:2]) for path in ALL}


def test_every_exit_code_is_documented() -> None:
    codes = {v for k, v in vars(failures).items() if k.isupper() and isinstance(v, int)}
    assert codes
    for code in codes | {0}:
        assert f"\n| {code} | " in TEXT


def test_every_command_and_option_has_a_help_text() -> None:
    for path, command in ALL.items():
        assert command.help, path
        for parameter in command.params:
            if isinstance(parameter, click.Option) and parameter.name not in HELP_IS_ITS_NAME:
                assert parameter.help, (path, parameter.name)


HELP_IS_ITS_NAME = {"games", "limit"}
