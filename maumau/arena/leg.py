"""One leg of many blocks in lockstep: a round of decisions in all games, then the next.

Each entrant sits in every game. A seat with a single legal action is not asked; it sees what
happened when it is asked next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from maumau.arena import faults
from maumau.arena.clock import Clock
from maumau.arena.faults import Fault
from maumau.arena.seats import Failure, Seat, think
from maumau.arena.wire import (
    DEAL_OVER,
    EVENTS,
    NEW_DEAL,
    NEW_GAME,
    WANTS_ENDS,
    WANTS_EVENTS,
    WANTS_STARTS,
    Ask,
    News,
)
from maumau.rules.actions import ACTIONS
from maumau.rules.deal import Deal
from maumau.rules.game import Game
from maumau.rules.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class GamePlan:
    """One game to be played: its key, its seed, and which entrant sits at each seat."""

    key: int
    seed: str
    seating: tuple[int, ...]


@dataclass(slots=True)
class Round:
    """What became of one attempt: games that are over, and why it stopped before all were."""

    over: list[Table] = field(default_factory=list)
    failures: dict[int, Failure] = field(default_factory=dict)
    """By entrant: the processes that are of no use any more."""
    logs: dict[int, str] = field(default_factory=dict)
    """By entrant: the last of what those printed."""


class Table:
    """A game being played, and what each seat has yet to be told."""

    def __init__(self, plan: GamePlan, rules: RuleSet, names: Sequence[str], wants: Sequence[int]):
        """Begin the game; `names` and `wants` are by entrant."""
        self.plan = plan
        self.fault: Fault | None = None
        self.log = ""
        """The last of what the bot that forfeited had printed by then."""
        self.decisions = 0
        seats = len(plan.seating)
        self.game = Game(
            rules, seats=seats, seed=plan.seed, names=[names[entrant] for entrant in plan.seating]
        )
        self._wants = [wants[entrant] for entrant in plan.seating]
        self._news: list[list[News]] = [
            [[NEW_GAME, seat, seats, plan.seed]] for seat in range(seats)
        ]
        self._told = [0] * seats
        self._legal: list[int] = []
        self._begin_deal()

    def advance(self) -> int | None:
        """Do what is forced and give the entrant that is to decide; None if the game is over."""
        game = self.game
        while not game.over:
            legal = game.deal.legal_ids()
            if len(legal) > 1:
                self._legal = legal
                return self.plan.seating[game.deal.seat]
            self._apply(legal[0])
        return None

    def ask(self) -> Ask:
        """Give the decision that is due."""
        deal = self.game.deal
        seat = deal.seat
        news = self._news[seat]
        if news:
            self._news[seat] = []
        self._add_events(deal, seat, news)
        return Ask(self.plan.key, news, deal.snapshot(seat))

    def take(self, answer: int | Fault, seat: Seat) -> None:
        """Let the seat that was asked do this, or forfeit if it is a fault or not legal."""
        if isinstance(answer, int) and answer in self._legal:
            self.decisions += 1
            self._apply(answer)
            return
        if isinstance(answer, int):
            answer = not_legal(answer, self._legal)
        self.forfeit(self.game.deal.seat, answer, seat.log())

    def forfeit(self, seat: int, fault: Fault, log: str) -> None:
        """End the game by a seat's fault."""
        self.fault = fault
        self.log = log
        self.game.forfeit(seat, fault.kind, fault.detail)

    def last_news(self) -> dict[int, list[News]]:
        """Give, by entrant, what is still to be told when the game is over."""
        return {self.plan.seating[seat]: news for seat, news in enumerate(self._news) if news}

    def _apply(self, action: int) -> None:
        game = self.game
        deal = game.deal
        game.apply_id(action)
        if deal.over:
            self._end_deal(deal)
            if not game.over:
                self._begin_deal()

    def _begin_deal(self) -> None:
        deal = self.game.deal
        for seat, news in enumerate(self._news):
            now = deal.snapshot(seat) if self._wants[seat] & WANTS_STARTS else None
            news.append([NEW_DEAL, deal.info(seat).to_wire(), now])
            self._told[seat] = 0

    def _end_deal(self, deal: Deal) -> None:
        for seat, news in enumerate(self._news):
            wants = self._wants[seat]
            if wants & (WANTS_EVENTS | WANTS_ENDS):
                self._add_events(deal, seat, news)
            if wants & WANTS_ENDS:
                result = deal.result()
                news.append(
                    [
                        DEAL_OVER,
                        result.end,
                        result.finisher,
                        result.hands,
                        result.points,
                        result.rating,
                    ]
                )

    def _add_events(self, deal: Deal, seat: int, news: list[News]) -> None:
        events = deal.events(seat, self._told[seat])
        if events:
            news.append([EVENTS, events])
            self._told[seat] = deal.action_count


def not_legal(answer: int, legal: Sequence[int]) -> Fault:
    """Make the fault of an answer that is not one of the legal actions."""
    shown = ACTIONS[answer] if 0 <= answer < len(ACTIONS) else answer
    known = " ".join(ACTIONS[number] for number in legal)
    return Fault(faults.ILLEGAL_ACTION, faults.clean(f"answered {shown}; legal were: {known}"))


def play_round(
    tables: Sequence[Table], seats: Sequence[Seat], clock: Clock, alive: Callable[[], None]
) -> Round:
    """Play games in lockstep until all are over, or until a process fails."""
    result = Round()
    active = list(tables)
    while active:
        due: list[list[Table]] = [[] for _ in seats]
        for table in active:
            entrant = table.advance()
            if entrant is None:
                result.over.append(table)
            else:
                due[entrant].append(table)
        thinking = [entrant for entrant, asked in enumerate(due) if asked]
        for entrant in thinking:
            seats[entrant].begin([table.ask() for table in due[entrant]])
        think([seats[entrant] for entrant in thinking], clock, alive)
        active = []
        for entrant in thinking:
            failure = seats[entrant].failure
            if failure is not None:
                result.failures[entrant] = failure
                result.logs[entrant] = seats[entrant].log()
                continue
            for table, answer in zip(due[entrant], seats[entrant].answers, strict=True):
                table.take(answer, seats[entrant])
                active.append(table)
        if result.failures:
            result.over += [table for table in active if table.game.over]
            return result
        alive()
    return result
