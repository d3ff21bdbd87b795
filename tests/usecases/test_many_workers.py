"""The same tournament by one worker undisturbed, and by several of which one is killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from maumau.storage import Account, Database
from maumau.usecases import read, reap
from maumau.usecases.clock import system_clock
from maumau.usecases.export import export_results
from maumau.usecases.schedule import schedule
from maumau.usecases.verify import verify_tournament
from tests.usecases.plugged import accepted, source
from tests.usecases.standing import StandingClock

Entropy = Callable[[int], bytes]


def begin(db: Database, entropy: Entropy, account: Account) -> str:
    wish = {"entrants": ["aa", "bb", "cc"], "rules": "crazy-eights", "blocks": 33, "seed": "s"}
    return schedule(db, system_clock, account, wish, entropy=entropy).tournament.id


def start(url: str, files: Path, worker: str, *hold: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.usecases.player", url, str(files), worker, *hold],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def go(*processes: subprocess.Popen[str]) -> None:
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()


def test_a_killed_worker_changes_nothing_in_the_results(
    db: Database,
    database_url: str,
    clock: StandingClock,
    entropy: Entropy,
    ann: Account,
    tmp_path: Path,
) -> None:
    contents = [
        source("aa"),
        source("bb", "self.info.rng.randrange(len(obs.legal_actions))"),
        source("cc", "(len(obs.legal_actions) - 1) // 2"),
    ]
    accepted(db, ann, clock(), "aa", "bb", "cc", contents=contents)
    quiet = begin(db, entropy, ann)
    alone = start(database_url, tmp_path, "w0")
    go(alone)
    assert alone.wait(timeout=120) == 0
    assert read.tournament(db, quiet).state == "finished"

    restless = begin(db, entropy, ann)
    doomed = start(database_url, tmp_path, "w0", "hold")
    processes = [doomed, *(start(database_url, tmp_path, worker) for worker in ("w1", "w2"))]
    try:
        go(doomed)
        assert doomed.stdout is not None
        assert doomed.stdout.readline() == "playing\n"
        go(*processes[1:])
        doomed.send_signal(signal.SIGKILL)
        assert [p.wait(timeout=120) for p in processes] == [-signal.SIGKILL, 0, 0]
    finally:
        for process in processes:
            process.kill()
            process.wait(timeout=60)
    # What the killed one held is due again, and somebody plays it.
    assert len(reap.release(db, system_clock, "w0").chunks) == 1
    last = start(database_url, tmp_path, "w1")
    go(last)
    assert last.wait(timeout=120) == 0
    assert read.tournament(db, restless).state == "finished"
    assert export_results(db, restless) == export_results(db, quiet)
    assert verify_tournament(db, restless).differences == ()
