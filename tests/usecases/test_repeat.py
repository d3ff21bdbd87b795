"""Tournaments that repeat: when, what is missed, each begun once with a seed of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from maumau.errors import InvalidInput
from maumau.storage import Account, Database
from maumau.usecases import cancel, read, start
from maumau.usecases.repeat import Repeat, load_repeat
from maumau.usecases.schedule import schedule
from tests.usecases.plugged import accepted, source
from tests.usecases.standing import EITHER_DATABASE, StandingClock

Entropy = Callable[[int], bytes]
ROOT = Path(__file__).parents[2]


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("cron", "zone", "after", "then"),
    [
        ("0 18 * * FRI", "UTC", "2026-01-02T17:59", ["2026-01-02T18:00", "2026-01-09T18:00"]),
        # Strictly after: the time itself has come.
        ("0 18 * * FRI", "UTC", "2026-01-02T18:00", ["2026-01-09T18:00"]),
        ("0 18 * * *", "Asia/Kolkata", "2026-01-02T00:00", ["2026-01-02T12:30"]),
        # Six in the evening in Berlin is another hour of UTC in summer.
        (
            "0 18 * * *",
            "Europe/Berlin",
            "2026-03-28T12:00",
            ["2026-03-28T17:00", "2026-03-29T16:00"],
        ),
        # 02:30 is left out on 29 March: right after the gap.
        (
            "30 2 * * *",
            "Europe/Berlin",
            "2026-03-28T12:00",
            ["2026-03-29T01:00", "2026-03-30T00:30"],
        ),
        # 02:30 comes twice on 25 October: once.
        (
            "30 2 * * *",
            "Europe/Berlin",
            "2026-10-24T12:00",
            ["2026-10-25T00:30", "2026-10-26T01:30"],
        ),
        # Half-hourly ones are not left out or doubled.
        (
            *("*/30 * * * *", "Europe/Berlin", "2026-10-25T00:00"),
            ["2026-10-25T00:30", "2026-10-25T01:00", "2026-10-25T01:30", "2026-10-25T02:00"],
        ),
        ("0 0 29 2 *", "UTC", "2026-01-01T00:00", ["2028-02-29T00:00"]),
    ],
)
def test_times_come_in_their_zone_across_changes_of_the_clocks(
    cron: str, zone: str, after: str, then: list[str]
) -> None:
    repeat, moment = load_repeat({"cron": cron, "zone": zone}), utc(after)
    for expected in then:
        found = repeat.next_after(moment)
        assert found == utc(expected)
        moment = found


@pytest.mark.parametrize(
    ("value", "path", "says"),
    [
        ("daily", "", "must be an object"),
        ({}, "cron", "must be a cron expression"),
        ({"cron": "* * * *"}, "cron", "has 4 fields"),
        ({"cron": "0 0 0 18 * * FRI"}, "cron", "has 7 fields"),
        ({"cron": "61 * * * *"}, "cron", "minute"),
        ({"cron": "0 0 30 2 *"}, "cron", "Bad day-of-month"),
        ({"cron": "0 0 */20 * 1L"}, "cron", "never comes"),
        ({"cron": "@daily"}, "cron", "has 1 fields"),
        ({"cron": "0 " * 99}, "cron", "must be a cron expression"),
        ({"cron": "0 0 * * *", "zone": "Middle-earth"}, "zone", "is not a time zone"),
        ({"cron": "0 0 * * *", "zone": "../../etc/passwd"}, "zone", "is not a time zone"),
        ({"cron": "0 0 * * *", "zone": None}, "zone", "is not a time zone"),
        ({"cron": "0 0 * * *", "missed": "twice"}, "missed", "one of once, skip, all"),
        ({"cron": "0 0 * * *", "missed": ["once"]}, "missed", "one of once, skip, all"),
        ({"cron": "0 0 * * *", "until": "2030"}, "until", "is not a key"),
    ],
)
def test_what_is_wrong_is_told_with_its_path(value: Any, path: str, says: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        load_repeat(value)
    (problem,) = caught.value.problems
    assert problem.path == path
    assert says in problem.message


@pytest.fixture
def wish(db: Database, clock: StandingClock, ann: Account) -> dict[str, Any]:
    """Two bots every hour."""
    accepted(db, ann, clock(), "aa", "bb")
    repeat = {"cron": "0 * * * *"}
    return {"entrants": ["aa", "bb@1"], "rules": "champion", "blocks": 2, "repeat": repeat}


def series(db: Database, first: str) -> list[read.TournamentView]:
    return list(read.tournaments(db, series=first, sort="created_at").items)


def begin_all(db: Database, clock: StandingClock, entropy: Entropy) -> list[str]:
    begun: list[str] = []
    while more := start.start_due(db, clock, entropy=entropy):
        begun += more
    return begun


def test_each_repetition_is_a_tournament_with_a_seed_of_its_own(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, wish: dict[str, Any]
) -> None:
    first = schedule(db, clock, ann, wish, entropy=entropy).tournament
    assert (first.state, first.start_at) == ("scheduled", utc("2026-01-02T04:00"))
    assert (first.series, first.repetition) == (first.id, 1)
    assert first.repeat == {"cron": "0 * * * *", "zone": "UTC", "missed": "once"}
    assert begin_all(db, clock, entropy) == []
    for _ in range(3):
        clock.turn(hours=1)
        assert len(begin_all(db, clock, entropy)) == 1
    found = series(db, first.id)
    assert [one.repetition for one in found] == [1, 2, 3, 4]
    assert [one.state for one in found] == ["running"] * 3 + ["scheduled"]
    assert found[-1].start_at == utc("2026-01-02T07:00")
    assert len({one.seed_commitment for one in found}) == 4
    assert not any(one.open_seed or one.seed for one in found)
    assert all(one.progress == found[0].progress for one in found)
    assert all(read.standings(db, one.id).complete is False for one in found)


@EITHER_DATABASE
def test_it_begins_not_before_its_start(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, wish: dict[str, Any]
) -> None:
    later = wish | {"start_at": "2026-02-01T12:00:00Z"}
    made = schedule(db, clock, ann, later, entropy=entropy).tournament
    # The start itself is one of its times.
    assert made.start_at == utc("2026-02-01T12:00")
    with pytest.raises(InvalidInput, match="each repetition draws its own"):
        schedule(db, clock, ann, wish | {"seed": "s"}, entropy=entropy)
    with pytest.raises(InvalidInput, match=r"repeat\.cron"):
        schedule(db, clock, ann, wish | {"repeat": {"cron": "x"}}, entropy=entropy)


@pytest.mark.parametrize(("missed", "begun"), [("once", 1), ("skip", 0), ("all", 5)])
def test_what_was_missed_is_made_up_for_as_was_wished(
    db: Database,
    clock: StandingClock,
    entropy: Entropy,
    ann: Account,
    wish: dict[str, Any],
    missed: str,
    begun: int,
) -> None:
    wish["repeat"]["missed"] = missed
    first = schedule(db, clock, ann, wish, entropy=entropy).tournament
    # Nothing ran from 3:04 to 8:30: five times were missed.
    clock.now = utc("2026-01-02T08:30")
    assert len(begin_all(db, clock, entropy)) == begun
    waiting = [one for one in series(db, first.id) if one.state == "scheduled"]
    assert [one.start_at for one in waiting] == [utc("2026-01-02T09:00")]
    # A little late is not missed.
    clock.now = utc("2026-01-02T09:03")
    assert len(begin_all(db, clock, entropy)) == 1


def test_no_more_than_a_day_is_made_up_for(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, wish: dict[str, Any]
) -> None:
    wish["repeat"]["missed"] = "all"
    schedule(db, clock, ann, wish, entropy=entropy)
    # The first, which was missed three months ago, and those of the last 24 hours.
    clock.now = utc("2026-04-02T08:30")
    assert len(begin_all(db, clock, entropy)) == 25


@EITHER_DATABASE
def test_the_youngest_versions_play_when_it_begins(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, wish: dict[str, Any]
) -> None:
    first = schedule(db, clock, ann, wish, entropy=entropy).tournament
    assert {one.label for one in first.entrants} == {"aa@1", "bb@1"}
    younger = [source(name, "-1") for name in ("aa", "bb")]
    accepted(db, ann, clock(), "aa", "bb", contents=younger)
    clock.turn(hours=1)
    begin_all(db, clock, entropy)
    began, following = series(db, first.id)
    # What was asked for by its number stays.
    for one in (began, following):
        assert {entrant.label for entrant in one.entrants} == {"aa@2", "bb@1"}
    rows = read.standings(db, began.id).rows
    assert {row["entrant"] for row in rows} == {"aa@2", "bb@1"}


@EITHER_DATABASE
def test_a_series_ends_when_its_next_one_is_cancelled_or_a_bot_is_gone(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, wish: dict[str, Any]
) -> None:
    first = schedule(db, clock, ann, wish, entropy=entropy).tournament
    cancel.cancel(db, clock, ann, first.id)
    other = schedule(db, clock, ann, wish, entropy=entropy).tournament
    with db.begin() as tx:
        found = tx.bots.by_name("bb")
        assert found is not None
        version = tx.bots.by_number(found.id, 1)
        assert version is not None
        tx.bots.withdraw(version.id, now=clock())
    clock.turn(hours=1)
    assert begin_all(db, clock, entropy) == [other.id]
    assert [one.state for one in series(db, first.id)] == ["cancelled"]
    assert [one.state for one in series(db, other.id)] == ["running"]


STARTER = """
import os, sys
from datetime import datetime, timedelta
from maumau.storage import Database
from maumau.usecases.start import start_due

db, now = Database(sys.argv[1]), datetime.fromisoformat(sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
begun = []
for hour in range(6):
    begun += start_due(db, lambda: now + timedelta(hours=hour), entropy=os.urandom)
print(*begun, flush=True)
"""


def test_four_processes_begin_each_repetition_once(
    db: Database,
    database_url: str,
    clock: StandingClock,
    entropy: Entropy,
    ann: Account,
    wish: dict[str, Any],
) -> None:
    first = schedule(db, clock, ann, wish, entropy=entropy).tournament
    assert first.start_at is not None
    command = [sys.executable, "-c", STARTER, database_url, first.start_at.isoformat()]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": ROOT}
    processes = [subprocess.Popen(command, **pipes) for _ in range(4)]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    begun = [one for process in processes for one in process.communicate(timeout=120)[0].split()]
    assert [process.returncode for process in processes] == [0] * 4
    found = series(db, first.id)
    assert [one.repetition for one in found] == list(range(1, len(found) + 1))
    assert sorted(begun) == sorted(one.id for one in found if one.state == "running")
    assert len(begun) == 6
    times = [one.start_at for one in found]
    assert times == [first.start_at + timedelta(hours=hour) for hour in range(7)]


def test_a_repetition_is_read_back_as_it_was_kept() -> None:
    repeat = Repeat("0 0 * * *", "Europe/Berlin", "skip")
    assert load_repeat(repeat.to_dict()) == repeat
