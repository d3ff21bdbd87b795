"""A person plays bots at a table: what is kept and refused, what comes back after a restart."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from maumau import Game, load_rules, verify_record
from maumau.arena.faults import Fault
from maumau.arena.session import Answer
from maumau.errors import Conflict, Forbidden, IllegalAction, InvalidInput, NotFound, Unavailable
from maumau.rules.deal import Deal
from maumau.storage import Account, Database
from maumau.storage.values import BotVersion
from maumau.usecases import reports, tables
from maumau.usecases.builtins import install_builtins
from maumau.usecases.tables import TableView
from tests.usecases.standing import StandingClock

Entropy = Callable[[int], bytes]


def last_action(version: BotVersion, deal: Deal, seed: str) -> Answer:
    """A bot that draws or passes where it can: the last of the legal actions."""
    return Answer(deal.legal_actions()[-1], None, 0)


def calling(deal: Deal) -> str:
    legal = deal.legal_actions()
    return next((action for action in legal if action.endswith("!")), legal[0])


@pytest.fixture
def db(sqlite_db: Database, clock: StandingClock) -> Database:
    install_builtins(sqlite_db, clock)
    return sqlite_db


@pytest.fixture
def opened(db: Database, clock: StandingClock, entropy: Entropy) -> Callable[..., TableView]:
    def make(**request: Any) -> TableView:
        wish = {"rules": "champion", "opponents": ["easy"], "seed": "s", **request}
        return tables.open_table(db, clock, None, wish, entropy=entropy)

    return make


def play_out(
    db: Database, clock: StandingClock, table: TableView, ask: tables.Ask = last_action
) -> TableView:
    while not table.over:
        table = tables.play_on(db, clock, table.id, ask)
        if not table.over:
            table = tables.act(db, clock, table.id, calling(table.game.deal), seen=table.moves)
    return table


def test_a_whole_game_is_played_and_its_record_verifies(
    db: Database, clock: StandingClock, opened: Callable[..., TableView]
) -> None:
    """docs/rules.md §4, §5."""
    table = play_out(db, clock, opened())
    record = table.game.record()
    verify_record(record)
    assert record["seats"] == ["you", "easy@1"]
    assert (record["seed"], table.seed) == ("s", "s")


def test_a_game_is_made_anew_from_what_is_kept(
    db: Database, clock: StandingClock, opened: Callable[..., TableView]
) -> None:
    made = opened(opponents=["easy", "medium", "random"], rules="gamerules", seat=2)
    assert made.names == ("medium@1", "random@1", "you", "easy@1")
    for _ in range(5):
        table = tables.play_on(db, clock, made.id, last_action)
        table = tables.act(db, clock, made.id, calling(table.game.deal))
        again = tables.table(db, made.id)
        assert again.game.deal.observation(2).to_json() == table.game.deal.observation(2).to_json()
        assert again.replay.actions == table.replay.actions


def test_a_seed_that_was_drawn_is_told_at_the_end_only(
    db: Database, clock: StandingClock, opened: Callable[..., TableView]
) -> None:
    table = opened(seed=None)
    assert table.seed is None
    over = play_out(db, clock, table)
    assert over.seed is not None
    assert over.seed_commitment == table.seed_commitment
    assert table.game.seed not in repr(table)


def test_an_illegal_action_is_refused_and_changes_nothing(
    db: Database, clock: StandingClock, opened: Callable[..., TableView]
) -> None:
    """docs/rules.md §1: only legal actions exist."""
    table = opened()
    for action in ("catch", "nonsense", "", table.game.deal.hands()[1][0]):
        with pytest.raises(IllegalAction):
            tables.act(db, clock, table.id, action)
    assert tables.table(db, table.id).moves == 0


def test_an_action_sent_twice_is_done_once(
    db: Database, clock: StandingClock, opened: Callable[..., TableView]
) -> None:
    table = opened()
    action = table.game.deal.legal_actions()[0]
    tables.act(db, clock, table.id, action, seen=0)
    with pytest.raises(Conflict, match="gone on"):
        tables.act(db, clock, table.id, action, seen=0)
    assert tables.table(db, table.id).moves == 1


def test_nobody_acts_for_a_bot(
    db: Database, clock: StandingClock, opened: Callable[..., TableView]
) -> None:
    table = opened(seat=1)
    assert table.waiting
    with pytest.raises(IllegalAction, match="a bot is to act"):
        tables.act(db, clock, table.id, table.game.deal.legal_actions()[0])


def test_bots_that_were_interrupted_answer_the_same_when_asked_again(
    db: Database, clock: StandingClock, opened: Callable[..., TableView]
) -> None:
    seeds: list[str] = []

    def noting(version: BotVersion, deal: Deal, seed: str) -> Answer:
        seeds.append(seed)
        if len(seeds) == 1:
            raise Unavailable("host_fault", "the host is away")
        return last_action(version, deal, seed)

    table = opened(seat=1, rules="mau-mau")
    with pytest.raises(Unavailable):
        tables.play_on(db, clock, table.id, noting)
    assert tables.table(db, table.id).moves == 0
    table = tables.play_on(db, clock, table.id, noting)
    assert not table.waiting
    assert seeds[0] == seeds[1]
    assert len(set(seeds)) == len(seeds) - 1


def test_a_bot_that_fails_forfeits_the_game(
    db: Database, clock: StandingClock, opened: Callable[..., TableView]
) -> None:
    """docs/rules.md §4: the offender's rank is the last, the others share the first."""

    def failing(version: BotVersion, deal: Deal, seed: str) -> Answer:
        return Answer(None, Fault("crash", "it raised"), 0)

    table = tables.play_on(db, clock, opened(seat=1, rules="mau-mau").id, failing)
    assert table.over
    assert table.game.ranks == [2, 1]
    assert tables.table(db, table.id).game.fault == table.game.fault
    verify_record(table.game.record())


@pytest.mark.parametrize(
    ("request_", "path"),
    [
        ({"opponents": []}, "opponents"),
        ({"opponents": "easy"}, "opponents"),
        ({"opponents": ["easy"] * 9}, "opponents"),
        ({"opponents": ["nobody"]}, "opponents.0"),
        ({"opponents": [7]}, "opponents.0"),
        ({"opponents": ["easy", "easy"]}, "opponents"),
        ({"seat": 2}, "seat"),
        ({"seat": -1}, "seat"),
        ({"seat": True}, "seat"),
        ({"name": "\n"}, "name"),
        ({"seed": ""}, "seed"),
        ({"rules": "none"}, "rules.preset"),
        ({"odd": 1}, "odd"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_the_path(
    opened: Callable[..., TableView], request_: dict[str, Any], path: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        opened(**request_)
    assert path in [problem.path for problem in refused.value.problems]


@pytest.mark.parametrize("table_id", ["", "x" * 32, "A" * 32, "a" * 31, "'; drop table game_table"])
def test_only_who_knows_an_id_finds_a_table(db: Database, table_id: str) -> None:
    with pytest.raises(NotFound):
        tables.table(db, table_id)


@pytest.fixture
def reported(
    db: Database, clock: StandingClock, entropy: Entropy, opened: Callable[..., TableView]
) -> Callable[..., reports.ProblemReport]:
    def make(comment: str = "The card <b>should</b> fit.") -> reports.ProblemReport:
        table = tables.play_on(db, clock, opened().id, last_action)
        table = tables.act(db, clock, table.id, calling(table.game.deal))
        made = reports.report_problem(db, clock, table.id, comment, entropy=entropy)
        play_out(db, clock, table)
        return made

    return make


def test_a_report_keeps_the_game_as_it_was(
    db: Database, admin: Account, reported: Callable[..., reports.ProblemReport]
) -> None:
    made = reported()
    found = reports.report(db, admin, made.id)
    assert (found.report.deal, found.report.step) == (0, 1)
    assert found.replay.deals == 1
    assert found.replay.step(0, 1).choice is None
    assert found.table.over


def test_a_report_becomes_a_line_of_the_conformance_format(
    db: Database, admin: Account, reported: Callable[..., reports.ProblemReport]
) -> None:
    line = json.loads(reports.conformance_line(db, admin, reported().id))
    assert line["format"] == "maumau-conformance/1"
    game = Game(load_rules(line["rules"]), seats=line["players"], seed=line["seed"])
    (deal,) = line["deals"]
    assert deal["order"] == game.deal.order()
    for seat, action, legal in deal["actions"]:
        assert (seat, legal) == (game.deal.seat, game.deal.legal_actions())
        game.apply(action)
    assert deal["end"] is None


def test_reports_are_for_admins(
    db: Database, ann: Account, clock: StandingClock, reported: Callable[..., reports.ProblemReport]
) -> None:
    made = reported()
    for call in (
        lambda: reports.reports(db, ann),
        lambda: reports.report(db, ann, made.id),
        lambda: reports.answer(db, clock, ann, made.id, "no"),
        lambda: reports.conformance_line(db, ann, made.id),
    ):
        with pytest.raises(Forbidden):
            call()


def test_an_answer_is_for_who_played_there(
    db: Database,
    admin: Account,
    clock: StandingClock,
    reported: Callable[..., reports.ProblemReport],
) -> None:
    made = reported()
    assert reports.reports_of(db, made.table_id)[0].answer is None
    reports.answer(db, clock, admin, made.id, "It is an ordinary card.")
    (shown,) = reports.reports_of(db, made.table_id)
    assert (shown.answer, shown.answered_by) == ("It is an ordinary card.", "root")
    assert [one.id for one in reports.reports(db, admin).items] == [made.id]


@pytest.mark.parametrize(
    "said", [{"comment": " "}, {"comment": "x" * 4001}, {"deal": 9}, {"step": 99}, {"deal": -1}]
)
def test_a_report_that_says_nothing_or_nowhere_is_refused(
    db: Database,
    clock: StandingClock,
    entropy: Entropy,
    opened: Callable[..., TableView],
    said: dict[str, Any],
) -> None:
    table = opened()
    with pytest.raises(InvalidInput):
        reports.report_problem(db, clock, table.id, **{"comment": "odd", **said}, entropy=entropy)
    assert reports.reports_of(db, table.id) == ()


def test_bots_that_play_among_themselves_for_long_stop_in_between(
    db: Database, clock: StandingClock, opened: Callable[..., TableView]
) -> None:
    """Every card gives another turn, and cards may be drawn in between: the bot never ends."""
    ranks = "789TJQKA"
    rules = {
        "players": [2, 2],
        "effects": {rank: {"again": True, "accepts_any": True} for rank in ranks},
        "draw": {"voluntary": True, "max": 50, "then": "may_play_any"},
        "max_actions": 10_000,
    }

    def for_ever(version: BotVersion, deal: Deal, seed: str) -> Answer:
        legal = deal.legal_actions()
        few = len(deal.hands()[deal.seat]) < 3
        return Answer("draw" if few and "draw" in legal else legal[0], None, 0)

    made = opened(rules=rules, seat=1)
    once = tables.play_on(db, clock, made.id, for_ever)
    twice = tables.play_on(db, clock, made.id, for_ever)
    assert (once.waiting, twice.waiting) == (True, True)
    assert (once.moves, twice.moves) == (200, 400)


def test_a_game_that_never_ends_is_not_begun(opened: Callable[..., TableView]) -> None:
    with pytest.raises(InvalidInput, match=r"rules\.max_deals: lets a game have 1000000000 deals"):
        opened(rules={"preset": "champion", "overrides": {"max_deals": 10**9}})
