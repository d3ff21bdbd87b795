"""Commands that need no server: `play`, `rules`, `verify`."""

from __future__ import annotations

import json
import secrets
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from maumau.bots import registry
from maumau.bots.base import Bot
from maumau.bots.load import load_file
from maumau.bots.play import play_game
from maumau.cli import show
from maumau.cli.failures import NO, USAGE, Failure
from maumau.cli.options import as_json, read_json, rules_value
from maumau.errors import InvalidInput, Problem, RecordError
from maumau.rules import presets
from maumau.rules.record import record_text, verify_record
from maumau.rules.ruleset import RuleSet, load_rules
from maumau.wording import counted, span


@click.command()
@click.argument("bots", nargs=-1, required=True)
@click.option("--rules", default="champion", show_default=True, help="Preset or JSON file.")
@click.option("--seed", help="Seed of the game; drawn where none is given.")
@click.option("-n", "--games", type=click.IntRange(1), default=1, show_default=True)
@as_json
def play(bots: tuple[str, ...], rules: str, seed: str | None, games: int, as_json: bool) -> None:
    """Play bots against each other in this process, and print the game.

    BOTS are names of installed bots, or files (.py or wheel), one for each seat; their code runs
    without a cage, so play files that you trust. With several games (-n) the bots change seats
    from game to game, and the score shares are printed instead.
    """
    rule_set = load_rules(rules_value(rules))
    chosen = [_bot(name) for name in bots]
    seed = secrets.token_hex(8) if seed is None else seed
    if games > 1:
        _series(chosen, rule_set, seed, games, as_json=as_json)
        return
    record = play_game(rule_set, chosen, seed)
    if as_json:
        show.as_json(record)
    else:
        click.echo(record_text(record), nl=False)
    if record["fault"]:
        raise Failure(f"seat {record['fault']['seat']} forfeited: {record['fault']['kind']}", NO)


def _bot(name: str) -> type[Bot]:
    if name.endswith((".py", ".whl")):
        if not Path(name).is_file():
            raise click.UsageError(f"there is no file {name}")
        return load_file(Path(name))
    return registry.find(name).bot


def _series(bots: list[type[Bot]], rules: RuleSet, seed: str, games: int, *, as_json: bool) -> None:
    seats = len(bots)
    shares = [Fraction(0)] * seats
    faults = [0] * seats
    for number in range(games):
        at_seat = [(seat + number) % seats for seat in range(seats)]
        record = play_game(rules, [bots[i] for i in at_seat], f"{seed}:{number}")
        ranks = record["ranks"]
        for seat, i in enumerate(at_seat):
            if ranks[seat] == 1:
                shares[i] += Fraction(1, ranks.count(1))
        if record["fault"]:
            faults[at_seat[record["fault"]["seat"]]] += 1
    rows = [
        {"bot": bot.name, "score_share": float(share / games), "faults": fault}
        for bot, share, fault in zip(bots, shares, faults, strict=True)
    ]
    if as_json:
        show.as_json({"seed": seed, "games": games, "bots": rows})
        return
    shown = [(row["bot"], f"{row['score_share']:.3f}", row["faults"]) for row in rows]
    title = f"{counted(games, 'game')}, seed {seed}"
    show.console().print(show.table(title, ["bot", ">score share", ">faults"], shown))


@click.group()
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
