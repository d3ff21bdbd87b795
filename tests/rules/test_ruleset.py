"""Rule sets as data: docs/rules.md §2 and §6."""

from __future__ import annotations

import copy
import gzip
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maumau.errors import NotFound, RuleSetError
from maumau.rules import presets
from maumau.rules.presets import option_names, preset_info, preset_names
from maumau.rules.ruleset import RuleSet, load_rules, merge_patch
from tests.strategies import rule_set_data

CONFORMANCE = Path(__file__).parents[3] / "shared/conformance/games.jsonl.gz"
MISSING = object()


def games() -> Iterator[dict[str, Any]]:
    with gzip.open(CONFORMANCE, "rt") as lines:
        yield from map(json.loads, lines)


def problems(spec: Any) -> dict[str, str]:
    with pytest.raises(RuleSetError) as caught:
        load_rules(spec)
    return {problem.path: problem.message for problem in caught.value.problems}


def at(path: str, value: Any) -> dict[str, Any]:
    """Give an object that holds `value` at a dotted path."""
    for key in reversed(path.split(".")):
        value = {key: value}
    assert isinstance(value, dict)
    return value


def look(data: Any, path: str) -> Any:
    for key in path.split("."):
        data = data[key]
    return data


# --- §6: presets and options --------------------------------------------------------------------


@pytest.mark.skipif(not CONFORMANCE.exists(), reason="the shared conformance file is not here")
def test_presets_and_options_are_those_of_the_conformance_file() -> None:
    names = set()
    for game in games():
        rules = load_rules(game["rules"])
        assert rules.data == game["rules"]
        if not game["name"].startswith("fuzz"):
            names.add(game["name"])
            assert load_rules(game["name"]) == rules, game["name"]
            assert load_rules(game["name"]).data == rules.data
    assert {name.split("+")[0] for name in names} == set(preset_names())


def test_a_request_is_preset_then_options_then_overrides() -> None:
    rules = load_rules(
        {
            "preset": "straffpoang",
            "options": ["to-150", "nines-reverse"],
            "overrides": {"game": {"target": 151}, "effects": {"9": {"reverse": None, "skip": 2}}},
        }
    )
    assert rules.data["game"]["target"] == 151
    assert rules.data["effects"]["9"] == {"skip": 2}
    assert rules.data["effects"]["7"] == {"draw": 2, "answer": ["7"]}


def test_a_later_option_adds_to_what_a_rank_does_already() -> None:
    rules = load_rules({"preset": "gameduell", "options": ["nines-reverse", "aces-skip"]})
    assert rules.data["effects"]["9"] == {"reverse": True, "again": True}
    assert rules.data["effects"]["A"] == {"skip": 1}
    assert rules.data["effects"]["8"] == {"skip": 1}


@pytest.mark.parametrize("preset", ["champion", "straffpoang", "gamerules"])
def test_to_150_sets_the_target(preset: str) -> None:
    plain = load_rules(preset).data
    changed = load_rules({"preset": preset, "options": ["to-150"]}).data
    assert changed == {**plain, "game": {**plain["game"], "target": 150}}


@pytest.mark.parametrize("preset", ["mau-mau", "gameduell", "gameduell-tournament", "crazy-eights"])
def test_to_150_is_refused_where_no_target_is_played_to(preset: str) -> None:
    assert set(problems({"preset": preset, "options": ["to-150"]})) == {"game.target"}


def test_every_option_but_to_150_goes_with_every_preset() -> None:
    options = [name for name in option_names() if name != "to-150"]
    assert options == ["pack-32", "nines-reverse", "aces-skip", "no-mau-penalty"]
    for name in preset_names():
        for option in options:
            assert load_rules(f"{name}+{option}") == load_rules(
                {"preset": name, "options": [option]}
            )


def test_null_in_overrides_brings_back_the_default() -> None:
    rules = load_rules({"preset": "champion", "overrides": {"scoring": {"double_on": None}}})
    assert rules.data["scoring"]["double_on"] == []


def test_names_say_where_a_rule_set_comes_from() -> None:
    assert load_rules("gamerules").name == "gamerules"
    assert load_rules({"preset": "gamerules"}).name == "gamerules"
    assert load_rules("straffpoang+pack-32+to-150").name == "straffpoang+pack-32+to-150"
    assert load_rules({"preset": "gamerules", "overrides": {"hand_size": 4}}).name == ""
    assert load_rules({}).name == ""


def test_every_preset_tells_its_source_and_what_is_our_reading() -> None:
    for name in preset_names():
        info = preset_info(name)
        assert info.title
        assert info.description
        assert info.source
        data = load_rules(name).data
        for path in info.readings:
            # A reading stands for a value that is there.
            assert look(data, path) is not MISSING
        for key, value in info.rules.items():
            assert load_rules({}).data[key] != value, f"{name} states the default of {key}"


def test_the_metadata_is_no_part_of_the_rule_set() -> None:
    assert set(load_rules("champion").data) == set(load_rules({}).data)


def test_unknown_names_come_with_the_nearest() -> None:
    assert 'did you mean "gameduell"?' in problems("gamedual")["preset"]
    found = problems({"preset": "champion", "options": ["to-150", "pack32"]})
    assert 'did you mean "pack-32"?' in found["options.1"]
    with pytest.raises(NotFound, match='did you mean "straffpoang"'):
        preset_info("strafpoang")
    with pytest.raises(NotFound, match="did you mean"):
        presets.option_info("nine-reverse")


@pytest.mark.parametrize(
    ("request_", "path"),
    [
        ({"options": ["pack-32"]}, "preset"),
        ({"preset": None, "overrides": {}}, "preset"),
        ({"preset": 5}, "preset"),
        ({"preset": "champion", "options": "pack-32"}, "options"),
        ({"preset": "champion", "options": [["pack-32"]]}, "options.0"),
        ({"preset": "champion", "overrides": [1]}, "overrides"),
        ({"preset": "champion", "override": {}}, "override"),
        ({"preset": "champion", "hand_size": 6}, "hand_size"),
        ("", "preset"),
        ("champion+", "options.0"),
        (None, ""),
        (7, ""),
        ([], ""),
    ],
)
def test_requests_that_are_refused(request_: Any, path: str) -> None:
    assert set(problems(request_)) == {path}


# --- §2: values ---------------------------------------------------------------------------------

COUNTS = ["hand_size", "draw.max", "call.penalty", "max_actions", "max_deals"]
NOT_COUNTS = [0, -1, 1.0, 1.5, True, "1", None, [1], {}, 10**12, float("nan")]
FLAGS = ["draw.voluntary", "call.one_left", "effects.J.wild.wish"]
WORDS = {
    "deck.lowest": "23456789",
    "starter.effect": ["none", "acts"],
    "reverse_with_two": ["noop", "again"],
    "draw.then": ["end", "may_play_drawn", "must_play_drawn", "may_play_any"],
    "after_penalty": ["end", "turn"],
    "stock_out": ["reshuffle", "end_deal"],
    "call.mode": ["none", "auto", "catch"],
    "call.last_card": ["never", "wild", "always"],
    "scoring.to": ["none", "holder", "finisher"],
    "game.best": ["low", "high"],
}
RANK_LISTS = ["starter.redraw", "effects.9.answer", "effects.J.wild.not_on", "scoring.double_on"]
SECTIONS = ["deck", "starter", "effects", "draw", "call", "scoring", "game"]
VALUES = dict.fromkeys("789TJQKA", 1)
RATING = {"finish": 5, "finish_on": {}, "bands": [[10, 1], [None, 0]], "factor": 10}


@pytest.mark.parametrize("path", COUNTS)
@pytest.mark.parametrize("value", NOT_COUNTS, ids=repr)
def test_counts_are_whole_numbers_from_1(path: str, value: Any) -> None:
    assert set(problems(at(path, value))) == {path}


@pytest.mark.parametrize("path", ["effects.7.draw", "effects.8.skip", "hand_size_by_players.2"])
@pytest.mark.parametrize("value", NOT_COUNTS, ids=repr)
def test_counts_below_free_keys(path: str, value: Any) -> None:
    assert set(problems(at(path, value))) == {path}


@pytest.mark.parametrize("path", FLAGS)
@pytest.mark.parametrize("value", [0, 1, "true", None, []], ids=repr)
def test_flags_are_true_or_false(path: str, value: Any) -> None:
    assert set(problems(at(path, value))) == {path}
    for right in (True, False):
        assert look(load_rules(at(path, right)).data, path) is right


@pytest.mark.parametrize("path", ["reverse", "again", "accepts_any"])
@pytest.mark.parametrize("value", [False, 1, "true", None, {}], ids=repr)
def test_effects_without_a_number_are_true_or_left_out(path: str, value: Any) -> None:
    assert set(problems(at(f"effects.9.{path}", value))) == {f"effects.9.{path}"}
    assert load_rules(at(f"effects.9.{path}", True)).data["effects"]["9"] == {path: True}


@pytest.mark.parametrize("path", WORDS)
def test_words_are_those_listed(path: str) -> None:
    assert look(load_rules({}).data, path) in WORDS[path]
    for word in WORDS[path]:
        spec: dict[str, Any] = at(path, word)
        if path == "scoring.to":
            spec["scoring"]["values"] = VALUES
        assert look(load_rules(spec).data, path) == word
    for wrong in ("", "NONE", "1", "T", None, True, 7, ["none"]):
        assert set(problems(at(path, wrong))) == {path}


@pytest.mark.parametrize("path", RANK_LISTS)
def test_lists_of_ranks(path: str) -> None:
    ranks = list("23456789TJQKAX")
    assert look(load_rules(at(path, ranks)).data, path) == ranks
    assert set(problems(at(path, ["7", "10", "x", 7, None]))) == {
        f"{path}.{i}" for i in (1, 2, 3, 4)
    }
    assert 'the ten is "T"' in problems(at(path, ["10"]))[f"{path}.0"]
    for wrong in ("7", None, {"7": 1}, 7):
        assert set(problems(at(path, wrong))) == {path}


@pytest.mark.parametrize("path", ["effects", "scoring.values", "scoring.rating.finish_on"])
@pytest.mark.parametrize("rank", ["1", "10", "", "j", "77", "é"])
def test_what_stands_in_the_place_of_a_rank_and_is_none(path: str, rank: str) -> None:
    value: Any = {rank: {} if path == "effects" else 1}
    spec = at(path, value)
    if path.startswith("scoring.rating"):
        spec = {"scoring": {"values": VALUES, "rating": {**RATING, "finish_on": value}}}
    (path_of_problem,) = problems(spec)
    assert path_of_problem.startswith(f"{path}.")


def test_a_rank_that_the_pack_lacks_is_allowed() -> None:
    rules = load_rules(
        {"effects": {"2": {"skip": 1}, "X": {"wild": {}}}, "starter": {"redraw": ["3"]}}
    )
    assert list(rules.data["effects"]) == ["2", "X"]


@pytest.mark.parametrize("path", SECTIONS)
@pytest.mark.parametrize("value", [None, [], "x", 1, True], ids=repr)
def test_sections_are_objects(path: str, value: Any) -> None:
    assert set(problems({path: value})) == {path}


@pytest.mark.parametrize(
    "path",
    [
        "hand",
        "deck.joker",
        "starter.effects",
        "effects.7.draws",
        "effects.J.wild.wishes",
        "draw.maximum",
        "call.penalties",
        "scoring.value",
        "game.tie",
    ],
)
def test_unknown_keys_are_refused_with_a_hint(path: str) -> None:
    found = problems(at(path, 1))
    assert set(found) == {path}
    assert "did you mean" in found[path]


@pytest.mark.parametrize(
    "value", [[1, 4], [4, 2], [2], [2, 3, 4], "2-4", 2, None, [2.0, 4], [True, 4]]
)
def test_players(value: Any) -> None:
    assert {path.split(".")[0] for path in problems({"players": value})} == {"players"}


def test_jokers_and_hand_size_by_players() -> None:
    assert set(problems({"deck": {"jokers": 3}})) == {"deck.jokers"}
    assert set(problems({"deck": {"jokers": -1}})) == {"deck.jokers"}
    for key in ("two", "02", "-2", "2.0", "", "²", "0"):
        assert len(problems({"hand_size_by_players": {key: 3}})) == 1
    # An exception for a number of seats that is not allowed has no effect.
    assert load_rules({"hand_size_by_players": {"9": 30}}).data["hand_size_by_players"] == {"9": 30}


def test_points_may_be_any_whole_number() -> None:
    values = {**VALUES, "7": -3, "8": 0}
    rules = load_rules({"scoring": {"to": "holder", "values": values}, "game": {"abort": -700}})
    assert rules.data["scoring"]["values"] == values
    for wrong in (1.5, True, "3", None):
        spec = {"scoring": {"to": "holder", "values": {**VALUES, "7": wrong}}}
        assert set(problems(spec)) == {"scoring.values.7"}
    for wrong in (1.5, True, "3"):
        assert set(problems({"game": {"abort": wrong}})) == {"game.abort"}


@pytest.mark.parametrize("value", [None, "rating", ["points"], [None], [["shared"]], {}], ids=repr)
def test_ties(value: Any) -> None:
    (path,) = problems({"game": {"ties": value}})
    assert path.startswith("game.ties")


# --- §2: also refused ---------------------------------------------------------------------------


def test_a_pack_too_small_for_the_hands_a_starter_and_one_stock_card() -> None:
    assert load_rules({"players": [2, 2], "hand_size": 15})
    assert set(problems({"players": [2, 2], "hand_size": 16})) == {"hand_size"}
    # … of any allowed number of seats
    assert load_rules({"players": [2, 6], "hand_size": 5})
    assert set(problems({"players": [2, 7], "hand_size": 5})) == {"hand_size"}
    spec = {"players": [2, 7], "hand_size": 5, "hand_size_by_players": {"7": 4}}
    assert load_rules(spec)
    found = problems({"hand_size_by_players": {"3": 11}})
    assert set(found) == {"hand_size_by_players.3"}
    assert "3 hands of 11, a starter and a stock card need 35 cards, the pack has 32" in str(found)
    assert set(problems({"players": [2, 10**9], "hand_size": 1})) == {"hand_size"}
    found = problems({"preset": "gameduell", "options": ["pack-32"], "overrides": {"hand_size": 9}})
    assert set(found) == {"hand_size"}


@pytest.mark.parametrize(
    ("game", "path"),
    [
        ({"length": "deals"}, "game.deals"),
        ({"length": "target"}, "game.target"),
        ({"length": "deals", "deals": 4, "target": 100}, "game.target"),
        ({"length": "target", "deals": 4, "target": 100}, "game.deals"),
        ({"length": "deal", "deals": 1}, "game.deals"),
        ({"length": "deal", "target": 1}, "game.target"),
        ({"length": "deals", "deals": 0}, "game.deals"),
        ({"length": "target", "target": 0}, "game.target"),
        ({"length": "target", "target": True}, "game.target"),
    ],
)
def test_deals_and_target_are_set_where_the_length_needs_them(
    game: dict[str, Any], path: str
) -> None:
    assert set(problems({"game": game})) == {path}


def test_null_deals_and_target_count_as_not_set() -> None:
    assert load_rules({"game": {"deals": None, "target": None}}) == load_rules({})


@pytest.mark.parametrize("then", ["end", "may_play_drawn", "must_play_drawn"])
def test_several_draws_need_may_play_any(then: str) -> None:
    assert set(problems({"draw": {"max": 2, "then": then}})) == {"draw.max"}
    assert load_rules({"draw": {"max": 1, "then": then}})
    assert load_rules({"draw": {"max": 5, "then": "may_play_any"}})


def test_card_points_are_complete_where_they_count() -> None:
    missing = {f"scoring.values.{rank}" for rank in "89TJQKA"}
    some = {"values": {"7": 7}}
    assert set(problems({"scoring": {**some, "to": "holder"}})) == missing
    assert set(problems({"scoring": {**some, "to": "finisher"}})) == missing
    assert set(problems({"scoring": {**some, "rating": RATING}})) == missing
    assert load_rules({"scoring": some}).data["scoring"]["values"] == {"7": 7}
    joker = {"deck": {"jokers": 1}, "scoring": {"to": "holder", "values": VALUES}}
    assert set(problems(joker)) == {"scoring.values.X"}


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"bands": []}, "bands"),
        ({"bands": {"10": 2}}, "bands"),
        ({"bands": [[10, 2]]}, "bands.0.0"),
        ({"bands": [[None, 2], [None, 1]]}, "bands.0.0"),
        ({"bands": [[10, 2], [10, 1], [None, 0]]}, "bands.1.0"),
        ({"bands": [[20, 2], [10, 1], [None, 0]]}, "bands.1.0"),
        ({"bands": [[10], [None, 0]]}, "bands.0"),
        ({"bands": [[10, 2.5], [None, 0]]}, "bands.0.1"),
        ({"bands": [["10", 2], [None, 0]]}, "bands.0.0"),
        ({"bands": [[None, None]]}, "bands.0.1"),
        ({"finish": None}, "finish"),
        ({"finish": MISSING}, "finish"),
        ({"finish_on": MISSING}, "finish_on"),
        ({"finish_on": {"J": "7"}}, "finish_on.J"),
        ({"factor": 1.0}, "factor"),
        ({"factor": MISSING}, "factor"),
        ({"factor": 10**9}, "factor"),
        ({"bonus": 1}, "bonus"),
    ],
)
def test_ratings_that_are_refused(change: dict[str, Any], path: str) -> None:
    rating = {key: value for key, value in {**RATING, **change}.items() if value is not MISSING}
    spec = {"scoring": {"values": VALUES, "rating": rating}}
    assert set(problems(spec)) == {f"scoring.rating.{path}"}


def test_all_problems_are_told_at_once() -> None:
    found = problems(
        {
            "hand_size": 0,
            "hands": 5,
            "effects": {"7": {"draw": "two", "answer": ["7", "seven"]}, "10": {"skip": 1}},
            "call": {"mode": "loud"},
        }
    )
    assert set(found) == {
        "hand_size",
        "hands",
        "effects.7.draw",
        "effects.7.answer.1",
        "effects.10",
        "call.mode",
    }


# --- hostile input ------------------------------------------------------------------------------


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = {"a": value}
    return value


def test_hostile_values_give_short_messages() -> None:
    for spec in (
        {"preset": "champion", "overrides": nested(5000)},
        {"effects": nested(5000)},
        {"x" * 100_000: 1, "\ud800\n\x1b[2J": 2},
        {"hand_size": "9" * 100_000},
        {"hand_size": 10**4000},
        {str(i): i for i in range(10_000)},
        {"effects": {5: {}}},
        {"players": {1, 2}},
        {"hand_size": object()},
    ):
        with pytest.raises(RuleSetError) as caught:
            load_rules(spec)
        assert len(str(caught.value)) < 20_000
        assert str(caught.value).isascii()


# --- the value ----------------------------------------------------------------------------------


def test_effects_stay_as_given_with_both_keys_of_wild() -> None:
    effects = {"7": {"draw": 2}, "9": {}, "J": {"wild": {}}, "X": {"wild": {"wish": False}}}
    assert load_rules({"effects": effects}).data["effects"] == {
        "7": {"draw": 2},
        "9": {},
        "J": {"wild": {"wish": True, "not_on": []}},
        "X": {"wild": {"wish": False, "not_on": []}},
    }


def test_canonical_bytes_id_equality_and_hash() -> None:
    rules = load_rules("gameduell")
    again = load_rules(copy.deepcopy(rules.data))
    assert rules == again
    assert hash(rules) == hash(again)
    assert rules.id == again.id == hashlib.sha256(rules.canonical).hexdigest()
    text = json.dumps(rules.data, sort_keys=True, separators=(",", ":"))
    assert rules.canonical == text.encode()
    assert rules != load_rules("gameduell-tournament")
    assert rules.players == (2, 4)
    assert load_rules(rules) is rules


def test_nothing_is_shared_between_rule_sets_presets_and_callers() -> None:
    before = load_rules("gameduell").canonical
    given_ = {"effects": {"7": {"answer": ["7"]}}}
    rules = load_rules(given_)
    given_["effects"]["7"]["answer"].append("8")  # type: ignore[attr-defined]
    assert rules.data["effects"]["7"]["answer"] == ["7"]
    other = load_rules("gameduell")
    other.data["effects"]["J"]["wild"]["not_on"].append("7")
    other.data["players"].append(9)
    assert load_rules("gameduell").canonical == before
    assert load_rules({}).data["players"] == [2, 4]


def test_the_id_of_a_preset_does_not_change_unnoticed() -> None:
    """Ids are published and stored: a change here is a change of the rules."""
    short = {name: load_rules(name).id[:12] for name in preset_names()}
    assert short == IDS


IDS = {
    "champion": "1390d3d83bdb",
    "crazy-eights": "6fe56d6a11ca",
    "gameduell": "64d0598067f1",
    "gameduell-tournament": "49ba76398025",
    "gamerules": "56e19d17c82b",
    "mau-mau": "833c0bc2d05b",
    "straffpoang": "4b187a8e96ca",
}


# --- properties ---------------------------------------------------------------------------------


@settings(max_examples=200, deadline=None)
@given(rule_set_data())
def test_a_complete_rule_set_comes_back_identical(data: dict[str, Any]) -> None:
    rules = load_rules(data)
    again = load_rules(rules.data)
    assert again.data == rules.data
    assert json.dumps(again.data) == json.dumps(rules.data)
    assert again.canonical == rules.canonical
    parsed = load_rules(json.loads(rules.canonical))
    assert parsed == rules
    assert isinstance(parsed, RuleSet)


@settings(max_examples=200, deadline=None)
@given(rule_set_data(), st.data())
def test_a_wrong_kind_anywhere_is_refused_at_its_place(
    data: dict[str, Any], draw: st.DataObject
) -> None:
    complete = load_rules(data).data
    path: list[Any] = []
    place: Any = complete
    while isinstance(place, dict) and place and (not path or draw.draw(st.integers(0, 3))):
        path.append(draw.draw(st.sampled_from(sorted(place))))
        place = place[path[-1]]
    wrong = copy.deepcopy(complete)
    holder = wrong
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = 0.5
    assert ".".join(path) in problems(wrong)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=3), JSON, max_size=4))
def test_any_object_is_a_rule_set_or_gets_its_problems(data: dict[str, Any]) -> None:
    try:
        assert load_rules(data).data
    except RuleSetError as error:
        assert error.problems  # noqa: PT017


@pytest.mark.parametrize(
    ("target", "patch", "result"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        (["a", "b"], ["c", "d"], ["c", "d"]),
        ({"a": "b"}, ["c"], ["c"]),
        ({"a": "foo"}, None, None),
        ({"a": "foo"}, "bar", "bar"),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_merge_patch_by_the_table_of_rfc_7396(target: Any, patch: Any, result: Any) -> None:
    """RFC 7396, appendix A."""
    before = copy.deepcopy((target, patch))
    assert merge_patch(target, patch) == result
    assert (target, patch) == before
