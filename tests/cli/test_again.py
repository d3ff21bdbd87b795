"""`maumau replay`: one position of a record is asked again, as it was asked there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from maumau import play_game
from maumau.bots.load import load_file
from tests.cli.running import maumau
from tests.cli.test_local import LOWEST

LOTS = LOWEST.replace("obs.legal_actions[0]", "self.info.rng.choice(obs.legal_actions)")


@pytest.fixture
def lots(tmp_path: Path) -> Path:
    file = tmp_path / "lots.py"
    file.write_text(LOTS)
    return file


def decisions(record: dict[str, Any], seat: int, deal: int) -> list[tuple[int, str]]:
    actions = record["deals"][deal]["actions"]
    return [(at, action) for at, (who, action) in enumerate(actions) if who == seat]


def test_a_bot_that_draws_lots_gives_the_recorded_answer_in_a_later_deal_too(
    lots: Path, tmp_path: Path
) -> None:
    """Its rng stands as it stood: all decisions before are asked on the way."""
    record = play_game("gamerules", [load_file(lots), "easy"], "replayed", strict=True)
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    asked = 0
    for at, action in decisions(record, 0, 1):
        ran = maumau(
            "replay",
            str(file),
            "--seat",
            "0",
            "--deal",
            "1",
            "--at",
            str(at),
            "--bot",
            str(lots),
            "--json",
        )
        if ran.code:
            assert "had nothing to decide there" in ran.err
            continue
        told = json.loads(ran.out)
        assert (told["answer"], told["recorded"], told["others"]) == (action, action, [])
        assert action in told["observation"]["legal_actions"]
        assert told["runtime"].startswith("Python 3")
        asked += 1
    assert asked >= 2


def test_another_bot_is_asked_and_its_other_answers_on_the_way_are_told(
    lots: Path, tmp_path: Path
) -> None:
    record = play_game("gamerules", [load_file(lots), "easy"], "replayed")
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    last = decisions(record, 0, 0)[-1][0]
    for at in range(last, -1, -1):
        ran = maumau("replay", str(file), "--seat", "0", "--at", str(at), "--bot", "medium")
        if ran.code == 0:
            break
    assert "medium at seat 0, deal 0" in ran.out
    assert "it answers " in ran.out
    assert "  before, at seat 0, deal 0, action " in ran.out


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ((), "seat: is needed"),
        (("--seat", "0"), "at: is needed"),
        (("--seat", "2", "--at", "0"), "seat: must be 0 to 1"),
        (("--seat", "0", "--deal", "99", "--at", "0"), "deal: must be 0 to"),
        (("--seat", "0", "--at", "999"), "at: must be 0 to"),
        (("--seat", "1", "--at", "0"), "seat 1 had nothing to decide there"),
    ],
)
def test_a_decision_that_there_is_not(
    lots: Path, tmp_path: Path, options: tuple[str, ...], says: str
) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(play_game("champion", ["easy", "easy"], "s")))
    ran = maumau("replay", str(file), *options, "--bot", str(lots))
    assert ran.code == 2
    assert says in ran.err


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("[]", 1, "is not a record"),
        ("{}", 1, "fault"),
        ('{"fault": null}', 1, "missing"),
        ("{", 2, "is not JSON"),
    ],
)
def test_what_is_no_record(lots: Path, tmp_path: Path, text: str, code: int, says: str) -> None:
    file = tmp_path / "record.json"
    file.write_text(text)
    ran = maumau("replay", str(file), "--seat", "0", "--at", "0", "--bot", str(lots))
    assert ran.code == code
    assert says in ran.err
    assert "Traceback" not in ran.err


def test_a_bot_that_never_answers_there_is_a_timeout(lots: Path, tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    record.write_text(json.dumps(play_game("champion", ["easy", "easy"], "s")))
    at = next(
        at
        for at in range(200)
        if maumau("replay", str(record), "--seat", "0", "--at", str(at), "--bot", "easy").code == 0
    )
    lots.write_text(LOWEST.replace("return obs", "while True: pass\n        return obs"))
    ran = maumau(
        "replay",
        str(record),
        "--seat",
        "0",
        "--at",
        str(at),
        "--bot",
        str(lots),
        "--json",
        "--limits",
        '{"decision_ms": 50}',
    )
    assert ran.code == 1
    assert json.loads(ran.out)["fault"] == {
        "kind": "timeout",
        "detail": "used more than 50 ms of CPU for one decision",
    }
