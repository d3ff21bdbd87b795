"""How results look in a terminal; names and texts in them may be hostile."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from maumau.wording import counted

# Where output is not a terminal nothing is cut: whoever reads it wants all of it.
PIPE_WIDTH = 160


def console() -> Console:
    """Give a console for the standard output as it is now."""
    found = Console(highlight=False)
    return found if found.is_terminal else Console(highlight=False, width=PIPE_WIDTH)


def as_json(value: object) -> None:
    """Print a value as JSON."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def printable(text: object) -> str:
    """Give a text on one line, without what a terminal would act on."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(text))


def plain(text: object) -> str:
    """Give the same, safe in rich markup."""
    return escape(printable(text))


def lines(console: Console, *texts: object) -> None:
    """Print each text on a line of its own, as it is; a long one is not broken."""
    for text in texts:
        console.print(printable(text), markup=False, soft_wrap=True)


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """Make a table; a column whose name begins with `>` is set to the right."""
    made = Table(title=plain(title) if title else None, title_justify="left")
    for column in columns:
        made.add_column(
            plain(column.lstrip(">")), justify="right" if column.startswith(">") else "left"
        )
    for row in rows:
        made.add_row(*("" if cell is None else plain(cell) for cell in row))
    return made


def standings(shown: Mapping[str, Any], title: str = "Standings") -> Table:
    """Make the table of a tournament's standings."""
    so_far = f" ({shown['state']}, {counted(shown['games'], 'game')} so far)"
    complete = "" if shown["complete"] else so_far
    columns = ["rank", "entrant", ">score share", ">95 %", ">games", ">won", ">points/game"]
    faulty = any(row["faults"] for row in shown["rows"])
    return table(
        f"{title}{complete}",
        [*columns, ">faults", *([">share without faults"] if faulty else [])],
        (
            (
                _rank(row),
                row["entrant"] + ("" if row["suspended_after"] is None else " (suspended)"),
                share(row["score_share"]),
                interval(row),
                row["games"],
                row["games_won"],
                _number(row["points_per_game"]),
                row["faults"],
                *([share(row["score_share_without_faults"])] if faulty else []),
            )
            for row in shown["rows"]
        ),
    )


def crosstable(shown: Mapping[str, Any]) -> Table:
    """Make the crosstable: each entrant's score share in the games with each other one."""
    cells = {(cell["entrant"], cell["other"]): cell["share"] for cell in shown["cells"]}
    entrants = shown["entrants"]
    return table(
        "Crosstable: score share of the row against the column",
        ["", *(f">{name}" for name in entrants)],
        (
            (
                name,
                *("" if name == other else share(cells.get((name, other))) for other in entrants),
            )
            for name in entrants
        ),
    )


def ratings(shown: Mapping[str, Any]) -> Table:
    """Make the table of ratings, the strongest first."""
    rows = sorted(shown["ratings"], key=lambda row: -(row["rating"] or 0))
    return table(
        "Ratings" if rows else "Ratings: at the end of the tournament",
        ["entrant", ">rating", ">95 %", ">games"],
        ((row["entrant"], _whole(row["rating"]), _ends(row, _whole), row["games"]) for row in rows),
    )


def pairs(shown: Mapping[str, Any]) -> Table:
    """Make the table of every two entrants, with what play would separate them."""
    return table(
        "Every two entrants: share of the one less the other's",
        ["entrant", "other", ">difference", ">95 %", ">seeds needed", ">games", ">deals"],
        (
            (
                row["entrant"],
                row["other"],
                signed(row["difference"]),
                between(row),
                "separated" if row["separated"] else _needed(row["seeds_needed"]),
                *(
                    "" if row["separated"] else _needed(row[key])
                    for key in ("games_needed", "deals_needed")
                ),
            )
            for row in shown["differences"]
        ),
    )


def signed(value: float | None) -> str:
    """Give a difference of shares with its sign."""
    return "–" if value is None else f"{value:+.3f}"


def between(row: Mapping[str, Any]) -> str:
    """Give the interval of a difference."""
    return _ends(row, signed)


def _ends(row: Mapping[str, Any], text: Callable[[float | None], str]) -> str:
    if row["low"] is None and row["high"] is None:
        return "–"
    return f"{text(row['low'])} … {text(row['high'])}"


def _whole(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"


def _needed(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


def _rank(row: Mapping[str, Any]) -> str:
    low, high = row.get("rank_low"), row.get("rank_high")
    return f"{row['rank']}" if low in (None, high) else f"{row['rank']}  ({low}–{high})"


def share(value: float | None) -> str:
    """Give a share."""
    """Give a score share as text."""
    return "–" if value is None else f"{value:.3f}"


def interval(row: Mapping[str, Any]) -> str:
    """Give the interval of a share."""
    if row["low"] is None or row["high"] is None:
        return "–"
    return f"{row['low']:.3f}–{row['high']:.3f}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"
