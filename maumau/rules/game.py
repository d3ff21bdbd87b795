"""A game: deals to the rule set's end condition, totals, ranks, forfeits (docs/rules.md §4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from maumau.errors import Conflict, IllegalAction, InvalidInput, Problem
from maumau.rules.deal import Deal, DealResult
from maumau.rules.ruleset import RuleSet
from maumau.rules.shuffle import check_seed
from maumau.rules.tables import tables_for
from maumau.wording import counted, within

RECORD_FORMAT: Final = "maumau-record/1"


@dataclass(frozen=True, slots=True)
class GameFault:
    """What ended a forfeited game: `deal` and `action` count from 0 to the decision that failed."""

    seat: int
    kind: str
    detail: str
    deal: int
    action: int


class Game:
    """Deals played one after the other until the end condition, or until a seat forfeits."""

    def __init__(
        self, rules: RuleSet, *, seats: int, seed: str, names: Sequence[str] | None = None
    ) -> None:
        """Begin the first deal.

        `seed` determines every shuffle; `names` are the seats' bot versions, for the record.
        Raises InvalidInput for a number of seats or names that does not fit.
        """
        check_seed(seed)
        tables_for(rules, seats)  # refuses seats before anything is made for each of them
        self.rules = rules
        self.seats = seats
        self.seed = seed
        self.names = [f"seat {seat}" for seat in range(seats)] if names is None else list(names)
        if len(self.names) != seats:
            raise InvalidInput([Problem("names", f"must name {counted(seats, 'seat')}")])
        self.number = 0
        self.deals: list[Deal] = []
        self.results: list[DealResult] = []
        self.fault: GameFault | None = None
        self.over = False
        self._points = [0] * seats
        self._rating = [0] * seats
        self._finishes = [0] * seats
        self.deal = self._next_deal()

    def _next_deal(self) -> Deal:
        """Deal d is led by seat d mod n."""
        number = self.number
        deal = Deal(
            self.rules, self.seats, number % self.seats, self.seed, number, totals=self.totals
        )
        self.deals.append(deal)
        return deal

    def apply(self, action: object) -> None:
        """Let the seat to act do this; raises IllegalAction, and then nothing has changed."""
        if self.over:
            raise IllegalAction(action, [], "the game is over")
        self.deal.apply(action)
        if self.deal.over:
            self._end_deal()

    def apply_id(self, action: int) -> None:
        """Do the same with an action's index."""
        if self.over:
            raise IllegalAction(action, [], "the game is over")
        self.deal.apply_id(action)
        if self.deal.over:
            self._end_deal()

    def play_forced(self) -> list[int]:
        """Do what is forced in this deal; list the legal actions then, none if the deal ended.

        Nothing is done where the game is over.
        """
        if self.over:
            return []
        legal = self.deal.play_forced()
        if not legal:
            self._end_deal()
        return legal

    def forfeit(self, seat: int, kind: str, detail: str) -> None:
        """End the game by a seat's fault: it gets the last rank, the others share the first."""
        if self.over:
            raise Conflict("game_over", "the game is over: nobody can forfeit it any more")
        if not 0 <= seat < self.seats:
            raise InvalidInput([Problem("seat", f"must be {within(0, self.seats - 1)}")])
        self.fault = GameFault(seat, kind, detail, self.number, self.deal.action_count)
        self.over = True

    def _end_deal(self) -> None:
        self._count(self.deal.result())
        if not self.over:
            self.number += 1
            self.deal = self._next_deal()

    def _count(self, result: DealResult) -> None:
        """Add a deal's result to the totals."""
        self.results.append(result)
        for seat in range(self.seats):
            self._points[seat] += result.points[seat]
            if result.rating is not None:
                self._rating[seat] += result.rating[seat]
        if result.finisher is not None:
            self._finishes[result.finisher] += 1
        self.over = self._ended()

    def _ended(self) -> bool:
        """Tell whether the deal just ended was the last one."""
        game = self.rules.data["game"]
        played = len(self.results)
        if game["length"] == "deal" or played >= self.rules.data["max_deals"]:
            return True
        if game["length"] == "deals":
            return bool(played >= game["deals"])
        return bool(max(self.totals) >= game["target"])

    @property
    def totals(self) -> list[int]:
        """The seats' totals of the completed deals; after a forfeit the abort total counts too."""
        rating = self.rules.data["scoring"]["rating"]
        if rating is None:
            totals = list(self._points)
        else:
            factor = rating["factor"]
            totals = [
                factor * rated - points
                for rated, points in zip(self._rating, self._points, strict=True)
            ]
        abort = self.rules.data["game"]["abort"]
        if self.fault is not None and abort is not None:
            totals[self.fault.seat] = abort
        return totals

    @property
    def ranks(self) -> list[int]:
        """The seats' ranks, best 1; equal rank is shared and the next one skips."""
        if self.fault is not None:
            return [self.seats if seat == self.fault.seat else 1 for seat in range(self.seats)]
        data = self.rules.data
        if data["game"]["length"] == "deal" and data["scoring"]["to"] == "none":
            if not any(self._finishes):
                return [1] * self.seats
            return [1 if finishes else 2 for finishes in self._finishes]
        keys = [self._rank_key(seat, total) for seat, total in enumerate(self.totals)]
        return [1 + sum(other < key for other in keys) for key in keys]

    def _rank_key(self, seat: int, total: int) -> tuple[int, ...]:
        """Give what decides a seat's rank, smaller first: its total, then the tie-breaks."""
        game = self.rules.data["game"]
        key = [total if game["best"] == "low" else -total]
        for tie in game["ties"]:
            if tie == "shared":
                break
            key.append(-self._rating[seat] if tie == "rating" else -self._finishes[seat])
        return tuple(key)

    def record(self) -> dict[str, Any]:
        """Give the record of a game that is over (docs/rules.md §5)."""
        self._must_be_over()
        deals = [deal_record(deal) for deal in self.deals]
        return {
            "format": RECORD_FORMAT,
            "seed": self.seed,
            "rules": self.rules.data,
            "seats": list(self.names),
            "deals": deals,
            "totals": self.totals,
            "ranks": self.ranks,
            "fault": None if self.fault is None else asdict(self.fault),
        }

    def compact(self) -> bytes:
        """Give the record of a game that is over in a small form; `compact.expand` undoes it."""
        from maumau.rules.compact import pack_game

        self._must_be_over()
        return pack_game(self)

    def _must_be_over(self) -> None:
        if not self.over:
            raise Conflict("game_not_over", "the game is not over: it has no record yet")


def deal_record(deal: Deal) -> dict[str, Any]:
    """Give a record's entry of one deal; one that is not over was forfeited."""
    entry: dict[str, Any] = {
        "leader": deal.leader,
        "order": deal.order(),
        "reshuffles": deal.reshuffles(),
        "actions": [list(pair) for pair in deal.actions()],
    }
    if deal.over:
        entry |= asdict(deal.result())
    else:
        entry |= {"end": "forfeit", "finisher": None, "hands": deal.hands()}
        entry |= {"points": None, "rating": None}
    return entry
