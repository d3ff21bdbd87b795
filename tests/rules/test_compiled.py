"""The compiled engine: built here, then put through the same tests as the plain one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SAME_TESTS = [
    "tests/arena/test_play.py",
    "tests/conformance",
    "tests/golden",
    "tests/property",
    "tests/rules/test_deal.py",
    "tests/rules/test_game.py",
    "tests/rules/test_observation.py",
    "tests/rules/test_parameters.py",
    "tests/rules/test_perft.py",
    "tests/rules/test_playouts.py",
    "tests/rules/test_policies.py",
    "tests/rules/test_record.py",
    "tests/rules/test_shipped_faults.py",
]
ASK = "import maumau.rules as r; print(r.compiled(), r.__file__)"


def run(place: Path, *command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a copy of the project, so that it imports that copy."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(place), **environment},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )


def copied(place: Path) -> Path:
    unwanted = shutil.ignore_patterns("*.so", "__pycache__", "games.jsonl.gz")
    for name in ("maumau", "plugins", "service", "worker", "tests"):
        shutil.copytree(ROOT / name, place / name, ignore=unwanted)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, place)
    games = "tests/conformance/games.jsonl.gz"
    (place / games).symlink_to(ROOT / games)
    return place


@pytest.mark.slow
def test_the_compiled_form_passes_the_same_tests(tmp_path: Path) -> None:
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("there is no C compiler: the engine runs as plain Python")
    place = copied(tmp_path)
    built = run(place, "setup.py", "-q", "build_ext", "--inplace", MAUMAU_COMPILE="1")
    assert built.returncode == 0, built.stderr[-3000:]
    assert run(place, "-c", ASK).stdout.split()[0] == "True", built.stderr[-3000:]
    tests = ("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *SAME_TESTS)
    passed = run(place, *tests, HYPOTHESIS_EXAMPLES="30")
    assert passed.returncode == 0, passed.stdout[-3000:]


@pytest.mark.slow
def test_without_a_compiler_it_is_built_plain(tmp_path: Path) -> None:
    place = copied(tmp_path)
    built = run(place, "setup.py", "-q", "build_ext", "--inplace", CC="/nonexistent/cc")
    assert built.returncode == 0, built.stderr[-3000:]
    assert "the engine stays plain Python" in built.stdout + built.stderr
    assert not list(place.rglob("*.so"))
    assert run(place, "-c", ASK).stdout.split()[0] == "False"


def test_the_build_can_be_told_not_to_compile(tmp_path: Path) -> None:
    place = copied(tmp_path)
    assert run(place, "setup.py", "-q", "build", MAUMAU_COMPILE="0").returncode == 0
    assert not list(place.rglob("*.so"))
