"""What is fixed for one seat during a deal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from maumau.rules.ruleset import RuleSet


@dataclass(frozen=True)
class DealInfo:
    """What is fixed for one seat during a deal.

    `turned_up` are the cards turned up to find the starter, which is the last of them; the others
    lie at the bottom of the stock in this order.
    """

    rules: RuleSet
    seats: int
    seat: int
    leader: int
    number: int
    totals: tuple[int, ...]
    turned_up: tuple[int, ...]

    def to_wire(self) -> list[Any]:
        """Give the plain values, all but the rules, from which `from_wire` makes it again."""
        return [
            self.seats,
            self.seat,
            self.leader,
            self.number,
            list(self.totals),
            list(self.turned_up),
        ]

    @staticmethod
    def from_wire(rules: RuleSet, values: list[Any]) -> DealInfo:
        """Make it from what `to_wire` gave."""
        seats, seat, leader, number, totals, turned_up = values
        return DealInfo(rules, seats, seat, leader, number, tuple(totals), tuple(turned_up))
