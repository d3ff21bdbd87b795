"""Which server a command asks, and which token it shows there."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import click
import pytest

from maumau.cli import place
from maumau.cli.failures import UNREACHABLE, USAGE, Failure
from maumau.cli.place import Place
from maumau.cli.target import find
from maumau.settings import Settings, load
from tests.cli.running import maumau
from tests.cli.test_client import JSON, Scripted
from tests.cli.test_docs import ALL

HERE = "http://127.0.0.1:8123"


@pytest.fixture
def holding(tmp_path: Path) -> Iterator[ExitStack]:
    """A place in which an arena listens on a port of its own, until the stack is closed."""
    here = Place(tmp_path)
    here.prepare()
    (tmp_path / "admin-token").write_text("mm_first\n")
    place.write_state(here.state, {"pid": os.getpid(), "server": HERE, "children": {}})
    with ExitStack() as stack:
        stack.enter_context(here.held())
        yield stack


def settings(var: Path, **given: str) -> Settings:
    return load({"MAUMAU_VAR": str(var), **given})


def test_the_arena_that_runs_here_is_found_with_its_token(
    tmp_path: Path, holding: ExitStack
) -> None:
    target = find(settings(tmp_path))
    assert (target.server, target.token) == (HERE, "mm_first")
    assert "mm_first" not in repr(target)
    # The port that another arena would listen on says nothing of this one.
    assert find(settings(tmp_path, MAUMAU_PORT="9")) == target


@pytest.mark.parametrize("other", ["http://127.0.0.1:8000", "http://localhost:8123", "http://a.b"])
def test_the_first_runs_token_goes_to_no_other_server(
    tmp_path: Path, holding: ExitStack, other: str
) -> None:
    assert find(settings(tmp_path, MAUMAU_SERVER=other)).token is None


def test_a_token_that_is_given_goes_where_the_command_goes(
    tmp_path: Path, holding: ExitStack
) -> None:
    target = find(settings(tmp_path, MAUMAU_SERVER="http://a.b", MAUMAU_TOKEN="mm_x"))
    assert (target.server, target.token) == ("http://a.b", "mm_x")
    assert find(settings(tmp_path, MAUMAU_TOKEN="mm_x")).token == "mm_x"
    # Named by its address it is the arena of this place all the same.
    assert find(settings(tmp_path, MAUMAU_SERVER=HERE)).token == "mm_first"


def test_what_a_killed_arena_left_is_not_believed(tmp_path: Path, holding: ExitStack) -> None:
    holding.close()
    with pytest.raises(Failure, match="no arena runs in") as caught:
        find(settings(tmp_path))
    assert caught.value.exit_code == UNREACHABLE
    assert find(settings(tmp_path, MAUMAU_SERVER=HERE)).token is None


def test_a_state_of_a_process_that_is_gone_is_not_believed(
    tmp_path: Path, holding: ExitStack
) -> None:
    place.write_state(Place(tmp_path).state, {"pid": 2**22 + 1, "server": HERE, "children": {}})
    with pytest.raises(Failure, match="no arena runs in"):
        find(settings(tmp_path))


def test_a_look_at_a_place_does_not_keep_an_arena_from_starting(tmp_path: Path) -> None:
    here = Place(tmp_path)
    here.prepare()
    place.write_state(here.state, {"pid": os.getpid(), "server": HERE})
    assert here.running() is None
    with here.held():
        assert here.running() is not None


def test_without_an_arena_a_command_says_how_to_start_one(tmp_path: Path) -> None:
    ran = maumau("tournaments", env={"MAUMAU_VAR": str(tmp_path), "MAUMAU_SERVER": ""})
    assert (ran.code, ran.out) == (UNREACHABLE, "")
    assert f"no arena runs in {tmp_path}" in ran.err
    assert "--server or MAUMAU_SERVER" in ran.err


def test_an_option_goes_before_the_environment(tmp_path: Path) -> None:
    server = Scripted()
    server.answers["/tournaments"] = [(200, JSON, json.dumps({"items": [], "next": None}))]
    env = {"MAUMAU_SERVER": "http://127.0.0.1:9", "MAUMAU_TOKEN": "mm_env"}
    try:
        ran = maumau("tournaments", "--server", server.address, "--token", "mm_option", env=env)
    finally:
        server.close()
    assert ran.code == 0, ran.err
    assert server.asked[0][1]["authorization"] == "Bearer mm_option"


@pytest.mark.parametrize("option", [("--server", "localhost:8000"), ("--token", "a b")])
def test_an_option_that_cannot_be_read_is_wrong_use(option: tuple[str, str]) -> None:
    ran = maumau("tournaments", *option)
    assert (ran.code, ran.out) == (USAGE, "")
    assert option[0] in ran.err


# These work on files, on the database, or start the server themselves.
WITHOUT_A_SERVER = (
    *("up", "play", "rules", "verify", "new", "check", "wheel", "replay", "luck"),
    *("migrate", "backup", "restore"),
)
ASKING = [path for path in ALL if path.split()[1] not in WITHOUT_A_SERVER]


@pytest.mark.parametrize("path", ASKING)
def test_every_command_that_asks_a_server_can_be_told_which(path: str) -> None:
    command = ALL[path]
    if isinstance(command, click.Group):
        assert any(other.startswith(f"{path} ") for other in ASKING)
        return
    told = {o for p in command.params if isinstance(p, click.Option) for o in p.opts}
    assert {"--server", "--token"} <= told
