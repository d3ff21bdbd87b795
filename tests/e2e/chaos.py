"""Faults thrown at a running arena, and the results compared with those of an undisturbed run.

`./run chaos` throws two hundred, half of them at an arena on SQLite and half at one on PostgreSQL;
the tests throw a few. In which order they come is drawn from a seed; where each hits is left to
chance.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from redis import Redis
from redis.exceptions import RedisError

from maumau.storage import Database
from maumau.usecases.export import export_results
from maumau.usecases.verify import verify_tournament
from tests.e2e.arena import Arena, descendants, is_alive, wait_for
from tests.e2e.postgresql import Postgresql

WANTED: dict[str, Any] = {
    "entrants": ["random", "easy", "medium"],
    "rules": "gameduell",
    "blocks": 96,
    "seed": "chaos",
}
END_SECONDS = 300.0
PAUSE_SECONDS = (0.2, 1.5)
STOPPED_SECONDS = 1.5
AWAY_SECONDS = 3.0
DISK_MEGABYTES = 192
JUMPS = (-86_400, -3_600, -40, 0, 40, 3_600, 86_400)
JUMPING = Path(__file__).parent / "jumping"


@dataclass
class House:
    """An arena with all that faults need to get at it."""

    arena: Arena
    clock: Path
    disk: Path | None
    """Where its files are a small file system of their own; else they are limited one by one."""
    postgresql: Postgresql | None = None
    chance: random.Random = field(default_factory=random.Random)

    @property
    def database_url(self) -> str:
        if self.postgresql is not None:
            return self.postgresql.url
        return f"sqlite:///{self.arena.var}/maumau.db"


def child(name: str) -> Callable[[House], None]:
    def kill(house: House) -> None:
        os.kill(int(house.arena.state()["children"][name]), signal.SIGKILL)

    return kill


def kill_a_worker(house: House) -> None:
    os.kill(house.chance.choice(house.arena.workers()), signal.SIGKILL)


def hold_a_worker(house: House) -> None:
    hold(house.chance.choice(house.arena.workers()))


def hold_the_api(house: House) -> None:
    hold(int(house.arena.state()["children"]["api"]))


def hold(pid: int) -> None:
    os.kill(pid, signal.SIGSTOP)
    time.sleep(STOPPED_SECONDS)
    if is_alive(pid):
        os.kill(pid, signal.SIGCONT)


def empty_the_queue(house: House) -> None:
    Redis.from_url(house.arena.state()["queue"]).flushall()


def cut_queue_connections(house: House) -> None:
    Redis.from_url(house.arena.state()["queue"]).execute_command("CLIENT", "KILL", "TYPE", "normal")


def crash(house: House) -> None:
    house.arena.kill()
    house.arena.start()


def stop(house: House) -> None:
    assert house.arena.stop() == 0
    house.arena.start()


def jump(house: House) -> None:
    """Set the clock of all processes forward or back, for good."""
    house.clock.write_text(str(house.chance.choice(JUMPS)))


def fill_the_disk(house: House) -> None:
    """Let nothing more be written for a while."""
    with no_space(house):
        time.sleep(AWAY_SECONDS)


@contextmanager
def no_space(house: House) -> Iterator[None]:
    if house.disk is not None:
        ballast = house.disk / "ballast"
        try:
            with suppress(OSError), ballast.open("wb", buffering=0) as file:
                while True:
                    file.write(bytes(65536))
            yield
        finally:
            ballast.unlink()
        return
    assert house.arena.process is not None
    limited = descendants(house.arena.process.pid)
    try:
        limit(limited, 1)
        yield
    finally:
        limit(limited, resource.RLIM_INFINITY)


def limit(processes: set[int], most: int) -> None:
    for pid in processes:
        with suppress(ProcessLookupError, PermissionError):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


def restart_the_database(how: signal.Signals, away: float) -> Callable[[House], None]:
    def restart(house: House) -> None:
        assert house.postgresql is not None
        house.postgresql.stop(how)
        time.sleep(away)
        house.postgresql.start()

    return restart


def cut_database_connections(house: House) -> None:
    assert house.postgresql is not None
    house.postgresql.cut_connections()


FAULTS: dict[str, Callable[[House], None]] = {
    "worker killed": kill_a_worker,
    "pool killed": child("workers"),
    "api killed": child("api"),
    "queue killed": child("queue"),
    "worker held": hold_a_worker,
    "api held": hold_the_api,
    "queue emptied": empty_the_queue,
    "queue connections cut": cut_queue_connections,
    "everything crashed": crash,
    "everything stopped": stop,
    "clock jumped": jump,
    "disk full": fill_the_disk,
}
ON_POSTGRESQL: dict[str, Callable[[House], None]] = {
    **{name: fault for name, fault in FAULTS.items() if name != "disk full"},
    "database restarted": restart_the_database(signal.SIGINT, 0.0),
    "database crashed": restart_the_database(signal.SIGQUIT, 0.0),
    "database away": restart_the_database(signal.SIGINT, AWAY_SECONDS),
    "database connections cut": cut_database_connections,
}


def throw(house: House, fault: Callable[[House], None]) -> bool:
    """Let a fault happen; False where there was nothing to hit just then."""
    try:
        fault(house)
    except (KeyError, IndexError, ProcessLookupError, RedisError):
        # What it was for is being started again.
        return False
    return True


class Deck:
    """The faults to come: all kinds in drawn order, again and again."""

    def __init__(self, names: Sequence[str], number: int, chance: random.Random):
        self._names, self._left, self._chance = list(names), number, chance
        self._hand: list[str] = []

    def draw(self) -> str | None:
        """Give the next, or None when enough have come."""
        if not self._left:
            return None
        if not self._hand:
            self._hand = self._chance.sample(self._names, len(self._names))
        self._left -= 1
        return self._hand.pop()

    def put_back(self, name: str) -> None:
        """There was nothing to hit: it is to come again."""
        self._hand.insert(0, name)
        self._left += 1


def play(
    house: House, deck: Deck, faults: dict[str, Callable[[House], None]], thrown: Counter[str]
) -> bytes:
    """Play the tournament while faults are thrown; gives its results."""
    arena, chance = house.arena, house.chance
    with arena.client() as client:
        answer = client.post("/tournaments", json=WANTED)
        assert answer.status_code == 201, answer.text
        tournament = str(answer.json()["id"])
    deadline = time.monotonic() + END_SECONDS
    while (state := state_of(arena, tournament)) != "finished":
        assert state in ("running", ""), state
        assert time.monotonic() < deadline, stands(house, tournament, thrown)
        time.sleep(chance.uniform(*PAUSE_SECONDS))
        if (name := deck.draw()) is not None:
            if throw(house, faults[name]):
                thrown[name] += 1
                # So long after the last of them it must have ended.
                deadline = time.monotonic() + END_SECONDS
            else:
                deck.put_back(name)
    wait_for(arena._is_up, what="the arena is up")
    db = Database(house.database_url)
    assert verify_tournament(db, tournament).differences == ()
    with db.read() as tx:
        assert not tx.chunks.stuck(tournament), "chunks were set aside"
    results = export_results(db, tournament)
    db.close()
    return results


def stands(house: House, tournament: str, thrown: Counter[str]) -> str:
    """Say how a tournament that does not end stands, and what was logged last."""
    db = Database(house.database_url)
    with db.read() as tx:
        counts, holders = tx.chunks.counts(tournament), tx.chunks.holders()
    db.close()
    lines = [f"the tournament did not end: {counts}, held by {holders}; thrown: {dict(thrown)}"]
    for file in sorted((house.arena.var / "log").glob("*.log")):
        lines += [f"--- {file.name}", *file.read_text(errors="replace").splitlines()[-40:]]
    return "\n".join(lines)


def state_of(arena: Arena, tournament: str) -> str:
    """Give the tournament's state, or nothing while the API is being started again."""
    try:
        answer = httpx.get(f"{arena.server}/api/v1/tournaments/{tournament}", timeout=10)
    except httpx.HTTPError:
        return ""
    return str(answer.json()["state"]) if answer.status_code == 200 else ""


def small_disk(place: Path, stack: ExitStack) -> Path | None:
    """Mount a small file system of its own, where that is allowed."""
    disk = place / "disk"
    disk.mkdir(parents=True)
    if os.geteuid() != 0:
        return None
    options = ["-t", "tmpfs", "-o", f"size={DISK_MEGABYTES}m,mode=700", "chaos", str(disk)]
    if subprocess.run(["mount", *options], capture_output=True).returncode:
        return None
    stack.callback(subprocess.run, ["umount", "-l", str(disk)], check=False)
    return disk


@contextmanager
def housed(place: Path, seed: int, *, postgresql: bool) -> Iterator[House]:
    """Run an arena that faults may be thrown at."""
    with ExitStack() as stack:
        clock = place / "clock"
        place.mkdir(parents=True, exist_ok=True)
        path = os.pathsep.join(filter(None, (str(JUMPING), os.environ.get("PYTHONPATH"))))
        env = {"PYTHONPATH": path, "CHAOS_CLOCK": str(clock)}
        server = disk = None
        if postgresql:
            server = Postgresql()
            stack.callback(server.remove)
            env["MAUMAU_DATABASE_URL"] = server.url
        else:
            disk = small_disk(place, stack)
        arena = Arena((disk or place) / "var", workers=2, **env)
        arena.start()

        def end() -> None:
            if arena.process is not None and arena.process.poll() is None:
                arena.stop()

        stack.callback(end)
        yield House(arena, clock, disk, server, random.Random(seed))


def survive(
    place: Path,
    faults: int,
    seed: int,
    say: Callable[[str], None],
    *,
    postgresql: bool,
    names: Sequence[str] = (),
    expected: bytes | None = None,
) -> tuple[Counter[str], bytes]:
    """Play again and again until so many faults were thrown; all results must be the same bytes.

    `names` are the faults to choose from, all of them by default; `expected` is what another
    arena made of the same tournament. Gives the faults by kind, and the results.
    """
    known = ON_POSTGRESQL if postgresql else FAULTS
    on, thrown = "PostgreSQL" if postgresql else "SQLite", Counter[str]()
    with housed(place, seed, postgresql=postgresql) as house:
        undisturbed = play(house, Deck([], 0, house.chance), known, thrown)
        assert expected in (None, undisturbed)
        deck = Deck(names or sorted(known), faults, house.chance)
        while thrown.total() < faults:
            assert play(house, deck, known, thrown) == undisturbed
            say(f"{on}: {thrown.total()} of {faults} faults thrown, all results the same bytes")
    return thrown, undisturbed


def main() -> int:
    """Throw faults and tell what was survived."""
    parser = argparse.ArgumentParser(prog="./run chaos", description=__doc__)
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    here = Postgresql.is_here()
    if not here:
        print("There is no PostgreSQL here: all faults are thrown at an arena on SQLite.")
    first = options.faults - options.faults // 2 if here else options.faults
    with tempfile.TemporaryDirectory(prefix="maumau-chaos-") as text:
        place, seed = Path(text), options.seed
        thrown, results = survive(place / "one", first, seed, tell, postgresql=False)
        if here:
            rest = options.faults - first
            more, _ = survive(place / "two", rest, seed, tell, postgresql=True, expected=results)
            thrown += more
    for name, number in sorted(thrown.items()):
        tell(f"{number:5}  {name}")
    tell(f"{thrown.total()} faults injected, {thrown.total()} survived")
    return 0


def tell(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
