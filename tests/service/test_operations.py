from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from maumau.storage import Database
from maumau.usecases import workers
from service.auth import ROUTES
from tests.service.conftest import Clock


@pytest.mark.parametrize("path", ["/healthz", "/api/v1/healthz"])
def test_the_process_answers(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.json) == (200, {"status": "ok"})


@pytest.mark.parametrize("path", ["/readyz", "/api/v1/readyz"])
def test_a_migrated_database_makes_it_ready(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.json == {
        "status": "ok",
        "database": "ok",
        "migrations": "ok",
        "queue": "none",
        "workers": "none: work waits until one starts",
        "sandbox": "not used: MAUMAU_UPLOADS=unsafe",
    }
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_database_without_its_schema_is_not_ready(
    make_app: Callable[..., Flask], tmp_path: Path
) -> None:
    app = make_app(database_url=f"sqlite:///{tmp_path}/empty.db")
    answer = app.test_client().get("/readyz")
    assert answer.status_code == 503
    assert answer.json is not None
    assert answer.json["status"] == "unavailable"
    assert "run the migration" in answer.json["migrations"]


def test_a_database_that_is_away_is_not_ready(make_app: Callable[..., Flask]) -> None:
    app = make_app(database_url="postgresql://nobody@127.0.0.1:1/none?connect_timeout=1")
    answer = app.test_client().get("/readyz")
    assert answer.status_code == 503
    assert answer.json is not None
    assert answer.json["database"] == "away"


def test_a_queue_that_is_away_is_said_but_does_no_harm(
    make_app: Callable[..., Flask], tmp_path: Path
) -> None:
    answer = make_app(redis_url=f"unix://{tmp_path}/no.sock").test_client().get("/readyz")
    assert answer.status_code == 200
    assert answer.json is not None
    assert answer.json["queue"].startswith("away")


def test_a_queue_that_answers_is_ok(make_app: Callable[..., Flask], valkey: str) -> None:
    answer = make_app(redis_url=valkey).test_client().get("/readyz")
    assert answer.json is not None
    assert answer.json["queue"] == "ok"


def readiness(make_app: Callable[..., Flask]) -> tuple[str, str]:
    answer = make_app(uploads="sandbox").test_client().get("/readyz")
    assert answer.status_code == 200
    assert answer.json is not None
    return answer.json["workers"], answer.json["sandbox"]


def test_the_reason_of_a_sandbox_that_does_not_hold_is_told(
    make_app: Callable[..., Flask], db: Database, clock: Clock
) -> None:
    none = "none: work waits until one starts"
    assert readiness(make_app) == (none, "unknown: no worker has tried it")
    workers.show(db, clock, "one", cages=False, reason="no Landlock in this kernel")
    assert readiness(make_app) == ("ok", "unavailable: no Landlock in this kernel")
    # One that can is enough.
    workers.show(db, clock, "two", cages=True, reason="")
    assert readiness(make_app) == ("ok", "ok")
    clock.forward(seconds=61)
    assert readiness(make_app) == (none, "unknown: no worker has tried it")


def test_workers_are_unknown_where_the_database_is(make_app: Callable[..., Flask]) -> None:
    app = make_app(database_url="postgresql://nobody@127.0.0.1:1/none?connect_timeout=1")
    answer = app.test_client().get("/readyz").json
    assert answer is not None
    assert (answer["workers"], answer["sandbox"]) == ("unknown", "unknown")


@pytest.mark.parametrize("address", ["/api/v1", "/api/v1/"])
def test_the_index_leads_to_everything_that_can_be_read_as_it_is(
    client: FlaskClient, address: str
) -> None:
    answer = client.get(address)
    assert answer.status_code == 200
    shown = answer.get_json()
    assert {"openapi", "docs", "bots", "tournaments", "rulesets", "leaderboard"} <= set(
        shown["links"]
    )
    for name, link in shown["links"].items():
        status = 401 if ROUTES["GET", link] else 200
        assert client.get(link).status_code == status, name
