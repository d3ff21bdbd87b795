"""Host faults: nobody's, played again from the same seed, counted, and given up in the end."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from maumau.arena.clock import SystemClock, SystemProcessClock
from maumau.arena.limits import Limits
from maumau.arena.play import play_chunk
from maumau.arena.sandbox.zygote import Order, Zygote, zygote
from maumau.errors import Unavailable
from tests.arena.bots import CHANCE, MakeBot, chunk

SECOND = 1_000_000_000


def bots_alive() -> list[int]:
    """Give the bot processes of this thread's clean process."""
    pid = zygote("submitted").pid
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def killer(times: int) -> Callable[[], None]:
    """Make an `alive` that kills a bot process from outside, so many times."""
    killed: set[int] = set()
    calls = 0

    def alive() -> None:
        nonlocal calls
        calls += 1
        if calls % 7 == 0 and len(killed) < times:
            victim = bots_alive()[0]
            if victim not in killed:
                killed.add(victim)
                os.kill(victim, signal.SIGKILL)

    return alive


def test_a_process_killed_from_outside_is_played_again(make_bot: MakeBot) -> None:
    job = chunk(make_bot(CHANCE), make_bot(name="other"), rules="straffpoang", blocks=4)
    calm = play_chunk(job)
    disturbed = play_chunk(job, alive=killer(3))
    assert disturbed.host_faults == 3
    assert calm.host_faults == 0
    assert disturbed.legs == calm.legs
    assert disturbed.decisions == calm.decisions


def test_a_lost_clean_process_is_the_hosts_fault_too(make_bot: MakeBot) -> None:
    job = chunk(make_bot(CHANCE), make_bot(name="other"), rules="straffpoang", blocks=2)
    calm = play_chunk(job)
    left = [zygote("submitted").pid]

    def alive() -> None:
        if left and len(bots_alive()) == 2:
            os.kill(left.pop(), signal.SIGKILL)

    disturbed = play_chunk(job, alive=alive)
    assert disturbed.legs == calm.legs
    assert disturbed.host_faults >= 1


def test_a_host_that_always_fails_is_given_up(make_bot: MakeBot) -> None:
    def alive() -> None:
        for pid in bots_alive():
            os.kill(pid, signal.SIGKILL)

    with pytest.raises(Unavailable, match="the host failed 5 times in a row") as caught:
        play_chunk(chunk(make_bot("time.sleep(3600)"), make_bot(name="other")), alive=alive)
    assert caught.value.code == "host_fault"


class BusyHost(SystemClock):
    """A host on which a process gets nothing done: all its time is waiting for a processor."""

    def __init__(self, processes: int) -> None:
        self._starved = processes
        self.seen = 0

    def process(self, pid: int) -> SystemProcessClock:
        self.seen += 1
        return Starved(pid) if self.seen <= self._starved else SystemProcessClock(pid)


class Starved(SystemProcessClock):
    """A process's clock on such a host."""

    def cpu(self) -> int:
        return 0

    def waited(self) -> int:
        return SystemClock().wall()

    def switches(self) -> tuple[int, int]:
        return 0, 0


def test_a_starved_bot_is_played_again_and_a_sleeping_one_is_not(make_bot: MakeBot) -> None:
    """The same sleep: the host's fault as long as the run-queue wait fills the time."""
    limits = Limits(decision_ms=20, wall_ms=200)
    sleeper, honest = make_bot("time.sleep(3600)"), make_bot(name="other")
    job = chunk(sleeper, honest, blocks=1, limits=limits, legs=((0, 1),))
    asleep = play_chunk(job)
    assert asleep.host_faults == 0
    assert [leg.fault.kind for leg in asleep.legs if leg.fault] == ["timeout"]
    # Two processes of the first attempt are starved; the next attempt finds the bot asleep.
    starved = play_chunk(job, clock=BusyHost(2))
    assert starved.host_faults == 1
    assert starved.legs[0].record == asleep.legs[0].record


def test_cpu_used_while_nobody_waits_is_charged(make_bot: MakeBot) -> None:
    """A bot that answers and goes on computing before it reads pays at its next decision."""
    top = """
    import msgspec
    from maumau.arena import child
    write = child.Channel.write
    def late(self, body):
        write(self, body)
        end = time.process_time() + 0.4
        while time.process_time() < end: pass
    child.Channel.write = late
    """
    limits = Limits(decision_ms=100, wall_ms=20_000)
    bots = make_bot(CHANCE, top=top), make_bot(CHANCE, name="other")
    (leg,) = play_chunk(chunk(*bots, blocks=1, limits=limits, legs=((0, 1),))).legs
    assert leg.fault is not None
    assert (leg.fault.seat, leg.fault.kind) == (0, "timeout")


def test_a_process_that_never_begins_is_the_hosts_fault(
    make_bot: MakeBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever ends a process before any of the bot's code has run is not the bot's."""
    real = Zygote.spawn

    def spawn(self: Zygote, order: Order, incoming: int, outgoing: int, log: int) -> int:
        if left:
            order = replace(order, directory=left.pop())
        return real(self, order, incoming, outgoing, log)

    job = chunk(make_bot(CHANCE), make_bot(name="other"), blocks=1)
    calm = play_chunk(job)
    left = ["/no/such/directory"]
    monkeypatch.setattr(Zygote, "spawn", spawn)
    disturbed = play_chunk(job)
    assert disturbed.host_faults == 1
    assert disturbed.legs == calm.legs
