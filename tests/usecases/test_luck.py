"""The luck of the draw taken off a played tournament's shares."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from maumau.errors import NotFound
from maumau.rules.ruleset import load_rules
from maumau.storage import Account, Database
from maumau.usecases import luck, play, read
from maumau.usecases.due import due_chunks
from maumau.usecases.schedule import schedule
from tests.usecases.plugged import accepted, source
from tests.usecases.standing import EITHER_DATABASE, StandingClock


@EITHER_DATABASE
def test_a_report_gives_shares_with_and_without_luck(
    db: Database,
    clock: StandingClock,
    entropy: Callable[[int], bytes],
    ann: Account,
    tmp_path: Path,
) -> None:
    accepted(db, ann, clock(), "aa", "bb", contents=[source("aa"), source("bb", "-1")])
    wish = {"entrants": ["aa", "bb"], "rules": "mau-mau", "blocks": 40, "seed": "s"}
    one = schedule(db, clock, ann, wish, entropy=entropy).tournament.id
    for chunk in due_chunks(db, clock):
        assert play.play_chunk(db, clock, chunk, "w", files=tmp_path, uploads="unsafe")
    found = luck.report(db, one)
    assert (found.seeds, found.games) == (40, 80)
    rows = {row["entrant"]: row for row in read.standings(db, one).rows}
    for row in found.rows:
        told = rows[row["entrant"]]
        assert (row["games"], row["share"]) == (told["games"], told["score_share"])
        assert (row["low"], row["high"]) == (told["low"], told["high"])
        assert row["corrected_low"] < row["corrected"] < row["corrected_high"]
        # What is taken off is luck, not strength: a few hundredths.
        assert abs(row["corrected"] - row["share"]) < 0.1
        assert row["variance_factor"] > 0
    assert sum(row["corrected"] for row in found.rows) == pytest.approx(1, abs=1e-5)
    assert luck.report(db, one) == found
    with pytest.raises(NotFound):
        luck.report(db, "nothing")


def test_a_model_depends_on_rules_and_seats_alone() -> None:
    one = luck.model_of(load_rules("mau-mau"), 2)
    luck.model_of.cache_clear()
    assert luck.model_of(load_rules("mau-mau"), 2).hash == one.hash
    assert luck.model_of(load_rules("mau-mau"), 3).hash != one.hash
    assert any(one.weights.values())
    assert one.weights["X"] == 0  # no joker in this pack
