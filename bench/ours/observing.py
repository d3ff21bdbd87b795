"""Python bots with full observations, in one process and without any arena.

usage: observing.py SECONDS SEED PRESET SEATS [events]. Prints one JSON line: the form of the
engine, deals, decisions, CPU seconds. A bot is asked at every decision, forced or not. It reads its
hand, top card, wish, what is owed, all hand counts and its legal actions, and takes one of these by
chance; with `events` it reads every event of the deal besides.
"""

from __future__ import annotations

import json
import sys
import time
from random import Random

from maumau import Deal, Observation, load_rules
from maumau.rules import compiled


def choose(obs: Observation, rng: Random) -> str:
    """Look at the position and decide."""
    seen = (obs.hand, obs.top_card, obs.wish, obs.owed, obs.hand_counts)
    assert seen
    return rng.choice(obs.legal_actions)


def choose_with_events(obs: Observation, rng: Random) -> str:
    """Look at the position and at all that has happened, and decide."""
    seen = (obs.hand, obs.top_card, obs.wish, obs.owed, obs.hand_counts, obs.events)
    assert seen
    return rng.choice(obs.legal_actions)


def main() -> None:
    """Play for a while and print what was done."""
    seconds, seed = float(sys.argv[1]), sys.argv[2]
    rules, seats = load_rules(sys.argv[3]), int(sys.argv[4])
    decide = choose_with_events if "events" in sys.argv[5:] else choose
    rng = Random(seed)
    deals = decisions = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        deal = Deal(rules, seats=seats, leader=deals % seats, seed=seed, number=deals)
        while not deal.over:
            deal.apply(decide(deal.observation(deal.seat), rng))
            decisions += 1
        deals += 1
    spent = time.process_time() - began
    form = "compiled" if compiled() else "plain"
    print(json.dumps({"form": form, "deals": deals, "actions": decisions, "seconds": spent}))


if __name__ == "__main__":
    main()
