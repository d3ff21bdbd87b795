"""Deals: what may be asked of them, and wrong input that changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from maumau import Deal, load_rules
from maumau.errors import Conflict, IllegalAction, InvalidInput
from tests.rules.scenes import play, rules_with, scene

CHAMPION = load_rules("champion")


def test_a_deal_from_an_order_is_the_deal_of_that_shuffle() -> None:
    """§5 and §3 Set-up: the order alone says who holds what."""
    dealt = Deal(CHAMPION, 2, 1, "order", 3)
    again = Deal.from_order(CHAMPION, 2, 1, dealt.order(), number=3)
    assert again.order() == dealt.order()
    assert again.hands() == dealt.hands()
    assert again.observation(0).to_json() == dealt.observation(0).to_json()


def change(order: list[str], place: int, card: str) -> list[str]:
    return [card if k == place else old for k, old in enumerate(order)]


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ([], "exactly these cards"),
        (Deal(CHAMPION, 2).order()[1:], "exactly these cards"),
        ([*Deal(CHAMPION, 2).order(), "2c"], "exactly these cards"),
        (change(Deal(CHAMPION, 2).order(), 5, "X1"), "exactly these cards"),
        (change(Deal(CHAMPION, 2).order(), 5, "10h"), r"order\[5\] is '10h'"),
    ],
)
def test_an_order_that_is_not_the_pack_is_refused(order: list[str], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        Deal.from_order(CHAMPION, 2, 0, order)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seats": 3}, "seats: these rules are for 2 seats, not 3"),
        ({"seats": 2, "leader": 2}, "leader: must be a seat from 0 to 1"),
        ({"seats": 2, "leader": -1}, "leader: must be a seat from 0 to 1"),
        ({"seats": 10**30}, "seats: these rules are for 2 seats"),
        ({"seats": 2, "seed": "\ud800"}, "seed: must be a text that UTF-8 can write"),
    ],
)
def test_seats_and_leader_must_fit_the_rules(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        Deal(CHAMPION, **arguments)


def test_a_wrong_reshuffle_is_refused_by_the_action_that_needs_it_and_changes_nothing() -> None:
    """§3 Drawing: all of the discard pile but its top card becomes the stock."""
    rules = rules_with("champion", deck={"lowest": "9"}, hand_size=11)
    hands = ["Tc Jc Qc Kc Ac Td Th Ts Jd Jh Js", "9d 9h 9s Qd Qh Qs Kd Kh Ks Ad Ah"]
    deal = play(scene(rules, hands, "9c", "As", reshuffles=("9c Jc",)), "Tc draw Jc=c")
    before = deal.observation(1).to_json(), deal.hands(), deal.actions()
    with pytest.raises(InvalidInput, match="reshuffle 1 must hold exactly these cards: 9c Tc"):
        deal.apply("draw")
    assert (deal.observation(1).to_json(), deal.hands(), deal.actions()) == before


def test_there_is_no_result_before_the_end() -> None:
    deal = Deal(CHAMPION, 2)
    with pytest.raises(Conflict, match="not over"):
        deal.result()


@pytest.mark.parametrize("action", [None, 7, ["7h"], "", "7h=x", "DRAW", "draw ", "Jh=d=d"])
def test_what_is_no_action_is_refused_with_the_legal_ones(action: Any) -> None:
    deal = Deal(CHAMPION, 2, seed="s")
    with pytest.raises(IllegalAction) as caught:
        deal.apply(action)
    assert caught.value.legal == deal.legal_actions()


@pytest.mark.parametrize("action", [-1, 540, 542, 543, 10_000, 10**30])
def test_an_index_that_is_not_legal_is_refused(action: int) -> None:
    deal = Deal(CHAMPION, 2, seed="s")
    with pytest.raises(IllegalAction):
        deal.apply_id(action)
    assert deal.action_count == 0
