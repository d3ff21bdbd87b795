"""`./run` on machines that lack something: one sentence, and what to do about it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = (
    *("sh", "dirname", "mkdir", "rmdir", "rm", "cat", "sed"),
    *("cksum", "find", "sort", "cp", "tail", "sleep"),
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A copy of the script in a project that nothing was set up in."""
    made = tmp_path / "a project"
    made.mkdir()
    shutil.copy(ROOT / "run", made / "run")
    return made


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A directory with the few programs that a bare system has, and no Python."""
    made = tmp_path / "bin"
    made.mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        assert found, name
        (made / name).symlink_to(found)
    return made


def program(directory: Path, name: str, text: str) -> None:
    file = directory / name
    file.write_text(text)
    file.chmod(0o755)


def run(place: Path, *arguments: str, path: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(place / "run"), *arguments],
        env={"PATH": path, **env},
        cwd="/",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    assert done.stdout == ""
    return done.stderr.splitlines()[-1]


def test_without_python_it_says_what_to_install(place: Path, tools: Path) -> None:
    done = run(place, path=str(tools))
    assert done.returncode == 1
    assert last_line(done).startswith("run: Python 3.11 or later is needed and none answers here")
    assert "apt-get install python3 python3-venv" in last_line(done)


def test_an_old_python_and_shims_that_do_not_answer_count_as_none(place: Path, tools: Path) -> None:
    program(tools, "python3", "#!/bin/sh\nexit 1\n")
    program(
        tools,
        "python3.12",
        "#!/bin/sh\necho 'pyenv: python3.12: command not found' >&2\nexit 127\n",
    )
    done = run(place, path=str(tools))
    assert last_line(done).startswith("run: Python 3.11 or later is needed")


def test_without_venv_it_says_what_to_install(place: Path, tools: Path) -> None:
    # A Python as Debian has it without python3-venv.
    program(
        tools,
        "python3",
        f'#!/bin/sh\ncase $2 in *ensurepip*) exit 1 ;; esac\nexec {sys.executable} "$@"\n',
    )
    done = run(place, path=str(tools))
    assert done.returncode == 1
    assert last_line(done) == (
        "run: python3 -m venv is missing here: install it (Debian, Ubuntu: apt-get install "
        "python3-venv, as root), then start ./run again."
    )
    assert not (place / ".venv").exists()


def test_a_shim_that_does_not_answer_hides_no_python_behind_it(
    place: Path, tools: Path, tmp_path: Path
) -> None:
    shims = tmp_path / "shims"
    shims.mkdir()
    program(shims, "python3", "#!/bin/sh\nexit 127\n")
    program(tools, "python3", f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    done = run(place, path=f"{shims}:{tools}")
    # Found, and the environment made; then there is nothing to install in this bare copy.
    assert (place / ".venv" / "bin" / "python").exists()
    assert "requirements.txt" in done.stderr


def test_a_python_named_by_the_caller_is_taken(place: Path, tools: Path) -> None:
    run(place, path=str(tools), PYTHON=sys.executable)
    assert (place / ".venv" / "bin" / "python").exists()


def test_a_directory_that_cannot_be_written_to_is_told(place: Path, tools: Path) -> None:
    if os.geteuid() != 0:
        place.chmod(0o555)
        done = run(place, path=str(tools))
    else:
        # Nothing stops root but a file system that is read-only.
        script = f'mount --bind "{place}" "{place}" && mount -o remount,bind,ro "{place}"'
        unshare = [
            "unshare",
            "--mount",
            "sh",
            "-c",
            f'{script} && exec env PATH="{tools}" "{place}/run"',
        ]
        done = subprocess.run(unshare, capture_output=True, text=True, timeout=60, check=False)
        if "unshare" in done.stderr or "mount" in done.stderr:
            pytest.skip(f"no read-only directory can be made here: {done.stderr.strip()}")
    assert done.returncode == 1
    assert last_line(done).startswith(f"run: {place} cannot be written to: copy the project")


def test_an_unknown_verb_shows_those_there_are(place: Path, tools: Path) -> None:
    done = run(place, "play", path=str(tools))
    assert done.returncode == 1
    assert last_line(done) == "run: there is no verb 'play'."
    for verb in ("test", "check", "bench", "chaos", "maumau"):
        assert f"./run {verb}" in done.stderr
    assert run(place, "--help", path=str(tools)).stdout.startswith("./run ")


def test_two_at_once_wait_for_each_other(place: Path, tools: Path) -> None:
    # The lock of one that was killed does not stop the next.
    lock = place / ".venv.lock"
    lock.write_text(f"{2**22 + 1}\n")
    done = run(place, path=str(tools))
    assert "Python 3.11 or later is needed" in done.stderr
    assert not lock.exists()


def test_starts_at_once_and_what_a_killed_one_left_do_not_make_it_unwritable(
    place: Path, tools: Path
) -> None:
    (place / ".venv.probe").write_text("")
    command = [str(place / "run")]
    started = [
        subprocess.Popen(command, env={"PATH": str(tools)}, stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    for one in started:
        said = one.communicate(timeout=60)[1]
        assert "Python 3.11 or later is needed" in said
        assert "cannot be written to" not in said
    assert not (place / ".venv.probe").exists()
