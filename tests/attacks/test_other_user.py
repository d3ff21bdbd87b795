"""The same corpus run by an arena that is not root: its bots then have its own user."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import maumau
from maumau.arena import sandbox
from maumau.arena.sandbox.zygote import NEEDED
from tests.attacks.corpus import ATTACKS
from tests.attacks.run import Outcome, assert_ends
from tests.attacks.wheels import WHEELS

OTHER = 54321
"""Nobody's number."""

pytestmark = [
    # One run of the corpus answers all of them: another worker would make it again.
    pytest.mark.xdist_group("attacks-by-another-user"),
    pytest.mark.skipif(os.geteuid() != 0, reason="this is another user already: see test_attacks"),
    pytest.mark.skipif(not sandbox.status().ok, reason=sandbox.status().reason),
]


def reachable_python() -> str | None:
    """Give a Python of this version that any user may run; one below root's home is none."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for path in (sys.executable, shutil.which(version, path="/usr/local/bin:/usr/bin"), None):
        if path is None:
            continue
        command = [path, "-S", "-c", "import json, ssl, ctypes"]
        tried = (
            subprocess.run(command, user=OTHER, group=OTHER, env={}, capture_output=True)
            if all(os.stat(parent).st_mode & 0o1 for parent in Path(os.path.realpath(path)).parents)
            else None
        )
        if tried is not None and tried.returncode == 0:
            return path
    return None


@pytest.fixture(scope="module")
def copy() -> Iterator[Path]:
    """Give a copy of what the run needs, where any user can read it."""
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        place.chmod(0o755)
        here = Path(__file__).parents[2]
        packages = [
            Path(maumau.__file__).parent,
            here / "tests" / "attacks",
            here / "tests" / "bots",
        ]
        for name in NEEDED[1:]:
            spec = importlib.util.find_spec(name)
            assert spec is not None
            assert spec.origin is not None
            origin = Path(spec.origin)
            packages.append(origin.parent if spec.submodule_search_locations else origin)
        for path in packages:
            target = place / ("tests" if path.parent.name == "tests" else "") / path.name
            if path.is_dir():
                shutil.copytree(path, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(path, target)
        for path in place.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        yield place


@pytest.fixture(scope="module")
def said(copy: Path) -> dict[str, Any]:
    """Run the corpus as another user and give what it said."""
    python = reachable_python()
    if python is None:
        pytest.skip("no Python of this version that another user could run")
    ran = subprocess.run(
        [python, "-s", "-S", "-B", "-m", "tests.attacks.run"],
        cwd=copy,
        user=OTHER,
        group=OTHER,
        extra_groups=[],
        env={"PYTHONPATH": str(copy), "MAUMAU_TOKEN": "a secret of the arena"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


def test_one_process_of_the_suite_runs_all_of_this(request: pytest.FixtureRequest) -> None:
    """Else groups are not kept, and everything that modules share is made again and again."""
    if "PYTEST_XDIST_WORKER" in os.environ and request.config.getoption("loadgroup"):
        assert request.node.nodeid.endswith("@attacks-by-another-user")


def test_bots_can_be_caged_by_another_user(said: dict[str, Any]) -> None:
    assert said["user"] == OTHER
    assert said["reason"] == ""
    assert len(said["outcomes"]) == len(ATTACKS) + len(WHEELS)


@pytest.mark.parametrize("number", range(len(ATTACKS)), ids=[attack.name for attack in ATTACKS])
def test_attack(said: dict[str, Any], number: int) -> None:
    outcome, attack = Outcome(**said["outcomes"][number]), ATTACKS[number]
    assert outcome.name == attack.name
    assert_ends(outcome, attack.ends, attack.detail)


@pytest.mark.parametrize("number", range(len(WHEELS)), ids=[it.name for it in WHEELS])
def test_hostile_wheel(said: dict[str, Any], number: int) -> None:
    outcome, it = Outcome(**said["outcomes"][len(ATTACKS) + number]), WHEELS[number]
    assert outcome.name == it.name
    assert_ends(outcome, it.ends)
