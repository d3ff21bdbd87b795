"""A PostgreSQL that stops while chunks are played and requests come, and is back later."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from maumau.arena import play as arena
from maumau.storage import Database
from maumau.usecases import builtins, play, read
from maumau.usecases.due import due_chunks
from maumau.usecases.schedule import schedule
from maumau.usecases.verify import verify_tournament
from tests.e2e.postgresql import Postgresql
from tests.service.conftest import Entropy, House


@pytest.fixture
def server() -> Iterator[Postgresql]:
    if not Postgresql.is_here():
        pytest.skip("a PostgreSQL that stops is not tested: there is no server here")
    made = Postgresql()
    db = Database(made.url)
    db.migrate()
    db.close()
    yield made
    made.remove()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
def test_the_api_says_when_to_try_again_and_goes_on_when_the_database_is_back(
    server: Postgresql, tmp_path: Path, how: signal.Signals
) -> None:
    house = House(tmp_path, server.url)
    headers, client = house.bearer("ann"), house.app().test_client()
    wish = {"preset": "champion", "overrides": {"game": {"target": 77}}}
    assert client.get("/api/v1/bots", headers=headers).status_code == 200
    server.stop(how)
    for answer in (
        client.get("/api/v1/bots"),
        client.get("/api/v1/bots", headers=headers),
        client.post("/api/v1/rulesets", json=wish, headers=headers),
    ):
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) > 0
        assert answer.json is not None
        assert answer.json["code"] == "database"
        assert str(server.home) not in answer.text
    assert client.get("/readyz").status_code == 503
    assert client.get("/healthz").status_code == 200
    server.start()
    assert client.post("/api/v1/rulesets", json=wish, headers=headers).status_code == 201
    assert client.get("/readyz").status_code == 200
    house.db.close()


def test_a_worker_plays_on_waits_and_commits_when_the_database_is_back(
    server: Postgresql, tmp_path: Path
) -> None:
    house = House(tmp_path, server.url)
    db, clock = house.db, house.clock
    builtins.install_builtins(db, clock)
    with db.begin() as tx:
        ann = tx.accounts.create("ann", "author", now=clock())
    wish = {"entrants": ["easy", "random"], "rules": "champion", "blocks": 40}
    one = schedule(db, clock, ann, wish, entropy=Entropy()).tournament.id
    waited: list[float] = []

    def without(job: Any, *, alive: Any, **more: Any) -> arena.ChunkResult:
        server.stop()
        # A sign of life is due, and cannot be given: the play goes on.
        clock.forward(seconds=20)
        alive()
        return arena.play_chunk(job, alive=alive, **more)

    def wait(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 3:
            server.start()

    chunk, *_ = due_chunks(db, clock)
    assert play.play_chunk(
        db, clock, chunk, "w", files=tmp_path, uploads="unsafe", play=without, wait=wait
    )
    assert len(waited) == 3
    assert read.tournament(db, one).progress.chunks.done == 1
    assert verify_tournament(db, one).differences == ()
    db.close()
