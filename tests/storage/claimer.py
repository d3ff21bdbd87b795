"""A process that claims and commits chunks until none is due: `claimer URL WORKER`.

It says "ready", waits for a line, and prints the number of each chunk that it has committed.
"""

from __future__ import annotations

import random
import sys
from datetime import timedelta

from maumau.storage import Database, ids
from tests.storage.stored import NOW, commit


def main(url: str, worker: str) -> None:
    db = Database(url)
    lots = random.Random(worker)
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
            if claim is not None and commit(db, claim):
                print(number, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
