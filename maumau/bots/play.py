"""Play games in this process, with bots that are trusted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, TypeVarTuple

from maumau.bots import registry
from maumau.bots.base import Bot, ExhibitionBot, GameInfo, game_info, wants
from maumau.bots.reasons import described, printable
from maumau.errors import IllegalAction, InvalidInput, Problem
from maumau.rules.deal import Deal, DealResult
from maumau.rules.game import Game
from maumau.rules.ruleset import RuleSet, load_rules
from maumau.wording import counted, span

Maker = Callable[[GameInfo], Bot]
Args = TypeVarTuple("Args")
Result = TypeVar("Result")


class Player:
    """A bot at its seat: asked through its deal, told of what happened since it was asked last."""

    def __init__(self, make: Maker, info: GameInfo) -> None:
        """Make the bot's object for one game."""
        self.seat = info.seat
        self.bot = make(info)
        kind = type(self.bot)
        self._wants_start = wants(kind, "deal_started")
        self._wants_events = wants(kind, "observe")
        self._wants_end = wants(kind, "deal_ended")
        self._told = 0

    def start(self, deal: Deal) -> None:
        """Begin a deal in which nobody has acted yet."""
        self._told = 0
        if self._wants_start:
            self.bot.deal_started(deal.observation(self.seat))

    def ask(self, deal: Deal) -> str:
        """Give the bot's action; whether it is legal is for the caller to see."""
        obs = deal.observation(self.seat)
        self._tell(deal)
        if isinstance(self.bot, ExhibitionBot):
            return self.bot.act_open(deal.copy())
        return self.bot.act(obs)

    def end(self, deal: Deal, result: DealResult) -> None:
        """End a deal."""
        self._tell(deal)
        if self._wants_end:
            self.bot.deal_ended(result)

    def _tell(self, deal: Deal) -> None:
        if self._wants_events:
            events = deal.history(self.seat).events
            while self._told < len(events):
                self._told += 1
                self.bot.observe(events[self._told - 1])


def play_game(
    rules: str | Mapping[str, Any] | RuleSet,
    bots: Sequence[type[Bot] | Maker | str],
    seed: str,
    *,
    strict: bool = False,
) -> dict[str, Any]:
    """Play one game in this process and give its record.

    `bots` are bot classes, or names of installed bots, one for each seat. A bot that answers
    illegally or raises forfeits the game, as in the arena; with `strict` its exception comes
    through instead. Nothing limits the bots' time. Raises InvalidInput for a number of bots that
    the rules do not seat.
    """
    game = play(load_rules(rules), bots, seed, strict=strict)
    return game.record()


def play(
    rules: RuleSet, bots: Sequence[type[Bot] | Maker | str], seed: str, *, strict: bool = False
) -> Game:
    """Play one game as `play_game` does and give it, over."""
    makers = [maker(bot, seat) for seat, bot in enumerate(bots)]
    seats = len(makers)
    fewest, most = rules.players
    if not fewest <= seats <= most:
        message = f"{counted(seats, 'bot')} given; this rule set seats {span(fewest, most)}"
        raise InvalidInput([Problem("bots", message)])
    names = [str(getattr(make, "name", f"seat {seat}")) for seat, make in enumerate(makers)]
    game = Game(rules, seats=seats, seed=seed, names=names)
    try:
        players = [
            _called("crash", seat, strict, Player, make, game_info(rules, seats, seat, seed))
            for seat, make in enumerate(makers)
        ]
        while not game.over:
            _play_deal(game, players, strict=strict)
    except _Fault as fault:
        if not game.over:
            game.forfeit(fault.seat, fault.kind, fault.detail)
    return game


def maker(bot: type[Bot] | Maker | str, seat: int = 0) -> Maker:
    """Give what makes a bot's object: a class as it is, an installed bot by its name."""
    if isinstance(bot, str):
        return registry.find(bot, exhibition=True).bot
    if isinstance(bot, Bot) or not callable(bot):
        message = f"must be a bot class or the name of an installed bot, not {printable(bot, 60)}"
        raise InvalidInput([Problem(f"bots.{seat}", message)])
    return bot


class _Fault(Exception):
    """A bot's fault on its way to the game that it forfeits."""

    def __init__(self, seat: int, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.seat, self.kind, self.detail = seat, kind, detail


def _called(
    kind: str,
    seat: int,
    strict: bool,
    function: Callable[[*Args], Result],
    *args: *Args,
) -> Result:
    """Call a bot's code; what it raises is its fault."""
    try:
        return function(*args)
    except Exception as error:
        if strict:
            raise
        raise _Fault(seat, kind, described(error)) from error


def _play_deal(game: Game, players: Sequence[Player], *, strict: bool) -> None:
    deal = game.deal
    for player in players:
        _called("crash", player.seat, strict, player.start, deal)
    while not deal.over:
        legal = deal.legal_ids()
        if len(legal) == 1:
            game.apply_id(legal[0])
            continue
        player = players[deal.seat]
        action = _called("crash", player.seat, strict, player.ask, deal)
        try:
            game.apply(action)
        except IllegalAction as error:
            if strict:
                raise
            raise _Fault(player.seat, "illegal_action", printable(error)) from None
    result = deal.result()
    for player in players:
        _called("crash", player.seat, strict, player.end, deal, result)
