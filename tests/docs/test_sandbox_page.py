"""docs/sandbox.md names every limit with its default, and every kind of fault."""

from __future__ import annotations

import re
from pathlib import Path

from maumau.arena.faults import HOST, KINDS
from maumau.arena.limits import documented

PAGE = (Path(__file__).parents[2] / "docs" / "sandbox.md").read_text()


def rows(heading: str) -> list[list[str]]:
    """Give the cells of the table below a heading."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_limit_with_its_default_and_meaning() -> None:
    told = [(name.strip("`"), int(default), meaning) for name, default, meaning in rows("Limits")]
    assert told == documented()


def test_every_fault() -> None:
    assert {row[0].strip("`") for row in rows("Faults")} == set(KINDS)
    assert re.search(rf"`{HOST}` is nobody", PAGE)
