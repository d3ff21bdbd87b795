"""What each parameter of a rule set does at the table (docs/rules.md §2, §3), a scene for each.

The presets use but part of them; what they and their options never use is played here.
"""

from __future__ import annotations

from typing import Any

import pytest

from maumau import Deal, load_rules
from tests.rules.scenes import hand_sizes, play, scene

PLAIN = {"players": [2, 4], "deck": {"lowest": "7"}, "hand_size": 3}
CALLS = {"mode": "auto", "one_left": True, "last_card": "always", "penalty": 3}


def table(
    hands: str, starter: str, stock: str = "", /, *, reshuffles: tuple[str, ...] = (), **rules: Any
) -> Deal:
    """Deal these hands, with a stroke between, by rules that state what differs from PLAIN."""
    wanted = PLAIN | {"hand_size": len(hands.split("|")[0].split())} | rules
    return scene(load_rules(wanted), hands.split("|"), starter, stock, reshuffles=reshuffles)


def turn(deal: Deal) -> tuple[int, list[str]]:
    """Give the seat to act and its legal actions."""
    return deal.seat, deal.legal_actions()


# What fits.


def test_answers_may_be_of_several_ranks() -> None:
    """§2 `answer`: ranks that may be played onto this card while cards are owed; no other fits."""
    deal = table("7h 8d Kc|9s 7s Th", "9h", effects={"7": {"draw": 2, "answer": ["9", "T"]}})
    assert turn(play(deal, "7h")) == (1, ["9s", "Th", "draw"])
    assert turn(play(deal, "Th")) == (0, ["draw"])  # the ten's own answers: none
    assert hand_sizes(play(deal, "draw")) == [4, 2]


def test_a_wild_card_may_name_no_suit() -> None:
    """§2 `wild.wish` false: fits every top card, and its own suit counts then."""
    wild = {"wild": {"wish": False}}
    deal = table("Js 8d Kc|9s Td Kh", "9h", effects={"J": wild})
    assert turn(deal) == (0, ["Js"])
    assert turn(play(deal, "Js")) == (1, ["9s"])


def test_a_wild_card_does_not_fit_on_its_exceptions_whatever_follows() -> None:
    """§3 What fits: not on `not_on`, not even by suit, rank, wish or `accepts_any`."""
    effects: dict[str, Any] = {"J": {"wild": {"not_on": ["J", "Q"]}}, "Q": {"accepts_any": True}}
    assert turn(table("Js Jd Kc|9s Td Kh", "Qs", effects=effects)) == (0, ["Kc"])
    assert turn(table("Js Jd Kc|9s Td Kh", "Jh", effects=effects)) == (0, ["draw"])


def test_any_card_fits_on_one_that_accepts_any() -> None:
    """§3 What fits: any card on `accepts_any`, before a wish is looked at."""
    effects = {"Q": {"accepts_any": True, "wild": {}}}
    deal = table("Qs 8d Kc|9s Td Kh", "9h", effects=effects)
    assert turn(play(deal, "Qs=d")) == (1, ["9s", "Kh", "Td"])


def test_jokers_have_no_suit_and_fit_one_another() -> None:
    """§3 What fits: without an effect of their own they fit one another by rank."""
    deal = table("X1 8d Kc|X2 Td Kh", "9h", "Ac", deck={"lowest": "7", "jokers": 2})
    assert turn(deal) == (0, ["draw"])
    deal = table("X1 8d Kc|7s Td Kh", "X2", "Ac", deck={"lowest": "7", "jokers": 2})
    assert turn(deal) == (0, ["X1"])


# What a card does.


def test_a_skip_passes_over_as_many_seats_as_it_says() -> None:
    """§2 `skip` n: n seats miss their turn, counted round the table."""
    hands = "8h 7d 7c|9s Td Kh|9c Tc Kc|9d Ts Ks"
    assert play(table(hands, "9h", effects={"8": {"skip": 2}}), "8h").seat == 3
    assert play(table(hands, "9h", effects={"8": {"skip": 3}}), "8h").seat == 0


def test_a_skip_is_ignored_where_the_same_seat_plays_again() -> None:
    """§3 Playing: with `again` the same seat has another turn, a `skip` beside it is ignored."""
    deal = table("9c 8d Ks|Td Ts Kh", "9h", effects={"9": {"again": True, "skip": 1, "draw": 2}})
    assert turn(play(deal, "9c")) == (0, ["draw"])  # §2 `draw`: owed by whichever seat acts next
    assert hand_sizes(play(deal, "draw")) == [4, 3]


@pytest.mark.parametrize(("rule", "seat"), [("noop", 1), ("again", 0)])
def test_a_reverse_between_two_seats(rule: str, seat: int) -> None:
    """§2 `reverse_with_two`."""
    deal = table("Th 8d Ks|9d Ts Kh", "9h", effects={"T": {"reverse": True}}, reverse_with_two=rule)
    play(deal, "Th")
    assert (deal.seat, deal.observation(0).direction) == (seat, 1)


def test_a_second_reverse_turns_the_direction_back() -> None:
    """§3 Playing: `reverse` turns the direction, whichever it was."""
    deal = table("Th 8d Ks|9d 9s Kh|Td 9c Kc", "9h", effects={"T": {"reverse": True}})
    play(deal, "Th Td")
    assert (deal.seat, deal.observation(0).direction) == (0, 1)


def test_debts_add_up() -> None:
    """§3 Playing: `draw` adds to what is owed."""
    effects = {"7": {"draw": 2, "answer": ["7", "8"]}, "8": {"draw": 3, "answer": ["7", "8"]}}
    deal = table("7h 8d Ks|8s 9s Kh", "9h", effects=effects)
    assert play(deal, "7h 8s").observation(0).owed == 5
    assert hand_sizes(play(deal, "draw")) == [7, 2]


# The starter.


def starts(starter: str, /, **rules: Any) -> Deal:
    """Deal for three seats with a starter that acts."""
    effects = {
        "7": {"draw": 2, "answer": ["7"]},
        "8": {"skip": 1},
        "9": {"reverse": True},
        "T": {"again": True},
    }
    rules = {"effects": effects, "starter": {"effect": "acts"}} | rules
    return table("Kh Qs As|Kc Qd Ad|Kd Qc Ac", starter, "Jc Jd Js", **rules)


def test_a_draw_starter_makes_the_leader_owe() -> None:
    """§3 Set-up: the starter works as if the seat before the leader had played it."""
    deal = starts("7h")
    assert (deal.observation(2).owed, turn(deal)) == (2, (0, ["draw"]))
    assert hand_sizes(play(deal, "draw")) == [5, 3, 3]


@pytest.mark.parametrize(
    ("starter", "first", "direction"), [("8h", 1, 1), ("9h", 1, -1), ("Th", 2, 1), ("Jh", 0, 1)]
)
def test_who_begins_where_the_starter_acts(starter: str, first: int, direction: int) -> None:
    """§3 Set-up: a skip passes the leader over, a reverse turns first, `again` is the dealer's."""
    deal = starts(starter)
    assert (deal.seat, deal.observation(0).direction) == (first, direction)
    idle = starts(starter, starter={"effect": "none"})
    assert (idle.seat, idle.observation(0).direction, idle.observation(0).owed) == (0, 1, 0)


def test_a_wild_starter_carries_no_wish() -> None:
    """§3 Set-up: a wild card's own suit counts."""
    deal = table("Kh Qs As|Kc Qd Ad", "Jh", effects={"J": {"wild": {}}})
    assert (deal.observation(0).wish, turn(deal)) == (None, (0, ["Kh"]))


# Drawing.


def test_the_drawn_card_must_be_played_where_it_fits() -> None:
    """§2 `must_play_drawn`: as `may_play_drawn` without `pass`."""
    hands, rules = "8d 7d Ks|Qd Ts Kh", {"draw": {"then": "must_play_drawn"}}
    assert turn(play(table(hands, "9h", "Th", **rules), "draw")) == (0, ["Th"])
    assert play(table(hands, "9h", "Tc", **rules), "draw").seat == 1
    rules = {"draw": {"then": "may_play_drawn"}}
    assert turn(play(table(hands, "9h", "Th", **rules), "draw")) == (0, ["Th", "pass"])
    assert play(table(hands, "9h", "Tc", **rules), "draw").seat == 1


def test_only_the_drawn_card_may_be_played() -> None:
    """§3 Drawing: `may_play_drawn`: its plays and `pass`, though another card fits too."""
    draw = {"then": "may_play_drawn", "voluntary": True}
    deal = table("8h 7d Ks|Qd Ts Kh", "9h", "Th", draw=draw)
    assert turn(play(deal, "draw")) == (0, ["Th", "pass"])


def test_drawing_goes_on_where_any_card_may_be_played() -> None:
    """§2 `may_play_any`, `max`: `draw` again while nothing fits; then the plays, or `pass`."""
    draw = {"then": "may_play_any", "max": 2}
    deal = table("8d 7d Ks|Qd Ts Kh", "9h", "Ac Ad", draw=draw)
    assert turn(play(deal, "draw")) == (0, ["draw"])
    assert turn(play(deal, "draw")) == (0, ["pass"])
    deal = table("8d 7d Ks|Qd Ts Kh", "9h", "Ac Ah", draw=draw)
    assert turn(play(deal, "draw draw")) == (0, ["Ah", "pass"])
    deal = table("8d 7d Ks|Qd Ts Kh", "9h", "Ah Ac", draw=draw)
    assert turn(play(deal, "draw")) == (0, ["Ah"])  # one fits, and drawing is not voluntary
    deal = table("8d 7d Ks|Qd Ts Kh", "9h", "Ah Ac", draw={**draw, "voluntary": True})
    assert turn(play(deal, "draw")) == (0, ["Ah", "draw"])


@pytest.mark.parametrize(("after", "seat"), [("end", 0), ("turn", 1)])
def test_what_follows_the_cards_owed(after: str, seat: int) -> None:
    """§2 `after_penalty`: turn over, or an ordinary turn in which it may draw again."""
    deal = table(
        "7h 8d Ks|Qd Ts Kc", "9h", "Ac Ad", effects={"7": {"draw": 2}}, after_penalty=after
    )
    play(deal, "7h draw")
    assert (deal.seat, deal.observation(0).owed, hand_sizes(deal)) == (seat, 0, [2, 5])
    if after == "turn":
        assert turn(deal) == (1, ["draw"])
        assert hand_sizes(play(deal, "draw")) == [2, 6]


def test_the_deal_ends_in_the_middle_of_a_penalty() -> None:
    """§2 `end_deal`: the moment the last stock card is taken; nobody draws on."""
    rules: dict[str, Any] = {"players": [2, 2], "deck": {"lowest": "9"}, "stock_out": "end_deal"}
    hands = "Tc Jc Qc Kc Ac Td Th Ts Jd Jh Js|9d 9h 9s Qd Qh Qs Kd Kh Ks Ad Ah"
    deal = table(hands, "9c", "As", effects={"T": {"draw": 3}}, **rules)
    play(deal, "Tc draw")
    assert (deal.over, deal.legal_actions(), hand_sizes(deal)) == ("stock_out", [], [10, 12])
    assert deal.result().finisher is None


def test_what_cannot_be_drawn_lapses() -> None:
    """§3 Drawing: of three owed one is in the stock and one below the top card."""
    hands = "Tc Jc Qc Kc Ac Td Th Ts Jd Jh Js|9d 9h 9s Qd Qh Qs Kd Kh Ks Ad Ah"
    rules: dict[str, Any] = {"players": [2, 2], "deck": {"lowest": "9"}}
    deal = table(hands, "9c", "As", effects={"T": {"draw": 3}}, reshuffles=("9c",), **rules)
    play(deal, "Tc draw")
    assert (hand_sizes(deal), deal.observation(0).owed, deal.seat) == ([10, 13], 0, 0)


def bare(after_penalty: str) -> Deal:
    """Give a deal in which seat 1 owes two cards while all others are in seat 0's hand."""
    deal = table(
        "7h 8d|Qd Ks",
        "9h",
        effects={"7": {"draw": 2}},
        call=CALLS | {"penalty": 50},
        after_penalty=after_penalty,
    )
    # The missed call empties the stock, and the pile below the seven.
    play(deal, "7h")
    assert (hand_sizes(deal), deal.observation(1).owed) == ([29, 2], 2)
    return deal


def test_a_debt_of_which_no_card_can_be_had_lapses_by_a_pass() -> None:
    """§3 Legal actions 4: `pass` in the place of `draw`; Drawing: the debt lapses."""
    deal = bare("end")
    assert turn(deal) == (1, ["pass"])
    play(deal, "pass")
    assert (deal.seat, deal.observation(0).owed, deal.over) == (0, 0, "")
    assert "8h" in deal.legal_actions()


def test_a_lapsed_debt_and_the_ordinary_turn_after_it_are_one_turn() -> None:
    """§3 Drawing: `after_penalty` decides; Ends: that is one turn in which nothing was played."""
    deal = bare("turn")
    play(deal, "pass")
    assert (turn(deal), deal.observation(1).owed) == ((1, ["pass"]), 0)
    play(deal, "pass")
    assert (deal.seat, deal.over, deal.observation(0).phase) == (0, "", "turn")


# Calls.


def test_a_missed_call_is_punished_before_the_next_turn() -> None:
    """§3 Missed calls: `auto`: the penalty at once, the card stays and its effect stands."""
    deal = table("7h 8d|Qd 7s", "9h", "Ac Ad Ah", call=CALLS, effects={"7": {"draw": 2}})
    assert turn(deal) == (0, ["7h", "7h!"])
    play(deal, "7h")
    assert (hand_sizes(deal), deal.observation(0).owed, deal.seat) == ([4, 2], 2, 1)
    assert deal.observation(1).events[-1].drawn_by == 0


def test_a_hand_emptied_without_its_call_is_not_finished() -> None:
    """§3 Missed calls, `auto`; with the call the deal ends (`finished`)."""
    deal = table("7h|Qd", "9h", "Ac Ad Ah", call=CALLS)
    assert (play(deal.copy(), "7h!").over, turn(deal)) == ("finished", (0, ["7h", "7h!"]))
    play(deal, "7h")
    assert (deal.over, hand_sizes(deal), deal.seat) == ("", [3, 1], 1)


@pytest.mark.parametrize(
    ("last_card", "plain", "wild"),
    [("never", ["7h"], ["Jh"]), ("wild", ["7h"], None), ("always", ["7h", "7h!"], None)],
)
def test_which_last_card_needs_a_call(
    last_card: str, plain: list[str], wild: list[str] | None
) -> None:
    """§2 `last_card`: never, with a card that wishes, or always; §3: named only if not called."""
    rules: dict[str, Any] = {
        "effects": {"J": {"wild": {}}},
        "call": CALLS | {"last_card": last_card},
    }
    assert turn(table("7h|Qd", "9h", **rules)) == (0, plain)
    wishes = ["Jh!", *(f"Jh={suit}" for suit in "cdhs")]
    assert turn(table("Jh|Qd", "9h", **rules)) == (0, wild or wishes)


def test_no_call_is_due_with_the_last_but_one_card_unless_the_rules_say_so() -> None:
    """§2 `one_left`, and `mode` `none` knows no calls at all."""
    assert turn(table("7h 8d|Qd Kd", "9h", call=CALLS | {"one_left": False})) == (0, ["7h"])
    assert turn(table("7h 8d|Qd Kd", "9h", call=CALLS | {"mode": "none"})) == (0, ["7h"])


CATCH = CALLS | {"mode": "catch"}


def test_the_others_are_asked_in_playing_order_after_the_cards_own_reverse() -> None:
    """§3 Missed calls: `catch`: starting after the offender; the first catch ends the asking."""
    deal = table(
        "Th 8d|Qd Kd|Qc Kc|Qs Ks", "9h", "Ac Ad Ah", call=CATCH, effects={"T": {"reverse": True}}
    )
    play(deal, "Th")
    assert turn(deal) == (3, ["catch", "pass"])
    play(deal, "pass")
    assert (deal.seat, deal.observation(2).phase, deal.observation(0).offender) == (2, "asked", 0)
    play(deal, "catch")
    assert (hand_sizes(deal), deal.seat) == ([4, 2, 2, 2], 3)
    assert (deal.observation(1).phase, deal.observation(1).offender) == ("turn", None)


def test_if_all_pass_the_play_stands_and_an_emptied_hand_has_finished() -> None:
    """§3 Missed calls: `catch`; nobody draws, and the turn moves on as the effect says."""
    deal = table("8h 8d|Qd Kd|Qc Kc", "9h", "Ac", call=CATCH, effects={"8": {"skip": 1}})
    play(deal, "8h pass pass")
    assert (hand_sizes(deal), deal.seat, deal.observation(0).phase) == ([1, 2, 2], 2, "turn")
    deal = table("7h|Qd|Qc", "9h", call=CATCH)
    play(deal, "7h pass")
    assert (deal.over, deal.seat) == ("", 2)
    play(deal, "pass")
    assert (deal.over, deal.result().finisher) == ("finished", 0)


# Ends and points.


def test_a_play_begins_the_count_of_idle_turns_anew() -> None:
    """§3 Ends: `blocked`: n turns in a row in which no card was played or drawn."""
    deal = table(
        "7h 8d|Qd X1",
        "9h",
        deck={"lowest": "7", "jokers": 1},
        effects={"7": {"draw": 2}, "X": {"wild": {"wish": False}}},
        call=CALLS | {"penalty": 50},
    )
    play(deal, "7h pass 8h X1")  # each missed call takes all cards that can be had
    assert (turn(deal), hand_sizes(deal)) == ((0, ["pass"]), [29, 3])
    play(deal, "pass")
    assert (deal.over, turn(deal)) == ("", (1, ["pass"]))
    assert play(deal, "pass").over == "blocked"


def test_the_last_action_that_is_allowed_ends_the_deal() -> None:
    """§3 Ends: `limit`: `max_actions` actions; nobody has finished."""
    deal = table("8h 7d 9c|Qh Ts Kh", "9h", max_actions=2)
    play(deal, "8h")
    assert deal.over == ""
    play(deal, "Qh")
    assert (deal.over, deal.result().finisher, deal.legal_actions()) == ("limit", None, [])


@pytest.mark.parametrize("last", ["7h", "9h"])
def test_the_effect_of_the_last_card_no_longer_matters(last: str) -> None:
    """§3 Playing: the deal ends: nobody owes, and the direction is as it was."""
    effects = {"7": {"draw": 2}, "9": {"reverse": True}}
    deal = play(table(f"{last}|Qh|Qd", "8h", effects=effects), last)
    seen = deal.observation(1)
    assert (deal.over, seen.owed, seen.direction, seen.phase) == ("finished", 0, 1, "over")
    assert (deal.legal_actions(), hand_sizes(deal)) == ([], [0, 1, 1])


def test_an_action_that_ends_the_deal_otherwise_keeps_that_end() -> None:
    """§3 Ends: `limit`."""
    assert play(table("8h|Qh", "9h", max_actions=1), "8h").over == "finished"


def test_the_limit_drops_an_open_question_even_over_an_empty_hand() -> None:
    """§3 Ends: an open question about a missed call is dropped; only `finished` has a finisher."""
    deal = play(table("8h|Qh", "9h", call=CATCH, max_actions=1), "8h")
    assert (deal.over, deal.result().finisher, hand_sizes(deal)) == ("limit", None, [0, 1])


VALUES = {"7": 7, "8": 8, "9": 9, "T": 10, "J": 20, "Q": 3, "K": 4, "A": 11}


@pytest.mark.parametrize(
    ("to", "double_on", "points"),
    [
        ("none", [], [0, 0]),
        ("holder", [], [0, 3]),
        ("holder", ["8"], [0, 6]),
        ("holder", ["9"], [0, 3]),
        ("finisher", [], [3, 0]),
        ("finisher", ["8"], [6, 0]),
    ],
)
def test_who_scores_what_when_somebody_finished(
    to: str, double_on: list[str], points: list[int]
) -> None:
    """§3 Points: `holder` scores its own hand, or the `finisher` all hands; `double_on`."""
    scoring = {"to": to, "values": VALUES, "double_on": double_on}
    assert play(table("8h|Qh", "9h", scoring=scoring), "8h").result().points == points


@pytest.mark.parametrize(("to", "points"), [("holder", [8, 12]), ("finisher", [0, 0])])
def test_who_scores_what_without_a_finisher(to: str, points: list[int]) -> None:
    """§3 Points: everyone his own hand, undoubled (though the top card doubles); or nobody."""
    scoring = {"to": to, "values": VALUES, "double_on": ["9", "A"]}
    deal = play(table("8d Ah|Qh 9c", "9h", scoring=scoring, max_actions=1), "Ah")
    assert (deal.over, deal.result().points) == ("limit", points)


@pytest.mark.parametrize(("last", "finish"), [("8h", 5), ("Jh", 7)])
@pytest.mark.parametrize(("held", "rating"), [("Ts", 2), ("As", 1), ("Js", 1)])
def test_the_rating_of_a_deal(last: str, finish: int, held: str, rating: int) -> None:
    """§3 Points, Rating: `finish_on` by rank; the first band whose bound is at least the points."""
    bands = [[10, 2], [20, 1], [None, -1]]
    rated = {"finish": 5, "finish_on": {"J": 7}, "bands": bands, "factor": 10}
    scoring = {"to": "holder", "values": VALUES, "double_on": [last[0]], "rating": rated}
    deal = play(table(f"{last}|{held}", "9h", scoring=scoring), last)
    assert deal.result().rating == [finish, rating]


def test_the_hand_size_by_the_number_of_seats() -> None:
    """§2 `hand_size_by_players`."""
    rules = load_rules(PLAIN | {"hand_size": 4, "hand_size_by_players": {"2": 7}})
    assert [hand_sizes(Deal(rules, seats, seed="h")) for seats in (2, 3)] == [[7, 7], [4, 4, 4]]
