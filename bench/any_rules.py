"""Do the levels play any rule set? Many games under rule sets made up at random, without a fault.

    python -m bench.any_rules --games 100000

Rule sets are those that the tests make up (`tests.strategies.rule_sets`), seats any number that one
takes, bots any mixture of the levels; `expert` sits in one game of `--expert-every` only, for it
takes a thousand times as long. Games are played in one process, without limits. Progress goes to
the error stream; the last line tells games, rule sets, and how often each level sat at a table. The
first fault ends it, with rule set, bots and seed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from random import Random

from hypothesis import HealthCheck, Phase, given, seed, settings

from maumau import RuleSet, play_game
from tests.strategies import rule_sets

QUICK = ["random", "easy", "medium", "hard"]
GAMES_EACH = 50
"""Games under one rule set."""
REPORT_SECONDS = 30.0


def play(rules: RuleSet, number: int, expert: bool) -> list[str]:
    """Play one game and give who sat where; a bot's exception comes through."""
    rng = Random(number)
    fewest, most = rules.players
    bots = [rng.choice(QUICK) for _ in range(rng.randint(fewest, most))]
    if expert:
        bots[rng.randrange(len(bots))] = "expert"
    try:
        record = play_game(rules, bots, seed=f"any:{number}", strict=True)
        assert record["fault"] is None
    except BaseException:
        print(f"{json.dumps(rules.data)}\n{bots}, seed any:{number}", file=sys.stderr)
        raise
    return bots


def main() -> None:
    """Play until there were enough games."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--expert-every", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    sat: Counter[str] = Counter()
    found: Counter[str] = Counter()
    began = told = time.monotonic()
    games = 0

    @seed(asked.seed)
    @settings(
        max_examples=-(-asked.games // GAMES_EACH),
        phases=[Phase.generate],
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(rules=rule_sets())
    def any_rules(rules: RuleSet) -> None:
        nonlocal games, told
        found[rules.id] += 1
        for _ in range(GAMES_EACH):
            sat.update(play(rules, games, games % asked.expert_every == 0))
            games += 1
            if time.monotonic() - told > REPORT_SECONDS:
                told = time.monotonic()
                print(f"{games} of {asked.games} games, {len(found)} rule sets", file=sys.stderr)

    any_rules()
    said = {"games": games, "rule_sets": len(found), "seats": dict(sorted(sat.items()))}
    print(json.dumps({**said, "faults": 0, "seconds": round(time.monotonic() - began)}))


if __name__ == "__main__":
    main()
