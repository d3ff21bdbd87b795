"""Who sits after whom: the circular orders of a table of four, and how they are handed out.

Two or three seats play all their seat orders, so nothing is to be chosen. Four seats play the four
rotations of one circular order a block; there are six such orders. `Circles` hands them out so
that each entrant is each other's next clockwise equally often.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import permutations

ORDERS: tuple[tuple[int, ...], ...] = (
    (0, 1, 2, 3),
    (0, 3, 2, 1),
    (0, 2, 3, 1),
    (0, 1, 3, 2),
    (0, 3, 1, 2),
    (0, 2, 1, 3),
)
"""The circular orders of four places; each follows its opposite, and no order follows itself."""

Link = Callable[[int, int], Hashable]


def arrange(members: Sequence[int], order: int) -> tuple[int, ...]:
    """Give four members in the circular order of that number."""
    return tuple(members[place] for place in ORDERS[order])


def seatings(circle: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Give the seatings of a block, one a leg: who sits at seat 0, 1 …

    All seat orders of two and three; the rotations of the given circular order of four.
    """
    if len(circle) < 4:
        return tuple(permutations(circle))
    return tuple(tuple(circle[(seat - leg) % 4] for seat in range(4)) for leg in range(4))


class Circles:
    """Hands out circular orders, each time the one whose neighbours were neighbours least often.

    `link` names what is counted for "y sits next after x": the ordered pair itself, or its
    difference where tables are shifted copies of one another.
    """

    def __init__(self, link: Link):
        self.link = link
        self.counts: dict[Hashable, int] = {}

    def take(self, members: Sequence[int], allowed: Sequence[int]) -> int:
        """Choose an order of the four members and count its neighbours."""
        best = min(allowed, key=lambda order: (self._cost(members, order), order))
        self.add(members, best, 1)
        return best

    def add(self, members: Sequence[int], order: int, times: int) -> None:
        """Count the neighbours of an order that was given `times` times."""
        for link in self._links(members, order):
            self.counts[link] = self.counts.get(link, 0) + times

    def _links(self, members: Sequence[int], order: int) -> list[Hashable]:
        circle = arrange(members, order)
        return [self.link(circle[i - 1], circle[i]) for i in range(4)]

    def _cost(self, members: Sequence[int], order: int) -> int:
        cost, own = 0, dict[Hashable, int]()
        for link in self._links(members, order):
            cost += 2 * (self.counts.get(link, 0) + own.get(link, 0)) + 1
            own[link] = own.get(link, 0) + 1
        return cost


def but(last: int | None, among: Sequence[int] = range(6)) -> list[int]:
    """Give the orders but the last one used, so that the order changes from block to block."""
    return [order for order in among if order != last]
