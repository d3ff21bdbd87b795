"""The example package builds into a wheel that loads, passes the check, and plays."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import maumau
from maumau.bots.check import check_bot
from maumau.bots.load import load_file
from maumau.bots.trial import local_seats
from maumau.bots.wheels import Submission, check_path

EXAMPLE = Path(__file__).parents[2] / "examples/lowest-bot"
BUILD = "import sys, setuptools.build_meta as b; print(b.build_wheel(sys.argv[1]))"


def build(package: Path, target: Path) -> Path:
    """Build a package's wheel with what is installed here; no network, nothing left beside it."""
    copy = target / "source"
    shutil.copytree(package, copy)
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(target)],
        cwd=copy,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return target / done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def lowest_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(EXAMPLE, tmp_path_factory.mktemp("lowest"))


def test_the_example_is_accepted(lowest_wheel: Path) -> None:
    assert lowest_wheel.name == "lowest_bot-1.0.0-py3-none-any.whl"
    assert check_path(lowest_wheel, lowest_wheel.name) == Submission("wheel", "lowest_bot")
    path = list(sys.path)
    try:
        bot = load_file(lowest_wheel, "lowest")
    finally:
        sys.path[:] = path
        sys.modules.pop("lowest_bot", None)
    report = check_bot(local_seats(bot), clock=time.perf_counter, decisions=400, match_games=0)
    assert report.accepted
    assert report.marks == ()
    record = maumau.play_game("gameduell", [bot, "random", bot], seed="x", strict=True)
    maumau.verify_record(record)


def test_the_examples_own_test_passes() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "unittest", "discover", "tests"],
        cwd=EXAMPLE,
        env={"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Ran 1 test" in done.stderr
