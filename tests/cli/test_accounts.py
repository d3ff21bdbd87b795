"""`maumau accounts` and `maumau tokens` against a real app, served on a port of its own."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from werkzeug.serving import make_server

from maumau.cli.called import called
from maumau.cli.failures import REFUSED
from maumau.usecases import builtins, play, reap
from tests.cli.running import Ran, maumau
from tests.service.conftest import House


class Served:
    """The command line with one server and one token."""

    def __init__(self, address: str, token: str, house: House):
        self.house = house
        self.environment = {"MAUMAU_SERVER": address, "MAUMAU_TOKEN": token}

    def __call__(self, *arguments: str, token: str | None = None) -> Ran:
        more = {} if token is None else {"MAUMAU_TOKEN": token}
        return maumau(*arguments, env=self.environment | more)


@pytest.fixture
def run(sqlite_url: str, tmp_path: Path) -> Iterator[Served]:
    house = House(tmp_path, sqlite_url)
    token = house.bearer("boss", "admin")["Authorization"].removeprefix("Bearer ")
    server = make_server("127.0.0.1", 0, house.app(), threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    # The server's log would go to the same standard output.
    with capture_logs():
        yield Served(f"http://127.0.0.1:{server.server_port}", token, house)
    server.shutdown()
    thread.join()
    server.server_close()
    house.db.close()


def test_an_account_gets_a_token_that_holds_until_it_is_revoked(run: Served) -> None:
    made = run("accounts", "create", "eve", "--role", "admin").out
    assert made == f"Made admin eve: {called()} tokens create eve\n"
    token = run("tokens", "create", "eve", "--label", "a laptop").out.strip()
    assert run("accounts", "list", token=token).code == 0
    (told,) = json.loads(run("tokens", "list", "--account", "eve", "--json").out)
    assert (told["label"], told["role"], told["expires_at"]) == ("a laptop", "admin", None)
    assert token not in run("tokens", "list").out
    assert "is revoked" in run("tokens", "revoke", told["id"]).out
    refused = run("accounts", "list", token=token)
    assert refused.code == REFUSED
    assert token not in refused.out + refused.err


def test_a_disabled_account_is_shown_as_such(run: Served) -> None:
    run("accounts", "create", "eve")
    token = run("tokens", "create", "eve", "--role", "reader").out.strip()
    assert run("bots", token=token).code == 0
    assert "disabled" in run("accounts", "disable", "eve").out
    assert run("bots", token=token).code == REFUSED
    told = {one["name"]: one for one in json.loads(run("accounts", "list", "--json").out)}
    assert told["eve"]["disabled_at"] is not None
    assert told["boss"]["disabled_at"] is None
    assert json.loads(run("accounts", "enable", "eve", "--json").out)["disabled_at"] is None
    assert run("bots", token=token).code == 0


def test_what_the_server_refuses_is_told(run: Served) -> None:
    assert "name_taken" in run("accounts", "create", "boss").err
    assert "there is no account" in run("tokens", "create", "nobody").err
    assert run("tokens", "create", "boss", "--days", "0").code == 2


def test_what_was_set_aside_is_shown_and_played_again(run: Served, tmp_path: Path) -> None:
    house = run.house
    builtins.install_builtins(house.db, house.clock)
    wish = ["schedule", "random", "easy", "--rules", "champion", "--name", "league", "--json"]
    made = json.loads(run(*wish).out)
    series = [*wish, "--cron", "0 18 * * FRI", "--zone", "Europe/Berlin", "--missed", "skip"]
    later = json.loads(run(*series).out)
    assert later["repeat"] == {"cron": "0 18 * * FRI", "zone": "Europe/Berlin", "missed": "skip"}
    assert "belongs to --cron" in run(*wish, "--zone", "UTC").err
    for number in range(3):
        assert play.claim(house.db, house.clock, f"{made['id']}-0", f"w{number}")
        reap.release(house.db, house.clock, f"w{number}", log="signal SIGSEGV")
    told = run("status").out
    assert f"running: {made['id']} league: 0 of" in told
    assert "1 chunk set aside" in told
    assert f"scheduled: {later['id']} league: begins {later['start_at']}" in told
    assert "3 deaths\n  signal SIGSEGV" in run("retry", made["id"], "--look").out
    assert "1 chunk to be played again" in run("retry", made["id"]).out
    assert "nothing_stuck" in run("retry", made["id"]).err
