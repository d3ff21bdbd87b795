"""RLCard's UNO beside ours: random agents, a Python loop.

usage: rlcard_peer.py SECONDS SEED. Prints one JSON line.
"""

from __future__ import annotations

import json
import random
import sys
import time
from importlib.metadata import version

import rlcard


def main() -> None:
    """Play for a while and print what was done."""
    seconds, seed = float(sys.argv[1]), int(sys.argv[2])
    env = rlcard.make("uno", config={"seed": seed})
    rng = random.Random(seed)
    deals = decisions = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            decisions += 1
        deals += 1
    print(
        json.dumps(
            {
                "deals": deals,
                "actions": decisions,
                "seconds": time.process_time() - began,
                "version": version("rlcard"),
            }
        )
    )


if __name__ == "__main__":
    main()
