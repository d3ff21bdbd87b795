"""The report as Markdown: what is asked for, what was measured, and how."""

from __future__ import annotations

import os
import platform
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bench.results import Section

HOW = """Everything here is written by `./run bench`, which builds what is missing (our engine in
both forms, the peers at pinned versions, the C program) and measures all of it on one machine in
one run. Contestants take turns, a process each, every second round in the opposite order, so that
whatever else the machine does falls on all alike; a figure is the median of the rounds, a ratio the
median of the ratios within a round. Single processes are timed by their own CPU time, whole arenas
and the service by the clock on the wall. Which form of our engine ran is asked of the process
itself, and a run in the wrong form counts as failed. `./run bench --quick` is a smoke test,
`./run bench --only NAME …` measures some groups; neither replaces this page."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """On what, when and for how long it was measured."""

    when: datetime
    seconds: float
    load: float
    """The system's load average before it began."""
    quick: bool

    def lines(self, versions: Mapping[str, str]) -> list[str]:
        """Write them."""
        peers = ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))
        return [
            f"Measured on {self.when:%Y-%m-%d %H:%M} UTC in {self.seconds / 60:.1f} minutes, "
            f"load average before it {self.load:.2f}: {cpu_name()}, "
            f"{len(os.sched_getaffinity(0))} cores, {platform.system()} {platform.release()}, "
            f"Python {platform.python_version()}, maumau {own_version()}"
            + (f"; {peers}." if peers else "."),
        ] + (["", "**A quick run: a smoke test, its figures mean nothing.**"] if self.quick else [])


def write(sections: Sequence[tuple[str, Section]], circumstances: Circumstances, chart: str) -> str:
    """Write the page; `chart` is the file name of the SVG."""
    versions: dict[str, str] = {}
    for _, section in sections:
        versions |= section.versions
    parts = ["# How fast it is", "", *circumstances.lines(versions), "", HOW, ""]
    parts += ["## What is asked for", "", *_bars(sections), ""]
    parts += [f"![Rates beside those of peers]({chart})", ""]
    for name, section in sections:
        parts += [f"## {section.title}", "", " ".join(section.text.split()), ""]
        if section.rows:
            parts += [*table(section.columns, section.rows), ""]
        parts += [f"- *Not measured:* {escaped(failure)}" for failure in section.failures]
        parts += [""] * bool(section.failures) + [f"(`./run bench --only {name}`)", ""]
    return "\n".join(parts).rstrip() + "\n"


def _bars(sections: Sequence[tuple[str, Section]]) -> list[str]:
    words = {True: "yes", False: "**no**", None: "not measured"}
    rows = []
    for _, section in sections:
        for bar in section.bars:
            met = words[bar.met] + (f": {escaped(bar.why)}" if bar.why else "")
            rows.append((bar.what, bar.asked, bar.value, met))
    return table(("what", "asked", "measured", "met"), rows)


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Write a table, numbers to the right."""
    return [
        f"| {' | '.join(columns)} |",
        "|" + "|".join(["---", *["---:"] * (len(columns) - 1)]) + "|",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]


def escaped(text: str) -> str:
    """Make a message harmless in a table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def cpu_name() -> str:
    """Give the processor's name as the kernel tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def own_version() -> str:
    """Give the version in this checkout."""
    text = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    return str(tomllib.loads(text)["project"]["version"])
