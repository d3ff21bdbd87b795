import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from maumau.processes import tether

PARENT = """
import subprocess, sys, time
from maumau.processes.tether import tethered
code = "import time; print('began', flush=True); time.sleep(600)"
child = subprocess.Popen(tethered([sys.executable, "-c", code]))
print(child.pid, flush=True)
time.sleep(600)
"""


def start_parent() -> tuple[subprocess.Popen[str], int]:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True, bufsize=1
    )
    assert parent.stdout is not None
    lines = {parent.stdout.readline().strip(), parent.stdout.readline().strip()}
    # The child has begun: its tie is made.
    lines.remove("began")
    return parent, int(lines.pop())


def test_a_tethered_child_ends_when_its_parent_is_killed() -> None:
    parent, child = start_parent()
    with parent:
        descriptor = os.pidfd_open(child)
        try:
            parent.kill()
            assert parent.wait(10) == -signal.SIGKILL
            # Readable when the process has ended.
            assert select.select([descriptor], [], [], 10)[0] == [descriptor]
        finally:
            os.close(descriptor)


def test_the_command_gets_its_arguments_and_gives_its_status() -> None:
    command = tether.tethered(
        [sys.executable, "-c", "import sys; sys.exit(len(sys.argv))", "a", "b c"]
    )
    assert subprocess.run(command, check=False).returncode == 3


def test_a_parent_that_is_not_the_parent_ends_it_at_once() -> None:
    command = tether.tethered([sys.executable, "-c", "print('ran')"])
    command[command.index(str(os.getpid()))] = "1"
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (-signal.SIGKILL, b"")


@pytest.mark.parametrize(("code", "status"), [("raise SystemExit(7)", 7), ("", 0)])
def test_between_gives_the_status_of_its_child(code: str, status: int) -> None:
    assert tether._between(os.getppid(), [sys.executable, "-c", code]) == status


def test_between_ends_its_child_when_the_parent_has_gone() -> None:
    assert tether._between(-1, [sys.executable, "-c", "while True: pass"]) == tether.KILLED


def test_the_script_needs_the_standard_library_only() -> None:
    text = Path(tether.__file__).read_text(encoding="utf-8")
    assert "import maumau" not in text
    assert "from maumau" not in text
