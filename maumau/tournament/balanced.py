"""Tables for the `balanced` design: each seed splits the entrants so that all pairs meet alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from maumau.tournament import circles
from maumau.tournament.splits import Split, Table, modulus, rounds, splits

_RESEATED = 20_000


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a plan.

    `circles[block, table]` are the members in circular order; `spans` are the runs of blocks with
    the same split, as (first block, blocks).
    """

    circles: npt.NDArray[np.int16]
    spans: tuple[tuple[int, int], ...]


def tables(entrants: int, seats: int, blocks: int, *, longest: int) -> Tables:
    """Plan the tables of all blocks, with runs of at most `longest` equal splits.

    Runs are kept only as long as whole cycles of splits fit, so that all pairs meet equally often
    at the end of each cycle; the last blocks are searched for pair by pair.
    """
    v = modulus(entrants, seats)
    found, cycle = splits(entrants, seats, max(1, min(entrants, blocks // v)))
    runs: list[tuple[Split, int]] = []
    left = blocks
    while cycle and left >= v * cycle:
        run = min(longest, left // (v * cycle))
        runs += [(split, run) for split in found]
        left -= v * run * cycle
    singles = left // v
    runs += [(split, 1) for split in found[:singles]]
    candidates = [_filled(entrants, seats, runs, blocks)]
    while _spread(candidates[-1], entrants) > 1 and singles and len(candidates) < 3:
        singles -= 1
        runs = runs[:-1]
        candidates.append(_filled(entrants, seats, runs, blocks))
    best = min(candidates, key=lambda tables: _spread(tables, entrants))
    after = neighbours(best.circles, entrants)[~np.eye(entrants, dtype=bool)]
    if seats == 4 and after.max() - after.min() > 2 and best.circles.size < _RESEATED:
        return _reseated(best, entrants)
    return best


def _reseated(tables: Tables, entrants: int) -> Tables:
    """Choose every circular order anew, pair by pair instead of by difference."""
    hand = _by_pair(entrants)
    for first, run in tables.spans:
        for table in tables.circles[first].tolist():
            before = None
            for _ in range(run):
                before = hand.add(table, before=before)
    orders, rows = iter(hand.orders()), tables.circles.copy()
    for first, run in tables.spans:
        for place, table in enumerate(tables.circles[first].tolist()):
            for block in range(first, first + run):
                rows[block, place] = circles.arrange(table, next(orders))
    return Tables(rows, tables.spans)


def _by_pair(entrants: int) -> circles.Circles:
    n = entrants
    return circles.Circles(n * n - n, lambda x, y: x * (n - 1) + y - (y > x))


def _filled(entrants: int, seats: int, runs: Sequence[tuple[Split, int]], blocks: int) -> Tables:
    """Develop the runs of splits and search the blocks that are left."""
    v = modulus(entrants, seats)
    lengths = [run for _, run in runs for _ in range(v)]
    left = blocks - sum(lengths)
    parts = _develop(runs, v)
    spans, first = list[tuple[int, int]](), 0
    for run in lengths + [1] * left:
        spans.append((first, run))
        first += run
    if left:
        parts.append(_last_rounds(entrants, seats, left, parts))
    return Tables(np.concatenate(parts), tuple(spans))


def _spread(tables: Tables, entrants: int) -> int:
    """Give the difference between the most and the fewest meetings of a pair."""
    met = meetings(tables.circles, entrants)[np.triu_indices(entrants, 1)]
    return int(met.max() - met.min())


def meetings(circles: npt.NDArray[np.int16], entrants: int) -> npt.NDArray[np.int64]:
    """Count how often each two entrants are at one table; `circles` has the members last."""
    met = np.zeros((entrants, entrants), dtype=np.int64)
    flat = circles.reshape(-1, circles.shape[-1])
    for place in range(flat.shape[1]):
        for other in range(flat.shape[1]):
            if other != place:
                np.add.at(met, (flat[:, place], flat[:, other]), 1)
    return met


def neighbours(circles: npt.NDArray[np.int16], entrants: int) -> npt.NDArray[np.int64]:
    """Count how often the second entrant sits next clockwise after the first."""
    after = np.zeros((entrants, entrants), dtype=np.int64)
    flat = circles.reshape(-1, circles.shape[-1])
    np.add.at(after, (flat.ravel(), np.roll(flat, -1, axis=1).ravel()), 1)
    return after


def _develop(runs: Sequence[tuple[Split, int]], v: int) -> list[npt.NDArray[np.int16]]:
    """Give every shift of each split, each on a run of blocks whose circular orders differ."""
    hand = circles.Circles(v - 1, lambda x, y: None if v in (x, y) else (y - x) % v - 1)
    for split, run in runs:
        before: dict[Table, int] = {}
        for table in list(split) * run:
            if len(table) == 4:
                before[table] = hand.add(table, before=before.get(table))
    orders = iter(hand.orders())
    steps = np.arange(v)[:, None]
    parts = []
    for split, run in runs:
        rows = np.empty((v, run, len(split), len(split[0])), dtype=np.int16)
        for repeat in range(run):
            for place, table in enumerate(split):
                members = circles.arrange(table, next(orders)) if len(table) == 4 else table
                circle = np.array(members)
                rows[:, repeat, place] = np.where(circle == v, v, (circle + steps) % v)
        parts.append(rows.reshape(v * run, len(split), len(split[0])))
    return parts


def _last_rounds(
    entrants: int, seats: int, left: int, parts: Sequence[npt.NDArray[np.int16]]
) -> npt.NDArray[np.int16]:
    """Fill the last blocks so that they even out what was played before."""
    if seats == 2:
        # Some rounds of "all against all": before them every pair met equally often.
        (split, *_), _ = splits(entrants, seats, 1)
        return _develop([(split, 1)], modulus(entrants, seats))[0][:left]
    played = [part.reshape(-1, seats) for part in parts]
    before = np.concatenate([np.zeros((0, seats), dtype=np.int16), *played])
    met, after = meetings(before, entrants), neighbours(before, entrants)
    found = rounds(entrants, seats, left, met.tolist())
    if seats == 4:
        hand = _by_pair(entrants)
        hand.counts = after[~np.eye(entrants, dtype=bool)].tolist()
        for split in found:
            for table in split:
                hand.add(table)
        orders = iter(hand.orders())
        found = [tuple(circles.arrange(table, next(orders)) for table in split) for split in found]
    return np.array(found, dtype=np.int16)
