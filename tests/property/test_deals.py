"""What holds for every deal under every rule set (docs/rules.md §3), over random rule sets."""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from maumau import Deal, Game, Observation, RuleSet, load_rules, verify_record
from maumau.errors import IllegalAction
from maumau.rules.actions import ACTIONS
from maumau.rules.cards import CARDS
from maumau.rules.compact import expand
from maumau.rules.deal_info import DealInfo
from maumau.rules.history import History
from maumau.rules.presets import preset_names
from maumau.rules.prng import Prng, prng_of
from tests.rules.players import play_randomly, random_move
from tests.strategies import rule_sets

SEEDS = st.text(max_size=8)
EXAMPLES = int(os.environ.get("HYPOTHESIS_EXAMPLES", "120"))
quick = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def seats_of(rules: RuleSet, prng: Prng) -> int:
    fewest, most = rules.players
    return fewest + prng.below(most - fewest + 1)


def all_cards(deal: Deal) -> list[int]:
    """List every card of the deal, wherever it lies."""
    state = deal.state
    held = [card for hand in deal.hands() for card in hand]
    return sorted([CARDS.index(card) for card in held] + state.pile + state.stock[state.stock_at :])


@quick
@given(rule_sets(), SEEDS)
def test_cards_are_always_the_pack_and_there_is_always_something_to_do(
    rules: RuleSet, seed: str
) -> None:
    prng = prng_of(seed)
    deal = Deal(rules, seats_of(rules, prng), seed=seed)
    pack = sorted(deal.state.t.pack)
    decisions = 0
    while not deal.over:
        assert all_cards(deal) == pack
        assert deal.state.hand == deal.state.hands[deal.seat]
        legal = deal.legal_actions()
        assert legal
        assert legal == sorted(set(legal))
        deal.apply_id(random_move(deal, prng))
        decisions += 1
        assert decisions <= rules.data["max_actions"]
    assert all_cards(deal) == pack
    assert deal.legal_actions() == []
    assert deal.action_count == decisions


@quick
@given(rule_sets(), SEEDS)
def test_exactly_the_legal_actions_can_be_applied(rules: RuleSet, seed: str) -> None:
    """§1: anything outside the list changes nothing."""
    prng = prng_of(seed)
    deal = Deal(rules, seats_of(rules, prng), seed=seed)
    for _ in range(6):
        if deal.over:
            break
        legal = deal.legal_ids()
        before = [deal.observation(seat).to_json() for seat in range(deal.seats)]
        for action, text in enumerate(ACTIONS):
            if action in legal:
                deal.copy().apply(text)
            else:
                with pytest.raises(IllegalAction):
                    deal.apply(text)
        assert before == [deal.observation(seat).to_json() for seat in range(deal.seats)]
        deal.apply_id(random_move(deal, prng))


@quick
@given(rule_sets(), SEEDS)
def test_a_copy_shares_nothing(rules: RuleSet, seed: str) -> None:
    prng = prng_of(seed)
    deal = Deal(rules, seats_of(rules, prng), seed=seed)
    for _ in range(prng.below(12)):
        if not deal.over:
            deal.apply_id(random_move(deal, prng))
    twin = deal.copy()

    def face(of: Deal) -> tuple[object, ...]:
        seen = [of.observation(seat).to_json() for seat in range(of.seats)]
        return seen, of.hands(), of.actions(), of.reshuffles(), of.seat, of.over

    before = face(deal)
    assert face(twin) == before
    choices = []
    while not twin.over:
        choices.append(random_move(twin, prng))
        twin.apply_id(choices[-1])
    assert face(deal) == before
    ended = face(twin)
    for action in choices:
        deal.apply_id(action)
    assert face(deal) == face(twin) == ended
    assert deal.result() == twin.result()


@quick
@given(rule_sets(), SEEDS)
def test_an_observation_can_be_built_from_integers_and_stays_as_it_is(
    rules: RuleSet, seed: str
) -> None:
    """What a child process makes of the wire is what the deal gives, byte for byte."""
    prng = prng_of(seed)
    deal = Deal(rules, seats_of(rules, prng), seed=seed, number=3, totals=None)
    seat = prng.below(deal.seats)
    info = DealInfo.from_wire(rules, json.loads(json.dumps(deal.info(seat).to_wire())))
    assert info == deal.info(seat)
    history = History(info)
    kept: list[tuple[Observation, str]] = []
    fed = 0
    for _ in range(60):
        if prng.below(3) == 0 or deal.over:
            history.feed(json.loads(json.dumps(deal.events(seat, fed))))
            fed = deal.action_count
            child = Observation(info, history, json.loads(json.dumps(deal.snapshot(seat))))
            assert child.to_json() == deal.observation(seat).to_json()
            kept += [(child, child.to_json()), (deal.observation(seat), child.to_json())]
            if deal.over:
                break
        deal.apply_id(random_move(deal, prng))
    assert all(observation.to_json() == text for observation, text in kept)


def exchanged(deal: Deal, one: str, other: str) -> Deal | None:
    """Play the same actions with two cards in each other's place; None where that cannot be."""

    def swap(cards: list[str]) -> list[str]:
        return [{one: other, other: one}.get(card, card) for card in cards]

    twin = Deal.from_order(
        deal.rules,
        deal.seats,
        deal.leader,
        swap(deal.order()),
        [swap(order) for order in deal.reshuffles()],
    )
    for seat, action in deal.actions():
        if twin.over or twin.seat != seat or action not in twin.legal_actions():
            return None
        twin.apply(action)
    return twin


def unseen(deal: Deal, seat: int) -> list[str]:
    """List the cards that a seat has neither held nor seen on the pile nor turned up."""
    observation = deal.observation(seat)
    seen = {*observation.hand, *observation.turned_up, *observation.discard_pile}
    for event in observation.events:
        seen |= {event.action[:2], *event.cards}
    return [card for card in deal.order() if card not in seen]


def compared(rules: RuleSet, seed: str) -> int:
    """Exchange pairs of cards that a seat cannot tell apart; give how many could be compared."""
    prng = prng_of(seed)
    deal = Deal.from_order(
        rules, (n := seats_of(rules, prng)), 0, Deal(rules, n, seed=seed).order()
    )
    count = 0
    for _ in range(prng.below(25)):
        if not deal.over:
            deal.apply_id(random_move(deal, prng))
    for seat in range(deal.seats):
        hidden = unseen(deal, seat)
        for _ in range(4 if len(hidden) > 1 else 0):
            one, other = hidden[prng.below(len(hidden))], hidden[prng.below(len(hidden))]
            twin = exchanged(deal, one, other)
            if one == other or twin is None or twin.over != deal.over or twin.seat != deal.seat:
                continue
            mine, theirs = deal.observation(seat), twin.observation(seat)
            if mine.phase == theirs.phase:
                assert mine.to_json() == theirs.to_json()
                count += 1
    return count


@quick
@given(rule_sets(), SEEDS)
def test_hidden_cards_leave_no_trace_in_an_observation(rules: RuleSet, seed: str) -> None:
    """§1: two states that differ only in cards a seat cannot see look alike to it."""
    compared(rules, seed)


@pytest.mark.parametrize("name", preset_names())
def test_hidden_cards_leave_no_trace_under_the_presets(name: str) -> None:
    rules = load_rules(name)
    assert sum(compared(rules, str(seed)) for seed in range(12)) > 20


@quick
@given(rule_sets(), SEEDS)
def test_the_same_seed_and_actions_give_the_same_record(rules: RuleSet, seed: str) -> None:
    """§5: nothing else in a game is random; and the record replays from itself."""
    seats = seats_of(rules, prng_of(seed))
    game = play_randomly(Game(rules, seats=seats, seed=seed))
    again = Game(rules, seats=seats, seed=seed)
    for deal in game.deals:
        for _, action in deal.actions():
            again.apply(action)
    record = game.record()
    assert json.dumps(again.record()) == json.dumps(record)
    assert again.compact() == game.compact()
    assert expand(game.compact(), rules) == record
    verify_record(json.loads(json.dumps(record)))


@quick
@given(rule_sets(), SEEDS)
def test_a_game_forfeited_anywhere_has_a_true_record(rules: RuleSet, seed: str) -> None:
    """§4 and §5, forfeited games."""
    prng = prng_of(seed)
    game = Game(rules, seats=seats_of(rules, prng), seed=seed)
    for _ in range(prng.below(80)):
        if not game.over:
            game.apply_id(random_move(game.deal, prng))
    if not game.over:
        game.forfeit(prng.below(game.seats), "crash", "why")
    record = game.record()
    verify_record(json.loads(json.dumps(record)))
    assert expand(game.compact(), rules) == record


@quick
@given(rule_sets())
def test_ranks_are_a_ranking(rules: RuleSet) -> None:
    """§4 Ranks: rank = 1 + how many are better, so there is always a first."""
    game = play_randomly(Game(rules, seats=rules.players[1], seed="ranks"))
    ranks = game.ranks
    for rank in ranks:
        assert rank == 1 + sum(other < rank for other in ranks) or rank == 2
    assert min(ranks) == 1


def test_prng_words_do_not_repeat_soon() -> None:
    prng = Prng(1)
    words = [(prng.below(2**30), prng.below(2**30)) for _ in range(5000)]
    assert len(set(words)) == 5000
