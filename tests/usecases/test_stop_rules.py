"""Tournaments that end early by a stop rule: the same bytes, whoever played how much."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from maumau.errors import InvalidInput
from maumau.storage import Account, Database
from maumau.usecases import cancel, export, play, read
from maumau.usecases.due import due_chunks
from maumau.usecases.schedule import schedule
from maumau.usecases.verify import verify_tournament
from tests.usecases.plugged import accepted, source
from tests.usecases.standing import EITHER_DATABASE, StandingClock

Entropy = Callable[[int], bytes]
WIDE = {"kind": "half_width", "half_width": 0.3}


@pytest.fixture
def begin(db: Database, clock: StandingClock, entropy: Entropy, ann: Account) -> Callable[..., str]:
    contents = [source("aa"), source("bb", "-1"), source("cc", "len(obs.legal_actions) // 2")]
    accepted(db, ann, clock(), "aa", "bb", "cc", contents=contents)

    def schedule_one(**change: Any) -> str:
        wish = {"entrants": ["aa", "bb", "cc"], "rules": "crazy-eights", "blocks": 60, "seed": "s"}
        return schedule(db, clock, ann, wish | change, entropy=entropy).tournament.id

    return schedule_one


def play_until_over(
    db: Database, clock: StandingClock, files: Path, *, seconds: int, backwards: bool = False
) -> int:
    """Play what is due, one chunk after another; gives how many were played."""
    played = 0
    while due := due_chunks(db, clock):
        chunk = due[-1] if backwards else due[0]
        assert play.play_chunk(db, clock, chunk, "w1", files=files, uploads="unsafe")
        clock.turn(seconds=seconds)
        played += 1
    return played


def test_a_tournament_ends_where_its_rule_says_whatever_else_was_played(
    db: Database, clock: StandingClock, begin: Callable[..., str], tmp_path: Path
) -> None:
    files = tmp_path / "files"
    # Judged after each chunk; judged when all is played; played from the last block to the first.
    ways = [
        {"seconds": 600, "backwards": False},
        {"seconds": 0, "backwards": False},
        {"seconds": 600, "backwards": True},
    ]
    results, chunks = [], []
    for way in ways:
        one = begin(stop=WIDE)
        chunks.append(play_until_over(db, clock, files, **way))
        results.append(export.export_results(db, one))
        assert verify_tournament(db, one).differences == ()
    assert results[0] == results[1] == results[2]
    # The first way spared play, the others discarded it.
    assert chunks[0] < chunks[1] == chunks[2]

    shown, standings = read.tournament(db, one), read.standings(db, one)
    assert (shown.state, shown.stop) == ("finished", WIDE)
    ended = shown.ended_blocks
    assert ended is not None
    assert 10 <= ended < 60
    assert shown.progress.games_played == shown.progress.games_total == 3 * 2 * ended
    assert (standings.seeds, standings.games) == (ended, 6 * ended)
    assert (standings.final, standings.complete, standings.repeated) == (True, True, True)
    assert all(row["high"] - row["low"] <= 0.6 for row in standings.rows)
    games = read.games(db, one, limit=200)
    assert max(game.block for game in games.items) < ended


@EITHER_DATABASE
def test_a_tournament_plays_all_blocks_where_its_rule_is_never_met(
    db: Database, clock: StandingClock, begin: Callable[..., str], tmp_path: Path
) -> None:
    one = begin(stop={"kind": "half_width", "half_width": 0.001}, blocks=33)
    play_until_over(db, clock, tmp_path / "files", seconds=600)
    shown = read.tournament(db, one)
    assert (shown.state, shown.ended_blocks) == ("finished", None)
    assert shown.progress.games_played == 3 * 2 * 33
    assert read.standings(db, one).repeated
    assert verify_tournament(db, one).differences == ()


def test_a_tournament_ends_when_its_version_test_is_decided(
    db: Database, clock: StandingClock, begin: Callable[..., str], tmp_path: Path
) -> None:
    stop = {"kind": "better", "new": "aa", "old": "bb@1", "better": 0.6, "alpha": 0.2, "beta": 0.2}
    files, results = tmp_path / "files", []
    for seconds, backwards in ((600, False), (0, False), (600, True)):
        one = begin(stop=stop)
        play_until_over(db, clock, files, seconds=seconds, backwards=backwards)
        results.append(export.export_results(db, one))
        assert verify_tournament(db, one).differences == ()
    assert results[0] == results[1] == results[2]

    shown, tested = read.tournament(db, one), read.version_test(db, one)
    assert (shown.state, shown.stop) == ("finished", {**stop, "worse": 0.5})
    assert tested.verdict != "undecided"
    assert (tested.new, tested.old, tested.better) == ("aa@1", "bb@1", 0.6)
    # It ends with the very seed that decided.
    assert tested.seeds == tested.seeds_played == shown.ended_blocks
    assert 10 <= tested.seeds < 60
    assert read.standings(db, one).complete


@EITHER_DATABASE
def test_a_version_test_that_stays_undecided_plays_all_blocks(
    db: Database, clock: StandingClock, begin: Callable[..., str], tmp_path: Path
) -> None:
    one = begin(stop={"kind": "better", "new": "aa", "old": "bb", "better": 0.501}, blocks=14)
    play_until_over(db, clock, tmp_path / "files", seconds=600)
    assert read.version_test(db, one).verdict == "undecided"
    shown = read.tournament(db, one)
    assert (shown.state, shown.ended_blocks) == ("finished", None)
    assert verify_tournament(db, one).differences == ()


@EITHER_DATABASE
def test_a_chunk_that_is_played_when_the_tournament_ends_is_thrown_away(
    db: Database, clock: StandingClock, begin: Callable[..., str], tmp_path: Path
) -> None:
    one = begin(stop=WIDE)
    first, *_, last = due_chunks(db, clock)
    held = play.claim(db, clock, last, "slow")
    assert held is not None
    files = tmp_path / "files"
    while (chunk := due_chunks(db, clock)) and read.tournament(db, one).state == "running":
        assert play.play_chunk(db, clock, chunk[0], "w1", files=files, uploads="unsafe")
        clock.turn(seconds=600)
    assert read.tournament(db, one).state == "finished"
    assert not play.heartbeat(db, clock, held.claim)
    assert not play.play_chunk(db, clock, last, "slow", files=files, uploads="unsafe")
    assert verify_tournament(db, one).differences == ()
    assert first != last


@EITHER_DATABASE
def test_a_cancelled_tournament_is_not_judged(
    db: Database, clock: StandingClock, begin: Callable[..., str], ann: Account, tmp_path: Path
) -> None:
    one = begin(stop=WIDE)
    for chunk in due_chunks(db, clock)[:4]:
        assert play.play_chunk(db, clock, chunk, "w1", files=tmp_path / "files", uploads="unsafe")
    cancel.cancel(db, clock, ann, one)
    standings = read.standings(db, one)
    assert (standings.state, standings.complete) == ("cancelled", False)
    assert read.tournament(db, one).ended_blocks is None


@EITHER_DATABASE
@pytest.mark.parametrize(
    ("stop", "path"),
    [
        ("separated", "stop"),
        ({"kind": "half_width", "half_width": 2}, "stop.half_width"),
        ({"kind": "better", "new": "aa", "old": "nobody"}, "stop.old"),
        ({"kind": "better", "new": "aa", "old": "aa@1"}, "stop.old"),
    ],
)
def test_a_wrong_stop_rule_is_told_by_its_path(
    begin: Callable[..., str], stop: object, path: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        begin(stop=stop)
    assert [problem.path for problem in caught.value.problems] == [path]
