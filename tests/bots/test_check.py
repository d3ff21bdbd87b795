"""The check: a bot that keeps the contract is accepted, each kind of offender gets its code."""

from __future__ import annotations

import itertools
import json
import random
import time
from typing import Any, ClassVar

import pytest

from maumau import Bot, GameInfo, Observation, load_rules, verify_record
from maumau.bots.check import ODD_RULES, check_bot
from maumau.bots.report import FINDINGS, MARKS, Report
from maumau.bots.trial import KINDS, SeatFault, SeatMaker, local_seats
from maumau.rules.deal import Deal
from plugins.easy import Easy


class First(Bot):
    name = "first"

    def act(self, obs: Observation) -> str:
        return obs.legal_actions[0]


def check(bot: type[Bot], **changes: Any) -> Report:
    settings: dict[str, Any] = {"clock": time.perf_counter, "decisions": 400, "match_games": 2}
    report = check_bot(local_seats(bot), **{**settings, **changes})
    assert set(report.marks) <= set(MARKS)
    assert {finding.code for finding in report.findings} <= set(FINDINGS)
    # The whole report is plain data.
    assert json.loads(json.dumps(report.to_dict()))["accepted"] is report.accepted
    for finding in report.findings:
        if finding.record is not None:
            verify_record(json.loads(json.dumps(finding.record)))
    return report


def only(report: Report) -> tuple[str, str]:
    (finding,) = report.findings
    assert not report.accepted
    return finding.code, finding.message


@pytest.mark.parametrize("bot", [First, Easy])
def test_a_good_bot_is_accepted_after_thousands_of_positions_of_every_kind(bot: type[Bot]) -> None:
    report = check(bot, decisions=2_000, match_games=20)
    assert report.accepted
    assert report.marks == ()
    assert report.decisions >= 2_000
    assert set(report.kinds) == set(KINDS)
    assert min(report.kinds.values()) >= 20
    assert [match.rules for match in report.matches] == ["champion", "gamerules", "gameduell"]
    assert all(match.games == 20 and 0 <= match.share <= 1 for match in report.matches)
    if bot is Easy:
        assert report.matches[1].share > 0.8
    assert report.speed is not None
    assert 0 < report.speed.median <= report.speed.p99 <= report.speed.worst


def test_the_odd_rule_sets_are_valid() -> None:
    for data in ODD_RULES:
        assert load_rules(data)


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("owed", "7x"),
        ("asked", 7),
        ("wish", None),
        ("last_card", "pass!"),
        ("empty_stock", "draw "),
    ],
)
def test_an_illegal_answer_in_a_rare_position_is_found(kind: str, wrong: Any) -> None:
    from maumau.bots.trial import kinds

    class Rarely(First):
        def act(self, obs: Observation) -> str:
            return wrong if kind in kinds(obs) else super().act(obs)

    report = check(Rarely)
    code, message = only(report)
    assert code == "illegal_action"
    assert "is not one of" in message
    (finding,) = report.findings
    assert finding.record is not None
    fault = finding.record["fault"]
    assert (fault["seat"], fault["deal"], fault["action"]) == (
        finding.seat,
        finding.deal,
        finding.action,
    )
    assert fault["kind"] == "illegal_action"


@pytest.mark.parametrize("method", ["act", "deal_started", "observe", "deal_ended"])
def test_an_exception_anywhere_is_a_crash(method: str) -> None:
    def fails(self: Bot, _: object) -> str:
        raise ValueError("\x1b[2J no " * 100)

    bot = type("Fails", (First,), {method: fails})
    code, message = only(check(bot))
    assert code == "crash"
    assert "ValueError" in message
    assert message.isprintable()
    assert len(message) < 500


def test_a_bot_that_cannot_be_made_is_told_as_by_the_server() -> None:
    class Broken(First):
        def __init__(self, info: GameInfo) -> None:
            raise OSError("no")

    code, message = only(check(Broken))
    assert code == "crash"
    assert "OSError: no" in message


def test_a_form_of_init_that_takes_no_info_is_told_what_it_must_take() -> None:
    class Broken(First):
        def __init__(self) -> None: ...

    code, message = only(check(Broken))
    assert code == "crash"
    assert message.endswith("it is called with one argument: def __init__(self, info)")
    assert ", line " not in message


def test_chance_from_elsewhere_is_not_repeatable() -> None:
    class Lucky(First):
        def act(self, obs: Observation) -> str:
            return random.choice(obs.legal_actions)

    code, message = only(check(Lucky))
    assert code == "not_repeatable"
    assert "self.info.rng" in message


def test_chance_from_info_is() -> None:
    class Lots(First):
        def act(self, obs: Observation) -> str:
            return self.info.rng.choice(obs.legal_actions)

    assert check(Lots).accepted


def test_what_is_carried_from_game_to_game_gets_a_mark() -> None:
    class Grows(First):
        games: ClassVar[int] = 0

        def __init__(self, info: GameInfo) -> None:
            super().__init__(info)
            Grows.games += 1

        def act(self, obs: Observation) -> str:
            return obs.legal_actions[0 if Grows.games < 15 else -1]

    def fresh(*args: Any) -> Any:
        Grows.games = 0
        return local_seats(Grows)(*args)

    report = check_bot(
        local_seats(Grows), fresh=fresh, clock=time.perf_counter, decisions=400, match_games=0
    )
    assert report.accepted
    assert report.marks == ("stateful",)


def test_what_is_carried_from_deal_to_deal_gets_a_mark() -> None:
    class Remembers(First):
        """Plays otherwise in every deal after its first one."""

        def __init__(self, info: GameInfo) -> None:
            super().__init__(info)
            self.deals = 0

        def deal_started(self, obs: Observation) -> None:
            self.deals += 1

        def act(self, obs: Observation) -> str:
            return obs.legal_actions[0 if self.deals == 1 else -1]

    report = check(Remembers)
    assert report.accepted
    assert report.marks == ("stateful",)
    (mark,) = report.marked
    assert mark.deal >= 1
    assert "alone was answered by" in mark.message
    assert mark.record is not None
    assert "deal " in mark.place


def test_lots_drawn_in_the_deals_before_are_no_mark() -> None:
    class Lots(First):
        def act(self, obs: Observation) -> str:
            return self.info.rng.choice(obs.legal_actions)

    assert check(Lots).marks == ()


def test_a_bot_that_sees_hidden_cards() -> None:
    """No bot gets at them through its observation: here the seat itself hands them over."""

    class Peeks:
        def __init__(self, seat: int, inner: Any) -> None:
            self.seat, self.inner = seat, inner

        def __getattr__(self, name: str) -> Any:
            return getattr(self.inner, name)

        def ask(self, deal: Deal) -> str:
            legal = deal.legal_actions()
            others = [deal.hand_text(seat) for seat in range(deal.seats) if seat != self.seat]
            return legal[sum(map(ord, "".join(others))) % len(legal)]

    def make(*args: Any) -> Any:
        return Peeks(args[2], local_seats(First)(*args))

    report = check_bot(make, clock=time.perf_counter, decisions=400)
    assert only(report)[0] == "hidden_cards"


def test_a_slow_bot_is_refused_by_the_limit_and_shown_without() -> None:
    ticks = itertools.count()
    report = check(First, clock=lambda: next(ticks) * 0.030, limit_ms=20)
    code, message = only(report)
    assert code == "timeout"
    assert "the limit is 20 ms" in message
    report = check(First, clock=lambda: next(ticks) * 0.030, limit_ms=40)
    assert report.accepted
    assert report.speed is not None
    assert round(report.speed.median) == 30


def test_faults_of_a_process_come_through_with_their_kind() -> None:
    class Behind:
        """A seat behind a wire whose process runs out of memory."""

        closed = 0

        def start(self, deal: Deal) -> None: ...

        def ask(self, deal: Deal) -> str:
            raise SeatFault("memory", "needed more than 64 MB")

        def end(self, deal: Deal, result: object) -> None: ...

        def close(self) -> None:
            Behind.closed += 1

    make: SeatMaker = lambda *_: Behind()  # noqa: E731
    report = check_bot(make, clock=time.perf_counter)
    assert only(report) == ("memory", "needed more than 64 MB")
    assert Behind.closed == report.games


def test_a_fault_in_the_matches_rejects_too() -> None:
    class FailsInMatches(First):
        def __init__(self, info: GameInfo) -> None:
            super().__init__(info)
            made.append(self)
            if len(made) > most:
                raise ValueError("enough")

    made: list[Bot] = []
    most = 10**9
    games = check(FailsInMatches, match_games=0)
    assert games.accepted
    made, most = [], len(made)
    code, message = only(check(FailsInMatches))
    assert code == "crash"
    assert "enough" in message


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
def test_a_process_that_cannot_be_started_again_is_a_finding_wherever_it_is(part: float) -> None:
    class Fresh:
        """Makes seats in new processes, of which one does not start."""

        made, fails = 0, 0

        def __call__(self, *args: Any) -> Any:
            self.made += 1
            if self.made == self.fails:
                raise SeatFault("start", "it is gone")
            return local_seats(First)(*args)

    settings: dict[str, Any] = {"clock": time.perf_counter, "decisions": 400, "match_games": 0}
    counted, failing = Fresh(), Fresh()
    assert check_bot(local_seats(First), fresh=counted, **settings).accepted
    failing.fails = max(1, int(counted.made * part))
    report = check_bot(local_seats(First), fresh=failing, **settings)
    # In deals played alone nothing follows from it.
    assert report.accepted or only(report) == ("start", "it is gone")
    assert part > 0.8 or not report.accepted
