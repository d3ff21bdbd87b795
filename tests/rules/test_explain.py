"""Rules told in sentences: nothing that differs from the default is left out (docs/rules.md §2)."""

from __future__ import annotations

import copy
import json
from importlib.resources import files
from string import Formatter
from typing import Any

import pytest
from hypothesis import given, settings

from maumau.errors import RuleSetError
from maumau.rules.explain import LANGUAGES, TOPICS, defaults, explain, leaves, topic_title
from maumau.rules.presets import preset_names
from maumau.rules.ruleset import RuleSet, load_rules
from tests.strategies import rule_sets

TEXTS = json.loads(files("maumau.rules").joinpath("explain.json").read_text("utf-8"))


def told(rules: RuleSet, language: str = "en") -> str:
    return "\n".join(sentence.text for sentence in explain(rules, language))


def not_told(rules: RuleSet, language: str) -> list[str]:
    paths = {path for sentence in explain(rules, language) for path in sentence.paths}
    normal = dict(leaves(defaults()))
    return [
        path
        for path, value in leaves(rules.data)
        if value != normal.get(path, {})
        and not any(path == one or path.startswith(one + ".") for one in paths)
    ]


@pytest.mark.parametrize("key", TEXTS)
def test_each_text_is_there_in_each_language_with_the_same_places(key: str) -> None:
    texts = TEXTS[key]
    assert len(texts) == len(LANGUAGES)
    assert all(text.strip() for text in texts)
    places = [{name for _, name, _, _ in Formatter().parse(text) if name} for text in texts]
    assert places[0] == places[1] == places[2]
    assert len({"||" in text for text in texts}) == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", preset_names())
def test_a_preset_tells_every_key_that_differs(name: str, language: str) -> None:
    assert not_told(load_rules(name), language) == []
    assert all("{" not in sentence.text for sentence in explain(load_rules(name), language))


@settings(max_examples=60, deadline=None)
@given(rule_sets())
def test_a_random_rule_set_tells_every_key_that_differs(rules: RuleSet) -> None:
    for language in LANGUAGES:
        assert not_told(rules, language) == []


CHANGES: dict[str, Any] = {
    "players": [3, 4],
    "deck.lowest": "8",
    "deck.jokers": 1,
    "hand_size": 3,
    "hand_size_by_players.3": 4,
    "starter.effect": "acts",
    "starter.redraw": ["K"],
    "effects.K.draw": 3,
    "effects.7.answer": ["K"],
    "effects.8.skip": 2,
    "effects.K.reverse": True,
    "effects.K.again": True,
    "effects.J.wild.not_on": ["K"],
    "effects.J.wild.wish": False,
    "effects.K.accepts_any": True,
    "reverse_with_two": "again",
    "draw.voluntary": False,
    "draw.then": "must_play_drawn",
    "after_penalty": "turn",
    "stock_out": "end_deal",
    "call.mode": "auto",
    "call.one_left": False,
    "call.last_card": "always",
    "call.penalty": 5,
    "scoring.values.K": 33,
    "scoring.to": "holder",
    "scoring.double_on": ["K"],
    "game.target": 77,
    "game.best": "low",
    "game.ties": ["deals_won", "shared"],
    "game.abort": -5,
    "max_actions": 400,
    "max_deals": 17,
}


@pytest.mark.parametrize("path", CHANGES)
def test_another_value_gives_another_text(path: str) -> None:
    """Each key is really told: changing it changes what is read, in every language."""
    values = {"scoring": {"values": {"X": 20}}}
    before = load_rules({"preset": "gamerules", "overrides": values})
    data = copy.deepcopy(before.data)
    *steps, last = path.split(".")
    place = data
    for step in steps:
        place = place.setdefault(step, {})
    assert place.get(last) != CHANGES[path]
    place[last] = CHANGES[path]
    after = load_rules(data)
    for language in LANGUAGES:
        assert told(before, language) != told(after, language)


def test_the_changes_above_are_all_keys_that_there_are() -> None:
    """A key that is added to rule sets must be told, and stand above."""
    known = {path for path, _ in leaves(defaults())}
    general = {path.split(".")[0] for path in CHANGES}
    assert {path.split(".")[0] for path in known} == general
    inner = {path for path in known if "." in path}
    rest = {"scoring.values", "scoring.rating", "game.length", "game.deals", "draw.max"}
    assert inner - set(CHANGES) <= rest


def test_a_value_without_effect_is_listed_apart() -> None:
    rules = load_rules({"preset": "champion", "overrides": {"call": {"penalty": 9}}})
    idle = [sentence for sentence in explain(rules) if sentence.topic == "idle"]
    assert [(sentence.text, sentence.paths) for sentence in idle] == [
        ("call.penalty is 9.", ("call.penalty",))
    ]


def test_the_words_follow_the_faces() -> None:
    """docs/rules.md §1: Unter is J, Ober is Q."""
    rules = load_rules("champion")
    assert "Bube: passt auf jede Karte." in told(rules, "de")
    texts = [sentence.text for sentence in explain(rules, "de", faces="german")]
    assert "Unter: passt auf jede Karte." in texts


def test_every_topic_has_a_heading() -> None:
    assert all(topic_title(topic, language) for topic in TOPICS for language in LANGUAGES)


def test_a_rating_is_told_whole() -> None:
    text = told(load_rules("gameduell-tournament"))
    assert "up to 10: +2; up to 20: +1; up to 50: +0; more: -1" in text
    assert "+5 for finishing" in text
    assert "jack: +7" in text
    assert "10 times the rating points" in text


def test_what_is_no_rule_set_is_not_explained() -> None:
    with pytest.raises(RuleSetError):
        explain(load_rules({"hand_size": 99}))
