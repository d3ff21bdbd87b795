"""The bench that plays any rule set, a small part of it."""

from __future__ import annotations

import json
import sys

import pytest

from bench import any_rules
from plugins import expert


def test_a_few_games_under_a_few_rule_sets(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(any_rules, "GAMES_EACH", 3)
    monkeypatch.setattr(expert, "DEALS", 2)
    monkeypatch.setattr(sys, "argv", ["any_rules", "--games", "12", "--expert-every", "6"])
    any_rules.main()
    said = json.loads(capsys.readouterr().out)
    assert (said["games"], said["rule_sets"], said["faults"]) == (12, 4, 0)
    assert said["seats"]["expert"] == 2


def test_a_fault_ends_it_with_what_it_takes_to_see_it_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(any_rules, "QUICK", ["nobody"])
    monkeypatch.setattr(sys, "argv", ["any_rules", "--games", "3", "--expert-every", "100"])
    with pytest.raises(Exception, match="nobody"):
        any_rules.main()
    assert "seed any:" in capsys.readouterr().err
