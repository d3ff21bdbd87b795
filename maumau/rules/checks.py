"""The kinds of values that a rule set holds, each as a check (docs/rules.md §2).

A check takes a value, its path and a report. It gives back the value with its defaults filled in
and tells the report of everything that is wrong, so that one reading finds all problems.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from maumau.rules.cards import RANK_UPWARDS
from maumau.rules.problems import Report, joined, nearest, shown
from maumau.wording import within

RANKS_SHOWN: Final = RANK_UPWARDS + "X"
"""All ranks by their letters, `X` the joker's, in the order in which they are shown."""

LARGEST: Final = 1_000_000_000
"""No number of a rule set is further from zero, so that totals fit into 64 bits."""

Check = Callable[[Any, str, Report], Any]


class _Required:
    """Stands where a key has no default."""


REQUIRED: Final = _Required()


class Key(NamedTuple):
    """A key's default (a fresh copy is taken) and its check."""

    default: Any
    check: Check


def number(least: int = -LARGEST, most: int = LARGEST) -> Check:
    """Give the check of a whole number; true and false are none, nor is 5.0."""
    if most < LARGEST:
        wanted = f"a whole number {within(least, most)}"
    elif least > -LARGEST:
        wanted = f"a whole number of at least {least}"
    else:
        wanted = "a whole number"

    def check(value: Any, path: str, report: Report) -> Any:
        if isinstance(value, bool) or not isinstance(value, int):
            report.add(path, f"must be {wanted}, not {shown(value)}")
        elif not least <= value <= most:
            limit = f" (at most {LARGEST})" if abs(value) > LARGEST else ""
            report.add(path, f"must be {wanted}{limit}, not {shown(value)}")
        return value

    return check


COUNT: Final = number(least=1)
POINTS: Final = number()


def choice(*words: str) -> Check:
    """Give the check of one word out of several."""
    listed = ", ".join(map(shown, words))

    def check(value: Any, path: str, report: Report) -> Any:
        if not isinstance(value, str) or value not in words:
            hint = nearest(value, words) if isinstance(value, str) else ""
            report.add(path, f"must be one of {listed}, not {shown(value)}{hint}")
        return value

    return check


def flag(value: Any, path: str, report: Report) -> Any:
    """Check a value that is true or false."""
    if not isinstance(value, bool):
        report.add(path, f"must be true or false, not {shown(value)}")
    return value


def only_true(value: Any, path: str, report: Report) -> Any:
    """Check an effect that is there or not: its key is left out where it is not."""
    if value is not True:
        report.add(path, f"must be true, not {shown(value)}; leave the key out to have no effect")
    return value


def nullable(inner: Check) -> Check:
    """Give the check of a value that may be null."""

    def check(value: Any, path: str, report: Report) -> Any:
        return None if value is None else inner(value, path, report)

    return check


def rank(value: Any, path: str, report: Report) -> Any:
    """Check a rank; one that the pack lacks is allowed, so that options combine."""
    if not (isinstance(value, str) and len(value) == 1 and value in RANKS_SHOWN):
        hint = '; the ten is "T"' if value in ("10", 10) else ""
        report.add(path, f"must be a rank, one of {RANKS_SHOWN}, not {shown(value)}{hint}")
    return value


def list_of(inner: Check, what: str) -> Check:
    """Give the check of a list whose items all pass `inner`."""

    def check(value: Any, path: str, report: Report) -> Any:
        if not isinstance(value, list):
            report.add(path, f"must be a list of {what}, not {shown(value)}")
            return value
        return [inner(item, joined(path, i), report) for i, item in enumerate(value)]

    return check


RANK_LIST: Final = list_of(rank, "ranks")


def keyed(key_check: Check, inner: Check, what: str) -> Check:
    """Give the check of an object with free keys of one kind, such as ranks."""

    def check(value: Any, path: str, report: Report) -> Any:
        if not isinstance(value, dict):
            report.add(path, f"must be an object with {what} as keys, not {shown(value)}")
            return value
        for key in value:
            key_check(key, joined(path, key), report)
        order = sorted(value, key=lambda key: (RANKS_SHOWN.find(key), key))
        return {key: inner(value[key], joined(path, key), report) for key in order}

    return check


def section(keys: Mapping[str, Key], *, fill: bool = True) -> Check:
    """Give the check of an object with these keys and no others.

    `fill` puts in the default of a key that is missing; without it the key stays missing.
    """

    def check(value: Any, path: str, report: Report) -> Any:
        if not isinstance(value, dict):
            report.add(path, f"must be an object, not {shown(value)}")
            return value
        for key in value:
            if key not in keys:
                report.add(joined(path, key), f"is not a key of a rule set{nearest(key, keys)}")
        done: dict[str, Any] = {}
        for key, (default, inner) in keys.items():
            if key in value:
                done[key] = inner(value[key], joined(path, key), report)
            elif default is REQUIRED:
                report.add(joined(path, key), "is missing")
            elif fill:
                done[key] = inner(default, joined(path, key), report)
        return done

    return check
