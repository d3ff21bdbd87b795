"""`./run` as a newcomer starts it: a clean copy, no HOME, nothing set up."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.e2e.arena import descendants, ended, free_port, wait_for

# One process runs them all: what they share is costly.
pytestmark = pytest.mark.xdist_group("first-start")

ROOT = Path(__file__).parents[2]
NEEDED = ("run", "pyproject.toml", "setup.py", "README.md", "LICENSE", "requirements.txt")
ROOMS = ("maumau", "service", "worker", "plugins")
TABLE = "score share"
INSTALL_SECONDS = 400.0


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("clone") / "maumau"
    made.mkdir()
    for name in NEEDED:
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, made / name)
    for name in ROOMS:
        ignored = shutil.ignore_patterns("__pycache__", "*.so")
        shutil.copytree(ROOT / name, made / name, ignore=ignored)
    return made


class Run:
    """One `./run`, and what it printed so far."""

    def __init__(self, clone: Path, output: Path):
        self.clone, self.output, self.port = clone, output, free_port()
        kept = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "LC_ALL")}
        # Where packages come from is the machine's affair.
        kept |= {k: v for k, v in os.environ.items() if k.startswith(("PIP_", "UV_", "SSL_"))}
        with open(output, "wb") as file:
            self.process = subprocess.Popen(
                [str(clone / "run")],
                env={**kept, "MAUMAU_PORT": str(self.port)},
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                start_new_session=True,
            )

    def said(self) -> str:
        return self.output.read_text(encoding="utf-8", errors="replace")

    def wait_for(self, text: str) -> None:
        def seen() -> bool:
            if self.process.poll() is not None and "installing failed" in self.said():
                pytest.skip("packages cannot be installed here: is the registry reachable?")
            assert self.process.poll() is None, self.said()
            return text in self.said()

        wait_for(seen, seconds=INSTALL_SECONDS, what=text)


@contextmanager
def started(clone: Path, output: Path) -> Iterator[Run]:
    run = Run(clone, output)
    try:
        yield run
    finally:
        if run.process.poll() is None:
            run.process.kill()
            run.process.wait()


@pytest.mark.slow
def test_it_sets_up_plays_shows_serves_stops_and_starts_again(clone: Path, tmp_path: Path) -> None:
    with started(clone, tmp_path / "first") as run:
        run.wait_for("Ctrl-C stops everything")
        said = run.said()
        assert "Setting up in" in said
        assert said.index("Welcome tournament") < said.index(TABLE) < said.index("/api/v1/docs")
        assert all(level in said for level in ("random@1", "easy@1", "medium@1", "hard@1"))
        for name in ("Pages", "API  ", "Docs "):
            address = re.search(rf"^{name} (http://\S+)$", said, re.MULTILINE)
            assert address is not None, name
            assert httpx.get(address[1]).status_code == 200
        token = (clone / "var" / "admin-token").read_text().strip()
        bots = f"http://127.0.0.1:{run.port}/api/v1/bots"
        source = (ROOT / "examples" / "lowest-bot" / "lowest_bot.py").read_bytes()
        answer = httpx.post(
            bots,
            headers={"Authorization": f"Bearer {token}"},
            data={"name": "lowest"},
            files={"file": ("lowest_bot.py", source)},
        )
        assert answer.status_code == 202, answer.text
        wait_for(
            lambda: httpx.get(f"{bots}/lowest/versions/1").json()["state"] == "accepted",
            what="the bot is accepted",
        )
        below = descendants(run.process.pid)
        run.process.send_signal(signal.SIGINT)
        assert run.process.wait(60) == 0
        for pid in below:
            ended(pid)
    standings = said[said.index("┏") : said.index("Pages ")]

    with started(clone, tmp_path / "second") as run:
        run.wait_for("Ctrl-C stops everything")
        said = run.said()
        assert "Installing" not in said
        assert standings in said
        run.process.terminate()
        assert run.process.wait(60) == 0


@pytest.mark.slow
def test_an_edit_is_installed_at_the_next_start(clone: Path, tmp_path: Path) -> None:
    if not (clone / ".venv").exists():
        pytest.skip("the test before set nothing up")
    (clone / "maumau" / "py.typed").write_text("edited\n")
    done = subprocess.run(
        [str(clone / "run"), "maumau", "--version"],
        # What is compiled is not looked at here.
        env={"PATH": os.environ["PATH"], "MAUMAU_COMPILE": "0"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=INSTALL_SECONDS,
        check=True,
    )
    assert "Installing the arena" in done.stderr
    assert done.stdout.startswith("maumau ")
    (installed,) = (clone / ".venv").glob("lib/python3.*/site-packages/maumau/py.typed")
    assert installed.read_text() == "edited\n"
    # Nothing was built in the tree itself.
    assert not list(clone.glob("*.egg-info"))
    assert not (clone / "build").exists()
