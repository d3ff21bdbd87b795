"""The leaderboard in the service, as the legs behind it grow."""

from __future__ import annotations

import shutil
import statistics
from functools import partial

from bench.groups import Bench, Group, Scale
from bench.results import Section, number
from bench.runs import Contestant, NotMeasured

MOST_MS = 20.0
FLAT = 1.5


def measure(bench: Bench) -> Section:
    """Fill databases, then ask each in turns."""
    scale = bench.scale
    section = Section(
        "The leaderboard as legs grow",
        "20 versions under `champion`, in three tournaments of rising size (SQLite). Milliseconds "
        "inside the service, from the call to the last byte: median (95th percentile).",
        ("legs", "page, ms", "JSON, ms"),
    )
    directory = bench.scratch / "leaderboard"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    times: dict[int, float] = {}
    largest = scale.legs[-1]
    try:
        filled = bench.run(bench.ours(bench.best, "leaderboard_fill", directory, *scale.legs))
        bench.done("legs for the leaderboard")

        def ask(size: int) -> Contestant:
            database = directory / f"{size}.sqlite"
            return bench.ours(bench.best, "leaderboard_ask", database, scale.requests)

        wanted = [(str(size), partial(ask, size)) for size in scale.legs]
        rounds = bench.alternate(wanted, section, rounds_of(scale))
        for size in scale.legs:
            if runs := rounds.values.get(str(size)):
                middle = {key: statistics.median(run[key] for run in runs) for key in KEYS}
                times[size] = max(middle["page"], middle["json"])
                section.rows.append(
                    (
                        f"{filled['legs'][str(size)]:,}",
                        f"{number(middle['page'])} ({number(middle['page_95'])})",
                        f"{number(middle['json'])} ({number(middle['json_95'])})",
                    )
                )
        section.text += (
            f" Keeping the board at the end of a tournament took {filled['keeping_s']:.1f} s of a "
            f"worker's time with {largest:,} legs behind it."
        )
    except NotMeasured as error:
        section.failures.append(str(error))
    finally:
        shutil.rmtree(directory, ignore_errors=True)

    def slowest() -> float:
        if largest not in times:
            raise NotMeasured("it was not measured")
        return times[largest]

    def growth() -> float:
        return slowest() / min(times.values())

    section.bar(
        f"leaderboard at {largest:,} legs, in the service",
        f"≤ {MOST_MS:.0f} ms",
        slowest,
        lambda value: value <= MOST_MS,
        "{:.1f} ms",
    )
    section.bar(
        f"… by the same at {scale.legs[0]:,} legs or fewer: flat",
        f"≤ {FLAT}",
        growth,
        lambda value: value <= FLAT,
    )
    return section


KEYS = ("page", "page_95", "json", "json_95")


def rounds_of(scale: Scale) -> int:
    """Give the number of rounds: each asks many times."""
    return min(3, scale.rounds)


def steps(scale: Scale) -> int:
    """Count the filling and the asking."""
    return 1 + len(scale.legs) * rounds_of(scale)


GROUP = Group("leaderboard", ("compiled",), steps, measure)
