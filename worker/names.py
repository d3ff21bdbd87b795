"""What a worker is called in the database, so that others on its host can tell whether it lives.

The name says host, process and when the process began: a process id alone is given out again.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import socket
from pathlib import Path

# The column's width is 80: name of the host, its digest, process, start.
HOST_CHARACTERS = 30


@functools.cache
def host() -> str:
    """Give a name for this boot of this machine, as seen from this container.

    Two hosts that call themselves the same are told apart; so are two containers, which do not
    see each other's processes.
    """
    name = socket.gethostname()
    parts = [name]
    with contextlib.suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii"))
        parts.append(str(os.stat("/proc/self/ns/pid").st_ino))
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()
    readable = re.sub(r"[^A-Za-z0-9.]", "_", name)[:HOST_CHARACTERS]
    return f"{readable}-{digest[:10]}"


def worker_name(pid: int | None = None) -> str:
    """Give the name of the worker that is the process `pid` (this one by default)."""
    pid = os.getpid() if pid is None else pid
    return f"{host()}-{pid}-{_began(pid) or 0}"


def pid_of(name: str) -> int | None:
    """Give the process id in a worker's name; None where it is no worker's."""
    found = re.fullmatch(r".*-([0-9]+)-[0-9]+", name)
    return int(found[1]) if found else None


def is_of_this_host(name: str) -> bool:
    """Say whether a name is that of a worker of this host."""
    return name.startswith(f"{host()}-")


def is_dead(name: str) -> bool:
    """Say whether this is a worker of this host whose process is gone.

    False for those of other hosts: of them nothing can be said here.
    """
    found = re.fullmatch(r"([0-9]+)-([0-9]+)", name.removeprefix(f"{host()}-"))
    if not is_of_this_host(name) or not found:
        return False
    pid, began = int(found[1]), int(found[2])
    if began:
        return _began(pid) != began
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return False


def _began(pid: int) -> int | None:
    """Give when a process began, in clock ticks since the boot; None where that cannot be seen."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # The command, in parentheses, may hold anything; the state follows it. A zombie has ended.
    fields = text.rpartition(")")[2].split()
    return None if fields[0] in ("Z", "X") else int(fields[19])
