import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient

from maumau.storage.values import ROLES
from service import auth
from tests.service.conftest import Bearer, Clock


def routes(app: Flask) -> Iterator[tuple[str, str]]:
    for rule in app.url_map.iter_rules():
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            yield method, rule.rule


def test_the_role_table_holds_every_route_and_nothing_else(app: Flask) -> None:
    assert set(routes(app)) == set(auth.ROUTES)
    assert set(auth.ROUTES.values()) <= {None, *ROLES}


def test_a_route_that_the_table_lacks_answers_nobody(
    app: Flask, bearer: Bearer, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = {key: role for key, role in auth.ROUTES.items() if key[1] != "/"}
    monkeypatch.setattr(auth, "ROUTES", table)
    client = app.test_client()
    assert client.get("/").status_code == 401
    assert client.get("/", headers=bearer("boss", "admin")).status_code == 403


@pytest.mark.parametrize(("method", "rule"), [k for k, role in auth.ROUTES.items() if role])
@pytest.mark.parametrize("role", [None, *ROLES])
def test_each_protected_route_lets_pass_its_role_and_those_above(
    client: FlaskClient, bearer: Bearer, method: str, rule: str, role: str | None
) -> None:
    path = re.sub(r"<int:[^>]+>", "1", re.sub(r"<(name|id)>", "nobody", rule))
    headers = bearer(f"a-{role}", role) if role else {}
    answer = client.open(path, method=method, headers=headers)
    needed = auth.ROUTES[method, rule]
    assert needed is not None
    if role is None:
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    elif ROLES.index(role) < ROLES.index(needed):  # type: ignore[arg-type]
        assert answer.status_code == 403
        assert answer.json is not None
        assert needed in answer.json["detail"]
    else:
        assert answer.status_code not in (401, 403)


@pytest.mark.parametrize(
    "header",
    [
        "Bearer mm_unknown",
        "Bearer",
        "Bearer ",
        "Basic YTpi",
        "Basic \xc3(",
        "mm_unknown",
        "Bearer \xfc",
    ],
)
def test_a_bad_token_is_refused_on_open_routes_too(client: FlaskClient, header: str) -> None:
    answer = client.get("/api/v1/bots", headers={"Authorization": header})
    assert answer.status_code == 401
    assert answer.json is not None
    assert answer.json["code"] == "unauthenticated"
    assert "mm_unknown" not in answer.text


def test_an_expired_token_is_refused(client: FlaskClient, bearer: Bearer, clock: Clock) -> None:

    headers = bearer("ann", expires_at=clock() + timedelta(hours=1))
    assert client.get("/api/v1/bots", headers=headers).status_code == 200
    clock.forward(hours=2)
    assert client.get("/api/v1/bots", headers=headers).status_code == 401


def test_options_tells_the_methods_and_nothing_else(client: FlaskClient) -> None:
    answer = client.options("/api/v1/bots")
    assert answer.status_code == 200
    assert "POST" in answer.headers["Allow"]
