"""`./run bench`: measure everything beside its peers and write docs/speed.md and docs/speed.svg."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bench import chart, report
from bench.groups import FULL, QUICK, Bench, Group, bots, deals, leaderboard, presets, tournament
from bench.places import ROOT, Places
from bench.results import Section
from bench.runs import NotMeasured

GROUPS: tuple[Group, ...] = (
    deals.GROUP,
    presets.PRESETS_GROUP,
    presets.GROWTH_GROUP,
    bots.OBSERVING,
    bots.LOCKSTEP,
    tournament.GROUP,
    leaderboard.GROUP,
)


LEFT_OUT = "left out, as was asked"


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="./run bench", description=__doc__)
    names = [group.name for group in GROUPS]
    parser.add_argument("--quick", action="store_true", help="a smoke test of seconds")
    parser.add_argument("--only", nargs="+", choices=names, metavar="NAME", help=", ".join(names))
    parser.add_argument(
        "--no-peers", action="store_true", help="leave out what is installed from elsewhere"
    )
    parser.add_argument("--no-compile", action="store_true", help="leave out what needs a compiler")
    parser.add_argument(
        "--out",
        type=Path,
        help="directory for speed.md and speed.svg; docs after a whole run, else .bench",
    )
    return parser.parse_args(given)


def build(places: Places, chosen: Sequence[Group], tell: Callable[[str], None]) -> None:
    """Build everything first, so that nothing is built between measurements."""
    for what in dict.fromkeys(need for group in chosen for need in group.needs):
        tell(f"building: {what}")
        try:
            places.build(what)
        except NotMeasured as error:
            # Said again by each measurement that lacks it.
            tell(f"{what}: {error}")


def measured(bench: Bench, group: Group) -> Section:
    """Measure a group; one that fails as a whole leaves the others working."""
    try:
        return group.measure(bench)
    except Exception as error:
        return Section(group.name, "", (), failures=[f"{type(error).__name__}: {error}"])


def main(given: Sequence[str]) -> int:
    """Measure and write; the exit status is 1 where something could not be measured."""
    asked = arguments(given)
    scale = QUICK if asked.quick else FULL
    chosen = [group for group in GROUPS if not asked.only or group.name in asked.only]
    whole = not (asked.quick or asked.no_peers or asked.no_compile) and len(chosen) == len(GROUPS)
    places = Places(ROOT / ".bench")
    if asked.no_peers:
        places.failed["peers"] = LEFT_OUT
    if asked.no_compile:
        places.failed.update(dict.fromkeys(("compiled", "limit"), LEFT_OUT))
    best = "plain" if asked.no_compile else "compiled"
    out = asked.out or (ROOT / "docs" if whole else places.directory)
    out.mkdir(parents=True, exist_ok=True)
    load, when, began = os.getloadavg()[0], datetime.now(UTC), time.monotonic()
    console = Console(stderr=True)
    sections: list[tuple[str, Section]] = []
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
    ) as progress:
        total = sum(group.steps(scale) for group in chosen)
        task = progress.add_task("building", total=total)
        build(places, chosen, lambda text: progress.update(task, description=text[:60]))
        for group in chosen:
            target = sum(g.steps(scale) for g in chosen[: chosen.index(group) + 1])
            progress.update(task, description=f"{group.name} …")
            bench = Bench(
                places,
                scale,
                lambda what: progress.update(task, description=what[:60], advance=1),
                best,
            )
            sections.append((group.name, measured(bench, group)))
            progress.update(task, completed=target)
    circumstances = report.Circumstances(when, time.monotonic() - began, load, asked.quick)
    svg = chart.draw([one for _, section in sections for one in section.charts])
    page = report.write(sections, circumstances, "speed.svg")
    (out / "speed.md").write_text(page, encoding="utf-8")
    (out / "speed.svg").write_text(svg, encoding="utf-8")
    print(page)
    print(f"{out / 'speed.md'} and {out / 'speed.svg'} written", file=sys.stderr)
    return int(any(LEFT_OUT not in one for _, section in sections for one in section.failures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
