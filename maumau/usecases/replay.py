"""Replay a game from its record: any deal at any step, as the engine has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from maumau.errors import IllegalAction, InvalidInput, NotFound, Problem, RecordError
from maumau.rules.deal import Deal, DealResult
from maumau.rules.events import Event
from maumau.rules.game import Game
from maumau.rules.ruleset import RuleSet, load_rules
from maumau.wording import within


@dataclass(frozen=True, slots=True)
class Step:
    """A deal after `step` of its actions.

    `hands` are all cards at each seat; `legal` the actions of the seat to act, `choice` the one
    that it took (None at the end); `pile` the discard pile, its last card on top.
    """

    deal: int
    step: int
    seat: int
    phase: str
    direction: int
    top: str
    wish: str | None
    owed: int
    stock: int
    pile: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]
    drawn_card: str | None
    offender: int | None
    legal: tuple[str, ...]
    choice: str | None
    totals: tuple[int, ...]
    result: DealResult | None


class Replay:
    """A game that was played, or is being played: its rules, seed and actions say everything."""

    def __init__(
        self, rules: RuleSet, seed: str, names: Sequence[str], actions: Sequence[Sequence[str]]
    ):
        """`names` are the seats' names, `actions` those of each deal, in order."""
        self.rules, self.seed = rules, seed
        self.names = tuple(names)
        self.actions = tuple(tuple(deal) for deal in actions)

    @staticmethod
    def of_record(record: Mapping[str, Any]) -> Replay:
        """Take a record (docs/rules.md §5)."""
        actions = [[action for _, action in deal["actions"]] for deal in record["deals"]]
        return Replay(load_rules(record["rules"]), record["seed"], record["seats"], actions)

    @property
    def deals(self) -> int:
        """How many deals there are."""
        return len(self.actions)

    def deal_at(self, number: int, step: int) -> Deal:
        """Give a deal as it was after `step` actions; raises `NotFound` for one there is not."""
        if not 0 <= number < self.deals:
            raise NotFound(
                "deal", number, f"deals of this game are numbered {within(0, self.deals - 1)}"
            )
        if not 0 <= step <= len(self.actions[number]):
            raise NotFound(
                "step",
                step,
                f"steps of this deal are numbered {within(0, len(self.actions[number]))}",
            )
        game = Game(self.rules, seats=len(self.names), seed=self.seed, names=self.names)
        try:
            for before in self.actions[:number]:
                for action in before:
                    game.apply(action)
            if game.number != number:
                raise RecordError(f"deals[{number}]", "the deal before it is not over")
            deal = game.deal
            for action in self.actions[number][:step]:
                game.apply(action)
        except IllegalAction as error:
            raise RecordError(f"deals[{number}]", str(error)) from None
        return deal

    def step(self, number: int, step: int) -> Step:
        """Give all that is to be seen after `step` actions of a deal."""
        deal = self.deal_at(number, step)
        seen = deal.observation(deal.seat)
        actions = self.actions[number]
        return Step(
            deal=number,
            step=step,
            seat=deal.seat,
            phase=seen.phase,
            direction=seen.direction,
            top=seen.top_card,
            wish=seen.wish,
            owed=seen.owed,
            stock=seen.stock_count,
            pile=seen.discard_pile,
            hands=tuple(tuple(hand) for hand in deal.hands()),
            drawn_card=seen.drawn_card,
            offender=seen.offender,
            legal=seen.legal_actions,
            choice=actions[step] if step < len(actions) else None,
            totals=deal.totals,
            result=deal.result() if deal.over else None,
        )

    def decisions(self, number: int) -> list[list[Any]]:
        """Give a deal's decisions: seat, action taken, every legal action."""
        deal = self.deal_at(number, 0)
        found: list[list[Any]] = []
        for action in self.actions[number]:
            found.append([deal.seat, action, deal.legal_actions()])
            deal.apply(action)
        return found

    def events(self, number: int) -> tuple[Event, ...]:
        """Give all events of a deal; cards that were drawn are not among what they tell."""
        deal = self.deal_at(number, len(self.actions[number]))
        return tuple(event._replace(cards=()) for event in deal.observation(0).events)


def whole_number(text: str, path: str) -> int:
    """Read a number of a deal or step."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise InvalidInput([Problem(path, "must be a whole number from 0")])
    return int(text)
