"""Python bots with full observations: in one process, and caged in lockstep."""

from __future__ import annotations

import statistics
from functools import partial

from bench.groups import Bench, Group, Scale
from bench.results import Chart, Mark, Section, number, spread
from bench.runs import Contestant, NotMeasured, Values, ratio

STRINGS = "OpenSpiel, loop with observation strings"
CASES = {
    "ours, compiled, `champion`": ("compiled", "champion", ""),
    "… reading every event besides": ("compiled", "champion", "events"),
    "ours, compiled, `crazy-eights`": ("compiled", "crazy-eights", ""),
    "ours, plain Python, `champion`": ("plain", "champion", ""),
}
FIRST, EVENTS = list(CASES)[:2]
CAGED_PRESETS = ("champion", "gameduell")
ENOUGH = 250_000
"""Caged decisions a second a core that are enough whatever the rest."""


def observing(bench: Bench) -> Section:
    """Measure bots in process beside OpenSpiel's loop."""
    seconds = bench.scale.seconds
    section = Section(
        "Python bots that see everything, in one process",
        "At each decision a bot is given its observation and takes a legal action by chance. It "
        "reads what OpenSpiel's observation string tells of `crazy_eights`: hand, top card, suit "
        "to follow, everybody's number of cards. In a second row it reads every event of the deal "
        "besides, which that string does not have.",
        ("", "decisions/s (least–most)", "deals/s"),
    )

    def ours(form: str, preset: str, more: str) -> Contestant:
        return bench.ours(form, "observing", seconds, "bench", preset, 2, more)

    rounds = bench.alternate(
        [
            *((name, partial(ours, *case)) for name, case in CASES.items()),
            (STRINGS, lambda: bench.peer(STRINGS, "openspiel_peer", "strings", seconds, 1)),
        ],
        section,
        bench.scale.rounds,
    )
    marks = []
    for name in (*CASES, STRINGS):
        if name in rounds.values:
            rates = rounds.rates(name, "actions")
            deals = number(statistics.median(rounds.rates(name, "deals")))
            section.rows.append((name, spread(rates), deals))
            label = name.replace("`", "").replace("…", "the same,")
            marks.append(Mark(label, statistics.median(rates), name != STRINGS))
    section.charts.append(Chart("Decisions a second of Python bots, in process", tuple(marks)))
    for name, what in (
        (FIRST, "Python bots in process, `champion`, by OpenSpiel's loop with strings"),
        (EVENTS, "… reading every event of the deal besides"),
    ):

        def by(name: str = name) -> float:
            return ratio(rounds.rates(name, "actions"), rounds.rates(STRINGS, "actions"))

        section.bar(what, "≥ 3", by, lambda value: value >= 3, "{:.1f}")
    return section


def lockstep(bench: Bench) -> Section:
    """Measure caged bots beside the same bots without processes."""
    games = bench.scale.games
    section = Section(
        f"Caged bots, {games} games in lockstep (engine {bench.best})",
        f"A leg of {games} games between two uploaded bots of a few lines, each in a locked-down "
        "process of its own, all on one core. Decisions that were asked, by the CPU time of all "
        "processes together; forced actions (1 to 2 for each decision) are played besides. "
        "“Inside”: the same games in the same lockstep, bots in the arena's own process. “One by "
        "one”: `maumau.play_game`. They take turns in one process.",
        (
            *("", "caged: decisions/s a core (least–most)", "… by the clock on the wall", "inside"),
            *("caged by inside", "one by one", "caged by that", "ms until a bot is ready"),
        ),
    )
    for preset in CAGED_PRESETS:
        try:
            repeats = 2 * bench.scale.rounds
            told = bench.run(bench.ours(bench.best, "lockstep", preset, games, repeats))
            if told["form"] != bench.best:
                raise NotMeasured(f"{told['form']} ran, not {bench.best}")
        except NotMeasured as error:
            told, why = {}, str(error)
            section.failures.append(f"`{preset}`: {why}")
        bench.done(f"caged bots, {preset}")
        if told:
            section.rows.append(
                (
                    f"`{preset}`",
                    spread(told["caged"]),
                    number(statistics.median(told["wall"])),
                    spread(told["inside"]),
                    f"{ratio(told['caged'], told['inside']):.2f}",
                    spread(told["loop"]),
                    f"{ratio(told['caged'], told['loop']):.2f}",
                    number(told["start_ms"]),
                )
            )

        _bars(section, preset, told, "" if told else why)
    return section


def _bars(section: Section, preset: str, told: Values, why: str) -> None:
    """Note how caged bots do beside the same games without cages, in both ways."""
    rate = statistics.median(told["caged"]) if told else 0.0
    for beside, what in (
        ("inside", f"caged Python bots in lockstep, `{preset}`, a core, by the lockstep inside"),
        ("loop", "… by the same games in process one by one"),
    ):

        def by(beside: str = beside) -> float:
            if not told:
                raise NotMeasured(why)
            return ratio(told["caged"], told[beside])

        section.bar(
            what,
            "≥ 0.5, or 250,000 decisions/s",
            by,
            lambda value: value >= 0.5 or rate >= ENOUGH,
        )


def observing_steps(scale: Scale) -> int:
    """Count the runs."""
    return (len(CASES) + 1) * scale.rounds


OBSERVING = Group("bots", ("compiled", "plain", "peers"), observing_steps, observing)
LOCKSTEP = Group("lockstep", ("compiled",), lambda _: len(CAGED_PRESETS), lockstep)
