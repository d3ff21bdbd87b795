"""Wrong input of every kind: a problem document that says what to mend, and nothing changed."""

import hashlib
import io
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import psycopg
import pytest
from flask.testing import FlaskClient

from maumau.usecases.submit_bot import LARGEST
from tests.service.conftest import House, new_house
from tests.service.test_bots import BOT, submit

API = "/api/v1"


@dataclass
class Wrong:
    """A request, and what its answer must say: status, code, path of the bad value, a phrase."""

    name: str
    method: str
    path: str
    status: int
    code: str
    says: str
    at: str | None = None
    json: Any = None
    data: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    query: str = ""
    account: str | None = "ann"


def body(name: str, says: str, data: bytes, status: int = 400, **more: Any) -> Wrong:
    headers = {"Content-Type": more.pop("type", "application/json")}
    code = more.pop("code", "malformed_json")
    return Wrong(
        name, "POST", "/tournaments", status, code, says, data=data, headers=headers, **more
    )


def tournament(title: str, at: str, says: str, /, **changed: Any) -> Wrong:
    code = changed.pop("code", "invalid_input")
    wanted = {"entrants": ["alpha", "beta"], "rules": "champion", "blocks": 2} | changed
    wanted = {key: value for key, value in wanted.items() if value is not ...}
    return Wrong(title, "POST", "/tournaments", 422, code, says, at=at, json=wanted)


def rules(title: str, at: str, says: str, /, **spec: Any) -> Wrong:
    return Wrong(title, "POST", "/rulesets", 422, "invalid_rule_set", says, at=at, json=spec)


def upload(title: str, at: str, says: str, status: int = 422, /, **form: Any) -> Wrong:
    sent = {"name": "gamma", "file": ("gamma.py", BOT)} | form
    code = {422: "invalid_input", 409: "name_taken", 413: "too_large"}[status]
    return Wrong(title, "POST", "/bots", status, code, says, at=at or None, data=sent)


def listed(name: str, query: str, at: str, path: str = "/bots", says: str = "") -> Wrong:
    return Wrong(name, "GET", path, 422, "invalid_input", says, at=at, query=query)


def missing(path: str, method: str = "GET") -> Wrong:
    return Wrong(f"{method} {path}", method, path, 404, "not_found", "there is no")


CASES = [
    # Bodies
    body("malformed JSON", "line 1 column 2", b"{nonsense"),
    body("no body", "line 1 column 1", b""),
    body("cut off", "line 1", b'{"rules": "champ'),
    body("not UTF-8", "UTF-8", b'{"name": "\xff"}'),
    body("NaN", "NaN", b'{"seats": NaN}'),
    body("a key twice", "'seats' stands twice", b'{"seats": 2, "seats": 3}'),
    body("half a surrogate", "surrogate", b'{"name": "\\ud800"}'),
    body("nested too deeply", "nested", b"[" * 100_000),
    body("a number without end", "digits", b'{"seats": ' + b"9" * 5000 + b"}"),
    body("not an object", "must be an object", b"[1]", 422, code="invalid_input"),
    body("null", "must be an object", b"null", 422, code="invalid_input"),
    body(
        *("wrong content type", "application/json", b"a=b", 415),
        code="unsupported_media_type",
        type="text/plain",
    ),
    body(
        *("a form in place of JSON", "application/json", b"a=b", 415),
        code="unsupported_media_type",
        type="application/x-www-form-urlencoded",
    ),
    body("too large", "at most", b'"' + b"x" * 1_000_001 + b'"', 413, code="too_large"),
    # Tournaments
    tournament(
        "unknown preset", "rules.preset", "champion", rules="champoin", code="invalid_input"
    ),
    tournament("unknown rule set", "rules", "no rule set", rules="0" * 64),
    tournament("rules of no kind", "rules", "must be", rules=7),
    tournament(
        *("bad override path", "rules.game.goal", "goal"),
        rules={"preset": "champion", "overrides": {"game": {"goal": 1}}},
    ),
    tournament(
        *("bad override value", "rules.game.target", "whole number"),
        rules={"preset": "champion", "overrides": {"game": {"target": "much"}}},
    ),
    tournament("unknown bot", "entrants.1", "no bot 'nobody'", entrants=["alpha", "nobody"]),
    tournament("unknown version", "entrants.0", "'alpha@9'", entrants=["alpha@9", "beta"]),
    tournament("a bot that waits", "entrants.1", "no accepted", entrants=["alpha", "waiting"]),
    tournament("a rejected version", "entrants.1", "rejected", entrants=["alpha", "bad@1"]),
    tournament("an entrant twice", "entrants.1", "twice", entrants=["alpha", "alpha@1"]),
    tournament("one entrant", "entrants", "2", entrants=["alpha"]),
    tournament("no entrants", "entrants", "2", entrants=[]),
    tournament("entrants missing", "entrants", "is missing: it must be a list", entrants=...),
    tournament("entrants no list", "entrants", "list", entrants="alpha"),
    tournament("an entrant no text", "entrants.0", "must be a text", entrants=[1, "beta"]),
    tournament("rules missing", "rules", "is missing: it must be a text or an object", rules=...),
    tournament("too few seats", "seats", "seats", seats=1),
    tournament("more seats than the rules have", "seats", "for 2", seats=3),
    tournament("more seats than entrants", "entrants", "3", seats=3, rules="straffpoang"),
    tournament("seats no number", "seats", "must be a whole number", seats="2"),
    tournament("seats a fraction", "seats", "must be a whole number", seats=2.5),
    tournament("no blocks", "blocks", "", blocks=0),
    tournament("too many blocks", "blocks", "", blocks=10**9),
    tournament("unknown line-ups", "line_ups", "balanced", line_ups="some"),
    tournament("unknown limit", "limits.patience", "", limits={"patience": 1}),
    tournament("limit out of range", "limits.decision_ms", "", limits={"decision_ms": 0}),
    tournament("empty seed", "seed", "empty", seed=""),
    tournament("seed too long", "seed", "128", seed="x" * 129),
    tournament("seed no text", "seed", "must be a text", seed=7),
    tournament("start in the past", "start_at", "past", start_at="2020-01-01T00:00:00Z"),
    tournament("start without a zone", "start_at", "zone", start_at="2030-01-01T00:00:00"),
    tournament("start no time", "start_at", "RFC 3339", start_at="soon"),
    tournament("name too long", "name", "120", name="x" * 121),
    tournament("name with a line feed", "name", "printable", name="a\nb"),
    tournament("unknown key", "speed", "known are blocks, entrants", speed="fast"),
    # Rule sets
    rules("unknown preset of a rule set", "preset", "champion", preset="champoin"),
    rules("unknown option", "options.0", "pack-32", preset="champion", options=["pack-31"]),
    rules("overrides no object", "overrides", "object", preset="champion", overrides=[1]),
    rules("unknown key of a rule set", "hand_sise", "hand_size", hand_sise=5),
    rules("a pack too small", "hand_size", "", preset="champion", overrides={"hand_size": 31}),
    # Submissions
    upload("name missing", "name", "is missing: it must be a text", name=None),
    upload("file missing", "file", "is missing: it must be a file", file=None, other=("x.py", BOT)),
    upload("file no file", "file", "-F file=@", file="text", other=("x.py", BOT)),
    upload("bad name", "name", "a-z", name="Gamma!"),
    upload("name too short", "name", "2 to 40", name="g"),
    upload("hostile name", "name", "a-z", name="<script>"),
    upload("file of no known kind", "file", ".whl", file=("gamma.exe", BOT)),
    upload("file name with a path", "file", "", file=("a" * 300 + ".py", BOT)),
    upload("empty file", "file", "empty", file=("gamma.py", b"")),
    upload("oversized", "", "5 MB", 413, file=("gamma.py", b"#" * (LARGEST + 1))),
    upload("another owner's name", "", "another account", 409, name="theirs"),
    upload("unknown field", "surname", "known are file, name", surname="x"),
    Wrong(
        *("not a form", "POST", "/bots", 415, "unsupported_media_type", "multipart/form-data"),
        json={"name": "gamma"},
    ),
    # Lists
    listed("bad cursor", "cursor=nonsense", "cursor", says="first page"),
    listed("cursor of another list", "cursor={cursor}", "cursor", "/tournaments", "first page"),
    listed("cursor with other filters", "cursor={cursor}&owner=ann", "cursor", says="first page"),
    listed("limit of zero", "limit=0", "limit"),
    listed("limit too large", "limit=201", "limit"),
    listed("limit no number", "limit=many", "limit"),
    listed("unknown sort", "sort=luck", "sort", says="must be one of name, -created_at"),
    listed("unknown argument", "colour=red", "colour", says="known are cursor, limit"),
    listed("unknown state", "state=asleep", "state", "/tournaments"),
    listed("unknown form", "format=xml", "format", "/leaderboard"),
    listed("seats of the leaderboard", "seats=1", "seats", "/leaderboard"),
    # Addresses
    missing("/bots/nobody"),
    missing("/bots/nobody/versions"),
    missing("/bots/alpha/versions/9"),
    missing("/bots/alpha/versions/99999999999999999999"),
    missing("/bots/alpha/versions/9", "DELETE"),
    missing("/bots/nobody", "DELETE"),
    missing("/bots/alpha/versions/99999999999999999999", "DELETE"),
    missing("/bots/alpha/versions/99999999999999999999/log"),
    missing("/bots/alpha/versions/9/log"),
    missing("/bots/alpha/versions/9/source"),
    missing("/rulesets/nothing"),
    missing("/rulesets/" + "0" * 64),
    missing("/tournaments/nothing"),
    missing("/tournaments/nothing/standings"),
    missing("/tournaments/nothing/crosstable"),
    missing("/tournaments/nothing/matches"),
    missing("/tournaments/nothing/games"),
    missing("/tournaments/nothing/events"),
    missing("/tournaments/nothing/cancel", "POST"),
    missing("/matches/nothing"),
    missing("/matches/nothing-0"),
    missing("/matches/nothing-0/games"),
    missing("/games/nothing"),
    missing("/games/nothing-0-0-0"),
    missing("/games/nothing-0-0-0/record"),
    missing("/games/nothing-0-0-0/fault"),
    *[
        Wrong(f"NUL at {path}", "GET", path, 400, "bad_request", "NUL", query=query)
        for path, query in [
            ("/bots/al%00pha", ""),
            ("/rulesets/a%00", ""),
            ("/tournaments/a%00/standings", ""),
            ("/bots", "owner=%00"),
            ("/tournaments", "bot=a%00&state=running"),
            ("/leaderboard", "rules=%00"),
        ]
    ],
    missing("/bots/%ff"),
    missing("/bots/%ed%a0%80"),
    missing("/tournaments/%F0%9F%83%8F/standings"),
    Wrong("no address", "GET", "/nothing", 404, "not_found", "/api/v1/docs"),
    Wrong("wrong method", "PUT", "/bots", 405, "method_not_allowed", "POST"),
    # Tokens
    Wrong("no token", "POST", "/tournaments", 401, "unauthenticated", "Bearer", account=None),
    Wrong(
        *("bad token", "POST", "/tournaments", 401, "unauthenticated", "revoked"),
        headers={"Authorization": "Bearer mm_nonsense"},
        account=None,
    ),
    Wrong(
        *("too small a role", "POST", "/tournaments", 403, "forbidden", "author"),
        account="rea",
    ),
]


@dataclass
class World:
    """What all cases look at, and none changes."""

    house: House
    client: FlaskClient
    tokens: dict[str, dict[str, str]]
    cursor: str


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def world(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[World]:
    """Two accepted bots of Ann's, one that waits, one rejected; one of Bob's."""
    house = new_house(request, tmp_path_factory.mktemp("world"), request.param)
    client = house.app().test_client()
    ann, bob = house.bearer("ann"), house.bearer("bob")
    for number, state in enumerate(("accepted", "accepted", "rejected", None), start=1):
        name = ("alpha", "beta", "bad", "waiting")[number - 1]
        assert submit(client, ann, name=name, content=name.encode()).status_code == 202
        if state is not None:
            with house.db.begin() as tx:
                assert tx.bots.decide(number, state, now=house.clock())  # type: ignore[arg-type]
    assert submit(client, bob, name="theirs").status_code == 202
    told: Any = client.get(f"{API}/bots?limit=1").json
    yield World(house, client, {"ann": ann, "rea": house.bearer("rea", "reader")}, told["next"])
    house.db.close()


def everything(house: House) -> str:
    """Give all that the database holds as one hash."""
    url = house.settings.database_url
    if url.startswith("sqlite"):
        with sqlite3.connect(house.settings.var / "maumau.db") as connection:
            rows = list(connection.iterdump())
    else:
        with psycopg.connect(url) as server:
            tables = server.execute(
                "SELECT table_name FROM information_schema.tables "
                "WHERE table_schema = 'public' ORDER BY 1"
            ).fetchall()
            rows = [
                str(row)
                for (table,) in tables
                for row in server.execute(f'SELECT t::text FROM "{table}" t ORDER BY 1').fetchall()
            ]
    assert len(rows) > 20
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()


def files(form: Any) -> Any:
    if not isinstance(form, dict):
        return form
    return {
        key: (io.BytesIO(value[1]), value[0]) if isinstance(value, tuple) else value
        for key, value in form.items()
        if value is not None
    }


@pytest.mark.parametrize("wrong", CASES, ids=lambda wrong: wrong.name)
def test_it_is_refused_with_what_to_mend_and_changes_nothing(world: World, wrong: Wrong) -> None:
    tokens = world.tokens[wrong.account] if wrong.account else {}
    before = everything(world.house)
    answer = world.client.open(
        f"{API}{wrong.path}?{wrong.query.format(cursor=world.cursor)}",
        method=wrong.method,
        json=wrong.json,
        data=files(wrong.data),
        headers=wrong.headers | tokens,
    )
    assert (answer.status_code, answer.content_type) == (wrong.status, "application/problem+json")
    told: Any = answer.json
    assert told["status"] == wrong.status
    assert told["code"] == wrong.code, told
    assert told["detail"]
    assert wrong.says in answer.text.encode().decode("unicode_escape"), told
    if wrong.at is not None:
        assert wrong.at in [error["path"] for error in told["errors"]], told
    assert everything(world.house) == before


def test_no_two_cases_have_one_name() -> None:
    assert len({case.name for case in CASES}) == len(CASES)
