"""How what is wrong with a rule set is told: every problem, each with the path of its value."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from maumau.errors import Problem

DEEPEST: Final = 12
"""How deep objects and lists may nest; the deepest that means anything is 5."""


class Report:
    """The problems found so far."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def add(self, path: str, message: str) -> None:
        """Note what is wrong with the value at `path`."""
        self.problems.append(Problem(path, message))


def shown(value: object) -> str:
    """Give a value as JSON, short enough for a message."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= 40 else text[:37] + "..."


def joined(path: str, key: object) -> str:
    """Give the dotted path of a key below `path`; a long key is cut, a strange one escaped."""
    text = str(key)
    text = text if len(text) <= 40 else text[:37] + "..."
    if not (text.isascii() and text.isprintable()):
        text = json.dumps(text)[1:-1]
    return f"{path}.{text}" if path else text


def nearest(word: object, words: Iterable[str]) -> str:
    """Give a hint for a mistyped word, or an empty text."""
    close = difflib.get_close_matches(str(word)[:60], list(words), n=1)
    return f"; did you mean {shown(close[0])}?" if close else ""


def plain(value: Any, path: str, report: Report, depth: int = 0) -> Any:
    """Copy a value into plain dicts and lists; refuse what JSON has no word for."""
    if depth > DEEPEST:
        report.add(path, f"is nested more than {DEEPEST} deep")
        return None
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                report.add(joined(path, key), f"is a key that is not a string: {shown(key)}")
        return {
            key: plain(item, joined(path, key), report, depth + 1)
            for key, item in value.items()
            if isinstance(key, str)
        }
    if isinstance(value, list | tuple):
        return [plain(item, joined(path, i), report, depth + 1) for i, item in enumerate(value)]
    if value is None or isinstance(value, str | int | float):
        return value
    report.add(path, f"is not a JSON value but {shown(value)}")
    return None
