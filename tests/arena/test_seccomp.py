"""The seccomp filter, run by a small interpreter of classic BPF, for both architectures."""

from __future__ import annotations

import errno
import os
import re
import struct
from pathlib import Path

import pytest

from maumau.arena.sandbox import seccomp
from maumau.arena.sandbox.seccomp import ALLOW, ERRNO, KILL, REFUSE, program
from maumau.arena.sandbox.syscalls import ALLOWED, ARCHITECTURES, AUDIT, JUDGED, KILLING, numbers

PID = 4711
HEADERS = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")


def run(machine: str, number: int, *arguments: int, arch: int | None = None) -> int:
    """Give the filter's verdict on a call, as the kernel would work it out."""
    given = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<iIQ6Q", number, AUDIT[machine] if arch is None else arch, 0, *given)
    code = program(machine, PID)
    at = accumulator = 0
    while True:
        op, yes, no, value = code[at]
        at += 1
        if op == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif op == 0x06:
            return value
        else:
            holds = {
                0x15: accumulator == value,
                0x35: accumulator >= value,
                0x45: bool(accumulator & value),
            }[op]
            at += yes if holds else no


@pytest.fixture(params=ARCHITECTURES)
def machine(request: pytest.FixtureRequest) -> str:
    """Give each architecture that has a table."""
    return str(request.param)


def judge(machine: str, name: str, *arguments: int) -> int:
    return run(machine, numbers(JUDGED, machine)[name], *arguments)


def test_allowed_and_killing_calls(machine: str) -> None:
    for number in numbers(ALLOWED, machine).values():
        assert run(machine, number) == ALLOW
    for number in numbers(KILLING, machine).values():
        assert run(machine, number) == KILL


def test_what_is_not_listed_is_refused(machine: str) -> None:
    listed = {n for t in (ALLOWED, JUDGED, KILLING) for n in numbers(t, machine).values()}
    for number in set(range(600)) - listed:
        assert run(machine, number) == REFUSE


def test_a_foreign_architecture_is_killed(machine: str) -> None:
    other = AUDIT[next(name for name in ARCHITECTURES if name != machine)]
    assert run(machine, 0, arch=other) == KILL
    assert run(machine, 0, arch=0x40000003) == KILL  # 32-bit x86


def test_the_x32_numbers_are_killed() -> None:
    assert run("x86_64", 0x40000000 | 0) == KILL


def test_open_only_reads(machine: str) -> None:
    for name, at in (("open", 1), ("openat", 2)):
        if name not in numbers(JUDGED, machine):
            continue

        def opened(flags: int, name: str = name, at: int = at) -> int:
            return judge(machine, name, *[0] * at, flags)

        assert opened(os.O_RDONLY | os.O_CLOEXEC) == ALLOW
        for flag in (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC, os.O_APPEND, 0o20200000):
            assert opened(flag) == REFUSE
            assert opened(flag | os.O_CLOEXEC | 1 << 40) == REFUSE


def test_no_process_and_no_thread_can_be_made(machine: str) -> None:
    assert judge(machine, "clone") == ERRNO | errno.EAGAIN
    assert judge(machine, "clone3") == ERRNO | errno.ENOSYS


def test_a_process_signals_itself_only_and_never_like_the_host(machine: str) -> None:
    assert judge(machine, "tgkill", PID, PID, 6) == ALLOW
    assert judge(machine, "tgkill", PID, PID, 11) == ALLOW
    assert judge(machine, "tgkill", PID, PID, 9) == REFUSE
    assert judge(machine, "tgkill", PID, PID, 19) == REFUSE
    assert judge(machine, "tgkill", PID + 1, PID + 1, 6) == REFUSE
    assert judge(machine, "tgkill", 1, 1, 11) == REFUSE


def test_limits_may_be_read_and_not_set(machine: str) -> None:
    assert judge(machine, "prlimit64", 0, 7, 0, 0x7FFF0000) == ALLOW
    assert judge(machine, "prlimit64", 0, 7, 0x7FFF0000, 0) == REFUSE
    assert judge(machine, "prlimit64", 0, 7, 1 << 32, 0) == REFUSE
    assert judge(machine, "prlimit64", PID, 7, 0, 1) == ALLOW
    assert judge(machine, "prlimit64", PID + 1, 7, 0, 1) == REFUSE


def test_fcntl_and_ioctl_by_command(machine: str) -> None:
    assert judge(machine, "fcntl", 0, 1) == ALLOW
    assert judge(machine, "fcntl", 0, 4) == REFUSE  # F_SETFL
    assert judge(machine, "fcntl", 0, 8) == REFUSE  # F_SETOWN
    assert judge(machine, "ioctl", 0, 0x5401) == ALLOW
    assert judge(machine, "ioctl", 0, 0x5412) == REFUSE  # TIOCSTI


def test_the_filter_fits_the_kernel(machine: str) -> None:
    code = program(machine, PID)
    assert len(code) < 4096
    assert all(max(yes, no) < 256 for _, yes, no, _ in code)


def test_no_call_is_in_two_tables() -> None:
    assert not set(ALLOWED) & set(JUDGED)
    assert not set(ALLOWED) & set(KILLING)
    assert not set(JUDGED) & set(KILLING)


@pytest.mark.skipif(not HEADERS.exists(), reason="the kernel's headers are not installed")
def test_the_numbers_are_the_kernels() -> None:
    kernel = dict(re.findall(r"#define __NR_(\w+) (\d+)", HEADERS.read_text()))
    for table in (ALLOWED, JUDGED, KILLING):
        for name, number in numbers(table, "x86_64").items():
            assert int(kernel[name]) == number, name


def test_opening_for_writing_covers_the_flags_that_make_files() -> None:
    assert os.O_CREAT & seccomp.WRITING
    assert os.O_TRUNC & seccomp.WRITING
    assert os.O_TMPFILE & seccomp.WRITING & ~os.O_DIRECTORY
