"""Caged bots in lockstep, beside the same bots in the arena's own process.

usage: lockstep.py PRESET GAMES REPEATS. Prints one JSON line.

A leg of GAMES games by two bots that look at hand and legal actions. `caged` and `inside` are
decisions a second of CPU, of all processes together, on one core; they take turns. `inside` plays
the same games in the same lockstep without processes, `loop` by `maumau.play_game`. Only asked
decisions count: forced actions are played besides. `start_ms` is one bot's, until it is ready.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from maumau import Bot, play_game
from maumau.arena import sandbox
from maumau.arena.clock import SystemClock
from maumau.arena.launch import Launcher, source_of
from maumau.arena.leg import GamePlan, Table, play_games
from maumau.arena.limits import Limits
from maumau.arena.seats import LocalSeat, ProcessSeat, Seat, think
from maumau.bots.source import BotSource
from maumau.rules import compiled
from maumau.rules.observation import Observation
from maumau.rules.ruleset import RuleSet, load_rules

CODE = """
from maumau import Bot, hookimpl
class Quick(Bot):
    name = "quick"
    def act(self, obs):
        hand, legal = obs.hand, obs.legal_actions
        return self.info.rng.choice(legal)
@hookimpl
def maumau_bots():
    return [Quick]
"""
CLOCK = SystemClock()


class Quick(Bot):
    """The same bot, for this process."""

    name = "quick"

    def act(self, obs: Observation) -> str:
        """Look at hand and legal actions, and take one of these."""
        hand, legal = obs.hand, obs.legal_actions
        assert hand is not None
        return self.info.rng.choice(legal)


def nothing() -> None:
    """Nobody waits for a sign of life."""


def lockstep(rules: RuleSet, seats: list[Seat], games: int) -> int:
    """Play games in lockstep and give the decisions that were asked."""
    plans = [GamePlan(key, f"bench {key}", (0, 1)) for key in range(games)]
    played = [Table(plan, rules, ["a", "b"], [seat.wants for seat in seats]) for plan in plans]
    attempt = play_games(played, seats, CLOCK, nothing)
    assert len(attempt.over) == games
    return sum(table.decisions for table in attempt.over)


def caged(rules: RuleSet, source: BotSource, games: int) -> tuple[int, float, float]:
    """Play in cages; give decisions, CPU seconds of all processes, wall seconds."""
    with Launcher(Limits(), CLOCK, "sandbox", games=games) as launcher:
        seats: list[ProcessSeat] = [launcher.start(source, rules) for _ in range(2)]
        think(seats, CLOCK, nothing)
        watches = [CLOCK.process(seat.process.pid) for seat in seats]
        wall, cpu = time.perf_counter(), time.process_time_ns() + sum(w.cpu() for w in watches)
        decisions = lockstep(rules, list(seats), games)
        cpu = time.process_time_ns() + sum(w.cpu() for w in watches) - cpu
        wall = time.perf_counter() - wall
        for seat in seats:
            seat.close()
    return decisions, cpu / 1e9, wall


def inside(rules: RuleSet, games: int) -> tuple[int, float]:
    """Play in this process; give decisions and CPU seconds."""
    began = time.process_time()
    decisions = lockstep(rules, [LocalSeat(Quick, rules), LocalSeat(Quick, rules)], games)
    return decisions, time.process_time() - began


def loop(rules: RuleSet, games: int) -> float:
    """Play the same games one by one; give CPU seconds."""
    began = time.process_time()
    for key in range(games):
        play_game(rules, [Quick, Quick], f"bench {key}")
    return time.process_time() - began


def start_ms(rules: RuleSet, source: BotSource) -> float:
    """Give the milliseconds in which one caged bot is ready."""
    with Launcher(Limits(), CLOCK, "sandbox") as launcher:
        began = time.perf_counter()
        seat = launcher.start(source, rules)
        think([seat], CLOCK, nothing)
        took = time.perf_counter() - began
        assert seat.failure is None
        seat.close()
    return took * 1000


def main() -> None:
    """Measure in turns and print the rates."""
    rules, games, repeats = load_rules(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    # One core for the arena and its bots: what one worker has.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    state = sandbox.status()
    if not state.ok:
        sys.exit(state.reason)
    rates: dict[str, list[float]] = {"caged": [], "wall": [], "inside": [], "loop": []}
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "quick.py")
        path.write_text(CODE)
        source = source_of(path, "quick")
        caged(rules, source, games)
        for _ in range(repeats):
            decisions, cpu, wall = caged(rules, source, games)
            rates["caged"].append(decisions / cpu)
            rates["wall"].append(decisions / wall)
            decisions, cpu = inside(rules, games)
            rates["inside"].append(decisions / cpu)
            rates["loop"].append(decisions / loop(rules, games))
        start = statistics.median(start_ms(rules, source) for _ in range(4 * repeats))
    form = "compiled" if compiled() else "plain"
    print(json.dumps({"form": form, "start_ms": start, **rates}))


if __name__ == "__main__":
    main()
