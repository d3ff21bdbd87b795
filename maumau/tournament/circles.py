"""Who sits after whom: the circular orders of a table of four, and how they are handed out.

Two or three seats play all their seat orders, so nothing is to be chosen. Four seats play the four
rotations of one circular order a block; there are six such orders. `Circles` hands them out so
that each entrant is each other's next clockwise equally often.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from random import Random

ORDERS: tuple[tuple[int, ...], ...] = (
    (0, 1, 2, 3),
    (0, 3, 2, 1),
    (0, 2, 3, 1),
    (0, 1, 3, 2),
    (0, 3, 1, 2),
    (0, 2, 1, 3),
)
"""The circular orders of four places; each follows its opposite, and no order follows itself."""


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


Link = Callable[[int, int], int | None]

_STEPS = 40_000


@dataclass(slots=True)
class _Choice:
    """One table's order: the links that each allowed order makes, and the blocks beside it."""

    links: dict[int, list[int]]
    order: int
    before: _Choice | None
    after: _Choice | None = None

    def may(self, order: int) -> bool:
        """Say whether the order differs from those of the blocks beside it."""
        beside = (self.before, self.after)
        return order in self.links and all(c is None or c.order != order for c in beside)


class Circles:
    """Hands out circular orders so that all neighbours were neighbours equally often.

    `link` numbers (below `links`) what is counted for "y sits next after x": the ordered pair, or
    its difference where tables are shifted copies of one another; None where nothing is to choose.
    """

    def __init__(self, links: int, link: Link):
        self._link = link
        self.counts = [0] * links
        self._choices: list[_Choice] = []

    def add(
        self,
        members: Sequence[int],
        *,
        before: int | None = None,
        allowed: Sequence[int] = range(6),
        period: int = 4,
    ) -> int:
        """Ask for an order of four members, other than that of choice `before`; give its number.

        `period` is 2 or 1 where the table is its own copy after two places or one.
        """
        links = {order: self._links(members, order)[:period] for order in allowed}
        choice = _Choice(links, -1, None if before is None else self._choices[before])
        if choice.before is not None:
            choice.before.after = choice
        choice.order = min(filter(choice.may, links), key=lambda order: self._cost(links[order]))
        self._count(choice, 1)
        self._choices.append(choice)
        return len(self._choices) - 1

    def orders(self) -> list[int]:
        """Even out what was asked for (annealing from a fixed seed) and give each order."""
        rng = Random("maumau-circles/1")
        low, over = divmod(sum(self.counts), len(self.counts))
        goal = (len(self.counts) - over) * low * low + over * (low + 1) ** 2
        energy = sum(count * count for count in self.counts)
        best, best_orders = energy, [choice.order for choice in self._choices]
        for step in range(_STEPS if self._choices else 0):
            if best <= goal:
                break
            choice = self._choices[int(rng.random() * len(self._choices))]
            order = int(rng.random() * len(ORDERS))
            if order == choice.order or not choice.may(order):
                continue
            heat = 2 * (1 - step / _STEPS) + 0.05
            old, before = choice.order, energy
            self._count(choice, -1)
            energy -= self._cost(choice.links[old])
            energy += self._cost(choice.links[order])
            if energy <= before or rng.random() < math.exp((before - energy) / heat):
                choice.order = order
            else:
                energy = before
            self._count(choice, 1)
            if energy < best:
                best, best_orders = energy, [choice.order for choice in self._choices]
        for choice in self._choices:
            self._count(choice, -1)
        for choice, choice.order in zip(self._choices, best_orders, strict=True):
            self._count(choice, 1)
        return best_orders

    def _links(self, members: Sequence[int], order: int) -> list[int]:
        circle = arrange(members, order)
        pairs = (self._link(circle[i], circle[(i + 1) % 4]) for i in range(4))
        return [link for link in pairs if link is not None]

    def _count(self, choice: _Choice, by: int) -> None:
        for link in choice.links[choice.order]:
            self.counts[link] += by

    def _cost(self, links: Sequence[int]) -> int:
        """Give what counting these links would add to the sum of squares."""
        cost = 0
        for place, link in enumerate(links):
            cost += 2 * (self.counts[link] + links[:place].count(link)) + 1
        return cost
