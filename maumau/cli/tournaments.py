"""Commands about tournaments on a server: `demo`, `schedule`, `watch`, `standings` …"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from typing import Any

import click
from rich.table import Table

from maumau.cli import follow, show, welcome
from maumau.cli.called import called
from maumau.cli.client import Client
from maumau.cli.failures import NO, USAGE, Failure
from maumau.cli.options import as_json, parsed_json, rules_value
from maumau.cli.target import Find, to_server

TABLES: Mapping[str, Callable[[Mapping[str, Any]], Table]] = {
    "standings": show.standings,
    "crosstable": show.crosstable,
    "ratings": show.ratings,
    "differences": show.pairs,
}


@click.command()
@click.argument("entrants", nargs=-1, required=True)
@click.option("--rules", help="Preset, preset+option, JSON file, JSON or an id; must be given.")
@click.option("--name", default="", help="What to call it.")
@click.option("--seats", type=int, default=2, show_default=True, help="Seats at a table.")
@click.option("--blocks", type=int, default=20, show_default=True, help="Blocks of a line-up.")
@click.option(
    "--line-ups",
    type=click.Choice(["all", "balanced"]),
    default="all",
    show_default=True,
    help="Every line-up, or a balanced design where those are too many.",
)
@click.option("--limits", help="What a bot may use, as JSON: only what is not the default.")
@click.option("--seed", help="Makes it reproducible by anyone, and keeps it off the leaderboard.")
@click.option("--until", help="End when all are `separated`, or when shares are known to ± 0.02.")
@click.option(
    "--until-better",
    nargs=2,
    metavar="NEW OLD",
    help="End when it is decided whether NEW is better than OLD, or not: `maumau better` tells.",
)
@click.option(
    "--better",
    type=float,
    help="With --until-better: the mean score that is better.  [default: 0.52]",
)
@click.option(
    "--fault-share",
    type=click.FloatRange(0, 1),
    help="Suspend an entrant that forfeits a larger share of its games.  [default: 0.5]",
)
@click.option("--start-at", help="RFC 3339 with time zone; without it, now.")
@click.option("--cron", help="Play it again and again: minute, hour, day, month, weekday.")
@click.option("--zone", help="In whose clock, like Europe/Berlin; UTC without it.")
@click.option(
    "--missed",
    type=click.Choice(["once", "skip", "all"]),
    help="What to play for times at which nothing ran: one for all, none, or one for each.",
)
@click.option("--watch/--no-watch", default=False, help="Follow it and print its standings.")
@to_server
@as_json
def schedule(
    target: Find,
    entrants: tuple[str, ...],
    rules: str | None,
    limits: str | None,
    until: str | None,
    until_better: tuple[str, str] | None,
    better: float | None,
    cron: str | None,
    zone: str | None,
    missed: str | None,
    watch: bool,
    as_json: bool,
    **rest: Any,
) -> None:
    """Schedule a tournament of ENTRANTS: bots by name, or by name@version."""
    if rules is None:
        presets = called("rules", "list")
        raise click.UsageError(f"name the rules with --rules: `{presets}` lists those that ship")
    request = {
        "entrants": list(entrants),
        "rules": rules_value(rules),
        "limits": parsed_json(limits, "--limits") if limits else {},
        "stop": _stop_rule(until, until_better, better),
        "repeat": _repeat(cron, zone, missed),
        **{key: value for key, value in rest.items() if value is not None},
    }
    with Client(target()) as client:
        made = client.post("/tournaments", json=request, key=secrets.token_hex(16))
        if not watch:
            if as_json:
                show.as_json(made)
            else:
                click.echo(f"Scheduled {made['id']}: {called('watch', made['id'])}")
            return
        _watch(client, made["id"], as_json=as_json)


def _repeat(cron: str | None, zone: str | None, missed: str | None) -> dict[str, Any] | None:
    more = {"zone": zone, "missed": missed}
    given = {key: value for key, value in more.items() if value is not None}
    if cron is None:
        if given:
            raise Failure(f"--{next(iter(given))}: belongs to --cron", USAGE)
        return None
    return {"cron": cron, **given}


def _stop_rule(
    until: str | None, until_better: tuple[str, str] | None, better: float | None
) -> dict[str, Any] | None:
    if until_better is not None:
        if until is not None:
            raise Failure("--until-better: give this or --until, not both", USAGE)
        new, old = until_better
        more = {} if better is None else {"better": better}
        return {"kind": "better", "new": new, "old": old, **more}
    if better is not None:
        raise Failure("--better: belongs to --until-better", USAGE)
    if until is None:
        return None
    if until == "separated":
        return {"kind": "separated"}
    try:
        return {"kind": "half_width", "half_width": float(until)}
    except ValueError:
        raise Failure("--until: give `separated`, or a half-width such as 0.02", USAGE) from None


@click.command()
@to_server
@as_json
def demo(target: Find, as_json: bool) -> None:
    """Play the welcome tournament once more on a running server, and print its standings."""
    with Client(target()) as client:
        wanted = welcome.request(client, "demo")
        made = client.post("/tournaments", json=wanted, key=secrets.token_hex(16))
        _watch(client, made["id"], as_json=as_json)


@click.command()
@click.argument("tournament", required=False)
@to_server
@as_json
def watch(target: Find, tournament: str | None, as_json: bool) -> None:
    """Follow a tournament (the youngest one by default) to its end, and print its standings.

    With --json each change is a line of JSON.
    """
    with Client(target()) as client:
        tournament = tournament or youngest(client)
        if not as_json:
            _watch(client, tournament, as_json=False)
            return
        state = ""
        for seen in follow.states(client, tournament):
            state = seen["state"]
            click.echo(json.dumps({key: seen[key] for key in ("id", "state", "progress")}))
        _must_have_finished(tournament, state)


@click.command()
@click.argument("tournament", required=False)
@click.option("--crosstable", is_flag=True, help="Who did how well against whom, too.")
@click.option("--ratings", is_flag=True, help="Every entrant's rating, too.")
@click.option("--pairs", is_flag=True, help="Every two entrants and what play they need, too.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
@to_server
@as_json
def standings(
    target: Find,
    tournament: str | None,
    crosstable: bool,
    ratings: bool,
    pairs: bool,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Print the standings of a tournament (the youngest one by default)."""
    wanted = {"standings": True, "crosstable": crosstable, "ratings": ratings, "differences": pairs}
    with Client(target()) as client:
        tournament = tournament or youngest(client)
        for kind in [kind for kind, asked in wanted.items() if asked]:
            path = f"/tournaments/{tournament}/{kind}"
            if as_csv:
                click.echo(client.text(path, accept="text/csv", format="csv"), nl=False)
                continue
            found = client.get(path)
            if as_json:
                show.as_json(found)
            else:
                show.console().print(TABLES[kind](found))


@click.command()
@click.option("--state", help="Only those in this state.")
@click.option("--bot", help="Only those with a version of this bot.")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True)
@to_server
@as_json
def tournaments(
    target: Find, state: str | None, bot: str | None, limit: int, as_json: bool
) -> None:
    """List the tournaments, the youngest first."""
    with Client(target()) as client:
        found = client.first(limit, "/tournaments", state=state, bot=bot)
    if as_json:
        show.as_json(found)
        return
    rows = [
        (
            one["id"],
            one["name"],
            one["state"],
            f"{one['progress']['games_played']}/{one['progress']['games_total']}",
            one["rules"] or one["rule_set"][:12],
            " ".join(entrant["label"] for entrant in one["entrants"]),
        )
        for one in found
    ]
    columns = ["id", "name", "state", ">games", "rules", "entrants"]
    show.console().print(show.table("Tournaments", columns, rows))


def youngest(client: Client) -> str:
    """Give the id of the youngest tournament; raises `Failure` where there is none."""
    found = client.first(1, "/tournaments")
    if not found:
        raise Failure(f"there is no tournament yet: schedule one with `{called('schedule')}`", NO)
    return str(found[0]["id"])


def _watch(client: Client, tournament: str, *, as_json: bool) -> None:
    console = show.console()
    if as_json:
        state = ""
        for seen in follow.states(client, tournament):
            state = seen["state"]
    else:
        following = follow.states(client, tournament)
        state = follow.watch(following, console, title=f"Tournament {tournament}")
    found = client.get(f"/tournaments/{tournament}/standings")
    if as_json:
        show.as_json(found)
    else:
        console.print(show.standings(found))
    _must_have_finished(tournament, state)


def _must_have_finished(tournament: str, state: str) -> None:
    if state != "finished":
        raise Failure(f"the tournament {tournament} was {state}", NO)
