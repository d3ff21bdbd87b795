"""Ways to play a deal or game in tests, each determined by a seed."""

from __future__ import annotations

from collections.abc import Iterator

from maumau import Deal, Game
from maumau.rules.prng import Prng, prng_of


def random_move(deal: Deal, prng: Prng) -> int:
    """Draw a legal action."""
    legal = deal.legal_ids()
    return legal[prng.below(len(legal))]


def play_randomly(game: Game, seed: str = "") -> Game:
    """Play a game to its end, each legal action alike."""
    prng = prng_of(seed or game.seed)
    while not game.over:
        game.apply_id(random_move(game.deal, prng))
    return game


def each_new_deal(game: Game, seed: str = "") -> Iterator[tuple[Deal, Deal]]:
    """Play a game to its end, each legal action alike: every deal that ended, and the next one."""
    prng = prng_of(seed or game.seed)
    while not game.over:
        before = game.deal
        game.apply_id(random_move(before, prng))
        if game.deal is not before:
            yield before, game.deal


def brisk_move(deal: Deal, prng: Prng) -> str:
    """Play rather than draw, catch rather than pass, mostly with the call that is due."""
    legal = deal.legal_actions()
    plays = [action for action in legal if action not in ("draw", "pass")]
    called = [action for action in plays if action.endswith("!")]
    choice = called if called and prng.below(6) else plays or legal
    return choice[prng.below(len(choice))]
