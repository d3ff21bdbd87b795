"""What is asked for when a tournament is scheduled: read, checked, and found in the database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from maumau.arena.limits import Limits, load_limits
from maumau.errors import InvalidInput, Problem
from maumau.rules.ruleset import RuleSet
from maumau.storage import Transaction
from maumau.storage.types import storable
from maumau.storage.values import BotVersion, LineUps
from maumau.tournament.stop_rules import StopRule, load_stop_rule
from maumau.tournament.suspension import FAULT_SHARE
from maumau.usecases.read.bots import found_version
from maumau.usecases.repeat import Repeat, load_repeat
from maumau.usecases.rule_sets import wanted_rules
from maumau.wording import counted, span

KEYS = (
    *("name", "entrants", "rules", "seats", "blocks"),
    *("line_ups", "limits", "seed", "start_at", "stop", "repeat", "fault_share"),
)
REQUIRED = ("entrants", "rules")
DEFAULTS: Mapping[str, Any] = {
    "name": "",
    "seats": 2,
    "blocks": 20,
    "line_ups": "all",
    "limits": {},
    "seed": None,
    "start_at": None,
    "stop": None,
    "repeat": None,
    "fault_share": FAULT_SHARE,
}
LONGEST_NAME = 120
LONGEST_SEED = 128
MOST_ENTRANTS = 256


@dataclass(frozen=True, slots=True)
class TournamentWish:
    """A request in which each value is right by itself."""

    name: str
    entrants: tuple[str, ...]
    rules: Any
    seats: int
    blocks: int
    line_ups: LineUps
    limits: Limits
    seed: str | None
    start_at: datetime | None
    stop: StopRule
    repeat: Repeat | None = None
    fault_share: float | None = FAULT_SHARE


def tournament_wish(request: Mapping[str, Any], now: datetime) -> TournamentWish:
    """Check every value of a request by itself; raises `InvalidInput` with all problems at once."""
    problems = [
        Problem(str(key)[:60], f"is not a key of a tournament; known: {', '.join(KEYS)}")
        for key in request
        if key not in KEYS
    ]
    problems += [Problem(key, "is missing") for key in REQUIRED if key not in request]
    given = {**DEFAULTS, **request}
    name = _text(given, "name", LONGEST_NAME, problems)
    seed = None if given["seed"] is None else _text(given, "seed", LONGEST_SEED, problems)
    if seed == "":
        problems.append(Problem("seed", "is empty; leave it out to have one drawn"))
    entrants = _entrants(given.get("entrants"), problems) if "entrants" in request else ()
    for key in ("seats", "blocks"):
        if type(given[key]) is not int:
            problems.append(Problem(key, "must be a whole number"))
    if given["line_ups"] not in ("all", "balanced"):
        problems.append(Problem("line_ups", 'must be "all" or "balanced"'))
    limits, stop = Limits(), StopRule()
    try:
        limits = load_limits(given["limits"])
    except InvalidInput as error:
        problems += error.problems
    try:
        stop = load_stop_rule(given["stop"])
    except InvalidInput as error:
        problems += _within("stop", error)
    fault_share = _fault_share(given["fault_share"], problems)
    start_at = None
    if given["start_at"] is not None:
        start_at = _start_at(given["start_at"], now, problems)
    repeat = None
    if given["repeat"] is not None:
        repeat, start_at = _repeat(given, start_at or now, problems)
    if problems:
        raise InvalidInput(problems)
    return TournamentWish(
        name,
        entrants,
        given["rules"],
        given["seats"],
        given["blocks"],
        given["line_ups"],
        limits,
        seed,
        start_at,
        stop,
        repeat,
        fault_share,
    )


def _repeat(
    given: Mapping[str, Any], earliest: datetime, problems: list[Problem]
) -> tuple[Repeat | None, datetime | None]:
    """Read how to repeat; gives it with the time of the first repetition."""
    if given["seed"] is not None:
        message = "each repetition draws its own; leave it out where the tournament repeats"
        problems.append(Problem("seed", message))
    try:
        repeat = load_repeat(given["repeat"])
    except InvalidInput as error:
        problems += _within("repeat", error)
        return None, None
    return repeat, repeat.next_after(earliest - timedelta(microseconds=1))


def _within(key: str, error: InvalidInput) -> list[Problem]:
    return [Problem(f"{key}.{one.path}".rstrip("."), one.message) for one in error.problems]


def _fault_share(value: object, problems: list[Problem]) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        problems.append(
            Problem("fault_share", "must be a share from 0 to 1, or null to suspend nobody")
        )
        return None
    return float(value)


def _text(given: Mapping[str, Any], key: str, longest: int, problems: list[Problem]) -> str:
    value = given[key]
    if not isinstance(value, str) or len(value) > longest or not value.isprintable():
        problems.append(Problem(key, f"must be a text of at most {longest} printable characters"))
        return ""
    return storable(value)


def _entrants(value: object, problems: list[Problem]) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        problems.append(Problem("entrants", 'must be a list like ["easy", "medium@2"]'))
        return ()
    if len(value) > MOST_ENTRANTS:
        problems.append(
            Problem("entrants", f"{counted(len(value), 'entrant')}; at most {MOST_ENTRANTS}")
        )
        return ()
    for i, one in enumerate(value):
        if not isinstance(one, str):
            problems.append(Problem(f"entrants.{i}", "must be a bot's name, or name@version"))
    return tuple(str(one) for one in value)


def _start_at(value: object, now: datetime, problems: list[Problem]) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else value
        if isinstance(moment, datetime) and moment.tzinfo is not None:
            moment = moment.astimezone(UTC)
            if moment > now:
                return moment
            problems.append(Problem("start_at", "is in the past; leave it out to begin now"))
            return None
    except (ValueError, OverflowError):
        pass
    problems.append(Problem("start_at", "must be RFC 3339 with a zone: 2026-01-31T18:00:00Z"))
    return None


def found_for(tx: Transaction, wish: TournamentWish) -> tuple[RuleSet, list[BotVersion]]:
    """Find rule set and bot versions, these in canonical order.

    Raises `InvalidInput` with all problems at once.
    """
    problems: list[Problem] = []
    rules = None
    try:
        rules = wanted_rules(tx, wish.rules)
    except InvalidInput as error:
        problems += error.problems
    versions: dict[str, BotVersion] = {}
    for i, text in enumerate(wish.entrants):
        found = found_version(tx, text)
        if isinstance(found, str):
            problems.append(Problem(f"entrants.{i}", found))
        elif found.label in versions:
            problems.append(Problem(f"entrants.{i}", f"{found.label} is entered twice"))
        else:
            versions[found.label] = found
    if rules is not None:
        fewest, most = rules.players
        if not fewest <= wish.seats <= most:
            message = f"{counted(wish.seats, 'seat')}; these rules are for {span(fewest, most)}"
            problems.append(Problem("seats", message))
    if problems or rules is None:
        raise InvalidInput(problems)
    # Canonical: names and the order of asking change nothing (docs/design.md).
    ordered = sorted(versions.values(), key=lambda one: (one.sha256, one.label))
    try:
        wish.stop.pair([one.label for one in ordered])
    except InvalidInput as error:
        raise InvalidInput(_within("stop", error)) from None
    return rules, ordered
