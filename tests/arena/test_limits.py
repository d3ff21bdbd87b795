"""Limits: defaults, validation with paths."""

from __future__ import annotations

import pytest

from maumau.arena.limits import NAMES, Limits, documented, load_limits
from maumau.errors import InvalidInput


def problems(data: object) -> dict[str, str]:
    with pytest.raises(InvalidInput) as caught:
        load_limits(data)
    return {problem.path: problem.message for problem in caught.value.problems}


def test_only_what_differs_need_be_stated() -> None:
    assert load_limits({}) == Limits()
    limits = load_limits({"decision_ms": 20, "memory_mb": 64})
    assert (limits.decision_ms, limits.memory_mb) == (20, 64)
    assert limits.game_ms == Limits().game_ms
    assert load_limits(limits.to_dict()) == limits


def test_every_wrong_value_is_told_with_its_path() -> None:
    told = problems({"decision_ms": "20", "wall_ms": True, "memory_mb": 1, "tempo": 3})
    assert sorted(told) == [
        "limits.decision_ms",
        "limits.memory_mb",
        "limits.tempo",
        "limits.wall_ms",
    ]
    assert told["limits.memory_mb"] == "must be a whole number from 16 to 65536"
    assert "decision_ms" in told["limits.tempo"]


@pytest.mark.parametrize("data", [None, [], "fast", 3])
def test_limits_are_an_object(data: object) -> None:
    assert problems(data) == {"limits": "must be an object"}


def test_an_answer_may_take_as_long_as_a_decision() -> None:
    told = problems({"decision_ms": 2_000, "wall_ms": 1_000})
    assert told == {"limits.wall_ms": "must be at least decision_ms, which is 2000"}


def test_every_limit_is_documented() -> None:
    assert [name for name, _, _ in documented()] == list(NAMES)
    assert {name: default for name, default, _ in documented()} == Limits().to_dict()
