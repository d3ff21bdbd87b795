"""How long it takes to rank a large tournament, and to keep it current by one chunk.

    python bench/ranking.py

20 entrants at tables of four, 100,000 legs (5,000 seeds, balanced): sums, standings, crosstable,
comparisons of all pairs, ratings with errors. Then one chunk is added and everything but the
ratings is made again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from maumau.tournament.formats import plan
from maumau.tournament.pairs import crosstable, differences, intransitive
from maumau.tournament.ratings import rate
from maumau.tournament.results import from_legs
from maumau.tournament.standings import rank
from maumau.tournament.sums import BlockSums

ENTRANTS, SEATS, BLOCKS = 20, 4, 5000


def timed(name: str, work: Callable[[], Any]) -> Any:
    """Do it and print how long it took."""
    started = time.perf_counter()
    done = work()
    print(f"{name:32} {time.perf_counter() - started:7.3f} s")
    return done


def main() -> None:
    """Measure."""
    design = timed("plan", lambda: plan(ENTRANTS, seats=SEATS, blocks=BLOCKS, line_ups="balanced"))
    rng = np.random.default_rng(1)
    strength = np.linspace(-1, 1, ENTRANTS)
    legs = []
    for block, line_up in design:
        for seating in design.seatings(line_up, block):
            winner = (strength[list(seating)] + rng.gumbel(size=SEATS)).argmax()
            legs.append((block, seating, [1 if k == winner else 2 for k in range(SEATS)]))
    print(f"{len(legs)} legs")

    def summed(some: list[Any]) -> BlockSums:
        sums = BlockSums(ENTRANTS, BLOCKS)
        for block, seating, ranks in some:
            sums.add_leg(block, seating, ranks, [10 * k for k in ranks])
        return sums

    sums = timed("sums of all legs", lambda: summed(legs))
    rows = timed("… as rows", lambda: (sums.entrant_rows(), sums.pair_rows()))
    timed("… from rows", lambda: BlockSums.from_rows(ENTRANTS, BLOCKS, *rows))
    results = timed("results of all legs", lambda: from_legs(legs))

    def standings() -> None:
        rank(sums, best="low")
        crosstable(sums)
        differences(sums)
        intransitive(sums)

    timed("standings and all pairs", standings)
    timed("ratings with errors", lambda: rate(results, ENTRANTS, seed="s"))
    chunk = timed("one chunk's sums", lambda: summed(legs[:64]))
    timed("… added", lambda: sums + chunk)
    timed("standings alone", lambda: rank(sums, best="low"))


if __name__ == "__main__":
    main()
