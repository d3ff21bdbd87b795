"""Random deals of every preset, and what a deal costs as seats, pack and hands grow."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from typing import Any

from bench.groups import Bench, Group, Scale
from bench.results import Section, number
from bench.runs import NotMeasured, Rounds

PRESETS = (
    "champion",
    "gameduell",
    "gameduell-tournament",
    "crazy-eights",
    "gamerules",
    "mau-mau",
    "straffpoang",
)
NEAR = ("gameduell", "crazy-eights")
"""Presets that are to cost no more than three times `champion` a decision."""


def growing(**changed: Any) -> dict[str, Any]:
    """Give `mau-mau` with some keys changed."""
    return {"preset": "mau-mau", "overrides": changed}


GROWTH: dict[str, tuple[Any, int]] = {
    **{
        f"{seats} seats, 52 cards, hands of 5": (growing(players=[2, 8]), seats)
        for seats in (2, 3, 4, 6, 8)
    },
    **{
        f"2 seats, {4 * (15 - int(lowest))} cards, hands of 5": (
            growing(deck={"lowest": lowest}),
            2,
        )
        for lowest in ("7", "5")
    },
    **{
        f"2 seats, 52 cards, hands of {size}": (growing(players=[2, 2], hand_size=size), 2)
        for size in (3, 7, 10, 15)
    },
}


def measured(bench: Bench, section: Section, cases: Sequence[tuple[Any, int]]) -> Rounds:
    """Measure cases in both forms, taking turns."""
    seconds = bench.scale.seconds / 3
    given = json.dumps(cases)
    return bench.alternate(
        [
            ("compiled", lambda: bench.ours("compiled", "playouts", seconds, "bench", given)),
            ("plain", lambda: bench.ours("plain", "playouts", seconds, "bench", given)),
        ],
        section,
        rounds_of(bench.scale),
    )


def middle(rounds: Rounds, form: str, case: int, what: str, per: str) -> float:
    """Give the median of a case's quotient; raises NotMeasured."""
    if form not in rounds.values:
        raise NotMeasured(rounds.failures.get(form, f"{form} was not run"))
    cases = [run["cases"][case] for run in rounds.values[form]]
    return float(statistics.median(one[what] / one[per] for one in cases))


def shown(rounds: Rounds, form: str, case: int, what: str, per: str, scale: float = 1.0) -> str:
    """Write that, or a dash."""
    try:
        return number(scale * middle(rounds, form, case, what, per))
    except NotMeasured:
        return "–"


def presets(bench: Bench) -> Section:
    """Measure every preset at two seats."""
    section = Section(
        "Every preset",
        "Whole random deals between two seats.",
        (
            *("", "compiled: deals/s", "ns a decision"),
            *("plain: deals/s", "µs a decision", "decisions a deal"),
        ),
    )
    rounds = measured(bench, section, [(name, 2) for name in PRESETS])
    for case, name in enumerate(PRESETS):
        section.rows.append(
            (
                f"`{name}`",
                shown(rounds, "compiled", case, "deals", "seconds"),
                shown(rounds, "compiled", case, "seconds", "actions", 1e9),
                shown(rounds, "plain", case, "deals", "seconds"),
                shown(rounds, "plain", case, "seconds", "actions", 1e6),
                shown(rounds, "plain", case, "actions", "deals"),
            )
        )
    for name in NEAR:

        def by(name: str = name) -> float:
            case = PRESETS.index(name)
            costs = (middle(rounds, "compiled", k, "seconds", "actions") for k in (case, 0))
            return next(costs) / next(costs)

        section.bar(
            f"random deals, `{name}`, compiled: cost of a decision by `champion`'s",
            "≤ 3",
            by,
            lambda value: value <= 3,
        )
    return section


def growth(bench: Bench) -> Section:
    """Measure how a deal's cost grows."""
    section = Section(
        "As seats, pack and hands grow",
        "Whole random deals of `mau-mau` with one thing changed. A deal costs more because it is "
        "longer; what a decision costs stays much the same.",
        (
            *("", "decisions a deal", "compiled: µs a deal"),
            *("ns a decision", "plain: µs a deal", "µs a decision"),
        ),
    )
    rounds = measured(bench, section, list(GROWTH.values()))
    for case, name in enumerate(GROWTH):
        section.rows.append(
            (
                name,
                shown(rounds, "plain", case, "actions", "deals"),
                shown(rounds, "compiled", case, "seconds", "deals", 1e6),
                shown(rounds, "compiled", case, "seconds", "actions", 1e9),
                shown(rounds, "plain", case, "seconds", "deals", 1e6),
                shown(rounds, "plain", case, "seconds", "actions", 1e6),
            )
        )
    return section


def rounds_of(scale: Scale) -> int:
    """Give the number of rounds: each has many cases already."""
    return min(3, scale.rounds)


PRESETS_GROUP = Group("presets", ("compiled", "plain"), lambda scale: 2 * rounds_of(scale), presets)
GROWTH_GROUP = Group("growth", ("compiled", "plain"), lambda scale: 2 * rounds_of(scale), growth)
