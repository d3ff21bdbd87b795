"""The bots that ship: under every preset and any valid rule set, at every number of seats."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maumau import Bot, Deal, RuleSet, load_rules, verify_record
from maumau.bots import registry
from maumau.bots.base import game_info
from maumau.bots.check import check_bot
from maumau.bots.play import Player, play_game
from maumau.bots.trial import local_seats
from maumau.rules.presets import preset_names
from tests.strategies import rule_sets

pytestmark = pytest.mark.usefixtures("few_playouts")
BOTS = [it.bot for it in registry.installed() if it.distribution == "maumau-arena"]
IDS = [bot.name for bot in BOTS]


@pytest.mark.parametrize("bot", BOTS, ids=IDS)
def test_passes_the_check(bot: type[Bot]) -> None:
    report = check_bot(local_seats(bot), clock=time.perf_counter, decisions=1_000, match_games=0)
    assert report.accepted, report.findings
    assert report.marks == ()


@pytest.mark.parametrize("preset", preset_names())
@pytest.mark.parametrize("bot", BOTS, ids=IDS)
def test_plays_every_preset_at_every_number_of_seats(bot: type[Bot], preset: str) -> None:
    rules = load_rules(preset)
    fewest, most = rules.players
    for seats in range(fewest, most + 1):
        record = play_game(rules, [bot] * seats, seed="s", strict=True)
        assert record["fault"] is None
        verify_record(record)


@settings(max_examples=60, deadline=None)
@given(rules=rule_sets(), data=st.data())
def test_plays_any_rule_set_without_a_fault(rules: RuleSet, data: st.DataObject) -> None:
    fewest, most = rules.players
    seats = data.draw(st.integers(fewest, most))
    bots = data.draw(st.lists(st.sampled_from(BOTS), min_size=seats, max_size=seats))
    seed = data.draw(st.text(max_size=3))
    record = play_game(rules, bots, seed, strict=True)
    assert record["fault"] is None
    assert play_game(rules, bots, seed, strict=True) == record


def share(one: type[Bot], other: type[Bot], preset: str, pairs: int) -> float:
    """Give how many deals `one` wins of `other`, each dealt twice; no finisher counts half."""
    rules = load_rules(preset)
    won = 0.0
    for number in range(pairs):
        for seat in (0, 1):
            bots = (one, other) if seat == 0 else (other, one)
            seed = f"strength:{number}"
            deal = Deal(rules, seats=2, leader=0, seed=seed, number=0)
            players = [Player(bot, game_info(rules, 2, i, seed)) for i, bot in enumerate(bots)]
            while not deal.over:
                legal = deal.legal_ids()
                if len(legal) == 1:
                    deal.apply_id(legal[0])
                else:
                    deal.apply(players[deal.seat].ask(deal))
            finisher = deal.result().finisher
            won += 0.5 if finisher is None else float(finisher == seat)
    return won / (2 * pairs)


@pytest.mark.parametrize(
    ("one", "other", "preset", "least"),
    [
        ("easy", "random", "champion", 0.54),
        ("easy", "random", "gamerules", 0.90),
        ("easy", "random", "gameduell", 0.54),
        ("medium", "easy", "champion", 0.56),
        ("medium", "easy", "gamerules", 0.54),
        ("medium", "easy", "gameduell", 0.54),
        ("hard", "medium", "champion", 0.51),
        ("hard", "medium", "gamerules", 0.51),
        ("hard", "medium", "gameduell", 0.51),
    ],
)
def test_a_stronger_level_wins_more_deals(one: str, other: str, preset: str, least: float) -> None:
    """A coarse guard on few deals, which are always the same; bench/ measures strength."""
    bots = {bot.name: bot for bot in BOTS}
    assert share(bots[one], bots[other], preset, 600) > least
