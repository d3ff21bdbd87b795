"""The real server: gunicorn with the project's settings, over real HTTP."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from urllib.parse import urlsplit

import httpx
import pytest

from maumau.usecases import builtins
from service.patience import READ_SECONDS, SLOW_SECONDS, overdue
from tests.service.conftest import House

PATIENCE = 60


@dataclass
class Server:
    """A gunicorn with four threads, two of which may hold streams."""

    process: subprocess.Popen[str]
    address: str

    def wait_for(self, phrase: str) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if phrase in line:
                return
        raise AssertionError(f"the server ended without saying {phrase!r}")


@pytest.fixture
def server(house: House) -> Iterator[Server]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {
        "PATH": os.environ["PATH"],
        "MAUMAU_VAR": str(house.settings.var),
        "MAUMAU_PORT": str(port),
        "MAUMAU_THREADS": "4",
        "MAUMAU_UPLOADS": "unsafe",
    }
    command = [sys.executable, "-m", "gunicorn", "-c", "python:service.gunicorn_conf"]
    with subprocess.Popen(
        [*command, "service.wsgi:app"], env=environment, stderr=subprocess.PIPE, text=True
    ) as process:
        running = Server(process, f"http://127.0.0.1:{port}/api/v1")
        running.wait_for("Booting worker")
        yield running
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)


@pytest.fixture
def tournament(house: House) -> str:
    builtins.install_builtins(house.db, house.clock)
    body = {"entrants": ["random", "easy"], "rules": "champion"}
    headers = house.bearer("ann")
    answer = house.app().test_client().post("/api/v1/tournaments", json=body, headers=headers)
    assert answer.json is not None
    return str(answer.json["id"])


def client_of(server: Server) -> httpx.Client:
    transport = httpx.HTTPTransport(retries=5)
    return httpx.Client(
        base_url=server.address, timeout=PATIENCE, transport=transport, trust_env=False
    )


def test_streams_hold_half_of_the_threads_and_end_with_the_server(
    server: Server, tournament: str
) -> None:
    path = f"/tournaments/{tournament}/events"
    with client_of(server) as client, ExitStack() as stack:
        streams = [stack.enter_context(client.stream("GET", path)) for _ in range(2)]
        lines = [stream.iter_lines() for stream in streams]
        for held in lines:
            assert next(line for line in held if line.startswith("event:")) == "event: progress"
        refused = client.get(path)
        assert refused.status_code == 503
        assert refused.json()["code"] == "streams_full"
        # The other half still answers.
        for _ in range(8):
            assert client.get("/tournaments").status_code == 200
        server.process.send_signal(signal.SIGTERM)
        for held in lines:
            assert not [line for line in held if line.startswith("event:")]
    assert server.process.wait(timeout=PATIENCE) == 0


def test_a_stream_that_the_client_leaves_gives_its_place_back(
    server: Server, tournament: str
) -> None:
    path = f"/tournaments/{tournament}/events"
    with client_of(server) as client:
        for _ in range(2):
            with client.stream("GET", path) as stream:
                assert stream.status_code == 200
        # The server notices when it next writes; until then it says when to try again.
        while (answer := client.send(client.build_request("GET", path), stream=True)).is_error:
            assert answer.status_code == 503
            answer.close()
            threading.Event().wait(0.2)
        answer.close()


def test_uploads_and_lists_work_over_real_http(server: Server, house: House) -> None:
    headers = house.bearer("ann")
    with client_of(server) as client:
        sent = {"data": {"name": "alpha"}, "files": {"file": ("alpha.py", b"# a bot\n")}}
        answer = client.post("/bots", headers=headers, **sent)  # type: ignore[arg-type]
        assert answer.status_code == 202
        assert client.get("/bots/alpha/versions/1").json()["state"] == "pending"
        large = {"data": {"name": "beta"}, "files": {"file": ("beta.py", b"#" * 9_000_000)}}
        assert client.post("/bots", headers=headers, **large).status_code == 413  # type: ignore[arg-type]
        assert client.get("/bots/beta").status_code == 404

        def endless() -> Iterator[bytes]:
            yield b'{"name": "'
            while True:
                yield b"x" * 65536

        # Without a Content-Length the server stops reading at the limit.
        kind = {"Content-Type": "application/json"}
        try:
            answer = client.post("/tournaments", content=endless(), headers=headers | kind)
        except httpx.WriteError:
            pass
        else:
            assert answer.status_code == 413, answer.text
        assert client.get("/healthz").json() == {"status": "ok"}


POST = b"POST /api/v1/tournaments HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
STALLED = {
    "in the headers": POST,
    "in a chunk": POST + b"Transfer-Encoding: chunked\r\n\r\nff\r\n{",
}


@pytest.mark.parametrize("place", STALLED)
def test_clients_that_stall_hold_no_thread_for_good(
    server: Server, house: House, place: str
) -> None:
    token = f"Authorization: {house.bearer('ann')['Authorization']}\r\n".encode()
    sent = STALLED[place].replace(b"Host: x\r\n", b"Host: x\r\n" + token)
    host = urlsplit(server.address)
    with client_of(server) as client, ExitStack() as stack:
        for _ in range(4):  # as many as there are threads
            held = stack.enter_context(socket.create_connection((host.hostname, host.port)))
            held.sendall(sent)
        assert client.get("/bots").status_code == 200


def test_clients_that_trickle_hold_no_thread_for_good(server: Server, house: House) -> None:
    """A byte a second is no stall, and never a request."""
    host = urlsplit(server.address)
    over = threading.Event()

    def trickle(held: socket.socket) -> None:
        with suppress(OSError):
            while not over.wait(1):
                held.sendall(b"x")

    with client_of(server) as client, ExitStack() as stack:
        stack.callback(over.set)
        for _ in range(4):  # as many as there are threads
            held = stack.enter_context(socket.create_connection((host.hostname, host.port)))
            held.sendall(POST + b"X-Slow: ")
            threading.Thread(target=trickle, args=(held,), daemon=True).start()
        assert client.get("/bots").status_code == 200


def test_a_request_that_is_here_is_waited_with_for_as_long_as_it_takes(
    server: Server, house: House, tournament: str
) -> None:
    """However slow the answer is, the connection serves the next request too."""
    body = b'{"entrants": ["random", "easy"], "rules": "champion"}'
    headers = {**house.bearer("ann"), "Content-Type": "application/json"}
    place = urlsplit(server.address).netloc
    with ExitStack() as stack:
        lock = stack.enter_context(closing(sqlite3.connect(house.settings.var / "maumau.db")))
        lock.isolation_level = None
        lock.execute("BEGIN IMMEDIATE")
        clients = [
            stack.enter_context(closing(HTTPConnection(place, timeout=PATIENCE))) for _ in range(3)
        ]
        for client in clients:
            client.request("POST", "/api/v1/tournaments", body, headers)
        threading.Event().wait(SLOW_SECONDS + 3)
        lock.execute("ROLLBACK")
        for client in clients:
            with client.getresponse() as answer:
                assert answer.status == 201
                answer.read()
        # A connection that the server no longer reads from, it closes by and by.
        threading.Event().wait(1)
        for client in clients:
            held = client.sock
            client.request("GET", "/healthz")
            with client.getresponse() as answer:
                assert answer.status == 200
            assert client.sock is held


@dataclass(frozen=True, eq=False)
class Connection:
    client: tuple[str, int]


def test_of_the_slow_those_that_began_first_are_heard_no_longer() -> None:
    first, second, third, new = (Connection(("192.0.2.1", port)) for port in range(4))
    other = Connection(("192.0.2.2", 1))
    begun = {first: 1.0, second: 2.0, third: 3.0, other: 1.0, new: 9.0}
    assert list(overdue(begun, 10.0, 2)) == [first]
    assert list(overdue(begun, 10.0, 0)) == [first, second]
    # Whoever takes too long is ended alone too.
    assert set(overdue(begun, 1.0 + READ_SECONDS, 2)) == {first, other, second}


@pytest.mark.parametrize("header", ["SCRIPT_NAME: /elsewhere", "PATH_INFO: /metrics"])
def test_no_header_changes_what_was_asked(server: Server, header: str) -> None:
    host = urlsplit(server.address)
    request = f"GET /api/v1/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{header}\r\n\r\n"
    with socket.create_connection((host.hostname, host.port), timeout=PATIENCE) as client:
        client.sendall(request.encode())
        answer = b""
        while data := client.recv(65536):
            answer += data
    assert answer.startswith(b"HTTP/1.1 200"), answer
    assert json.loads(answer.partition(b"\r\n\r\n")[2]) == {"status": "ok"}


def test_a_body_in_broken_chunks_is_the_clients_fault(server: Server, house: House) -> None:
    sent = POST + f"Authorization: {house.bearer('ann')['Authorization']}\r\n".encode()
    host = urlsplit(server.address)
    with socket.create_connection((host.hostname, host.port), timeout=PATIENCE) as client:
        client.sendall(sent + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n")
        answer = b""
        while data := client.recv(65536):
            answer += data
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400")
    assert json.loads(body)["code"] == "bad_request"
