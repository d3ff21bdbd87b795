import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from maumau import play_game, verify_record
from tests.cli.running import Ran, maumau

LOWEST = """
from maumau import Bot, hookimpl

class Lowest(Bot):
    name = "lowest"
    def act(self, obs):
        return obs.legal_actions[0]

@hookimpl
def maumau_bots():
    return [Lowest]
"""
BROKEN = LOWEST.replace("return obs.legal_actions[0]", "raise RuntimeError('lost the thread')")


def test_help_and_version_name_everything_once() -> None:
    ran = maumau("--version")
    assert ran.code == 0
    assert ran.out.startswith("maumau 0.1.0, Python 3.")
    assert ran.out.strip().endswith(("engine: compiled", "engine: pure Python"))
    assert maumau("-h").out == maumau("--help").out


def test_play_prints_a_game_that_its_seed_reproduces() -> None:
    first, second = (maumau("play", "easy", "medium", "--seed", "s") for _ in range(2))
    assert first.code == 0
    assert first.out == second.out
    assert "Seats: 0 easy, 1 medium." in first.out


def test_play_as_json_gives_a_record_that_verifies(tmp_path: Path) -> None:
    ran = maumau("play", "easy", "random", "easy", "--rules", "mau-mau", "--json")
    record = json.loads(ran.out)
    verify_record(record)
    assert record["seats"] == ["easy", "random", "easy"]
    (tmp_path / "record.json").write_text(ran.out)
    assert maumau("verify", str(tmp_path / "record.json")).code == 0


def test_play_several_games_gives_shares_that_add_up(tmp_path: Path) -> None:
    file = tmp_path / "lowest.py"
    file.write_text(LOWEST)
    ran = maumau("play", str(file), "random", "-n", "6", "--seed", "s", "--json")
    told = json.loads(ran.out)
    assert [bot["bot"] for bot in told["bots"]] == ["lowest", "random"]
    assert sum(bot["score_share"] for bot in told["bots"]) == pytest.approx(1)
    # Too few seeds for an interval.
    assert [bot["low"] for bot in told["bots"]] == [None, None]


def test_play_many_games_gives_an_interval(tmp_path: Path) -> None:
    file = tmp_path / "lowest.py"
    file.write_text(LOWEST)
    arguments = ("play", str(file), "easy", "-n", "60", "--rules", "gamerules", "--seed", "s")
    told = json.loads(maumau(*arguments, "--json").out)
    for bot in told["bots"]:
        assert 0 <= bot["low"] <= bot["score_share"] <= bot["high"] <= 1
    assert told["bots"][1]["low"] > told["bots"][0]["high"]
    assert "95 %" in maumau(*arguments).out


def test_a_file_plays_in_the_cage(tmp_path: Path) -> None:
    file = tmp_path / "reader.py"
    reads = "open('/etc/hostname').read() and obs.legal_actions[0]"
    file.write_text(LOWEST.replace("obs.legal_actions[0]", reads))
    ran = maumau("play", str(file), "random", "--seed", "s", "--save", str(tmp_path / "r.json"))
    assert ran.code == 1
    assert "seat 0 forfeited: crash: PermissionError" in ran.err
    verify_record(json.loads((tmp_path / "r.json").read_text()))


def test_the_first_game_with_a_fault_is_kept(tmp_path: Path) -> None:
    file, kept = tmp_path / "broken.py", tmp_path / "fault.json"
    file.write_text(BROKEN)
    ran = maumau("play", str(file), "random", "-n", "4", "--save", str(kept))
    assert ran.code == 0
    assert "The first fault: seat 0, lowest: crash: RuntimeError: lost the thread" in ran.err
    ran = maumau("replay", str(kept), "--bot", str(file))
    assert "lost the thread" in ran.err


def test_play_with_a_bot_that_fails_tells_its_fault(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text(BROKEN)
    ran = maumau("play", str(file), "random", "--seed", "s")
    assert ran.code == 1
    assert "lost the thread" in ran.out
    assert "Error: seat 0 forfeited: crash" in ran.err


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("play", "eazy", "medium"), 1, "easy"),
        (("play", "easy"), 2, "for 2 seats, not 1"),
        (("play", "easy", "easy", "--rules", "champoin"), 2, "champion"),
        (("play", "nowhere.py", "easy"), 2, "there is no file nowhere.py"),
        (("play", "easy", "easy", "-n", "0"), 2, "0"),
        (("play", "easy", "easy", "--rules", '{"hand_size": 0}'), 2, "hand_size"),
        (("play", "easy", "easy", "--rules", "{"), 2, "--rules is not JSON"),
        (("rules", "show", "no-such"), 2, "no preset"),
        (("rules", "check", "nowhere.json"), 2, "cannot read nowhere.json"),
        (("verify", "nowhere.json"), 2, "cannot read nowhere.json"),
        (("no-such-command",), 2, "no-such-command"),
    ],
)
def test_wrong_use_says_what_to_do(arguments: tuple[str, ...], code: int, says: str) -> None:
    ran = maumau(*arguments)
    assert (ran.code, ran.out) == (code, "")
    assert says in ran.err
    assert "Traceback" not in ran.err


def test_rules_list_and_show() -> None:
    listed = json.loads(maumau("rules", "list", "--json").out)
    names = [preset["name"] for preset in listed["presets"]]
    assert "champion" in names
    assert "to-150" in [option["name"] for option in listed["options"]]
    table = maumau("rules", "list").out
    assert all(name in table for name in names)
    shown = json.loads(maumau("rules", "show", "straffpoang+to-150", "--json").out)
    assert shown["rules"]["game"]["target"] == 150
    assert shown["name"] == "straffpoang+to-150"
    assert "game.target" in maumau("rules", "show", "straffpoang+to-150").out


def test_rules_check_tells_every_bad_value(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({"hand_size": 0, "call": {"mode": "loud"}}))
    ran = maumau("rules", "check", str(file))
    assert ran.code == 1
    assert "\n  hand_size: " in ran.err
    assert "\n  call.mode: " in ran.err
    told = json.loads(maumau("rules", "check", str(file), "--json").out)
    assert {p["path"] for p in told["problems"]} == {"hand_size", "call.mode"}
    file.write_text("{}")
    assert maumau("rules", "check", str(file)).code == 0


def test_a_file_that_cannot_be_read_keeps_no_other_from_its_verdict(tmp_path: Path) -> None:
    good, bad, gone = (str(tmp_path / f"{name}.json") for name in ("good", "bad", "gone"))
    record = play_game("champion", ["easy", "random"], seed="s")
    Path(good).write_text(json.dumps(record))
    Path(bad).write_text(json.dumps({**record, "seed": "other"}))
    ran = maumau("verify", gone, good, bad)
    assert ran.code == 1
    assert ran.out.startswith(f"{good}: true (")
    assert f"{bad}: false: " in ran.err
    assert f"cannot read {gone}: No such file or directory" in ran.err
    assert ran.err.count(gone) == 1
    assert maumau("verify", gone, good).code == 2
    told = json.loads(maumau("verify", gone, good, bad, "--json").out)
    assert [one["valid"] for one in told] == [None, True, False]


def test_verify_tells_the_place_of_the_lie(tmp_path: Path) -> None:
    true, false = tmp_path / "true.json", tmp_path / "false.json"
    record: dict[str, Any] = play_game("champion", ["easy", "easy"], "s")
    true.write_text(json.dumps(record))
    record["totals"][0] += 1
    false.write_text(json.dumps(record))
    ran = maumau("verify", str(true), str(false))
    assert ran.code == 1
    assert f"{true}: true" in ran.out
    assert f"{false}: false: totals" in ran.err
    told = json.loads(maumau("verify", str(true), str(false), "--json").out)
    assert [one["valid"] for one in told] == [True, False]


@pytest.mark.parametrize("text", ["[]", "{}", '{"format": 1}', "null", '"x"', "9" * 5000])
def test_what_is_no_record_is_false_and_not_a_crash(tmp_path: Path, text: str) -> None:
    file = tmp_path / "no.json"
    file.write_text(text)
    ran = maumau("verify", str(file))
    assert ran.code in (1, 2)
    assert ran.err.startswith(("Error: ", "Usage: "))


def test_a_record_comes_from_standard_input() -> None:
    text = json.dumps(play_game("champion", ["easy", "easy"], "s"))
    ran: Ran = maumau("verify", "-", given=text)
    assert (ran.code, ran.out.startswith("-: true")) == (0, True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("command", [["rules", "list"], ["rules", "list", "--json"], ["--help"]])
def test_a_full_disk_is_told_in_one_sentence(command: list[str]) -> None:
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "maumau.cli", *command],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ran.returncode == 1
    assert ran.stderr == "Error: there is no space left for what is to be written\n"
