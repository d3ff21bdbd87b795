"""Loading a submitted file: one bot of the right name, or a reason that says what to mend.

In the product only a sandboxed child does this; the code here is the tests' own.
"""

from __future__ import annotations

import random
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from maumau import GameInfo, load_rules
from maumau.bots.load import load_file, load_source
from maumau.bots.reasons import REASONS
from maumau.bots.source import BotSource
from maumau.errors import BotError
from tests.bots.wheelwright import BOT, INFO, wheel

HEAD = "from maumau import Bot, hookimpl\n"
ONE = "class A(Bot):\n    name = 'aa'\n    def act(self, obs): return obs.legal_actions[0]\n"
HOOK = "@hookimpl\ndef maumau_bots():\n    return "


def taking(method: str, given: str = "") -> str:
    return f"    def {method}(self, {given}): return obs.legal_actions[0]\n"


def must_take(method: str, argument: str) -> tuple[str, str]:
    return "bad_declaration", f"A.{method} must take (self, {argument})"


@pytest.fixture(autouse=True)
def clean_imports() -> Iterator[None]:
    """Forget what a test has imported."""
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if name.startswith(("lowest_bot", "submitted_")):
            del sys.modules[name]


def refusal(path: Path, name: str | None = "aa") -> tuple[str, str]:
    with pytest.raises(BotError) as caught:
        load_file(path, name)
    assert caught.value.code in REASONS
    assert str(caught.value).isprintable()
    return caught.value.code, str(caught.value)


def py(folder: Path, text: str) -> Path:
    path = folder / "my_bot.py"
    path.write_text(text)
    return path


def whl(folder: Path, content: bytes) -> Path:
    path = folder / "bot-1.0-py3-none-any.whl"
    path.write_bytes(content)
    return path


def test_a_py_file(tmp_path: Path) -> None:
    bot = load_file(py(tmp_path, BOT), "lowest")
    assert bot.name == "lowest"
    info = GameInfo(0, 2, load_rules("champion"), random.Random(1))
    assert bot(info).info is info
    assert load_file(tmp_path / "my_bot.py").name == "lowest"


def test_a_py_file_may_use_dataclasses_and_its_own_file_name(tmp_path: Path) -> None:
    text = """
    from __future__ import annotations
    from dataclasses import dataclass
    from typing import ClassVar
    from pathlib import Path
    @dataclass
    class Memory:
        seen: list[str]
        count: ClassVar[int] = 0
    HERE = Path(__file__).name
    """
    path = tmp_path / "random.py"
    path.write_text(textwrap.dedent(text) + BOT)
    assert load_file(path, "lowest").name == "lowest"
    # A file called as a module of the library does not stand in its place.
    assert sys.modules["random"] is random


def test_a_wheel_is_imported_from_the_end_of_the_path(tmp_path: Path) -> None:
    path = whl(tmp_path, wheel({"lowest_bot/help.py": "X = 1"}, bot=BOT + "from .help import X\n"))
    assert load_file(path, "lowest").name == "lowest"
    assert sys.path[-1] == str(path)
    assert not list(tmp_path.glob("*.py"))


def test_a_wheel_whose_entry_point_names_an_object(tmp_path: Path) -> None:
    text = (
        HEAD
        + ONE
        + "class P:\n    @hookimpl\n    def maumau_bots(self): return [A]\nplugin = P()\n"
    )
    points = "[maumau]\na = lowest_bot:plugin\n"
    path = whl(tmp_path, wheel({f"{INFO}/entry_points.txt": points}, bot=text))
    assert load_file(path, "aa").name == "aa"


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("def act(:\n", "syntax_error", "line 1"),
        ("x = '\ud800'".encode("utf-8", "surrogatepass").decode("latin-1"), "no_bot", "@hookimpl"),
        ("(" * 5000, "syntax_error", "my_bot.py"),
        ("import torch_that_is_not_here\n", "import_error", "torch_that_is_not_here"),
        ("import pandas_not_here\n", "import_error", "the standard library, maumau and what its"),
        (HEAD + ONE + taking("__init__") + HOOK + "[A]\n", *must_take("__init__", "info")),
        (HEAD + ONE + taking("act") + HOOK + "[A]\n", *must_take("act", "obs")),
        (HEAD + ONE + taking("observe") + HOOK + "[A]\n", *must_take("observe", "event")),
        (HEAD + ONE + taking("deal_ended") + HOOK + "[A]\n", *must_take("deal_ended", "result")),
        (HEAD + ONE + taking("act", "obs, more") + HOOK + "[A]\n", *must_take("act", "obs")),
        ("\n\n1/0\n", "import_error", "ZeroDivisionError: division by zero (my_bot.py, line 3)"),
        ("import sys; sys.exit(3)", "import_error", "SystemExit: 3"),
        ("raise KeyboardInterrupt", "import_error", "KeyboardInterrupt"),
        ("raise BaseException('\\x1b[2J' * 1000)", "import_error", "BaseException"),
        ("x = 1\n", "no_bot", "there is no @hookimpl function maumau_bots()"),
        ("def maumau_bots(): return []\n", "no_bot", "is @hookimpl above it"),
        (HEAD + HOOK + "[]\n", "no_bot", "gives no bot"),
        (HEAD + ONE + HOOK + "A\n", "bad_declaration", "must return a list of bot classes"),
        (HEAD + ONE + HOOK + "[A(None)]\n", "bad_declaration", "write A, without calling it"),
        (HEAD + ONE + HOOK + "[object]\n", "bad_declaration", "no subclass of maumau.Bot"),
        (HEAD + ONE + HOOK + "[1/0]\n", "bad_declaration", "ZeroDivisionError"),
        (HEAD + ONE + HOOK.replace("bots", "bot") + "[A]\n", "bad_declaration", "maumau_bot"),
        (
            HEAD + "class A(Bot):\n    name = 'aa'\n" + HOOK + "[A]\n",
            "bad_declaration",
            "A has no method act(self, obs)",
        ),
        (
            HEAD + ONE + "    observe = 7\n" + HOOK + "[A]\n",
            "bad_declaration",
            "A.observe must be a method",
        ),
        (
            HEAD + ONE + "class B(A):\n    name = 'bb'\n" + HOOK + "[A, B]\n",
            "several_bots",
            "aa, bb",
        ),
        (HEAD + ONE.replace("'aa'", "'Aa'") + HOOK + "[A]\n", "wrong_name", "small letters"),
        (HEAD + ONE.replace("'aa'", "'a'") + HOOK + "[A]\n", "wrong_name", "small letters"),
        (HEAD + ONE.replace("'aa'", "'aa\\n'") + HOOK + "[A]\n", "wrong_name", "small letters"),
        (HEAD + ONE.replace("'aa'", "7") + HOOK + "[A]\n", "wrong_name", "not 7"),
        (HEAD + ONE.replace("'aa'", "'a' * 41") + HOOK + "[A]\n", "wrong_name", "small letters"),
        (
            HEAD + ONE.replace("'aa'", "'other'") + HOOK + "[A]\n",
            "wrong_name",
            "'aa' was asked for",
        ),
    ],
)
@pytest.mark.parametrize("kind", ["py", "wheel"])
def test_what_is_refused(tmp_path: Path, text: str, code: str, told: str, kind: str) -> None:
    path = py(tmp_path, text) if kind == "py" else whl(tmp_path, wheel(bot=text))
    found, message = refusal(path)
    assert found == code
    if kind == "wheel":
        told = told.replace("my_bot.py", "__init__.py")
    assert told in message


def test_sources_say_what_a_child_loads(tmp_path: Path) -> None:
    plugin = BotSource("plugin", "easy", "", None, "plugins.easy")
    assert load_source(plugin).name == "easy"
    with pytest.raises(BotError, match="brings no bot called 'hard'; it brings easy"):
        load_source(BotSource("plugin", "hard", "", None, "plugins.easy"))
    with pytest.raises(BotError) as caught:
        load_source(BotSource("plugin", "gone", "", None, "no_such_plugin"))
    assert caught.value.code == "import_error"
    path = py(tmp_path, BOT)
    assert load_source(BotSource("py", "lowest", "", path, "")).name == "lowest"
    path = whl(tmp_path, wheel())
    assert load_source(BotSource("wheel", "lowest", "", path, "lowest_bot")).name == "lowest"


def test_a_wheel_kept_under_its_hash_loads_in_a_fresh_process(tmp_path: Path) -> None:
    path = tmp_path / ("0" * 64)
    path.write_bytes(wheel())
    code = (
        "import sys, pathlib; from maumau.bots.load import load_source;"
        "from maumau.bots.source import BotSource;"
        "s = BotSource('wheel', 'lowest', '', pathlib.Path(sys.argv[1]), 'lowest_bot');"
        "print(load_source(s).name)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "lowest\n", done.stderr
