"""The groups of measurements; each gives a section of the report and fails alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.places import HERE, Places, environment
from bench.results import Section
from bench.runs import Contestant, NotMeasured, Rounds, Values, alternate, run

RUN_SECONDS = 240.0
"""No single measurement may take longer."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured: rounds, seconds of each run, games, blocks, legs."""

    rounds: int
    seconds: float
    games: int
    blocks: int
    arenas: int
    """Rounds of whole tournaments."""
    legs: tuple[int, ...]
    requests: int


FULL = Scale(5, 1.0, 64, 1600, 3, (1_000, 10_000, 100_000), 60)
QUICK = Scale(1, 0.05, 8, 16, 1, (400, 800), 3)


@dataclass(frozen=True, slots=True)
class Bench:
    """What a group works with: places, scale, and whom to tell of each step."""

    places: Places
    scale: Scale
    done: Callable[[str], None]
    best: str = "compiled"
    """The form of our engine where only one is measured; `plain` if nothing is to be compiled."""

    @property
    def scratch(self) -> Path:
        """A directory for what a measurement leaves."""
        path = self.places.directory / "scratch"
        path.mkdir(parents=True, exist_ok=True)
        return path

    def ours(self, form: str, script: str, *arguments: object) -> Contestant:
        """Give our engine in a form, running a script of `bench/ours`."""
        path = str(HERE / "ours" / f"{script}.py")
        command = (self.places.form(form), "-P", path, *map(str, arguments))
        return Contestant(form, command, form)

    def peer(self, name: str, script: str, *arguments: object) -> Contestant:
        """Give a peer, running a script of `bench/peers`."""
        path = str(HERE / "peers" / f"{script}.py")
        return Contestant(name, (self.places.peers(), path, *map(str, arguments)))

    def run(self, contestant: Contestant) -> Values:
        """Run one measurement."""
        return run(contestant.command, timeout=RUN_SECONDS, cwd=self.scratch, env=environment())

    def alternate(
        self, wanted: Sequence[tuple[str, Callable[[], Contestant]]], section: Section, rounds: int
    ) -> Rounds:
        """Let contestants take turns; those that cannot even be built fail alone too."""
        contestants, failures = [], {}
        for name, make in wanted:
            try:
                made = make()
                contestants.append(Contestant(name, made.command, made.form))
            except NotMeasured as error:
                failures[name] = str(error)
                for _ in range(rounds):
                    self.done(name)
        measured = alternate(contestants, rounds, self.run, self.done)
        measured.failures |= failures
        section.failures += [f"{name}: {why}" for name, why in measured.failures.items()]
        return measured


@dataclass(frozen=True, slots=True)
class Group:
    """A group by its name: what it needs built, how many steps it tells of, how it is measured."""

    name: str
    needs: tuple[str, ...]
    steps: Callable[[Scale], int]
    measure: Callable[[Bench], Section]
