"""`/accounts` and `/tokens`: admins make and end them; a token's text is told once and not kept."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from structlog.testing import capture_logs

from maumau.storage import Database
from maumau.usecases import accounts
from service import auth
from tests.service.conftest import Bearer, Clock, House, MakeApp

API = "/api/v1"


@pytest.fixture
def admin(bearer: Bearer) -> dict[str, str]:
    return bearer("boss", "admin")


def post(client: FlaskClient, path: str, headers: dict[str, str], **body: Any) -> Any:
    answer = client.post(API + path, json=body, headers=headers)
    assert answer.status_code in (200, 201), answer.text
    return answer.json


def with_token(text: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {text}"}


def may_read(client: FlaskClient, headers: dict[str, str]) -> bool:
    status = client.get(f"{API}/bots", headers=headers).status_code
    assert status in (200, 401)
    return status == 200


def test_an_account_with_a_token_can_do_what_its_role_says(
    client: FlaskClient, admin: dict[str, str]
) -> None:
    made = post(client, "/accounts", admin, name="eve", role="author")
    assert (made["name"], made["role"], made["system"], made["disabled_at"]) == (
        *("eve", "author", False),
        None,
    )
    told = post(client, "/tokens", admin, account="eve", label="laptop")
    assert (told["account"], told["role"], told["label"]) == ("eve", "author", "laptop")
    eve = with_token(told["token"])
    rules = {"preset": "champion"}
    assert client.post(f"{API}/rulesets", json=rules, headers=eve).status_code == 201
    assert client.get(f"{API}/accounts", headers=eve).status_code == 403


def test_a_tokens_text_is_told_once_and_kept_nowhere(
    client: FlaskClient, admin: dict[str, str], settings: Any
) -> None:
    key = {"Idempotency-Key": "k-1"}
    with capture_logs() as lines:
        answer = client.post(f"{API}/tokens", json={"account": "boss"}, headers=admin | key)
        again = client.post(f"{API}/tokens", json={"account": "boss"}, headers=admin | key)
    first: Any = answer.json
    assert (answer.status_code, answer.headers["Cache-Control"]) == (201, "no-store")
    assert answer.headers["Location"] == f"{API}/tokens/{first['id']}"
    assert may_read(client, with_token(first["token"]))
    # Sent again: no second token, and not the text again.
    assert (again.status_code, again.json) == (201, first | {"token": None})
    assert again.headers["Idempotent-Replayed"] == "true"
    text = first["token"].encode()
    assert text.decode() not in str(lines)
    assert text.decode() not in client.get(f"{API}/tokens", headers=admin).text
    assert text.decode() not in client.get(f"{API}/tokens/{first['id']}", headers=admin).text
    for file in Path(settings.var).rglob("*"):
        assert not file.is_file() or text not in file.read_bytes(), file


def test_a_revoked_or_expired_token_holds_no_more(
    client: FlaskClient, admin: dict[str, str], clock: Clock
) -> None:
    soon = (clock() + timedelta(hours=1)).isoformat()
    short = post(client, "/tokens", admin, account="boss", role="reader", expires_at=soon)
    long = post(client, "/tokens", admin, account="boss")
    assert short["expires_at"] == soon.replace("+00:00", "Z")
    assert may_read(client, with_token(short["token"]))
    assert may_read(client, with_token(long["token"]))
    clock.forward(hours=1)
    assert not may_read(client, with_token(short["token"]))
    revoked: Any = client.delete(f"{API}/tokens/{long['id']}", headers=admin).json
    assert revoked["revoked_at"] is not None
    assert not may_read(client, with_token(long["token"]))


def test_a_disabled_accounts_tokens_hold_again_when_it_is_enabled(
    client: FlaskClient, admin: dict[str, str], bearer: Bearer
) -> None:
    ann = bearer("ann")
    first = post(client, "/accounts/ann/disable", admin)
    assert first["disabled_at"] is not None
    assert not may_read(client, ann)
    refused = client.post(f"{API}/tokens", json={"account": "ann"}, headers=admin)
    assert (refused.status_code, refused.json["code"]) == (409, "account_disabled")  # type: ignore[index]
    # Again is no error, and the first moment counts.
    assert post(client, "/accounts/ann/disable", admin) == first
    assert post(client, "/accounts/ann/enable", admin)["disabled_at"] is None
    assert may_read(client, ann)


def test_nobody_disables_themselves_or_the_system(
    client: FlaskClient, admin: dict[str, str], db: Database, clock: Clock
) -> None:
    with db.begin() as tx:
        accounts.system_account(tx, clock())
    for name, code in (("boss", "own_account"), ("arena", "system_account")):
        answer = client.post(f"{API}/accounts/{name}/disable", headers=admin)
        assert answer.json is not None
        assert (answer.status_code, answer.json["code"]) == (409, code)


def test_accounts_and_tokens_are_listed_page_by_page(
    client: FlaskClient, admin: dict[str, str], bearer: Bearer
) -> None:
    for name in ("ann", "bob", "eve"):
        bearer(name)

    def whole(path: str) -> list[Any]:
        items, query = [], ""
        while True:
            told: Any = client.get(f"{API}{path}limit=2{query}", headers=admin).json
            items += told["items"]
            if told["next"] is None:
                return items
            query = f"&cursor={told['next']}"

    names = [one["name"] for one in whole("/accounts?")]
    assert names == ["ann", "bob", "boss", "eve", "root"]
    assert sorted(one["account"] for one in whole("/tokens?")) == ["ann", "bob", "boss", "eve"]
    (only,) = whole("/tokens?account=ann&")
    assert only["account"] == "ann"
    assert client.get(f"{API}/tokens/{only['id']}", headers=admin).json == only


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "at"),
    [
        ("POST", "/accounts", {"name": "Eve", "role": "reader"}, 422, "name"),
        ("POST", "/accounts", {"name": "eve", "role": "king"}, 422, "role"),
        ("POST", "/accounts", {"name": "eve"}, 422, "role"),
        ("POST", "/accounts", {"name": "boss", "role": "reader"}, 409, None),
        ("POST", "/tokens", {"account": "nobody"}, 404, None),
        ("POST", "/tokens", {"account": "ann", "role": "admin"}, 403, None),
        ("POST", "/tokens", {"account": "ann", "label": "x" * 81}, 422, "label"),
        ("POST", "/tokens", {"account": "ann", "expires_at": "2020-01-01T00:00:00Z"}, 422, None),
        ("POST", "/tokens", {"account": "ann", "expires_at": "tomorrow"}, 422, "expires_at"),
        ("POST", "/tokens", {"account": "ann", "color": "red"}, 422, "color"),
        ("GET", "/accounts/nobody", None, 404, None),
        ("GET", "/tokens/nobody", None, 404, None),
        ("GET", "/tokens?account=nobody", None, 404, None),
        ("DELETE", "/tokens/nobody", None, 404, None),
        ("POST", "/accounts/nobody/disable", None, 404, None),
    ],
)
def test_wrong_input_is_told_and_changes_nothing(
    house: House, admin: dict[str, str], method: str, path: str, body: Any, status: int, at: Any
) -> None:
    house.bearer("ann")
    client = house.app().test_client()
    before = house.db
    with before.read() as tx:
        counted = tx.accounts.names(range(20))
    answer = client.open(API + path, method=method, json=body, headers=admin)
    assert answer.json is not None
    assert answer.status_code == status, answer.text
    if at is not None:
        assert [one["path"] for one in answer.json["errors"]] == [at]
    with before.read() as tx:
        assert tx.accounts.names(range(20)) == counted


def test_no_token_stands_in_logs_errors_or_what_operators_read(
    make_app: MakeApp, bearer: Bearer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every route is asked with tokens that hold and with one that does not."""
    client = make_app(rate_reads=None, rate_writes=None).test_client()
    held = {role: bearer(f"an-{role}", role) for role in ("reader", "author", "admin")}
    sent = [*held.values(), with_token("mm_this-one-was-never-made")]
    secrets = [one["Authorization"].removeprefix("Bearer ") for one in sent]

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr("maumau.usecases.read.leaderboard", broken)
    told = []
    with capture_logs() as lines:
        for (method, rule), headers in ((key, one) for key in auth.ROUTES for one in sent):
            if rule.endswith("/events"):
                continue
            path = rule.replace("<int:number>", "1").replace("<name>", "x").replace("<id>", "x")
            told.append(client.open(path, method=method, headers=headers).text)
    assert any(line["event"] == "internal_error" for line in lines)
    for secret in secrets:
        assert secret not in str(lines)
        assert not [text for text in told if secret in text]
