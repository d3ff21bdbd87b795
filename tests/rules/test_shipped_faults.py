"""Faults that public programs of this family have shipped, each with the clause it breaks."""

from __future__ import annotations

from typing import Any

import pytest

from maumau import Deal, Game, load_rules
from maumau.errors import Conflict, IllegalAction
from tests.rules.players import each_new_deal, play_randomly
from tests.rules.scenes import hand_sizes, play, rules_with, scene

CHAMPION3 = rules_with("champion", hand_size=3)
GAMERULES3 = rules_with("gamerules", hand_size=3)
GAMEDUELL3 = rules_with("gameduell", hand_size=3)


def scarce(*, reshuffles: tuple[str, ...] = ("9c Tc",), **overrides: Any) -> Deal:
    """Deal 24 cards so that one is left in the stock: As.

    Seat 0 holds the other clubs, tens and jacks, seat 1 neither clubs nor tens nor jacks: while
    seat 0 plays clubs, tens or jacks, seat 1 must draw.
    """
    rules = rules_with("champion", deck={"lowest": "9"}, hand_size=11, **overrides)
    hands = ["Tc Jc Qc Kc Ac Td Th Ts Jd Jh Js", "9d 9h 9s Qd Qh Qs Kd Kh Ks Ad Ah"]
    return scene(rules, hands, "9c", "As", reshuffles=reshuffles)


def test_other_hands_and_the_stock_are_not_in_an_observation() -> None:
    """§1: hands are the seats' own, the stock lies face down."""
    deal = scene(CHAMPION3, ["7h 8d Kc", "Qs Ts 9s"], "9h", "Ac Ad")
    seen = deal.observation(0).to_json()
    assert '"7h"' in seen
    for hidden in ("Qs", "Ts", "9s", "Ac", "Ad", "As"):
        assert hidden not in seen


def test_the_top_card_is_not_shuffled_into_the_stock() -> None:
    """§3 Drawing: all of the discard pile but its top card becomes the stock."""
    deal = play(scarce(), "Tc draw Jc=c draw")
    assert deal.reshuffles() == [["9c", "Tc"]]
    assert deal.observation(1).top_card == "Jc"


def test_the_wrong_card_is_not_left_on_the_pile_after_a_reshuffle() -> None:
    """§3 Drawing: what stays on the pile is its top card, the last card played."""
    deal = play(scarce(), "Tc draw Jc=c draw")
    assert deal.observation(0).discard_pile == ("Jc",)
    assert deal.observation(0).stock_count == 1


def test_the_starter_is_not_left_in_the_dealers_hand() -> None:
    """§3 Set-up: the next card after the hands is the starter; it lies on the pile only."""
    deal = scene(CHAMPION3, ["7h 8d Kc", "Qs Ts 9s"], "9h", leader=1)
    assert deal.hands() == [["7h", "8d", "Kc"], ["9s", "Qs", "Ts"]]
    assert deal.observation(0).discard_pile == ("9h",)


def test_what_is_owed_is_in_the_observation_of_every_seat() -> None:
    """§1 owed: cards that the seat to act must draw unless it answers."""
    deal = play(scene(CHAMPION3, ["7h 8d Kc", "7s Ts 9s"], "9h"), "7h")
    assert [deal.observation(seat).owed for seat in (0, 1)] == [2, 2]
    play(deal, "7s")
    assert [deal.observation(seat).owed for seat in (0, 1)] == [4, 4]


@pytest.mark.parametrize(("then", "next_seat"), [("end", 0), ("may_play_any", 1)])
def test_taking_the_last_stock_card_does_not_change_whose_turn_it_is(
    then: str, next_seat: int
) -> None:
    """§3 Drawing: `draw.then` alone says how the turn goes on after an ordinary draw."""
    deal = play(scarce(draw={"then": then}), "Tc draw")
    assert deal.observation(0).stock_count == 0
    assert deal.seat == next_seat


def test_a_wish_does_not_survive_its_deal() -> None:
    """§1 wish: until the next card is played; §3 Set-up: a starter carries no wish."""
    followed = 0
    for seed in map(str, range(40)):
        for ended, deal in each_new_deal(Game(load_rules("gameduell"), seats=2, seed=seed)):
            followed += ended.observation(0).wish is not None
            assert [deal.observation(seat).wish for seat in (0, 1)] == [None, None]
            assert deal.observation(0).phase == "turn"
    assert followed > 3


def test_a_wish_is_not_lost_when_the_next_seat_draws() -> None:
    """§1 wish: the suit named, until the next card is played; drawing is not playing."""
    deal = play(scene(CHAMPION3, ["Jh 8d Kc", "Qs Ts 9s"], "9h", "Ac 7s"), "Jh=d draw")
    assert deal.observation(0).wish == "d"
    assert deal.legal_actions() == ["8d"]


def test_a_wish_is_not_lost_when_a_draw_reshuffles() -> None:
    """§1 wish: until the next card is played; the card that wished stays on the pile."""
    deal = play(scarce(), "Tc draw Jc=c draw")
    assert deal.observation(1).events[-1].reshuffled
    assert [deal.observation(seat).wish for seat in (0, 1)] == ["c", "c"]
    assert {"Kc", "Qc", "Ac"} < set(deal.legal_actions())
    assert not {"Td", "Th", "Ts"} & set(deal.legal_actions())


def test_a_wish_is_not_kept_by_the_wild_card_through_a_reshuffle() -> None:
    """§3 Playing: the old wish ends with the next play; the card is what is printed on it."""
    rules = rules_with("champion", deck={"lowest": "9"}, hand_size=11, draw={"voluntary": True})
    hands = ["Tc Jc Qc Kc Ac Td Th Ts Jd Jh Js", "9d 9h 9s Qd Qh Qs Kd Kh Ks Ad Ah"]
    deal = scene(rules, hands, "9c", "As", reshuffles=("Jc 9c",))
    play(deal, "Jc=h draw Th draw")
    assert "Jc" in deal.observation(1).hand
    play(deal, "Ts")
    assert "Jc=d" in deal.legal_actions()
    play(deal, "Jc=d")
    assert deal.observation(0).wish == "d"
    assert {a[:2] for a in deal.legal_actions()} == {"Td", "Jd", "Jh", "Js", "dr"}


def test_a_tie_at_stock_out_is_shared() -> None:
    """§3 Ends: only `finished` has a finisher; §4 Ranks: equal totals share a rank."""
    nothing = dict.fromkeys("23456789TJQKAX", 0)
    rules = rules_with("gameduell", scoring={"values": nothing}, game={"deals": 1})
    ends = set()
    for seed in map(str, range(30)):
        game = play_randomly(Game(rules, seats=3, seed=seed))
        ends.add(game.results[0].end)
        if game.results[0].end == "stock_out":
            assert game.results[0].finisher is None
            assert game.ranks == [1, 1, 1]
    assert "stock_out" in ends


def test_no_suit_is_asked_for_with_the_last_card() -> None:
    """§3 Legal actions 1: the last card names no suit where the play ends the deal."""
    deal = scene(rules_with("champion", hand_size=1), ["Jh", "7c"], "9h")
    assert deal.legal_actions() == ["Jh"]
    assert play(deal, "Jh").over == "finished"


def test_a_missed_call_with_a_last_wild_card_does_ask_for_a_suit() -> None:
    """§3 Legal actions 1: named only where the call is made, for then the deal ends."""
    deal = scene(rules_with("gamerules", hand_size=1), ["Jh", "7c"], "9h")
    assert deal.legal_actions() == ["Jh!", "Jh=c", "Jh=d", "Jh=h", "Jh=s", "draw"]


def test_a_card_not_held_cannot_be_played() -> None:
    """§3 Playing: the card leaves the hand; anything outside the list changes nothing (§1)."""
    deal = scene(CHAMPION3, ["7h 8d Kc", "Qh Ts 9s"], "9h")
    before = deal.observation(0).to_json(), deal.hands()
    for action in ("Qh", "9d", "7h!", "7h=c", "draw", "pass", "catch", "", "7H", "X1", "9h"):
        with pytest.raises(IllegalAction, match="legal: 7h"):
            deal.apply(action)
    assert (deal.observation(0).to_json(), deal.hands()) == before


def test_a_wish_is_known_to_every_seat() -> None:
    """§1 wish: the suit named: everybody hears it."""
    deal = scene(GAMERULES3, ["Jh 8d Kc", "Qs Ts 9s", "7c 7d 7s"], "9h")
    play(deal, "Jh=d")
    assert [deal.observation(seat).wish for seat in range(3)] == ["d", "d", "d"]
    assert deal.observation(2).events[-1].action == "Jh=d"


def test_no_extra_draw_follows_a_paid_seven() -> None:
    """§3 Drawing: owed cards are drawn all at once and the debt is settled."""
    deal = play(scene(CHAMPION3, ["7h 8d Kc", "Qs Th 9s"], "9h", "Ac Ad"), "7h draw")
    assert hand_sizes(deal) == [2, 5]
    # `after_penalty: turn`: an ordinary turn follows, and as the ten fits nothing is drawn.
    assert (deal.seat, deal.observation(1).owed, deal.legal_actions()) == (1, 0, ["Th"])


def test_the_turn_is_over_after_a_paid_seven_where_the_rules_say_so() -> None:
    """§3 Drawing: `after_penalty: end`; the card that caused the debt is an ordinary card now."""
    deal = scene(GAMERULES3, ["7h 8h Kc", "Qs Th 9s", "7c 7d 7s"], "9h", "Ac Ad")
    play(deal, "7h draw")
    assert hand_sizes(deal) == [2, 5, 3]
    assert (deal.seat, deal.observation(2).owed) == (2, 0)
    assert deal.legal_actions() == ["7c", "7d", "7s", "draw"]


def test_a_penalty_larger_than_the_stock_takes_what_there_is() -> None:
    """§3 Drawing: what cannot be drawn lapses."""
    deal = play(scarce(reshuffles=("9c",), effects={"T": {"draw": 5}}), "Tc draw")
    # One card was in the stock, one below the top card.
    assert hand_sizes(deal) == [10, 13]
    assert deal.observation(1).owed == 0
    assert deal.observation(1).stock_count == 0


def test_nobody_acts_after_the_deal_is_won() -> None:
    """§3 Playing: with the last card the deal ends; its effect no longer matters."""
    deal = scene(rules_with("champion", hand_size=1), ["8h", "7c"], "9h")
    play(deal, "8h")
    assert (deal.over, deal.legal_actions()) == ("finished", [])
    with pytest.raises(IllegalAction, match="the deal is over"):
        deal.apply("draw")


def test_a_game_is_not_counted_twice() -> None:
    """§4: a game that is over takes no further action, forfeit or deal."""
    game = play_randomly(Game(load_rules("mau-mau"), seats=2, seed="twice"))
    before = game.record()
    with pytest.raises(IllegalAction, match="the game is over"):
        game.apply("draw")
    with pytest.raises(Conflict, match="the game is over"):
        game.forfeit(0, "crash", "")
    assert game.record() == before
    assert len(game.results) == len(game.deals) == 1


def test_a_drawn_card_is_not_shown_to_the_others() -> None:
    """§1: hands are hidden; an event tells the others how many cards were drawn, not which."""
    deal = play(scene(CHAMPION3, ["Jh 8d Kc", "Qs Ts 9s"], "9h", "Ac 7s"), "Jh=d draw")
    assert deal.observation(1).events[-1].cards == ("Ac",)
    event = deal.observation(0).events[-1]
    assert (event.drawn, event.drawn_by, event.cards) == (1, 1, ())
    assert "Ac" not in deal.observation(0).to_json()


def test_a_drawn_card_that_may_be_played_is_not_shown_to_the_others() -> None:
    """§3 Drawing: `may_play_drawn` asks only the seat that drew."""
    deal = play(scene(GAMERULES3, ["8s 8d Kc", "Qs Ts 9s"], "9h", "7h"), "draw")
    assert deal.observation(0).drawn_card == "7h"
    assert deal.legal_actions() == ["7h", "pass"]
    other = deal.observation(1)
    assert (other.drawn_card, other.legal_actions) == (None, ())
    assert "7h" not in other.to_json()


def test_a_debt_is_not_paid_twice() -> None:
    """§3 Drawing: drawing settles the debt for everybody."""
    deal = scene(GAMERULES3, ["7h 8h Kc", "Qs Th 9s", "Tc Td Ts"], "9h", "Ac Ad Qh")
    play(deal, "7h draw draw")
    assert hand_sizes(deal) == [2, 5, 4]


def test_a_missed_call_is_punished_once() -> None:
    """§3 Missed calls: the first `catch` makes the offender draw and ends the asking."""
    rules = rules_with("gamerules", hand_size=2)
    deal = scene(rules, ["Qh Kc", "Ts 9s", "Tc Td"], "9h", "Ac Ad 8s")
    play(deal, "Qh catch")
    assert hand_sizes(deal) == [3, 2, 2]
    assert (deal.seat, deal.observation(1).phase) == (1, "turn")


def test_one_draw_a_turn() -> None:
    """§3 Drawing: `end` ends the turn after one draw; `max` bounds them with `may_play_any`."""
    deal = play(scene(CHAMPION3, ["8s 8d Kc", "Qs Th 9s"], "9h", "Ac Ad"), "draw")
    assert deal.seat == 1
    rules = rules_with("crazy-eights", hand_size_by_players={"2": 3})
    deal = play(scene(rules, ["9s Td Kc", "Qs Th 7s"], "5h", "Ac Ad 3c 4c 6c 7c"), "draw " * 5)
    assert (deal.seat, deal.legal_actions(), hand_sizes(deal)) == (0, ["pass"], [8, 3])


def test_a_deal_with_an_empty_stock_does_not_go_on_for_ever() -> None:
    """§3 Ends: `blocked` after n turns in a row in which no card was played or drawn."""
    rules = rules_with(
        "champion",
        deck={"lowest": "9", "jokers": 1},
        hand_size=11,
        effects={"J": None},
        scoring={"values": {"X": 0}},
    )
    hands = ["Tc Jc Qc Kc Ac Td Jd Qd Kd Ad 9d", "9h 9s Qh Qs Kh Ks Ah Th Ts Jh Js"]
    # Nothing fits a joker; when both stock cards are drawn not one card can be had any more.
    deal = play(scene(rules, hands, "X1", "9c As"), "draw draw")
    assert deal.legal_actions() == ["pass"]
    play(deal, "pass")
    assert (deal.over, deal.legal_actions()) == ("", ["pass"])
    play(deal, "pass")
    result = deal.result()
    assert (result.end, result.finisher, hand_sizes(deal)) == ("blocked", None, [12, 12])


def test_drawing_on_an_empty_stock_runs_the_reshuffle() -> None:
    """§3 Drawing: when a card is needed and the stock is empty, `reshuffle`."""
    deal = play(scarce(), "Tc draw Jc=c")
    assert deal.observation(1).stock_count == 0
    assert deal.legal_actions() == ["draw"]
    play(deal, "draw")
    assert "9c" in deal.observation(1).hand
    assert deal.observation(0).events[-1].reshuffled


def test_a_penalty_is_not_cut_short_by_a_pass() -> None:
    """§3 Legal actions 2 and 4: with cards to be had `pass` is no way out of a debt."""
    deal = play(scene(GAMERULES3, ["7h 8h Kc", "Qs 7s 9s"], "9h", "Ac Ad"), "7h")
    assert deal.legal_actions() == ["7s", "draw"]
    with pytest.raises(IllegalAction):
        deal.apply("pass")


def test_a_last_cards_effect_does_not_leak_into_the_next_deal() -> None:
    """§3 Playing: the effect of the last card no longer matters; §4: direction starts at +1."""
    last_ranks = set()
    for seed in map(str, range(60)):
        game = Game(load_rules("gamerules+nines-reverse"), seats=3, seed=seed)
        for ended, deal in each_new_deal(game):
            seen = deal.observation(0)
            leader = deal.number % 3
            assert (deal.seat, seen.owed, seen.direction, seen.wish) == (leader, 0, 1, None)
            assert hand_sizes(deal) == [5, 5, 5]
            if ended.over == "finished":
                last_ranks.add(ended.observation(0).top_card[0])
                assert ended.observation(0).events[-1].drawn == 0
    assert last_ranks >= set("789J")


def test_the_only_card_left_may_be_played_or_a_card_drawn() -> None:
    """§3 Legal actions 3: where no play fits there is `draw`, so nobody is stuck."""
    one = rules_with("gameduell", hand_size=1)
    deal = scene(one, ["Jh", "7c"], "Js", "Ac")
    assert deal.legal_actions() == ["draw"]  # no jack on a jack
    deal = scene(one, ["7h", "7c"], "9h", "Ac")
    assert deal.legal_actions() == ["7h"]  # a last card with an effect is no exception


def test_a_wild_card_does_not_escape_a_debt() -> None:
    """§3 What fits: while cards are owed, only ranks in the top card's `answer`."""
    deal = play(scene(CHAMPION3, ["7h 8d Kc", "Jc Ts 9s"], "9h"), "7h")
    assert deal.legal_actions() == ["draw"]


def test_a_reverse_works_at_once() -> None:
    """§3 Playing: the direction changes, then the next seat in the direction has its turn."""
    deal = scene(GAMERULES3, ["9c 8d Kc", "Qs Ts 9s", "Tc Td Ac"], "9h")
    play(deal, "9c")
    assert (deal.seat, deal.observation(0).direction) == (2, -1)
    play(deal, "Tc")
    assert deal.seat == 1
