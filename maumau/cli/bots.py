"""Commands about bots on a server: `submit`, `bots`."""

from __future__ import annotations

import ast
import secrets
import time
import zipfile
from pathlib import Path
from typing import Any

import click

from maumau.cli import show
from maumau.cli.called import called
from maumau.cli.client import Client
from maumau.cli.failures import NO, Failure
from maumau.cli.options import as_json
from maumau.cli.target import Find, to_server

POLL_SECONDS = 0.3
WAIT_SECONDS = 300.0
# The status of an answer that made nothing new.
KNOWN = 200
LARGEST = 5_000_000


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--name", help="The bot's name; without it, what the file says.")
@click.option("--wait/--no-wait", default=True, help="Wait until it is checked.", show_default=True)
@to_server
@as_json
def submit(target: Find, file: Path, name: str | None, wait: bool, as_json: bool) -> None:
    """Submit a bot: a pure-Python wheel, or a single .py file.

    Exit code 1 if it is rejected.
    """
    if file.stat().st_size > LARGEST:
        raise Failure(
            f"{file} is larger than the {LARGEST // 1_000_000} MB that a server takes", NO
        )
    name = name or name_in(file)
    if name is None:
        _say_if_not_python(file)
        raise click.UsageError(f"{file} does not say the bot's name plainly: give it with --name")
    with Client(target()) as client:
        status, version = client.posted(
            "/bots",
            data={"name": name},
            files={"file": (file.name, file.read_bytes())},
            key=secrets.token_hex(16),
        )
        if wait:
            version = _decided(client, version)
    if as_json:
        show.as_json(version)
    elif version["state"] != "rejected":
        known = " (this very file is known already)" if status == KNOWN else ""
        click.echo(f"{version['label']}: {version['state']}{known}")
    if version["state"] == "rejected":
        reasons = "".join(f"\n  {r['message']} ({r['code']})" for r in version["reasons"])
        raise Failure(f"{version['label']} is rejected:{reasons}", NO)


def _decided(client: Client, version: Any) -> Any:
    deadline = time.monotonic() + WAIT_SECONDS
    path = f"/bots/{version['bot']}/versions/{version['version']}"
    while version["state"] == "pending":
        if time.monotonic() > deadline:
            raise Failure(
                f"{version['label']} is still pending: are workers running? Look again with "
                f"`{called('bots', version['bot'])}`",
                NO,
            )
        time.sleep(POLL_SECONDS)
        version = client.get(path)
    return version


@click.command()
@click.argument("bot", required=False)
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True)
@to_server
@as_json
def bots(target: Find, bot: str | None, limit: int, as_json: bool) -> None:
    """List the bots, or all versions of one BOT."""
    with Client(target()) as client:
        found = client.first(limit, f"/bots/{bot}/versions" if bot else "/bots")
    if as_json:
        show.as_json(found)
        return
    versions = found if bot else [one["latest"] for one in found if one["latest"]]
    rows = [
        (
            one["label"],
            one["state"],
            one["owner"],
            one["created_at"],
            "; ".join(reason["message"] for reason in one["reasons"]),
        )
        for one in versions
    ]
    columns = ["version", "state", "owner", "submitted", "reasons"]
    show.console().print(show.table("Bots", columns, rows))


def name_in(file: Path) -> str | None:
    """Find the bot's name in a file without running it: the one `name = "…"` of its classes."""
    try:
        if file.suffix == ".py":
            sources = [file.read_bytes()]
        else:
            with zipfile.ZipFile(file) as wheel:
                members = [one for one in wheel.infolist() if one.filename.endswith(".py")]
                if sum(one.file_size for one in members) > LARGEST:
                    return None
                sources = [wheel.read(one) for one in members]
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError):
        return None
    names = {name for source in sources for name in _names(source)}
    return names.pop() if len(names) == 1 else None


def _say_if_not_python(file: Path) -> None:
    if file.suffix != ".py":
        return
    try:
        ast.parse(file.read_bytes())
    except SyntaxError as error:
        raise Failure(f"{file}, line {error.lineno}: {error.msg}", NO) from None
    except (OSError, ValueError, RecursionError, MemoryError):
        return


def _names(source: bytes) -> set[str]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    found = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        for part in node.body:
            targets: list[ast.expr] = []
            if isinstance(part, ast.Assign):
                targets = part.targets
            elif isinstance(part, ast.AnnAssign):
                targets = [part.target]
            named = any(isinstance(t, ast.Name) and t.id == "name" for t in targets)
            value = getattr(part, "value", None)
            if named and isinstance(value, ast.Constant) and isinstance(value.value, str):
                found.add(value.value)
    return found
