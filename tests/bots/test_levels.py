"""What the levels choose depends on what their seat knows, and on nothing else."""

from __future__ import annotations

from random import Random

import pytest

from maumau import Bot, Deal, load_rules
from maumau.bots import registry
from maumau.bots.base import game_info
from maumau.rules.prng import prng_of
from tests.rules.players import random_move

pytestmark = pytest.mark.usefixtures("few_playouts")
LEVELS = ["random", "easy", "medium", "hard", "expert"]
PLACES = [("champion", 2), ("gamerules", 3), ("gameduell", 2), ("crazy-eights", 4)]


def choice(bot: type[Bot], deal: Deal) -> str:
    info = game_info(deal.rules, deal.seats, deal.seat, "levels")
    return bot(info).act(deal.observation(deal.seat))


@pytest.mark.parametrize(("preset", "seats"), PLACES)
@pytest.mark.parametrize("level", LEVELS)
def test_permuted_hidden_cards_change_no_choice(level: str, preset: str, seats: int) -> None:
    bot = registry.find(level).bot
    rules, rng = load_rules(preset), Random(f"{level} {preset}")
    compared = permuted = 0
    for number in range(12):
        deal, prng = Deal(rules, seats, seed="levels", number=number), prng_of(f"{number}")
        for _ in range(3 + number):
            if not deal.over:
                deal.apply_id(random_move(deal, prng))
        if deal.over or len(deal.legal_ids()) == 1:
            continue
        chosen = choice(bot, deal)
        for _ in range(3):
            other = deal.observation(deal.seat).sample(rng)
            permuted += other.hands() != deal.hands()
            assert choice(bot, other) == chosen
            compared += 1
    assert compared > 6
    assert permuted > 6
