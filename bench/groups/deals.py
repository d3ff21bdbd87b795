"""Whole random deals: ours compiled and plain, beside C, OpenSpiel and RLCard."""

from __future__ import annotations

import json
import statistics

from bench.groups import Bench, Group, Scale
from bench.results import Chart, Mark, Section, number, spread
from bench.runs import Contestant, ratio

LIMIT = "C, the limit"
COMPILED = "ours, compiled"
PLAIN = "ours, plain Python"
BOTS = "OpenSpiel, C++ bots"
LOOP = "OpenSpiel, Python loop"
STRINGS = "OpenSpiel, loop with observation strings"
UNO = "RLCard UNO, Python loop"
CONTESTANTS = (LIMIT, COMPILED, PLAIN, BOTS, LOOP, STRINGS, UNO)
CASE = json.dumps([["champion", 2]])
TEXT = """Two seats, every legal action alike. Ours plays `champion`; so does the C program, which
is no library but a hand-written loop for this one preset (`bench/peers/champion_limit.c`), and
marks what the machine can do at all. OpenSpiel plays `crazy_eights`, RLCard its UNO: other games of
the same family, with longer deals, so decisions a second say more than deals do. OpenSpiel's C++
bots do not tell their decisions."""


def measure(bench: Bench) -> Section:
    """Measure all of them in turns."""
    seconds = bench.scale.seconds
    section = Section(
        "Whole random deals",
        TEXT,
        ("", "deals/s (least–most)", "decisions/s", "decisions a deal", "deals/s by C's"),
    )

    def limit() -> Contestant:
        deals = max(1000, int(2_000_000 * seconds))
        return Contestant(LIMIT, (bench.places.limit(), str(deals), "1"))

    def spiel(what: str) -> Contestant:
        return bench.peer(what, "openspiel_peer", what, seconds, 1)

    rounds = bench.alternate(
        [
            (LIMIT, limit),
            (COMPILED, lambda: bench.ours("compiled", "playouts", seconds, "bench", CASE)),
            (PLAIN, lambda: bench.ours("plain", "playouts", seconds, "bench", CASE)),
            (BOTS, lambda: spiel("bots")),
            (LOOP, lambda: spiel("loop")),
            (STRINGS, lambda: spiel("strings")),
            (UNO, lambda: bench.peer(UNO, "rlcard_peer", seconds, 1)),
        ],
        section,
        bench.scale.rounds,
    )
    marks = []
    for name in CONTESTANTS:
        if name not in rounds.values:
            continue
        deals = rounds.rates(name, "deals")
        length = [run["actions"] / run["deals"] for run in rounds.values[name] if run["actions"]]
        decisions = number(statistics.median(rounds.rates(name, "actions"))) if length else "–"
        by_limit = "–"
        if LIMIT in rounds.values:
            by_limit = f"{ratio(deals, rounds.rates(LIMIT, 'deals')):.4f}"
        long = number(statistics.median(length)) if length else "–"
        section.rows.append((name, spread(deals), decisions, long, by_limit))
        marks.append(Mark(name, statistics.median(deals), name.startswith("ours")))
    section.charts.append(Chart("Whole random deals a second, two seats", tuple(marks)))
    for peer in (LOOP, UNO):
        if peer in rounds.values:
            section.versions[peer.split()[0].rstrip(",")] = rounds.values[peer][0]["version"]

    def by(one: str, other: str) -> float:
        return ratio(rounds.rates(one, "deals"), rounds.rates(other, "deals"))

    section.bar(
        "random deals, `champion`, two seats, compiled, by the C limit",
        "≥ 0.15",
        lambda: by(COMPILED, LIMIT),
        lambda value: value >= 0.15,
    )
    section.bar(
        "… by OpenSpiel's C++ bots",
        "≥ 12",
        lambda: by(COMPILED, BOTS),
        lambda value: value >= 12,
        "{:.1f}",
    )
    section.bar(
        "random deals, plain Python, by OpenSpiel's Python loop",
        "≥ 2",
        lambda: by(PLAIN, LOOP),
        lambda value: value >= 2,
        "{:.1f}",
    )
    return section


def steps(scale: Scale) -> int:
    """Count the runs."""
    return len(CONTESTANTS) * scale.rounds


GROUP = Group("deals", ("compiled", "plain", "peers", "limit"), steps, measure)
