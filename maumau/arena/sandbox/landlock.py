"""Landlock through ctypes: of the file system and the network, only some reading is left.

Source: the kernel's `landlock(7)`. Rights that the running kernel does not know are left out; the
first version (ABI 1) is enough together with the seccomp filter.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

_CREATE_RULESET: Final = 444
_ADD_RULE: Final = 445
_RESTRICT_SELF: Final = 446
_VERSION_FLAG: Final = 1
_PATH_BENEATH: Final = 1

READ_FILE: Final = 4
READ_DIR: Final = 8
_FIELDS: Final = 3
"""Fields of the kernel's `landlock_ruleset_attr`: file rights, network rights, scopes."""

_libc = ctypes.CDLL(None, use_errno=True)


def abi() -> int:
    """Give the kernel's Landlock version; 0 where there is none."""
    version = int(_libc.syscall(_CREATE_RULESET, None, 0, _VERSION_FLAG))
    return max(version, 0)


def restrict(readable: Iterable[tuple[str, int]]) -> None:
    """Let the calling thread read the given paths, with their rights, and nothing else.

    A right on a directory holds for all that is below it. Paths that are not there are left out.
    Needs `no_new_privs`; raises OSError.
    """
    ruleset = _ruleset()
    try:
        for path, rights in readable:
            _allow(ruleset, path, rights)
        _call(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


@cache
def handled() -> tuple[int, ...]:
    """Give every right and scope that this kernel knows, one bit field each.

    They are asked for one by one, so that those of later kernels are denied too. Fields that the
    kernel does not have are left out.
    """
    fields: list[int] = []
    for field in range(_FIELDS):
        known = 0
        for bit in range(64):
            given = [0] * (field + 1)
            given[field] = 1 << bit
            ruleset = _create(given)
            if ruleset < 0:
                break
            os.close(ruleset)
            known |= 1 << bit
        if not known:
            break
        fields.append(known)
    return tuple(fields)


def _create(fields: Sequence[int]) -> int:
    """Make a ruleset; -1 if the kernel does not know something of it."""
    packed = struct.pack(f"={len(fields)}Q", *fields)
    return int(_libc.syscall(_CREATE_RULESET, packed, len(packed), 0))


def _ruleset() -> int:
    if not abi():
        raise OSError("this kernel has no Landlock")
    ruleset = _create(handled())
    if ruleset < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"landlock: {os.strerror(error)}")
    return ruleset


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(beneath).st_mode):
            rights &= READ_FILE
        _call(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, beneath), 0)
    finally:
        os.close(beneath)


def _call(number: int, *arguments: object) -> int:
    result = int(_libc.syscall(number, *arguments))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"landlock: {os.strerror(error)}")
    return result
