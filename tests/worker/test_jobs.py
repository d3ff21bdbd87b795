from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from maumau.errors import Unavailable
from maumau.settings import load
from maumau.storage import Account, Database
from maumau.usecases import check_bot, due, play, read, submit_bot
from maumau.usecases.verify import verify_tournament
from tests.usecases.plugged import source
from tests.usecases.standing import EITHER_DATABASE
from tests.worker.conftest import Clock
from worker import jobs, process
from worker.process import This

Begin = Callable[..., str]


@pytest.fixture
def this(db: Database, clock: Clock, tmp_path: Path) -> Iterator[This]:
    settings = load({"MAUMAU_VAR": str(tmp_path), "MAUMAU_UPLOADS": "unsafe"})
    made = This(settings, db, clock, "worker-of-the-test", 0)
    process.become(made)
    yield made
    process._this = None


@EITHER_DATABASE
def test_a_job_plays_its_chunk_and_then_what_else_is_due(
    this: This, begin: Begin, db: Database, clock: Clock
) -> None:
    one = begin(blocks=64)
    # The clock stands still: there is time for all.
    jobs.play_chunk(f"{one}-1")
    assert read.tournament(db, one).state == "finished"
    assert verify_tournament(db, one).differences == ()


@pytest.mark.parametrize(("step", "chunks"), [(0.6, [3, 0]), (86_400.0, [3]), (-86_400.0, [3])])
def test_a_job_ends_when_it_has_played_for_long_enough_or_its_clock_jumped(
    this: This,
    begin: Begin,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    step: float,
    chunks: list[int],
) -> None:
    one = begin()
    played: list[str] = []

    def play_chunk(_db: object, _clock: object, chunk: str, *_: object, **__: object) -> bool:
        played.append(chunk)
        clock.now += timedelta(seconds=step)
        return True

    monkeypatch.setattr(play, "play_chunk", play_chunk)
    jobs.play_chunk(f"{one}-3")
    assert played == [f"{one}-{number}" for number in chunks]


def test_a_job_begins_nothing_more_when_told_to_stop(
    this: This, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = begin()
    played: list[str] = []

    def play_chunk(_db: object, _clock: object, chunk: str, *_: object, **__: object) -> bool:
        played.append(chunk)
        this.stopping = True
        return True

    monkeypatch.setattr(play, "play_chunk", play_chunk)
    jobs.play_chunk(f"{one}-3")
    assert played == [f"{one}-3"]


def test_a_job_whose_chunk_was_played_does_nothing(
    this: This, begin: Begin, db: Database, clock: Clock
) -> None:
    one = begin(blocks=10)
    jobs.play_chunk(f"{one}-0")
    before = read.standings(db, one)
    jobs.play_chunk(f"{one}-0")
    assert read.standings(db, one) == before


def test_workers_begin_at_different_places(this: This, begin: Begin) -> None:
    one = begin()
    this.number = 2
    assert jobs._due(this) == [f"{one}-{n}" for n in (2, 3, 4, 5, 0, 1)]


def test_what_cannot_be_played_here_is_left_alone_for_a_while(
    this: This, begin: Begin, db: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = begin(blocks=64)
    tried: list[str] = []

    def play_chunk(_db: object, _clock: object, chunk: str, *_: object, **__: object) -> bool:
        tried.append(chunk)
        raise Unavailable("plugin_missing", "another release")

    monkeypatch.setattr(play, "play_chunk", play_chunk)
    jobs.play_chunk(f"{one}-0")
    jobs.play_chunk(f"{one}-0")
    assert tried == [f"{one}-0", f"{one}-1"]
    clock.now += timedelta(seconds=jobs.PAUSE_SECONDS)
    assert jobs._due(this) == [f"{one}-0", f"{one}-1"]
    assert due.due_chunks(db, clock) == [f"{one}-0", f"{one}-1"]


@EITHER_DATABASE
def test_a_check_is_made_once(this: This, db: Database, clock: Clock, admin: Account) -> None:
    version = submit_bot.submit(
        db,
        clock,
        admin,
        name="lowest",
        filename="lowest.py",
        content=source("lowest"),
        uploads="unsafe",
    ).version
    jobs.check_bot(str(version.id))
    with db.read() as tx:
        first = tx.bots.version(version.id)
    assert first is not None
    assert first.state == "accepted"
    jobs.check_bot(version.id)
    with db.read() as tx:
        assert tx.bots.version(version.id) == first


def test_a_check_that_cannot_be_made_here_stays_pending(
    this: This, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def check(_db: object, _clock: object, version_id: int, *_: object, **__: object) -> None:
        asked.append(version_id)
        raise Unavailable("sandbox", "no cage here")

    monkeypatch.setattr(check_bot, "check", check)
    jobs.check_bot(7)
    jobs.check_bot(7)
    assert asked == [7]


def test_there_is_nothing_outside_a_worker() -> None:
    with pytest.raises(AssertionError, match="not a worker"):
        process.current()
