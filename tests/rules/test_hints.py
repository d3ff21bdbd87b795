"""Why a card may not be played: in agreement with the engine, and true (docs/rules.md §3)."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from maumau import Deal, RuleSet, load_rules
from maumau.rules.hints import WORDS, why_not, why_not_draw
from maumau.rules.prng import prng_of
from tests.rules.players import random_move
from tests.strategies import rule_sets

quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def true(obs, card, hint) -> bool:  # type: ignore[no-untyped-def]
    """Tell whether what a hint says holds in the position."""
    top, effects = obs.top_card, obs.rules.data["effects"]
    if hint.code == "asked":
        return bool(obs.phase == "asked")
    if hint.code == "owed":
        return bool(hint.number == obs.owed > 0 and card[0] not in hint.ranks)
    if hint.code == "drawn":
        return bool(card != obs.drawn_card == hint.card)
    if hint.code == "not_on":
        return top[0] in effects[card[0]]["wild"]["not_on"]
    if hint.code == "wish":
        return bool(obs.wish == hint.suit != card[1] and "wild" not in effects.get(card[0], {}))
    if hint.code == "joker":
        return bool(card[0] == "X" != top[0])
    assert hint.code == "no_fit"
    return bool(card[0] != top[0] and card[1] != top[1] and hint.card == top)


@quick
@given(rule_sets(), st.text(max_size=4))
def test_a_card_has_a_reason_exactly_where_it_may_not_be_played(rules: RuleSet, seed: str) -> None:
    """docs/rules.md §3, What fits, Legal actions of a turn."""
    deal = Deal(rules, rules.players[0], 0, seed, 0)
    prng = prng_of(seed)
    while not deal.over and deal.action_count < 80:
        obs = deal.observation(deal.seat)
        plays = {action[:2] for action in obs.legal_actions if action not in WORDS}
        for card in obs.hand:
            hint = why_not(obs, card)
            assert (hint is None) == (card in plays)
            assert hint is None or true(obs, card, hint)
        assert (why_not_draw(obs) is None) == ("draw" in obs.legal_actions)
        other = deal.observation((deal.seat + 1) % deal.seats)
        assert all(why_not(other, card).code == "not_yours" for card in other.hand)  # type: ignore[union-attr]
        deal.apply_id(random_move(deal, prng))


def test_a_card_that_is_not_held_and_a_deal_that_is_over() -> None:

    deal = Deal(load_rules("champion"), 2, 0, "s", 0)
    obs = deal.observation(0)
    missing = next(card for card in deal.hands()[1])
    assert why_not(obs, missing).code == "not_held"  # type: ignore[union-attr]
