"""Databases with finished tournaments of so many legs in all, for `leaderboard_ask.py`.

usage: leaderboard_fill.py DIRECTORY SIZE…, sizes rising. Writes DIRECTORY/SIZE.sqlite each and
prints one JSON line: the legs in each, and how long keeping the board took at the last end.

20 entrants meet in a round robin at tables of two, one tournament after the other. Everything is
as in an arena (plan, chunks, commits, standings, the board at the end of each tournament), but
that who wins is drawn by chance and no cards are played: all legs have the record of one game.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from maumau.arena.play import ChunkJob, ChunkResult, LegResult
from maumau.logs import configure
from maumau.rules import compiled
from maumau.rules.game import Game
from maumau.rules.ruleset import load_rules
from maumau.settings import load
from maumau.storage import Account, Database
from maumau.storage.values import NewVersion
from maumau.usecases import board
from maumau.usecases.clock import system_clock
from maumau.usecases.play import play_chunk
from maumau.usecases.schedule import schedule

ENTRANTS = 20
PAIRS = ENTRANTS * (ENTRANTS - 1) // 2
CODE = """
from maumau import Bot, hookimpl
class Made(Bot):
    name = "made-{number:02}"
    def act(self, obs):
        return obs.legal_actions[0]
@hookimpl
def maumau_bots():
    return [Made]
"""


def one_record() -> bytes:
    """Play one game by first legal actions; give its compact record."""
    game = Game(load_rules("champion"), seats=2, seed="bench", names=["a", "b"])
    while not game.over:
        game.apply_id(game.deal.legal_ids()[0])
    return game.compact()


def chance(rng: Random, record: bytes) -> Callable[..., ChunkResult]:
    """Give what stands for the arena: lower numbers win more often."""

    def play(job: ChunkJob, **_: Any) -> ChunkResult:
        strengths = [1 + int(name.rpartition("@")[0][-2:]) for name in job.names]
        legs = []
        for block in job.blocks:
            for leg, seating in enumerate(block.seatings):
                a, b = (strengths[entrant] for entrant in seating)
                first = rng.random() < b / (a + b)
                ranks, totals = ((1, 2), (1, 0)) if first else ((2, 1), (0, 1))
                legs.append(LegResult(block.block, leg, seating, record, totals, ranks, 1, None))
        return ChunkResult(tuple(legs), 0, 20 * len(legs), ("", ""))

    return play


def entrants(db: Database) -> tuple[Account, list[str]]:
    """Keep the account and accepted versions."""
    with db.begin() as tx:
        account = tx.accounts.create("bench", "admin", now=system_clock())
        labels = []
        for number in range(ENTRANTS):
            content = CODE.format(number=number).encode()
            name = f"made-{number:02}"
            bot = tx.bots.claim_name(name, account.id, now=system_clock())
            new = NewVersion(
                sha256=tx.files.put(content),
                kind="py",
                filename=f"{name}.py",
                entry="",
                size=len(content),
                state="accepted",
                created_at=system_clock(),
            )
            labels.append(tx.bots.add_version(bot.id, new).label)
    return account, labels


def main() -> None:
    """Fill and copy."""
    directory, sizes = Path(sys.argv[1]), [int(text) for text in sys.argv[2:]]
    configure(load({"MAUMAU_VAR": str(directory), "MAUMAU_LOG_LEVEL": "warning"}))
    working = directory / "working.sqlite"
    working.unlink(missing_ok=True)
    db = Database(f"sqlite:///{working}")
    db.migrate()
    account, labels = entrants(db)
    rng, record = Random(1), one_record()
    play = chance(rng, record)
    legs, counts = 0, {}
    for size in sizes:
        blocks = max(2, round((size - legs) / (2 * PAIRS)))
        request = {"entrants": labels, "rules": "champion", "blocks": blocks}
        planned = schedule(db, system_clock, account, request, entropy=rng.randbytes)
        for chunk in planned.due:
            done = play_chunk(
                db, system_clock, chunk, "bench", files=directory / "files", play=play
            )
            assert done
        legs += 2 * PAIRS * blocks
        counts[size] = legs
        db.close()
        shutil.copy(working, directory / f"{size}.sqlite")
    began = time.perf_counter()
    board.refresh(db, system_clock, load_rules("champion").id, 2)
    kept = time.perf_counter() - began
    form = "compiled" if compiled() else "plain"
    print(json.dumps({"form": form, "legs": counts, "keeping_s": kept}))


if __name__ == "__main__":
    main()
