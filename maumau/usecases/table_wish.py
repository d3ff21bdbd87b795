"""What is asked for when a table is opened: read, checked, and found in the database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from maumau.errors import InvalidInput, Problem
from maumau.rules.ruleset import RuleSet
from maumau.storage import Transaction
from maumau.storage.types import storable
from maumau.storage.values import BotVersion
from maumau.usecases.read.bots import found_version
from maumau.usecases.rule_sets import wanted_rules
from maumau.wording import span

KEYS = ("rules", "opponents", "seat", "name", "seed")
LONGEST_NAME = 40
LONGEST_SEED = 128
MOST_OPPONENTS = 8


@dataclass(frozen=True, slots=True)
class TableWish:
    """A table as it was asked for; `seat` is the person's, `seed` empty where one is to be drawn.

    `rules` is a preset's name, a rule set's id, a request or a rule set, `opponents` are bots by
    `name` or `name@version`, in playing order after the person.
    """

    rules: object
    opponents: tuple[str, ...]
    seat: int
    name: str
    seed: str


def table_wish(request: Mapping[str, Any]) -> TableWish:
    """Read a request; raises `InvalidInput` with the path of every wrong value."""
    problems = [
        Problem(str(key)[:60], f"is not a key of a table; known: {', '.join(KEYS)}")
        for key in request
        if key not in KEYS
    ]
    name = _text(request, "name", "you", LONGEST_NAME, problems)
    seed = _text(request, "seed", "", LONGEST_SEED, problems)
    opponents = _opponents(request.get("opponents"), problems)
    seat = request.get("seat", 0)
    if type(seat) is not int or not 0 <= seat <= len(opponents):
        problems.append(Problem("seat", f"must be a whole number from 0 to {len(opponents)}"))
    if problems:
        raise InvalidInput(problems)
    rules = request.get("rules")
    return TableWish("champion" if rules is None else rules, tuple(opponents), seat, name, seed)


def found_for(tx: Transaction, wish: TableWish) -> tuple[RuleSet, list[BotVersion]]:
    """Find rule set and bot versions; raises `InvalidInput` with all problems at once."""
    problems: list[Problem] = []
    rules = None
    try:
        rules = wanted_rules(tx, wish.rules)
    except InvalidInput as error:
        problems += error.problems
    versions = []
    for i, text in enumerate(wish.opponents):
        found = found_version(tx, text)
        if isinstance(found, str):
            problems.append(Problem(f"opponents.{i}", found))
        else:
            versions.append(found)
    if rules is not None and not problems:
        fewest, most = rules.players
        if not fewest <= len(wish.opponents) + 1 <= most:
            problems.append(
                Problem("opponents", f"these rules need {span(fewest - 1, most - 1)} of them")
            )
    if problems or rules is None:
        raise InvalidInput(problems)
    return rules, versions


def _opponents(value: object, problems: list[Problem]) -> list[str]:
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= MOST_OPPONENTS:
        message = f'must be a list of 1 to {MOST_OPPONENTS} bots, like ["easy", "hard@1"]'
        problems.append(Problem("opponents", message))
        return []
    for i, one in enumerate(value):
        if not isinstance(one, str):
            problems.append(Problem(f"opponents.{i}", "must be a bot's name, or name@version"))
    return [str(one) for one in value]


def _text(
    request: Mapping[str, Any], key: str, default: str, longest: int, problems: list[Problem]
) -> str:
    value = request.get(key)
    if value is None:
        return default
    if not isinstance(value, str) or not 0 < len(value) <= longest or not value.isprintable():
        problems.append(Problem(key, f"must be a text of 1 to {longest} printable characters"))
        return default
    return storable(value)
