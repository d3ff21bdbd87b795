"""The search for splits of the entrants into tables in which all pairs meet equally often.

Cyclic development (as in resolvable block designs): one split of the residues modulo v, shifted v
times, lets all pairs of the same difference meet equally often, so only the differences have to be
evened out, which a short search does. With a number of entrants divisible by the seats one entrant
stays fixed and v = entrants − 1; otherwise v = entrants and the places over are byes. What is left
after whole cycles is searched for pair by pair. The searches draw from a fixed seed: a plan is a
function of its arguments.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

Table = tuple[int, ...]
Split = tuple[Table, ...]

_SPLIT_STEPS = 60_000
_ROUND_STEPS = 300_000


def modulus(entrants: int, seats: int) -> int:
    """Give the number of shifts in which a split is developed."""
    return entrants if entrants % seats else entrants - 1


def splits(entrants: int, seats: int, most: int) -> tuple[list[Split], int]:
    """Find splits whose shifts together let every pair meet equally often.

    Returns the splits (at most `most`) and how many of them make one exact cycle; 0 where `most`
    did not suffice. After each split the pairs are as even as the search could get them.
    """
    v = modulus(entrants, seats)
    counts = [0] * v
    found: list[Split] = []
    rng = Random(f"maumau-splits/1:{entrants}:{seats}")
    while len(found) < most:
        found.append(_next_split(entrants, seats, counts, rng))
        if len(set(counts[1:])) <= 1:
            return found, len(found)
    return found, 0


def _next_split(entrants: int, seats: int, counts: list[int], rng: Random) -> Split:
    """Add the split that evens out the differences best; `counts` is brought up to date."""
    v = modulus(entrants, seats)
    groups = _start(entrants, seats, v, rng)
    for table in groups[: entrants // seats]:
        _count(table, counts, v, 1)
    best, best_groups = _energy(counts), [list(g) for g in groups]
    goal = _least_energy(sum(counts), v - 1)
    energy, tables = best, entrants // seats
    for step in range(_SPLIT_STEPS if len(groups) > 1 else 0):
        if best <= goal:
            break
        heat = 3.0 * (1 - step / _SPLIT_STEPS) + 0.05
        a, b = int(rng.random() * len(groups)), int(rng.random() * len(groups))
        i, j = int(rng.random() * len(groups[a])), int(rng.random() * len(groups[b]))
        if a == b or groups[a][i] == v or groups[b][j] == v:
            continue
        _exchange(groups, tables, counts, v, (a, i, b, j))
        changed = _energy(counts)
        if changed <= energy or rng.random() < math.exp((energy - changed) / (4 * heat)):
            energy = changed
            if energy < best:
                best, best_groups = energy, [list(g) for g in groups]
        else:
            _exchange(groups, tables, counts, v, (a, i, b, j))
    for table in groups[:tables]:
        _count(table, counts, v, -1)
    for table in best_groups[:tables]:
        _count(table, counts, v, 1)
    return tuple(tuple(table) for table in best_groups[:tables])


def _start(entrants: int, seats: int, v: int, rng: Random) -> list[list[int]]:
    """Give the first split to try: for two seats the circle method, else one at random."""
    if seats == 2:
        fixed = [] if entrants % 2 else [[0, v]]
        pairs = fixed + [[d, v - d] for d in range(1, (v + 1) // 2)]
        return [*pairs, [0]] if entrants % 2 else pairs
    order = list(range(entrants))
    for i in range(len(order) - 1, 0, -1):
        j = int(rng.random() * (i + 1))
        order[i], order[j] = order[j], order[i]
    return [order[i : i + seats] for i in range(0, entrants, seats)]


def _count(table: Sequence[int], counts: list[int], v: int, by: int) -> None:
    """Count each ordered difference within the table; the fixed entrant has none."""
    for x in table:
        for y in table:
            if x != y and x != v and y != v:
                counts[(x - y) % v] += by


def _exchange(
    groups: list[list[int]], tables: int, counts: list[int], v: int, at: tuple[int, int, int, int]
) -> None:
    """Exchange two entrants between groups (those after the tables are byes) and recount."""
    a, i, b, j = at
    for group in (a, b):
        if group < tables:
            _count(groups[group], counts, v, -1)
    groups[a][i], groups[b][j] = groups[b][j], groups[a][i]
    for group in (a, b):
        if group < tables:
            _count(groups[group], counts, v, 1)


def _energy(counts: Sequence[int]) -> int:
    return sum(c * c for c in counts)


def _least_energy(total: int, places: int) -> int:
    """Give the least sum of squares of so many whole numbers with that total."""
    low, over = divmod(total, places)
    return (places - over) * low * low + over * (low + 1) ** 2


def rounds(entrants: int, seats: int, number: int, met: list[list[int]]) -> list[Split]:
    """Find `number` single rounds that even out the meetings so far; `met` is brought up to date.

    Byes go round in order, so that they are even to one.
    """
    if not number:
        return []
    rng = Random(f"maumau-rounds/1:{entrants}:{seats}:{number}")
    tables, byes = divmod(entrants, seats)
    found: list[list[list[int]]] = []
    for k in range(number):
        resting = {(k * byes + i) % entrants for i in range(byes)}
        order = [x for x in range(entrants) if x not in resting]
        found.append(_greedy_round(order, seats, met, rng))
    if tables > 1:
        _improve(found, met, rng)
    return [tuple(tuple(sorted(table)) for table in split) for split in found]


def _greedy_round(
    order: list[int], seats: int, met: list[list[int]], rng: Random
) -> list[list[int]]:
    """Fill the tables one seat at a time with whoever met the table least."""
    left = sorted(order, key=lambda _: rng.random())
    split = []
    while left:
        table = [left.pop()]
        while len(table) < seats:
            chosen = min(left, key=lambda x: sum(met[x][y] ** 2 for y in table))
            left.remove(chosen)
            table.append(chosen)
        split.append(table)
        _meet(table, met, 1)
    return split


def _meet(table: Sequence[int], met: list[list[int]], by: int) -> None:
    for x in table:
        for y in table:
            if x != y:
                met[x][y] += by


def _improve(found: list[list[list[int]]], met: list[list[int]], rng: Random) -> None:
    """Exchange entrants between tables of a round while that evens out the meetings (annealing)."""
    n = len(met)
    flat = [met[x][y] for x in range(n) for y in range(x)]
    goal = _least_energy(sum(flat), len(flat))
    energy = best = _energy(flat)
    best_found = [[list(t) for t in split] for split in found]
    for step in range(_ROUND_STEPS):
        if best <= goal:
            break
        heat = 1.5 * (1 - step / _ROUND_STEPS) + 0.05
        split = found[int(rng.random() * len(found))]
        a, b = int(rng.random() * len(split)), int(rng.random() * len(split))
        if a == b:
            continue
        i, j = int(rng.random() * len(split[a])), int(rng.random() * len(split[b]))
        change = _change(split[a], i, split[b], j, met)
        if change <= 0 or rng.random() < math.exp(-change / (2 * heat)):
            _swap(split, (a, i, b, j), met)
            energy += change
            if energy < best:
                best, best_found = energy, [[list(t) for t in s] for s in found]
    for split, wanted in zip(found, best_found, strict=True):
        for table in split:
            _meet(table, met, -1)
        split[:] = wanted
        for table in split:
            _meet(table, met, 1)


def _change(one: list[int], i: int, two: list[int], j: int, met: list[list[int]]) -> int:
    """Give how the sum of squared meetings changes if two entrants change places."""
    x, y = met[one[i]], met[two[j]]
    change = 0
    for k, z in enumerate(one):
        if k != i:
            change += y[z] - x[z] + 1
    for k, z in enumerate(two):
        if k != j:
            change += x[z] - y[z] + 1
    return 2 * change


def _swap(split: list[list[int]], at: tuple[int, int, int, int], met: list[list[int]]) -> None:
    a, i, b, j = at
    for group in (a, b):
        _meet(split[group], met, -1)
    split[a][i], split[b][j] = split[b][j], split[a][i]
    for group in (a, b):
        _meet(split[group], met, 1)
