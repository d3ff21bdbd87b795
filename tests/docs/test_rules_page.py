"""docs/rules.md says what the code does."""

from __future__ import annotations

import json
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from maumau import Game
from maumau.rules.ruleset import load_rules
from maumau.rules.schema import EFFECT_KEYS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/rules.md").read_text("utf-8")


def test_the_tables_are_up_to_date() -> None:
    tables = runpy.run_path(str(ROOT / "docs/tables.py"))
    assert tables["renewed"](PAGE) == PAGE, "run: python docs/tables.py"


def leaves(data: dict[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        if isinstance(value, dict) and value:
            yield from leaves(value, f"{path}{key}.")
        else:
            yield path + key, value


def test_every_key_stands_in_the_table_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `([a-z_.]+)` \| `([^`]*)` \|", PAGE, re.MULTILINE))
    defaults = dict(leaves(load_rules({}).data))
    assert {key: json.loads(rows[key]) for key in rows if key in defaults} == defaults


def test_the_example_of_a_request_is_one() -> None:
    (request,) = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    rules = load_rules(json.loads(request)).data
    assert (rules["deck"]["lowest"], rules["hand_size"], rules["game"]["target"]) == ("7", 6, 150)


def test_the_record_is_told_with_each_of_its_keys() -> None:
    (told,) = re.findall(r"^```text\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    game = Game(load_rules("champion"), seats=2, seed="told")
    game.forfeit(0, "crash", "")
    record = game.record()
    keys = {*record, *record["deals"][0], *record["fault"]}
    assert set(re.findall(r'"(\w+)"', told)) == keys


def test_every_effect_stands_in_the_table() -> None:
    for key in EFFECT_KEYS:
        assert re.search(rf"^\| `{key}` \| ", PAGE, re.MULTILINE), key


def test_the_paragraphs_that_code_cites_are_there() -> None:
    headings = set(re.findall(r"^## (\d)\. ", PAGE, re.MULTILINE))
    assert headings == set("1234567")
    for folder in ("maumau", "plugins", "service", "worker", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            cited = re.findall(r"docs/rules\.md[^§\n]{0,3}§(\d+)", path.read_text("utf-8"))
            assert set(cited) <= headings, path
