"""How strong installed bots are: share of deals won over paired deals, with its 95 % interval.

    python bench/strength.py medium easy --rules champion,gamerules,gameduell --pairs 2500
    python bench/strength.py medium easy --rules gamerules,gameduell --seats 4 --pairs 2500
    python bench/strength.py --table --pairs 10000 --slow-pairs 400

A pair (a block, with more seats) is one shuffle, played once for each seat that the first bot can
have; the second bot has all other seats. A deal without a finisher is shared. The interval is over
pairs, which are independent of each other. `--table` measures every level against every weaker one
and writes docs/strength.md and its chart; what bench/strength.jsonl holds already is not measured
again.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from itertools import combinations, repeat
from multiprocessing import Pool
from multiprocessing.pool import Pool as Processes
from pathlib import Path

from maumau import Deal, RuleSet, load_rules
from maumau.bots import registry
from maumau.bots.base import Bot, game_info
from maumau.bots.play import Player

HERE = Path(__file__).parent
# Last, so that the engine is the installed one, compiled.
sys.path.append(str(HERE.parent))
from bench import strength_chart  # noqa: E402

KEPT = HERE / "strength.jsonl"
PAGE = HERE.parent / "docs" / "strength.md"
CHART = PAGE.with_suffix(".svg")
TIMES = HERE / "strength_times.jsonl"
EXPLOITER = HERE / "exploiter.jsonl"
LEVELS = ["random", "easy", "medium", "hard", "expert"]
CEILING = "oracle"
SLOW = ("expert", CEILING)
TABLES = [
    ("champion", 2),
    ("gamerules", 2),
    ("gameduell", 2),
    ("straffpoang", 2),
    ("crazy-eights", 2),
    ("gamerules", 4),
    ("gameduell", 4),
]
HEAD = """# How strong the levels are

Share of deals won over paired deals, in per cent, with its 95 % interval over the pairs and the
number of pairs: each shuffle is played once for each seat that the first bot can have, the second
one has all other seats. At four seats an equal bot has 25. A deal without a finisher is shared.
Written by `python bench/strength.py --table` (in one process, without the cage; the engine
compiled); what was measured is kept in `bench/strength.jsonl`, and what is missing there is
measured by running it again. `oracle` sees all cards: what it wins is about what skill could win at
most.

![Share of deals won against medium at two seats](strength.svg)

The cells of `hard` v. `medium` at four seats come from trials played the same way on other seeds;
this command has not measured them. After all rows but those of `expert` and `oracle` the policy
that `hard` and `expert` look by was mended for two rare positions (only a joker left to wish for; a
last card that may be played on what is owed).

No level has made a fault in 100,000 games under 1,961 rule sets made up at random (2 to 6 seats,
levels mixed, `expert` at every tenth table;
`python -m bench.any_rules --expert-every 10 --seed 2`).
"""
TIMES_HEAD = """
## Time of a decision

Milliseconds of processor time, over all the tables above, against `medium`, in one process without
the cage, on a machine with other work.

| | decisions | median | 99.9 % below | worst |
|---|---:|---:|---:|---:|
"""
EXPLOITER_HEAD = """
## What a trained bot gains

Share of deals won at two seats on a small pack (`champion` from the nine up, hands of three; nines
draw two, tens skip) by a bot that was trained against the one level named, beside the bot `hard`,
with which it began. What it wins above 50 is a lower bound on what a best reply gains. Written by
`python bench/exploiter.py --keep` (intervals over pairs of deals, as above).

| against | `hard` | trained | training deals | pairs |
|---|---:|---:|---:|---:|
"""


def finisher(rules: RuleSet, bots: list[type[Bot]], seed: str) -> int | None:
    seats = len(bots)
    deal = Deal(rules, seats=seats, leader=0, seed=seed, number=0)
    players = [Player(bot, game_info(rules, seats, seat, seed)) for seat, bot in enumerate(bots)]
    for player in players:
        player.start(deal)
    while not deal.over:
        legal = deal.legal_ids()
        if len(legal) == 1:
            deal.apply_id(legal[0])
        else:
            deal.apply(players[deal.seat].ask(deal))
    return deal.result().finisher


def block(one: str, other: str, preset: str, seats: int, number: int) -> float:
    rules = load_rules(preset)
    first, second = (registry.find(name, exhibition=True).bot for name in (one, other))
    won = 0.0
    for seat in range(seats):
        bots = [second] * seats
        bots[seat] = first
        winner = finisher(rules, bots, f"strength:{number}")
        won += 1 / seats if winner is None else float(winner == seat)
    return won / seats


def measured(
    pool: Processes, one: str, other: str, preset: str, seats: int, pairs: int
) -> tuple[float, float]:
    """Give the share of deals that the first bot won, and half the width of its interval."""
    fixed = map(repeat, (one, other, preset, seats))
    shares = pool.starmap(block, zip(*fixed, range(pairs), strict=False), 50)
    mean = sum(shares) / len(shares)
    spread = math.sqrt(sum((it - mean) ** 2 for it in shares) / (len(shares) - 1))
    return mean, 1.96 * spread / math.sqrt(len(shares))


def fill_table(pool: Processes, pairs: int, slow_pairs: int) -> None:
    """Measure what is not kept yet, cheap pairs of levels first, and write the page."""
    cells = [
        (one, other, preset, seats)
        for other, one in combinations([*LEVELS, CEILING], 2)
        for preset, seats in TABLES
    ]
    cells.sort(key=lambda cell: (cell[0] in SLOW, -LEVELS.index(cell[1])))
    kept = read()
    for at, (one, other, preset, seats) in enumerate(cells, 1):
        if (one, other, preset, seats) in kept:
            continue
        wanted = slow_pairs if one in SLOW else pairs
        mean, half = measured(pool, one, other, preset, seats, wanted)
        row = [one, other, preset, seats, wanted, round(mean, 5), round(half, 5)]
        with KEPT.open("a") as file:
            file.write(json.dumps(row) + "\n")
        print(f"{at} of {len(cells)}: {row}", flush=True)
        write()
    for level in [*LEVELS, CEILING]:
        if level not in read_times():
            with TIMES.open("a") as file:
                file.write(json.dumps([level, *decision_times(level)]) + "\n")
            write()


def decision_times(level: str, deals: int = 60) -> tuple[int, float, float, float]:
    """Time a level against `medium`: decisions, median, 99.9 % and worst, in ms of processor."""
    bot, other = (registry.find(name, exhibition=True).bot for name in (level, "medium"))
    spent = []
    for preset, seats in TABLES:
        rules = load_rules(preset)
        for number in range(deals):
            deal = Deal(rules, seats=seats, seed="times", number=number)
            players = [
                Player(bot if seat == 0 else other, game_info(rules, seats, seat, "times"))
                for seat in range(seats)
            ]
            while deal.play_forced():
                seat, begun = deal.seat, time.process_time()
                action = players[seat].ask(deal)
                if seat == 0:
                    spent.append(1000 * (time.process_time() - begun))
                deal.apply(action)
    spent.sort()
    count = len(spent)
    return count, spent[count // 2], spent[count * 999 // 1000], spent[-1]


def read() -> dict[tuple[str, str, str, int], tuple[int, float, float]]:
    """Give what was measured: by the two bots, preset and seats the pairs, share and half width."""
    lines = KEPT.read_text().splitlines() if KEPT.exists() else []
    return {tuple(row[:4]): tuple(row[4:]) for row in map(json.loads, lines)}


def read_times() -> dict[str, tuple[int, float, float, float]]:
    """Give what was timed, by level."""
    lines = TIMES.read_text().splitlines() if TIMES.exists() else []
    return {row[0]: tuple(row[1:]) for row in map(json.loads, lines)}


def write() -> None:
    """Write the page from what is kept."""
    kept, times = read(), read_times()
    text = HEAD
    for preset, seats in TABLES:
        text += f"\n## `{preset}`, {seats} seats\n\n| | {' | '.join(LEVELS)} |\n"
        text += "|---" * (len(LEVELS) + 1) + "|\n"
        for at, one in enumerate([*LEVELS, CEILING][1:], 1):
            text += f"| `{one}` |"
            for other in LEVELS[:at]:
                cell = kept.get((one, other, preset, seats))
                text += f" {shown(*cell)} |" if cell else " not measured |"
            text += " |" * (len(LEVELS) - at) + "\n"
    text += TIMES_HEAD
    for level, (count, median, most, worst) in times.items():
        text += f"| `{level}` | {count} | {median:.3f} | {most:.2f} | {worst:.2f} |\n"
    text += exploited()
    PAGE.write_text(text, "utf-8")
    groups = {
        preset: {
            one: kept[one, "medium", preset, seats]
            for one in (*LEVELS, CEILING)
            if (one, "medium", preset, seats) in kept
        }
        for preset, seats in TABLES
        if seats == 2
    }
    title = "Share of deals won against medium at two seats, in per cent"
    CHART.write_text(strength_chart.draw(title, groups, even=0.5), "utf-8")


def exploited() -> str:
    """Give the section on the trained bot, or that it was not measured."""
    if not EXPLOITER.exists():
        return (
            "\nNot measured yet: what a bot trained against a level gains (`bench/exploiter.py`).\n"
        )
    text = EXPLOITER_HEAD
    for row in map(json.loads, EXPLOITER.read_text().splitlines()):
        before, after = (
            f"{100 * mean:.1f} [{100 * (mean - half):.1f}, {100 * (mean + half):.1f}]"
            for mean, half in (row["hard"], row["trained"])
        )
        text += f"| `{row['level']}` | {before} | {after} | {row['deals']} | {row['pairs']} |\n"
    return text


def shown(pairs: int, mean: float, half: float) -> str:
    return f"{100 * mean:.1f} [{100 * (mean - half):.1f}, {100 * (mean + half):.1f}], {pairs}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("one", nargs="?")
    parser.add_argument("other", nargs="?")
    parser.add_argument("--rules", default="champion,gamerules,gameduell")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--table", action="store_true")
    parser.add_argument(
        "--slow-pairs", type=int, default=400, help="pairs of `expert` and `oracle`, in a table"
    )
    asked = parser.parse_args()
    if not asked.table and asked.other is None:
        parser.error("name two bots, or ask for the --table")
    with Pool(asked.processes) as pool:
        if asked.table:
            fill_table(pool, asked.pairs, asked.slow_pairs)
            return
        for preset in asked.rules.split(","):
            begun = time.perf_counter()
            mean, half = measured(pool, asked.one, asked.other, preset, asked.seats, asked.pairs)
            print(
                f"{asked.one} v. {asked.other}, {preset}, {asked.seats} seats, "
                f"{asked.pairs} shuffles: {100 * mean:.2f} % "
                f"[{100 * (mean - half):.2f}, {100 * (mean + half):.2f}] "
                f"({time.perf_counter() - begun:.0f} s)",
                flush=True,
            )


if __name__ == "__main__":
    main()
