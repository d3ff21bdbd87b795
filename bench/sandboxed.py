"""Asked decisions a second of caged bots in lockstep, beside the same bots in this process.

    python bench/sandboxed.py [GAMES] [REPEATS]

A leg of GAMES (64) games by two bots that touch hand and legal actions. "a core" divides by the
CPU of the arena and both bot processes together, so that other load does not count; "in process"
plays the same games in the same lockstep without processes, "plain loop" by `maumau.play_game`.
Start times are those of one bot, from the order to its being ready.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from maumau import Bot, play_game
from maumau.arena import sandbox
from maumau.arena.clock import SystemClock
from maumau.arena.launch import Launcher, source_of
from maumau.arena.leg import GamePlan, Table, play_games
from maumau.arena.limits import Limits
from maumau.arena.seats import LocalSeat, ProcessSeat, Seat, think
from maumau.bots.source import BotSource
from maumau.rules import tables
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
PRESETS = ["champion", "gameduell"]
CLOCK = SystemClock()


class Quick(Bot):
    name = "quick"

    def act(self, obs: Observation) -> str:
        hand, legal = obs.hand, obs.legal_actions
        assert hand
        return self.info.rng.choice(legal)


def nothing() -> None:
    pass


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


def in_process(rules: RuleSet, games: int) -> tuple[int, float]:
    """Play in this process; give decisions and CPU seconds."""
    began = time.process_time()
    decisions = lockstep(rules, [LocalSeat(Quick, rules), LocalSeat(Quick, rules)], games)
    return decisions, time.process_time() - began


def plain_loop(rules: RuleSet, games: int) -> float:
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


def median(measure: Callable[[], float], repeats: int) -> float:
    return statistics.median(measure() for _ in range(repeats))


def main() -> None:
    # One core for the arena and its bots: "a core" is then what one worker has.
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 64
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    state = sandbox.status()
    if not state.ok:
        sys.exit(state.reason)
    form = "pure Python" if str(tables.__file__).endswith(".py") else "compiled"
    print(f"engine: {form}; {games} games, medians of {repeats}")
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "quick.py")
        path.write_text(CODE)
        source = source_of(path, "quick")
        for name in PRESETS:
            rules = load_rules(name)
            caged(rules, source, games)
            runs = [caged(rules, source, games) for _ in range(repeats)]
            rate = statistics.median(decisions / cpu for decisions, cpu, _ in runs)
            wall = statistics.median(decisions / wall for decisions, _, wall in runs)
            near = [in_process(rules, games) for _ in range(repeats)]
            local = statistics.median(decisions / cpu for decisions, cpu in near)
            loop = near[0][0] / median(lambda rules=rules: plain_loop(rules, games), repeats)
            print(
                f"{name:12} caged {rate:8.0f} decisions/s a core ({wall:.0f}/s on the wall), "
                f"in process {local:8.0f}, ratio {rate / local:.2f}; plain loop {loop:.0f}"
            )
        print(f"start: {median(lambda: start_ms(rules, source), 4 * repeats):.1f} ms a bot")


if __name__ == "__main__":
    main()
