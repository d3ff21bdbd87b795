"""The published conformance games, decision by decision (docs/rules.md, all of it).

Every line of `games.jsonl.gz` is a game: rules, seed, and for every decision the seat, the action
and all legal actions; then what each deal and the game came to.
"""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from maumau import Game, load_rules, record_text, verify_record
from maumau.rules.compact import expand

GAMES = Path(__file__).parent / "games.jsonl.gz"
PARTS = 16


@cache
def games() -> list[dict[str, Any]]:
    with gzip.open(GAMES, "rt") as lines:
        return [json.loads(line) for line in lines]


def replay(given: dict[str, Any]) -> Game:
    """Play a game by its actions and compare everything on the way."""
    rules = load_rules(given["rules"])
    assert rules.data == given["rules"]
    game = Game(rules, seats=given["players"], seed=given["seed"])
    for number, wanted in enumerate(given["deals"]):
        assert not game.over
        deal = game.deal
        assert (deal.leader, deal.order()) == (wanted["leader"], wanted["order"])
        for place, (seat, action, legal) in enumerate(wanted["actions"]):
            at = (given["name"], number, place)
            assert (at, deal.over, deal.seat) == (at, "", seat)
            assert (at, deal.legal_actions()) == (at, legal)
            game.apply(action)
        result = deal.result()
        assert deal.reshuffles() == wanted["reshuffles"]
        assert (result.end, result.finisher) == (wanted["end"], wanted["finisher"])
        assert [sorted(hand) for hand in result.hands] == wanted["hands"]
        assert (result.points, result.rating) == (wanted["points"], wanted["rating"])
    assert game.over
    assert (game.totals, game.ranks) == (given["totals"], given["ranks"])
    return game


@pytest.mark.parametrize("part", range(PARTS))
def test_every_decision_and_result_is_reproduced(part: int) -> None:
    for given in games()[part::PARTS]:
        replay(given)


def test_the_file_is_whole() -> None:
    assert len(games()) == 1240
    decisions = [len(deal["actions"]) for game in games() for deal in game["deals"]]
    assert (len(decisions), sum(decisions)) == (3480, 298_093)


@pytest.mark.parametrize("part", range(PARTS))
def test_records_verify_and_survive_their_small_form(part: int) -> None:
    for given in games()[part :: 4 * PARTS]:
        game = replay(given)
        record = game.record()
        verify_record(json.loads(json.dumps(record)))
        assert expand(game.compact(), game.rules) == record
        assert record_text(record).count("\nDeal ") == len(given["deals"])
