"""Options that several commands share."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

# Longer than any sentence.
WHOLE = 1_000


class Group(click.Group):
    """A group whose help tells all that the first sentence of each command says."""

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, each with its sentence on as many lines as it takes."""
        rows = []
        for name in self.list_commands(context):
            command = self.get_command(context, name)
            if command is not None and not command.hidden:
                rows.append((name, command.get_short_help_str(WHOLE)))
        with formatter.section("Commands"):
            formatter.write_dl(rows)


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, as the server gave it.")


def rules_value(text: str) -> Any:
    """Give what `--rules` names: a JSON file, JSON itself, or a preset with options, or an id."""
    text = text.strip()
    if text.startswith("{"):
        return parsed_json(text, "--rules")
    if text.endswith(".json"):
        return read_json(Path(text))
    return text


def read_json(path: Path) -> Any:
    """Read a JSON file, `-` for the standard input."""
    try:
        if str(path) == "-":
            text = sys.stdin.buffer.read().decode("utf-8")
        else:
            text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise click.UsageError(f"cannot read {path}: it is not UTF-8") from None
    return parsed_json(text, str(path))


def parsed_json(text: str, name: str) -> Any:
    """Parse JSON; what is wrong is told with its line and column."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise click.UsageError(f"{name} is not JSON: {error}") from None
    except RecursionError:
        raise click.UsageError(f"{name} is nested too deeply") from None


def kept_record(record: object, file: Path) -> str | None:
    """Write a record into a file; None if that went well, else why not."""
    try:
        file.write_text(json.dumps(record) + "\n", encoding="utf-8")
    except OSError as error:
        return error.strerror or str(error)
    return None
