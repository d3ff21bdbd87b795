"""Plays games for the check: the bot under test among seats that draw lots.

Seats that draw lots forget calls, hoard and run up debts, and so bring about positions that are
rare among good players.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from maumau.bots.base import Bot, game_info
from maumau.bots.play import Player
from maumau.bots.reasons import described, printable, unmade
from maumau.rules.deal import Deal, DealResult
from maumau.rules.game import Game
from maumau.rules.observation import Observation
from maumau.rules.ruleset import RuleSet

Clock = Callable[[], float]
"""Seconds from any start; passed in, so that the check itself knows no clock."""


class SeatFault(Exception):
    """What the bot under test did wrong: a fault kind of docs/bots.md, and what is known of it."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind, self.detail = kind, detail


class Seat(Protocol):
    """A bot at one seat of one game, in this process or behind a wire.

    Each method raises SeatFault where the bot fails.
    """

    def start(self, deal: Deal) -> None:
        """Begin a deal in which nobody has acted yet."""
        ...

    def ask(self, deal: Deal) -> str:
        """Give the bot's action; it is not known yet whether it is legal."""
        ...

    def end(self, deal: Deal, result: DealResult) -> None:
        """End a deal."""
        ...

    def close(self) -> None:
        """End the game; called once, after a fault too."""
        ...


SeatMaker = Callable[[RuleSet, int, int, str], Seat]
"""Makes the seat of a new game from rule set, number of seats, the bot's seat and the seed."""


class LocalSeat:
    """A trusted bot's seat in this process."""

    def __init__(self, bot: type[Bot], rules: RuleSet, seats: int, seat: int, seed: str) -> None:
        try:
            self._player = Player(bot, game_info(rules, seats, seat, seed))
        except Exception as error:
            raise SeatFault("crash", unmade(error, described(error))) from error

    def start(self, deal: Deal) -> None:
        """Begin a deal."""
        try:
            self._player.start(deal)
        except Exception as error:
            raise SeatFault("crash", described(error)) from error

    def ask(self, deal: Deal) -> str:
        """Give the bot's action."""
        try:
            return self._player.ask(deal)
        except Exception as error:
            raise SeatFault("crash", described(error)) from error

    def end(self, deal: Deal, result: DealResult) -> None:
        """End a deal."""
        try:
            self._player.end(deal, result)
        except Exception as error:
            raise SeatFault("crash", described(error)) from error

    def close(self) -> None:
        """Nothing is held."""


def local_seats(bot: type[Bot]) -> SeatMaker:
    """Give the maker of seats in this process."""
    return lambda rules, seats, seat, seed: LocalSeat(bot, rules, seats, seat, seed)


@dataclass(frozen=True, slots=True)
class Decision:
    """One answer of the bot: where, of what kinds the position was, what it chose, how long."""

    deal: int
    action: int
    kinds: frozenset[str]
    choice: str
    seconds: float


@dataclass(slots=True)
class Trial:
    """One game played for the check; `fault` is what stopped it, if anything did."""

    game: Game
    seat: int
    decisions: list[Decision] = field(default_factory=list)
    fault: SeatFault | None = None

    @property
    def choices(self) -> list[tuple[int, int, str]]:
        """Give what the bot chose, each with its deal and the number of the action."""
        return [(it.deal, it.action, it.choice) for it in self.decisions]


KINDS = ("owed", "asked", "drawn", "drawing", "wish", "call", "last_card", "empty_stock")
"""The rare kinds of position that the check waits for."""


def kinds(obs: Observation) -> frozenset[str]:
    """Say of which rare kinds a position is."""
    found = {obs.phase} & {"asked", "drawn", "drawing"}
    if obs.owed:
        found.add("owed")
    if obs.wish:
        found.add("wish")
    if obs.hand_counts[obs.seat] == 1:
        found.add("last_card")
    if not obs.stock_count:
        found.add("empty_stock")
    if any(action.endswith("!") for action in obs.legal_actions):
        found.add("call")
    return frozenset(found)


def play_trial(
    make: SeatMaker, rules: RuleSet, *, seats: int, seat: int, seed: str, clock: Clock
) -> Trial:
    """Play one game with the bot at `seat`; all else in it depends on the seed alone."""
    names = ["lots"] * seats
    names[seat] = "bot"
    trial = Trial(Game(rules, seats=seats, seed=seed, names=names), seat)
    lots = random.Random(f"check:{seed}")
    try:
        player = make(rules, seats, seat, seed)
    except SeatFault as fault:
        _stop(trial, fault)
        return trial
    try:
        while not trial.game.over:
            _play_deal(trial, player, lots, clock)
    except SeatFault as fault:
        _stop(trial, fault)
    finally:
        player.close()
    return trial


def _stop(trial: Trial, fault: SeatFault) -> None:
    trial.fault = fault
    if not trial.game.over:
        trial.game.forfeit(trial.seat, fault.kind, fault.detail)


def _play_deal(trial: Trial, player: Seat, lots: random.Random, clock: Clock) -> None:
    game, seat = trial.game, trial.seat
    deal = game.deal
    player.start(deal)
    while not deal.over:
        legal = deal.legal_ids()
        if len(legal) == 1:
            game.apply_id(legal[0])
        elif deal.seat != seat:
            game.apply_id(lots.choice(legal))
        else:
            obs = deal.observation(seat)
            number, at = game.number, deal.action_count
            begun = clock()
            choice = _asked(player, deal, obs.legal_actions)
            seconds = clock() - begun
            trial.decisions.append(Decision(number, at, kinds(obs), choice, seconds))
            game.apply(choice)
    player.end(deal, deal.result())


def _asked(player: Seat, deal: Deal, allowed: tuple[str, ...]) -> str:
    """Give the bot's answer; what is not legal is told with what would have been."""
    try:
        choice = player.ask(deal)
    except SeatFault as fault:
        if fault.kind != "illegal_action":
            raise
        legal = f"{fault.detail}; legal were: {' '.join(allowed)}"
        raise SeatFault(fault.kind, legal) from None
    if type(choice) is str and choice in allowed:
        return choice
    told = f"{printable(repr(choice), 60)} is not one of {' '.join(allowed)}"
    if type(choice) is str and f"{choice}=c" in allowed:
        told += f"; a card that wishes is written with its wish: {choice}=c"
    elif type(choice) is str and choice.endswith("!") and choice[:-1] in allowed:
        told += "; no call is due with this play"
    raise SeatFault("illegal_action", told)
