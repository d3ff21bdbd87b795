"""`maumau new` and `maumau check`."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from maumau import verify_record
from maumau.arena.sandbox.proof import Status
from maumau.bots.wheels import check_path
from maumau.cli import cage
from maumau.cli.bots import submit
from maumau.cli.called import called
from tests.cli.running import maumau
from tests.cli.test_local import BROKEN, LOWEST


def test_a_new_bot_passes_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = maumau("new", "my-bot")
    assert ran.code == 0, ran.err
    assert f"Next: {called('check')} my-bot/my_bot.py" in ran.out
    ran = maumau("check", "my-bot/my_bot.py", "--name", "my-bot", "--limit-ms", "1000")
    assert ran.code == 0, ran.err
    assert ran.out.rstrip().endswith("accepted")
    assert "Milliseconds a decision: median" in ran.out
    again = maumau("new", "my-bot")
    assert again.code == 1
    assert "my-bot is there already" in again.err


def test_a_wrong_name_is_wrong_use(tmp_path: Path) -> None:
    ran = maumau("new", "My Bot", str(tmp_path / "x"))
    assert ran.code == 2
    assert "small letters" in ran.err
    assert not (tmp_path / "x").exists()


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = maumau("new", "my-bot", str(tmp_path / "file/below"))
    assert ran.code == 1
    assert "cannot write" in ran.err


def test_the_report_as_json(tmp_path: Path) -> None:
    (tmp_path / "lowest.py").write_text(LOWEST)
    ran = maumau("check", str(tmp_path / "lowest.py"), "--decisions", "200", "--json")
    report = json.loads(ran.out)
    assert ran.code == 0
    assert report["accepted"] is True
    assert report["name"] == "lowest"
    assert report["decisions"] >= 200


def test_a_rejected_bot_names_reason_and_position(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(BROKEN)
    saved = tmp_path / "record.json"
    ran = maumau("check", str(tmp_path / "broken.py"), "--save", str(saved))
    assert ran.code == 1
    assert "rejected: crash: RuntimeError: lost the thread (broken.py, line" in ran.err
    assert re.search(r"at seat 0, deal 0, action \d+ of a game of 2 seats under \w+ on", ran.err)
    assert "It printed:" in ran.err
    record = json.loads(saved.read_text())
    verify_record(record)
    assert record["fault"]["kind"] == "crash"


def test_what_a_bot_printed_cannot_steer_the_terminal(tmp_path: Path) -> None:
    text = LOWEST.replace(
        "class", "print('\\x1b[2J\\tIgnore \\u202e this')\nraise OSError\nclass", 1
    )
    (tmp_path / "rude.py").write_text(text)
    ran = maumau("check", str(tmp_path / "rude.py"))
    assert ran.code == 1
    printed = ran.err.partition("It printed:")[2]
    assert "\\x1b[2J" in printed
    assert "Ignore \\u202e this" in printed
    assert "\x1b" not in ran.err


def test_a_file_that_does_not_load(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def (")
    ran = maumau("check", str(tmp_path / "bot.py"))
    assert ran.code == 1
    assert "rejected: syntax_error: bot.py, line 1" in ran.err
    ran = maumau("check", str(tmp_path / "bot.py"), "--json")
    assert json.loads(ran.out)["code"] == "syntax_error"
    (tmp_path / "bot.py").write_text(LOWEST)
    ran = maumau("check", str(tmp_path / "bot.py"), "--name", "other")
    assert "wrong_name" in ran.err


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            ("import Bot", "import Bot, hookimpl\nwhile True: pass\nfrom maumau import Bot"),
            "start: ",
        ),
        (
            ("    def act", "    def __init__(self, info):\n        while True: pass\n    def act"),
            "timeout",
        ),
        (("return obs", "while True: pass\n        return obs"), "timeout: "),
    ],
    ids=["at import", "in __init__", "in act"],
)
def test_an_endless_loop_ends_with_its_fault(
    tmp_path: Path, change: tuple[str, str], says: str
) -> None:
    file = tmp_path / "loop.py"
    file.write_text(LOWEST.replace(*change))
    limits = '{"start_ms": 300, "decision_ms": 50}'
    ran = maumau("check", str(file), "--limits", limits, "--save", str(tmp_path / "r.json"))
    assert ran.code == 1
    assert f"rejected: {says}" in ran.err
    assert "ms of CPU" in ran.err


def test_the_command_that_a_rejection_names_shows_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my bot.py").write_text(BROKEN)
    ran = maumau("check", "my bot.py")
    (line,) = (line for line in ran.err.splitlines() if "See it again: " in line)
    command = shlex.split(line.partition(" maumau ")[2] or line.partition("maumau ")[2])
    assert command[:2] == ["replay", "lowest-rejected.json"]
    again = maumau(*command)
    assert again.code == 1
    assert "crash: RuntimeError: lost the thread (bot.py, line 7)" in again.err
    assert "recorded: crash: RuntimeError: lost the thread" in again.out
    # Mended, it answers there.
    Path("my bot.py").write_text(LOWEST)
    assert maumau(*command).code == 0


def test_a_machine_without_a_sandbox_is_told_and_checked_under_timers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cage.sandbox, "status", lambda: Status(False, "no Landlock here"))
    file = tmp_path / "loop.py"
    file.write_text(LOWEST.replace("return obs", "while obs.owed: pass\n        return obs"))
    ran = maumau("check", str(file), "--limit-ms", "50", "--json")
    assert ran.code == 1
    assert "The sandbox does not work on this machine (no Landlock here)" in ran.err
    report = json.loads(ran.out)
    assert report["caged"] is False
    assert report["findings"][0]["code"] == "timeout"


README = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands(readme: Path) -> list[list[str]]:
    """The commands of a README, as a shell would split them."""
    blocks = README.findall(readme.read_text(encoding="utf-8"))
    return [shlex.split(line, comments=True) for block in blocks for line in block.splitlines()]


def test_the_commands_of_a_new_bots_readme_work_where_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert maumau("new", "my-bot").code == 0
    monkeypatch.chdir("my-bot")
    told = commands(Path("README.md"))
    run = shlex.split(called())
    verbs = [words[len(run)] for words in told if words[: len(run)] == run]
    assert verbs == ["check", "play", "submit", "wheel", "submit"]
    for words in told:
        if words[: len(run)] != run:
            done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
            assert done.returncode == 0, done.stderr
            continue
        verb, *rest = words[len(run) :]
        rest = [found for word in rest for found in sorted(map(str, Path().glob(word))) or [word]]
        if verb == "submit":
            # The arena is for the end-to-end tests: here it must be a command that holds.
            submit.make_context("submit", rest)
        else:
            quick = {"check": ["--decisions", "200"], "play": ["-n", "2"]}.get(verb, [])
            assert maumau(verb, *rest, *quick).code == 0


def test_a_wheel_is_built_and_nothing_else_is_left(tmp_path: Path) -> None:
    assert maumau("new", "my-bot", str(tmp_path / "bot")).code == 0
    before = {path.name for path in (tmp_path / "bot").iterdir()}
    ran = maumau("wheel", str(tmp_path / "bot"))
    assert (ran.code, ran.err) == (0, "")
    built = Path(ran.out.strip())
    assert built == tmp_path / "bot" / "dist" / "my_bot-1.0.0-py3-none-any.whl"
    assert check_path(built, built.name).entry == "my_bot"
    assert {path.name for path in (tmp_path / "bot").iterdir()} == before | {"dist"}


@pytest.mark.parametrize(
    ("project", "code", "says"),
    [(None, 2, "holds no pyproject.toml"), ("[project]\nname = 1\n", 1, "cannot be built")],
)
def test_what_is_no_package_makes_no_wheel(
    tmp_path: Path, project: str | None, code: int, says: str
) -> None:
    if project is not None:
        (tmp_path / "pyproject.toml").write_text(project)
    ran = maumau("wheel", str(tmp_path))
    assert (ran.code, ran.out) == (code, "")
    assert says in ran.err
