"""Observations: every field is told, and none is forgotten in the canonical text."""

from __future__ import annotations

import json

import pytest

from maumau import Deal, Observation, load_rules
from maumau.errors import InvalidInput
from tests.rules.scenes import play, rules_with, scene


def test_the_canonical_text_holds_every_field() -> None:
    seen = Deal(load_rules("gamerules"), 3, seed="fields").observation(1)
    public = {name for name in dir(Observation) if not name.startswith("_")}
    methods = {"legal_ids", "rollouts", "sample", "to_dict", "to_json", "weigh"}
    assert set(json.loads(seen.to_json())) == public - methods


def test_every_field_tells_what_the_deal_is() -> None:
    rules = rules_with("gamerules", hand_size=3)
    deal = scene(rules, ["9c 8d Kc", "Qs Ts 9s", "Tc Td Ac"], "9h", "7h 7d 7c")
    play(deal, "9c Tc draw")
    seen = deal.observation(0)
    assert (seen.seats, seen.seat, seen.leader, seen.deal_number) == (3, 0, 0, 0)
    assert (seen.acting, seen.direction, seen.phase, seen.owed, seen.wish) == (
        0,
        -1,
        "turn",
        0,
        None,
    )
    assert (seen.hand, seen.hand_counts) == (("8d", "Kc"), (2, 4, 2))
    assert (seen.top_card, seen.discard_pile) == ("Tc", ("9h", "9c", "Tc"))
    assert (seen.stock_count, seen.totals, seen.turned_up) == (32 - 3 - 8, (0, 0, 0), ("9h",))
    assert (seen.drawn_card, seen.draws, seen.offender) == (None, 0, None)
    assert seen.legal_actions == ("Kc", "Kc!", "draw")
    assert [(e.seat, e.action, e.drawn, e.drawn_by) for e in seen.events] == [
        (0, "9c", 0, None),
        (2, "Tc", 0, None),
        (1, "draw", 1, 1),
    ]
    assert seen.rules is rules
    assert repr(seen) == "<Observation seat 0: 8d Kc on Tc; legal: Kc Kc! draw>"


def test_totals_and_number_of_the_deal_are_told() -> None:
    deal = Deal(load_rules("champion"), 2, 1, "s", 4, totals=[30, 7])
    assert (deal.observation(0).totals, deal.observation(0).deal_number) == ((30, 7), 4)


def test_cards_that_may_not_be_the_starter_are_seen_by_all() -> None:
    """§3 Set-up: put under the stock, next card turned."""
    rules = rules_with("crazy-eights", hand_size_by_players={"2": 2})
    deal = scene(rules, ["9c Td", "Qs Ts"], "8h", "8d 3h 4c")
    seen = deal.observation(1)
    assert (seen.turned_up, seen.top_card, seen.stock_count) == (
        ("8h", "8d", "3h"),
        "3h",
        52 - 4 - 1,
    )
    assert deal.state.stock[-2:] == [24 + 2, 24 + 1]


def test_a_question_about_a_missed_call_names_the_offender() -> None:
    """§3 Missed calls: the other seats are asked in playing order."""
    rules = rules_with("gamerules", hand_size=2)
    deal = scene(rules, ["Qh Kc", "Ts 9s", "Tc Td"], "9h", "Ac Ad 8s")
    play(deal, "Qh")
    seen = deal.observation(1)
    assert (seen.phase, seen.offender, seen.legal_actions) == ("asked", 0, ("catch", "pass"))
    assert deal.observation(2).legal_actions == ()
    play(deal, "pass")
    assert (deal.seat, deal.observation(2).offender) == (2, 0)


def test_there_is_no_observation_for_a_seat_that_is_none() -> None:
    with pytest.raises(InvalidInput, match="from 0 to 1"):
        Deal(load_rules("champion"), 2).observation(2)
