"""What ends early is judged on complete prefixes, in block order."""

from __future__ import annotations

import pytest

from maumau.errors import InvalidInput
from maumau.tournament.prefix import first_verdict
from maumau.tournament.sprt import Sprt
from maumau.tournament.stop_rules import StopRule, load_stop_rule
from maumau.tournament.sums import BlockSums


def played(blocks: int) -> BlockSums:
    sums = BlockSums(2, blocks)
    for block in range(blocks):
        sums.add_leg(block, (0, 1), (1, 2), (0, 10))
        sums.add_leg(block, (1, 0), (1, 2), (0, 10))
    return sums


def enough(sums: BlockSums) -> str | None:
    games = int(sums.column("games").sum())
    return f"{games} games" if games >= 12 else None


def test_the_first_complete_prefix_with_a_verdict_counts() -> None:
    sums = played(10)
    assert first_verdict(sums, enough, at=[1, 2, 4, 8], complete=10) == (4, "16 games")
    assert first_verdict(sums, enough, at=[1, 2, 4, 8], complete=4) == (4, "16 games")
    assert first_verdict(sums, enough, at=[1, 2, 4, 8], complete=3) is None
    assert first_verdict(sums, enough, at=[1, 2], complete=10) is None


def test_later_blocks_do_not_bear_on_a_verdict() -> None:
    more = played(10)
    more.add_leg(9, (0, 1), (1, 1), (0, 0))
    seen: list[BlockSums] = []

    def judge(part: BlockSums) -> bool | None:
        seen.append(part)
        return None

    first_verdict(more, judge, at=[3, 9], complete=9)
    assert seen == [played(3), played(9)]


def test_stop_rules_are_read_from_json() -> None:
    assert load_stop_rule(None) == StopRule()
    tested = StopRule("better", new="b@4", old="b@3", test=Sprt(better=0.55))
    for rule in (StopRule("separated"), StopRule("half_width", 0.02), StopRule(), tested):
        assert load_stop_rule(rule.to_dict()) == rule
    assert load_stop_rule({"kind": "better", "new": "b@4", "old": "b@3", "better": 0.55}) == tested
    assert [StopRule().repeated, StopRule("separated").repeated] == [False, True]


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ("separated", ""),
        ([], ""),
        ({}, ""),
        ({"kind": "soon"}, "kind"),
        ({"kind": ["separated"]}, "kind"),
        ({"kind": "half_width"}, "half_width"),
        ({"kind": "half_width", "half_width": "small"}, "half_width"),
        ({"kind": "half_width", "half_width": True}, "half_width"),
        ({"kind": "half_width", "half_width": 0.5}, "half_width"),
        ({"kind": "half_width", "half_width": float("nan")}, "half_width"),
        ({"kind": "separated", "half_width": 0.1}, "half_width"),
        ({"kind": "separated", "looks": 3}, "looks"),
        ({"kind": "separated", "new": "b@4"}, "new"),
        ({"kind": "better", "old": "b@3"}, "new"),
        ({"kind": "better", "new": "b@4", "old": 3}, "old"),
        ({"kind": "better", "new": "b@4", "old": "b@3", "half_width": 0.1}, "half_width"),
        ({"kind": "better", "new": "b@4", "old": "b@3", "better": 0.4}, "better"),
        ({"kind": "better", "new": "b@4", "old": "b@3", "better": "0.6"}, "better"),
        ({"kind": "better", "new": "b@4", "old": "b@3", "alpha": float("nan")}, "alpha"),
        ({"kind": "better", "new": "b@4", "old": "b@3", "beta": True}, "beta"),
    ],
)
def test_wrong_stop_rules_are_told_by_path(value: object, path: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        load_stop_rule(value)
    assert [problem.path for problem in caught.value.problems] == [path]


def test_a_stop_rule_finds_its_two_entrants() -> None:
    labels = ["b@3", "a@10", "a@9"]
    assert StopRule("better", new="a@9", old="b").pair(labels) == (2, 0)
    # A name alone is the youngest version that is entered: 10, not 9.
    assert StopRule("better", new="a", old="a@9").pair(labels) == (1, 2)
    assert StopRule("separated").pair(labels) is None
    for new, old, path in (("c", "a", "new"), ("a", "b@4", "old"), ("a", "a@10", "old")):
        with pytest.raises(InvalidInput) as caught:
            StopRule("better", new=new, old=old).pair(labels)
        assert [problem.path for problem in caught.value.problems] == [path]
