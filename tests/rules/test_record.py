"""Records: a false one is told with its place; the small form gives the whole again (§5)."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from maumau import Deal, Game, load_rules, record_text, verify_record
from maumau.arena.faults import KINDS
from maumau.errors import RecordError
from maumau.rules.compact import expand
from maumau.rules.record import FAULT_KINDS
from tests.rules.players import play_randomly

Record = dict[str, Any]


def played() -> Game:
    return play_randomly(
        Game(load_rules("gameduell"), seats=3, seed="record", names=["a", "b@2", "c"])
    )


RECORD: Record = played().record()


def broken(change: Callable[[Record], Any]) -> str:
    """Change a copy of the record; give the place that `verify_record` names."""
    record = copy.deepcopy(RECORD)
    change(record)
    with pytest.raises(RecordError) as caught:
        verify_record(record)
    return caught.value.place


def put(value: Any, *path: Any) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        target: Any = record
        for key in path[:-1]:
            target = target[key]
        target[path[-1]] = value

    return change


def test_a_true_record_verifies_also_after_json_and_with_hands_in_any_order() -> None:
    record = json.loads(json.dumps(RECORD))
    for deal in record["deals"]:
        deal["hands"] = [hand[::-1] for hand in deal["hands"]]
    verify_record(record)


@pytest.mark.parametrize(
    ("value", "path", "place"),
    [
        ("maumau-record/2", ("format",), "format"),
        ("another", ("seed",), "deals[0].order[0]"),
        (7, ("seed",), "seed"),
        ("\ud800", ("seed",), "seed"),
        ([], ("seats",), "seats"),
        (["a"] * 100_000, ("seats",), "seats"),
        ({}, ("rules",), "rules"),
        ("gameduell", ("rules",), "rules"),
        (5, ("rules", "hand_size"), "deals[0]"),
        (0, ("rules", "hand_size"), "rules"),
        (["a", "b@2"], ("seats",), "deals[0]"),
        (["a"], ("seats",), "seats"),
        ("abc", ("seats",), "seats"),
        ([], ("deals",), "deals"),
        (1, ("deals", 0, "leader"), "deals[0].leader"),
        (0.0, ("deals", 0, "leader"), "deals[0].leader"),
        ("2c", ("deals", 2, "order", 7), "deals[2].order[7]"),
        ([["2c"]], ("deals", 1, "reshuffles"), "deals[1].reshuffles"),
        (None, ("deals", 1, "actions"), "deals[1].actions"),
        ("draw", ("deals", 1, "actions", 3), "deals[1].actions[3]"),
        (9, ("deals", 1, "actions", 3, 0), "deals[1].actions[3][0]"),
        ("2c=d!", ("deals", 1, "actions", 3, 1), "deals[1].actions[3]"),
        (["draw"], ("deals", 1, "actions", 3, 1), "deals[1].actions[3]"),
        ("limit", ("deals", 1, "end"), "deals[1].end"),
        ("forfeit", ("deals", 1, "end"), "deals[1].end"),
        (True, ("deals", 0, "finisher"), "deals[0].finisher"),
        ([], ("deals", 0, "hands"), "deals[0].hands"),
        ("none", ("deals", 0, "hands"), "deals[0].hands"),
        (["2c", "2d"], ("deals", 0, "hands", 0), "deals[0].hands[0]"),
        (12345, ("deals", 0, "points", 1), "deals[0].points[1]"),
        ([0, 0, 0], ("deals", 0, "rating"), "deals[0].rating"),
        (1, ("deals", 0, "note"), "deals[0]"),
        (12345, ("totals", 2), "totals[2]"),
        ([1, 1, 1], ("ranks",), "ranks"),
        (0, ("fault",), "fault"),
        (1, ("extra",), ""),
        (
            {"seat": 0, "kind": "crash", "detail": "", "deal": 3, "action": 1},
            ("fault",),
            "fault.action",
        ),
        (
            {"seat": 3, "kind": "crash", "detail": "", "deal": 3, "action": 1},
            ("fault",),
            "fault.seat",
        ),
    ],
)
def test_a_false_record_is_told_with_its_place(
    value: Any, path: tuple[Any, ...], place: str
) -> None:
    assert broken(put(value, *path)).startswith(place)


def test_missing_and_surplus_actions_and_deals_are_found() -> None:
    assert broken(lambda r: r["deals"][1]["actions"].pop()) == "deals[1].actions"
    extra = [0, "draw"]
    assert broken(lambda r: r["deals"][3]["actions"].append(extra)).startswith("deals[3].actions[")
    assert broken(lambda r: r["deals"].pop()) == "deals"
    assert broken(lambda r: r["deals"].append(r["deals"][0])) == "deals[4]"
    assert broken(lambda r: r.pop("totals")) == ""


def forfeited() -> Record:
    game = Game(load_rules("gamerules"), seats=2, seed="forfeited")
    game.apply_id(game.deal.legal_ids()[0])
    game.forfeit(game.deal.seat, "illegal_action", "sent 'Xx'")
    return game.record()


@pytest.mark.parametrize(
    ("value", "path", "place"),
    [
        (None, ("fault",), "deals"),
        (0, ("fault", "action"), "fault.action"),
        (1, ("fault", "deal"), "fault.deal"),
        (True, ("fault", "seat"), "fault.seat"),
        (None, ("fault", "detail"), "fault.detail"),
        ("host", ("fault", "kind"), "fault.kind"),
        ("Timeout", ("fault", "kind"), "fault.kind"),
        (0, ("fault", "seat"), "fault.seat"),
        ("finished", ("deals", 0, "end"), "deals[0].actions"),
        ([0, 0], ("deals", 0, "points"), "deals[0].points"),
        ([["2c"], []], ("deals", 0, "hands"), "deals[0].hands[0]"),
    ],
)
def test_a_false_forfeit_is_told_with_its_place(
    value: Any, path: tuple[Any, ...], place: str
) -> None:
    """§5: the last deal of a forfeited game, and its fault."""
    record = forfeited()
    verify_record(record)
    put(value, *path)(record)
    with pytest.raises(RecordError) as caught:
        verify_record(record)
    assert caught.value.place == place


def test_a_record_may_name_every_kind_of_fault_that_the_arena_knows() -> None:
    """§5: the fault of a forfeited game."""
    assert set(FAULT_KINDS) == set(KINDS)


def test_the_small_form_gives_the_whole_record_again() -> None:
    game = played()
    small = game.compact()
    assert expand(small, game.rules) == game.record()
    decisions = sum(len(deal["actions"]) for deal in RECORD["deals"])
    assert len(small) < decisions + 150


def test_a_forfeited_game_survives_its_small_form() -> None:
    game = Game(load_rules("mau-mau"), seats=2, seed="small")
    for _ in range(9):
        game.apply_id(game.deal.legal_ids()[-1])
    game.forfeit(0, "crash", "a line\nof a traceback \N{SNOWMAN}")
    assert expand(game.compact(), game.rules) == game.record()


def test_a_broken_small_form_is_refused() -> None:
    game = played()
    small = game.compact()
    with pytest.raises(RecordError, match="rule set"):
        expand(small, load_rules("champion"))
    for wrong in (b"", small[:40], small + b"\0", b"\x91\x01", small.replace(b"record", b"rocerd")):
        with pytest.raises(RecordError):
            expand(wrong, game.rules)


def test_the_readable_form_has_a_paragraph_for_each_deal() -> None:
    text = record_text(RECORD)
    paragraphs = text.strip().split("\n\n")
    assert len(paragraphs) == 2 + len(RECORD["deals"])
    assert paragraphs[0] == "Rules gameduell. Seed 'record'. Seats: 0 a, 1 b@2, 2 c."
    for number, deal in enumerate(RECORD["deals"]):
        paragraph = paragraphs[1 + number]
        dealt = Deal.from_order(load_rules("gameduell"), 3, deal["leader"], deal["order"])
        starter = dealt.observation(0).turned_up[-1]
        assert paragraph.startswith(f"Deal {number}, led by seat {deal['leader']}, on {starter}.")
        words = paragraph.split()
        actions = [action for _, action in deal["actions"]]
        assert [word for word in words if word in set(actions)][-len(actions) :] == actions
    assert all(len(line) <= 100 for line in text.splitlines())
    assert "Forfeited by seat 1: illegal_action at deal 0, action 1." in record_text(forfeited())


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("champion", "Rules champion."),
        ("straffpoang+pack-32", "Rules straffpoang+pack-32."),
        ({"preset": "champion", "overrides": {"hand_size": 3}}, "Rules of their own, "),
    ],
)
def test_the_readable_form_names_the_rules(asked: Any, told: str) -> None:
    rules = load_rules(asked)
    game = play_randomly(Game(rules, seats=2, seed="s", names=["a", "b"]))
    assert record_text(game.record()).startswith(told)
