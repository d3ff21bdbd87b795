import errno
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from maumau.errors import Unavailable
from maumau.processes.supervisor import (
    LOG_BYTES,
    MOST_EARLY_ENDS,
    Ended,
    Service,
    Stopped,
    Supervisor,
)

# Says that it runs by its process id in a file, and ends well when told to.
STEADY = """
import os, pathlib, signal, sys, time
def stop(*_): pathlib.Path(sys.argv[1] + ".stopped").write_text(""); sys.exit(0)
signal.signal(signal.SIGTERM, stop)
pathlib.Path(sys.argv[1]).write_text(str(os.getpid()))
while True: time.sleep(60)
"""
STUBBORN = """
import os, pathlib, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
own = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
pathlib.Path(sys.argv[1]).write_text(f"{os.getpid()} {own.pid}")
while True: time.sleep(60)
"""


def service(tmp_path: Path, code: str, **more: object) -> Service:
    mark = tmp_path / "mark"
    values: dict[str, object] = {
        "name": "thing",
        "command": [sys.executable, "-c", code, str(mark)],
        "environment": os.environ,
        "log": tmp_path / "thing.log",
        "stop_seconds": 5.0,
        "ready": lambda: mark.exists() and mark.read_text() != "",
        **more,
    }
    return Service(**values)  # type: ignore[arg-type]


@pytest.fixture
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maumau.processes.supervisor.LONGEST_PAUSE", 0.02)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"


def step_until(supervisor: Supervisor, reached: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not reached():
        assert time.monotonic() < deadline
        supervisor.step(0.05)


def test_a_service_is_ready_when_start_returns_and_stops_politely(tmp_path: Path) -> None:
    with Supervisor() as supervisor:
        supervisor.start(service(tmp_path, STEADY))
        pid = int((tmp_path / "mark").read_text())
        assert supervisor.pids() == {"thing": pid}
    assert not alive(pid)
    assert (tmp_path / "mark.stopped").exists()


def test_a_killed_child_is_started_again(tmp_path: Path) -> None:
    seen: list[dict[str, int]] = []
    with Supervisor(changed=lambda pids: seen.append(dict(pids))) as supervisor:
        supervisor.start(service(tmp_path, STEADY))
        first = supervisor.pids()["thing"]
        os.kill(first, signal.SIGKILL)
        step_until(supervisor, lambda: supervisor.pids().get("thing", first) != first)
        second = supervisor.pids()["thing"]
    assert seen == [{"thing": first}, {}, {"thing": second}, {}]


def test_one_that_does_not_stop_is_killed_with_its_children(tmp_path: Path) -> None:
    with Supervisor() as supervisor:
        supervisor.start(service(tmp_path, STUBBORN, stop_seconds=0.1))
        pids = [int(word) for word in (tmp_path / "mark").read_text().split()]
        assert all(map(alive, pids))
    # The grandchild is not ours to wait for; its end takes a moment.
    deadline = time.monotonic() + 10
    while any(map(alive, pids)):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_one_that_ends_at_once_is_given_up_with_the_end_of_its_log(
    tmp_path: Path, short_pauses: None
) -> None:
    chances: list[int] = []
    broken = service(
        tmp_path,
        "print('no such luck'); raise SystemExit(3)",
        on_early_end=lambda: chances.append(1),
    )
    with Supervisor() as supervisor, pytest.raises(Unavailable) as caught:
        supervisor.start(broken)
    assert "thing ends as soon as it starts (exit status 3)" in str(caught.value)
    assert "| no such luck" in str(caught.value)
    assert chances


def test_one_that_is_never_ready_is_given_up(tmp_path: Path) -> None:
    slow = service(tmp_path, "while True: pass", ready=lambda: False, ready_seconds=0.2)
    with Supervisor() as supervisor, pytest.raises(Unavailable, match="was not ready within 0 s"):
        supervisor.start(slow)


def test_a_signal_ends_run_and_whatever_waits(tmp_path: Path) -> None:
    with Supervisor() as supervisor:
        supervisor.start(service(tmp_path, STEADY))
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGTERM)).start()
        supervisor.run()
        with pytest.raises(Stopped):
            supervisor.step(1)
    assert (tmp_path / "mark.stopped").exists()


def test_a_second_signal_does_not_wait_for_the_stubborn(tmp_path: Path) -> None:
    started = time.monotonic()
    with Supervisor() as supervisor:
        supervisor.start(service(tmp_path, STUBBORN, stop_seconds=600))
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        supervisor.run()
    # It would have waited for ten minutes.
    assert time.monotonic() - started < 300


def test_signals_are_given_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with Supervisor():
        assert signal.getsignal(signal.SIGTERM) != before
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_large_log_makes_room(tmp_path: Path) -> None:
    one = service(tmp_path, STEADY)
    one.log.write_bytes(b"x" * (LOG_BYTES + 1))
    with Supervisor() as supervisor:
        supervisor.start(one)
    assert one.log.stat().st_size < LOG_BYTES
    assert one.log.with_name("thing.log.1").stat().st_size == LOG_BYTES + 1


def test_together_tells_all_before_it_waits_for_the_first(tmp_path: Path) -> None:
    # Each stops only when it sees that the other was told to stop.
    code = """
import pathlib, signal, sys, time
here, name, other = pathlib.Path(sys.argv[1]).parent, sys.argv[2], sys.argv[3]
def stop(*_):
    (here / f"{name}.told").write_text("")
    while not (here / f"{other}.told").exists(): time.sleep(0.01)
    (here / f"{name}.stopped").write_text("")
    sys.exit(0)
signal.signal(signal.SIGTERM, stop)
(here / f"{name}.up").write_text("")
while True: time.sleep(60)
"""
    with Supervisor(together=True) as supervisor:
        for name, other in (("a", "b"), ("b", "a")):
            command = [sys.executable, "-c", code, str(tmp_path / "mark"), name, other]
            up = tmp_path / f"{name}.up"
            supervisor.start(
                service(tmp_path, "", name=name, command=command, ready=up.exists, stop_seconds=30)
            )
    assert (tmp_path / "a.stopped").exists()
    assert (tmp_path / "b.stopped").exists()


def test_who_ended_and_how_is_told(tmp_path: Path) -> None:
    told: list[Ended] = []
    with Supervisor() as supervisor:
        supervisor.start(service(tmp_path, STEADY, on_end=told.append))
        pid = supervisor.pids()["thing"]
        os.kill(pid, signal.SIGKILL)
        step_until(supervisor, lambda: bool(told))
    assert [(one.pid, str(one)) for one in told] == [(pid, "signal SIGKILL")]


def test_one_that_is_not_to_be_given_up_is_started_ever_again(
    tmp_path: Path, short_pauses: None
) -> None:
    ends: list[Ended] = []
    with Supervisor() as supervisor:
        supervisor.start(
            service(
                tmp_path,
                "raise SystemExit(1)",
                ready=lambda: True,
                give_up=False,
                on_end=ends.append,
            )
        )
        step_until(supervisor, lambda: len(ends) > MOST_EARLY_ENDS)


def test_a_service_runs_on_although_its_log_was_taken_away(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "thing.log"
    with Supervisor() as supervisor:
        supervisor.start(service(tmp_path, STEADY, log=log))
        for lost in ("removed", "in the way"):
            shutil.rmtree(log.parent)
            if lost == "in the way":
                log.parent.write_text("")
            pid = supervisor.pids()["thing"]
            os.kill(pid, signal.SIGKILL)
            step_until(supervisor, lambda pid=pid: supervisor.pids().get("thing", pid) != pid)
            assert log.exists() == (lost == "removed")


def test_where_no_process_can_be_had_it_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, short_pauses: None
) -> None:
    with Supervisor() as supervisor:
        supervisor.start(service(tmp_path, STEADY))
        pid = supervisor.pids()["thing"]
        tries = 0

        def none_left(*_: object, **__: object) -> None:
            nonlocal tries
            tries += 1
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

        with monkeypatch.context() as short:
            short.setattr("maumau.processes.supervisor.subprocess.Popen", none_left)
            os.kill(pid, signal.SIGKILL)
            step_until(supervisor, lambda: tries >= 3)
        step_until(supervisor, lambda: "thing" in supervisor.pids())
