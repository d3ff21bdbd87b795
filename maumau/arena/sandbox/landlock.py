"""Landlock through ctypes: of the file system and the network, only some reading is left.

Source: the kernel's `landlock(7)`. Rights that the running kernel does not know are left out; the
first version (ABI 1) is enough together with the seccomp filter.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable
from typing import Final

_CREATE_RULESET: Final = 444
_ADD_RULE: Final = 445
_RESTRICT_SELF: Final = 446
_VERSION_FLAG: Final = 1
_PATH_BENEATH: Final = 1

READ_FILE: Final = 4
READ_DIR: Final = 8
_FS_RIGHTS: Final = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""How many file rights each ABI knows; they are the lowest bits."""
_TCP: Final = 3
_SCOPES: Final = 3

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
    ruleset = _ruleset(abi())
    try:
        for path, rights in readable:
            _allow(ruleset, path, rights)
        _call(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _ruleset(version: int) -> int:
    if not version:
        raise OSError("this kernel has no Landlock")
    rights = 0
    for bit in range(_FS_RIGHTS[min(version, max(_FS_RIGHTS))]):
        rights |= 1 << bit
    handled = struct.pack("Q", rights)
    if version >= 4:
        handled += struct.pack("Q", _TCP)
    if version >= 6:
        handled += struct.pack("Q", _SCOPES)
    return _call(_CREATE_RULESET, handled, len(handled), 0)


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
