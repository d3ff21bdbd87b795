"""A server's database with all that pages show: played tournaments, faults, hostile texts."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from maumau.bots.report import Match, Report, Speed
from maumau.settings import Settings, load
from maumau.storage import Account, Database, Transaction
from maumau.storage.values import NewVersion, Reason
from maumau.usecases import accounts, due, play, schedule
from maumau.usecases.builtins import install_builtins
from service.app import create_app
from tests.service.conftest import Clock, Entropy

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&{{7*7}}"


@dataclass(frozen=True)
class World:
    """What was made: the database's file, and ids in it."""

    file: Path
    finished: str
    running: str
    tokens: dict[str, str]


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Make the database once; each test works on a copy."""
    home = tmp_path_factory.mktemp("world")
    clock, entropy = Clock(), Entropy("world")
    db = Database(f"sqlite:///{home / 'maumau.db'}")
    db.migrate()
    install_builtins(db, clock)
    with db.begin() as tx:
        people = {
            name: tx.accounts.create(name, role, now=clock())  # type: ignore[arg-type]
            for name, role in (("root", "admin"), ("ann", "author"), ("rex", "reader"))
        }
        _submitted(tx, people["ann"], clock)
    tokens = {
        name: accounts.create_token(db, clock, people["root"], entropy=entropy, for_account=name)
        for name in people
    }

    def run(request: dict[str, object], chunks: int | None) -> str:
        made = schedule.schedule(db, clock, people["ann"], request, entropy=entropy)
        for chunk in due.due_chunks(db, clock, tournament_id=made.tournament.id)[:chunks]:
            play.play_chunk(db, clock, chunk, "tests", files=home / "files", uploads="unsafe")
        return made.tournament.id

    entrants = ["random", "easy", "medium"]
    finished = run(
        {"entrants": [*entrants, "crasher"], "rules": "champion", "blocks": 12, "name": "Cup"}, None
    )
    running = run(
        {"entrants": entrants, "rules": "gamerules", "seats": 3, "blocks": 40, "name": HOSTILE}, 1
    )
    db.close()
    return World(home / "maumau.db", finished, running, {n: t.text for n, t in tokens.items()})


CRASHER = f"""
from maumau import Bot, hookimpl

class Crasher(Bot):
    name = "crasher"
    def act(self, obs):
        print({HOSTILE!r})
        if len(obs.events) > 3:
            raise RuntimeError({HOSTILE!r})
        return obs.legal_actions[0]

@hookimpl
def maumau_bots():
    return [Crasher]
"""


REPORT = Report(
    findings=(),
    marks=("stateful", HOSTILE),
    games=40,
    decisions=2345,
    kinds={"owed": 25, HOSTILE: 1},
    speed=Speed(0.01, 0.2, 1.5, 100.0),
    matches=(Match(HOSTILE, 20, 0.4),),
)


def _submitted(tx: Transaction, owner: Account, clock: Clock) -> None:
    """Keep a rejected version full of hostile texts, and an accepted one that crashes."""
    for name, content, filename, state in (
        ("nasty", b"no bot", f"{HOSTILE}.py", "rejected"),
        ("crasher", CRASHER.encode(), "crasher.py", "accepted"),
    ):
        bot = tx.bots.claim_name(name, owner.id, now=clock())
        sha256 = tx.files.put(content)
        new = NewVersion(sha256, "py", filename, "", len(content), "pending", clock())
        version = tx.bots.add_version(bot.id, new)
        tx.bots.decide(
            version.id,
            state,  # type: ignore[arg-type]
            reasons=[Reason("crash", HOSTILE)] if state == "rejected" else [],
            report=REPORT.to_dict(),
            log=HOSTILE,
            now=clock(),
        )


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def settings(world: World, tmp_path: Path) -> Settings:
    shutil.copy(world.file, tmp_path / "maumau.db")
    return load({"MAUMAU_VAR": str(tmp_path), "MAUMAU_UPLOADS": "unsafe", "MAUMAU_THREADS": "4"})


@pytest.fixture
def make_app(settings: Settings, clock: Clock) -> Callable[..., Flask]:
    def make(**changed: object) -> Flask:
        return create_app(replace(settings, **changed), clock=clock, entropy=Entropy("app"))  # type: ignore[arg-type]

    return make


@pytest.fixture
def app(make_app: Callable[..., Flask]) -> Flask:
    return make_app()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def db(settings: Settings) -> Iterator[Database]:
    database = Database(settings.database_url)
    yield database
    database.close()
