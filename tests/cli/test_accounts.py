"""`maumau accounts` and `maumau tokens` against a real app, served on a port of its own."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from werkzeug.serving import make_server

from maumau.cli.failures import REFUSED
from tests.cli.running import Ran, maumau
from tests.service.conftest import House


class Served:
    """The command line with one server and one token."""

    def __init__(self, address: str, token: str):
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
        yield Served(f"http://127.0.0.1:{server.server_port}", token)
    server.shutdown()
    thread.join()
    server.server_close()
    house.db.close()


def test_an_account_gets_a_token_that_holds_until_it_is_revoked(run: Served) -> None:
    assert run("accounts", "create", "eve", "--role", "admin").out == (
        "Made admin eve: maumau tokens create eve\n"
    )
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
