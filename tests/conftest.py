"""Databases for tests: SQLite files, and PostgreSQL in a temporary cluster of our own."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from maumau.storage import Database


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--pictures", type=Path, help="directory in which the browser's tests keep screenshots"
    )


POSTGRESQL = Path("/usr/lib/postgresql/15/bin")
_numbers = itertools.count()


def _ordinary_user() -> str | None:
    """PostgreSQL's server refuses to run as root: find somebody else."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in names), None)


@pytest.fixture(scope="session")
def postgresql_cluster() -> Iterator[str]:
    """A running PostgreSQL 15 on a unix socket; its directory, which is also the socket's."""
    server = POSTGRESQL / "postgres"
    if not server.exists():
        pytest.skip(
            f"PostgreSQL is not tested: there is no {server} (apt-get install postgresql-15)"
        )
    user = _ordinary_user()
    # A short path: a unix socket's address holds 107 bytes.
    home = Path(tempfile.mkdtemp(prefix="mmpg", dir="/tmp"))
    data = home / "data"
    if user is not None:
        shutil.chown(home, user)
    groups: list[str] | None = [] if user is not None else None
    try:
        subprocess.run(
            [
                *(POSTGRESQL / "initdb", "-D", data, "-U", "arena", "-A", "trust"),
                *("-E", "UTF8", "--locale=C", "--no-sync"),
            ],
            user=user,
            extra_groups=groups,
            cwd=home,
            check=True,
            capture_output=True,
            timeout=300,  # a busy host needs a minute
        )
        with (home / "log").open("wb") as log:
            process = subprocess.Popen(
                [
                    *(server, "-D", data, "-k", home, "-c", "listen_addresses="),
                    *("-c", "fsync=off", "-c", "max_connections=200"),
                ],
                user=user,
                extra_groups=groups,
                cwd=home,
                stdout=log,
                stderr=log,
            )
        try:
            _await_server(home, process)
            yield str(home)
        finally:
            # SIGINT is PostgreSQL's fast shutdown: it does not wait for clients.
            process.send_signal(signal.SIGINT)
            process.wait(timeout=30)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _await_server(home: Path, process: subprocess.Popen[bytes]) -> None:
    ready = [POSTGRESQL / "pg_isready", "-q", "-h", home, "-t", "5"]
    for _ in range(600):
        if process.poll() is not None:
            break
        if subprocess.run(ready, check=False).returncode == 0:
            return
    raise RuntimeError(f"PostgreSQL did not start: {(home / 'log').read_text()}")


@pytest.fixture(scope="session")
def postgresql_template(postgresql_cluster: str) -> str:
    """The cluster with a migrated database to copy."""
    with psycopg.connect(
        host=postgresql_cluster, user="arena", dbname="postgres", autocommit=True
    ) as c:
        c.execute("CREATE DATABASE migrated")
    database = Database(f"postgresql://arena@/migrated?host={postgresql_cluster}")
    database.migrate()
    database.close()
    return postgresql_cluster


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file to copy."""
    path = tmp_path_factory.mktemp("template") / "migrated.db"
    database = Database(f"sqlite:///{path}")
    database.migrate()
    database.close()
    return path


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """The URL of a migrated SQLite database of the test's own."""
    path = tmp_path / "maumau.db"
    shutil.copy(sqlite_template, path)
    return f"sqlite:///{path}"


def fresh_postgresql(template: str) -> str:
    """Copy the migrated database; gives the URL of the copy."""
    name = f"test{next(_numbers)}"
    with psycopg.connect(host=template, user="arena", dbname="postgres", autocommit=True) as c:
        c.execute(f"CREATE DATABASE {name} TEMPLATE migrated")
    # A busy host may need longer for a connection than an arena would wait.
    return f"postgresql://arena@/{name}?host={template}&connect_timeout=60"


@pytest.fixture
def postgresql_url(postgresql_template: str) -> str:
    """The URL of a migrated PostgreSQL database of the test's own."""
    return fresh_postgresql(postgresql_template)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The URL of a migrated database, of each kind in turn."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
def db(database_url: str) -> Iterator[Database]:
    """A migrated database, of each kind in turn."""
    database = Database(database_url)
    yield database
    database.close()


@pytest.fixture
def sqlite_db(sqlite_url: str) -> Iterator[Database]:
    """A migrated SQLite database, where the kind does not matter."""
    database = Database(sqlite_url)
    yield database
    database.close()
