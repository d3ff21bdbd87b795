"""Commands about what was played in a tournament: `matches`, `games`, `record`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from maumau.cli import show
from maumau.cli.client import Client
from maumau.cli.failures import NO, Failure
from maumau.cli.options import as_json
from maumau.cli.target import Find, to_server
from maumau.cli.tournaments import youngest

MANY = 50


@click.command()
@click.argument("tournament", required=False)
@click.option("--entrant", multiple=True, help="Only those with this entrant (name@version).")
@click.option("--limit", type=click.IntRange(1), default=MANY, show_default=True)
@to_server
@as_json
def matches(
    target: Find, tournament: str | None, entrant: tuple[str, ...], limit: int, as_json: bool
) -> None:
    """List the matches of a tournament (the youngest by default)."""
    with Client(target()) as client:
        tournament = tournament or youngest(client)
        path = f"/tournaments/{tournament}/matches"
        found = client.first(limit, path, entrant=list(entrant) or None)
    if as_json:
        show.as_json(found)
        return
    rows = [
        (
            one["id"],
            " ".join(one["line_up"]),
            f"{one['games_played']}/{one['games_total']}",
            " : ".join(show.share(result["score_share"]) for result in one["results"]),
        )
        for one in found
    ]
    columns = ["match", "line-up", ">games", ">score shares"]
    show.console().print(show.table(f"Matches of {tournament}", columns, rows))


@click.command()
@click.argument("tournament", required=False)
@click.option("--match", help="Only those of this match, by its id.")
@click.option("--faulty", is_flag=True, help="Only those that ended by a fault.")
@click.option("--limit", type=click.IntRange(1), default=MANY, show_default=True)
@to_server
@as_json
def games(
    target: Find,
    tournament: str | None,
    match: str | None,
    faulty: bool,
    limit: int,
    as_json: bool,
) -> None:
    """List the games of a tournament (the youngest by default), with the ids for `record`."""
    if match and (tournament or faulty):
        raise click.UsageError("--match names the games by itself: leave the rest out")
    with Client(target()) as client:
        if match:
            found = client.first(limit, f"/matches/{match}/games")
        else:
            path = f"/tournaments/{tournament or youngest(client)}/games"
            found = client.first(limit, path, faulty="true" if faulty else None)
    if as_json:
        show.as_json(found)
        return
    columns = ["game", "seats", ">totals", ">ranks", ">deals", "fault"]
    rows = [
        (
            one["id"],
            " ".join(one["seats"]),
            " : ".join(map(str, one["totals"])),
            " : ".join(map(str, one["ranks"])),
            one["deals"],
            _fault(one["fault"]),
        )
        for one in found
    ]
    show.console().print(show.table("Games", columns, rows))


def _fault(fault: dict[str, Any] | None) -> str:
    return f"{fault['entrant']}: {fault['kind']}" if fault else ""


@click.command()
@click.argument("game")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write it to this file.")
@to_server
@as_json
def record(target: Find, game: str, output: Path | None, as_json: bool) -> None:
    """Print the record of a game as readable text, or with --json (and in a .json file) whole."""
    whole = as_json or (output is not None and output.suffix == ".json")
    with Client(target()) as client:
        path = f"/games/{game}/record"
        if whole:
            text = json.dumps(client.get(path), indent=2, ensure_ascii=False) + "\n"
        else:
            text = client.text(path, accept="text/plain", format="text")
    if output is None:
        # Names of bots stand in it.
        click.echo(text if whole else _lines_plain(text), nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Failure(f"cannot write {output}: {error.strerror}", NO) from None


def _lines_plain(text: str) -> str:
    return "\n".join(show.printable(line) for line in text.split("\n"))
