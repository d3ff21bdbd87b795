"""How an arena stands its readers: latency of answers, what they cost a tournament, a burst.

`python -m bench.load` starts arenas of its own and prints:

* games a second of a tournament alone, and while 50 clients read (one request each every 2 s);
* the readers' latencies (50th, 95th, 99th percentile, the slowest), their errors;
* 500 submissions at once: how many were accepted, refused with 429, lost.

The targets (issue of operations): 99th percentile under 250 ms, no error, the tournament slower by
less than 20 %, none lost. The machine's load is printed too: figures of a busy one say little.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.e2e.arena import Arena, running, wait_for

EVERY_SECONDS = 2.0
WANTED: dict[str, Any] = {"entrants": ["easy", "medium", "random"], "rules": "gameduell"}
BOT = """from maumau import Bot, hookimpl
class Lowest(Bot):
    name = "{name}"
    def act(self, obs):
        return obs.legal_actions[0]
@hookimpl
def maumau_bots():
    return [Lowest]
"""


@dataclass
class Readers:
    """Clients that read, each on its own connection, until they are told to end."""

    server: str
    number: int
    paths: list[str]
    seconds: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    _end: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def __enter__(self) -> Readers:
        for number in range(self.number):
            thread = threading.Thread(target=self._read, args=(number,), daemon=True)
            self._threads.append(thread)
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        for thread in self._threads:
            thread.join(30)

    def _read(self, number: int) -> None:
        lots = random.Random(number)
        # They do not all come at the same moment.
        self._end.wait(lots.uniform(0, EVERY_SECONDS))
        with httpx.Client(base_url=self.server, timeout=30, trust_env=False) as client:
            while not self._end.is_set():
                began = time.perf_counter()
                try:
                    told = str(client.get(lots.choice(self.paths)).status_code)
                except httpx.HTTPError as error:
                    told = type(error).__name__
                taken = time.perf_counter() - began
                self.seconds.append(taken)
                self.statuses[told] += 1
                self._end.wait(max(0.0, EVERY_SECONDS - taken))


def play(arena: Arena, blocks: int, during: Callable[[str], Any]) -> float:
    """Play a tournament to its end; gives games a second from its first to its last chunk."""
    with arena.client() as client:
        made = client.post("/tournaments", json=WANTED | {"blocks": blocks, "seed": "load"}).json()
        path = f"/tournaments/{made['id']}"
        with during(made["id"]):
            first = wait_for(lambda: played(client, path), seconds=120)
            began = time.perf_counter()
            wait_for(lambda: client.get(path).json()["state"] == "finished", seconds=1800)
            seconds = time.perf_counter() - began
        return (made["progress"]["games_total"] - first) / seconds


def played(client: httpx.Client, path: str) -> int:
    time.sleep(0.1)
    return int(client.get(path).json()["progress"]["games_played"])


class Nobody:
    def __init__(self, tournament: str):
        pass

    def __enter__(self) -> Nobody:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def reading(place: Path, clients: int, blocks: int, workers: int) -> dict[str, Any]:
    """Measure a tournament alone and with readers, in turns."""
    alone, among = [], []
    seconds: list[float] = []
    statuses: Counter[str] = Counter()
    with running(place / "reading", workers=workers) as arena:
        for _ in range(2):
            alone.append(play(arena, blocks, Nobody))
            kept: list[Readers] = []

            def readers(tournament: str, kept: list[Readers] = kept) -> Readers:
                path = f"/api/v1/tournaments/{tournament}"
                paths = [f"{path}/standings", f"{path}/crosstable", path, f"{path}/matches"]
                paths += ["/api/v1/tournaments", "/api/v1/bots", f"{path}/games?limit=50"]
                kept.append(Readers(arena.server, clients, paths))
                return kept[-1]

            among.append(play(arena, blocks, readers))
            seconds += kept[0].seconds
            statuses += kept[0].statuses
    seconds.sort()
    slower = 1 - sum(among) / sum(alone)
    return {
        "clients": clients,
        "requests": len(seconds),
        "statuses": dict(statuses),
        "p50_ms": percentile(seconds, 0.5),
        "p95_ms": percentile(seconds, 0.95),
        "p99_ms": percentile(seconds, 0.99),
        "slowest_ms": percentile(seconds, 1.0),
        "games_per_second_alone": [round(one) for one in alone],
        "games_per_second_among_readers": [round(one) for one in among],
        "slower_by": round(slower, 3),
    }


def percentile(seconds: list[float], share: float) -> float:
    return round(1000 * seconds[min(len(seconds) - 1, int(share * len(seconds)))], 1)


def burst(place: Path, number: int, rate: str) -> dict[str, Any]:
    """Send so many submissions at once; every accepted one must be there afterwards."""
    statuses: Counter[str] = Counter()
    accepted: list[str] = []
    # Nobody checks them meanwhile: it is the taking that is measured.
    with running(place / "burst", workers=0, MAUMAU_RATE_WRITES=rate) as arena:
        together = threading.Barrier(50)

        def send(first: int) -> None:
            with arena.client() as client:
                together.wait()
                for i in range(first, number, 50):
                    name = f"burst-{i}"
                    file = ("bot.py", BOT.format(name=name).encode())
                    answer = client.post("/bots", data={"name": name}, files={"file": file})
                    statuses[str(answer.status_code)] += 1
                    if answer.status_code == 202:
                        accepted.append(name)

        threads = [threading.Thread(target=send, args=(i,)) for i in range(50)]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seconds = time.perf_counter() - began
        with arena.client() as client:
            there = {
                name
                for name in accepted
                if client.get(f"/bots/{name}/versions/1").status_code == 200
            }
    return {
        "submissions": number,
        "rate_writes": rate,
        "seconds": round(seconds, 1),
        "statuses": dict(statuses),
        "accepted": len(accepted),
        "lost": number - statuses["429"] - len(there),
    }


def main() -> int:
    """Measure, print, and say by the exit code whether the targets are met."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--blocks", type=int, default=1500)
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--burst", type=int, default=500)
    options = parser.parse_args()
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="maumau-load-") as text:
        place = Path(text)
        found = {
            "cores": len(os.sched_getaffinity(0)),
            "load_before": round(before, 1),
            "reading": reading(place, options.clients, options.blocks, options.workers),
            "burst": [
                burst(place / rate.partition("/")[0], options.burst, rate)
                for rate in ("off", "300/minute")
            ],
            "load_after": round(os.getloadavg()[0], 1),
        }
    print(json.dumps(found, indent=1))
    read = found["reading"]
    assert isinstance(read, dict)
    met = (
        read["p99_ms"] < 250
        and set(read["statuses"]) == {"200"}
        and read["slower_by"] < 0.2
        and all(
            one["lost"] == 0 and set(one["statuses"]) <= {"202", "429"} for one in found["burst"]
        )  # type: ignore[union-attr]
    )
    print("all targets met" if met else "targets missed")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
