"""Faults thrown at a running arena, and the results compared with those of an undisturbed run.

`./run chaos` throws two hundred; the tests throw a few. Which fault comes next is drawn from a
seed; where it hits is left to chance.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from redis import Redis
from redis.exceptions import RedisError

from maumau.storage import Database
from maumau.usecases.export import export_results
from maumau.usecases.verify import verify_tournament
from tests.e2e.arena import Arena, is_alive, running, wait_for

WANTED: dict[str, Any] = {
    "entrants": ["random", "easy", "medium"],
    "rules": "gameduell",
    "blocks": 96,
    "seed": "chaos",
}
END_SECONDS = 300.0
PAUSE_SECONDS = (0.2, 1.5)
STOPPED_SECONDS = 1.5


def child(name: str) -> Callable[[Arena], None]:
    def kill(arena: Arena) -> None:
        os.kill(int(arena.state()["children"][name]), signal.SIGKILL)

    return kill


def kill_a_worker(arena: Arena) -> None:
    os.kill(random.choice(arena.workers()), signal.SIGKILL)


def hold_a_worker(arena: Arena) -> None:
    pid = random.choice(arena.workers())
    os.kill(pid, signal.SIGSTOP)
    time.sleep(STOPPED_SECONDS)
    if is_alive(pid):
        os.kill(pid, signal.SIGCONT)


def hold_the_api(arena: Arena) -> None:
    pid = int(arena.state()["children"]["api"])
    os.kill(pid, signal.SIGSTOP)
    time.sleep(STOPPED_SECONDS)
    os.kill(pid, signal.SIGCONT)


def empty_the_queue(arena: Arena) -> None:
    Redis.from_url(arena.state()["queue"]).flushall()


def lose_connections(arena: Arena) -> None:
    Redis.from_url(arena.state()["queue"]).execute_command("CLIENT", "KILL", "TYPE", "normal")


def crash(arena: Arena) -> None:
    arena.kill()
    arena.start()


def stop(arena: Arena) -> None:
    assert arena.stop() == 0
    arena.start()


FAULTS: dict[str, Callable[[Arena], None]] = {
    "worker killed": kill_a_worker,
    "pool killed": child("workers"),
    "api killed": child("api"),
    "queue killed": child("queue"),
    "worker held": hold_a_worker,
    "api held": hold_the_api,
    "queue emptied": empty_the_queue,
    "queue connections cut": lose_connections,
    "everything crashed": crash,
    "everything stopped": stop,
}


def throw(arena: Arena, name: str) -> bool:
    """Let a fault happen; False where there was nothing to hit just then."""
    try:
        FAULTS[name](arena)
    except (KeyError, IndexError, ProcessLookupError, RedisError):
        # What it was for is being started again.
        return False
    return True


def play(arena: Arena, chance: random.Random, faults: int, thrown: Counter[str]) -> bytes:
    """Play the tournament while faults are thrown; gives its results."""
    with arena.client() as client:
        answer = client.post("/tournaments", json=WANTED)
        assert answer.status_code == 201, answer.text
        tournament = str(answer.json()["id"])
    deadline = time.monotonic() + END_SECONDS
    while (state := state_of(arena, tournament)) != "finished":
        assert state in ("running", ""), state
        assert time.monotonic() < deadline, f"the tournament did not end; thrown: {thrown}"
        time.sleep(chance.uniform(*PAUSE_SECONDS))
        if thrown.total() < faults and throw(arena, name := chance.choice(sorted(FAULTS))):
            thrown[name] += 1
    wait_for(arena._is_up, what="the arena is up")
    db = Database(f"sqlite:///{arena.var}/maumau.db")
    assert verify_tournament(db, tournament).differences == ()
    results = export_results(db, tournament)
    db.close()
    return results


def state_of(arena: Arena, tournament: str) -> str:
    """Give the tournament's state, or nothing while the API is being started again."""
    try:
        answer = httpx.get(f"{arena.server}/api/v1/tournaments/{tournament}", timeout=10)
    except httpx.HTTPError:
        return ""
    return str(answer.json()["state"]) if answer.status_code == 200 else ""


def survive(place: Path, faults: int, seed: int, say: Callable[[str], None]) -> Counter[str]:
    """Play again and again until so many faults were thrown; all results must be the same bytes."""
    chance, thrown = random.Random(seed), Counter[str]()
    with running(place / "var", workers=2) as arena:
        expected = play(arena, chance, 0, thrown)
        while thrown.total() < faults:
            assert play(arena, chance, faults, thrown) == expected
            say(f"{thrown.total()} of {faults} faults thrown, all results the same bytes")
    return thrown


def main() -> int:
    """Throw faults and tell what was survived."""
    parser = argparse.ArgumentParser(prog="./run chaos", description=__doc__)
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="maumau-chaos-") as place:
        thrown = survive(Path(place), options.faults, options.seed, print)
    for name, number in sorted(thrown.items()):
        print(f"{number:5}  {name}")
    print(f"{thrown.total()} faults injected, {thrown.total()} survived")
    return 0


if __name__ == "__main__":
    sys.exit(main())
