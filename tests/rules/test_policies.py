"""Rollouts and the policies they play by (docs/bots.md)."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maumau import Deal, RuleSet, load_rules
from maumau.errors import IllegalAction, InvalidInput
from maumau.rules.actions import ACTIONS
from maumau.rules.policies import POLICIES, SAMPLE_POLICIES, heuristic_action, thumb_of
from maumau.rules.presets import preset_names
from maumau.rules.prng import prng_of
from maumau.rules.skill import scales_for, skilled_action
from maumau.rules.watching import watch_of
from tests.property.test_deals import quick, seats_of
from tests.rules.players import random_move
from tests.rules.scenes import rules_with, scene
from tests.strategies import rule_sets


def face(deal: Deal) -> tuple[object, ...]:
    seen = [deal.observation(seat).to_json() for seat in range(deal.seats)]
    return seen, deal.hands(), deal.actions(), deal.reshuffles()


@quick
@given(rule_sets(), st.text(max_size=8))
def test_the_heuristic_is_always_legal(rules: RuleSet, seed: str) -> None:
    prng = prng_of(seed)
    deal = Deal(rules, seats_of(rules, prng), seed=seed)
    thumb = thumb_of(deal.state.t)
    while not deal.over:
        choice = heuristic_action(deal.state, thumb)
        assert choice in deal.legal_ids()
        deal.apply_id(choice if prng.below(3) else random_move(deal, prng))


@pytest.mark.parametrize("policy", sorted(POLICIES))
@pytest.mark.parametrize("name", preset_names())
def test_a_rollout_ends_and_leaves_the_deal_as_it_is(name: str, policy: str) -> None:
    rules = load_rules(name)
    deal = Deal(rules, rules.players[1], seed="rollout")
    for _ in range(5):
        deal.apply_id(deal.legal_ids()[0])
    before = face(deal)
    results = [deal.rollout(policy, Random(seed)) for seed in range(20)]
    assert face(deal) == before
    again = [deal.rollout(policy, Random(seed)) for seed in range(20)]
    for one, other in zip(results, again, strict=True):
        assert one.end in ("finished", "stock_out", "blocked", "limit")
        assert (one.finisher is not None) == (one.end == "finished")
        assert len(one.points) == deal.seats
        assert (one.rating is None) == (rules.data["scoring"]["rating"] is None)
        assert one.actions > 5
        assert (one.end, one.points, one.actions) == (other.end, other.points, other.actions)


def test_a_rollout_of_a_deal_that_is_over_is_its_result() -> None:
    rules = load_rules("champion")
    deal = Deal(rules, 2, seed="over")
    while not deal.over:
        deal.apply_id(deal.legal_ids()[0])
    rolled, result = deal.rollout("random", Random(1)), deal.result()
    assert (rolled.end, rolled.finisher, rolled.points) == (
        result.end,
        result.finisher,
        result.points,
    )


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(InvalidInput, match="there are heuristic, random, skilled"):
        Deal(load_rules("champion"), 2).rollout("clever", Random(1))


def heuristic_choice(deal: Deal) -> str:
    return ACTIONS[heuristic_action(deal.state, thumb_of(deal.state.t))]


def test_the_heuristics_rules_of_thumb() -> None:
    champion = rules_with("champion", hand_size=4)
    # Wild cards are kept; with two seats an eight goes again and a spade can follow it.
    deal = scene(champion, ["Js 8s 9s Ks", "7h 9h Th Ah"], "Qs")
    assert heuristic_choice(deal) == "8s"
    # Where only the wild card fits it is played, and the longest suit is wished for.
    deal = scene(champion, ["Js 8d 9d Kh", "7h 9h Th Ah"], "Qs")
    assert heuristic_choice(deal) == "Js=d"
    # A debt is answered; calls are made, missed ones caught.
    gamerules = rules_with("gamerules", hand_size=2)
    deal = scene(gamerules, ["7s 7d", "7h 9h"], "Qs")
    assert heuristic_choice(deal) == "7s!"
    deal.apply("7s")
    assert heuristic_choice(deal) == "catch"
    deal.apply("pass")
    assert heuristic_choice(deal) == "7h!"


@pytest.mark.parametrize("name", ["champion", "gamerules", "gameduell", "straffpoang"])
def test_the_heuristic_wins_more_deals_than_random_play(name: str) -> None:
    rules, prng = load_rules(name), prng_of(name)
    wins = 0
    for number in range(400):
        deal = Deal(rules, 2, number % 2, "strength", number)
        thumb, mine = thumb_of(deal.state.t), number // 2 % 2
        while not deal.over:
            clever = deal.seat == mine
            deal.apply_id(
                heuristic_action(deal.state, thumb) if clever else random_move(deal, prng)
            )
        wins += deal.result().finisher == mine
    assert wins > 240


@quick
@given(rule_sets(), st.text(max_size=8))
def test_skill_weighs_legal_actions_only_and_chooses_the_best(rules: RuleSet, seed: str) -> None:
    prng = prng_of(seed)
    deal = Deal(rules, seats_of(rules, prng), seed=seed)
    for _ in range(60):
        if deal.over:
            return
        obs = deal.observation(deal.seat)
        worth = obs.weigh()
        assert worth
        assert set(worth) <= set(obs.legal_actions)
        watch = watch_of(deal.state.t, deal.starter, deal.state.log)
        chosen = ACTIONS[skilled_action(deal.state, watch, scales_for(deal.state.t))]
        assert worth[chosen] == max(worth.values())
        others = [seat for seat in range(deal.seats) if seat != deal.seat]
        assert all(deal.observation(seat).weigh() == {} for seat in others)
        deal.apply(chosen) if prng.below(3) else deal.apply_id(random_move(deal, prng))


@pytest.mark.parametrize("others", [0, 1])
def test_a_suit_is_wished_for_where_only_a_joker_is_left(others: int) -> None:
    """docs/rules.md §3, Wishes: a wild card wishes for a suit; a joker has none."""
    rules = load_rules(
        {
            "preset": "champion",
            "overrides": {
                "players": [2, 5],
                "hand_size": 2,
                "deck": {"lowest": "9", "jokers": 1},
                "starter": {"effect": "none", "redraw": []},
                "scoring": {"values": {"X": 20}},
                "effects": {"J": {"wild": {"wish": True, "not_on": []}}},
            },
        }
    )
    met = 0
    for n in range(3000):
        deal = Deal(rules, 2 + others, 0, f"joker{n}", 0)
        hand = deal.hands()[0]
        if "X1" in hand and any(card[0] == "J" for card in hand):
            obs = deal.observation(0)
            worth = obs.weigh()
            assert worth
            deal.rollout("skilled", Random(n))
            met += 1
    assert met


def test_a_trusting_sample_takes_draws_for_need() -> None:
    """docs/rules.md §3, Legal actions: with voluntary draws one proves nothing, but tells much."""
    rules = rules_with("gamerules", hand_size=4)
    deal = scene(rules, ["8c 9c Qd Kd", "7h 9h Th Ah"], "Qs")
    deal.apply("Qd")
    deal.apply("draw")
    while deal.seat == 1:
        deal.apply("pass")
    obs = deal.observation(0)
    fitting = ("d", "Q", "J")

    def could_have_played(trusting: bool) -> int:
        found = 0
        for seed in range(200):
            sample = obs.sample(Random(seed), trusting=trusting)
            assert sample.observation(0).to_json() == obs.to_json()
            held = set(sample.hands()[1]) - {deal.order()[9]}
            found += any(card[1] == "d" or card[0] in fitting for card in held)
        return found

    assert could_have_played(trusting=True) == 0
    assert could_have_played(trusting=False) > 100


def test_likelihood_is_greater_where_the_others_play_what_looks_good() -> None:
    champion = rules_with("champion", hand_size=4)
    deal = scene(champion, ["Js 8s 9s Ks", "7h 9h Th Ah"], "Qs")
    assert deal.likelihood(1) == 1.0
    sound, odd = deal.copy(), deal
    sound.apply("8s")
    assert sound.likelihood(0) == 1.0
    assert 0.2 < sound.likelihood(1) < 1.0
    odd.apply("Js=h")
    assert 0.0 < odd.likelihood(1) < 0.1


@pytest.mark.parametrize("policy", ["heuristic", "skilled"])
def test_the_players_own_cards_are_likelier_than_those_of_samples(policy: str) -> None:
    """What either policy plays tells something about its cards."""
    rules, rng, told = load_rules("champion"), Random(3), []
    for number in range(20):
        deal = Deal(rules, 2, seed="evidence", number=number)
        watch = watch_of(deal.state.t, deal.starter, [])
        scales, thumb = scales_for(deal.state.t), thumb_of(deal.state.t)
        for _ in range(9):
            state = deal.state
            if policy == "skilled":
                action = skilled_action(state, watch, scales)
            else:
                action = heuristic_action(state, thumb)
            seat = state.seat
            deal.apply_id(action)
            watch.see(seat, action, state.event_drawn, state.event_drawer, state.event_reshuffle)
            if deal.over:
                break
        if not deal.over:
            obs = deal.observation(0)
            others = [obs.sample(rng, trusting=True).likelihood(0) for _ in range(30)]
            told.append(math.log(deal.likelihood(0) * len(others) / sum(others)))
    assert len(told) > 10
    assert sum(told) / len(told) > 0.2


@pytest.mark.parametrize("policy", sorted(SAMPLE_POLICIES))
def test_rollouts_try_all_actions_in_the_same_deals(policy: str) -> None:
    deal = Deal(load_rules("gameduell"), 2, seed="tries")
    obs = deal.observation(deal.seat)
    tried = obs.rollouts(obs.legal_actions, Random(1), deals=7, policy=policy)
    assert [len(shares) for shares in tried.shares] == [7] * len(obs.legal_actions)
    assert len(tried.weights) == 7
    assert max(tried.weights) == 1.0
    assert {share for shares in tried.shares for share in shares} <= {0.0, 0.5, 1.0}
    again = obs.rollouts(obs.legal_actions, Random(1), deals=7, policy=policy)
    assert (again.weights, again.shares) == (tried.weights, tried.shares)
    cheap = obs.rollouts(obs.legal_actions, Random(1), deals=7, work=1, policy=policy)
    assert len(cheap.weights) == 1
    assert [shares[:1] for shares in tried.shares] == cheap.shares


def test_rollouts_leave_the_observation_as_it_is_and_see_no_hidden_card() -> None:
    deal = Deal(load_rules("champion"), 2, seed="unseen")
    deal.apply(deal.legal_actions()[0])
    obs = deal.observation(deal.seat)
    before = obs.to_json()
    tried = obs.rollouts(obs.legal_actions, Random(2), deals=5)
    assert obs.to_json() == before
    other = obs.sample(Random(5))
    assert other.hands() != deal.hands()
    alike = other.observation(other.seat).rollouts(obs.legal_actions, Random(2), deals=5)
    assert (alike.weights, alike.shares) == (tried.weights, tried.shares)


def test_rollouts_refuse_what_cannot_be_tried() -> None:
    deal = Deal(load_rules("champion"), 2, seed="wrong")
    obs, waiting = deal.observation(deal.seat), deal.observation(1 - deal.seat)
    with pytest.raises(IllegalAction, match="nonsense"):
        obs.rollouts(["nonsense"], Random(1))
    with pytest.raises(IllegalAction, match="draw"):
        waiting.rollouts(["draw"], Random(1))
    with pytest.raises(InvalidInput, match="deals: must be 1 or more"):
        obs.rollouts(obs.legal_actions, Random(1), deals=0)
    with pytest.raises(InvalidInput, match="there is no 'likely'"):
        deal.rollout("likely", Random(1))
    with pytest.raises(InvalidInput, match=r"there is no 'cunning'.*likely"):
        obs.rollouts(obs.legal_actions, Random(1), policy="cunning")
