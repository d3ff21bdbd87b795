from collections.abc import Mapping
from typing import Any

import pytest
from flask import Flask, Response
from flask.testing import FlaskClient

from maumau.errors import NotFound, Unavailable
from service import events, problems
from service.events import Streams, stream


class Progress:
    """A tournament that goes on by one step at each look."""

    def __init__(self, *steps: Mapping[str, Any] | Exception):
        self.steps = list(steps)

    def __call__(self) -> Mapping[str, Any]:
        step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        if isinstance(step, Exception):
            raise step
        return step


def running(played: int) -> dict[str, Any]:
    return {"state": "running", "games_played": played}


FINISHED = {"state": "finished", "games_played": 2}


def client_of(streams: Streams, look: Progress) -> FlaskClient:
    app = Flask(__name__)
    problems.register(app)

    @app.get("/events")
    def show() -> Response:
        return stream(streams, look)

    return app.test_client()


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "LOOK_SECONDS", 0)


def test_a_stream_tells_each_change_once_and_ends_with_the_tournament() -> None:
    streams = Streams(1)
    look = Progress(running(0), running(0), running(1), FINISHED)
    answer = client_of(streams, look).get("/events")
    assert answer.mimetype == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.text.split("\n\n")[1:] == [
        'event: progress\ndata: {"state": "running", "games_played": 0}',
        'event: progress\ndata: {"state": "running", "games_played": 1}',
        'event: progress\ndata: {"state": "finished", "games_played": 2}',
        'event: finished\ndata: {"state": "finished", "games_played": 2}',
        "",
    ]
    answer.close()
    assert streams.open == 0


def test_a_quiet_stream_shows_that_it_lives() -> None:
    quiet = [running(0)] * (events.HEARTBEAT_LOOKS + 2)
    text = client_of(Streams(1), Progress(*quiet, FINISHED)).get("/events").text
    assert text.count(": still here\n\n") == 1


def test_a_database_that_is_away_for_a_moment_does_not_end_a_stream() -> None:
    look = Progress(running(0), Unavailable("database", "away"), FINISHED)
    assert "event: finished" in client_of(Streams(1), look).get("/events").text


def test_no_stream_begins_for_what_is_not_there() -> None:
    streams = Streams(1)
    answer = client_of(streams, Progress(NotFound("tournament", "x"))).get("/events")
    assert answer.status_code == 404
    assert streams.open == 0


def test_beyond_the_places_there_are_a_stream_is_refused_until_one_is_given_back() -> None:
    streams = Streams(2)
    client = client_of(streams, Progress(running(0)))
    held = [client.get("/events", buffered=False) for _ in range(2)]
    refused = client.get("/events")
    assert refused.status_code == 503
    assert refused.json is not None
    assert refused.json["code"] == "streams_full"
    assert int(refused.headers["Retry-After"]) > 0
    held[0].close()
    assert client.get("/events", buffered=False).status_code == 200


def test_streams_end_when_the_server_stops() -> None:
    streams = Streams(1)
    client = client_of(streams, Progress(running(0)))
    answer = client.get("/events", buffered=False)
    chunks = iter(answer.response)
    assert next(chunks) == b"retry: 3000\n\n"
    assert b"progress" in next(chunks)
    streams.close()
    assert list(chunks) == []
    answer.close()
    assert client.get("/events").status_code == 503
