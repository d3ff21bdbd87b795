from __future__ import annotations

import json
import os
import signal
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.e2e.arena import Arena, descendants, ended, free_port, is_alive, running, wait_for

# One process runs them all: what they share is costly.
pytestmark = pytest.mark.xdist_group("up")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with running(tmp_path_factory.mktemp("up") / "var") as made:
        yield made


@pytest.fixture
def arena(shared: Arena) -> Arena:
    """One arena for all tests, so that few are started: each test leaves it running, or stopped."""
    if shared.process is None or shared.process.poll() is not None:
        shared.start()
    return shared


def test_ctrl_c_ends_everything_and_leaves_nothing_half_written(arena: Arena) -> None:
    assert arena.process is not None
    below = descendants(arena.process.pid)
    assert len(below) >= 5
    runtime = Path(arena.state()["runtime"])
    assert arena.stop() == 0
    assert not [pid for pid in below if is_alive(pid)]
    assert not runtime.exists()
    assert not (arena.var / "run" / "up.json").exists()
    assert not list(arena.var.rglob("*.new"))
    # A write-ahead log that was not closed would still be there.
    assert not (arena.var / "maumau.db-wal").exists()
    assert arena.output.read_text().endswith("everything goes on where it was.\n")


def test_everything_ends_when_it_is_killed_and_it_starts_again(arena: Arena) -> None:
    assert arena.process is not None
    below = descendants(arena.process.pid)
    runtime, token = Path(arena.state()["runtime"]), arena.token
    arena.kill()
    for pid in below:
        ended(pid)
    arena.start()
    assert not runtime.exists()
    assert arena.token == token
    assert arena.maumau("status").returncode == 0


@pytest.mark.parametrize("name", ["queue", "api", "workers"])
def test_a_killed_child_is_replaced(arena: Arena, name: str) -> None:
    first = arena.state()["children"][name]
    below = descendants(first)
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: arena.state()["children"].get(name, first) != first, what="a new child")
    for pid in below:
        ended(pid)
    wait_for(arena._is_up, what="the arena is up again")
    assert json.loads(arena.maumau("status", "--json").stdout)["ready"]["queue"] == "ok"


def test_the_admin_token_is_for_its_owner_only_and_works(arena: Arena) -> None:
    file = arena.var / "admin-token"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(arena.var.stat().st_mode) == 0o700
    with arena.client() as client:
        assert client.get("/bots").status_code == 200
    with arena.client("mm_wrong") as client:
        assert client.get("/bots").status_code == 401


def test_a_second_one_in_the_same_place_is_refused_with_a_sentence(arena: Arena) -> None:
    done = arena.maumau("up", code=1)
    assert done.stdout == ""
    assert done.stderr.startswith("Error: an arena runs in ")
    assert f"process {arena.process and arena.process.pid}, {arena.server}" in done.stderr
    assert arena._is_up()


def test_a_taken_port_is_told_with_a_sentence(tmp_path: Path) -> None:
    arena = Arena(tmp_path / "var")
    with socket.create_server(("127.0.0.1", arena.port)):
        done = arena.maumau("up", code=1)
    assert f"port {arena.port} of 127.0.0.1 is taken by another program" in done.stderr
    assert not (arena.var / "run" / "up.json").exists()


@pytest.mark.parametrize(
    ("env", "says"),
    [
        ({"MAUMAU_VAR": "/proc/no/such"}, "set MAUMAU_VAR to a directory of your own"),
        ({"MAUMAU_PORT": "x"}, "MAUMAU_PORT: must be a whole number"),
        ({"MAUMAU_HOST": "192.0.2.1"}, "set MAUMAU_HOST to an address of this machine"),
        ({"MAUMAU_DATABASE_URL": "postgresql://127.0.0.1:9/no"}, "database"),
    ],
)
def test_what_stops_it_is_one_sentence(tmp_path: Path, env: dict[str, str], says: str) -> None:
    done = Arena(tmp_path / "var").maumau("up", code=2 if "x" in env.values() else 1, **env)
    assert done.stderr.startswith("Error: ")
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_options_go_before_the_environment(tmp_path: Path) -> None:
    arena, port = Arena(tmp_path / "var", workers=7), free_port()
    arena.number = 0
    arena.server = f"http://127.0.0.1:{port}"
    arena.start("--no-welcome", "--port", str(port), "--workers", "0")
    assert httpx.get(f"http://127.0.0.1:{port}/healthz").status_code == 200
    assert arena.workers() == []
    assert arena.stop() == 0
