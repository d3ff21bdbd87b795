"""Chunks: lockstep, same bytes however batched, faults that cost one game only."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from maumau.arena.limits import Limits
from maumau.arena.play import ChunkJob, ChunkResult, FaultResult, LegResult, play_chunk
from maumau.bots import registry
from maumau.bots.base import rng_seed
from maumau.bots.play import play_game
from maumau.errors import InvalidInput, Unavailable
from maumau.rules.compact import expand
from maumau.rules.record import verify_record
from maumau.rules.ruleset import load_rules
from tests.arena.bots import CHANCE, MakeBot, chunk


def play(job: ChunkJob) -> ChunkResult:
    return play_chunk(job)


def faults(result: ChunkResult) -> list[FaultResult | None]:
    return [leg.fault for leg in result.legs]


def kinds(result: ChunkResult) -> set[tuple[int, str] | None]:
    """Give who forfeited, as an entrant, and of what kind, over all games."""
    found = set()
    for leg in result.legs:
        found.add((leg.seating[leg.fault.seat], leg.fault.kind) if leg.fault else None)
    return found


def test_all_legs_of_all_blocks_are_played(make_bot: MakeBot) -> None:
    job = chunk(make_bot(CHANCE), make_bot(), rules="straffpoang", blocks=4)
    result = play(job)
    assert [(leg.block, leg.leg) for leg in result.legs] == [
        (block, leg) for block in range(4) for leg in range(2)
    ]
    assert [leg.seating for leg in result.legs] == [(0, 1), (1, 0)] * 4
    assert result.host_faults == 0
    assert all(re.fullmatch(r"Python 3\.\d+\.\d+, maumau .+", text) for text in result.runtimes)
    for leg in result.legs:
        record = expand(leg.record, job.rules)
        verify_record(record)
        assert record["seats"] == [job.names[entrant] for entrant in leg.seating]
        assert tuple(record["ranks"]) == leg.ranks
        assert tuple(record["totals"]) == leg.totals
        assert len(record["deals"]) == leg.deals
        assert leg.fault is None


def test_both_legs_of_a_block_play_the_same_cards(make_bot: MakeBot) -> None:
    job = chunk(make_bot(CHANCE), make_bot())
    first, second = (expand(leg.record, job.rules) for leg in play(job).legs[:2])
    assert first["seed"] == second["seed"]
    assert first["deals"][0]["order"] == second["deals"][0]["order"]


@pytest.mark.parametrize("rules", ["gameduell", "gamerules", "crazy-eights"])
def test_a_game_alone_is_the_game_among_others(make_bot: MakeBot, rules: str) -> None:
    bots = make_bot(CHANCE), make_bot(CHANCE, name="other")
    whole = play(chunk(*bots, rules=rules, blocks=3))
    parts = [play(chunk(*bots, rules=rules, blocks=1, first=block)).legs for block in range(3)]
    assert whole.legs == tuple(leg for part in parts for leg in part)


def test_three_seats(make_bot: MakeBot) -> None:
    bots = [make_bot(CHANCE, name=f"bot-{n}") for n in range(3)]
    legs = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    result = play(chunk(*bots, rules="gamerules", legs=legs))
    assert len(result.legs) == 9
    assert kinds(result) == {None}


def test_a_process_plays_as_the_library_does_in_process(make_bot: MakeBot) -> None:
    names = ["easy", "random"]
    sources = [registry.find(name).source for name in names]
    job = chunk(*sources, rules="straffpoang", blocks=2)
    for leg in play(job).legs:
        seed = job.blocks[leg.block].seed
        here = play_game("straffpoang", [names[entrant] for entrant in leg.seating], seed)
        there = expand(leg.record, job.rules)
        assert there["deals"] == here["deals"]


def test_installed_and_uploaded_bots_meet(make_bot: MakeBot) -> None:
    result = play(chunk(registry.find("easy").source, make_bot()))
    assert kinds(result) == {None}


def test_the_optional_methods_are_called_in_order(make_bot: MakeBot) -> None:
    body = """
    def __init__(self, info):
        super().__init__(info)
        self.seen = []
        self.deals = 0
    def deal_started(self, obs):
        assert not obs.events and not obs.legal_actions or obs.seat == obs.leader
        assert obs.deal_number == self.deals
        self.seen = []
    def observe(self, event):
        self.seen.append(event)
    def deal_ended(self, result):
        assert len(result.points) == 2 and self.seen[-1].action
        self.deals += 1
    """
    act = "assert list(obs.events) == self.seen\n" + CHANCE
    result = play(chunk(make_bot(act, body=body), make_bot(), rules="straffpoang"))
    assert faults(result) == [None] * 6


def by_game(result: ChunkResult) -> dict[tuple[int, int], LegResult]:
    return {(leg.block, leg.leg): leg for leg in result.legs}


FAULTY = {
    "illegal_action": ("return 'Zz'", "answered 'Zz', which is no action"),
    "crash": ("raise KeyError('lost')", "KeyError: 'lost'"),
    "memory": ("self.hoard = bytearray(1 << 40)", "the bot ran out of memory"),
    "timeout": ("any(iter(int, 1))", "used more than 60 ms of CPU for one decision"),
}


@pytest.mark.parametrize("kind", FAULTY)
def test_a_fault_costs_the_game_it_happened_in_and_no_other(make_bot: MakeBot, kind: str) -> None:
    act, detail = FAULTY[kind]
    honest = make_bot(CHANCE, name="honest")
    limits = Limits(decision_ms=60)
    # Fails in the second turn on one seed alone, which it knows by its own random numbers.
    clean = make_bot(
        CHANCE, body="def __init__(self, i):\n    super().__init__(i)\n    i.rng.random()"
    )
    mark = first_random_number("seed 2", seat=0)
    body = f"""
    def __init__(self, info):
        super().__init__(info)
        self.marked = info.rng.random() == {mark}
    """
    faulty = make_bot(f"if self.marked and len(obs.events) > 2: {act}\n{CHANCE}", body=body)
    want = by_game(play(chunk(clean, honest, blocks=6, limits=limits)))
    got = by_game(play(chunk(faulty, honest, blocks=6, limits=limits)))
    failed = [key for key, leg in got.items() if leg.fault]
    assert failed == [(2, 0)]
    leg = got[2, 0]
    assert leg.fault is not None
    assert (leg.fault.kind, leg.fault.seat) == (kind, 0)
    assert detail in leg.fault.detail
    assert leg.ranks == (2, 1)
    verify_record(expand(leg.record, load_rules("champion")))
    for key in want.keys() - {(2, 0)}:
        assert want[key] == got[key]


def first_random_number(seed: str, *, seat: int) -> float:
    """Give the first number of the rng that the bot at a seat is given."""
    return random.Random(rng_seed(seed, seat)).random()


def test_a_bot_that_cannot_be_loaded_forfeits_every_game(make_bot: MakeBot) -> None:
    result = play(chunk(make_bot(), make_bot(top="import nowhere", name="other")))
    assert kinds(result) == {(1, "start")}
    fault = result.legs[0].fault
    assert fault is not None
    assert "No module named 'nowhere'" in fault.detail
    assert (fault.deal, fault.action) == (0, 0)


def test_where_two_cannot_be_loaded_the_lower_seat_forfeits(make_bot: MakeBot) -> None:
    bots = make_bot(top="1 / 0"), make_bot(top="import nowhere", name="other")
    result = play(chunk(*bots, blocks=1))
    assert [leg.fault.seat for leg in result.legs if leg.fault] == [0, 0]


def test_what_a_bot_printed_comes_with_its_fault(make_bot: MakeBot) -> None:
    act = "print('thinking about', obs.hand[0], '\\udcff')\nraise ValueError('no idea')"
    result = play(chunk(make_bot(act), make_bot(name="other"), blocks=1))
    fault = result.legs[0].fault
    assert fault is not None
    assert "thinking about" in fault.log
    assert "ValueError: no idea" in fault.log
    assert "in act" in fault.log


def test_only_the_last_of_a_log_is_kept(make_bot: MakeBot) -> None:
    act = "print('x' * 100_000)\nprint('the end')\nos._exit(3)"
    limits = Limits(log_bytes=100, wall_ms=20_000)
    result = play(chunk(make_bot(act), make_bot(name="other"), blocks=1, limits=limits))
    fault = result.legs[0].fault
    assert fault is not None
    assert len(fault.log) == 100
    assert fault.log.endswith("xx\nthe end\n")
    assert fault.detail == "the process exited with status 3"


def test_no_process_sees_two_legs_of_a_block(make_bot: MakeBot) -> None:
    top = "games = []"
    body = """
    def __init__(self, info):
        super().__init__(info)
        games.append(info)
        seats = {game.seat for game in games}
        if len(seats) > 1: raise RuntimeError("saw two legs")
    """
    result = play(chunk(make_bot(top=top, body=body), make_bot(name="other"), blocks=4))
    assert kinds(result) == {None}


def test_alive_is_called_and_can_end_the_play(make_bot: MakeBot) -> None:
    class Stop(Exception):
        pass

    calls = 0

    def alive() -> None:
        nonlocal calls
        calls += 1
        if calls > 5:
            raise Stop

    with pytest.raises(Stop):
        play_chunk(chunk(make_bot("time.sleep(3600)"), make_bot(name="other")), alive=alive)


def test_uploads_can_be_switched_off(make_bot: MakeBot) -> None:
    with pytest.raises(Unavailable, match="switched off"):
        play_chunk(chunk(make_bot(), make_bot(name="other")), uploads="off")


def test_unsafe_plays_without_a_cage(make_bot: MakeBot) -> None:
    act = "open('/proc/self/status').close()\n" + CHANCE
    job = chunk(make_bot(act), make_bot(name="other"), blocks=1)
    assert kinds(play_chunk(job, uploads="unsafe")) == {None}
    assert kinds(play_chunk(job)) == {(0, "crash")}


def test_a_job_that_does_not_fit_is_refused(make_bot: MakeBot) -> None:
    bots = make_bot(), make_bot(name="other")
    with pytest.raises(
        InvalidInput, match=r"blocks\[0\].seatings\[0\]: must seat every entrant once"
    ):
        play(chunk(*bots, legs=((0, 0),)))
    with pytest.raises(InvalidInput, match="must have 2 seats"):
        play(chunk(*bots, make_bot(name="third"), legs=((0, 1, 2),)))


def test_signs_of_life_come_while_all_is_forced(make_bot: MakeBot) -> None:
    ranks = list("789TJQKA")
    nothing_fits = {rank: {"wild": {"wish": False, "not_on": ranks}} for rank in ranks}
    rules = load_rules(
        {
            "players": [2, 2],
            "effects": nothing_fits,
            "stock_out": "end_deal",
            "game": {"length": "deals", "deals": 50},
        }
    )
    signs = 0

    def alive() -> None:
        nonlocal signs
        signs += 1

    job = chunk(make_bot(), make_bot(name="other"), blocks=1)
    result = play_chunk(replace(job, rules=rules), alive=alive)
    assert (result.decisions, {leg.deals for leg in result.legs}) == (0, {50})
    assert signs > 100
