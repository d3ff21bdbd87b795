"""A tournament in a real arena, end to end, with one worker and with two."""

from __future__ import annotations

import shutil
import statistics
import subprocess

from bench import arena
from bench.arena import Played
from bench.groups import Bench, Group, Scale
from bench.places import environment
from bench.results import Section, number, spread
from bench.runs import NotMeasured

WORKERS = (1, 2)
TIMEOUT = 180.0


def request(blocks: int) -> dict[str, object]:
    """Give the tournament that is played; its seed is set, so that all play the same."""
    return {
        "name": "bench",
        "entrants": ["easy", "medium"],
        "rules": "champion",
        "seats": 2,
        "blocks": blocks,
        "seed": "bench",
    }


def one(bench: Bench, python: str, workers: int, blocks: int) -> Played:
    """Start an arena, play a little to warm it, then the tournament."""
    var = bench.scratch / f"arena-{workers}"
    shutil.rmtree(var, ignore_errors=True)
    with arena.running(python, var, workers=workers) as running:
        running.play(request(max(8, blocks // 20)), TIMEOUT)
        return running.play(request(blocks), TIMEOUT)


def measure(bench: Bench) -> Section:
    """Measure tournaments with both numbers of workers in turns."""
    blocks = bench.scale.blocks
    section = Section(
        f"A tournament, end to end (engine {bench.best})",
        f"`easy` against `medium` under `champion`, {blocks:,} blocks of two legs, in a real arena "
        "(`maumau up`: API, queue server, database, workers, a process for each bot). The time is "
        "the arena's own, from the moment the tournament was created to its end, with its final "
        "standings. The queue's share is what workers did not spend inside jobs, by what they "
        "could have: waking, taking jobs, noting their end.",
        ("", "seconds (least–most)", "blocks/s", "games/s", "queue's share"),
    )
    played: dict[int, list[Played]] = {workers: [] for workers in WORKERS}
    try:
        python = bench.places.form(bench.best)
        _expect(bench, python)
        for number_of_round in range(bench.scale.arenas):
            for workers in WORKERS[:: -1 if number_of_round % 2 else 1]:
                try:
                    played[workers].append(one(bench, python, workers, blocks))
                except (NotMeasured, OSError, KeyError, ValueError) as error:
                    section.failures.append(f"{workers} workers: {error}")
                bench.done(f"tournament, workers: {workers}")
    except NotMeasured as error:
        section.failures.append(str(error))
    for workers, runs in played.items():
        if runs:
            rate = statistics.median(run.blocks / run.seconds for run in runs)
            section.rows.append(
                (
                    f"{workers} worker{'s' * (workers > 1)}",
                    spread([run.seconds for run in runs]),
                    number(rate),
                    number(2 * rate),
                    f"{queue_share(runs, workers):.1%}",
                )
            )
    if len({run.rows for runs in played.values() for run in runs}) > 1:
        section.failures.append("the standings differ between runs: they must not")
    _bars(section, played)
    return section


def queue_share(runs: list[Played], workers: int) -> float:
    """Give the median part of the workers' time that was not spent in jobs."""
    if not runs:
        raise NotMeasured(f"no tournament with {workers} workers was measured")
    return statistics.median(max(0.0, 1 - run.in_jobs / (workers * run.seconds)) for run in runs)


def _bars(section: Section, played: dict[int, list[Played]]) -> None:
    def speed_up() -> float:
        if not all(played.values()):
            raise NotMeasured("no tournament was measured")
        one, two = (statistics.median(run.seconds for run in played[k]) for k in WORKERS)
        return one / two

    section.bar(
        "queue's share of a tournament's time, one worker",
        "≤ 5 %",
        lambda: queue_share(played[1], 1),
        lambda value: value <= 0.05,
        "{:.1%}",
    )
    section.bar(
        "end to end, `easy` against `medium`, two workers by one",
        "≥ 1.7",
        speed_up,
        lambda value: value >= 1.7,
    )


def _expect(bench: Bench, python: str) -> None:
    """See that the arena's processes run the engine in the right form: they run this Python."""
    told = subprocess.run(
        [python, "-P", "-m", "maumau.cli", "--version"],
        cwd=bench.scratch,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    ).stdout
    form = {"compiled": "compiled", "plain": "pure Python"}[bench.best]
    if f"engine: {form}" not in told:
        raise NotMeasured(f"the arena would not run {bench.best}: {told.strip()!r}")


def steps(scale: Scale) -> int:
    """Count the tournaments."""
    return len(WORKERS) * scale.arenas


GROUP = Group("tournament", ("compiled",), steps, measure)
