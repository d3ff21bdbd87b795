"""Whatever dies in the middle of a tournament, and however many workers play: the same bytes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from maumau.storage import Database
from maumau.usecases.export import export_results
from maumau.usecases.verify import verify_tournament
from tests.e2e.arena import Arena, descendants, ended, running, wait_for
from tests.usecases.plugged import source

# One process runs them all: what they share is costly.
pytestmark = pytest.mark.xdist_group("same-bytes")

SEED = "the same for all"
# Nine chunks of 32 blocks, 0.5 to 1 s each: enough for something to happen in the middle.
WANTED: dict[str, Any] = {
    "entrants": ["easy", "medium", "mine"],
    "rules": "gameduell",
    "blocks": 96,
    "seed": SEED,
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bytes")


def schedule(arena: Arena) -> str:
    """Submit a bot of our own, whose choices hang on its rng, and schedule the tournament."""
    file = arena.var.parent / "mine.py"
    file.write_bytes(source("mine", "self.info.rng.randrange(len(obs.legal_actions))"))
    arena.maumau("submit", str(file))
    with arena.client() as client:
        answer = client.post("/tournaments", json=WANTED)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])


def progress(arena: Arena, tournament: str) -> dict[str, Any]:
    with arena.client() as client:
        found: dict[str, Any] = client.get(f"/tournaments/{tournament}").json()
    return found


def finished(arena: Arena, tournament: str) -> tuple[bytes, bytes]:
    """Wait for the end; gives the standings as HTTP tells them, and all results."""
    wait_for(
        lambda: progress(arena, tournament)["state"] == "finished",
        seconds=180,
        what="the end of the tournament",
    )
    with arena.client() as client:
        rows = client.get(f"/tournaments/{tournament}/standings").json()["rows"]
    db = Database(f"sqlite:///{arena.var}/maumau.db")
    assert verify_tournament(db, tournament).differences == ()
    results = export_results(db, tournament)
    db.close()
    return repr(rows).encode(), results


def in_the_middle(arena: Arena, tournament: str) -> None:
    """Wait until something was played, and something is being played, and something is left."""

    def reached() -> bool:
        now = progress(arena, tournament)
        assert now["state"] == "running", "it ended before anything could happen to it"
        chunks = now["progress"]["chunks"]
        return bool(chunks["done"] and chunks["claimed"] and chunks["due"])

    wait_for(reached, what="the middle of the tournament")


@pytest.fixture(scope="module")
def undisturbed(place: Path) -> Iterator[tuple[bytes, bytes]]:
    """What one worker makes of it when nothing happens."""
    with running(place / "undisturbed", workers=1) as arena:
        yield finished(arena, schedule(arena))


def kill_a_worker(arena: Arena) -> None:
    below = {pid: descendants(pid) for pid in arena.workers()}
    victim = max(below, key=lambda pid: len(below[pid]))
    os.kill(victim, signal.SIGKILL)
    for pid in (victim, *below[victim]):
        # The bots that it played end with it.
        ended(pid)


def kill_everything_and_start_again(arena: Arena) -> None:
    arena.kill()
    arena.start()


def stop_everything_and_start_again(arena: Arena) -> None:
    assert arena.stop() == 0
    arena.start()


def lose_the_queue(arena: Arena) -> None:
    os.kill(int(arena.state()["children"]["queue"]), signal.SIGKILL)
    for file in (arena.var / "queue").rglob("*.aof"):
        file.unlink()


@pytest.fixture(scope="module")
def two_workers(place: Path) -> Iterator[Arena]:
    """An arena to which everything happens, one after the other."""
    with running(place / "two", workers=2) as arena:
        yield arena


@pytest.mark.slow
@pytest.mark.parametrize(
    "what",
    [
        kill_a_worker,
        stop_everything_and_start_again,
        kill_everything_and_start_again,
        lose_the_queue,
    ],
)
def test_whatever_dies_the_results_are_the_same_bytes(
    two_workers: Arena, undisturbed: tuple[bytes, bytes], what: Callable[[Arena], None]
) -> None:
    tournament = schedule(two_workers)
    in_the_middle(two_workers, tournament)
    what(two_workers)
    assert finished(two_workers, tournament) == undisturbed


@pytest.mark.slow
def test_four_workers_give_the_same_bytes_as_one(
    place: Path, undisturbed: tuple[bytes, bytes]
) -> None:
    with running(place / "four", workers=4) as arena:
        assert finished(arena, schedule(arena)) == undisturbed
