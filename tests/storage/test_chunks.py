"""A chunk is claimed by one worker at a time and committed once, however many there are."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path

import pytest

from maumau.errors import NotFound
from maumau.storage import Database, ids
from maumau.storage.values import Claim
from tests.storage.stored import NOW, commit, tournament

LATER = NOW + timedelta(seconds=30)


def claim(db: Database, name: str, number: int, worker: str) -> Claim | None:
    with db.begin() as tx:
        return tx.chunks.claim(name, number, worker, until=LATER)


def test_a_claim_holds_until_it_is_given_back(db: Database) -> None:
    tournament(db, "t1", chunks=2)
    held = claim(db, "t1", 0, "w1")
    assert held is not None
    assert (held.chunk.state, held.chunk.claimed_by, held.attempt) == ("claimed", "w1", 1)
    assert claim(db, "t1", 0, "w2") is None
    with db.begin() as tx:
        assert tx.chunks.due(limit=9) == ["t1-1"]
        assert tx.chunks.extend(held, until=LATER + timedelta(seconds=1))
        assert tx.chunks.give_back(held, log="not now")
        assert not tx.chunks.give_back(held)
        assert not tx.chunks.extend(held, until=LATER)
        assert tx.chunks.due(limit=9) == ["t1-0", "t1-1"]
    again = claim(db, "t1", 0, "w1")
    assert again is not None
    assert again.attempt == 2
    assert not commit(db, held)
    assert commit(db, again)
    assert not commit(db, again)


def test_only_running_tournaments_have_work(db: Database) -> None:
    tournament(db, "t1", chunks=1, state="scheduled", started_at=None)
    tournament(db, "t2", chunks=1, started_at=LATER)
    tournament(db, "t3", chunks=1)
    tournament(db, "t4", chunks=1, state="cancelled")
    with db.read() as tx:
        assert tx.chunks.due(limit=9) == ["t3-0", "t2-0"]
        assert tx.chunks.due(limit=1) == ["t3-0"]
        assert tx.chunks.due(limit=9, tournament_id="t2") == ["t2-0"]
    assert claim(db, "t1", 0, "w1") is None
    assert claim(db, "t4", 0, "w1") is None


def test_a_lease_runs_out(db: Database) -> None:
    tournament(db, "t1", chunks=2)
    held = claim(db, "t1", 0, "w1")
    assert held is not None
    assert claim(db, "t1", 1, "w2")
    with db.begin() as tx:
        assert tx.chunks.extend(held, until=LATER + timedelta(seconds=5))
        assert tx.chunks.expire(now=LATER) == []
        (gone,) = tx.chunks.expire(now=LATER + timedelta(seconds=1))
        assert (gone.id, gone.state, gone.deaths) == ("t1-1", "due", 0)
        counts = tx.chunks.counts("t1")
    assert (counts.due, counts.claimed, counts.done, counts.stuck) == (1, 1, 0, 0)


@pytest.mark.parametrize(
    "text", ["", "t1", "t1-", "t1-x", "T1-0", "t1-01", "t1-0-0", "t1-1e3", "x" * 99 + "-1"]
)
def test_an_id_that_is_none_is_not_found(text: str) -> None:
    with pytest.raises(NotFound):
        ids.chunk_place(text)


def test_an_id_names_its_place() -> None:
    assert ids.chunk_place("abc2-17") == ("abc2", 17)
    assert ids.game_place("abc2-0-12-3") == ("abc2", 0, 12, 3)


def test_threads_that_want_the_same_chunk_get_it_once(db: Database) -> None:
    tournament(db, "t1", chunks=20)
    got: list[Claim] = []
    together = threading.Barrier(4)

    def want(worker: str) -> None:
        for number in range(20):
            together.wait(timeout=60)
            taken = claim(db, "t1", number, worker)
            if taken is not None:
                got.append(taken)

    threads = [threading.Thread(target=want, args=(f"w{i}",)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert sorted(one.chunk.number for one in got) == list(range(20))


def start(url: str, worker: str, *hold: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.storage.claimer", url, worker, *hold],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def go(process: subprocess.Popen[str]) -> None:
    """Let a process that is ready begin."""
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def rest(process: subprocess.Popen[str]) -> list[int]:
    """What a process prints until it ends."""
    assert process.stdout is not None
    return [int(line) for line in process.stdout]


def test_many_processes_one_of_them_killed_commit_every_chunk_once(
    db: Database, database_url: str
) -> None:
    tournament(db, "t1", chunks=150)
    doomed = start(database_url, "w0", "1")
    processes = [doomed, *(start(database_url, f"w{i}") for i in (1, 2))]
    try:
        go(doomed)
        assert doomed.stdout is not None
        told = [int(doomed.stdout.readline())]
        # Only then the others: they would leave it nothing where it is slow.
        assert doomed.stdout.readline() == "holding\n"
        for process in processes[1:]:
            go(process)
        doomed.send_signal(signal.SIGKILL)
        for process in processes:
            told += rest(process)
        assert [process.wait(timeout=60) for process in processes] == [-signal.SIGKILL, 0, 0]
    finally:
        for process in processes:
            process.kill()
            process.wait(timeout=60)
    # What the killed one held is due again, and somebody plays it.
    with db.begin() as tx:
        left = tx.chunks.release("w0", blame=True, log="killed")
        assert len(left) == 1
    last = start(database_url, "w9")
    go(last)
    told += rest(last)
    assert last.wait(timeout=60) == 0
    assert sorted(told) == list(range(150))
    with db.read() as tx:
        legs = list(tx.legs.all("t1", at_once=50))
        end = tx.tournaments.get("t1")
        match = tx.tournaments.match("t1", 0)
        counts = tx.chunks.counts("t1")
    assert [leg.block for leg in legs] == list(range(150))
    assert end is not None
    assert match is not None
    assert (end.chunks_done, end.games_played) == (150, 150)
    assert (match.games_played, match.sums) == (150, (150, 300))
    assert counts.done == 150
    assert sorted(told) == list(range(150))
