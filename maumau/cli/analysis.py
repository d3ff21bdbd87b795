"""Commands about what results mean: `chart`, `better`, `compare` and `luck`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from maumau.cli import show
from maumau.cli.client import Client
from maumau.cli.failures import NO, Failure
from maumau.cli.options import as_json, rules_value
from maumau.cli.target import Find, to_server
from maumau.wording import counted

VERDICTS = {
    "better": "{new} is better than {old}",
    "not better": "{new} is not better than {old}",
    "undecided": "undecided whether {new} is better than {old}: play more blocks",
}


@click.command()
@click.argument("tournament")
@click.argument("name", type=click.Choice(["share", "crosstable", "rating"]))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write it to this file.")
@to_server
def chart(target: Find, tournament: str, name: str, output: Path | None) -> None:
    """Print a chart of a tournament as SVG: shares, crosstable, or ratings against blocks."""
    with Client(target()) as client:
        drawn = client.text(f"/tournaments/{tournament}/charts/{name}", accept="image/svg+xml")
    if output is None:
        click.echo(drawn, nl=False)
        return
    try:
        output.write_text(drawn, encoding="utf-8")
    except OSError as error:
        raise Failure(f"cannot write {output}: {error.strerror}", NO) from None


@click.command()
@click.argument("tournament")
@click.argument("new", required=False)
@click.argument("old", required=False)
@click.option("--worse", type=float, help="A mean score that is not better; 0.5.")
@click.option("--better", type=float, help="A mean score that is better; 0.52.")
@click.option("--alpha", type=float, help="The chance of a wrong `better`; 0.05.")
@click.option("--beta", type=float, help="The chance of a wrong `not better`; 0.05.")
@to_server
@as_json
def better(target: Find, tournament: str, as_json: bool, **asked: str | float | None) -> None:
    """Test on a tournament's seeds whether entrant NEW (`name@version`) is better than OLD.

    Without NEW and OLD: those of its stop rule (`maumau schedule --until-better`).

    Exit code 0: it is better; 1: it is not, or it is undecided.
    """
    with Client(target()) as client:
        found = client.get(f"/tournaments/{tournament}/test", **asked)
    if as_json:
        show.as_json(found)
    else:
        console = show.console()
        show.lines(console, VERDICTS[found["verdict"]].format(new=found["new"], old=found["old"]))
        ratio, low, high = (f"{found[key]:.2f}" for key in ("log_ratio", "low", "high"))
        show.lines(
            console,
            f"log likelihood ratio {ratio} ({low} … {high}) after {found['seeds']} of "
            f"{counted(found['seeds_played'], 'seed')}; {found['better']} against {found['worse']}",
        )
    if found["verdict"] != "better":
        raise SystemExit(NO)


@click.command()
@click.argument("first")
@click.argument("second")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
@to_server
@as_json
def compare(target: Find, first: str, second: str, as_csv: bool, as_json: bool) -> None:
    """Compare two tournaments of the same entrants and seed under different rules."""
    path = f"/tournaments/{first}/comparison"
    with Client(target()) as client:
        if as_csv:
            text = client.text(path, accept="text/csv", format="csv", **{"with": second})
            click.echo(text, nl=False)
            return
        found = client.get(path, **{"with": second})
    if as_json:
        show.as_json(found)
    else:
        show.console().print(comparison(found))


def comparison(found: dict[str, Any]) -> Any:
    """Make the table of a comparison of two rule sets."""
    return show.table(
        f"Score share of the one less the other's, {counted(found['seeds'], 'seed')}",
        [
            *("entrant", "other", f">{found['first_rules']}", f">{found['second_rules']}"),
            *(">change", ">95 %", ""),
        ],
        (
            (
                row["entrant"],
                row["other"],
                show.signed(row["first"]),
                show.signed(row["second"]),
                show.signed(row["change"]),
                show.between(row),
                "order reversed" if row["reversed"] else "changed" if row["changed"] else "",
            )
            for row in found["rows"]
        ),
    )


@click.command()
@click.argument("tournament", required=False)
@click.option("--rules", help="Show the model of these rules instead.")
@click.option("--seats", type=int, default=2, show_default=True, help="Seats at a table.")
@as_json
def luck(tournament: str | None, rules: str | None, seats: int, as_json: bool) -> None:
    """Take the luck of the draw off a tournament's shares; reads the arena's database itself.

    It goes by the model whose hash was kept when the tournament was scheduled, and fails where the
    arena's model has another one. With --rules it prints what cards are held to be worth, and the
    hash of that: it depends on the rules and the seats alone.
    """
    from maumau.rules.ruleset import load_rules
    from maumau.settings import load
    from maumau.storage import Database
    from maumau.usecases.luck import report
    from maumau.usecases.luck_model import model_of

    if (tournament is None) == (rules is None):
        raise click.UsageError("give either a tournament, or --rules for the model alone")
    if tournament is None:
        model = model_of(load_rules(rules_value(rules or "")), seats)
        if as_json:
            show.as_json({**model.to_dict(), "hash": model.hash})
        else:
            show.console().print(worth(model.weights, model.hash))
        return
    db = Database(load().database_url)
    try:
        found = report(db, tournament)
    finally:
        db.close()
    if as_json:
        show.as_json(asdict(found))
        return
    show.console().print(
        show.table(
            f"Luck of the draw taken off, {counted(found.seeds, 'seed')}; "
            f"model {found.model[:12]}, {'' if found.fixed else 'not '}fixed before play",
            ["entrant", ">games", ">share", ">95 %", ">corrected", ">95 %", ">variance factor"],
            (
                (
                    row["entrant"],
                    row["games"],
                    show.share(row["share"]),
                    show.interval(row),
                    show.share(row["corrected"]),
                    show.interval({"low": row["corrected_low"], "high": row["corrected_high"]}),
                    show.share(row["variance_factor"]),
                )
                for row in found.rows
            ),
        )
    )


def worth(weights: Mapping[str, float], name: str) -> Any:
    """Make the table of what a card of each rank is held to be worth."""
    rows = [(rank, show.signed(weight)) for rank, weight in weights.items() if weight]
    title = f"What a card is worth in a hand, in score shares; model {name}"
    return show.table(title, ["rank", ">worth"], rows)
