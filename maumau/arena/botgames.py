"""One bot in all the games it plays side by side: an object a game, fed and asked in order.

The same code runs in the bot's child process and, for trusted bots, in the arena's own.
"""

from __future__ import annotations

import sys
import traceback
from typing import Any, Final

from maumau.arena.faults import CRASH, ILLEGAL_ACTION, MEMORY, clean
from maumau.arena.wire import (
    EVENTS,
    NEW_DEAL,
    NEW_GAME,
    NO_ACTION,
    WANTS_ENDS,
    WANTS_EVENTS,
    WANTS_STARTS,
    News,
)
from maumau.bots.base import Bot, GameInfo, seeded_info, wants
from maumau.bots.reasons import described, its_own, near, unmade
from maumau.rules.actions import ACTION_NUMBER
from maumau.rules.deal import DealResult
from maumau.rules.deal_info import DealInfo
from maumau.rules.history import History
from maumau.rules.observation import Observation
from maumau.rules.ruleset import RuleSet

Reported = tuple[int, str, str]
"""A fault of the decision at a place: the place, the kind, the detail."""

_METHODS: Final = {
    "deal_started": WANTS_STARTS,
    "observe": WANTS_EVENTS,
    "deal_ended": WANTS_ENDS,
}


def wanted(bot: type[Bot]) -> int:
    """Give the `WANTS_…` flags of a bot class: which of the optional methods it has."""
    return sum(flag for method, flag in _METHODS.items() if wants(bot, method))


class _Game:
    """What one bot knows of one game."""

    __slots__ = ("bot", "history", "info", "seat", "seats")

    bot: Bot
    info: DealInfo
    history: History

    def __init__(self, bot: Bot) -> None:
        self.bot = bot


class _NotMade(Exception):
    """The bot's class could not be made for a game; the cause says why."""


class BotGames:
    """All games of one bot in one process."""

    def __init__(self, bot: type[Bot], rules: RuleSet) -> None:
        self._make = bot
        self._rules = rules
        self._games: dict[int, _Game] = {}
        self._wants_events = bool(wanted(bot) & WANTS_EVENTS)

    def ask(self, asks: list[Any]) -> tuple[list[int], list[Reported]]:
        """Take the decisions due, in order; an action's index each, or a fault.

        After MEMORY the rest is not asked: the process is to be given up.
        """
        actions: list[int] = []
        faults: list[Reported] = []
        games = self._games
        for game, news, now, events in asks:
            try:
                if news:
                    self.tell(game, news)
                seat = games[game]
                if events:
                    self._see(seat, events)
                answer = seat.bot.act(Observation(seat.info, seat.history, now))
            except MemoryError:
                faults.append((len(actions), MEMORY, "the bot ran out of memory"))
                actions += [NO_ACTION] * (len(asks) - len(actions))
                break
            except _NotMade as error:
                faults.append((len(actions), CRASH, _not_made(error.__cause__)))
                actions.append(NO_ACTION)
                continue
            except BaseException as error:
                faults.append((len(actions), CRASH, logged(error)))
                actions.append(NO_ACTION)
                continue
            number = ACTION_NUMBER.get(answer) if type(answer) is str else None
            if number is None:
                faults.append((len(actions), ILLEGAL_ACTION, _not_an_action(answer)))
                number = NO_ACTION
            actions.append(number)
        return actions, faults

    def _see(self, seat: _Game, events: list[int]) -> None:
        """Add a deal's events to what is known of it; they are worked out if somebody looks."""
        if not self._wants_events:
            seat.history.extend(events)
            return
        for event in seat.history.feed(events):
            seat.bot.observe(event)

    def _made(self, info: GameInfo) -> Bot:
        try:
            return self._make(info)
        except MemoryError:
            raise
        except BaseException as error:
            raise _NotMade from error

    def tell(self, game: int, news: list[News]) -> None:
        """Let a game's bot know what happened since it was asked last."""
        for kind, *values in news:
            if kind == EVENTS:
                self._see(self._games[game], values[0])
            elif kind == NEW_DEAL:
                seat = self._games[game]
                wire, now = values
                seat.info = DealInfo.from_wire(self._rules, wire)
                seat.history = History(seat.info)
                if now is not None:
                    seat.bot.deal_started(Observation(seat.info, seat.history, now))
            elif kind == NEW_GAME:
                place, seats, seed = values
                info = seeded_info(self._rules, seats, place, seed)
                self._games[game] = _Game(self._made(info))
            else:
                end, finisher, hands, points, rating = values
                result = DealResult(end, finisher, hands, points, rating)
                self._games[game].bot.deal_ended(result)


def logged(error: BaseException) -> str:
    """Give an exception as one line, and its traceback to the log."""
    try:
        traceback.print_exception(type(error), error, its_own(error))
    except BaseException:
        print("the traceback cannot be shown", file=sys.stderr)
    return clean(described(error))


def _not_made(error: BaseException | None) -> str:
    assert error is not None
    return clean(unmade(error, logged(error)))


def _not_an_action(answer: object) -> str:
    if type(answer) is str:
        return clean(f"answered {answer[:60]!r}, which is no action{near(answer)}")
    what = type(answer).__name__
    hints = {
        "NoneType": "; every way through act must return one of obs.legal_actions",
        "coroutine": "; write def act, not async def act",
        "generator": "; act must return, not yield",
        "list": "; return one element of obs.legal_actions, not a list",
        "tuple": "; return one element of obs.legal_actions, not a tuple",
    }
    return clean(f"answered a {what}, not an action's text{hints.get(what, '')}")
