"""Samples agree with all that a seat knows (docs/rules.md §3), under every rule set."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maumau import Deal, RuleSet, load_rules
from maumau.errors import Conflict
from maumau.rules.prng import prng_of
from tests.property.test_deals import quick, seats_of
from tests.rules.players import random_move
from tests.strategies import rule_sets


def replayed(sample: Deal, rules: RuleSet) -> Deal:
    """Play the sample's history again from its cards alone; every action must be legal."""
    deal = Deal.from_order(
        rules,
        sample.seats,
        sample.leader,
        sample.order(),
        sample.reshuffles(),
        number=sample.number,
        totals=sample.totals,
    )
    for seat, action in sample.actions():
        assert deal.seat == seat
        deal.apply(action)
    return deal


def check_samples(rules: RuleSet, seed: str, moves: int) -> int:
    """Sample from every seat's observation after some random moves; give how often."""
    prng = prng_of(seed)
    deal = Deal(rules, seats_of(rules, prng), seed=seed, number=1)
    for _ in range(moves):
        if not deal.over:
            deal.apply_id(random_move(deal, prng))
    if deal.over:
        return 0
    rng = Random(seed)
    for seat in range(deal.seats):
        seen = deal.observation(seat)
        for _ in range(3):
            sample = seen.sample(rng)
            assert sample.observation(seat).to_json() == seen.to_json()
            assert (sample.seat, sample.over) == (deal.seat, "")
            again = replayed(sample, rules)
            assert again.hands() == sample.hands()
            assert again.state.stock[again.state.stock_at :] == sample.state.stock
            assert again.legal_actions() == sample.legal_actions()
            for other in range(deal.seats):
                mine, replay = sample.observation(other), again.observation(other)
                assert mine.to_json() == replay.to_json()
    return 3 * deal.seats


@quick
@given(rule_sets(), st.text(max_size=8), st.integers(0, 90))
def test_a_sample_agrees_with_the_history(rules: RuleSet, seed: str, moves: int) -> None:
    check_samples(rules, seed, moves)


@pytest.mark.parametrize("moves", [0, 7, 20, 60, 150])
@pytest.mark.parametrize("name", ["champion", "mau-mau", "gameduell", "gamerules", "crazy-eights"])
def test_a_sample_agrees_with_the_history_under_the_presets(name: str, moves: int) -> None:
    rules = load_rules(name)
    assert sum(check_samples(rules, f"{name} {k}", moves) for k in range(5)) > 0 or moves > 20


@quick
@given(rule_sets(), st.text(max_size=8))
def test_a_sample_can_be_played_to_its_end(rules: RuleSet, seed: str) -> None:
    prng = prng_of(seed)
    deal = Deal(rules, seats_of(rules, prng), seed=seed)
    for _ in range(prng.below(30)):
        if not deal.over:
            deal.apply_id(random_move(deal, prng))
    if deal.over:
        with pytest.raises(Conflict, match="the deal is over"):
            deal.observation(0).sample(Random(0))
        return
    before = deal.observation(0).to_json()
    sample = deal.observation(0).sample(Random(seed))
    while not sample.over:
        sample.apply_id(random_move(sample, prng))
    assert sample.result().end == sample.over
    assert deal.observation(0).to_json() == before
