"""`/metrics`: what it counts, and who may read it."""

import json
import re
from typing import Any

import pytest
import structlog
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from maumau.logs import configure
from maumau.usecases import builtins, play
from maumau.usecases.due import due_chunks
from tests.service.conftest import Bearer, House, MakeApp

TOKEN = "prometheus-reads-with-this"
MINE = {"Authorization": f"Bearer {TOKEN}"}


def told(client: FlaskClient, headers: dict[str, str], path: str = "/metrics") -> dict[Any, float]:
    """Give each sample by its name and labels."""
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200
    assert answer.mimetype == "text/plain"
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


@pytest.mark.parametrize("path", ["/metrics", "/api/v1/metrics"])
def test_admins_and_the_token_of_its_own_read_it_and_nobody_else(
    make_app: MakeApp, bearer: Bearer, path: str
) -> None:
    client = make_app(metrics_token=TOKEN).test_client()
    assert client.get(path).status_code == 401
    assert client.get(path, headers=bearer("ann")).status_code == 403
    assert client.get(path, headers={"Authorization": f"Bearer {TOKEN}x"}).status_code == 401
    for headers in (bearer("boss", "admin"), MINE):
        answer = client.get(path, headers=headers)
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/v1/tokens"),
        ("GET", "/api/v1/bots"),
        ("POST", "/api/v1/tournaments"),
        ("POST", "/metrics"),
        ("GET", "/nothing/metrics"),
    ],
)
def test_its_token_opens_nothing_else(make_app: MakeApp, method: str, path: str) -> None:
    client = make_app(metrics_token=TOKEN).test_client()
    assert client.open(path, method=method, headers=MINE).status_code == 401


def test_where_no_such_token_is_set_none_opens_it(client: FlaskClient) -> None:
    assert client.get("/metrics", headers=MINE).status_code == 401
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 401


def test_it_counts_what_is_due_what_was_played_and_what_failed(house: House) -> None:
    builtins.install_builtins(house.db, house.clock)
    client = house.app(metrics_token=TOKEN).test_client()
    wish = {"entrants": ["random", "easy"], "rules": "champion", "blocks": 64}
    made = client.post("/api/v1/tournaments", json=wish, headers=house.bearer("ann"))
    assert made.status_code == 201
    before = told(client, MINE)
    assert before["maumau_database_up",] == 1
    assert before["maumau_workers_alive",] == 0
    assert before["maumau_chunks", "due"] == 2
    assert before["maumau_tournaments", "running"] == 1
    assert before["maumau_blocks_played_total",] == 0
    files = house.settings.var
    chunk, _ = due_chunks(house.db, house.clock)
    assert play.play_chunk(house.db, house.clock, chunk, "w", files=files, uploads="unsafe")
    after = told(client, MINE)
    assert (after["maumau_chunks", "due"], after["maumau_chunks", "done"]) == (1, 1)
    assert after["maumau_blocks_played_total",] == 32
    assert after["maumau_games_played_total",] == 64
    assert after["maumau_faults_total", "host"] == 0


def test_requests_are_counted_by_their_route_not_by_their_address(
    make_app: MakeApp,
) -> None:
    client = make_app(metrics_token=TOKEN).test_client()
    for number in range(3):
        client.get(f"/api/v1/bots/bot-{number}")
        client.open(f"/nothing/{number}", method=f"ODD{number}")
    found = told(client, MINE)
    assert found["maumau_requests_total", "GET", "/api/v1/bots/<name>", "404"] == 3
    assert found["maumau_requests_total", "none", "none", "404"] == 3
    assert found["maumau_request_seconds_count", "GET", "/api/v1/bots/<name>"] == 3


def test_a_database_that_is_away_is_said_and_the_rest_told(make_app: MakeApp) -> None:
    url = "postgresql://nobody:hunter2@127.0.0.1:1/none?connect_timeout=1"
    client = make_app(database_url=url, metrics_token=TOKEN).test_client()
    client.get("/healthz")
    answer = client.get("/metrics", headers=MINE)
    assert "maumau_database_up 0.0" in answer.text
    assert 'route="/healthz"' in answer.text
    assert "hunter2" not in answer.text


def test_the_queues_depth_is_told(make_app: MakeApp, valkey: str) -> None:
    app = make_app(redis_url=valkey, metrics_token=TOKEN)
    app.extensions["maumau"].queue.play_chunks(["t-1", "t-2"])
    assert told(app.test_client(), MINE)["maumau_queue_jobs",] == 2


def test_log_lines_carry_the_request_and_the_block(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = house.settings
    object.__setattr__(settings, "log_format", "json")
    configure(settings)
    try:
        builtins.install_builtins(house.db, house.clock)
        wish = {"entrants": ["random", "easy"], "rules": "champion", "blocks": 40}
        app = house.app(redis_url=f"unix://{settings.var}/no.sock")
        answer = app.test_client().post(
            "/api/v1/tournaments", json=wish, headers=house.bearer("ann")
        )
        structlog.contextvars.clear_contextvars()
        (chunk, _) = due_chunks(house.db, house.clock)
        play.play_chunk(house.db, house.clock, chunk, "w", files=settings.var, uploads="unsafe")
    finally:
        structlog.reset_defaults()
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    by_event = {line["event"]: line for line in lines}
    asked = answer.headers["X-Request-ID"]
    # The queue is away: said by another module, with the id of the request all the same.
    assert by_event["queue_away"]["request_id"] == by_event["request"]["request_id"] == asked
    played = by_event["chunk_played"]
    assert played["chunk"] == chunk
    assert re.fullmatch(r"0-\d+", played["blocks"])
    assert "request_id" not in played
