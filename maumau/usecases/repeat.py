"""When a repeating tournament is played: a cron expression in a time zone, and what is missed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Literal, cast
from zoneinfo import ZoneInfo, available_timezones

from cronsim import CronSim, CronSimError

from maumau.errors import InvalidInput, Problem

Missed = Literal["once", "skip", "all"]
MISSED: tuple[Missed, ...] = ("once", "skip", "all")
LONGEST_CRON = 120
LATE = timedelta(minutes=5)
"""A time that is further in the past than this was missed: nobody was there to begin."""
MADE_UP = timedelta(days=1)
"""How far back each missed time is made up for (`all`)."""

KEYS = ("cron", "zone", "missed")


@dataclass(frozen=True, slots=True)
class Repeat:
    """When to play again.

    `cron`: five fields (minute, hour, day, month, weekday), `zone`: in whose clock, by its IANA
    name. Where times were missed because nothing ran then, one tournament is played for all of
    them (`once`), none (`skip`), or each of the last day is made up for (`all`).
    """

    cron: str
    zone: str = "UTC"
    missed: Missed = "once"

    def next_after(self, moment: datetime) -> datetime | None:
        """Give the first time after `moment` (UTC), None where none comes.

        Across a change of the clocks as Debian's cron does: a time that is left out comes right
        after the gap, one that comes twice is taken once (of hourly ones each).
        """
        times = CronSim(self.cron, moment.astimezone(ZoneInfo(self.zone)))
        try:
            return next(times).astimezone(UTC)
        except (StopIteration, OverflowError):
            return None

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain JSON values."""
        return {"cron": self.cron, "zone": self.zone, "missed": self.missed}


def load_repeat(value: object) -> Repeat:
    """Read `{"cron", "zone", "missed"}`; raises `InvalidInput` with the path of each bad value."""
    if not isinstance(value, dict):
        raise InvalidInput([Problem("", 'must be an object like {"cron": "0 18 * * FRI"}')])
    problems = [
        Problem(str(key)[:60], f"is not a key of a repetition; known: {', '.join(KEYS)}")
        for key in value
        if key not in KEYS
    ]
    cron, zone = value.get("cron"), value.get("zone", "UTC")
    missed = value.get("missed", "once")
    problems += [Problem("cron", said)] if (said := _wrong_cron(cron)) else []
    if not isinstance(zone, str) or zone not in _zones():
        message = "is not a time zone; they are called like Europe/Berlin, or UTC"
        problems.append(Problem("zone", message))
    if missed not in MISSED:
        problems.append(Problem("missed", f"must be one of {', '.join(MISSED)}"))
    if problems:
        raise InvalidInput(problems)
    return Repeat(cast(str, cron), cast(str, zone), cast(Missed, missed))


def _wrong_cron(cron: object) -> str:
    """Say what is wrong with a cron expression, or nothing."""
    like = 'like "0 18 * * FRI": minute, hour, day of the month, month, day of the week'
    if not isinstance(cron, str) or len(cron) > LONGEST_CRON or not cron.isascii():
        return f"must be a cron expression {like}"
    if len(cron.split()) != 5:
        return f"has {len(cron.split())} fields; five are needed, {like}"
    try:
        next(CronSim(cron, datetime(2024, 1, 1, tzinfo=UTC)))
    except CronSimError as error:
        return f"{error}: five fields {like}"
    except StopIteration:
        return "never comes: no such day in the next fifty years"
    return ""


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())
