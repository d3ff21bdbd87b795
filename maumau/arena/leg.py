"""One leg of many blocks in lockstep: a round of decisions in all games, then the next.

Each entrant sits in every game. A seat with a single legal action is not asked; it sees what
happened when it is asked next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from maumau.arena import faults
from maumau.arena.clock import Clock
from maumau.arena.faults import Fault
from maumau.arena.seats import Failure, Seat, think
from maumau.arena.wire import (
    DEAL_OVER,
    EVENTS,
    NEW_DEAL,
    WANTS_ENDS,
    WANTS_EVENTS,
    WANTS_STARTS,
    Ask,
    News,
    new_game,
)
from maumau.rules.actions import ACTIONS
from maumau.rules.deal import Deal
from maumau.rules.game import Game
from maumau.rules.ruleset import RuleSet

SIDE_BY_SIDE_NS: Final = 5_000_000
"""CPU of one entrant's decisions from which on the other processors are worth a message."""


@dataclass(frozen=True, slots=True)
class GamePlan:
    """One game to be played: its key, its seed, and which entrant sits at each seat."""

    key: int
    seed: str
    seating: tuple[int, ...]


@dataclass(slots=True)
class Attempt:
    """What became of games played once: those that are over, and why it stopped before all were."""

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
        self._news: list[list[News]] = [[new_game(seat, seats, plan.seed)] for seat in range(seats)]
        self._told = [0] * seats
        self._legal: list[int] = []
        self._begin_deal()

    def advance(self, alive: Callable[[], None] = lambda: None) -> int | None:
        """Do what is forced and give the entrant that is to decide; None if the game is over.

        `alive` is called between deals: whole games may be forced.
        """
        game = self.game
        while not game.over:
            deal = game.deal
            if legal := game.play_forced():
                self._legal = legal
                return self.plan.seating[deal.seat]
            self._end_deal(deal)
            alive()
        return None

    def ask(self) -> Ask:
        """Give the decision that is due."""
        deal = self.game.deal
        seat = deal.seat
        if news := self._news[seat]:
            self._news[seat] = []
        events = deal.events(seat, self._told[seat])
        self._told[seat] = deal.action_count
        return Ask(self.plan.key, news, deal.snapshot(seat), events)

    def take(self, answer: int | Fault, seat: Seat) -> None:
        """Let the seat that was asked do this, or forfeit if it is a fault or not legal."""
        if isinstance(answer, int) and answer in self._legal:
            self.decisions += 1
            deal = self.game.deal
            self.game.apply_id(answer)
            if self.game.deal is not deal or self.game.over:
                self._end_deal(deal)
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

    def _begin_deal(self) -> None:
        deal = self.game.deal
        for seat, news in enumerate(self._news):
            now = deal.snapshot(seat) if self._wants[seat] & WANTS_STARTS else None
            news.append([NEW_DEAL, deal.info(seat).to_wire(), now])
            self._told[seat] = 0

    def _end_deal(self, deal: Deal) -> None:
        """Note what is to be told of a deal that is over, and of the next one."""
        for seat, news in enumerate(self._news):
            wants = self._wants[seat]
            if wants & (WANTS_EVENTS | WANTS_ENDS):
                news.append([EVENTS, deal.events(seat, self._told[seat])])
            if wants & WANTS_ENDS:
                end = deal.result()
                told = [end.end, end.finisher, end.hands, end.points, end.rating]
                news.append([DEAL_OVER, *told])
        if not self.game.over:
            self._begin_deal()


def not_legal(answer: int, legal: Sequence[int]) -> Fault:
    """Make the fault of an answer that is not one of the legal actions."""
    shown = ACTIONS[answer] if 0 <= answer < len(ACTIONS) else answer
    known = " ".join(ACTIONS[number] for number in legal)
    return Fault(faults.ILLEGAL_ACTION, faults.clean(f"answered {shown}; legal were: {known}"))


def play_games(
    tables: Sequence[Table], seats: Sequence[Seat], clock: Clock, alive: Callable[[], None]
) -> Attempt:
    """Play games in lockstep until all are over, or until a process fails."""
    attempt = Attempt()
    due: list[list[Table]] = [[] for _ in seats]
    _advance(tables, due, attempt, alive)
    while any(due):
        asked = {entrant: due[entrant] for entrant in _turn(due, seats)}
        for entrant, games in asked.items():
            due[entrant] = []
            seats[entrant].begin([table.ask() for table in games])
        think([seats[entrant] for entrant in asked], clock, alive)
        for entrant, games in asked.items():
            seat = seats[entrant]
            if seat.failure is not None:
                attempt.failures[entrant] = seat.failure
                attempt.logs[entrant] = seat.log()
                continue
            for table, answer in zip(games, seat.answers, strict=True):
                table.take(answer, seat)
            _advance(games, due, attempt, alive)
        if attempt.failures:
            break
        alive()
    return attempt


def _advance(
    tables: Sequence[Table],
    due: list[list[Table]],
    attempt: Attempt,
    alive: Callable[[], None],
) -> None:
    """Do what is forced in games, and note who is to decide next, or that they are over."""
    for table in tables:
        entrant = table.advance(alive)
        if entrant is None:
            attempt.over.append(table)
        else:
            due[entrant].append(table)


def _turn(due: Sequence[list[Table]], seats: Sequence[Seat]) -> list[int]:
    """Choose the entrants to be asked now: bots that think long side by side, else the fullest.

    Messages are what quick bots cost; one that waits until the others have nothing to decide gets
    its games all in one.
    """
    waiting = [entrant for entrant, games in enumerate(due) if games]
    if any(seats[entrant].cost_ns * len(due[entrant]) > SIDE_BY_SIDE_NS for entrant in waiting):
        return waiting
    return [max(waiting, key=lambda entrant: len(due[entrant]))]
