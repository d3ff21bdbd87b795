"""Games: ends, totals, ranks, forfeits (docs/rules.md §4)."""

from __future__ import annotations

from typing import Any

import pytest

from maumau import Game, load_rules, verify_record
from maumau.errors import Conflict, InvalidInput
from maumau.rules.deal import DealResult
from tests.rules.players import each_new_deal, play_randomly
from tests.rules.scenes import rules_with


def ended(
    rules: Any, deals: list[tuple[int | None, list[int], list[int] | None]], seats: int
) -> Game:
    """Give a game whose deals came to these: finisher, points, rating."""
    game = Game(rules, seats=seats, seed="given")
    for finisher, points, rating in deals:
        end = "stock_out" if finisher is None else "finished"
        game._count(DealResult(end, finisher, [[] for _ in points], points, rating))
    return game


def test_the_worked_example_of_gameduells_tournament_score() -> None:
    """§7: three seats, four deals; total = 10 · Σ rating − Σ points."""
    deals: list[tuple[int | None, list[int], list[int] | None]] = [
        (0, [0, 10, 35], [7, 2, 0]),
        (1, [11, 0, 61], [1, 5, -1]),
        (None, [20, 45, 0], [1, 0, 2]),
        (2, [51, 21, 0], [-1, 0, 5]),
    ]
    game = ended(load_rules("gameduell-tournament"), deals, 3)
    assert game.over
    assert game.totals == [-2, -6, -36]
    assert game.ranks == [1, 2, 3]


@pytest.mark.parametrize(
    ("hand", "points", "rating"),
    [
        ("Kd", 10, 2),
        ("Jd 7d", 35, 0),
        ("Ad", 11, 1),
        ("X1 8d Td Ad", 61, -1),
        ("Qd Kd", 20, 1),
        ("7d 8d 9d", 45, 0),
        ("2d 3d 6d", 0, 2),
        ("Td 9d Qd Ad", 51, -1),
    ],
)
def test_hand_points_and_bands_of_the_worked_example(hand: str, points: int, rating: int) -> None:
    """§7 and §3 Points of a deal: the first band whose bound is at least the hand points."""
    from maumau.rules.cards import CARD_NUMBER, set_of
    from maumau.rules.scoring import band, hand_points
    from maumau.rules.tables import tables_for

    tables = tables_for(load_rules("gameduell-tournament"), 3)
    cards = set_of([CARD_NUMBER[card] for card in hand.split()])
    assert hand_points(tables, cards) == points
    assert band(tables, points) == rating


def test_straffpoang_to_150() -> None:
    """§6: the option `to-150` sets the target; the game ends with the first total there (§4)."""
    for seed in map(str, range(6)):
        game = play_randomly(Game(load_rules("straffpoang+to-150"), seats=3, seed=seed))
        before = [0, 0, 0]
        for result in game.results[:-1]:
            before = [a + b for a, b in zip(before, result.points, strict=True)]
        assert max(before) < 150 <= max(game.totals)
        assert len(game.results) > 1
        assert min(game.totals) == game.totals[game.ranks.index(1)]
        verify_record(game.record())


def test_straffpoang_to_100_ends_before_to_150() -> None:
    """§4: the same seed and play, a lower target: the same deals, fewer of them."""
    short = play_randomly(Game(load_rules("straffpoang"), seats=2, seed="a"), "b")
    long = play_randomly(Game(load_rules("straffpoang+to-150"), seats=2, seed="a"), "b")
    assert long.results[: len(short.results)] == short.results
    assert len(long.results) >= len(short.results)
    assert max(short.totals) < 150 or len(long.results) == len(short.results)


def test_leaders_take_turns_and_the_direction_starts_anew() -> None:
    """§4: deal d is led by seat d mod n; direction starts at +1."""
    game = Game(load_rules("gameduell"), seats=3, seed="turns")
    begun, ended = [], set()
    for before, deal in each_new_deal(game):
        begun.append((deal.leader, deal.seat, deal.observation(0).direction))
        ended.add(before.observation(0).direction)
    assert begun == [(1, 1, 1), (2, 2, 1), (0, 0, 1)]
    assert -1 in ended
    assert [deal.leader for deal in game.deals] == [0, 1, 2, 0]


def test_what_is_forced_is_done_and_a_game_that_is_over_is_left_alone() -> None:
    """§3: a single legal action is no choice; §4: nothing is counted after the end."""
    slow = Game(load_rules("champion"), seats=2, seed="forced")
    choices = []
    while not slow.over:
        legal = slow.deal.legal_ids()
        if len(legal) > 1:
            choices.append((legal, legal[-1]))
        slow.apply_id(legal[-1])
    fast = Game(load_rules("champion"), seats=2, seed="forced")
    asked = iter(choices)
    while not fast.over:
        if found := fast.play_forced():
            legal, choice = next(asked)
            assert found == legal
            fast.apply_id(choice)
    assert next(asked, None) is None
    record = fast.record()
    assert record == slow.record()
    assert fast.play_forced() == []
    assert (fast.record(), len(fast.results)) == (record, len(fast.deals))


def test_max_deals_ends_a_game_that_never_reaches_its_target() -> None:
    """§4: in any case after `max_deals`."""
    rules = rules_with("champion", game={"target": 100_000}, max_deals=3)
    assert len(play_randomly(Game(rules, seats=2, seed="long")).results) == 3


LOW = rules_with("straffpoang", game={"target": 1})
TOURNAMENT = rules_with("gameduell-tournament", game={"deals": 2})


def test_equal_totals_share_a_rank_and_the_next_skips() -> None:
    """§4 Ranks: 1, 1, 3 where no tie-break tells."""
    game = ended(rules_with("champion", players=[2, 4]), [(None, [50, 100, 50], None)], 3)
    assert game.ranks == [1, 3, 1]


def test_more_finishes_break_a_tie_before_it_is_shared() -> None:
    """§4 Ranks: `deals_won`, more finishes."""
    deals: list[tuple[int | None, list[int], list[int] | None]] = [
        (0, [0, 20, 70], None),
        (0, [0, 30, 30], None),
        (1, [50, 0, 0], None),
    ]
    assert ended(load_rules("straffpoang"), deals, 3).totals == [50, 50, 100]
    assert ended(load_rules("straffpoang"), deals, 3).ranks == [1, 2, 3]
    shared = rules_with("straffpoang", game={"ties": ["shared", "deals_won"]})
    assert ended(shared, deals, 3).ranks == [1, 1, 3]


def test_rating_breaks_a_tie_first_where_there_is_one() -> None:
    """§4 Ranks: `rating`, higher sum; skipped where there is none."""
    deals: list[tuple[int | None, list[int], list[int] | None]] = [
        (0, [0, 20], [5, 1]),
        (1, [30, 0], [0, 6]),
    ]
    game = ended(TOURNAMENT, deals, 2)
    assert game.totals == [20, 50]
    assert game.ranks == [2, 1]
    equal: list[tuple[int | None, list[int], list[int] | None]] = [
        (None, [10, 20], [1, 2]),
        (None, [0, 0], [0, 0]),
    ]
    assert ended(TOURNAMENT, equal, 2).totals == [0, 0]
    assert ended(TOURNAMENT, equal, 2).ranks == [2, 1]


def test_one_deal_without_points_ranks_its_finisher_first() -> None:
    """§4: `length` `deal` and `scoring.to` `none`: finisher 1, all others 2; without one all 1."""
    rules = load_rules("mau-mau")
    assert ended(rules, [(2, [0, 0, 0], None)], 3).ranks == [2, 2, 1]
    assert ended(rules, [(None, [0, 0, 0], None)], 3).ranks == [1, 1, 1]


def test_a_forfeit_stops_the_game_and_takes_the_last_rank() -> None:
    """§4: rank n, the others share 1; totals are those of the completed deals."""
    game = Game(load_rules("gameduell"), seats=3, seed="forfeit", names=["a", "b", "c"])
    while game.number < 2:
        game.apply_id(game.deal.legal_ids()[0])
    totals = game.totals
    for _ in range(4):
        game.apply_id(game.deal.legal_ids()[0])
    hands = game.deal.hands()
    game.forfeit(1, "timeout", "500 ms were not enough")
    assert (game.over, game.ranks, game.totals) == (True, [1, 3, 1], totals)
    record = game.record()
    verify_record(record)
    last = record["deals"][-1]
    assert (len(record["deals"]), len(last["actions"])) == (3, 4)
    assert (last["end"], last["finisher"], last["points"], last["rating"]) == (
        "forfeit",
        None,
        None,
        None,
    )
    assert last["hands"] == hands
    assert record["fault"] == {
        "seat": 1,
        "kind": "timeout",
        "detail": "500 ms were not enough",
        "deal": 2,
        "action": 4,
    }


def test_an_abort_total_replaces_that_of_the_seat_that_gave_up() -> None:
    """§4 and §2 `game.abort`: entered for the offender, even before the first action."""
    game = Game(load_rules("gameduell-tournament"), seats=4, seed="abort")
    game.forfeit(3, "start", "")
    assert (game.totals, game.ranks) == ([0, 0, 0, -700], [1, 1, 1, 4])
    verify_record(game.record())


def test_a_running_game_has_no_record_and_wrong_input_is_refused() -> None:
    rules = load_rules("champion")
    game = Game(rules, seats=2, seed="wrong")
    with pytest.raises(Conflict, match="not over"):
        game.record()
    with pytest.raises(Conflict, match="not over"):
        game.compact()
    with pytest.raises(InvalidInput, match="from 0 to 1"):
        game.forfeit(2, "crash", "")
    with pytest.raises(InvalidInput, match="name 2 seats"):
        Game(rules, seats=2, seed="wrong", names=["one"])
    with pytest.raises(InvalidInput, match="2 seats, not 4"):
        Game(rules, seats=4, seed="wrong")
    with pytest.raises(InvalidInput, match="seed"):
        Game(rules, seats=2, seed=7)  # type: ignore[arg-type]
    for seats in (0, -1, 10**30):
        with pytest.raises(InvalidInput, match="seats: these rules are for 2 seats"):
            Game(rules, seats=seats, seed="wrong")
    assert not game.over
