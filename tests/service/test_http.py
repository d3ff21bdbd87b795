"""What holds everywhere: pages, ETags, kept answers, rate limits, headers."""

import io
import threading
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import structlog
from flask import Flask
from flask.testing import FlaskClient
from structlog.testing import capture_logs
from werkzeug.http import parse_options_header

from maumau.logs import configure
from maumau.settings import Settings
from maumau.storage import Database
from maumau.usecases import tidy
from tests.service.conftest import Bearer, Clock, MakeApp

BOTS = "/api/v1/bots"
RULES = {"preset": "champion", "overrides": {"game": {"target": 77}}}


def put_bots(client: FlaskClient, headers: dict[str, str], count: int) -> None:
    for i in range(count):
        form = {"name": f"bot-{i:02}", "file": (io.BytesIO(b"#"), "b.py")}
        assert client.post(BOTS, data=form, headers=headers).status_code == 202


def test_pages_give_every_item_once_and_a_link_to_the_next(
    client: FlaskClient, bearer: Bearer
) -> None:
    put_bots(client, bearer("ann"), 7)
    seen: list[str] = []
    path = f"{BOTS}?limit=3&owner=ann"
    while path:
        answer = client.get(path)
        told: Any = answer.json
        seen += [bot["name"] for bot in told["items"]]
        link = answer.headers.get("Link")
        assert (link is None) == (told["next"] is None)
        if link is None:
            break
        address, rest = link.split(";")
        assert rest.strip() == 'rel="next"'
        path = address.strip("<>")
        query = parse_qs(urlsplit(path).query)
        assert query == {"limit": ["3"], "owner": ["ann"], "cursor": [told["next"]]}
    assert seen == [f"bot-{i:02}" for i in range(7)]


def test_rule_sets_are_paged_presets_first(client: FlaskClient, bearer: Bearer) -> None:
    client.post("/api/v1/rulesets", json=RULES, headers=bearer("ann"))
    whole: Any = client.get("/api/v1/rulesets").json
    assert [one["preset"] for one in whole["items"]] == [True] * 7 + [False]
    for limit in (1, 3, 7):
        seen, cursor = [], None
        while True:
            query = f"?limit={limit}" + (f"&cursor={cursor}" if cursor else "")
            told: Any = client.get(f"/api/v1/rulesets{query}").json
            seen += told["items"]
            cursor = told["next"]
            if cursor is None:
                break
        assert seen == whole["items"]


@pytest.mark.parametrize("path", [BOTS, "/api/v1/rulesets/champion", "/api/v1/openapi.json", "/"])
def test_what_a_client_has_already_is_not_sent_again(client: FlaskClient, path: str) -> None:
    first = client.get(path)
    etag = first.headers["ETag"]
    again = client.get(path, headers={"If-None-Match": etag})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == etag
    other = client.get(path, headers={"If-None-Match": '"another"'})
    assert (other.status_code, other.data) == (200, first.data)


def test_a_change_changes_the_etag(client: FlaskClient, bearer: Bearer) -> None:
    before = client.get(BOTS).headers["ETag"]
    put_bots(client, bearer("ann"), 1)
    after = client.get(BOTS, headers={"If-None-Match": before})
    assert after.status_code == 200
    assert after.headers["ETag"] != before


def test_a_key_does_the_work_once_and_gets_the_same_answer(
    client: FlaskClient, bearer: Bearer, db: Database, clock: Clock
) -> None:
    headers = bearer("ann") | {"Idempotency-Key": "k-1"}
    form = lambda: {"name": "alpha", "file": (io.BytesIO(b"#"), "b.py")}  # noqa: E731
    first = client.post(BOTS, data=form(), headers=headers)
    with db.begin() as tx:
        tx.bots.decide(1, "accepted", now=clock())
    again = client.post(BOTS, data=form(), headers=headers)
    assert (first.status_code, again.status_code) == (202, 202)
    assert again.data == first.data
    assert again.headers["Location"] == first.headers["Location"]
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"


def test_a_key_is_its_accounts_own(client: FlaskClient, bearer: Bearer) -> None:
    for name in ("ann", "bob"):
        form = {"name": f"bot-of-{name}", "file": (io.BytesIO(b"#"), "b.py")}
        headers = bearer(name) | {"Idempotency-Key": "same"}
        answer = client.post(BOTS, data=form, headers=headers)
        assert answer.status_code == 202
        assert answer.json is not None
        assert answer.json["owner"] == name


def test_a_key_with_another_request_is_refused(client: FlaskClient, bearer: Bearer) -> None:
    headers = bearer("ann") | {"Idempotency-Key": "k"}
    assert client.post("/api/v1/rulesets", json=RULES, headers=headers).status_code == 201
    answer = client.post("/api/v1/rulesets", json={"preset": "champion"}, headers=headers)
    assert answer.status_code == 422
    assert answer.json is not None
    assert answer.json["code"] == "idempotency_key_reused"


def test_a_refused_request_keeps_no_answer(client: FlaskClient, bearer: Bearer) -> None:
    headers = bearer("ann") | {"Idempotency-Key": "k"}
    assert client.post("/api/v1/rulesets", json={"preset": "x"}, headers=headers).status_code == 422
    assert client.post("/api/v1/rulesets", json=RULES, headers=headers).status_code == 201


def test_an_answer_is_kept_for_days_not_for_ever(
    client: FlaskClient, bearer: Bearer, clock: Clock, db: Database
) -> None:
    def ask(key: str) -> bool:
        tidy.forget_answers(db, clock)  # as the workers do
        headers = bearer("ann") | {"Idempotency-Key": key}
        answer = client.post("/api/v1/rulesets", json=RULES, headers=headers)
        assert answer.status_code == 201
        return "Idempotent-Replayed" in answer.headers

    assert [ask("k"), ask("k")] == [False, True]
    clock.forward(days=6)
    assert [ask("other"), ask("k")] == [False, True]
    clock.forward(days=2)
    assert [ask("third"), ask("k")] == [False, False]


@pytest.mark.parametrize("key", ["", "x" * 256, "ümlaut"])
def test_a_key_that_is_none_is_refused(client: FlaskClient, bearer: Bearer, key: str) -> None:
    headers = bearer("ann") | {"Idempotency-Key": key}
    answer = client.post("/api/v1/rulesets", json=RULES, headers=headers)
    assert answer.status_code == 422
    assert answer.json is not None
    assert answer.json["errors"][0]["path"] == "Idempotency-Key"


def test_many_requests_at_once_with_one_key_make_one_thing(app: Flask, bearer: Bearer) -> None:
    headers = bearer("ann") | {"Idempotency-Key": "k"}
    together = threading.Barrier(8)
    answers = []

    def send(number: int) -> None:
        form = {"name": "alpha", "file": (io.BytesIO(b"#"), "b.py")}
        client = app.test_client()
        together.wait()
        answers.append(client.post(BOTS, data=form, headers=headers))

    threads = [threading.Thread(target=send, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Only one of them was the first; to all others its answer was given.
    assert [a.status_code for a in answers] == [202] * 8
    assert len({a.data for a in answers}) == 1
    assert sum("Idempotent-Replayed" not in a.headers for a in answers) == 1


@pytest.mark.parametrize("redis", [True, False])
def test_too_many_requests_are_told_how_long_to_wait(
    make_app: MakeApp, bearer: Bearer, request: pytest.FixtureRequest, redis: bool
) -> None:
    url = request.getfixturevalue("valkey") if redis else None
    client = make_app(rate_reads="3/hour", rate_writes="2/hour", redis_url=url).test_client()
    assert [client.get(BOTS).status_code for _ in range(4)] == [200, 200, 200, 429]
    refused = client.get(BOTS)
    assert refused.content_type == "application/problem+json"
    assert refused.json is not None
    assert refused.json["code"] == "too_many_requests"
    assert 0 < int(refused.headers["Retry-After"]) <= 3600
    # Others, other kinds of request, and supervisors are not concerned.
    assert client.get(BOTS, headers=bearer("ann")).status_code == 200
    assert client.post("/api/v1/rulesets/preview", json=RULES).status_code == 200
    assert client.get("/healthz").status_code == 200


def test_bad_tokens_count_against_the_address(make_app: MakeApp) -> None:
    client = make_app(rate_reads="2/hour").test_client()
    bad = {"Authorization": "Bearer mm_guess"}
    assert [client.get(BOTS, headers=bad).status_code for _ in range(3)] == [401, 401, 429]


def test_without_redis_requests_are_counted_all_the_same(make_app: MakeApp, tmp_path: Any) -> None:
    client = make_app(rate_reads="2/hour", redis_url=f"unix://{tmp_path}/no.sock").test_client()
    assert [client.get(BOTS).status_code for _ in range(3)] == [200, 200, 429]


def test_limits_can_be_off(make_app: MakeApp) -> None:
    client = make_app(rate_reads=None).test_client()
    assert [client.get(BOTS).status_code for _ in range(5)] == [200] * 5


@pytest.mark.parametrize("path", ["/", BOTS, "/api/v1/nothing", "/api/v1/docs"])
def test_every_answer_carries_what_browsers_need(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert len(headers["X-Request-ID"]) == 16
    assert parse_options_header(headers["Content-Type"])[0]


def test_a_database_that_is_away_is_a_503_without_its_address(make_app: MakeApp) -> None:
    url = "postgresql://nobody:hunter2@127.0.0.1:1/none?connect_timeout=1"
    answer = make_app(database_url=url).test_client().get(BOTS)
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert answer.json is not None
    assert answer.json["code"] == "database"
    assert "127.0.0.1" not in answer.text


def test_a_line_of_the_log_tells_the_request_without_its_secrets(
    client: FlaskClient, bearer: Bearer
) -> None:
    headers = bearer("ann")
    with capture_logs() as lines:
        answer = client.post("/api/v1/rulesets", json=RULES, headers=headers)
    (line,) = lines
    assert line["request_id"] == answer.headers["X-Request-ID"]
    assert (line["method"], line["path"]) == ("POST", "/api/v1/rulesets")
    assert (line["status"], line["account"]) == (201, "ann")
    assert headers["Authorization"].removeprefix("Bearer ") not in str(lines)


def test_no_control_character_of_a_request_reaches_the_log(
    client: FlaskClient, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    before = structlog.get_config()
    try:
        configure(replace(settings, log_level="info"))
        client.get("/nothing%1b[2Jhere%c2%9b%00")
        client.get("/nothing%0d%0aforged%e2%80%ae")
    finally:
        structlog.configure(**before)
    said = capsys.readouterr().out.splitlines()
    assert [line.isprintable() for line in said] == [True, True]
    assert "path=/nothing\\x1b[2Jhere\\x9b\\x00 " in said[0]


def test_a_mistake_of_ours_is_logged_and_not_told(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the password is hunter2")

    monkeypatch.setattr("maumau.usecases.read.bots", broken)
    with capture_logs() as lines:
        answer = app.test_client().get(BOTS)
    assert answer.status_code == 500
    assert answer.content_type == "application/problem+json"
    assert "hunter2" not in answer.text
    error = next(line for line in lines if line["event"] == "internal_error")
    assert answer.json is not None
    assert error["request_id"] == answer.json["request_id"]
    assert "hunter2" in str(error["exc_info"])


def counted(client: FlaskClient, forwarded: str | None, address: str = "10.0.0.1") -> int:
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    return client.get(BOTS, headers=headers, environ_base={"REMOTE_ADDR": address}).status_code


def test_without_trusted_proxies_nobody_chooses_whom_they_are_counted_as(
    make_app: MakeApp,
) -> None:
    client = make_app(rate_reads="2/hour").test_client()
    told = [counted(client, f"192.0.2.{i}") for i in range(3)]
    assert told == [200, 200, 429]


def test_behind_proxies_the_asker_is_counted_by_what_the_trusted_ones_saw(
    make_app: MakeApp,
) -> None:
    client = make_app(rate_reads="2/hour", trusted_proxies=2).test_client()
    # The last two are the proxies' own words: asker and inner proxy. What stands before is the
    # asker's invention and changes nothing.
    told = [counted(client, f"203.0.113.{i}, 192.0.2.1, 10.0.0.2") for i in range(3)]
    assert told == [200, 200, 429]
    assert counted(client, "192.0.2.2, 10.0.0.2") == 200


def test_of_ipv6_one_network_is_one_asker(make_app: MakeApp) -> None:
    client = make_app(rate_reads="2/hour").test_client()
    told = [counted(client, None, f"2001:db8:0:7::{i}") for i in range(3)]
    assert told == [200, 200, 429]
    assert counted(client, None, "2001:db8:0:8::1") == 200


def test_two_tokens_of_one_account_share_its_rate(make_app: MakeApp, bearer: Bearer) -> None:
    client = make_app(rate_reads="2/hour").test_client()
    first, second = bearer("ann"), bearer("ann")
    told = [client.get(BOTS, headers=one).status_code for one in (first, second, first)]
    assert told == [200, 200, 429]
    assert client.get(BOTS, headers=bearer("bob")).status_code == 200


HOSTILE = (
    "",
    "\xff\xc3(",
    "[",
    "http://[",
    '"""x,W/',
    "=;;=",
    "a" * 5000,
    "-1",
    "bytes=9-1,-,x",
    "*/*;q=x",
)
FIELDS = (
    *("Accept", "Accept-Language", "Authorization", "Content-Type", "Content-Length", "Cookie"),
    *("Host", "Idempotency-Key", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range"),
    *("Origin", "Range", "Referer", "Sec-Fetch-Site", "X-Forwarded-For", "X-Request-ID"),
)


def test_no_header_field_is_ever_our_mistake(make_app: MakeApp, bearer: Bearer) -> None:
    client = make_app(rate_reads=None, rate_writes=None).test_client()
    ann = bearer("ann")
    asked: tuple[tuple[str, str, dict[str, str]], ...] = (
        ("GET", "/", {}),
        ("GET", BOTS, ann),
        ("POST", "/api/v1/tournaments", ann),
        ("POST", "/session", {}),
    )
    mistakes = [
        (field, value[:20], method, path)
        for field in FIELDS
        for value in HOSTILE
        for method, path, who in asked
        if client.open(path, method=method, headers={**who, field: value}, data=b"{}").status_code
        >= 500
    ]
    assert mistakes == []
