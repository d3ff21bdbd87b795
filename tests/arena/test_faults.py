"""Faults are told apart by evidence; every case here is a pair of what was seen and the verdict."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from maumau.arena.clock import SystemProcessClock
from maumau.arena.faults import EXIT_MEMORY, HOST, KINDS, Ended, Spent, clean, ended, overran

MB = 1 << 20
SECOND = 1_000_000_000


def verdict(status: int | None, *, cpu_s: float = 0.1, peak_mb: int = 30) -> str:
    end = Ended(status, int(cpu_s * SECOND), peak_mb * MB)
    return ended(end, memory_bytes=256 * MB, cpu_limit_s=20).kind


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (0, "crash"),
        (3, "crash"),
        (EXIT_MEMORY, "memory"),
        (None, "protocol"),
        (-signal.SIGSEGV, "crash"),
        (-signal.SIGABRT, "crash"),
        (-signal.SIGSYS, "crash"),
        (-signal.SIGXCPU, "timeout"),
        (-40, "crash"),
    ],
)
def test_an_exit_says_what_the_bot_did(status: int | None, kind: str) -> None:
    assert verdict(status) == kind


def test_a_kill_from_outside_is_nobodys_fault() -> None:
    assert verdict(-signal.SIGKILL) == HOST


def test_a_kill_of_a_process_that_filled_its_memory_is_its_own() -> None:
    assert verdict(-signal.SIGKILL, peak_mb=250) == "memory"


def test_a_kill_at_the_kernels_cpu_limit_is_a_timeout() -> None:
    assert verdict(-signal.SIGKILL, cpu_s=20.5) == "timeout"


def judged(wall_ms: int, cpu_ms: int, waited_ms: int) -> str | None:
    spent = Spent(wall_ms * 1_000_000, cpu_ms * 1_000_000, waited_ms * 1_000_000)
    fault = overran(spent, cpu_ns=100_000_000, wall_ns=SECOND, patience_ns=3 * SECOND)
    return fault.kind if fault else None


@pytest.mark.parametrize(
    ("wall", "cpu", "waited", "kind"),
    [
        (50, 50, 0, None),
        (100, 100, 0, None),
        (120, 101, 0, "timeout"),  # computed too long
        (900, 1, 0, None),  # slow, but the limit has not passed
        (1_001, 0, 0, "timeout"),  # slept, or stopped itself
        (1_001, 1, 500, "timeout"),  # the host was busy, but the bot slept too
        (1_001, 90, 880, None),  # the host let it wait: patience
        (3_001, 90, 2_880, HOST),  # … which ends
        (3_001, 0, 3_001, HOST),
        (3_001, 101, 2_900, "timeout"),  # its own CPU counts whatever the host did
        (3_001, 90, 2_000, "timeout"),
    ],
)
def test_a_starved_bot_is_told_from_a_sleeping_one(
    wall: int, cpu: int, waited: int, kind: str | None
) -> None:
    assert judged(wall, cpu, waited) == kind


def test_a_bot_that_naps_on_a_busy_host_is_not_starved() -> None:
    """Each instant of sleep makes it wait for a processor again; that wait is its own doing."""
    spent = Spent(9 * SECOND, SECOND // 100, 8 * SECOND + SECOND // 2, left_share=1.0)
    fault = overran(spent, cpu_ns=SECOND, wall_ns=SECOND, patience_ns=3 * SECOND)
    assert fault is not None
    assert fault.kind == "timeout"


def test_the_line_for_the_record_holds_no_measurement() -> None:
    one = overran(Spent(10**9, 2 * 10**8, 0), cpu_ns=10**8, wall_ns=10**10, patience_ns=10**10)
    two = overran(Spent(3 * 10**9, 5 * 10**8, 7), cpu_ns=10**8, wall_ns=10**10, patience_ns=10**10)
    assert one is not None
    assert two is not None
    assert one.detail == two.detail == "used more than 100 ms of CPU for one decision"
    assert one.seen != two.seen


def test_kinds_are_those_of_the_design() -> None:
    assert set(KINDS) == {"illegal_action", "timeout", "crash", "protocol", "memory", "start"}


def test_hostile_text_becomes_one_plain_line() -> None:
    assert clean("a\nb\x1b[31m\ud800" + "x" * 9_999).startswith("a b\\x1b[31m\\ud800xxx")
    assert len(clean("x" * 9_999)) <= 500
    assert clean("<T object at 0x7f0123456789>") == "<T object at 0x…>"

    class Mean:
        def __str__(self) -> str:
            raise SystemExit

    assert "cannot be shown" in clean(Mean())


def test_a_wait_that_goes_on_is_not_taken_for_a_sleep() -> None:
    """The kernel counts a wait for a processor when it is over, and not before."""
    allowed = {"cpu_ns": 100_000_000, "wall_ns": SECOND, "patience_ns": 3 * SECOND}
    seen = {"wall_ns": SECOND + 1, "cpu_ns": 50_000_000, "waited_ns": 600_000_000}
    assert overran(Spent(**seen, ready=True), **allowed) is None
    asleep = overran(Spent(**seen), **allowed)
    assert asleep is not None
    assert asleep.kind == "timeout"
    assert "did not compute" in asleep.detail
    # Who is found ready whenever one looks gets no more patience than a busy host has.
    seen["wall_ns"] = 3 * SECOND + 1
    late = overran(Spent(**seen, ready=True), **allowed)
    assert late is not None
    assert late.kind == "timeout"


def test_a_process_is_ready_while_it_computes_and_not_while_it_sleeps() -> None:
    code = "import sys\nprint(1, flush=True)\nsys.stdin.readline()\nwhile True: pass"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        clock = SystemProcessClock(process.pid)
        while clock.ready():
            # It has told us and is about to wait.
            pass
        process.stdin.write("go\n")
        process.stdin.flush()
        while not clock.ready():
            pass
        assert clock.ready()
        process.kill()
        process.wait()
        assert not clock.ready()
        clock.close()
