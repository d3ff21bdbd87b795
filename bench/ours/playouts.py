"""Whole random deals inside our engine.

usage: playouts.py SECONDS SEED CASES, CASES a JSON list of [rules, seats]. Prints one JSON line:
the form of the engine, and for each case deals, actions and CPU seconds.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from maumau import load_rules, playouts
from maumau.rules import compiled

LEAST_BATCH = 0.05


def measure(spec: Any, seats: int, seconds: float, seed: str) -> dict[str, float]:
    """Play for a while; batches are long enough that beginning one costs nothing."""
    rules = load_rules(spec)
    batch, deals, actions, spent, number = 20, 0, 0, 0.0, 0
    playouts(rules, seats, batch, seed)
    while spent < seconds:
        began = time.process_time()
        counts = playouts(rules, seats, batch, f"{seed}:{number}")
        took = time.process_time() - began
        if took < min(LEAST_BATCH, seconds):
            batch *= 2
        else:
            deals, actions, spent = deals + counts.deals, actions + counts.actions, spent + took
        number += 1
    return {"deals": deals, "actions": actions, "seconds": spent}


def main() -> None:
    """Measure every case."""
    seconds, seed, cases = float(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
    measured = [measure(spec, seats, seconds, seed) for spec, seats in cases]
    form = "compiled" if compiled() else "plain"
    first = measured[0] if len(measured) == 1 else {}
    print(json.dumps({"form": form, "cases": measured, **first}))


if __name__ == "__main__":
    main()
