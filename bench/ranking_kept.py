"""How long ranking takes through a real database: at the end, and for one chunk more before it.

    python -m bench.ranking_kept [--database postgresql://…] [--out bench/ranking_kept.json]

20 entrants at tables of four, balanced, 5,000 seeds: 100,000 legs. Who wins is drawn by strength
and chance, no cards are played; all else are the product's own walks, chunk by chunk. With an
eighth, a quarter, a half and 99 % of the chunks there it times the commit of a chunk and the
ranking after it, then the final ranking with intervals and ratings. Seconds of wall time and of
this process's own processor time, the least of three but for the final one.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from maumau.arena.play import ChunkJob, ChunkResult, LegResult
from maumau.storage import Account, Database
from maumau.storage.values import NewVersion
from maumau.usecases import play, rank, read
from maumau.usecases.due import due_chunks
from maumau.usecases.schedule import schedule

ENTRANTS, SEATS, BLOCKS = 20, 4, 5000
PARTS = (0.125, 0.25, 0.5, 0.99)
TIMES = 3


class Clock:
    """A clock that a bench turns, so that a ranking is always due."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def entrants(db: Database, clock: Clock) -> tuple[Account, list[str]]:
    """Keep an account with accepted versions."""
    labels = []
    with db.begin() as tx:
        account = tx.accounts.create("bench", "author", now=clock())
        for number in range(ENTRANTS):
            bot = tx.bots.claim_name(f"made-{number:02}", account.id, now=clock())
            content = f"# {number}".encode()
            new = NewVersion(
                sha256=tx.files.put(content),
                kind="py",
                filename="made.py",
                entry="",
                size=len(content),
                state="accepted",
                created_at=clock(),
            )
            labels.append(tx.bots.add_version(bot.id, new).label)
    return account, labels


def made_up(job: ChunkJob, strength: np.ndarray[Any, Any], rng: np.random.Generator) -> ChunkResult:
    """Draw who wins each leg of a chunk."""
    legs = []
    for block in job.blocks:
        for number, seating in enumerate(block.seatings):
            winner = int((strength[list(seating)] + rng.gumbel(size=SEATS)).argmax())
            ranks = tuple(1 if seat == winner else 2 for seat in range(SEATS))
            totals = tuple(10 * rank for rank in ranks)
            legs.append(LegResult(block.block, number, seating, b"", totals, ranks, 1, None))
    return ChunkResult(tuple(legs), 0, 0, ("",) * SEATS)


class Timed:
    """Wall and own processor time of some work."""

    def __init__(self) -> None:
        self.wall = self.own = float("inf")

    def least(self, work: Callable[[], object]) -> None:
        """Do it, and keep the least."""
        wall, own = time.perf_counter(), time.process_time()
        work()
        self.wall = min(self.wall, time.perf_counter() - wall)
        self.own = min(self.own, time.process_time() - own)

    def told(self) -> dict[str, float]:
        """Give both, in seconds."""
        return {"wall": round(self.wall, 4), "own": round(self.own, 4)}


def measure(url: str) -> dict[str, Any]:
    """Fill a database and time what is kept on the way."""
    db, clock, draw = Database(url), Clock(), Random(1)
    db.migrate()
    account, labels = entrants(db, clock)
    wish = {"entrants": labels, "rules": "mau-mau", "seats": SEATS, "blocks": BLOCKS}
    made = schedule(
        db, clock, account, {**wish, "line_ups": "balanced", "seed": "s"}, entropy=draw.randbytes
    )
    one, rng = made.tournament.id, np.random.default_rng(1)
    strength = np.linspace(-1, 1, ENTRANTS)
    chunks = iter(made.due)
    ready: list[tuple[play.Work, ChunkResult]] = []

    def claim() -> None:
        work = play.claim(db, clock, next(chunks), "bench", lease=timedelta(days=1))
        assert work is not None
        line_up = np.array(work.match.line_up)
        ready.append((work, made_up(play.job_of(work, ()), strength[line_up], rng)))

    def commit() -> None:
        assert play.commit(db, *ready.pop())

    def refresh() -> None:
        clock.now += timedelta(hours=1)
        assert rank.refresh(db, clock, one)

    done, at = 0, []
    for part in PARTS:
        while done < round(part * len(made.due)):
            claim()
            commit()
            done += 1
        noted, ranked = Timed(), Timed()
        for _ in range(TIMES):
            claim()
            noted.least(commit)
            ranked.least(refresh)
            done += 1
        at.append({"chunks": done, "commit": noted.told(), "ranking": ranked.told()})
        print(at[-1], flush=True)
    while done < len(made.due):
        claim()
        commit()
        done += 1
    last = Timed()
    last.least(refresh)
    standings = read.standings(db, one)
    assert standings.final
    assert not due_chunks(db, clock)
    db.close()
    return {
        "legs": standings.games,
        "chunks": len(made.due),
        "at": at,
        "final": last.told(),
        "load": round(os.getloadavg()[0], 1),
    }


def main() -> None:
    """Measure on SQLite, or on the database that is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", help="An empty one; without it, SQLite.")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".json"))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        url = asked.database or f"sqlite:///{place}/maumau.db"
        found = measure(url)
    known: dict[str, Any] = json.loads(asked.out.read_text()) if asked.out.exists() else {}
    known[url.partition(":")[0].partition("+")[0]] = found
    asked.out.write_text(json.dumps(known, indent=1) + "\n")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
