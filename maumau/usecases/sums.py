"""From legs to sums and back: what a chunk adds to the standings, and all of it gathered.

A block of a match is kept as one flat list of whole numbers: for each entrant of the line-up
`ENTRANT_COLUMNS`, then for each ordered pair `PAIR_COLUMNS` (maumau.tournament.sums).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

import numpy as np

from maumau.storage.values import BlockSum, Leg
from maumau.tournament.results import Results, from_sums
from maumau.tournament.sums import ENTRANT_COLUMNS, PAIR_COLUMNS, BlockSums

E, P = len(ENTRANT_COLUMNS), len(PAIR_COLUMNS)


def sums_of(line_up: Sequence[int], legs: Sequence[Leg]) -> list[BlockSum]:
    """Give the sums of every block that is among the legs of one match, in order."""
    place = {entrant: i for i, entrant in enumerate(line_up)}
    blocks = sorted({leg.block for leg in legs})
    row = {block: i for i, block in enumerate(blocks)}
    sums = BlockSums(len(line_up), len(blocks))
    for leg in legs:
        seating = [place[entrant] for entrant in leg.seating]
        fault = leg.fault.seat if leg.fault else None
        sums.add_leg(row[leg.block], seating, leg.ranks, leg.totals, fault=fault)
    # Everybody in a line-up meets everybody else in each leg: the pairs fill their table.
    pairs = sums.pairs()[3].reshape(len(blocks), -1)
    entrants = sums.by_entrant.reshape(len(blocks), -1)
    match = legs[0].match if legs else 0
    return [
        BlockSum(match, block, (*entrants[i].tolist(), *pairs[i].tolist()))
        for i, block in enumerate(blocks)
    ]


def total(sums: Sequence[BlockSum]) -> tuple[int, ...]:
    """Add the sums of blocks of one match."""
    return tuple(map(sum, zip(*(one.sums for one in sums), strict=True)))


def games_of(sums: Sequence[int]) -> int:
    """Give how many games sums of one match are of; every entrant of a line-up plays them all."""
    return sums[0] if sums else 0


def gather(
    entrants: int, blocks: int, line_ups: Mapping[int, Sequence[int]], sums: Sequence[BlockSum]
) -> BlockSums:
    """Give the sums of a tournament from those of its blocks; `line_ups` by match number."""
    if not sums:
        return BlockSums(entrants, blocks)
    table = np.array([one.sums for one in sums], dtype=np.int64)
    members = np.array([line_ups[one.match] for one in sums], dtype=np.int64)
    block = np.array([one.block for one in sums], dtype=np.int64)[:, None]
    k = members.shape[1]
    by_entrant = [
        np.hstack([block, members[:, [i]], table[:, E * i : E * (i + 1)]]) for i in range(k)
    ]
    by_pair = []
    for n, (i, j) in enumerate(permutations(range(k), 2)):
        start = E * k + P * n
        by_pair.append(np.hstack([block, members[:, [i, j]], table[:, start : start + P]]))
    return BlockSums.from_rows(entrants, blocks, np.vstack(by_entrant), np.vstack(by_pair))


def results_of(
    line_ups: Mapping[int, Sequence[int]],
    sums: Sequence[BlockSum],
    *,
    entrants: Sequence[int] | None = None,
    first_seed: int = 0,
) -> Results | None:
    """Give the same sums as ratings need them; None without games.

    `entrants` numbers a tournament's entrants anew, rising, and `first_seed` its seeds, so that
    tournaments can be rated together.
    """
    if not sums:
        return None
    table = np.array([one.sums for one in sums], dtype=np.int64)
    members = np.array([line_ups[one.match] for one in sums], dtype=np.int64)
    seed = np.array([one.block for one in sums], dtype=np.int64) + first_seed
    k = members.shape[1]
    of_entrants = table[:, : E * k].reshape(-1, k, E)
    of_pairs = table[:, E * k :].reshape(-1, k * (k - 1), P)
    column = {name: of_entrants[:, :, i] for i, name in enumerate(ENTRANT_COLUMNS)}
    squares = of_pairs[:, :, PAIR_COLUMNS.index("squares")]
    return from_sums(
        seed,
        members if entrants is None else np.array(entrants, dtype=np.int64)[members],
        column["units"],
        games=column["games"][:, 0],
        wins=column["wins"].sum(axis=1),
        shared=column["shared"].sum(axis=1),
        # Each unordered pair stands there in both orders.
        squares=squares.sum(axis=1) // 2,
    )
