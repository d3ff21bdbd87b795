"""Tournaments played for real: bots in processes, chunks claimed and committed once."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from maumau.arena import play as arena
from maumau.errors import Conflict, Forbidden, NotFound, Unavailable
from maumau.storage import Account, Database, Transaction
from maumau.usecases import board, cancel, export, play, rank, read, reap, retry
from maumau.usecases.due import due_chunks, due_standings
from maumau.usecases.schedule import schedule
from maumau.usecases.verify import differences, verify_tournament
from tests.usecases.plugged import accepted, source
from tests.usecases.standing import EITHER_DATABASE, StandingClock

Entropy = Callable[[int], bytes]
Arena = Callable[..., arena.ChunkResult]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return tmp_path / "files"


def begin(
    db: Database, clock: StandingClock, entropy: Entropy, account: Account, **change: Any
) -> str:
    """Schedule a small tournament of three bots; gives its id."""
    with db.read() as tx:
        known = tx.bots.by_name("aa") is not None
    if not known:
        contents = [
            source("aa"),
            source("bb", "self.info.rng.randrange(len(obs.legal_actions))"),
            source("cc", "(len(obs.legal_actions) - 1) // 2"),
        ]
        accepted(db, account, clock(), "aa", "bb", "cc", contents=contents)
    wish = {
        "entrants": ["aa", "bb", "cc"],
        "rules": "crazy-eights",
        "blocks": 33,
        "seed": "s",
    } | change
    return schedule(db, clock, account, wish, entropy=entropy).tournament.id


def play_all(db: Database, clock: StandingClock, files: Path, **more: Any) -> list[str]:
    """Play what is due until nothing is; gives the chunks in the order they were played."""
    played = []
    while due := due_chunks(db, clock):
        for chunk in due:
            assert play.play_chunk(db, clock, chunk, "w1", files=files, uploads="unsafe", **more)
            played.append(chunk)
    return played


def test_a_tournament_is_played_to_its_end_and_all_its_results_agree(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, files: Path
) -> None:
    one = begin(db, clock, entropy, ann)
    assert len(play_all(db, clock, files)) == 6
    shown = read.tournament(db, one)
    assert (shown.state, shown.ended_at) == ("finished", clock())
    assert shown.progress.games_played == shown.progress.games_total == 198
    assert shown.progress.chunks.done == 6

    standings = read.standings(db, one)
    assert (standings.complete, standings.final, standings.games) == (True, True, 198)
    rows = {row["entrant"]: row for row in standings.rows}
    assert [row["games"] for row in rows.values()] == [132, 132, 132]
    won = sum(row["games_won"] for row in rows.values())
    assert won > 150
    assert won + sum(row["games_shared"] for row in rows.values()) // 2 == 198
    matches = read.matches(db, one).items
    for label, row in rows.items():
        mine = [r for match in matches for r in match.results if r.entrant == label]
        assert sum(r.games for r in mine) == row["games"]
        assert sum(r.games_won for r in mine) == row["games_won"]
        assert sum(r.points for r in mine) == row["points"]
    for cell in read.crosstable(db, one).cells:
        pair = {cell["entrant"], cell["other"]}
        (match,) = [m for m in matches if set(m.line_up) == pair]
        (result,) = [r for r in match.results if r.entrant == cell["entrant"]]
        assert (cell["games"], cell["share"]) == (result.games, result.score_share)

    assert {row["entrant"]: row["games"] for row in standings.ratings} == dict.fromkeys(rows, 132)
    assert len(standings.differences) == 3
    assert standings.differences[0]["entrant"] in rows

    checked = verify_tournament(db, one)
    assert (checked.games, checked.matches, checked.complete) == (198, 3, True)
    assert checked.differences == ()


def test_games_and_records_are_read(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, files: Path
) -> None:
    one = begin(db, clock, entropy, ann, blocks=2)
    play_all(db, clock, files)
    (match, *_) = read.matches(db, one, entrants=["aa@1", "cc@1"]).items
    assert set(match.line_up) == {"aa@1", "cc@1"}
    games = read.match_games(db, match.id).items
    assert [(g.block, g.leg) for g in games] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert games[0].seats == tuple(reversed(games[1].seats))
    game = read.game(db, games[2].id)
    assert game == games[2]
    record = read.record(db, game.id)
    assert record["seats"] == list(game.seats)
    assert record["ranks"] == list(game.ranks)
    assert "crazy-eights" not in record["seed"]
    assert read.record_text(db, game.id).count("\n") > 3
    assert read.match(db, match.id) == match
    for wrong in (f"{one}-99-0-0", f"{one}-0-0-2", f"{one}-0-0", "x", f"{one}-00-0-0"):
        with pytest.raises(NotFound):
            read.game(db, wrong)
    page = read.games(db, one, limit=5)
    rest = read.games(db, one, limit=100, after=page.next)
    assert len(page.items) + len(rest.items) == 12
    assert rest.next is None


@EITHER_DATABASE
def test_the_same_seed_gives_the_same_bytes_in_any_order(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, files: Path
) -> None:
    first = begin(db, clock, entropy, ann)
    play_all(db, clock, files)
    second = begin(db, clock, entropy, ann)
    due = due_chunks(db, clock)
    random.Random(7).shuffle(due)
    for i, chunk in enumerate(due):
        clock.turn(seconds=3)
        assert play.play_chunk(db, clock, chunk, f"w{i}", files=files, uploads="unsafe")
    assert export.export_results(db, first) == export.export_results(db, second)
    other = begin(db, clock, entropy, ann, seed="t", blocks=2)
    play_all(db, clock, files)
    assert export.export_results(db, first) != export.export_results(db, other)


def test_both_databases_give_the_same_bytes(
    sqlite_url: str,
    postgresql_url: str,
    clock: StandingClock,
    entropy: Entropy,
    files: Path,
) -> None:
    exports = []
    for url in (sqlite_url, postgresql_url):
        database = Database(url)
        with database.begin() as tx:
            owner = tx.accounts.create("ann", "author", now=clock())
        one = begin(database, clock, entropy, owner, line_ups="balanced", seats=2)
        play_all(database, clock, files)
        exports.append(export.export_results(database, one))
        database.close()
    assert exports[0] == exports[1]
    assert exports[0].count(b"\n") == 7 + 3 + 66


def test_a_chunk_is_had_by_one_worker_only(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account
) -> None:
    begin(db, clock, entropy, ann)
    (chunk, *rest) = due_chunks(db, clock)
    held = play.claim(db, clock, chunk, "w1")
    assert held is not None
    assert play.claim(db, clock, chunk, "w1") is None
    assert play.claim(db, clock, chunk, "w2") is None
    assert due_chunks(db, clock) == rest


def played(work: play.Work, files: Path, db: Database) -> arena.ChunkResult:
    """What the arena makes of claimed work."""
    from maumau.usecases.sources import source_of

    sources = tuple(source_of(db, version, files) for version in work.versions)
    return arena.play_chunk(play.job_of(work, sources), uploads="unsafe")


def test_a_late_commit_of_a_chunk_that_was_taken_away_changes_nothing(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, files: Path
) -> None:
    one = begin(db, clock, entropy, ann)
    chunk = due_chunks(db, clock)[0]
    slow = play.claim(db, clock, chunk, "slow")
    assert slow is not None
    result = played(slow, files, db)
    assert play.heartbeat(db, clock, slow.claim)
    clock.turn(seconds=31)
    assert reap.expire(db, clock) == reap.Reaped((chunk,), (), ())
    assert not play.heartbeat(db, clock, slow.claim)
    # The same worker's name does not help: it is another attempt.
    fast = play.claim(db, clock, chunk, "slow")
    assert fast is not None
    assert not play.commit(db, slow, result)
    assert play.commit(db, fast, result)
    before = read.tournament(db, one)
    assert before.progress.games_played == 34
    for late in (slow, fast):
        assert not play.commit(db, late, result)
    assert read.tournament(db, one) == before
    assert play.claim(db, clock, chunk, "w3") is None
    play_all(db, clock, files)
    assert verify_tournament(db, one).differences == ()


def test_a_dead_workers_chunk_is_due_again_and_the_third_death_sets_it_aside(
    db: Database,
    clock: StandingClock,
    entropy: Entropy,
    ann: Account,
    admin: Account,
    files: Path,
) -> None:
    one = begin(db, clock, entropy, ann)
    chunk, *rest = due_chunks(db, clock)
    # What the supervisor did is not the chunk's fault.
    assert play.claim(db, clock, chunk, "w1")
    assert reap.holders(db) == ["w1"]
    assert reap.release(db, clock, "w1", blame=False).chunks == (chunk,)
    for death in range(3):
        assert chunk in due_chunks(db, clock)
        assert play.claim(db, clock, chunk, "w1")
        reaped = reap.release(db, clock, "w1", log=f"killed {death}")
        assert (reaped.chunks, reaped.stuck) == (((chunk,), ()) if death < 2 else ((), (chunk,)))
    assert due_chunks(db, clock) == rest
    assert read.tournament(db, one).progress.chunks.stuck == 1
    # The tournament goes on and ends without it, and says so.
    play_all(db, clock, files)
    shown = read.tournament(db, one)
    assert shown.state == "finished"
    standings = read.standings(db, one)
    assert (standings.complete, standings.final) == (False, True)
    assert standings.games == shown.progress.games_played < shown.progress.games_total
    assert verify_tournament(db, one).differences == ()
    # An operator who has mended the host lets it be played after all.
    with pytest.raises(Forbidden):
        retry.retry_stuck(db, clock, ann, one)
    assert retry.retry_stuck(db, clock, admin, one) == (chunk,)
    with pytest.raises(Conflict, match="no chunk"):
        retry.retry_stuck(db, clock, admin, one)
    assert read.tournament(db, one).state == "running"
    assert not read.standings(db, one).final
    assert play_all(db, clock, files) == [chunk]
    shown = read.tournament(db, one)
    assert (shown.state, shown.progress.games_played) == ("finished", 198)
    assert read.standings(db, one).complete
    assert verify_tournament(db, one).differences == ()


def test_a_cancelled_tournament_keeps_what_was_played(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, bob: Account, files: Path
) -> None:
    one = begin(db, clock, entropy, ann, seed=None)
    first, second, *_ = due_chunks(db, clock)
    assert play.play_chunk(db, clock, first, "w1", files=files, uploads="unsafe")
    late = play.claim(db, clock, second, "w1")
    assert late is not None
    result = played(late, files, db)
    with pytest.raises(Exception, match="only its owner"):
        cancel.cancel(db, clock, bob, one)
    assert read.tournament(db, one).seed is None
    assert cancel.cancel(db, clock, ann, one).state == "cancelled"
    with pytest.raises(Conflict, match="it is cancelled"):
        cancel.cancel(db, clock, ann, one)
    assert read.tournament(db, one).seed is not None
    assert not play.heartbeat(db, clock, late.claim)
    assert not play.commit(db, late, result)
    assert due_chunks(db, clock) == []
    assert due_standings(db) == [one]
    assert rank.finish_due(db, clock) == [one]
    assert due_standings(db) == []
    standings = read.standings(db, one)
    assert (standings.complete, standings.final) == (False, True)
    assert standings.games == read.tournament(db, one).progress.games_played > 0
    assert read.tournament(db, one).state == "cancelled"
    assert verify_tournament(db, one).differences == ()


@EITHER_DATABASE
def test_standings_are_spaced_while_a_tournament_runs_and_final_at_its_end(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, files: Path
) -> None:
    one = begin(db, clock, entropy, ann)
    seen = []
    for chunk in due_chunks(db, clock):
        play.play_chunk(db, clock, chunk, "w1", files=files, uploads="unsafe")
        seen.append(read.standings(db, one).games)
        clock.turn(seconds=0.9)
    played_out = read.tournament(db, one).progress.games_total
    assert seen[0] == seen[1] == 0  # 2 s have not passed since the tournament was scheduled
    assert 0 < seen[3] < played_out
    assert seen[-1] == played_out
    assert not rank.refresh(db, clock, one)


@EITHER_DATABASE
def test_a_clock_that_jumps_does_not_stop_the_standings(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, files: Path
) -> None:
    one = begin(db, clock, entropy, ann)
    seen = []
    for chunk in due_chunks(db, clock)[:4]:
        clock.turn(days=-1)
        play.play_chunk(db, clock, chunk, "w1", files=files, uploads="unsafe")
        seen.append(read.standings(db, one).games)
    assert 0 < seen[0] < seen[1] < seen[2] < seen[3]


@EITHER_DATABASE
def test_a_worker_that_dies_before_the_last_ranking_leaves_it_to_others(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, files: Path
) -> None:
    one = begin(db, clock, entropy, ann, blocks=2)
    for chunk in due_chunks(db, clock):
        work = play.claim(db, clock, chunk, "w1")
        assert work is not None
        assert play.commit(db, work, played(work, files, db))
    assert read.tournament(db, one).state == "running"
    assert due_standings(db) == [one]
    assert rank.finish_due(db, clock) == [one]
    assert rank.finish_due(db, clock) == []
    assert read.tournament(db, one).state == "finished"


@EITHER_DATABASE
def test_what_goes_wrong_in_the_arena_gives_the_chunk_back(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, files: Path
) -> None:
    one = begin(db, clock, entropy, ann)
    chunk = due_chunks(db, clock)[0]

    def fails(error: BaseException) -> Arena:
        def play_chunk(job: object, **more: object) -> arena.ChunkResult:
            raise error

        return play_chunk

    def attempt(error: BaseException) -> tuple[str, int]:
        with pytest.raises(type(error)):
            play.play_chunk(db, clock, chunk, "w", files=files, play=fails(error))
        with db.read() as tx:
            kept = tx.chunks.get(one, 0)
        assert kept is not None
        return kept.state, kept.deaths

    assert attempt(Unavailable("sandbox_unavailable", "no")) == ("due", 0)
    assert attempt(SystemExit(1)) == ("due", 0)
    assert attempt(KeyboardInterrupt()) == ("due", 0)
    assert attempt(RuntimeError("a bug")) == ("due", 1)
    assert attempt(RuntimeError("a bug")) == ("due", 2)
    assert attempt(RuntimeError("a bug")) == ("stuck", 3)
    with db.begin() as tx:
        (kept,) = tx.chunks.stuck(one)
        assert "RuntimeError: a bug" in kept.log
        assert [c.state for c in tx.chunks.retry(one)] == ["due"]


@EITHER_DATABASE
def test_a_sign_of_life_is_given_while_the_arena_plays(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, files: Path
) -> None:
    begin(db, clock, entropy, ann)
    chunk = due_chunks(db, clock)[0]
    reaped: list[reap.Reaped] = []

    def long(job: Any, *, alive: Callable[[], None], **more: Any) -> arena.ChunkResult:
        for _ in range(20):
            clock.turn(seconds=9)
            alive()
            reaped.append(reap.expire(db, clock))
        return arena.play_chunk(job, alive=alive, **more)

    assert play.play_chunk(db, clock, chunk, "w", files=files, uploads="unsafe", play=long)
    assert all(not one.chunks for one in reaped)


@EITHER_DATABASE
def test_a_clock_that_is_set_back_does_not_silence_a_worker(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, files: Path
) -> None:
    one = begin(db, clock, entropy, ann)
    chunk = due_chunks(db, clock)[0]

    def set_back(job: Any, *, alive: Callable[[], None], **more: Any) -> arena.ChunkResult:
        clock.turn(days=-1)
        alive()
        with db.read() as tx:
            held = tx.chunks.get(one, 0)
        assert held is not None
        assert held.lease_until == clock() + play.LEASE
        return arena.play_chunk(job, alive=alive, **more)

    assert play.play_chunk(db, clock, chunk, "w", files=files, uploads="unsafe", play=set_back)


@EITHER_DATABASE
def test_play_ends_where_the_claim_is_lost(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, files: Path
) -> None:
    begin(db, clock, entropy, ann)
    chunk = due_chunks(db, clock)[0]
    went_on: list[bool] = []

    def cut_off(job: Any, *, alive: Callable[[], None], **more: Any) -> arena.ChunkResult:
        clock.turn(seconds=60)
        reap.expire(db, clock)
        alive()
        went_on.append(True)
        return arena.play_chunk(job, alive=alive, **more)

    assert not play.play_chunk(db, clock, chunk, "w", files=files, uploads="unsafe", play=cut_off)
    assert went_on == []
    assert chunk in due_chunks(db, clock)


@EITHER_DATABASE
def test_a_played_chunk_waits_for_a_database_that_is_away(
    db: Database,
    clock: StandingClock,
    entropy: Entropy,
    ann: Account,
    files: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = begin(db, clock, entropy, ann)
    chunk = due_chunks(db, clock)[0]
    tries: list[float] = []
    real = play.commit

    def away(*given: Any) -> bool:
        if len(tries) < 3:
            raise Unavailable("database", "away", retry_after=5)
        return real(*given)

    monkeypatch.setattr(play, "commit", away)
    assert play.play_chunk(db, clock, chunk, "w", files=files, uploads="unsafe", wait=tries.append)
    assert tries == [play.COMMIT_PAUSE] * 3
    assert read.tournament(db, one).progress.chunks.done == 1


FAULTY = b"""
from maumau import Bot, hookimpl

class Faulty(Bot):
    name = "faulty"
    def act(self, obs):
        if self.info.seat == 0:
            print("to the log")
            raise ValueError("lost my head")
        return obs.legal_actions[0]

@hookimpl
def maumau_bots():
    return [Faulty]
"""


def test_a_fault_is_data_and_its_evidence_is_for_the_owner(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, bob: Account, files: Path
) -> None:
    accepted(db, bob, clock(), "faulty", contents=[FAULTY])
    one = begin(db, clock, entropy, ann, entrants=["aa", "faulty"], blocks=2)
    play_all(db, clock, files)
    faulty = read.games(db, one, faulty=True).items
    assert len(faulty) == 2
    assert read.games(db, one, at_fault="faulty@1", fault="crash").items == faulty
    assert read.games(db, one, at_fault="aa@1").items == ()
    assert len(read.games(db, one, faulty=False).items) == 2
    game = faulty[0]
    assert game.fault is not None
    assert (game.fault.entrant, game.fault.seat, game.fault.kind) == ("faulty@1", 0, "crash")
    assert "lost my head" in game.fault.detail
    assert game.ranks == (2, 1)
    assert read.record(db, game.id)["fault"]["kind"] == "crash"
    evidence = read.fault_evidence(db, bob, game.id)
    assert "to the log" in evidence.log
    with pytest.raises(Exception, match="only its owner"):
        read.fault_evidence(db, ann, game.id)
    rows = {row["entrant"]: row["faults"] for row in read.standings(db, one).rows}
    assert rows == {"faulty@1": 2, "aa@1": 0}
    assert verify_tournament(db, one).differences == ()


def test_verification_finds_what_was_changed(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, files: Path
) -> None:
    one = begin(db, clock, entropy, ann, blocks=2)
    play_all(db, clock, files)
    changes = {
        "UPDATE leg SET ranks = '[1,1]' WHERE match = 0": "its ranks",
        "UPDATE leg SET seating = '[1,0]' WHERE match = 0": "seating",
        "UPDATE leg SET deals = 9 WHERE match = 0 AND block = 0 AND leg = 0": "its deals",
        "UPDATE match SET games_played = 1 WHERE number = 1": "said to be played",
        "UPDATE match SET sums = '[]' WHERE number = 1": "its sums",
        "UPDATE block_sum SET block = 7 WHERE match = 1 AND block = 1": "block sums",
        "UPDATE tournament SET seed = 'x'": "commitment",
        "UPDATE standings SET document = '{}'": "standings",
    }
    for change, says in changes.items():
        with db._engine.connect() as connection:
            connection.execute(text(change))
            found = list(differences(Transaction(connection), one))
            connection.rollback()
        assert any(says in difference for difference in found), (change, found)
    assert verify_tournament(db, one).differences == ()


def test_a_leaderboard_counts_finished_tournaments_whose_seed_nobody_knew(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, files: Path
) -> None:
    one = begin(db, clock, entropy, ann, blocks=3, seed=None)
    rules = read.tournament(db, one).rule_set
    assert read.leaderboard(db, rules).rows == ()
    play_all(db, clock, files)
    begin(db, clock, entropy, ann, blocks=3)
    play_all(db, clock, files)
    board = read.leaderboard(db, rules)
    assert board.tournaments == 1
    standings = {r["entrant"]: r["score_share"] for r in read.standings(db, one).rows}
    assert {row["label"]: row["score_share"] for row in board.rows} == standings
    begin(db, clock, entropy, ann, blocks=3, seed=None, entrants=["aa", "bb"])
    play_all(db, clock, files)
    board = read.leaderboard(db, rules)
    assert board.tournaments == 2
    games = {row["label"]: (row["games"], row["tournaments"]) for row in board.rows}
    assert games == {"aa@1": (18, 2), "bb@1": (18, 2), "cc@1": (12, 1)}
    assert [row["rank"] for row in board.rows] == [1, 2, 3]
    assert board.rows[0]["rating"] > 1500 > board.rows[2]["rating"]
    with db.begin() as tx:
        version = tx.bots.version(1)
        assert version is not None
        tx.bots.withdraw(version.id, now=clock())
    assert version.label not in {row["label"] for row in read.leaderboard(db, rules).rows}
    assert read.leaderboard(db, rules, seats=3).rows == ()


@EITHER_DATABASE
def test_a_leaderboard_is_kept_by_running_sums_each_tournament_added_once(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, files: Path
) -> None:
    first = begin(db, clock, entropy, ann, blocks=12, seed=None)
    rules = read.tournament(db, first).rule_set
    play_all(db, clock, files)
    alone = read.leaderboard(db, rules).rows
    ratings = {row["entrant"]: row["rating"] for row in read.standings(db, first).ratings}
    assert {row["label"]: row["rating"] for row in alone} == ratings
    with db.begin() as tx:
        assert tx.standings.stale_leaderboards() == []
    # What was added is not read again: the first tournament's sums may be gone.
    with db._engine.begin() as connection:
        connection.execute(text("DELETE FROM block_sum"))
    board.refresh(db, clock, rules, 2)
    assert read.leaderboard(db, rules).rows == alone

    begin(db, clock, entropy, ann, blocks=12, seed=None)
    play_all(db, clock, files)
    both = read.leaderboard(db, rules)
    assert both.tournaments == 2
    assert [row["games"] for row in both.rows] == [2 * alone[0]["games"]] * 3
    # Added up anew, as after a tournament that plays again.
    with db._engine.begin() as connection:
        connection.execute(text("DELETE FROM block_sum"))
    with db.begin() as tx:
        tx.standings.forget_leaderboard_sum(rules, 2)
        assert tx.standings.stale_leaderboards() == [(rules, 2)]
    rank.finish_due(db, clock)
    again = read.leaderboard(db, rules)
    assert (again.tournaments, again.rows) == (2, ())


def test_files_come_from_the_database_alone(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, tmp_path: Path
) -> None:
    begin(db, clock, entropy, ann, blocks=1)
    for i, chunk in enumerate(due_chunks(db, clock)):
        other_host = tmp_path / f"host{i}" / "files"
        assert play.play_chunk(
            db,
            clock,
            chunk,
            f"w{i}",
            files=other_host,
            uploads="unsafe",
            lease=timedelta(minutes=1),
        )
        assert len(list(other_host.iterdir())) == 2
