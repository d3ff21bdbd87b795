"""Seats of the check: a bot that sleeps may not hold a worker for hours."""

from __future__ import annotations

import pytest

from maumau.arena.limits import Limits
from maumau.arena.trials import Trials
from maumau.bots.trial import SeatFault
from maumau.rules.deal import Deal
from maumau.rules.ruleset import load_rules
from tests.arena.bots import LOWEST, MakeBot

RULES = load_rules("champion")
LIMITS = Limits(decision_ms=2_000, wall_ms=5_000)


def asked(trials: Trials, decisions: int) -> int:
    """Let the bot make decisions of one deal; gives how many it made."""
    deal = Deal(RULES, 2, 0, "s", 0)
    seat = trials.seat(RULES, 2, deal.seat, "s")
    seat.start(deal)
    for _ in range(decisions):
        assert seat.ask(deal) in deal.legal_actions()
    seat.close()
    return decisions


def test_sleeps_that_are_short_each_are_too_long_together(make_bot: MakeBot) -> None:
    bot = make_bot("time.sleep(0.7)\n" + LOWEST)
    with Trials(bot, limits=LIMITS, most_idle_s=1.0) as trials:
        with pytest.raises(SeatFault, match="slept more than 1 s in all") as caught:
            asked(trials, 3)
        assert caught.value.kind == "timeout"


def test_sleeps_when_a_deal_is_over_count_too(make_bot: MakeBot) -> None:
    body = """
    def deal_ended(self, result):
        time.sleep(3600)
    """
    bot = make_bot(LOWEST, body=body)
    limits = Limits(decision_ms=500, wall_ms=700)
    with Trials(bot, limits=limits, most_idle_s=1.0) as trials:
        for _ in range(2):
            deal = Deal(RULES, 2, 0, "s", 0)
            seat = trials.seat(RULES, 2, deal.seat, "s")
            seat.start(deal)
            while not deal.over:
                deal.apply(deal.legal_actions()[0])
            seat.end(deal, deal.result())
            seat.close()
        with pytest.raises(SeatFault, match="in all"):
            asked(trials, 1)


def test_computing_and_being_asked_late_is_no_sleep(make_bot: MakeBot) -> None:
    act = "begun = time.process_time()\nwhile time.process_time() < begun + 0.7: pass\n" + LOWEST
    with Trials(make_bot(act), limits=LIMITS, most_idle_s=1.0) as trials:
        assert asked(trials, 3) == 3
