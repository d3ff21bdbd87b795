"""Single positions asked of a bot in a process."""

from __future__ import annotations

import pytest

from maumau.arena import wire
from maumau.arena.leg import GamePlan, Table
from maumau.arena.limits import Limits
from maumau.arena.session import Position, Session
from maumau.bots.base import rng_seed
from maumau.rules.deal import Deal
from maumau.rules.ruleset import load_rules
from tests.arena.bots import CHANCE, LOWEST, MakeBot

RULES = load_rules("straffpoang")


def positions(seed: str = "s", most: int = 30) -> list[tuple[Deal, Position]]:
    """Give the decisions of one deal played by the lowest action, each with a copy of its deal."""
    deal = Deal(RULES, 2, 0, seed, 0)
    found = []
    while not deal.over and len(found) < most:
        found.append((deal.copy(), Position.of(deal, seed)))
        deal.apply(deal.legal_actions()[0])
    return found


def test_a_bot_sees_in_a_session_what_it_sees_in_a_game(make_bot: MakeBot) -> None:
    act = "print(obs.to_json())\n" + LOWEST
    for deal, position in positions(most=6):
        with Session(make_bot(act), RULES) as session:
            answer = session.ask(position)
            assert answer.fault is None
            assert answer.action in deal.legal_actions()
            assert session.log().strip() == deal.observation(deal.seat).to_json()


def test_answers_depend_on_the_position_only(make_bot: MakeBot) -> None:
    asked = [position for _, position in positions()]
    with Session(make_bot(CHANCE), RULES) as session:
        there = session.ask_all(asked)
        back = session.ask_all(asked[::-1])[::-1]
    assert [answer.action for answer in there] == [answer.action for answer in back]


def test_an_answer_tells_the_cpu_time_it_took(make_bot: MakeBot) -> None:
    act = "begun = time.process_time()\nwhile time.process_time() < begun + 0.1: pass\n" + LOWEST
    asked = [position for _, position in positions(most=1)]
    with Session(make_bot(act), RULES, limits=Limits(decision_ms=5_000)) as session:
        (answer,) = session.ask_all(asked)
    assert answer.fault is None
    # The bot's own clock says 100 ms; the arena reads another one of the same process.
    assert answer.cpu_ns > 50_000_000


def test_a_deal_is_begun_before_it_is_asked(make_bot: MakeBot) -> None:
    body = """
    def deal_started(self, obs):
        self.begun = len(obs.hand), len(obs.events)
    """
    act = "assert self.begun == (5, 0)\n" + LOWEST
    with Session(make_bot(act, body=body), RULES) as session:
        assert {answer.fault for answer in session.ask_all([p for _, p in positions()])} == {None}


def test_after_a_fault_the_next_position_is_asked_anew(make_bot: MakeBot) -> None:
    act = "if len(obs.events) == 2: os._exit(4)\nif len(obs.events) == 3: return 'Zz'\n" + LOWEST
    asked = [position for _, position in positions(most=6)]
    with Session(make_bot(act), RULES) as session:
        answers = session.ask_all(asked)
    kinds = [answer.fault.kind if answer.fault else None for answer in answers]
    assert kinds == [None, None, "crash", "illegal_action", None, None]


def test_asking_ends_after_a_number_of_failed_processes(make_bot: MakeBot) -> None:
    with Session(make_bot("os._exit(4)"), RULES) as session:
        answers = session.ask_all([position for _, position in positions()], most_failed=2)
    assert len(answers) == 2


def test_a_bot_that_cannot_be_loaded_says_why(make_bot: MakeBot) -> None:
    with Session(make_bot(top="import nowhere"), RULES) as session:
        assert session.start_fault is not None
        assert session.start_fault.kind == "start"
        assert session.refusal == "import_error"
        assert "ModuleNotFoundError" in session.log()


@pytest.mark.parametrize(
    ("act", "kind"),
    [
        ("any(iter(int, 1))", "timeout"),
        ("raise OSError", "crash"),
        ("return 'draw!'", "illegal_action"),
    ],
)
def test_faults_of_single_decisions(make_bot: MakeBot, act: str, kind: str) -> None:
    limits = Limits(decision_ms=60, wall_ms=10_000)
    with Session(make_bot(act), RULES, limits=limits) as session:
        answer = session.ask(positions(most=1)[0][1])
    assert answer.action is None
    assert answer.fault is not None
    assert answer.fault.kind == kind


@pytest.mark.parametrize("rules", ["champion", "gameduell"])
def test_the_seed_of_the_cards_is_in_no_question(rules: str) -> None:
    seed = "the seed of all cards"
    deal = Deal(load_rules(rules), 2, 0, seed, 0)
    table = Table(GamePlan(0, seed, (0, 1)), load_rules(rules), ["a", "b"], [7, 7])
    assert table.advance() is not None
    for asking, asked in ((deal, Position.of(deal, seed).ask(1)), (table.game.deal, table.ask())):
        sent = wire.request(1, wire.ASK, [asked])
        assert b"seed of all" not in sent
        assert rng_seed(seed, asking.seat).encode() in sent
