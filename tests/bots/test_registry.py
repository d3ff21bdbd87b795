"""Installed plugins: one that fails is reported by name and leaves the others working."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from maumau import load_rules
from maumau.bots import registry
from maumau.bots.source import module_hash
from maumau.errors import NotFound, RuleSetError
from maumau.rules import presets
from tests.bots.wheelwright import BOT

PRESETS = """
from maumau import hookimpl
@hookimpl
def maumau_presets():
    return {
        "tiny": {"title": "Tiny", "rules": {"deck": {"lowest": "9"}, "hand_size": 2}},
        "champion": {"rules": {}},
        "Bad Name": {"rules": {}},
        "broken": {"rules": {"hand_size": 0}},
        "shapeless": {"hand_size": 3},
    }
"""


@pytest.fixture
def plugin_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def point(folder: Path, name: str, text: str) -> EntryPoint:
    (folder / f"{name}.py").write_text(textwrap.dedent(text))
    return EntryPoint(name=name, value=name, group="maumau")


def test_the_bots_that_ship_are_installed() -> None:
    names = [it.name for it in registry.installed()]
    assert names == sorted(names)
    assert {"random", "easy", "medium"} <= set(names)
    for it in registry.installed():
        assert it.source.kind == "plugin"
        assert it.source.sha256 == module_hash(it.source.entry)
        assert it.bot.__doc__
    assert registry.find("easy").distribution == "maumau-arena"


def test_an_unknown_bot_comes_with_the_nearest() -> None:
    with pytest.raises(NotFound, match='did you mean "medium"'):
        registry.find("meduim")
    with pytest.raises(NotFound, match="installed are easy"):
        registry.find("zzzzzz")


def test_a_plugin_that_fails_leaves_the_others_working(plugin_dir: Path) -> None:
    points = [
        point(plugin_dir, "p_raises", "1/0"),
        point(plugin_dir, "p_exits", "import sys; sys.exit(1)"),
        point(plugin_dir, "p_syntax", "def ("),
        point(
            plugin_dir, "p_wrong", "from maumau import hookimpl\n@hookimpl\ndef maumau_bott(): 1"
        ),
        EntryPoint(name="p_gone", value="not_installed_at_all", group="maumau"),
        point(plugin_dir, "p_good", BOT),
        point(plugin_dir, "p_same", BOT),
    ]
    found = registry.load_plugins(points)
    assert [it.name for it in found.bots] == ["lowest"]
    assert found.bots[0].source.entry == "p_good"
    reasons = {failure.plugin: failure.reason for failure in found.failures}
    assert list(reasons) == [
        "p_raises (p_raises)",
        "p_exits (p_exits)",
        "p_syntax (p_syntax)",
        "p_wrong (p_wrong)",
        "p_gone (not_installed_at_all)",
        "p_same (p_same)",
    ]
    assert "ZeroDivisionError" in reasons["p_raises (p_raises)"]
    assert "maumau_bott" in reasons["p_wrong (p_wrong)"]
    assert "'lowest' is taken" in reasons["p_same (p_same)"]


@pytest.fixture
def with_presets(plugin_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[registry.Plugins]:
    found = registry.load_plugins([point(plugin_dir, "p_presets", PRESETS)])
    monkeypatch.setattr(registry, "plugins", lambda: found)
    presets._found.cache_clear()
    yield found
    presets._found.cache_clear()


def test_plugins_bring_presets(with_presets: registry.Plugins) -> None:
    rules = load_rules({"preset": "tiny", "options": ["nines-reverse"]})
    assert rules.data["hand_size"] == 2
    assert rules.name == "tiny+nines-reverse"
    assert presets.preset_names()[-1] == "tiny"
    assert presets.preset_info("tiny").title == "Tiny"
    reasons = [failure.reason for failure in with_presets.failures]
    assert len(reasons) == 4
    assert "'champion' is taken" in reasons[0]
    assert "small letters" in reasons[1]
    assert "hand_size: must be a whole number" in reasons[2]
    assert "must be an object" in reasons[3]


def test_without_the_plugin_the_preset_is_unknown() -> None:
    with pytest.raises(RuleSetError, match="there is no preset"):
        load_rules("tiny")


def test_the_hash_changes_with_the_code_of_the_package(plugin_dir: Path) -> None:
    package = plugin_dir / "hashed_package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "bot.py").write_text(
        "import os\nfrom .help import x\nfrom hashed_package import y\n"
    )
    (package / "help.py").write_text("x = 1\n")
    (package / "y.py").write_text("from . import z\n")
    (package / "z.py").write_text("")
    (package / "unused.py").write_text("")
    seen = {module_hash("hashed_package.bot")}
    for name in ("bot", "help", "y", "z", "__init__"):
        path = package / f"{name}.py"
        path.write_text(path.read_text() + "# changed\n")
        seen.add(module_hash("hashed_package.bot"))
    assert len(seen) == 6
    (package / "unused.py").write_text("# changed\n")
    assert module_hash("hashed_package.bot") in seen
