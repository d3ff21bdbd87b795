"""How strong installed bots are: share of deals won over paired deals, with its 95 % interval.

    python bench/strength.py medium easy --rules champion,gamerules,gameduell --pairs 2500
    python bench/strength.py medium easy --rules gamerules,gameduell --seats 4 --pairs 2500

A pair (a block, with more seats) is one shuffle, played once for each seat that the first bot can
have; the second bot has all other seats. A deal without a finisher is shared. The interval is over
pairs, which are independent of each other.
"""

from __future__ import annotations

import argparse
import math
import time
from itertools import repeat
from multiprocessing import Pool

from maumau import Deal, RuleSet, load_rules
from maumau.bots import registry
from maumau.bots.base import Bot, game_info
from maumau.bots.play import Player


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("one")
    parser.add_argument("other")
    parser.add_argument("--rules", default="champion,gamerules,gameduell")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    with Pool(asked.processes) as pool:
        for preset in asked.rules.split(","):
            begun = time.perf_counter()
            fixed = map(repeat, (asked.one, asked.other, preset, asked.seats))
            shares = pool.starmap(block, zip(*fixed, range(asked.pairs), strict=False), 50)
            mean = sum(shares) / len(shares)
            spread = math.sqrt(sum((it - mean) ** 2 for it in shares) / (len(shares) - 1))
            half = 1.96 * spread / math.sqrt(len(shares))
            print(
                f"{asked.one} v. {asked.other}, {preset}, {asked.seats} seats, "
                f"{asked.pairs} shuffles: {100 * mean:.2f} % "
                f"[{100 * (mean - half):.2f}, {100 * (mean + half):.2f}] "
                f"({time.perf_counter() - begun:.0f} s)",
                flush=True,
            )


if __name__ == "__main__":
    main()
