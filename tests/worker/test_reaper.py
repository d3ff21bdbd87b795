from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from redis import Redis
from rq import Queue
from rq.job import Job
from rq.serializers import JSONSerializer

from maumau.errors import Unavailable
from maumau.storage import Account, Database
from maumau.usecases import due, play, read, submit_bot
from tests.worker.conftest import Clock
from worker import names
from worker.queue import NAME
from worker.reaper import FEEDING, Reaper

Begin = Callable[..., str]
LEASE = timedelta(seconds=30)


class Watched:
    """A reaper that finds it time for everything at each tick, and its queue."""

    def __init__(self, db: Database, clock: Clock, url: str, dead: set[str]):
        self.redis = Redis.from_url(url)
        self.queue = Queue(NAME, connection=self.redis, serializer=JSONSerializer)
        self.reaper = Reaper(
            db,
            clock,
            url,
            workers=2,
            is_dead=dead.__contains__,
            timer=map(float, itertools.count(100, 100)).__next__,
        )

    def tick(self) -> list[tuple[str, object]]:
        """Let it work; gives the jobs that wait then."""
        self.redis.delete(FEEDING)
        self.reaper.tick()
        jobs = [Job.fetch(i, self.redis, JSONSerializer) for i in self.queue.get_job_ids()]
        return [(job.func_name.rpartition(".")[2], job.args[0]) for job in jobs]


@pytest.fixture
def dead() -> set[str]:
    return set()


@pytest.fixture
def watched(db: Database, clock: Clock, queue_url: str, dead: set[str]) -> Watched:
    return Watched(db, clock, queue_url, dead)


def claim(db: Database, clock: Clock, chunk: str, worker: str) -> play.Work:
    work = play.claim(db, clock, chunk, worker, lease=LEASE)
    assert work is not None
    return work


def test_due_chunks_are_enqueued_as_far_as_the_workers_need(watched: Watched, begin: Begin) -> None:
    assert watched.tick() == []
    one = begin()
    assert watched.tick() == [("play_chunk", f"{one}-{n}") for n in range(4)]
    # There is enough; nothing is enqueued twice.
    assert len(watched.tick()) == 4


def test_what_the_queue_lost_is_enqueued_again(watched: Watched, begin: Begin) -> None:
    begin()
    before = watched.tick()
    watched.redis.flushall()
    assert watched.tick() == before != []


def test_one_host_at_a_time_feeds_the_queue(watched: Watched, begin: Begin) -> None:
    begin()
    watched.redis.set(FEEDING, "another host")
    watched.reaper.tick()
    assert watched.queue.count == 0


def test_a_check_comes_before_the_chunks(
    watched: Watched, begin: Begin, db: Database, clock: Clock, admin: object
) -> None:
    begin()
    version = submit_bot.submit(
        db,
        clock,
        admin,  # type: ignore[arg-type]
        name="mine",
        filename="mine.py",
        content=b"x",
        uploads="unsafe",
    ).version
    assert watched.tick()[0] == ("check_bot", version.id)


def test_what_the_dead_held_is_due_again_and_what_the_living_hold_is_not(
    watched: Watched, begin: Begin, db: Database, clock: Clock, dead: set[str]
) -> None:
    one = begin()
    claim(db, clock, f"{one}-0", "gone")
    claim(db, clock, f"{one}-1", "here")
    dead.add("gone")
    watched.tick()
    assert f"{one}-0" in due.due_chunks(db, clock)
    assert f"{one}-1" not in due.due_chunks(db, clock)
    with db.read() as tx:
        chunk = tx.chunks.get(one, 0)
    assert chunk is not None
    # Who ended it is not known: no blame.
    assert chunk.deaths == 0


def test_three_deaths_to_blame_set_a_chunk_aside(
    watched: Watched, begin: Begin, db: Database, clock: Clock, dead: set[str]
) -> None:
    one = begin()
    for number in range(3):
        claim(db, clock, f"{one}-0", f"here-{number}-9")
        claim(db, clock, f"{one}-1", f"here-1{number}-9")
        dead |= {f"here-{number}-9", f"here-1{number}-9"}
        watched.reaper.worker_ended(blamed=number, how=f"worker {number} ended: signal SIGSEGV")
    with db.read() as tx:
        (stuck,) = tx.chunks.stuck(one)
    assert stuck.number == 0
    assert "signal SIGSEGV" in stuck.log
    with db.read() as tx:
        beside = tx.chunks.get(one, 1)
    # What another worker held that was found dead in the same look is not blamed.
    assert beside is not None
    assert (beside.state, beside.deaths) == ("due", 0)
    assert read.tournament(db, one).state == "running"


def test_a_worker_elsewhere_that_shows_no_sign_of_life_loses_its_chunk(
    watched: Watched, begin: Begin, db: Database, clock: Clock
) -> None:
    one = begin()
    claim(db, clock, f"{one}-0", "elsewhere")
    watched.tick()
    assert f"{one}-0" not in due.due_chunks(db, clock)
    clock.now += LEASE + timedelta(seconds=1)
    watched.tick()
    assert f"{one}-0" in due.due_chunks(db, clock)


@pytest.mark.parametrize("jump", [timedelta(days=1), timedelta(days=-1)])
def test_however_often_a_lease_runs_out_no_chunk_is_set_aside_for_it(
    watched: Watched, begin: Begin, db: Database, clock: Clock, jump: timedelta
) -> None:
    """A clock that jumps, a worker that is held, a network that is cut: nobody saw a death."""
    one = begin()
    for number in range(5):
        claim(db, clock, f"{one}-0", f"elsewhere-{number}-1")
        clock.now += jump
        watched.tick()
        if jump < timedelta(0):
            # Back again, and past the lease.
            clock.now += LEASE - jump + timedelta(seconds=1)
            watched.tick()
        assert f"{one}-0" in due.due_chunks(db, clock)
    with db.read() as tx:
        chunk = tx.chunks.get(one, 0)
    assert chunk is not None
    assert (chunk.state, chunk.deaths, chunk.attempts) == ("due", 0, 5)


def test_a_lease_that_a_clock_ahead_left_behind_does_not_hold_for_ever(
    watched: Watched, begin: Begin, db: Database, clock: Clock
) -> None:
    one = begin()
    clock.now += timedelta(days=1)
    claim(db, clock, f"{one}-0", "gone-1-1")
    alive = claim(db, clock, f"{one}-1", "here-1-1")
    clock.now -= timedelta(days=1)
    for _ in range(3):
        watched.tick()
        clock.now += timedelta(seconds=1)
        assert play.heartbeat(db, clock, alive.claim, lease=LEASE)
    assert f"{one}-0" in due.due_chunks(db, clock)
    with db.read() as tx:
        gone, here = tx.chunks.get(one, 0), tx.chunks.get(one, 1)
    assert gone is not None
    assert here is not None
    assert (gone.state, gone.deaths) == ("due", 0)
    # Who shows signs of life keeps what he holds, whatever his clock said before.
    assert (here.state, here.attempts) == ("claimed", 1)


def test_a_check_that_a_clock_ahead_left_behind_is_due_again(
    watched: Watched, db: Database, clock: Clock, admin: Account
) -> None:
    gone, here = (
        submit_bot.submit(
            db,
            clock,
            admin,
            name=name,
            filename=f"{name}.py",
            content=name.encode(),
            uploads="unsafe",
        ).version.id
        for name in ("one", "two")
    )
    held = timedelta(seconds=60)
    ahead = clock.now + timedelta(days=1)
    with db.begin() as tx:
        for version, worker in ((gone, "gone-1-1"), (here, "here-1-1")):
            assert tx.bots.claim_check(version, worker, now=ahead, until=ahead + held) == 1
    for second in range(3):
        watched.tick()
        with db.begin() as tx:
            until = clock.now + held + timedelta(seconds=second)
            assert tx.bots.extend_check(here, "here-1-1", until=until)
    assert due.due_checks(db, clock) == [gone]
    with db.begin() as tx:
        assert not tx.bots.extend_check(gone, "gone-1-1", until=ahead + held)
        # Nobody saw a death: the attempt does not count.
        assert tx.bots.claim_check(gone, "here-1-2", now=clock.now, until=clock.now + held) == 1


def test_a_scheduled_tournament_begins_when_its_time_has_come(
    watched: Watched, begin: Begin, db: Database, clock: Clock
) -> None:
    one = begin(start_at=(clock.now + timedelta(hours=1)).isoformat())
    assert watched.tick() == []
    clock.now += timedelta(hours=1)
    assert watched.tick() == [("play_chunk", f"{one}-{n}") for n in range(4)]
    assert read.tournament(db, one).state == "running"


def test_a_queue_that_is_away_does_not_stop_it(
    db: Database, clock: Clock, begin: Begin, dead: set[str]
) -> None:
    one = begin()
    claim(db, clock, f"{one}-0", "gone")
    dead.add("gone")
    away = Watched(db, clock, "unix:///nowhere/queue.sock", dead)
    away.reaper.tick()
    assert f"{one}-0" in due.due_chunks(db, clock)


def test_a_database_that_is_away_does_not_stop_it(
    watched: Watched, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin()

    def away(*_: object) -> Iterator[object]:
        raise Unavailable("database", "the database is out of reach", retry_after=5)

    with monkeypatch.context() as patch:
        patch.setattr("maumau.storage.Database.read", away)
        watched.reaper.tick()
        watched.reaper.worker_ended(blamed=1, how="")
        assert watched.queue.count == 0
    assert len(watched.tick()) == 4


def test_the_hosts_own_workers_are_told_apart_by_their_names() -> None:
    assert Reaper.__dataclass_fields__["is_dead"].default is names.is_dead
