"""A process that claims and commits chunks until none is due: `claimer URL WORKER [HOLD]`.

It says "ready", waits for a line, and prints the number of each chunk that it has committed. After
HOLD commits it says "holding" with a chunk claimed, and waits for another line before it goes on.
"""

from __future__ import annotations

import random
import sys
from datetime import timedelta

from maumau.storage import Database, ids
from tests.storage.stored import NOW, commit


def main(url: str, worker: str, hold: str = "-1") -> None:
    # On a busy host one of several writers may wait long: no fault of any of them.
    db = Database(url, busy_ms=300_000)
    lots, committed = random.Random(worker), 0
    print("ready", flush=True)
    sys.stdin.readline()
    while True:
        with db.read() as tx:
            due = tx.chunks.due(limit=1000)
        if not due:
            return
        lots.shuffle(due)
        for chunk_id in due[:5]:
            tournament_id, number = ids.chunk_place(chunk_id)
            with db.begin() as tx:
                claim = tx.chunks.claim(
                    tournament_id, number, worker, until=NOW + timedelta(minutes=1)
                )
            if claim is not None and committed == int(hold):
                print("holding", flush=True)
                sys.stdin.readline()
            if claim is not None and commit(db, claim):
                committed += 1
                print(number, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
