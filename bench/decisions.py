"""Decisions a second of plain Python bots with full observations, beside a fixed yardstick.

    python bench/decisions.py [SECONDS]

Each bot touches its hand, the events and its legal actions at every decision. The yardstick is a
fixed pure-Python loop, timed in the same run: the ratio compares machines and moments.
"""

from __future__ import annotations

import sys
import time
from random import Random

from maumau import Deal, Observation, load_rules

PRESETS = ["champion", "mau-mau", "straffpoang", "gameduell", "gamerules", "crazy-eights"]


def choose(obs: Observation, rng: Random) -> str:
    hand, events, legal = obs.hand, obs.events, obs.legal_actions
    assert hand is not None
    assert events is not None
    return rng.choice([a for a in legal if a not in ("draw", "pass")] or legal)


def measure(name: str, seats: int, seconds: float) -> tuple[float, int]:
    """Play deals for some time; give decisions a second and deals."""
    rules, rng = load_rules(name), Random(1)
    decisions = deals = 0
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        deal = Deal(rules, seats, deals % seats, "bench", deals)
        while not deal.over:
            deal.apply(choose(deal.observation(deal.seat), rng))
            decisions += 1
        deals += 1
    return decisions / (time.perf_counter() - began), deals


def yardstick() -> float:
    """Million rounds a second of a fixed loop of additions, look-ups and calls."""
    table = list(range(64))
    total = 0
    began = time.perf_counter()
    for k in range(1_000_000):
        total += table[k & 63] + abs(k)
    return 1 / (time.perf_counter() - began)


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    unit = yardstick()
    print(f"yardstick: {unit:.2f} million rounds a second")
    for name in PRESETS:
        for seats in (2, 4) if name != "champion" else (2,):
            rate, deals = measure(name, seats, seconds)
            ratio = rate / unit / 1000
            shown = f"{rate:10,.0f} decisions/s, {ratio:.1f} ‰ of the yardstick"
            print(f"{name:14} {seats} seats {shown} ({deals} deals)")


if __name__ == "__main__":
    main()
