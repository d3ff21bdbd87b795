import json

import pytest
from flask import Flask

from maumau import errors
from maumau.errors import Problem
from service import problems
from service.problems import HttpProblem


@pytest.fixture
def app() -> Flask:
    app = Flask(__name__)
    problems.register(app)
    return app


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (errors.InvalidInput("no"), 422, "invalid_input"),
        (errors.RuleSetError("no"), 422, "invalid_rule_set"),
        (errors.IllegalAction("7h", ["draw"]), 409, "illegal_action"),
        (errors.RecordError("deals[0]", "no"), 422, "false_record"),
        (errors.BotError("two_bots", "no"), 422, "two_bots"),
        (errors.NotFound("bot", "x"), 404, "not_found"),
        (errors.Conflict("name_taken", "no"), 409, "name_taken"),
        (errors.Unauthenticated("no"), 401, "unauthenticated"),
        (errors.Forbidden("no"), 403, "forbidden"),
        (errors.Unavailable("uploads_off", "no"), 503, "uploads_off"),
        (HttpProblem(413, "no"), 413, "too_large"),
    ],
)
def test_each_error_of_the_domain_has_its_status_and_code(
    app: Flask, error: Exception, status: int, code: str
) -> None:
    @app.get("/")
    def fail() -> str:
        raise error

    answer = app.test_client().get("/")
    assert answer.status_code == status
    assert answer.content_type == "application/problem+json"
    assert answer.json is not None
    assert answer.json["status"] == status
    assert answer.json["code"] == code
    assert answer.json["detail"]
    assert answer.headers["Cache-Control"] == "no-store"


def test_every_error_class_of_the_domain_is_mapped() -> None:
    def below(kind: type[errors.MaumauError]) -> set[type[errors.MaumauError]]:
        return {kind}.union(*(below(k) for k in kind.__subclasses__()))

    domain = {k for k in below(errors.MaumauError) if k.__module__ == "maumau.errors"}
    mapped = tuple(kind for kind, _ in problems.STATUS)
    assert {k for k in domain if not issubclass(k, mapped)} == {errors.MaumauError}


def test_bad_values_are_told_with_their_paths(app: Flask) -> None:
    @app.get("/")
    def fail() -> str:
        raise errors.InvalidInput([Problem("entrants.0", "unknown"), Problem("seats", "too few")])

    answer = app.test_client().get("/")
    assert answer.json is not None
    assert answer.json["errors"] == [
        {"path": "entrants.0", "message": "unknown"},
        {"path": "seats", "message": "too few"},
    ]


def test_waiting_is_told_in_seconds(app: Flask) -> None:
    @app.get("/")
    def fail() -> str:
        raise errors.Unavailable("database", "away: secret-host refused", retry_after=7)

    answer = app.test_client().get("/")
    assert answer.headers["Retry-After"] == "7"
    assert b"secret-host" not in answer.data


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nothing", 404, "not_found"),
        ("POST", "/only-get", 405, "method_not_allowed"),
        ("GET", "/broken", 500, "internal"),
    ],
)
def test_errors_of_http_are_problems_too(
    app: Flask, method: str, path: str, status: int, code: str
) -> None:
    @app.get("/only-get")
    def only_get() -> str:
        return "here"

    @app.get("/broken")
    def broken() -> str:
        raise RuntimeError("the password is hunter2")

    answer = app.test_client().open(path, method=method)
    assert answer.status_code == status
    assert answer.content_type == "application/problem+json"
    assert json.loads(answer.data)["code"] == code
    assert b"hunter2" not in answer.data
    if status == 405:
        assert "GET" in answer.headers["Allow"]
        assert "GET" in json.loads(answer.data)["detail"]


def test_the_parsers_messages_become_dotted_paths() -> None:
    messages = {"json": {"entrants": {0: ["Not a string."]}, "_schema": ["Wrong."]}}
    assert list(problems.flatten(messages)) == [
        Problem("entrants.0", "Not a string."),
        Problem("", "Wrong."),
    ]
