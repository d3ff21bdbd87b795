"""An entrant that fails too often is suspended: the same bytes, whoever played how much."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from maumau.errors import InvalidInput
from maumau.storage import Account, Database
from maumau.usecases import export, play, rank, read
from maumau.usecases.due import due_chunks
from maumau.usecases.schedule import schedule
from maumau.usecases.verify import verify_tournament
from tests.usecases.plugged import accepted, source
from tests.usecases.standing import EITHER_DATABASE, StandingClock
from tests.usecases.test_many_workers import go, start

Entropy = Callable[[int], bytes]
WISH = {"entrants": ["aa", "bb", "dd"], "rules": "crazy-eights", "blocks": 54, "seed": "s"}


@pytest.fixture
def begin(db: Database, clock: StandingClock, entropy: Entropy, ann: Account) -> Callable[..., str]:
    """An honest bot, one that fails in half of its games, one that fails in some."""
    broken = source("bb", "1 // 0 if obs.seat == 0 else 0")
    seldom = source("dd", "1 // 0 if obs.seat == 0 and obs.hand[0] < '3' else 0")
    accepted(db, ann, clock(), "aa", "bb", "dd", contents=[source("aa"), broken, seldom])

    def schedule_one(**change: Any) -> str:
        return schedule(db, clock, ann, WISH | change, entropy=entropy).tournament.id

    return schedule_one


def play_in(
    db: Database, clock: StandingClock, files: Path, lots: random.Random | None, seconds: int
) -> int:
    """Play what is due in a random order, ranked after every chunk or only at the end."""
    count = 0
    while due := due_chunks(db, clock):
        chunk = lots.choice(due) if lots else due[0]
        count += play.play_chunk(db, clock, chunk, "w1", files=files, uploads="unsafe")
        clock.turn(seconds=seconds)
    rank.finish_due(db, clock)
    return count


@EITHER_DATABASE
def test_the_same_bytes_in_any_order_of_chunks(
    db: Database, clock: StandingClock, begin: Callable[..., str], tmp_path: Path
) -> None:
    files = tmp_path / "files"
    results, chunks = [], []
    for lots, seconds in ((None, 600), (None, 0), (random.Random(1), 600)):
        one = begin(fault_share=0.3)
        chunks.append(play_in(db, clock, files, lots, seconds))
        results.append(export.export_results(db, one))
        assert verify_tournament(db, one).differences == ()
    assert len(set(results)) == 1
    # Judged after every chunk it spares play.
    assert chunks[0] < chunks[1]


def test_the_same_bytes_with_one_worker_and_with_four(
    db: Database, database_url: str, begin: Callable[..., str], tmp_path: Path
) -> None:
    results = []
    for workers in (1, 4):
        one = begin(fault_share=0.3)
        processes = [start(database_url, tmp_path, f"w{number}") for number in range(workers)]
        try:
            go(*processes)
            assert [process.wait(timeout=120) for process in processes] == [0] * workers
        finally:
            for process in processes:
                process.kill()
                process.wait(timeout=60)
        assert read.tournament(db, one).state == "finished"
        assert any(row["suspended_after"] for row in read.standings(db, one).rows)
        results.append(export.export_results(db, one))
    assert results[0] == results[1]


@EITHER_DATABASE
def test_games_so_far_stay_and_standings_tell_both(
    db: Database, clock: StandingClock, begin: Callable[..., str], tmp_path: Path
) -> None:
    one = begin(fault_share=0.3)
    play_in(db, clock, tmp_path / "files", None, 600)
    shown, standings = read.tournament(db, one), read.standings(db, one)
    assert (shown.state, shown.fault_share) == ("finished", 0.3)
    assert standings.complete
    rows = {row["bot"]: row for row in standings.rows}
    after = rows["bb"]["suspended_after"]
    assert after is not None
    assert rows["aa"]["suspended_after"] is None
    # Two legs against each of the others in each block that counts.
    assert rows["bb"]["games"] <= 4 * after
    assert rows["bb"]["faults"] > 0.3 * rows["bb"]["games"]
    assert rows["aa"]["games_without_faults"] < rows["aa"]["games"]
    assert rows["bb"]["score_share_without_faults"] > rows["bb"]["score_share"]
    clean = sum(row["games_without_faults"] for row in standings.rows)
    games = read.games(db, one, limit=200, faulty=True).items
    assert clean == 2 * (shown.progress.games_played - len(games))
    against = [game for game in read.games(db, one, limit=200).items if "bb@1" in game.seats]
    assert against
    assert max(game.block for game in against) < after
    assert shown.progress.games_played == shown.progress.games_total


@EITHER_DATABASE
def test_without_a_share_nobody_is_suspended(
    db: Database, clock: StandingClock, begin: Callable[..., str], tmp_path: Path
) -> None:
    one = begin(fault_share=None, blocks=20)
    play_in(db, clock, tmp_path / "files", None, 600)
    assert {row["suspended_after"] for row in read.standings(db, one).rows} == {None}
    assert read.tournament(db, one).progress.games_played == 3 * 2 * 20
    assert verify_tournament(db, one).differences == ()


@EITHER_DATABASE
def test_a_suspension_and_a_stop_rule_together(
    db: Database, clock: StandingClock, begin: Callable[..., str], tmp_path: Path
) -> None:
    results = []
    for lots in (None, random.Random(3)):
        one = begin(fault_share=0.3, stop={"kind": "half_width", "half_width": 0.45})
        play_in(db, clock, tmp_path / "files", lots, 600)
        results.append(export.export_results(db, one))
        assert verify_tournament(db, one).differences == ()
    assert results[0] == results[1]
    assert read.tournament(db, one).ended_blocks is not None


@EITHER_DATABASE
def test_a_chunk_in_hand_when_its_entrant_is_suspended_is_thrown_away(
    db: Database, clock: StandingClock, begin: Callable[..., str], tmp_path: Path
) -> None:
    one, files = begin(fault_share=0.3), tmp_path / "files"
    held = play.claim(db, clock, due_chunks(db, clock)[-1], "slow")
    assert held is not None
    while due := due_chunks(db, clock):
        play.play_chunk(db, clock, due[0], "w1", files=files, uploads="unsafe")
        clock.turn(seconds=600)
    with db.read() as tx:
        gone = tx.chunks.get(one, held.claim.chunk.number) is None
    faulty = {"bb@1", "dd@1"} & {held.entrants[number].label for number in held.match.line_up}
    assert gone == bool(faulty)
    assert play.heartbeat(db, clock, held.claim) is not gone


@EITHER_DATABASE
@pytest.mark.parametrize("share", [-0.1, 1.5, "0.5", True, [0.5]])
def test_a_wrong_share_is_told_by_its_path(begin: Callable[..., str], share: object) -> None:
    with pytest.raises(InvalidInput) as caught:
        begin(fault_share=share)
    assert [problem.path for problem in caught.value.problems] == ["fault_share"]
