"""Run the corpus and say how each attack ended; also as a program, for another user.

Every attack plays one deal against an honest bot, in the cage, under tight limits.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from maumau.arena import sandbox
from maumau.arena.launch import source_of
from maumau.arena.limits import Limits
from maumau.arena.play import BlockJob, ChunkJob, ChunkResult, play_chunk
from maumau.arena.sandbox.syscalls import ALLOWED, JUDGED, KILLING, numbers
from maumau.bots.source import BotSource
from maumau.errors import Unavailable
from maumau.rules.ruleset import load_rules
from tests.attacks.corpus import ATTACKS
from tests.attacks.corpus.attack import GOT_OUT, PLAYS, Attack
from tests.attacks.wheels import WHEELS, HostileWheel

SIDE_BY_SIDE = 2
TRIES = 5
LIMITS = Limits(
    decision_ms=150, game_ms=2_000, wall_ms=300, start_ms=600, memory_mb=64, log_bytes=4_000
)
HONEST = """
from maumau import Bot, hookimpl
class Honest(Bot):
    name = "honest"
    def act(self, obs):
        return self.info.rng.choice(obs.legal_actions)
@hookimpl
def maumau_bots():
    return [Honest]
"""


@dataclass(frozen=True)
class Outcome:
    """How an attack's game ended: PLAYS or the fault's kind; whose fault it was."""

    name: str
    end: str
    by_honest: bool
    detail: str
    log: str
    host_faults: int


class Arena:
    """A place to run attacks in: an honest bot, and a secret that any user may read."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self.secret = directory / "secret.txt"
        self.secret.write_text("the secret")
        self.secret.chmod(0o644)
        path = directory / "honest.py"
        path.write_text(HONEST)
        self.honest = source_of(path, "honest")
        listed = {
            n for t in (ALLOWED, JUDGED, KILLING) for n in numbers(t, platform.machine()).values()
        }
        # The kernel lets its own two calls for probes, 335 and 336, past every filter.
        self._candidates = sorted(set(range(470)) - listed - {335, 336})

    def write(self, attack: Attack) -> BotSource:
        """Write an attack's file."""
        code = attack.code(str(self.secret)).replace("@CANDIDATES@", repr(self._candidates))
        path = self._place() / "hostile.py"
        path.write_text(code)
        return source_of(path, "hostile")

    def _place(self) -> Path:
        """Give a folder for one file."""
        return Path(tempfile.mkdtemp(dir=self._directory))

    def run(self, attack: Attack) -> Outcome:
        """Play an attack against the honest bot."""
        return self.meet(attack.name, self.write(attack))

    def run_wheel(self, it: HostileWheel) -> Outcome:
        """Play a wheel's bot against the honest one, as if nobody had looked at the wheel."""
        path = self._place() / "hostile.whl"
        path.write_bytes(it.content)
        return self.meet(it.name, source_of(path, "hostile", entry=it.entry))

    def meet(self, name: str, hostile: BotSource) -> Outcome:
        """Play any bot against the honest one, and say what became of it.

        A host too busy to tell says so, and then it is tried again: only a bot that can make
        itself look like the host's victim comes to no other end.
        """
        result = self._judged(hostile)
        (leg,) = result.legs
        if leg.fault is None:
            return Outcome(name, PLAYS, False, "", "", result.host_faults)
        fault = leg.fault
        return Outcome(
            name, fault.kind, fault.seat == 1, fault.detail, fault.log, result.host_faults
        )

    def _judged(self, hostile: BotSource) -> ChunkResult:
        for attempt in range(TRIES):
            last = attempt == TRIES - 1
            try:
                result = self.play(hostile, self.honest)
            except Unavailable:
                if last:
                    raise
            else:
                if last or not result.host_faults:
                    return result
        raise AssertionError

    def play(self, *sources: BotSource, blocks: int = 1) -> ChunkResult:
        """Play single deals."""
        jobs = tuple(BlockJob(n, f"attack seed {n}", ((0, 1),)) for n in range(blocks))
        names = tuple(source.name for source in sources)
        return play_chunk(ChunkJob(load_rules("mau-mau"), sources, names, jobs, LIMITS))


def assert_ends(outcome: Outcome, ends: tuple[str, ...], detail: str = "") -> None:
    """Assert that an attack ended as it must, by its own fault, and with nothing got out."""
    assert GOT_OUT not in outcome.detail + outcome.log, outcome
    assert not outcome.by_honest, outcome
    assert outcome.end in ends, outcome
    assert detail in outcome.detail, outcome
    assert outcome.host_faults == 0, outcome
    assert outcome.detail.isprintable() or not outcome.detail
    assert len(outcome.log) <= LIMITS.log_bytes * 4


def run_all(directory: Path) -> list[Outcome]:
    """Run the whole corpus, bots and wheels, several at a time: many do nothing but sleep."""
    arena = Arena(directory)
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        bots = pool.map(arena.run, ATTACKS)
        wheels = pool.map(arena.run_wheel, WHEELS)
        return [*bots, *wheels]


def main() -> None:
    """Run it as whoever this is, and print who that is and what came of it."""
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o755)
        status = sandbox.status()
        outcomes = run_all(Path(directory)) if status.ok else []
    said = {"user": os.geteuid(), "reason": status.reason, "outcomes": list(map(asdict, outcomes))}
    json.dump(said, sys.stdout)


if __name__ == "__main__":
    main()
