"""Commands that need no server: `play`, `rules`, `verify`."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Any

import click

from maumau.bots import registry
from maumau.bots.play import play_game
from maumau.cli import show
from maumau.cli.cage import bot_source, limits_of, limits_option, log_of, uploads_here
from maumau.cli.failures import NO, USAGE, Failure
from maumau.cli.options import Group, as_json, kept_record, read_json, rules_value
from maumau.errors import InvalidInput, Problem, RecordError
from maumau.rules import presets
from maumau.rules.game import Game
from maumau.rules.record import record_text, verify_record
from maumau.rules.ruleset import RuleSet, load_rules
from maumau.usecases.series import Series, play_exhibition, play_one, play_series
from maumau.wording import counted, span


@click.command()
@click.argument("bots", nargs=-1, required=True)
@click.option("--rules", default="champion", show_default=True, help="Preset or JSON file.")
@click.option("--seed", help="Seed of the game; drawn where none is given.")
@click.option("-n", "--games", type=click.IntRange(1), default=1, show_default=True)
@limits_option
@click.option(
    "--save",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to write the game's record; of several games, that of the first with a fault.",
)
@as_json
def play(
    bots: tuple[str, ...],
    rules: str,
    seed: str | None,
    games: int,
    limits: str | None,
    save: Path | None,
    as_json: bool,
) -> None:
    """Play bots against each other on this machine, as the arena plays them, and print the game.

    BOTS are names of installed bots, or files (.py or wheel), one for each seat; files play in the
    cage that the server uses. With several games (-n) each seed is played from all seats, and the
    score shares are printed with their 95 % intervals instead. `oracle` sees all cards, so that a
    table with it takes installed bots only: they play in this process, without limits.
    """
    rule_set = load_rules(rules_value(rules))
    # So many seats must do before any bot is loaded.
    Game(rule_set, seats=len(bots), seed="")
    allowed = limits_of(limits)
    if any(map(registry.sees_all, bots)):
        _exhibit(rule_set, bots, seed, games, save, as_json=as_json)
        return
    chosen = [bot_source(text, allowed) for text in bots]
    sources, names = [source for source, _ in chosen], [name for _, name in chosen]
    uploads = uploads_here() if any(source.path for source in sources) else "sandbox"
    seed = secrets.token_hex(8) if seed is None else seed
    if games > 1:
        series = play_series(
            rule_set, sources, names, seed=seed, games=games, limits=allowed, uploads=uploads
        )
        _print_series(series, names, seed, save, as_json=as_json)
        return
    leg, record = play_one(rule_set, sources, names, seed=seed, limits=allowed, uploads=uploads)
    _print_record(record, save, as_json=as_json)
    if leg.fault is not None:
        told = [f"seat {leg.fault.seat} forfeited: {leg.fault.kind}: {leg.fault.detail}"]
        raise Failure("\n".join([*told, *log_of(leg.fault.log)]), NO)


def _exhibit(
    rules: RuleSet,
    bots: tuple[str, ...],
    seed: str | None,
    games: int,
    save: Path | None,
    *,
    as_json: bool,
) -> None:
    """Play an exhibition."""
    if files := [text for text in bots if text.endswith((".py", ".whl"))]:
        message = f"{files[0]} plays in a cage of its own, and not against who sees all cards"
        raise click.UsageError(f"{message}: name installed bots only")
    chosen = [registry.find(name, exhibition=True).bot for name in bots]
    seed = secrets.token_hex(8) if seed is None else seed
    if games > 1:
        series = play_exhibition(rules, chosen, seed=seed, games=games)
        _print_series(series, list(bots), seed, save, as_json=as_json)
    else:
        _print_record(play_game(rules, chosen, seed), save, as_json=as_json)


def _print_record(record: dict[str, Any], save: Path | None, *, as_json: bool) -> None:
    if save is not None and (why := kept_record(record, save)):
        raise Failure(f"{save} cannot be written: {why}", NO)
    if as_json:
        show.as_json(record)
    else:
        click.echo(record_text(record), nl=False)


def _print_series(
    series: Series, names: list[str], seed: str, save: Path | None, *, as_json: bool
) -> None:
    if as_json:
        rows = [
            {
                "bot": name,
                "score_share": row.score_share,
                "low": row.low,
                "high": row.high,
                "points_per_game": row.points_per_game,
                "faults": row.faults,
            }
            for name, row in zip(names, series.rows, strict=True)
        ]
        show.as_json({"seed": seed, "games": series.games, "bots": rows})
    else:
        shown = [
            (
                name,
                f"{row.score_share:.3f}",
                "–" if row.low is None else f"{row.low:.3f}–{row.high:.3f}",
                f"{row.points_per_game:.1f}",
                row.faults,
            )
            for name, row in zip(names, series.rows, strict=True)
        ]
        columns = ["bot", ">score share", ">95 %", ">points/game", ">faults"]
        show.console().print(
            show.table(f"{counted(series.games, 'game')}, seed {seed}", columns, shown)
        )
    if series.faulty is None:
        return
    fault = series.faulty["fault"]
    seat = f"seat {fault['seat']}, {series.faulty['seats'][fault['seat']]}"
    click.echo(f"The first fault: {seat}: {fault['kind']}: {fault['detail']}", err=True)
    if save is not None and (why := kept_record(series.faulty, save)):
        raise Failure(f"{save} cannot be written: {why}", NO)


@click.group(cls=Group)
def rules() -> None:
    """Look at rule sets: presets, options, and your own."""


@rules.command("list")
@as_json
def list_rules(as_json: bool) -> None:
    """List the presets and the options that can be added to them."""
    registry.plugins()
    found = [presets.preset_info(name) for name in presets.preset_names()]
    options = [presets.option_info(name) for name in presets.option_names()]
    if as_json:
        show.as_json(
            {
                "presets": [
                    {"name": one.name, "title": one.title, "description": one.description}
                    for one in found
                ],
                "options": [{"name": o.name, "description": o.description} for o in options],
            }
        )
        return
    console = show.console()
    rows = [(one.name, one.title, one.description) for one in found]
    console.print(show.table("Presets", ["name", "title", "what it is"], rows))
    changes = [(f"+{o.name}", o.description) for o in options]
    console.print(show.table("Options, as in straffpoang+to-150", ["name", "change"], changes))


@rules.command("show")
@click.argument("rules")
@as_json
def show_rules(rules: str, as_json: bool) -> None:
    """Show a rule set whole, defaults filled in: a preset, preset+option, or a JSON file."""
    found = load_rules(rules_value(rules))
    if as_json:
        show.as_json({"id": found.id, "name": found.name, "rules": found.data})
        return
    console = show.console()
    title = found.name or rules
    if presets.find(title.split("+")[0]):
        preset = presets.preset_info(title.split("+")[0])
        show.lines(console, f"{preset.title}. {preset.description} Source: {preset.source}")
    rows = [(path, _cell(value)) for path, value in _leaves(found.data, "")]
    show.lines(console, f"Rule set {found.id}")
    console.print(show.table(title, ["key", "value"], rows))


@rules.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@as_json
def check_rules(file: Path, as_json: bool) -> None:
    """Check a rule set in a JSON file (- for the standard input); exit code 1 if it is refused."""
    try:
        found = load_rules(read_json(file))
    except InvalidInput as error:
        if as_json:
            show.as_json({"valid": False, "problems": [_problem(p) for p in error.problems]})
            raise Failure(f"{file} is not a rule set", NO) from None
        lines = "".join(f"\n  {problem}" for problem in error.problems)
        raise Failure(f"{file} is not a rule set:{lines}", NO) from None
    if as_json:
        show.as_json({"valid": True, "id": found.id, "players": list(found.players)})
    else:
        fewest, most = found.players
        click.echo(f"{file} holds: {span(fewest, most)} seats, id {found.id}")


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@as_json
def verify(files: tuple[Path, ...], as_json: bool) -> None:
    """Check records by replaying them (- for standard input).

    Each file has its verdict. Exit code 1 if one is false, 2 if one cannot be read.
    """
    results = [_verified(file) for file in files]
    if as_json:
        show.as_json(results)
    for one in results:
        if one["valid"] and not as_json:
            deals = counted(one["deals"], "deal")
            click.echo(f"{one['file']}: true ({deals}, ranks {one['ranks']})")
    told = [f"{one['file']}: false: {one['reason']}" for one in results if one["valid"] is False]
    unread = [one["reason"] for one in results if one["valid"] is None]
    if told or unread:
        raise Failure("\n".join(told + unread), NO if told else USAGE)


def _verified(file: Path) -> dict[str, Any]:
    """Give the verdict on one file: `valid` true or false, or null where it cannot be read."""
    try:
        record = read_json(file)
    except click.UsageError as error:
        return {"file": str(file), "valid": None, "place": "", "reason": error.message}
    try:
        if not isinstance(record, dict):
            raise RecordError("", "is not a record: must be a JSON object")
        verify_record(record)
    except RecordError as error:
        return {"file": str(file), "valid": False, "place": error.place, "reason": str(error)}
    ranks = record["ranks"]
    return {"file": str(file), "valid": True, "deals": len(record["deals"]), "ranks": ranks}


def _problem(problem: Problem) -> dict[str, str]:
    return {"path": problem.path, "message": problem.message}


def _leaves(value: Any, path: str) -> list[tuple[str, Any]]:
    """Give the values of a rule set by path; a list is one value."""
    if isinstance(value, dict) and value:
        found = []
        for key, inner in value.items():
            found += _leaves(inner, f"{path}.{key}" if path else key)
        return found
    return [(path, value)]


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value)) or "none"
    return value if isinstance(value, str) else json.dumps(value)
