"""OpenSpiel's crazy_eights beside ours: a Python loop, the same with observation strings, C++ bots.

usage: openspiel_peer.py WHAT SECONDS SEED, WHAT one of loop, strings, bots. Prints one JSON line.
"""

from __future__ import annotations

import json
import random
import sys
import time
from importlib.metadata import version

import pyspiel

GAME = "crazy_eights(players=2,use_special_cards=True)"


def one_deal(game: pyspiel.Game, rng: random.Random, *, strings: bool) -> int:
    """Play one random deal; returns the number of decisions."""
    state = game.new_initial_state()
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(actions, weights)[0])
            continue
        if strings:
            state.observation_string(state.current_player())
        state.apply_action(rng.choice(state.legal_actions()))
        decisions += 1
    return decisions


def bots_deal(game: pyspiel.Game, bots: list[pyspiel.Bot], seed: int) -> int:
    """Play one deal between C++ random bots; its decisions are not told."""
    pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
    return 0


def main() -> None:
    """Play for a while and print what was done."""
    what, seconds, seed = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    game = pyspiel.load_game(GAME)
    rng = random.Random(seed)
    bots = [pyspiel.make_uniform_random_bot(seat, seed + seat) for seat in range(2)]
    deals = decisions = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        if what == "bots":
            decisions += bots_deal(game, bots, rng.getrandbits(30))
        else:
            decisions += one_deal(game, rng, strings=what == "strings")
        deals += 1
    spent = time.process_time() - began
    print(
        json.dumps(
            {
                "deals": deals,
                "actions": decisions or None,
                "seconds": spent,
                "version": version("open_spiel"),
            }
        )
    )


if __name__ == "__main__":
    main()
