"""The plan of a round robin: what is played is a pure function of four values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import comb

import numpy as np

from maumau.errors import InvalidInput, Problem
from maumau.tournament import balanced
from maumau.tournament.plans import AllLineUps, BalancedTables, Chunk, Kind, Plan, legs_of
from maumau.wording import counted

__all__ = ["Chunk", "Evenness", "Kind", "Plan", "evenness", "plan"]

SEATS = range(2, 5)
MOST_LINE_UPS = 100_000
MOST_BLOCKS = 100_000
MOST_GAMES = 20_000_000
MOST_BALANCED = 256
MOST_TABLES = 500_000


@dataclass(frozen=True, slots=True)
class Evenness:
    """How far a plan is from even: the most less the fewest, over entrants or pairs.

    `games` and `meetings` count blocks, `next_clockwise` blocks in which the second entrant of an
    ordered pair sits next after the first (with three seats: half of the seat orders each).
    """

    games: int
    meetings: int
    next_clockwise: int


def evenness(plan: Plan) -> Evenness:
    """Count how even a plan is; within a block each entrant sits in each seat equally often."""
    n, off = plan.entrants, ~np.eye(plan.entrants, dtype=bool)
    met, after = np.zeros((n, n), dtype=np.int64), np.zeros((n, n), dtype=np.int64)
    games = np.zeros(n, dtype=np.int64)
    for block in range(plan.blocks):
        rows = [plan.circle(line_up, block) for line_up in plan.playing(block)]
        circles_ = np.array(rows, dtype=np.int16)
        met += balanced.meetings(circles_, n)
        after += balanced.neighbours(circles_, n)
        games += np.bincount(circles_.ravel(), minlength=n)
    if plan.seats == 3:
        after = met
    spread = [int(counts.max() - counts.min()) for counts in (games, met[off], after[off])]
    return Evenness(*spread)


@lru_cache(maxsize=32)
def plan(entrants: int, *, seats: int, blocks: int, line_ups: Kind = "all") -> Plan:
    """Plan a round robin of `entrants` (canonical indices), `seats` a table, over `blocks` seeds.

    `line_ups` is `"all"` (every line-up on every seed) or `"balanced"` (each seed splits the
    entrants into tables). Raises `InvalidInput` with the path of each value that cannot be.
    """
    problems = list(_problems(entrants, seats, blocks, line_ups))
    if problems:
        raise InvalidInput(problems)
    if line_ups == "balanced" and entrants > seats:
        return BalancedTables(entrants, seats, blocks)
    return AllLineUps(entrants, seats, blocks)


def _problems(entrants: int, seats: int, blocks: int, line_ups: str) -> Iterator[Problem]:
    if seats not in SEATS:
        yield Problem("seats", f"{seats} is not a number of seats; give 2, 3 or 4")
        return
    if line_ups not in ("all", "balanced"):
        yield Problem("line_ups", f'{line_ups!r} is not known; give "all" or "balanced"')
        return
    if not 1 <= blocks <= MOST_BLOCKS:
        yield Problem("blocks", f"{counted(blocks, 'block')}; give 1 to {MOST_BLOCKS}")
        return
    if entrants < seats:
        yield Problem(
            "entrants",
            f"{counted(entrants, 'entrant')} cannot fill {counted(seats, 'seat')}; "
            f"enter at least {seats}",
        )
    elif line_ups == "all" and comb(entrants, seats) > MOST_LINE_UPS:
        yield Problem(
            "line_ups",
            f"{counted(comb(entrants, seats), 'line-up')}: more than {MOST_LINE_UPS}; ask for "
            '"balanced" or fewer entrants',
        )
    elif line_ups == "balanced" and entrants > MOST_BALANCED:
        yield Problem(
            "entrants", f"{counted(entrants, 'entrant')}; balanced takes at most {MOST_BALANCED}"
        )
    elif line_ups == "balanced" and entrants // seats * blocks > MOST_TABLES:
        yield Problem(
            "blocks",
            f"{counted(blocks, 'block')}; give at most {MOST_TABLES // (entrants // seats)}",
        )
    else:
        tables = comb(entrants, seats) if line_ups == "all" else entrants // seats
        games = tables * blocks * legs_of(seats)
        if games > MOST_GAMES:
            yield Problem(
                "blocks", f"{counted(games, 'game')}: more than {MOST_GAMES}; ask for fewer blocks"
            )
