"""Do honest bots ever fail in the cage? Many decisions of the bots that ship, on a busy machine.

    nice -n 19 python bench/honest.py --decisions 2000000 --busy 4

Every two of the bots play chunks as a tournament does, caged, under the default limits, all pairs
about as long, while `--busy` processes of this program do nothing but compute. Progress goes to the
error stream; the last line tells decisions, games, faults by kind, and how often the host was to
blame. Faults other than the host's make the exit status 1.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
from collections import Counter
from itertools import count, permutations

from maumau.arena.limits import Limits
from maumau.arena.play import BlockJob, ChunkJob, play_chunk
from maumau.bots import registry
from maumau.errors import Unavailable
from maumau.rules.presets import preset_names
from maumau.rules.ruleset import load_rules

BLOCKS = 64
"""Of a chunk, at most."""
CHUNK_SECONDS = 4.0
"""About how long a chunk is to take, so that slow bots take no longer than quick ones."""
REPORT_SECONDS = 30.0


def compute() -> None:
    """Keep a processor busy, until the program that asked for it ends."""
    parent = os.getppid()
    while os.getppid() == parent:
        sum(range(1_000_000))


def jobs() -> list[ChunkJob]:
    """Give a chunk of every two of the bots under every preset that seats two, again and again."""
    bots = [bot for bot in registry.installed() if bot.source.kind == "plugin"]
    found = []
    for name in preset_names():
        rules = load_rules(name)
        if rules.players[0] > 2:
            continue
        for first, second in permutations(bots, 2):
            found.append(
                ChunkJob(
                    rules, (first.source, second.source), (first.name, second.name), (), Limits()
                )
            )
    return found


def main() -> int:
    """Play until there were enough decisions."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--decisions", type=int, default=2_000_000)
    parser.add_argument("--busy", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="end after so long")
    wish = parser.parse_args()
    busy = [multiprocessing.Process(target=compute, daemon=True) for _ in range(wish.busy)]
    for process in busy:
        process.start()
    faults: Counter[str] = Counter()
    pairs = jobs()
    sizes = [1] * len(pairs)
    decisions = games = host = given_up = 0
    began = told = time.monotonic()
    try:
        for number in count():
            job, size = pairs[number % len(pairs)], sizes[number % len(pairs)]
            blocks = tuple(
                BlockJob(block, f"honest:{number}:{block}", ((0, 1), (1, 0)))
                for block in range(size)
            )
            chunk = ChunkJob(job.rules, job.sources, job.names, blocks, job.limits)
            started = time.monotonic()
            try:
                result = play_chunk(chunk, cage_plugins=True)
            except Unavailable as error:
                # The host failed again and again: a worker would take the chunk later.
                given_up += 1
                print(f"given up: {error}", file=sys.stderr)
                continue
            decisions, games = decisions + result.decisions, games + len(result.legs)
            host += result.host_faults
            for leg in result.legs:
                if leg.fault is not None:
                    faults[leg.fault.kind] += 1
                    seat = job.names[leg.seating[leg.fault.seat]]
                    print(f"{job.rules.name} {seat}: {leg.fault}", file=sys.stderr)
            now = time.monotonic()
            fits = int(size * CHUNK_SECONDS / (now - started))
            sizes[number % len(pairs)] = max(1, min(BLOCKS, fits))
            if now - told > REPORT_SECONDS:
                told = now
                print(f"{decisions} decisions, {dict(faults)}, host {host}", file=sys.stderr)
            if decisions >= wish.decisions or now - began > wish.seconds:
                break
    finally:
        for process in busy:
            process.terminate()
    said = {
        "decisions": decisions,
        "games": games,
        "faults": dict(faults),
        "host_faults": host,
        "given_up": given_up,
        "busy": wish.busy,
        "seconds": round(time.monotonic() - began),
    }
    print(json.dumps(said))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
