"""A process that plays due chunks until none is left: `player URL FILES WORKER`.

It says "ready", waits for a line, and prints the id of each chunk that it has committed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from maumau.storage import Database
from maumau.usecases import play, rank
from maumau.usecases.clock import system_clock
from maumau.usecases.due import due_chunks


def main(url: str, files: str, worker: str) -> None:
    db = Database(url)
    print("ready", flush=True)
    sys.stdin.readline()
    while due := due_chunks(db, system_clock):
        # Each begins at another place, so that they are seldom after the same chunk.
        for chunk in due[int(worker[1:]) :: 2] or due:
            done = play.play_chunk(
                db, system_clock, chunk, worker, files=Path(files), uploads="unsafe"
            )
            if done:
                print(chunk, flush=True)
    rank.finish_due(db, system_clock)


if __name__ == "__main__":
    main(*sys.argv[1:])
