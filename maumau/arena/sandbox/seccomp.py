"""The seccomp filter: an allow-list of kernel calls, as a classic BPF program.

Whatever is not in `syscalls.py` fails with EPERM; foreign architectures and the calls that no
honest bot makes end the process. `program` is pure, so that tests run it for every architecture.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import struct
from typing import Final

from maumau.arena.sandbox.syscalls import ALLOWED, AUDIT, JUDGED, KILLING, SECCOMP, numbers

ALLOW: Final = 0x7FFF0000
KILL: Final = 0x80000000
ERRNO: Final = 0x00050000
REFUSE: Final = ERRNO | errno.EPERM

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _ARCH_AT, _ARGUMENTS_AT = 0, 4, 16
_X32_BIT: Final = 0x40000000

_SET_MODE_FILTER, _TSYNC = 1, 1

# Landlock ABI 1 lets an empty file be made of one that may be read: no open that could write.
_O_TMPFILE: Final = 0o20000000
WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND | _O_TMPFILE
FCNTL: Final = (0, 1, 2, 3, 1030)  # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC
IOCTL: Final = (0x5401, 0x5413, 0x541B, 0x5450, 0x5451)  # TCGETS, winsize, FIONREAD, FIO(N)CLEX
DEADLY: Final = (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL)
"""What a process may send itself: that it has failed. Not SIGKILL, which is the host's mark."""

Instruction = tuple[int, int, int, int]


def program(machine: str, pid: int) -> list[Instruction]:
    """Give the filter for an architecture and the process `pid` as (code, jt, jf, k)."""
    code: list[Instruction] = [
        (_LOAD, 0, 0, _ARCH_AT),
        (_EQUAL, 1, 0, AUDIT[machine]),
        (_RETURN, 0, 0, KILL),
        (_LOAD, 0, 0, _NUMBER_AT),
    ]
    if machine == "x86_64":
        code += [(_AT_LEAST, 0, 1, _X32_BIT), (_RETURN, 0, 0, KILL)]
    for number in numbers(ALLOWED, machine).values():
        code += _when(number, [(_RETURN, 0, 0, ALLOW)])
    for name, number in numbers(JUDGED, machine).items():
        code += _when(number, _judge(name, pid))
    for number in numbers(KILLING, machine).values():
        code += _when(number, [(_RETURN, 0, 0, KILL)])
    return [*code, (_RETURN, 0, 0, REFUSE)]


def install(machine: str) -> None:
    """Put the filter on this process for good; needs `no_new_privs`; raises OSError."""
    packed = b"".join(struct.pack("=HBBI", *step) for step in program(machine, os.getpid()))
    buffer = ctypes.create_string_buffer(packed, len(packed))
    fprog = struct.pack("HxxxxxxP", len(packed) // 8, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(SECCOMP[machine], _SET_MODE_FILTER, _TSYNC, fprog) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"seccomp: {os.strerror(error)}")


def _when(number: int, then: list[Instruction]) -> list[Instruction]:
    """Run `then`, which returns, if the call has this number."""
    return [(_EQUAL, 0, len(then), number), *then]


def _judge(name: str, pid: int) -> list[Instruction]:
    match name:
        case "clone" | "fork" | "vfork":
            return [(_RETURN, 0, 0, ERRNO | errno.EAGAIN)]
        case "clone3":  # its flags lie in memory, where a filter cannot look
            return [(_RETURN, 0, 0, ERRNO | errno.ENOSYS)]
        case "open":
            return _no_bits(1, WRITING)
        case "openat":
            return _no_bits(2, WRITING)
        case "fcntl":
            return _one_of(1, FCNTL)
        case "ioctl":
            return _one_of(1, IOCTL)
        case "prlimit64":  # reading its own only: the new limits' address is null
            own = [_argument(0), (_EQUAL, 2, 0, 0), (_EQUAL, 1, 0, pid), (_RETURN, 0, 0, REFUSE)]
            return [*own, *_must_be(2, 0), *_must_be(2, 0, high=True), (_RETURN, 0, 0, ALLOW)]
        case "tgkill":
            return [*_must_be(0, pid), *_one_of(2, DEADLY)]
    raise AssertionError(name)


def _argument(index: int, *, high: bool = False) -> Instruction:
    return (_LOAD, 0, 0, _ARGUMENTS_AT + 8 * index + 4 * high)


def _must_be(index: int, value: int, *, high: bool = False) -> list[Instruction]:
    return [_argument(index, high=high), (_EQUAL, 1, 0, value), (_RETURN, 0, 0, REFUSE)]


def _no_bits(index: int, bits: int) -> list[Instruction]:
    refuse, allow = (_RETURN, 0, 0, REFUSE), (_RETURN, 0, 0, ALLOW)
    return [_argument(index), (_ANY_BIT, 0, 1, bits), refuse, allow]


def _one_of(index: int, values: tuple[int, ...]) -> list[Instruction]:
    code = [_argument(index)]
    for value in values:
        code += [(_EQUAL, 0, 1, value), (_RETURN, 0, 0, ALLOW)]
    return [*code, (_RETURN, 0, 0, REFUSE)]
