"""What was set aside as stuck: admins see why, and let it be played again."""

from typing import Any

import pytest

from maumau.usecases import builtins, play, reap
from maumau.usecases.due import due_chunks
from tests.service.conftest import House

API = "/api/v1"


@pytest.fixture
def tournament(house: House) -> str:
    """One of whose two chunks three workers died."""
    builtins.install_builtins(house.db, house.clock)
    wish = {"entrants": ["random", "easy"], "rules": "champion", "blocks": 40}
    client = house.app().test_client()
    made: Any = client.post(f"{API}/tournaments", json=wish, headers=house.bearer("ann")).json
    first, _ = due_chunks(house.db, house.clock)
    for number in range(3):
        assert play.claim(house.db, house.clock, first, f"w{number}")
        reap.release(house.db, house.clock, f"w{number}", log="signal SIGSEGV")
    return str(made["id"])


def test_admins_see_why_and_let_it_be_played_again(house: House, tournament: str) -> None:
    client, admin = house.app().test_client(), house.bearer("boss", "admin")
    path = f"{API}/tournaments/{tournament}"
    assert client.get(f"{path}/stuck", headers=house.bearer("ann")).status_code == 403
    told: Any = client.get(f"{path}/stuck", headers=admin).json
    (one,) = told["items"]
    assert (one["chunk"], one["deaths"], one["attempts"]) == (f"{tournament}-0", 3, 3)
    assert one["log"] == "signal SIGSEGV"
    again: Any = client.post(f"{path}/retry", headers=admin).json
    assert again["progress"]["chunks"]["stuck"] == 0
    assert f"{tournament}-0" in due_chunks(house.db, house.clock)
    refused = client.post(f"{path}/retry", headers=admin)
    assert refused.status_code == 409
    assert refused.json is not None
    assert refused.json["code"] == "nothing_stuck"
    assert client.get(f"{API}/tournaments/none/stuck", headers=admin).status_code == 404
