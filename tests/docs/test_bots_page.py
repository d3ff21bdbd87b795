"""docs/bots.md names everything there is, and its examples run."""

from __future__ import annotations

import re
import time
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import maumau
from maumau import Event, GameInfo, Observation, hookspecs
from maumau.arena.faults import KINDS
from maumau.arena.limits import documented
from maumau.bots.base import NAME_PATTERN, Bot
from maumau.bots.check import check_bot
from maumau.bots.declared import declared
from maumau.bots.load import load_file
from maumau.bots.reasons import REASONS
from maumau.bots.report import FINDINGS, MARKS
from maumau.bots.trial import local_seats

PAGE = (Path(__file__).parents[2] / "docs/bots.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def section(title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def first_column(title: str) -> list[str]:
    cells = re.findall(r"^\| ([^|]+) \|", section(title), re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def test_every_field_of_the_observation_and_of_an_event() -> None:
    properties = {name for name, it in vars(Observation).items() if isinstance(it, property)}
    told = first_column("The observation")
    assert set(told) == properties | {"obs", "event"} | set(Event._fields)
    for field in Event._fields:
        assert field in told[told.index("event") :]


def test_everything_a_bot_is_told_and_every_method() -> None:
    told = set(first_column("The contract"))
    assert {field.name for field in fields(GameInfo)} <= told
    methods = {name for name, it in vars(Bot).items() if callable(it) and name[0] != "_"}
    assert {name for name in methods if f"`{name}(self" in PAGE} == methods


def test_every_hook() -> None:
    hooks = {name for name in vars(hookspecs) if name.startswith("maumau_")}
    assert hooks == set(re.findall(r"^def (maumau_\w+)\(", PAGE, re.MULTILINE))
    assert {name for name in hooks if f"`{name}()`" in PAGE} == hooks


def test_every_code() -> None:
    assert set(first_column("A submission")) == set(REASONS)
    assert set(first_column("The check")) == set(FINDINGS)
    assert set(KINDS) <= set(FINDINGS)
    for kind in KINDS:
        assert f"`{kind}`" in section("Limits and faults")
    for mark in MARKS:
        assert f"`{mark}`" in section("The check")


def test_every_limit_with_its_default() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \|", section("Limits and faults"), re.MULTILINE)
    assert [(name, int(value)) for name, value in rows] == [row[:2] for row in documented()]


def test_the_examples_run_in_their_order(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for example in EXAMPLES:
        exec(compile(example, "docs/bots.md", "exec"), names)
    assert names["record"]["fault"] is None
    assert capsys.readouterr().out == maumau.record_text(names["record"]) + "\n"
    brought = declared(_Module(names), "page")
    assert [bot.name for bot in brought.bots] == ["watcher"]
    assert list(brought.presets) == ["tiny"]
    assert maumau.load_rules(brought.presets["tiny"]["rules"]).data["hand_size"] == 3


class _Module:
    def __init__(self, names: dict[str, Any]) -> None:
        self.__dict__.update(names)


def test_the_example_bots_pass_the_check(tmp_path: Path) -> None:
    bots = [text for text in EXAMPLES if "def maumau_bots" in text]
    assert len(bots) == 2
    for text in bots:
        path = tmp_path / "bot.py"
        path.write_text(text, "utf-8")
        bot = load_file(path)
        assert NAME_PATTERN.fullmatch(bot.name)
        report = check_bot(local_seats(bot), clock=time.perf_counter, decisions=500, match_games=0)
        assert report.accepted, report.findings
        assert report.marks == ()
