"""Results by line-up, as ratings need them: who was first, alone or shared, in which company."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from maumau.tournament.moments import Integers
from maumau.tournament.sums import share_units

Leg = tuple[int, Sequence[int], Sequence[int]]
"""(seed, entrant at each seat, rank of each seat); seeds are numbered through all tournaments."""


@dataclass(frozen=True, slots=True)
class Results:
    """Rows of (seed, line-up) for line-ups of one size.

    `members` (rows × size) are entrants, rising; `units` (rows × size) their share units; `ties`
    (rows × size − 1) counts games in which 2, 3 … shared rank 1.
    """

    seed: Integers
    members: Integers
    games: Integers
    units: Integers
    ties: Integers

    def first(self, seeds: int) -> Results:
        """Give the rows of the first so many seeds."""
        own = self.seed < seeds
        return Results(
            self.seed[own], self.members[own], self.games[own], self.units[own], self.ties[own]
        )

    @property
    def size(self) -> int:
        """The seats of the line-ups."""
        return int(self.members.shape[1])


def from_sums(
    seed: Integers,
    members: Integers,
    units: Integers,
    *,
    games: Integers,
    wins: Integers,
    shared: Integers,
    squares: Integers,
) -> Results:
    """Make results from sums of each (seed, line-up).

    `wins` and `shared` are added over the members, `squares` over the unordered pairs
    (maumau.tournament.sums): from these follows how many shared rank 1 how often.
    """
    size = members.shape[1]
    ties = np.zeros((len(games), size - 1), dtype=np.int64)
    many = games - wins
    if size == 2:
        ties[:, 0] = many
    elif size == 3:
        ties[:, 0] = 3 * many - shared
        ties[:, 1] = many - ties[:, 0]
    else:
        # t first of four: t (4 − t) pairs differ by 12 / t, which squared gives 432, 144, 48, 0.
        ties[:, 0] = (squares - 432 * wins) // 48 - (4 * many - shared)
        ties[:, 1] = 4 * many - shared - 2 * ties[:, 0]
        ties[:, 2] = many - ties[:, 0] - ties[:, 1]
    return Results(seed, members, games, units, ties)


def from_legs(legs: Iterable[Leg], *, places: Literal["first", "all"] = "first") -> list[Results]:
    """Make results from single games, one `Results` for each size of line-up.

    `"first"` counts who had rank 1, which is what a score share is. `"all"` reads the whole
    ranking as Plackett and Luce do: after the first, who is first of the others, and so on.
    """
    rows: dict[tuple[int, tuple[int, ...]], Integers] = {}
    for seed, seating, ranks in legs:
        for members, first in _choices(seating, ranks, places):
            size = len(members)
            row = rows.setdefault((seed, members), np.zeros(2 * size, dtype=np.int64))
            row[0] += 1
            row[1 : size + 1] += share_units([1 if x in first else 2 for x in members])
            if len(first) > 1:
                row[size + len(first) - 1] += 1
    by_size: dict[int, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
    for seed, members in sorted(rows):
        by_size[len(members)].append((seed, members))
    found = []
    for size, keys in sorted(by_size.items()):
        table = np.array([rows[key] for key in keys])
        found.append(
            Results(
                seed=np.array([seed for seed, _ in keys]),
                members=np.array([members for _, members in keys]),
                games=table[:, 0],
                units=table[:, 1 : size + 1],
                ties=table[:, size + 1 :],
            )
        )
    return found


def _choices(
    seating: Sequence[int], ranks: Sequence[int], places: str
) -> Iterable[tuple[tuple[int, ...], frozenset[int]]]:
    """Give who was to be first and who was, for the first place or one place after another."""
    left = dict(zip(seating, ranks, strict=True))
    while len(left) > 1:
        best = min(left.values())
        first = frozenset(x for x, rank in left.items() if rank == best)
        yield tuple(sorted(left)), first
        if places == "first":
            return
        left = {x: rank for x, rank in left.items() if x not in first}
