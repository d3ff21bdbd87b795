"""A process that plays due chunks until none is left: `player URL FILES WORKER [hold]`.

It says "ready", waits for a line, and prints the id of each chunk that it has committed. With
"hold" it says "playing" in the middle of its first chunk and waits for another line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from maumau.arena import play as arena
from maumau.storage import Database
from maumau.usecases import play, rank
from maumau.usecases.clock import system_clock
from maumau.usecases.due import due_chunks


def holding(job: arena.ChunkJob, *, alive: Callable[[], None], **more: Any) -> arena.ChunkResult:
    """Play, but wait for a line where the arena first asks whether to go on."""

    def wait_once() -> None:
        if not told:
            told.append(True)
            print("playing", flush=True)
            sys.stdin.readline()
        alive()

    told: list[bool] = []
    return arena.play_chunk(job, alive=wait_once, **more)


def main(url: str, files: str, worker: str, *hold: str) -> None:
    db = Database(url)
    print("ready", flush=True)
    sys.stdin.readline()
    while due := due_chunks(db, system_clock):
        # Each begins at another place, so that they are seldom after the same chunk.
        for chunk in due[int(worker[1:]) :: 2] or due:
            done = play.play_chunk(
                db,
                system_clock,
                chunk,
                worker,
                files=Path(files),
                uploads="unsafe",
                play=holding if hold else arena.play_chunk,
            )
            if done:
                print(chunk, flush=True)
    rank.finish_due(db, system_clock)


if __name__ == "__main__":
    main(*sys.argv[1:])
