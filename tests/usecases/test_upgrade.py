"""A database as an earlier schema left it, with one finished and one running tournament."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from maumau.storage import Database
from maumau.usecases import luck, play, read
from maumau.usecases.due import due_chunks
from maumau.usecases.verify import verify_tournament
from tests.usecases.standing import StandingClock

KEPT = Path(__file__).parents[1] / "storage" / "schema_0001.sql"
FINISHED, RUNNING = "aaaaaaaaaaaa", "aeaqcaibaeaq"


def test_a_database_of_the_first_schema_is_brought_up_to_date_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "maumau.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(KEPT.read_text(encoding="utf-8"))
    connection.close()
    db, clock = Database(f"sqlite:///{path}"), StandingClock()
    assert db.revision()[0] == "0001"
    db.migrate()
    current, head = db.revision()
    assert current == head
    assert db.differences() == []

    shown = read.tournament(db, FINISHED)
    assert (shown.state, shown.progress.games_played) == ("finished", 24)
    assert sum(row["games"] for row in read.standings(db, FINISHED).rows) == 48
    assert shown.luck_model is None
    assert not luck.report(db, FINISHED).fixed
    # Records, plan and sums hold; what is ranked from them may be told in more detail today.
    checked = verify_tournament(db, FINISHED)
    assert (checked.games, checked.complete) == (24, True)
    ranked = "the standings and crosstable are not those of the games"
    assert set(checked.differences) <= {ranked}

    (chunk,) = due_chunks(db, clock)
    assert play.play_chunk(db, clock, chunk, "w1", files=tmp_path / "files", uploads="unsafe")
    assert read.tournament(db, RUNNING).state == "finished"
    assert verify_tournament(db, RUNNING).differences == ()
    db.close()
