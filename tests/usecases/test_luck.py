"""The luck of the draw taken off a played tournament's shares."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text

from maumau.errors import Conflict, InvalidInput, NotFound
from maumau.rules.game import Game
from maumau.rules.presets import preset_names
from maumau.rules.ruleset import load_rules
from maumau.storage import Account, Database
from maumau.usecases import luck, luck_model, play, read
from maumau.usecases.due import due_chunks
from maumau.usecases.export import export_results
from maumau.usecases.schedule import schedule
from maumau.usecases.start import start_due
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
    assert found.fixed
    with pytest.raises(NotFound):
        luck.report(db, "nothing")


@EITHER_DATABASE
def test_the_model_is_fixed_when_a_tournament_is_scheduled(
    db: Database, clock: StandingClock, entropy: Callable[[int], bytes], ann: Account
) -> None:
    """Its hash is told at once; a report by a model with another hash is refused, and says why."""
    accepted(db, ann, clock(), "aa", "bb")
    wish = {"entrants": ["aa", "bb"], "rules": "mau-mau", "blocks": 10, "seed": "s"}
    made = schedule(db, clock, ann, wish, entropy=entropy).tournament
    fixed = luck_model.model_of(load_rules("mau-mau"), 2).hash
    assert made.luck_model == read.tournament(db, made.id).luck_model == fixed
    assert fixed.encode() in export_results(db, made.id)
    assert luck.report(db, made.id).fixed

    with db.begin() as tx:
        tx.connection.execute(
            text("UPDATE tournament SET luck_model = :other"), {"other": "f" * 64}
        )
    with pytest.raises(Conflict, match=f"{fixed}.*{'f' * 64}"):
        luck.report(db, made.id)
    # As of a release that kept no hash.
    with db.begin() as tx:
        tx.connection.execute(text("UPDATE tournament SET luck_model = NULL"))
    assert not luck.report(db, made.id).fixed


def test_a_repetition_is_scheduled_with_its_model(
    db: Database, clock: StandingClock, entropy: Callable[[int], bytes], ann: Account
) -> None:
    accepted(db, ann, clock(), "aa", "bb")
    wish = {"entrants": ["aa", "bb"], "rules": "mau-mau", "blocks": 10}
    wish["repeat"] = {"cron": "0 18 * * *"}
    first = schedule(db, clock, ann, wish, entropy=entropy).tournament
    assert first.start_at is not None
    clock.now = first.start_at
    assert start_due(db, clock, entropy=entropy) == [first.id]
    found = read.tournaments(db).items
    assert len(found) == 2
    assert {one.luck_model for one in found} == {first.luck_model}


def test_a_model_depends_on_rules_and_seats_alone() -> None:
    rules = load_rules("champion")
    one = luck_model.learnt(rules, 2)
    # What is shipped is what is learnt.
    assert luck_model.model_of(rules, 2) == one
    assert luck_model.model_of(load_rules("mau-mau"), 2).hash != one.hash
    two, three = (luck_model.model_of(load_rules("mau-mau"), seats) for seats in (2, 3))
    assert two.hash != three.hash
    assert any(two.weights.values())
    assert two.weights["X"] == 0  # no joker in this pack


def test_rules_that_nobody_shipped_a_model_for_have_one() -> None:
    rules = load_rules({"preset": "champion", "overrides": {"hand_size": 3}})
    found = luck_model.model_of(rules, 2)
    assert found.hash == luck_model.learnt(rules, 2).hash
    assert found.hash != luck_model.model_of(load_rules("champion"), 2).hash


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_has_its_models_shipped(name: str) -> None:
    """So that nobody waits for them: `python -m maumau.usecases.luck_model` after an edit."""
    rules = load_rules(name)
    shipped = json.loads(luck_model.SHIPPED.read_text(encoding="utf-8"))[rules.id]
    for seats in luck_model.SEATS:
        try:
            Game(rules, seats=seats, seed="s", names=["a", "b", "c", "d"][:seats])
        except InvalidInput:
            continue
        assert str(seats) in shipped


def test_a_repetition_learns_no_model_while_it_holds_the_database(
    db: Database,
    clock: StandingClock,
    entropy: Callable[[int], bytes],
    ann: Account,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    accepted(db, ann, clock(), "aa", "bb")
    wish = {"entrants": ["aa", "bb"], "rules": "straffpoang+to-150", "blocks": 10}
    first = schedule(
        db, clock, ann, {**wish, "repeat": {"cron": "0 18 * * *"}}, entropy=entropy
    ).tournament
    assert luck_model.shipped(load_rules("straffpoang+to-150"), 2) is None
    monkeypatch.setattr(luck_model, "learnt", None)
    luck_model.model_of.cache_clear()
    assert first.start_at is not None
    clock.now = first.start_at
    assert start_due(db, clock, entropy=entropy) == [first.id]
    assert [one.luck_model for one in read.tournaments(db).items] == [first.luck_model] * 2
