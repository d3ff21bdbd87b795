"""Locking a process down, in the one order that holds (docs/sandbox.md, "The cage").

Runs in the forked child before any of the bot's code. Every step raises OSError, or
`LockdownError`, if it does not work: nothing is tried a second way.
"""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import signal
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from maumau.arena.sandbox import landlock, seccomp
from maumau.arena.sandbox.syscalls import ARCHITECTURES

_SET_PDEATHSIG, _SET_DUMPABLE, _SET_NO_NEW_PRIVS = 1, 4, 38
OPEN_FILES: Final = 64
_READ: Final = landlock.READ_FILE | landlock.READ_DIR
SDK_PARTS: Final = ("__init__.py", "errors.py", "hookspecs.py", "wording.py", "rules", "bots")
"""What of the `maumau` package a bot may read."""

_SITE: Final = ("/site-packages", "/dist-packages")
_LIBRARIES: Final = (
    "/lib64",
    "/usr/lib64",
    "/usr/local/lib",
    *(f"{top}/{machine}-linux-gnu" for top in ("/lib", "/usr/lib") for machine in ARCHITECTURES),
)
_LIBRARY_NAMES: Final = """
    libc. libm. libdl. libpthread. librt. libutil. libcrypt. libresolv. libnsl. libtirpc. libssl.
    libcrypto. libffi. libsqlite3. libz. liblzma. libbz2. libexpat. libmpdec. libuuid. libstdc++.
    libgcc_s. libreadline. libtinfo. libncursesw. libpython ld-linux
"""
"""What the standard library's own extension modules are linked with."""

Readable = tuple[str, int]


class LockdownError(Exception):
    """The process is not in the state that locking it down needs; the text says why."""


@dataclass(frozen=True, slots=True)
class Cage:
    """How one process is locked down; `uid`, also its group, None keeps the user it has."""

    uid: int | None
    memory_bytes: int
    cpu_s: int


def unsupported() -> str:
    """Say why bots cannot be caged on this system; "" if they can, as far as can be seen."""
    if sys.platform != "linux" or platform.machine() not in ARCHITECTURES:
        known = " and ".join(ARCHITECTURES)
        return f"bots can be caged on Linux {known} only, this is {sys.platform}"
    if sys.maxsize < 2**32:
        return "bots can be caged by a 64-bit Python only"
    if not landlock.abi():
        return "the kernel has no Landlock, or it is switched off (see /sys/kernel/security/lsm)"
    return ""


def tie_to_parent(parent: int, ending: signal.Signals = signal.SIGKILL) -> None:
    """Get a signal when the parent ends; hide memory and environment from others."""
    if sys.platform == "linux":
        _prctl(_SET_PDEATHSIG, ending)
    hide()
    if os.getppid() != parent:
        raise LockdownError("the process that started this one is gone")


def hide() -> None:
    """Keep other processes of this user from tracing this one and reading its memory."""
    if sys.platform == "linux":
        _prctl(_SET_DUMPABLE, 0)


def drop_user(uid: int | None) -> None:
    """Become another user, in the group of the same number and in no other, for good."""
    if uid is None:
        return
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    if os.getresuid() != (uid, uid, uid) or os.getresgid() != (uid, uid, uid):
        raise LockdownError(f"could not become user {uid}")


def limit(cage: Cage, *, files: bool = True) -> None:
    """Set the kernel's limits; memory is what the process has now and what the bot may add.

    Without `files`, a plugin may go on writing files.
    """
    space = address_space() + cage.memory_bytes
    # Where the system does not say what a process has, none can be caged anyway.
    limits = [("RLIMIT_AS", space, space)] if address_space() else []
    limits += [
        ("RLIMIT_CPU", cage.cpu_s, cage.cpu_s + 1),
        ("RLIMIT_CORE", 0, 0),
    ]
    if files:
        limits += [
            ("RLIMIT_NOFILE", OPEN_FILES, OPEN_FILES),
            ("RLIMIT_FSIZE", 0, 0),
            ("RLIMIT_MEMLOCK", 0, 0),
            ("RLIMIT_MSGQUEUE", 0, 0),
        ]
    for name, soft, hard in limits:
        if (kind := getattr(resource, name, None)) is not None:
            _, ceiling = resource.getrlimit(kind)
            if ceiling != resource.RLIM_INFINITY:
                soft, hard = min(soft, ceiling), min(hard, ceiling)
            resource.setrlimit(kind, (soft, hard))


def lock(cage: Cage, *, parent: int, readable: Sequence[Readable]) -> None:
    """Do all of it, for a process of one thread whose descriptors are in their places."""
    tie_to_parent(parent)
    drop_user(cage.uid)
    tie_to_parent(parent)  # changing the user undid both
    if os.geteuid() == 0:
        raise LockdownError("the process is root: it needs a user to become")
    if len(os.listdir("/proc/self/task")) != 1:
        raise LockdownError("the process has more than one thread")
    limit(cage)
    _prctl(_SET_NO_NEW_PRIVS, 1)
    landlock.restrict(readable)
    seccomp.install(platform.machine())


def readable_paths(package: str, others: Sequence[str], *, library: bool) -> list[Readable]:
    """List what every caged bot may read: standard library, shared libraries, the SDK.

    `package` is the directory of `maumau`, `others` are the packages and modules that it needs;
    `library` is False where bots cannot read the standard library anyway. Landlock knows no
    exceptions below a directory: where site-packages lies below the standard library and holds the
    application, each other entry is allowed by itself.
    """
    paths = _library_paths(package) if library else []
    paths += [(os.path.join(package, part), _READ) for part in SDK_PARTS]
    return paths + [(path, _READ) for path in others]


def _library_paths(package: str) -> list[Readable]:
    """List the standard library and what its extension modules are linked with."""
    library = sysconfig.get_path("stdlib")
    paths: list[Readable] = [("/etc/ld.so.cache", landlock.READ_FILE)]
    if _holds_application(library, package):
        paths.append((library, landlock.READ_DIR))
        paths += [(path, _READ) for path in _entries(library) if not path.endswith(_SITE)]
    else:
        paths.append((library, _READ))
    names = tuple(_LIBRARY_NAMES.split())
    # By their real paths: /lib is /usr/lib on most systems, and every library has several names.
    files = {
        os.path.realpath(path)
        for directory in _LIBRARIES
        for path in _entries(directory)
        if os.path.basename(path).startswith(names)
    }
    return paths + [(path, landlock.READ_FILE) for path in sorted(files)]


def _holds_application(library: str, package: str) -> bool:
    inside = os.path.commonpath([os.path.realpath(library), os.path.realpath(package)])
    return inside == os.path.realpath(library)


def _entries(directory: str) -> list[str]:
    try:
        return sorted(entry.path for entry in os.scandir(directory))
    except OSError:
        return []


def address_space() -> int:
    """Give the process's address space in bytes; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def _prctl(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, 0, 0, 0) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"prctl {option}: {os.strerror(error)}")
