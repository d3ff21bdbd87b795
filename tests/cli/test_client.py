"""The command line against a scripted server: what a real one seldom says."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from maumau.cli import follow
from maumau.cli.client import Client
from maumau.cli.failures import REFUSED, UNABLE, UNREACHABLE, Failure
from maumau.cli.target import Target
from tests.cli.running import maumau

JSON = "application/json"
PROBLEM = "application/problem+json"
STREAM = "text/event-stream"
Answer = tuple[int, str, str]


class Scripted:
    """Answers each request with the next answer of its path; keeps what was asked."""

    def __init__(self) -> None:
        self.answers: dict[str, list[Answer]] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append((self.path, {k.lower(): v for k, v in self.headers.items()}))
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                queue = outer.answers[self.path.partition("?")[0].removeprefix("/api/v1")]
                status, kind, body = queue.pop(0) if len(queue) > 1 else queue[0]
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body.encode())))
                self.end_headers()
                self.wfile.write(body.encode())

            do_POST = do_GET  # noqa: N815

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def client(self) -> Client:
        return Client(Target(self.address, "mm_x"))


@pytest.fixture
def server() -> Iterator[Scripted]:
    made = Scripted()
    yield made
    made.close()


def tournament(state: str, played: int) -> dict[str, Any]:
    chunks = {"due": 0, "claimed": 0, "done": 0, "stuck": 0}
    progress = {"games_played": played, "games_total": 10, "chunks": chunks}
    return {"id": "t1", "state": state, "progress": progress}


def event(state: str, played: int) -> str:
    name = state if state in follow.ENDED else "progress"
    return f"event: {name}\ndata: {json.dumps(tournament(state, played))}\n\n"


def test_a_problem_document_is_told_with_its_paths(server: Scripted) -> None:
    problem = {
        "title": "Unprocessable Content",
        "status": 422,
        "code": "invalid_input",
        "detail": "2 values are wrong",
        "errors": [
            {"path": "rules.hand_size", "message": "must be at least 1"},
            {"path": "seats", "message": "must be from 2 to 4"},
        ],
    }
    server.answers["/tournaments"] = [(422, PROBLEM, json.dumps(problem))]
    ran = maumau(
        "schedule", "easy", "hard", "--rules", "champion", env={"MAUMAU_SERVER": server.address}
    )
    assert (ran.code, ran.out) == (REFUSED, "")
    assert ran.err == (
        "Error: Unprocessable Content: 2 values are wrong\n"
        "  rules.hand_size: must be at least 1\n"
        "  seats: must be from 2 to 4\n"
        "  (invalid_input, HTTP 422)\n"
    )


@pytest.mark.parametrize(
    ("answer", "code", "says"),
    [
        ((503, PROBLEM, '{"title": "Service Unavailable"}'), UNABLE, "Service Unavailable"),
        ((500, "text/html", "<h1>oops</h1>"), UNABLE, "HTTP status 500"),
        ((404, PROBLEM, "[]"), REFUSED, "HTTP status 404"),
        ((200, "text/html", "<h1>hello</h1>"), REFUSED, "is it a Mau-Mau Arena?"),
    ],
)
def test_other_answers_are_failures_too(
    server: Scripted, answer: Answer, code: int, says: str
) -> None:
    server.answers["/x"] = [answer]
    with server.client() as client, pytest.raises(Failure, match=says.replace("?", r"\?")) as it:
        client.get("/x")
    assert it.value.exit_code == code


def test_no_server_says_how_to_start_one() -> None:
    for command in (("standings",), ("status",), ("watch", "t1"), ("bots",), ("record", "g1")):
        ran = maumau(*command, env={"MAUMAU_SERVER": "http://127.0.0.1:9"})
        assert (ran.code, ran.out) == (UNREACHABLE, "")
        assert "start a server with `./run`" in ran.err


def test_a_list_is_read_page_by_page_and_no_further_than_needed(server: Scripted) -> None:
    def page(first: int, following: str | None) -> Answer:
        items = [{"id": n} for n in range(first, first + 2)]
        return 200, JSON, json.dumps({"items": items, "next": following})

    server.answers["/things"] = [page(0, "a"), page(2, "b"), page(4, None)]
    with server.client() as client:
        assert [one["id"] for one in client.first(3, "/things", state=None)] == [0, 1, 2]
    assert [path for path, _ in server.asked] == [
        "/api/v1/things?limit=3",
        "/api/v1/things?cursor=a&limit=3",
    ]
    assert server.asked[0][1]["authorization"] == "Bearer mm_x"


def test_a_stream_is_followed_to_its_end(server: Scripted) -> None:
    server.answers["/tournaments/t1"] = [(200, JSON, json.dumps(tournament("running", 1)))]
    body = "retry: 3000\n\n" + event("running", 4) + ": still here\n\n" + event("finished", 10)
    server.answers["/tournaments/t1/events"] = [(200, STREAM, body)]
    with server.client() as client:
        seen = [(s["state"], s["progress"]["games_played"]) for s in follow.states(client, "t1")]
    assert seen == [("running", 1), ("running", 4), ("finished", 10)]


def test_without_a_free_stream_it_polls(server: Scripted) -> None:
    full = (503, PROBLEM, '{"title": "Service Unavailable", "code": "streams_full"}')
    server.answers["/tournaments/t1/events"] = [full]
    server.answers["/tournaments/t1"] = [
        (200, JSON, json.dumps(tournament("running", n))) for n in (1, 5)
    ] + [(200, JSON, json.dumps(tournament("finished", 10)))]
    slept: list[float] = []
    with server.client() as client:
        seen = [
            s["progress"]["games_played"] for s in follow.states(client, "t1", sleep=slept.append)
        ]
    assert seen == [1, 5, 10]
    assert slept == [follow.POLL_SECONDS] * 2


def test_a_server_that_is_started_again_is_waited_for_but_not_for_ever(server: Scripted) -> None:
    down = (503, PROBLEM, '{"title": "Service Unavailable"}')
    server.answers["/tournaments/t1/events"] = [down]
    server.answers["/tournaments/t1"] = [
        (200, JSON, json.dumps(tournament("running", 1))),
        down,
        down,
        (200, JSON, json.dumps(tournament("finished", 10))),
    ]
    with server.client() as client:
        seen = [s["state"] for s in follow.states(client, "t1", sleep=lambda _s: None)]
        assert seen == ["running", "finished"]
        server.answers["/tournaments/t1"] = [
            (200, JSON, json.dumps(tournament("running", 1))),
            down,
        ]
        with pytest.raises(Failure) as it:
            list(follow.states(client, "t1", sleep=lambda _s: None))
    assert it.value.exit_code == UNABLE


def test_an_unknown_tournament_is_told_at_once(server: Scripted) -> None:
    server.answers["/tournaments/t1"] = [(404, PROBLEM, '{"title": "Not Found"}')]
    with server.client() as client, pytest.raises(Failure, match="Not Found"):
        list(follow.states(client, "t1"))


def test_a_cancelled_tournament_is_told_by_the_exit_code(server: Scripted) -> None:
    server.answers["/tournaments/t1"] = [(200, JSON, json.dumps(tournament("cancelled", 3)))]
    ran = maumau("watch", "t1", "--json", env={"MAUMAU_SERVER": server.address})
    assert ran.code == 1
    assert json.loads(ran.out)["state"] == "cancelled"
    assert "the tournament t1 was cancelled" in ran.err


def test_hostile_names_do_not_reach_the_terminal(server: Scripted) -> None:
    name = "\x1b[31mred\x1b]0;title\x07 [bold]x[/bold]"
    row = {
        "id": "t1",
        "name": name,
        "state": "running",
        "progress": tournament("running", 0)["progress"],
        "rules": "champion",
        "rule_set": "0" * 64,
        "entrants": [],
    }
    server.answers["/tournaments"] = [(200, JSON, json.dumps({"items": [row], "next": None}))]
    ran = maumau("tournaments", env={"MAUMAU_SERVER": server.address})
    assert ran.code == 0
    assert "\x1b" not in ran.out
    assert "\x07" not in ran.out
    assert "[bold]x[/bold]" in ran.out


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ((), "wants a token for this, and none was sent"),
        (("--token", "mm_x"), "does not take the token from --token or MAUMAU_TOKEN"),
    ],
)
def test_a_token_that_does_not_hold_is_told_with_how_to_give_one(
    server: Scripted, options: tuple[str, ...], says: str
) -> None:
    problem = {"title": "Unauthorized", "detail": "send `Authorization: Bearer <token>`"}
    server.answers["/tournaments"] = [(401, PROBLEM, json.dumps(problem))]
    ran = maumau("tournaments", "--server", server.address, *options)
    assert (ran.code, ran.out) == (REFUSED, "")
    assert says in ran.err
    assert "with --token or MAUMAU_TOKEN" in ran.err
    assert "Bearer" not in ran.err


def version_answer(state: str) -> str:
    return json.dumps({"label": "b@1", "bot": "b", "version": 1, "state": state, "reasons": []})


@pytest.mark.parametrize(("status", "known"), [(202, False), (200, True)])
def test_a_file_that_was_there_already_is_told_as_such(
    tmp_path: Any, server: Scripted, status: int, known: bool
) -> None:
    (tmp_path / "b.py").write_text("class B:\n    name = 'bb'\n")
    server.answers["/bots"] = [(status, JSON, version_answer("accepted"))]
    ran = maumau("submit", str(tmp_path / "b.py"), "--server", server.address)
    assert ran.code == 0
    assert ran.out.startswith("b@1: accepted")
    assert ("known already" in ran.out) is known


def test_without_rules_schedule_says_where_they_are_listed() -> None:
    ran = maumau("schedule", "easy", "random")
    assert (ran.code, ran.out) == (2, "")
    assert "--rules" in ran.err
    assert "maumau rules list` lists those that ship" in ran.err


def game(number: int, fault: dict[str, str] | None = None) -> dict[str, Any]:
    seats, ranks = ["easy@1", "hard@1"], [1, 2]
    told = {"id": f"t1-0-0-{number}", "seats": seats, "totals": [0, 20], "ranks": ranks}
    return {**told, "deals": 1, "fault": fault}


def test_games_are_listed_with_their_ids_and_faults(server: Scripted) -> None:
    fault = {"entrant": "easy@1", "kind": "timeout"}
    page = {"items": [game(0), game(1, fault)], "next": None}
    for path in ("/tournaments/t1/games", "/matches/t1-0/games"):
        server.answers[path] = [(200, JSON, json.dumps(page))]
    ran = maumau("games", "t1", "--server", server.address)
    assert ran.code == 0
    assert "t1-0-0-1" in ran.out
    assert "easy@1: timeout" in ran.out
    ran = maumau("games", "--match", "t1-0", "--json", "--server", server.address)
    assert [one["id"] for one in json.loads(ran.out)] == ["t1-0-0-0", "t1-0-0-1"]
    maumau("games", "t1", "--faulty", "--limit", "1", "--server", server.address)
    assert server.asked[-1][0].endswith("/tournaments/t1/games?limit=1&faulty=true")
    assert maumau("games", "t1", "--match", "t1-0", "--server", server.address).code == 2


def test_matches_are_listed_with_their_shares(server: Scripted) -> None:
    results = [{"score_share": 0.75}, {"score_share": None}]
    match = {"id": "t1-0", "line_up": ["easy@1", "hard@1"], "games_played": 4, "games_total": 40}
    page = {"items": [{**match, "results": results}], "next": None}
    server.answers["/tournaments/t1/matches"] = [(200, JSON, json.dumps(page))]
    ran = maumau("matches", "t1", "--entrant", "easy@1", "--server", server.address)
    assert ran.code == 0
    assert "0.750 : –" in ran.out
    assert "4/40" in ran.out
    assert server.asked[-1][0].endswith("?limit=50&entrant=easy%401")


def test_the_help_cuts_no_commands_sentence_short() -> None:
    for path in ((), ("rules",), ("tokens",)):
        _, heading, shown = maumau(*path, "--help").out.partition("Commands:")
        assert heading
        assert "..." not in shown
