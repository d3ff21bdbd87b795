"""How strong installed bots are: share of deals won over paired deals, with its 95 % interval.

    python bench/strength.py medium easy --rules champion,gamerules,gameduell --pairs 2500
    python bench/strength.py medium easy --rules gamerules,gameduell --seats 4 --pairs 2500
    python bench/strength.py --table --pairs 10000 --slow-pairs 400

A pair (a block, with more seats) is one shuffle, played once for each seat that the first bot can
have; the second bot has all other seats. A deal without a finisher is shared. The interval is over
pairs, which are independent of each other. `--table` measures every level against every weaker one
and writes docs/strength.md; what bench/strength.jsonl holds already is not measured again.
"""

from __future__ import annotations

import argparse
import json
import math
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
KEPT = HERE / "strength.jsonl"
PAGE = HERE.parent / "docs" / "strength.md"
LEVELS = ["random", "easy", "medium", "hard", "expert"]
SLOW = "expert"
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
measured by running it again. Not measured at all yet: a ceiling that sees all cards, and what a bot
trained against a level gains.

The cells of `hard` v. `medium` at four seats come from trials played the same way on other seeds;
this command has not measured them. After all rows but those of `expert` the policy that `hard` and
`expert` look by was mended for two rare positions (only a joker left to wish for; a last card that
may be played on what is owed).
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
    first, second = registry.find(one).bot, registry.find(other).bot
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
        for other, one in combinations(LEVELS, 2)
        for preset, seats in TABLES
    ]
    cells.sort(key=lambda cell: (cell[0] == SLOW, -LEVELS.index(cell[1])))
    kept = read()
    for at, (one, other, preset, seats) in enumerate(cells, 1):
        if (one, other, preset, seats) in kept:
            continue
        wanted = slow_pairs if one == SLOW else pairs
        mean, half = measured(pool, one, other, preset, seats, wanted)
        row = [one, other, preset, seats, wanted, round(mean, 5), round(half, 5)]
        with KEPT.open("a") as file:
            file.write(json.dumps(row) + "\n")
        print(f"{at} of {len(cells)}: {row}", flush=True)
        write()


def read() -> dict[tuple[str, str, str, int], tuple[int, float, float]]:
    """Give what was measured: by the two bots, preset and seats the pairs, share and half width."""
    lines = KEPT.read_text().splitlines() if KEPT.exists() else []
    return {tuple(row[:4]): tuple(row[4:]) for row in map(json.loads, lines)}


def write() -> None:
    """Write the page from what is kept."""
    kept = read()
    text = HEAD
    for preset, seats in TABLES:
        text += f"\n## `{preset}`, {seats} seats\n\n| | {' | '.join(LEVELS[:-1])} |\n"
        text += "|---" * len(LEVELS) + "|\n"
        for one in LEVELS[1:]:
            text += f"| `{one}` |"
            for other in LEVELS[: LEVELS.index(one)]:
                cell = kept.get((one, other, preset, seats))
                text += f" {shown(*cell)} |" if cell else " not measured |"
            text += " |" * (len(LEVELS) - 1 - LEVELS.index(one)) + "\n"
    PAGE.write_text(text, "utf-8")


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
    parser.add_argument("--slow-pairs", type=int, default=400, help="pairs of `expert`, in a table")
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
