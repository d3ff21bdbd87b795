"""What a bot is: one class, of which `act` is the only method that must be there."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, ClassVar, Final

if TYPE_CHECKING:
    from maumau.rules.deal import Deal, DealResult
    from maumau.rules.events import Event
    from maumau.rules.observation import Observation
    from maumau.rules.ruleset import RuleSet

NAME_PATTERN: Final = re.compile(r"[a-z][a-z0-9-]{1,39}")


@dataclass(frozen=True, slots=True)
class GameInfo:
    """What a bot is told when a game begins.

    `rng` is seeded from the game and the seat: the only randomness that a bot should use, so that
    the same game gives the same actions.
    """

    seat: int
    seats: int
    rules: RuleSet
    rng: random.Random


class Bot:
    """A player at one seat; a new object is made for every game.

    A subclass names itself (`name`, small letters, digits and hyphens) and gives `act`; the other
    methods are called only where a subclass has them.
    """

    name: ClassVar[str] = ""

    def __init__(self, info: GameInfo) -> None:
        """Begin a game; `info` stays readable as `self.info`."""
        self.info = info

    def act(self, obs: Observation) -> str:
        """Choose one of `obs.legal_actions`; not asked where there is only one."""
        raise NotImplementedError

    def deal_started(self, obs: Observation) -> None:
        """Take notice of a new deal; nobody has acted yet."""

    def observe(self, event: Event) -> None:
        """Take notice of an action, one's own too; called before the next `act`, in order."""

    def deal_ended(self, result: DealResult) -> None:
        """Take notice of a deal's result, with the cards that every seat had left."""


class ExhibitionBot(Bot):
    """A bot that sees all cards, for exhibitions: what skill could win at most.

    Only games in this process, of installed bots, ask it (`maumau.play_game`, `maumau play`); it is
    in no tournament and on no server. A bot in a process of its own gets nothing but observations,
    whatever its class is.
    """

    def act(self, obs: Observation) -> str:
        """Refuse to play by an observation."""
        raise TypeError(f"{self.name or type(self).__name__} plays only where it sees all cards")

    def act_open(self, deal: Deal) -> str:
        """Choose one of `deal.legal_actions()`; the deal is a copy, with all that is to come."""
        raise NotImplementedError


def wants(bot: type[Bot], method: str) -> bool:
    """Tell whether a bot class has its own `method`, so that calling it does anything."""
    return getattr(bot, method) is not getattr(Bot, method)


def rng_seed(block_seed: str, seat: int) -> str:
    """Give the seed of a bot's own `rng` at a seat, the same in every leg of a block.

    It tells nothing about the cards: another label than theirs, and a hash that does not turn back.
    """
    return sha256(f"maumau-bot-rng/1:{block_seed}:{seat}".encode()).hexdigest()


def game_info(rules: RuleSet, seats: int, seat: int, block_seed: str) -> GameInfo:
    """Give what the bot at a seat is told of a game on a seed."""
    return seeded_info(rules, seats, seat, rng_seed(block_seed, seat))


def seeded_info(rules: RuleSet, seats: int, seat: int, seed: str) -> GameInfo:
    """Give the same where only the seed of the bot's own `rng` is known: in its process."""
    return GameInfo(seat=seat, seats=seats, rules=rules, rng=random.Random(seed))
