"""Write the tables of docs/rules.md that are made from the presets' data.

`python docs/tables.py` renews the page; `python docs/tables.py --check` only says whether it is up
to date.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from maumau.rules.checks import RANKS_SHOWN
from maumau.rules.presets import option_info, option_names, preset_info, preset_names
from maumau.rules.ruleset import load_rules
from maumau.rules.whole import pack_size

PAGE = Path(__file__).with_name("rules.md")
Row = tuple[str, Callable[[dict[str, Any]], list[tuple[str, str]]]]
"""A row's title, and what gives its cell: texts, each with the path that it is read from."""


def _ranks(listed: list[str]) -> str:
    return " ".join(listed)


def runs(listed: list[str]) -> str:
    """Name ranks, three and more neighbours by the first and the last."""
    groups: list[list[str]] = []
    for rank in listed:
        if groups and RANKS_SHOWN.index(rank) == RANKS_SHOWN.index(groups[-1][-1]) + 1:
            groups[-1].append(rank)
        else:
            groups.append([rank])
    return " ".join(f"{g[0]}–{g[-1]}" if len(g) > 2 else " ".join(g) for g in groups)


def spans(values: dict[str, int]) -> str:
    """Name card points: those that are the number on the card, then ranks of equal points."""
    pips = [rank for rank in values if rank.isdigit() and values[rank] == int(rank)]
    groups: dict[int, list[str]] = {}
    for rank in values:
        if rank not in pips:
            groups.setdefault(values[rank], []).append(rank)
    parts = [f"pips {runs(pips)}"] if pips else []
    parts += [f"{runs(listed)}: {points}" for points, listed in groups.items()]
    return "; ".join(parts) or "–"


def _players(data: dict[str, Any]) -> list[tuple[str, str]]:
    fewest, most = data["players"]
    return [(str(fewest) if fewest == most else f"{fewest}–{most}", "players")]


def _pack(data: dict[str, Any]) -> list[tuple[str, str]]:
    jokers = data["deck"]["jokers"]
    text = f"{pack_size(data) - jokers}" + (f" + {jokers} jokers" if jokers else "")
    return [(text, "deck")]


def _hand(data: dict[str, Any]) -> list[tuple[str, str]]:
    cells = [(str(data["hand_size"]), "hand_size")]
    for seats, size in data["hand_size_by_players"].items():
        cells.append((f"{size} with {seats} seats", "hand_size_by_players"))
    return cells


def _effect(rank: str) -> Row:
    def cell(data: dict[str, Any]) -> list[tuple[str, str]]:
        here = data["effects"].get(rank, {})
        parts = []
        if "draw" in here:
            parts.append(f"draw {here['draw']}")
        if "answer" in here:
            parts.append(f"answer {_ranks(here['answer'])}")
        if "skip" in here:
            parts.append("skip" if here["skip"] == 1 else f"skip {here['skip']}")
        parts += [key for key in ("reverse", "again") if key in here]
        at = f"effects.{rank}"
        cells = [(", ".join(parts), at)] if parts else []
        if "wild" in here:
            wish = "wild" if here["wild"]["wish"] else "wild, no wish"
            cells.append((wish, at))
            off = here["wild"]["not_on"]
            cells.append((f"not on {_ranks(off)}" if off else "on any", f"{at}.wild.not_on"))
        if "accepts_any" in here:
            cells.append(("accepts any", at))
        return cells

    return (f"`{rank}`", cell)


def _value(title: str, path: str) -> Row:
    def cell(data: dict[str, Any]) -> list[tuple[str, str]]:
        found: Any = data
        for key in path.split("."):
            found = found[key]
        if found is True or found is False:
            text = "yes" if found else "no"
        elif isinstance(found, list):
            text = ", ".join(map(str, found)) or "–"
        else:
            text = "–" if found is None else str(found)
        return [(text, path)]

    return (title, cell)


def _draw_then(data: dict[str, Any]) -> list[tuple[str, str]]:
    most = data["draw"]["max"]
    cells = [(data["draw"]["then"], "draw.then")]
    return cells + ([(f"at most {most}", "draw.max")] if most > 1 else [])


def _starter(data: dict[str, Any]) -> list[tuple[str, str]]:
    again = data["starter"]["redraw"]
    cells = [(data["starter"]["effect"], "starter.effect")]
    return cells + ([(f"{_ranks(again)} redrawn", "starter.redraw")] if again else [])


def _call(data: dict[str, Any]) -> list[tuple[str, str]]:
    here = data["call"]
    cells = [(here["mode"], "call.mode")]
    if here["mode"] == "none":
        return cells
    if here["one_left"]:
        cells.append(("one left", "call.one_left"))
    if here["last_card"] != "never":
        cells.append((f"last card: {here['last_card']}", "call.last_card"))
    return [*cells, (f"penalty {here['penalty']}", "call.penalty")]


def _points(data: dict[str, Any]) -> list[tuple[str, str]]:
    return [(spans(data["scoring"]["values"]), "scoring.values")]


def _rating(data: dict[str, Any]) -> list[tuple[str, str]]:
    here = data["scoring"]["rating"]
    if here is None:
        return [("–", "scoring.rating")]
    bands = ", ".join(
        f"≤ {bound}: {gets}" if bound is not None else f"else {gets}"
        for bound, gets in here["bands"]
    )
    special = "".join(f", on {rank} {gets}" for rank, gets in here["finish_on"].items())
    return [
        (f"finish {here['finish']}{special}", "scoring.rating.finish"),
        (bands, "scoring.rating.bands"),
        (f"factor {here['factor']}", "scoring.rating.factor"),
    ]


def _length(data: dict[str, Any]) -> list[tuple[str, str]]:
    here = data["game"]
    if here["length"] == "deals":
        return [(f"{here['deals']} deals", "game.deals")]
    if here["length"] == "target":
        return [(f"to {here['target']}", "game.target")]
    return [("one deal", "game.length")]


ROWS: list[Row] = [
    ("players", _players),
    ("pack", _pack),
    ("hand", _hand),
    *(_effect(rank) for rank in "2789TJQAX"),
    _value("reverse_with_two", "reverse_with_two"),
    _value("after_penalty", "after_penalty"),
    _value("voluntary draw", "draw.voluntary"),
    ("draw.then", _draw_then),
    ("starter", _starter),
    _value("stock_out", "stock_out"),
    ("call", _call),
    ("card points", _points),
    _value("points to", "scoring.to"),
    _value("double_on", "scoring.double_on"),
    ("rating", _rating),
    ("game", _length),
    _value("best total", "game.best"),
    _value("ties", "game.ties"),
    _value("abort", "game.abort"),
]


def mark(path: str, readings: set[str]) -> str:
    """Mark a value that is our reading: its own path, or one above it, is listed as such."""
    parts = path.split(".")
    above = {".".join(parts[: i + 1]) for i in range(len(parts))}
    return " *" if above & readings else ""


def presets_table() -> str:
    """Make the table of all presets; `*` marks our readings."""
    names = preset_names()
    lines = [
        "| | " + " | ".join(f"`{name}`" for name in names) + " |",
        "|---" * (len(names) + 1) + "|",
    ]
    for title, cell in ROWS:
        shown = []
        for name in names:
            readings = set(preset_info(name).readings)
            cells = cell(load_rules(name).data)
            shown.append("; ".join(text + mark(path, readings) for text, path in cells) or "–")
        lines.append(f"| {title} | " + " | ".join(shown) + " |")
    return "\n".join(lines)


def sources_table() -> str:
    """Make the table of what each preset is and where its rules come from."""
    lines = ["| preset | what it is | source |", "|---|---|---|"]
    for name in preset_names():
        info = preset_info(name)
        lines.append(f"| `{name}` | {info.description} | {info.source} |")
    return "\n".join(lines)


def options_table() -> str:
    """Make the table of the named options."""
    lines = ["| option | what it does | merge patch |", "|---|---|---|"]
    for name in option_names():
        info = option_info(name)
        lines.append(f"| `{name}` | {info.description} | `{json.dumps(info.patch)}` |")
    return "\n".join(lines)


def reasons_list() -> str:
    """List the reasons of the readings, each with the presets that it concerns."""
    whose: dict[tuple[str, str], list[str]] = {}
    for name in preset_names():
        for path, reason in preset_info(name).readings.items():
            if reason:
                whose.setdefault((path, reason), []).append(f"`{name}`")
    lines = [
        f"- `{path}` ({', '.join(names)}): {reason}"
        for (path, reason), names in sorted(whose.items())
    ]
    return "\n".join(lines)


TABLES: dict[str, Callable[[], str]] = {
    "sources": sources_table,
    "presets": presets_table,
    "options": options_table,
    "readings": reasons_list,
}


def renewed(page: str) -> str:
    """Give the page with every table made anew."""
    for name, make in TABLES.items():
        begin, end = f"<!-- {name}: made by docs/tables.py -->", f"<!-- end of {name} -->"
        pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
        if len(pattern.findall(page)) != 1:
            raise SystemExit(
                f"{PAGE.name} has not one place for the table {name!r}: {begin} … {end}"
            )
        before, after = pattern.split(page)
        page = f"{before}{begin}\n{make()}\n{end}{after}"
    return page


def main() -> None:
    """Renew the page, or check it."""
    page = PAGE.read_text("utf-8")
    fresh = renewed(page)
    if "--check" in sys.argv:
        if fresh != page:
            raise SystemExit("docs/rules.md is behind the presets: run python docs/tables.py")
    else:
        PAGE.write_text(fresh, "utf-8")


if __name__ == "__main__":
    main()
