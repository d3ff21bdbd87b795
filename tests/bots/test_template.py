"""`maumau new`: a package that builds, passes the check and its own test, whatever the name."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from maumau.bots.check import check_bot
from maumau.bots.load import load_file
from maumau.bots.template import new_bot
from maumau.bots.trial import local_seats
from maumau.bots.wheels import check_path
from maumau.errors import BotError, Conflict
from tests.bots.test_example import build


@pytest.mark.parametrize(
    ("name", "module"),
    [("my-bot", "my_bot"), ("random", "random_bot"), ("a1", "a1_bot"), ("x-", "x_bot")],
)
def test_a_new_bot_is_accepted_as_it_is(tmp_path: Path, name: str, module: str) -> None:
    written = new_bot(name, tmp_path / "new")
    paths = {str(path.relative_to(tmp_path / "new")) for path in written}
    assert paths == {"pyproject.toml", "README.md", f"{module}.py", f"tests/test_{module}.py"}
    assert not any("$" in path.read_text() for path in written)
    bot = load_file(tmp_path / f"new/{module}.py", name)
    report = check_bot(local_seats(bot), clock=time.perf_counter, decisions=400, match_games=20)
    assert report.accepted
    assert report.marks == ()
    assert report.matches[1].share > 0.8
    if name != "my-bot":
        return
    wheel = build(tmp_path / "new", tmp_path)
    assert check_path(wheel, wheel.name).entry == module


@pytest.mark.parametrize("command", ["unittest discover tests", "pytest -q -p no:cacheprovider"])
def test_its_own_test_passes(tmp_path: Path, command: str) -> None:
    new_bot("my-bot", tmp_path / "new")
    done = subprocess.run(
        [sys.executable, "-m", *command.split()],
        cwd=tmp_path / "new",
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Ran 1 test" in done.stderr or "1 passed" in done.stdout


def test_a_new_folder_has_the_bots_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    new_bot("my-bot")
    assert (tmp_path / "my-bot/my_bot.py").exists()
    with pytest.raises(Conflict, match="my-bot is there already"):
        new_bot("my-bot")


def test_wrong_names_and_taken_folders_change_nothing(tmp_path: Path) -> None:
    for name in ("My-Bot", "b", "", "../evil", "bot\n"):
        with pytest.raises(BotError, match="small letters"):
            new_bot(name, tmp_path / "new")
    assert not (tmp_path / "new").exists()
    (tmp_path / "file").write_text("mine")
    with pytest.raises(Conflict):
        new_bot("my-bot", tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"
    (tmp_path / "empty").mkdir()
    assert new_bot("my-bot", tmp_path / "empty")
