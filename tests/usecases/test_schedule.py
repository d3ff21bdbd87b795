from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from maumau.errors import Conflict, InvalidInput
from maumau.storage import Account, Database, Transaction
from maumau.usecases import read, start
from maumau.usecases.due import due_chunks
from maumau.usecases.schedule import Scheduled, schedule
from tests.usecases.plugged import accepted
from tests.usecases.standing import EITHER_DATABASE, StandingClock

Entropy = Callable[[int], bytes]


@pytest.fixture
def wish(db: Database, clock: StandingClock, ann: Account) -> dict[str, Any]:
    """A request that holds, of three bots."""
    accepted(db, ann, clock(), "aa", "bb", "cc")
    return {"entrants": ["aa", "bb@1", "cc"], "rules": "champion", "blocks": 40}


def test_a_tournament_is_stored_with_all_its_chunks(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, wish: dict[str, Any]
) -> None:
    made = schedule(db, clock, ann, wish, entropy=entropy)
    shown = made.tournament
    assert read.tournament(db, shown.id) == shown
    assert (shown.state, shown.owner, shown.rules) == ("running", "ann", "champion")
    # three line-ups of two, 40 blocks of 2 games; 32 blocks are 64 games
    assert shown.progress.games_total == 3 * 40 * 2
    assert shown.progress.chunks.due == 6
    assert made.due == tuple(due_chunks(db, clock))
    assert len(made.due) == 6
    assert shown.started_at == clock()
    assert {one.label for one in shown.entrants} == {"aa@1", "bb@1", "cc@1"}


def test_a_drawn_seed_stays_secret_and_a_given_one_is_open(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, wish: dict[str, Any]
) -> None:
    drawn = schedule(db, clock, ann, wish, entropy=entropy).tournament
    assert (drawn.seed, drawn.open_seed) == (None, False)
    given = schedule(db, clock, ann, wish | {"seed": "s"}, entropy=entropy).tournament
    assert (given.seed, given.open_seed) == ("s", True)
    assert given.seed_commitment == hashlib.sha256(b"s").hexdigest()
    with db.read() as tx:
        kept = tx.tournaments.get(drawn.id)
    assert kept is not None
    assert len(kept.seed) == 64
    assert drawn.seed_commitment == hashlib.sha256(kept.seed.encode()).hexdigest()
    assert kept.seed not in repr(kept)


def test_the_order_of_asking_changes_nothing(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, wish: dict[str, Any]
) -> None:
    first = schedule(db, clock, ann, wish, entropy=entropy).tournament
    turned = wish | {"entrants": ["cc@1", "bb", "aa"]}
    second = schedule(db, clock, ann, turned, entropy=entropy).tournament
    assert first.entrants == second.entrants
    assert first.id != second.id


def test_rules_are_asked_for_by_preset_by_object_or_by_id(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, wish: dict[str, Any]
) -> None:
    def scheduled(rules: Any) -> read.TournamentView:
        return schedule(db, clock, ann, wish | {"rules": rules}, entropy=entropy).tournament

    preset = scheduled("champion")
    by_id = scheduled(preset.rule_set)
    assert (by_id.rule_set, by_id.rules) == (preset.rule_set, "champion")
    whole = read.rule_set(db, preset.rule_set).rules
    assert scheduled(whole).rule_set == preset.rule_set
    changed = scheduled({"preset": "champion", "overrides": {"game": {"target": 50}}})
    assert changed.rule_set != preset.rule_set
    assert read.rule_set(db, changed.rule_set).rules["game"]["target"] == 50


@EITHER_DATABASE
@pytest.mark.parametrize(
    ("change", "path", "says"),
    [
        ({"entrants": ["aa", "nobody"]}, "entrants.1", "there is no bot 'nobody'"),
        ({"entrants": ["aa", "bb@7"]}, "entrants.1", "there is no version 'bb@7'"),
        ({"entrants": ["aa", "bb@x"]}, "entrants.1", "there is no version"),
        ({"entrants": ["aa", "bb", "aa@1"]}, "entrants.2", "aa@1 is entered twice"),
        ({"entrants": ["aa"]}, "entrants", "cannot fill 2 seats"),
        ({"entrants": []}, "entrants", "cannot fill 2 seats"),
        ({"entrants": "aa"}, "entrants", "must be a list"),
        ({"entrants": ["aa", 3]}, "entrants.1", "bot's name"),
        ({"entrants": ["aa", "\0"]}, "entrants.1", "there is no bot"),
        ({"entrants": ["aa"] * 300}, "entrants", "at most 256"),
        ({"rules": "champoin"}, "rules.preset", "champion"),
        ({"rules": "0" * 64}, "rules", "no rule set with this id"),
        ({"rules": 3}, "rules", "preset's name"),
        (
            {"rules": {"preset": "champion", "overrides": {"hand_size": 0}}},
            "rules.hand_size",
            "",
        ),
        ({"rules": {"max_actions": 10**9}}, "rules.max_actions", "at most 10000"),
        (
            {"rules": {"game": {"length": "deals", "deals": 10**6}, "max_deals": 10**9}},
            "rules.max_deals",
            "1000000 deals; at most 1000",
        ),
        (
            {"rules": {"preset": "champion", "overrides": {"max_actions": 10_000}}},
            "rules.max_actions",
            "2000000 actions; at most 1000000",
        ),
        ({"seats": 3}, "seats", "these rules are for 2"),
        ({"seats": 5, "rules": "crazy-eights"}, "seats", "2, 3 or 4"),
        ({"seats": "2"}, "seats", "whole number"),
        ({"seats": True}, "seats", "whole number"),
        ({"blocks": 0}, "blocks", "0 blocks"),
        ({"blocks": 10**9}, "blocks", ""),
        ({"blocks": 100_000, "entrants": list("abcdefghijklmnopqrst")}, "entrants.0", "no bot"),
        ({"line_ups": "some"}, "line_ups", "balanced"),
        ({"limits": {"decision_ms": 0}}, "limits.decision_ms", "from 1"),
        ({"limits": []}, "limits", "object"),
        ({"seed": ""}, "seed", "empty"),
        ({"seed": 5}, "seed", "text"),
        ({"seed": "a\nb"}, "seed", "printable"),
        ({"name": "x" * 121}, "name", "120"),
        ({"start_at": "2020-01-01T00:00:00Z"}, "start_at", "past"),
        ({"start_at": "tomorrow"}, "start_at", "RFC 3339"),
        ({"start_at": "2027-01-01T00:00:00"}, "start_at", "zone"),
        ({"start_at": "0001-01-01T00:00:00+23:00"}, "start_at", "RFC 3339"),
        ({"start_at": 5}, "start_at", "RFC 3339"),
        ({"bloks": 5}, "bloks", "is not a key"),
    ],
)
def test_a_wrong_value_is_named_by_its_path_and_nothing_is_kept(
    db: Database,
    clock: StandingClock,
    entropy: Entropy,
    ann: Account,
    wish: dict[str, Any],
    change: dict[str, Any],
    path: str,
    says: str,
) -> None:
    with pytest.raises(InvalidInput) as caught:
        schedule(db, clock, ann, wish | change, entropy=entropy)
    assert path in [problem.path for problem in caught.value.problems]
    assert says in str(caught.value)
    assert read.tournaments(db).items == ()
    assert read.rule_sets(db).items == ()


def test_rules_may_have_long_deals_or_many_of_them(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, wish: dict[str, Any]
) -> None:
    for rules in (
        {"max_actions": 10_000, "max_deals": 10**9},
        {"game": {"length": "deals", "deals": 1_000}, "max_deals": 10**9},
    ):
        made = schedule(db, clock, ann, wish | {"rules": rules}, entropy=entropy)
        assert made.tournament.state == "running"


def test_all_wrong_values_are_told_at_once(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, wish: dict[str, Any]
) -> None:
    with pytest.raises(InvalidInput) as caught:
        schedule(db, clock, ann, {"seats": "x", "limits": 3}, entropy=entropy)
    paths = [problem.path for problem in caught.value.problems]
    assert paths == ["entrants", "rules", "seats", "limits"]
    wrong = wish | {"entrants": ["aa", "zz"], "rules": "nope", "seats": 2}
    with pytest.raises(InvalidInput) as caught:
        schedule(db, clock, ann, wrong, entropy=entropy)
    assert [p.path for p in caught.value.problems] == ["rules.preset", "entrants.1"]


@pytest.mark.parametrize("state", ["pending", "rejected", "withdrawn"])
def test_only_accepted_versions_enter(
    db: Database,
    clock: StandingClock,
    entropy: Entropy,
    ann: Account,
    wish: dict[str, Any],
    state: str,
) -> None:
    from maumau.usecases.submit_bot import submit

    made = submit(
        db, clock, ann, name="dd", filename="dd.py", content=b"x", uploads="sandbox"
    ).version
    with db.begin() as tx:
        if state == "rejected":
            tx.bots.decide(made.id, "rejected", now=clock())
        elif state == "withdrawn":
            tx.bots.withdraw(made.id, now=clock())
    with pytest.raises(InvalidInput, match="has no accepted version"):
        schedule(db, clock, ann, wish | {"entrants": ["aa", "dd"]}, entropy=entropy)
    with pytest.raises(InvalidInput, match=f"dd@1 is {state}"):
        schedule(db, clock, ann, wish | {"entrants": ["aa", "dd@1"]}, entropy=entropy)


def test_a_tournament_starts_once_when_its_time_has_come(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, wish: dict[str, Any]
) -> None:
    later = wish | {"start_at": "2026-01-03T00:00:00+01:00"}
    made = schedule(db, clock, ann, later, entropy=entropy)
    assert (made.tournament.state, made.due) == ("scheduled", ())
    assert made.tournament.start_at == datetime(2026, 1, 2, 23, tzinfo=UTC)
    assert start.start_due(db, clock) == []
    assert due_chunks(db, clock) == []
    clock.now = datetime(2026, 1, 2, 23, tzinfo=UTC)
    assert start.start_due(db, clock) == [made.tournament.id]
    assert start.start_due(db, clock) == []
    shown = read.tournament(db, made.tournament.id)
    assert (shown.state, shown.started_at) == ("running", clock())
    assert len(due_chunks(db, clock)) == 6


def test_what_keep_does_is_part_of_the_scheduling(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, wish: dict[str, Any]
) -> None:
    def fail(tx: Transaction, made: Scheduled) -> None:
        raise Conflict("no", made.tournament.id)

    with pytest.raises(Conflict):
        schedule(db, clock, ann, wish, entropy=entropy, keep=fail)
    assert read.tournaments(db).items == ()


def test_before_the_first_game_the_standings_are_empty_but_there(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, wish: dict[str, Any]
) -> None:
    made = schedule(db, clock, ann, wish, entropy=entropy).tournament
    shown = read.standings(db, made.id)
    assert [row["games"] for row in shown.rows] == [0, 0, 0]
    assert [row["score_share"] for row in shown.rows] == [None, None, None]
    assert (shown.complete, shown.final, shown.games) == (False, False, 0)
    assert read.crosstable(db, made.id).cells == ()
    (first, *_) = read.matches(db, made.id).items
    assert (first.games_played, first.games_total) == (0, 80)
    assert read.games(db, made.id).items == ()


def test_tournaments_are_listed_with_filters(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, wish: dict[str, Any]
) -> None:
    ids = []
    for change in ({}, {"entrants": ["aa", "bb"]}, {"rules": "gamerules", "seats": 3}):
        clock.turn(seconds=1)
        ids.append(schedule(db, clock, ann, wish | change, entropy=entropy).tournament.id)
    clock.turn(seconds=1)
    when = (clock() + timedelta(hours=1)).isoformat()
    later = schedule(db, clock, ann, wish | {"start_at": when}, entropy=entropy).tournament

    def listed(**filters: Any) -> list[str]:
        return [one.id for one in read.tournaments(db, **filters).items]

    assert listed() == [later.id, *reversed(ids)]
    assert listed(sort="created_at") == [*ids, later.id]
    assert listed(state="scheduled") == [later.id]
    assert listed(bot="cc") == [later.id, ids[2], ids[0]]
    assert listed(rule_set=later.rule_set, bot="bb") == [later.id, ids[1], ids[0]]
    assert listed(bot="zz") == []
    page = read.tournaments(db, limit=3)
    assert [one.id for one in read.tournaments(db, limit=3, after=page.next).items] == [ids[0]]
