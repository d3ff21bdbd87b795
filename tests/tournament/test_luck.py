"""Shares corrected for luck: the same on average, whatever the bots do and the model says."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

import maumau
from maumau.rules.ruleset import RuleSet
from maumau.tournament import luck
from maumau.tournament.luck import RANKS, LuckModel
from plugins.easy import Easy
from plugins.random import Random

MIXED = [Easy, Random, Easy, Random]


def games(
    rules: RuleSet, seats: int, number: int, name: str, field: list[type[maumau.Bot]] = MIXED
) -> list[dict[str, Any]]:
    bots = field[:seats]
    return [maumau.play_game(rules, bots, seed=f"{name}{k}") for k in range(number)]


def weird(rules: RuleSet, seats: int) -> LuckModel:
    """A model that knows nothing: corrections by it must still be 0 on average."""
    return LuckModel(rules.id, seats, {rank: (k * 7 % 5 - 2) / 10 for k, rank in enumerate(RANKS)})


def test_every_card_is_as_expected_on_average_even_if_drawing_depends_on_luck() -> None:
    """All orders of a small stock; whoever draws a queen draws no more."""
    total = np.zeros(len(RANKS))
    for order in permutations(["7c", "7d", "Qh", "Ks", "As"]):
        stock = luck._Stock(order)
        while stock.left > 1:
            found = stock.surprise()
            total += found
            if found[RANKS.index("Q")] > 0:
                break
    assert total == pytest.approx(np.zeros(len(RANKS)), abs=1e-9)


def test_cards_seen_under_the_stock_surprise_nobody() -> None:
    stock = luck._Stock(["7c"])
    stock.put_under(["8d"])
    assert stock.left == 2
    assert not stock.surprise().any()  # one card left to guess: certain
    assert not stock.surprise().any()
    assert stock.left == 0


@pytest.mark.parametrize(
    ("preset", "seats"), [("mau-mau", 2), ("champion", 2), ("gamerules", 3), ("crazy-eights", 4)]
)
def test_a_correction_is_zero_on_average(preset: str, seats: int) -> None:
    """Bots of unequal strength and a nonsense model: within four standard errors of 0.

    `crazy-eights` puts eights under the stock, `champion` reshuffles in games of many deals.
    """
    rules = maumau.load_rules(preset)
    model = weird(rules, seats)
    found = np.array(
        [model.corrections(luck.surprises(one, rules)) for one in games(rules, seats, 150, "m")]
    )
    assert found.sum(axis=1) == pytest.approx(np.zeros(len(found)), abs=1e-9)
    error = found.std(axis=0, ddof=1) / np.sqrt(len(found))
    assert (np.abs(found.mean(axis=0)) < 4 * error).all()
    assert (found.std(axis=0) > 0.1).all()


def test_a_learnt_model_takes_luck_off_other_games() -> None:
    """Independent legs: what the cards explain is gone from the spread, the mean stays."""
    rules = maumau.load_rules("mau-mau")
    model = luck.fit(games(rules, 2, 500, "learn", [Easy, Easy]), rules, 2)
    assert model.weights["7"] > 0.03
    played = games(rules, 2, 400, "play", [Easy, Easy])
    legs = [luck.correct(k, (0, 1), one, rules, model) for k, one in enumerate(played)]
    share = np.array([leg.shares[0] for leg in legs]) / luck.FINE
    raw = np.array([one["ranks"][0] == 1 for one in played])
    assert share.std() < 0.99 * raw.std()
    assert abs(share.mean() - raw.mean()) < 4 * (share - raw).std() / 20
    estimate = luck.corrected_shares(legs, 2, 400)
    assert estimate.value[0] == pytest.approx(share.mean())
    assert estimate.value.sum() == pytest.approx(1, abs=1e-6)


def test_a_model_is_known_by_its_hash() -> None:
    rules = maumau.load_rules("mau-mau")
    one, other = weird(rules, 2), weird(rules, 3)
    assert one.hash == weird(rules, 2).hash
    assert one.hash != other.hash
    assert len(one.hash) == 64
