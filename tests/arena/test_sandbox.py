"""The cage is proved before it is used, and where it cannot be, uploaded bots do not run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from maumau.arena import sandbox
from maumau.arena.clock import SystemClock
from maumau.arena.play import play_chunk
from maumau.arena.sandbox import landlock, lockdown, probe_bot, proof
from maumau.arena.sandbox.proof import Status
from maumau.arena.sandbox.zygote import close_all, zygote
from maumau.bots import registry
from maumau.errors import Unavailable
from tests.arena.bots import CHANCE, MakeBot, chunk


@pytest.fixture
def unproved() -> Iterator[None]:
    """Let it be tried anew, and again afterwards."""
    proof._status.cache_clear()
    yield
    proof._status.cache_clear()


def test_bots_can_be_caged_here() -> None:
    """The other tests of this room need that; where it fails they are skipped or fail."""
    assert sandbox.status() == Status(True, "")


def test_the_probe_notices_that_there_is_no_cage() -> None:
    reason = proof.probe(SystemClock(), caged=False)
    assert "a caged bot could" in reason
    for title in ("read /etc/passwd", "list /", "fork", "start a thread", "run a program"):
        assert title in reason


def test_the_probe_tries_enough() -> None:
    assert len(probe_bot.ATTEMPTS) >= 17


@pytest.mark.usefixtures("unproved")
def test_a_kernel_without_landlock_takes_no_uploads(
    monkeypatch: pytest.MonkeyPatch, make_bot: MakeBot
) -> None:
    monkeypatch.setattr(landlock, "abi", lambda: 0)
    assert "Landlock" in sandbox.status().reason
    with pytest.raises(Unavailable, match="Landlock") as caught:
        play_chunk(chunk(make_bot(), registry.find("easy").source, blocks=1))
    assert caught.value.code == "sandbox_unavailable"
    # Installed plugins play all the same.
    trusted = registry.find("easy").source, registry.find("random").source
    assert len(play_chunk(chunk(*trusted, blocks=1)).legs) == 2


@pytest.mark.usefixtures("unproved")
@pytest.mark.parametrize(
    ("system", "machine"), [("darwin", "arm64"), ("linux", "riscv64"), ("linux", "i686")]
)
def test_other_systems_take_no_uploads(
    monkeypatch: pytest.MonkeyPatch, system: str, machine: str
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(lockdown.platform, "machine", lambda: machine)
    assert "on Linux x86_64 and aarch64 only" in sandbox.status().reason


@pytest.mark.usefixtures("unproved")
def test_a_cage_that_cannot_be_closed_runs_nothing(
    monkeypatch: pytest.MonkeyPatch, make_bot: MakeBot
) -> None:
    """A user that bots cannot become: locking down fails, the bot's code is never loaded."""
    close_all()
    monkeypatch.setattr("maumau.arena.sandbox.zygote.UNPRIVILEGED", 0)
    if os.geteuid() == 0:
        status = sandbox.status()
        assert not status.ok
        assert "could not be locked down: LockdownError: the process is root" in status.reason
    close_all()


def test_the_environment_of_bots_is_made_from_nothing(
    monkeypatch: pytest.MonkeyPatch, make_bot: MakeBot
) -> None:
    close_all()
    monkeypatch.setenv("MAUMAU_TOKEN", "secret")
    monkeypatch.setenv("SOME_PASSWORD", "secret")
    act = "print(dict(os.environ))\nraise ValueError(len(os.environ))"
    (leg, _) = play_chunk(chunk(make_bot(act), make_bot(name="other"), blocks=1)).legs
    assert leg.fault is not None
    assert "secret" not in leg.fault.log
    assert "PYTHONHASHSEED" in leg.fault.log
    close_all()


def test_every_thread_has_a_clean_process_of_its_own(make_bot: MakeBot) -> None:
    job = chunk(make_bot(CHANCE), make_bot(name="other"), blocks=1)
    seen = []

    def play() -> None:
        seen.append((play_chunk(job).legs, zygote("submitted")))

    play()
    thread = threading.Thread(target=play)
    thread.start()
    thread.join()
    (here, mine), (there, other) = seen
    assert here == there
    assert mine is not other


def test_threads_that_play_side_by_side_do_not_meet(make_bot: MakeBot) -> None:
    """Each asks hundreds of questions, so that whatever they share is fetched anew meanwhile."""
    job = chunk(make_bot(CHANCE), make_bot(name="other"), rules="straffpoang", blocks=20)
    job = replace(job, limits=replace(job.limits, decision_ms=60_000, wall_ms=60_000))

    def play(_: int) -> object:
        try:
            return play_chunk(job).legs
        finally:
            close_all()

    with ThreadPoolExecutor(3) as pool:
        first, *others = pool.map(play, range(3))
    assert others == [first, first]


def test_a_forked_worker_uses_none_of_its_parents(make_bot: MakeBot) -> None:
    job = chunk(make_bot(CHANCE), make_bot(name="other"), blocks=1)
    before = play_chunk(job).legs
    mine = zygote("submitted")
    pid = os.fork()
    if pid == 0:
        try:
            same = play_chunk(job).legs == before and zygote("submitted") is not mine
            close_all()
        finally:
            os._exit(0 if same else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert zygote("submitted") is mine
    assert play_chunk(job).legs == before


def test_a_clean_process_that_died_is_replaced(make_bot: MakeBot) -> None:
    job = chunk(make_bot(CHANCE), make_bot(name="other"), blocks=1)
    before = play_chunk(job).legs
    lost = zygote("submitted")
    os.kill(lost.pid, signal.SIGKILL)
    assert play_chunk(job).legs == before
    assert zygote("submitted") is not lost
    assert not Path(lost.staging).exists()


WORKER = """
import os, sys
from pathlib import Path
from maumau.arena.play import play_chunk
from maumau.arena.sandbox.zygote import zygote
sys.path.insert(0, {top!r})
from tests.arena.bots import chunk, write_bot
here = Path({here!r})
job = chunk(write_bot(here, "print('asleep'); time.sleep(3600)"), write_bot(here, name="other"))
first = True
def alive():
    global first
    children = Path(f"/proc/{{zygote('submitted').pid}}/task/{{zygote('submitted').pid}}/children")
    pids = children.read_text().split()
    if first and len(pids) == 2:
        first = False
        print(zygote("submitted").pid, *pids, zygote("submitted").staging, flush=True)
play_chunk(job, alive=alive)
"""


def test_nothing_is_left_of_a_killed_worker(tmp_path: Path) -> None:
    top = str(Path(__file__).parents[2])
    code = textwrap.dedent(WORKER).format(top=top, here=str(tmp_path))
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as worker:
        assert worker.stdout is not None
        *numbers, staging = worker.stdout.readline().split()
        handles = [os.pidfd_open(int(number)) for number in numbers]
        assert Path(staging).is_dir()
        worker.kill()
    for handle in handles:
        # Readable when the process has ended.
        assert wait_for_end(handle)
        os.close(handle)
    assert not Path(staging).exists()


def wait_for_end(handle: int) -> bool:
    import select

    return bool(select.select([handle], [], [], 20)[0])
