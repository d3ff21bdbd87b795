"""A PostgreSQL of a test's own that it may stop, kill and start again."""

from __future__ import annotations

import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import psycopg

from tests.conftest import POSTGRESQL, _await_server, _ordinary_user


class Postgresql:
    """A cluster on a unix socket, with one database."""

    def __init__(self) -> None:
        self._user = _ordinary_user()
        self.home = Path(tempfile.mkdtemp(prefix="mmpg", dir="/tmp"))
        if self._user is not None:
            shutil.chown(self.home, self._user)
        self._data = self.home / "data"
        self._as: dict[str, object] = {"user": self._user, "cwd": self.home}
        if self._user is not None:
            self._as["extra_groups"] = []
        subprocess.run(
            [
                *(POSTGRESQL / "initdb", "-D", self._data, "-U", "arena", "-A", "trust"),
                *("-E", "UTF8", "--locale=C", "--no-sync"),
            ],
            check=True,
            capture_output=True,
            timeout=120,
            **self._as,  # type: ignore[call-overload]
        )
        self.start()
        with self._connect() as connection:
            connection.execute("CREATE DATABASE arena")

    @staticmethod
    def is_here() -> bool:
        return (POSTGRESQL / "postgres").exists()

    @property
    def url(self) -> str:
        return f"postgresql://arena@/arena?host={self.home}"

    def start(self) -> None:
        with (self.home / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(POSTGRESQL / "postgres", "-D", self._data, "-k", self.home),
                    *("-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=200"),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                **self._as,  # type: ignore[call-overload]
            )
        _await_server(self.home, self._process)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT is its fast shutdown, SIGQUIT the immediate one: as in a crash."""
        self._process.send_signal(how)
        self._process.wait(60)

    def cut_connections(self) -> None:
        """End every connection but this one."""
        with self._connect() as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = 'arena' AND pid <> pg_backend_pid()"
            )

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.home, ignore_errors=True)

    def _connect(self) -> psycopg.Connection[tuple[object, ...]]:
        home = str(self.home)
        return psycopg.connect(host=home, user="arena", dbname="postgres", autocommit=True)
