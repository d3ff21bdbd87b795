"""Random deals inside the engine (docs/design.md, Speed)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from maumau import Deal, load_rules, playouts
from maumau.errors import InvalidInput
from maumau.rules.legality import random_action
from maumau.rules.prng import Prng, PrngShuffles, prng_of
from maumau.rules.shuffle import GivenShuffles
from maumau.rules.tables import tables_for

RULES = ["champion", "mau-mau", "gameduell", "gamerules", "crazy-eights"]
NEVER_ON_A_JOKER = {"wild": {"wish": False, "not_on": ["X"]}}
SCARCE = {
    "players": [2, 2],
    "deck": {"lowest": "9", "jokers": 2},
    "effects": {"9": NEVER_ON_A_JOKER, "X": NEVER_ON_A_JOKER},
}
"""A joker fits always, and no other one fits on it: most deals are blocked."""


@pytest.mark.parametrize("name", RULES)
def test_counts_add_up_and_the_same_seed_gives_the_same(name: str) -> None:
    rules = load_rules(name)
    counts = playouts(rules, 2, 200, "a")
    assert counts.deals == sum(counts.ends.values()) == 200
    assert counts.actions >= 200
    assert counts == playouts(rules, 2, 200, "a") != playouts(rules, 2, 200, "b")


@pytest.mark.parametrize("spec", [*RULES, "gamerules+nines-reverse", SCARCE])
def test_they_are_the_same_deals_as_one_by_one(spec: str | dict[str, Any]) -> None:
    """§3: nothing of a deal (wish, debt, direction) is left in the next: one state plays them."""
    rules, deals = load_rules(spec), 150
    seats = rules.players[1]
    prng = prng_of("one by one")
    order = tables_for(rules, seats).pack.copy()
    ends: Counter[str] = Counter()
    actions = 0
    for number in range(deals):
        prng.shuffle(order)
        shuffles = GivenShuffles([order], PrngShuffles(prng))
        deal = Deal(rules, seats, number % seats, shuffles=shuffles)
        while not deal.over:
            state = deal.state
            deal.apply_id(random_action(state.t, state.plays, state.others, state.hand, prng))
        ends[deal.over] += 1
        actions += deal.action_count
    counts = playouts(rules, seats, deals, "one by one")
    assert (counts.deals, counts.actions) == (deals, actions)
    assert {end: count for end, count in counts.ends.items() if count} == ends
    assert ends["blocked"] > 10 or spec is not SCARCE


def test_refuses_seats_that_the_rules_do_not_allow() -> None:
    with pytest.raises(InvalidInput, match="2 seats, not 3"):
        playouts(load_rules("champion"), 3, 1, "a")


@pytest.mark.parametrize("name", RULES)
def test_every_legal_action_is_drawn_alike(name: str) -> None:
    prng = prng_of(name)
    deal = Deal(load_rules(name), 2, seed="alike")
    for _ in range(60):
        if deal.over:
            break
        state, legal = deal.state, deal.legal_ids()
        draws = 120 * len(legal)
        drawn = Counter(
            random_action(state.t, state.plays, state.others, state.hand, prng)
            for _ in range(draws)
        )
        assert sorted(drawn) == legal
        assert all(60 < count < 190 for count in drawn.values())
        deal.apply_id(legal[prng.below(len(legal))])


def test_numbers_are_the_same_in_plain_and_compiled_form() -> None:
    prng = Prng(2**62 - 1)
    assert [prng.below(1000) for _ in range(8)] == [749, 875, 958, 272, 636, 433, 65, 319]
    order = list(range(10))
    Prng(7).shuffle(order)
    assert order == [1, 0, 3, 8, 9, 2, 7, 5, 6, 4]
