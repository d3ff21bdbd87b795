"""No sentence of the product says `1 games` or `2 to 2`: numbers go through `maumau.wording`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from maumau.wording import counted, span, within

ROOT = Path(__file__).parents[1]
SOURCES = sorted(
    file
    for room in ("maumau", "service", "worker", "plugins")
    for file in (ROOT / room).rglob("*.py")
)
THINGS = re.compile(
    r"\s(actions|attempts|blocks|bots|cards|chunks|deals|decisions|entrants|entries|games|"
    r"line-ups|matches|points|problems|records|reshuffles|rows|seats|seeds|tournaments|"
    r"values|versions)\b"
)


def test_one_thing_is_not_several() -> None:
    assert [counted(n, "game") for n in (0, 1, 2)] == ["0 games", "1 game", "2 games"]
    assert (counted(1, "match", "matches"), counted(3, "match", "matches")) == (
        "1 match",
        "3 matches",
    )


def test_a_range_of_one_number_is_that_number() -> None:
    assert (span(2, 2), span(2, 4)) == ("2", "2 to 4")
    assert (within(0, 0), within(0, 3)) == ("0", "from 0 to 3")


def sentences(text: str) -> Iterator[tuple[int, list[ast.expr]]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, node.values


def settled(value: ast.expr) -> bool:
    """Whether what stands in a sentence is a constant of the program: its writer saw the number."""
    inner = value.value if isinstance(value, ast.FormattedValue) else value
    if isinstance(inner, ast.BinOp):
        return settled(inner.left) and settled(inner.right)
    return isinstance(inner, ast.Constant) or (isinstance(inner, ast.Name) and inner.id.isupper())


def unworded(text: str) -> list[int]:
    """The lines of f-strings in which a number stands before things, or a range as it comes."""
    found = []
    for line, parts in sentences(text):
        for number, words in pairwise(parts):
            if settled(number) or not isinstance(number, ast.FormattedValue):
                continue
            said = words.value if isinstance(words, ast.Constant) else ""
            if THINGS.match(str(said)) and not called(number, "span", "shown"):
                found.append(line)
        for low, to, high in zip(parts, parts[1:], parts[2:], strict=False):
            is_to = isinstance(to, ast.Constant) and to.value == " to "
            if is_to and not any(settled(end) or called(end, "counted") for end in (low, high)):
                found.append(line)
    return found


def called(value: ast.expr, *names: str) -> bool:
    call = value.value if isinstance(value, ast.FormattedValue) else value
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in names


@pytest.mark.parametrize("text", ['f"{n} games"', 'f"seats {a} to {b}"', 'f"x {len(y)} bots."'])
def test_what_is_not_allowed_is_found(text: str) -> None:
    assert unworded(text) == [1]


@pytest.mark.parametrize("text", ['f"{MOST} games"', 'f"{span(a, b)} seats"', 'f"{x}: 2 games"'])
def test_what_is_allowed_is_not_found(text: str) -> None:
    assert unworded(text) == []


EXCUSED = {
    "maumau/wording.py",
    "maumau/rules/explain.py",  # it has a catalogue of sentences, with plurals of their own
}


def test_the_product_says_numbers_well() -> None:
    assert len(SOURCES) > 100
    found = {
        f"{file.relative_to(ROOT)}:{line}"
        for file in SOURCES
        if str(file.relative_to(ROOT)) not in EXCUSED
        for line in unworded(file.read_text(encoding="utf-8"))
    }
    assert found == set()
