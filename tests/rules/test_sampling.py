"""Samples are uniform over the shuffles that agree with the history: counted, not believed.

On packs of 24 cards with nearly all of them dealt, every shuffle can be tried by replaying the
history with it; the samples' frequencies must then be those counts, by a chi-square test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, islice, permutations
from math import comb, factorial
from random import Random
from typing import Any

import pytest
from scipy.stats import chi2, chi2_contingency

from maumau import Deal, Observation, RuleSet
from maumau.rules.prng import Prng, prng_of
from tests.rules.players import random_move
from tests.rules.scenes import rules_with

World = tuple[tuple[str, ...], ...]
PLAIN: dict[str, Any] = {
    "deck": {"lowest": "9"},
    "hand_size": 10,
    "effects": {"9": {"draw": 2, "answer": ["9"]}, "7": None, "8": None},
}
VARIANTS: dict[str, dict[str, Any]] = {
    "drawing proves": {},
    "may play drawn": {"draw": {"then": "may_play_drawn"}},
    "must play drawn": {"draw": {"then": "must_play_drawn"}},
    "may play any": {"draw": {"then": "may_play_any", "max": 3}},
    "voluntary": {"draw": {"voluntary": True, "then": "may_play_drawn"}},
    "voluntary any": {"draw": {"voluntary": True, "then": "may_play_any", "max": 2}},
    "turn over after a debt": {"after_penalty": "end"},
    "calls caught": {"call": {"mode": "catch", "one_left": True, "penalty": 1}},
    "redrawn": {"starter": {"redraw": ["A", "K"]}, "draw": {"then": "may_play_drawn"}},
}


def world(deal: Deal) -> World:
    """Give what is hidden: all hands, and the stock in its order."""
    stock = deal.state.stock[deal.state.stock_at : deal.state.stock_end]
    return (*map(tuple, deal.hands()), tuple(map(str, stock)))


def known_places(deal: Deal, seat: int) -> set[int]:
    """Give the places in the pack of what a seat is dealt and of the cards turned up."""
    dealt = deal.seats * deal.rules.data["hand_size"]
    own = [k for k in range(dealt) if (deal.leader + k) % deal.seats == seat]
    return {*own, *range(dealt, dealt + len(deal.info(seat).turned_up))}


def orders(deal: Deal, seat: int) -> list[list[str]]:
    """List all orders of the pack that deal a seat the same hand and turn up the same cards.

    The order of cards within a hand makes no difference, so each stands for as many shuffles.
    """
    order, seats, dealt = deal.order(), deal.seats, deal.seats * deal.rules.data["hand_size"]
    fixed = known_places(deal, seat)
    places = [
        [k for k in range(dealt) if (deal.leader + k) % seats == other]
        for other in range(seats)
        if other != seat
    ]
    unknown = [card for k, card in enumerate(order) if k not in fixed]
    stock_places = [k for k in range(dealt, len(order)) if k not in fixed]
    found: list[list[str]] = []

    def fill(partial: list[str], rest: list[str], hands: list[list[int]]) -> None:
        if hands:
            for chosen in combinations(rest, len(hands[0])):
                filled = partial.copy()
                for place, card in zip(hands[0], chosen, strict=True):
                    filled[place] = card
                fill(filled, [card for card in rest if card not in chosen], hands[1:])
            return
        for arranged in permutations(rest):
            filled = partial.copy()
            for place, card in zip(stock_places, arranged, strict=True):
                filled[place] = card
            found.append(filled)

    fill(order, unknown, places)
    return found


def agrees(deal: Deal, seat: int, order: list[str], reshuffles: list[list[str]]) -> Deal | None:
    """Replay a deal's actions with other shuffles; None if its seat could tell the difference."""
    twin = Deal.from_order(deal.rules, deal.seats, deal.leader, order, reshuffles)
    for actor, action in deal.actions():
        if twin.over or twin.seat != actor or action not in twin.legal_actions():
            return None
        twin.apply(action)
    return twin if twin.observation(seat).to_json() == deal.observation(seat).to_json() else None


def counted(deal: Deal, seat: int) -> Counter[World]:
    """Count, by what is hidden now, the shuffles that agree with a seat's history."""
    worlds: Counter[World] = Counter()
    again = [list(map(list, permutations(cards))) for cards in deal.reshuffles()]
    assert len(again) <= 1
    if not again:
        for order in orders(deal, seat):
            twin = agrees(deal, seat, order, [])
            if twin is not None:
                worlds[world(twin)] += 1
        return worlds
    before = Deal.from_order(deal.rules, deal.seats, deal.leader, deal.order())
    for _, action in deal.actions():
        trial = before.copy()
        trial.apply(action)
        if trial.state.shuffle_count:
            break
        before = trial
    for order in orders(deal, seat):
        if agrees(before, seat, order, []) is None:
            continue
        for arranged in again[0]:
            twin = agrees(deal, seat, order, [arranged])
            if twin is not None:
                worlds[world(twin)] += 1
    return worlds


def situation(rules: RuleSet, seed: str, moves: int) -> Deal | None:
    """Play some random moves; give the deal if trying all its shuffles is little work."""
    prng = prng_of(seed)
    plain = Deal(rules, rules.players[0], seed=seed)
    deal = Deal.from_order(rules, plain.seats, 0, plain.order())
    for _ in range(moves):
        if not deal.over:
            deal.apply_id(random_move(deal, prng))
    reshuffles = deal.reshuffles()
    work = 1
    for cards in reshuffles:
        work *= factorial(len(cards))
    return deal if not deal.over and len(reshuffles) <= 1 and work <= 24 else None


Draw = Callable[[Observation, Random], World]


def sampled(seen: Observation, rng: Random) -> World:
    """Sample as a bot does."""
    return world(seen.sample(rng))


def sampled_next(seen: Observation, rng: Random) -> World:
    """Sample as rollouts do, from where another sample ended."""
    deal, prng = seen.sample(rng), Prng(rng.getrandbits(62))
    deal.state = seen._sampler_for(trusting=False).draw(prng, deal.state)
    return world(deal)


def excess(deal: Deal, seat: int, samples: int, draw: Draw, seed: str) -> tuple[float, int]:
    """Give the probability of a chi-square as large as the samples', and the number of worlds."""
    worlds = counted(deal, seat)
    rng, seen = Random(seed), deal.observation(seat)
    drawn = Counter(draw(seen, rng) for _ in range(samples))
    assert set(drawn) <= set(worlds)
    total = sum(worlds.values())
    # Worlds with few expected samples are taken together.
    statistic, cells, small_seen, small_expected = 0.0, 0, 0, 0.0
    for one, count in worlds.items():
        expected = samples * count / total
        if expected < 5:
            small_seen, small_expected = small_seen + drawn[one], small_expected + expected
            continue
        statistic += (drawn[one] - expected) ** 2 / expected
        cells += 1
    if small_expected >= 5:
        statistic += (small_seen - small_expected) ** 2 / small_expected
        cells += 1
    return (float(chi2.sf(statistic, cells - 1)) if cells > 1 else 1.0), len(worlds)


@pytest.mark.parametrize("draw", [sampled, sampled_next])
@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_samples_are_uniform_over_the_shuffles_that_agree(variant: str, draw: Draw) -> None:
    rules = rules_with("champion", **{**PLAIN, **VARIANTS[variant]})
    tried = 0
    for k in range(40):
        deal = situation(rules, f"{variant} {k}", 3 + k % 14)
        if deal is None:
            continue
        probability, worlds = excess(deal, k % deal.seats, 2000, draw, variant)
        assert probability > 1e-5, (k, worlds)
        tried += 2 < worlds < 400
        if tried == 2:
            return
    assert tried


def shuffled(deal: Deal, seat: int, rng: Random) -> Iterator[World]:
    """Shuffle what a seat has not seen, and give the worlds that agree."""
    order = deal.order()
    held = {order.index(card) for card in deal.hands()[seat]}
    places = sorted(set(range(len(order))) - known_places(deal, seat) - held)
    while True:
        cards = [order[place] for place in places]
        rng.shuffle(cards)
        for place, card in zip(places, cards, strict=True):
            order[place] = card
        twin = agrees(deal, seat, order, [])
        if twin is not None:
            yield world(twin)


@pytest.mark.parametrize("draw", [sampled, sampled_next])
@pytest.mark.parametrize("voluntary", [False, True])
def test_at_three_seats_samples_are_like_shuffles_that_agree(voluntary: bool, draw: Draw) -> None:
    """Too many to count: where every two of the hidden cards lie is compared."""
    more = {"players": [3, 3], "hand_size": 4, "draw": {"voluntary": voluntary}}
    rules = rules_with("champion", **{**PLAIN, **more})
    samples = 300
    for k in range(3):
        deal = Deal(rules, 3, seed=f"three {voluntary} {k}")
        prng = prng_of(f"moves {k}")
        for _ in range(5):
            deal.apply_id(random_move(deal, prng))
        assert not deal.over
        assert not deal.reshuffles()
        rng, seen = Random(k), deal.observation(k)
        drawn = [draw(seen, rng) for _ in range(samples)]
        by_chance = list(islice(shuffled(deal, k, rng), samples))
        hidden = sorted({card for hand in drawn[0][:3] for card in hand} - set(seen.hand))
        least = min(
            alike(
                Counter(places_of(one, pair) for one in drawn),
                Counter(places_of(one, pair) for one in by_chance),
            )
            for pair in combinations(hidden, 2)
        )
        assert least > 1e-4 / comb(len(hidden), 2), (k, least)


def places_of(one: World, cards: tuple[str, ...]) -> tuple[int, ...]:
    """Give in which hand each of some cards is; -1 for the stock."""
    return tuple(
        next((at for at, hand in enumerate(one[:-1]) if card in hand), -1) for card in cards
    )


def alike(one: Counter[tuple[int, ...]], other: Counter[tuple[int, ...]]) -> float:
    """Give the probability of a chi-square as large as that of two counts, if both are alike."""
    kinds = sorted({*one, *other})
    if len(kinds) == 1:
        return 1.0
    return float(chi2_contingency([[it[kind] for kind in kinds] for it in (one, other)]).pvalue)
