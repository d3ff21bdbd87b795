"""A bot that sees all cards plays in exhibitions, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from maumau import Bot, Deal, ExhibitionBot, Observation, load_rules, play_game, verify_record
from maumau.bots import registry
from maumau.bots.base import game_info
from maumau.bots.play import Player
from maumau.errors import NotFound
from maumau.rules.presets import preset_names
from plugins import oracle
from tests.cli.running import maumau

FILE = """
from maumau import ExhibitionBot, hookimpl

class Peeping(ExhibitionBot):
    name = "peeping"
    def act_open(self, deal):
        return deal.legal_actions()[0]

@hookimpl
def maumau_bots():
    return [Peeping]
"""


@pytest.fixture(autouse=True)
def short_sighted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `oracle` look less far ahead: the tests run the engine as plain Python."""
    monkeypatch.setattr(oracle, "AHEAD", 2)
    monkeypatch.setattr(oracle, "REPLIES", {})


@pytest.mark.parametrize("preset", preset_names())
def test_it_plays_every_preset_and_the_same_game_again(preset: str) -> None:
    rules = load_rules(preset)
    bots = ["oracle"] + ["medium"] * (rules.players[0] - 1)
    record = play_game(rules, bots, seed="s", strict=True)
    assert record["fault"] is None
    verify_record(record)
    assert play_game(rules, bots, seed="s", strict=True) == record


def test_seeing_all_cards_it_wins_what_skill_can_win() -> None:
    rules = load_rules("champion")
    won = 0
    for number in range(20):
        deal = Deal(rules, seats=2, seed="ceiling", number=number)
        players = [
            Player(registry.find(name, exhibition=True).bot, game_info(rules, 2, seat, "ceiling"))
            for seat, name in enumerate(("oracle", "medium"))
        ]
        while deal.play_forced():
            deal.apply(players[deal.seat].ask(deal))
        won += deal.result().finisher == 0
    assert won >= 14


def test_the_deal_that_it_looks_at_is_a_copy() -> None:
    class Careless(ExhibitionBot):
        name = "careless"

        def act_open(self, deal: Deal) -> str:
            action = deal.legal_actions()[0]
            while not deal.over:
                deal.apply(deal.legal_actions()[0])
            return action

    record = play_game("champion", [Careless, "easy"], seed="s", strict=True)
    verify_record(record)


def test_no_bot_is_asked_with_a_deal_but_one_of_the_class() -> None:
    class Hopeful(Bot):
        name = "hopeful"

        def act(self, obs: Observation) -> str:
            return obs.legal_actions[0]

        def act_open(self, deal: Deal) -> str:
            raise AssertionError("it was shown a deal")

    assert play_game("champion", [Hopeful, "easy"], seed="s", strict=True)["fault"] is None


def test_it_is_not_among_the_bots_that_play_tournaments() -> None:
    assert "oracle" not in [one.name for one in registry.installed()]
    assert [one.name for one in registry.exhibition()] == ["oracle"]
    with pytest.raises(NotFound):
        registry.find("oracle")


def test_an_uploaded_bot_of_the_class_sees_nothing_and_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "peeping.py"
    file.write_text(FILE)
    ran = maumau("check", str(file))
    assert ran.code != 0
    assert "plays only where it sees all cards" in ran.err
    ran = maumau("play", str(file), "easy", "--seed", "s")
    assert "forfeited: crash" in ran.err


def test_the_command_line_plays_exhibitions_of_installed_bots(tmp_path: Path) -> None:
    ran = maumau("play", "oracle", "easy", "-n", "4", "--seed", "s", "--json")
    assert ran.code == 0, ran.err
    assert '"oracle"' in ran.out
    file = tmp_path / "peeping.py"
    file.write_text(FILE)
    ran = maumau("play", "oracle", str(file))
    assert ran.code == 2
    assert "name installed bots only" in ran.err
