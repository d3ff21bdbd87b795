"""A replay shows what the engine had: every step of every deal of the published games."""

from __future__ import annotations

import gzip
import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from maumau import load_rules, play_game
from maumau.errors import NotFound, RecordError
from maumau.usecases.replay import Replay

GAMES = Path(__file__).parents[1] / "conformance/games.jsonl.gz"


def published() -> list[dict[str, Any]]:
    with gzip.open(GAMES, "rt") as lines:
        return [json.loads(line) for line in itertools.islice(lines, 0, 1240, 62)]


def test_seats_and_legal_actions_at_every_step_are_those_published() -> None:
    """docs/rules.md §3, at every decision of every twentieth game's deals."""
    for game in published():
        actions = [[action for _, action, _ in deal["actions"]] for deal in game["deals"]]
        names = [f"s{n}" for n in range(game["players"])]
        replay = Replay(load_rules(game["rules"]), game["seed"], names, actions)
        for number, deal in enumerate(game["deals"][:2]):
            for step, (seat, action, legal) in enumerate(deal["actions"][:40]):
                now = replay.step(number, step)
                assert (now.seat, list(now.legal), now.choice) == (seat, legal, action)
            end = replay.step(number, len(deal["actions"]))
            assert end.result is not None
            assert end.result.end == deal["end"]
            assert [list(hand) for hand in end.hands] == deal["hands"]
            assert end.choice is None


def record() -> dict[str, Any]:
    return play_game("gamerules", ["easy", "medium", "random"], "replay")


def test_a_record_is_replayed_to_its_last_card() -> None:
    whole = record()
    replay = Replay.of_record(whole)
    assert replay.deals == len(whole["deals"])
    for number, deal in enumerate(whole["deals"]):
        now = replay.step(number, len(deal["actions"]))
        assert now.result is not None
        assert now.result.points == deal["points"]


def test_events_tell_no_cards_that_were_drawn() -> None:
    replay = Replay.of_record(record())
    events = [event for number in range(replay.deals) for event in replay.events(number)]
    assert any(event.drawn for event in events)
    assert not any(event.cards for event in events)


@pytest.mark.parametrize(("deal", "step"), [(99, 0), (0, 9999), (-1, 0)])
def test_a_step_that_is_not_there_is_said(deal: int, step: int) -> None:
    with pytest.raises(NotFound):
        Replay.of_record(record()).step(deal, step)


def test_a_false_record_is_refused_with_its_place() -> None:
    whole = record()
    whole["deals"][0]["actions"][0] = [0, "catch"]
    with pytest.raises(RecordError, match=r"deals\[0\]"):
        Replay.of_record(whole).step(0, 1)
