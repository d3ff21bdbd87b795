"""Bots broken in different ways: the message alone says what to mend."""

from __future__ import annotations

from pathlib import Path

import pytest

from maumau.arena import sandbox
from maumau.arena.launch import source_of
from maumau.arena.limits import Limits
from maumau.usecases.examine import examine

pytestmark = pytest.mark.skipif(not sandbox.status().ok, reason=sandbox.status().reason)

FILE = """
from maumau import Bot, hookimpl
{top}
class Mine(Bot):
    name = "mine"
    def act(self, obs):
        {act}
@hookimpl
def maumau_bots():
    return {brings}
"""
FIRST = "return obs.legal_actions[0]"


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        (
            {"act": "return None if obs.owed else obs.legal_actions[0]"},
            "illegal_action",
            "every way through act must return one of obs.legal_actions; legal were: ",
        ),
        (
            {"act": "return min(a[:2] if '=' in a else a for a in obs.legal_actions)"},
            "illegal_action",
            "a card that wishes is written with its wish: ",
        ),
        ({"act": "return list(obs.legal_actions)"}, "illegal_action", "return one element"),
        ({"act": "yield obs.legal_actions[0]"}, "illegal_action", "act must return, not yield"),
        ({"act": "return 'play 7h'"}, "illegal_action", "actions are written like 7h, Js=d"),
        (
            {"top": "import random", "act": "return random.choice(obs.legal_actions)"},
            "not_repeatable",
            "self.info.rng, not the module random",
        ),
        (
            {"top": "WEIGHTS = open('weights.json').read()"},
            "import_error",
            "put data into the code, or into a wheel",
        ),
        (
            {"top": "import threading", "act": "threading.Thread(target=print).start()"},
            "crash",
            "(mine.py, line 7); an uploaded bot has one thread",
        ),
        ({"brings": "[Mine()]"}, "bad_declaration", "write [YourBot], without calling it"),
        ({"brings": "Mine"}, "bad_declaration", "a list of bot classes, [YourBot], not a type"),
        ({"act": "return max(obs.cards)"}, "crash", "no attribute 'cards' (mine.py, line 7)"),
        ({"act": "return max(obs.hands)"}, "crash", "(mine.py, line 7); there is 'hand'"),
        ({"act": "return obs.zzz"}, "crash", "docs/bots.md lists what there is"),
        (
            {"act": FIRST + "\n    def observe(self, event):\n        event.card"},
            "crash",
            "no attribute 'card' (mine.py, line 9); there is 'cards'",
        ),
        (
            {"act": "return self.info.seat\n    def __init__(self, info):\n        pass"},
            "crash",
            "an __init__ of the bot's own must call super().__init__(info)",
        ),
        ({"act": "obs.hand.sort()"}, "crash", "list(...) makes a copy"),
        (
            {"top": "import json", "act": "json.dumps(obs)"},
            "crash",
            "is not JSON serializable (mine.py, line 7); obs.to_json() gives it as text",
        ),
    ],
)
def test_a_message_says_what_to_mend(
    tmp_path: Path, change: dict[str, str], code: str, says: str
) -> None:
    text = FILE.format(**({"top": "", "act": FIRST, "brings": "[Mine]"} | change))
    path = tmp_path / "mine.py"
    path.write_text(text)
    found = examine(source_of(path, "mine"), limits=Limits(), uploads="sandbox", decisions=1)
    if found.refusal is not None:
        assert (found.refusal.code, says in str(found.refusal)) == (code, True), found.refusal
        return
    assert found.report is not None
    (finding,) = found.report.findings
    assert (finding.code, says in finding.message) == (code, True), finding.message
