"""Versions tested against one another, rule sets compared, charts drawn: from played games."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest

from maumau.errors import InvalidInput, NotFound
from maumau.storage import Account, Database
from maumau.usecases import luck, play, read
from maumau.usecases.due import due_chunks
from maumau.usecases.schedule import schedule
from tests.usecases.plugged import accepted, source
from tests.usecases.standing import StandingClock

Entropy = Callable[[int], bytes]
Play = Callable[..., str]
pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def played(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, tmp_path: Path
) -> Play:
    """Play tournaments of two bots: one takes the first legal action, one the last."""
    accepted(db, ann, clock(), "aa", "bb", contents=[source("aa"), source("bb", "-1")])

    def play_one(rules: str, **change: object) -> str:
        wish = {"entrants": ["aa", "bb"], "rules": rules, "blocks": 40, "seed": "s"} | change
        made = schedule(db, clock, ann, wish, entropy=entropy)
        for chunk in due_chunks(db, clock):
            files = tmp_path / "files"
            assert play.play_chunk(db, clock, chunk, "w", files=files, uploads="unsafe")
        return made.tournament.id

    return play_one


def test_a_version_is_tested_on_the_seeds_in_their_order(db: Database, played: Play) -> None:
    one = played("crazy-eights")
    shares = {row["entrant"]: row["score_share"] for row in read.standings(db, one).rows}
    better, worse = sorted(shares, key=lambda label: -shares[label])
    what = {"better": 0.6, "alpha": 0.2, "beta": 0.2}
    found = read.version_test(db, one, {"new": better, "old": worse, **what})
    back = read.version_test(db, one, {"new": worse, "old": better, **what})
    assert (found.seeds_played, back.seeds_played) == (40, 40)
    assert 10 <= found.seeds <= 40
    assert found.log_ratio > back.log_ratio
    assert back.verdict == "not better"
    assert back.log_ratio <= back.low
    assert found.verdict != "not better"


def test_a_version_test_names_what_is_no_entrant(db: Database, played: Play) -> None:
    one = played("crazy-eights", blocks=10)
    with pytest.raises(InvalidInput) as caught:
        read.version_test(db, one, {"new": "aa@1", "old": "cc@1"})
    assert [problem.path for problem in caught.value.problems] == ["old"]
    assert "aa@1" in str(caught.value)
    with pytest.raises(InvalidInput, match="another"):
        read.version_test(db, one, {"new": "aa@1", "old": "aa@1"})
    # No stop rule says which two.
    with pytest.raises(InvalidInput) as caught:
        read.version_test(db, one)
    assert [problem.path for problem in caught.value.problems] == ["new", "old"]
    with pytest.raises(NotFound):
        read.version_test(db, "nothing", {"new": "aa@1", "old": "bb@1"})


def test_two_rule_sets_are_compared_on_the_seeds_both_played(db: Database, played: Play) -> None:
    first, second = played("crazy-eights"), played("mau-mau", blocks=30)
    found = read.rule_comparison(db, first, second)
    assert (found.first_rules, found.second_rules) == ("crazy-eights", "mau-mau")
    assert found.seeds == 30
    (row,) = found.rows
    assert {row["entrant"], row["other"]} == {"aa@1", "bb@1"}
    assert row["low"] < row["change"] < row["high"]
    assert row["change"] == pytest.approx(row["second"] - row["first"], abs=2e-6)
    # The second has just these 30 seeds: its difference is that of its own standings.
    shares = {r["entrant"]: r["score_share"] for r in read.standings(db, second).rows}
    assert row["second"] == pytest.approx(shares[row["entrant"]] - shares[row["other"]], abs=2e-6)
    same = read.rule_comparison(db, first, first)
    assert [(r["change"], r["changed"], r["reversed"]) for r in same.rows] == [(0, False, False)]


def test_a_tournament_that_ended_itself_is_compared_by_bounds_for_every_look(
    db: Database, played: Play
) -> None:
    first, second = played("mau-mau"), played("crazy-eights")
    # A rule that is not met: the same games, but for what their number depends on.
    never = {"kind": "better", "new": "aa", "old": "bb", "better": 0.5001}
    looked_at = played("crazy-eights", stop=never)
    assert read.tournament(db, looked_at).ended_blocks is None
    (once,) = read.rule_comparison(db, first, second).rows
    (always,) = read.rule_comparison(db, first, looked_at).rows
    assert once["change"] == always["change"]
    assert always["low"] < once["low"] <= once["high"] < always["high"]
    plain, careful = luck.report(db, second), luck.report(db, looked_at)
    for before, after in zip(plain.rows, careful.rows, strict=True):
        assert (before["share"], before["corrected"]) == (after["share"], after["corrected"])
        assert after["corrected_low"] < before["corrected_low"]
        assert before["corrected_high"] < after["corrected_high"]


def test_only_the_same_entrants_on_the_same_seeds_can_be_compared(
    db: Database, played: Play
) -> None:
    first, second = played("crazy-eights", blocks=10), played("mau-mau", blocks=10, seed="other")
    with pytest.raises(InvalidInput, match="seed") as caught:
        read.rule_comparison(db, first, second)
    assert [problem.path for problem in caught.value.problems] == ["with"]


@pytest.mark.parametrize("name", sorted(read.CHARTS))
def test_charts_are_svg_of_the_same_numbers_as_the_tables(
    db: Database, played: Play, name: str
) -> None:
    one = played("crazy-eights")
    text = read.chart(db, one, name)
    texts = [part.text for part in ElementTree.fromstring(text).iter() if part.text]
    assert any("aa@1" in part for part in texts)
    standings = read.standings(db, one)
    if name == "share":
        assert {f"{row['score_share']:.1%}" for row in standings.rows} <= set(texts)
    if name == "rating":
        assert str(standings.rating_history["blocks"][-1]) in texts
        last = dict(zip(standings.entrants, standings.rating_history["ratings"][-1], strict=True))
        assert last == {row["entrant"]: row["rating"] for row in standings.ratings}
    with pytest.raises(NotFound):
        read.chart(db, one, "pie")
    with pytest.raises(NotFound):
        read.chart(db, "nothing", name)
