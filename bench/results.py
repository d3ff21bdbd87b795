"""What a group of measurements comes to: rows, bars, a chart. Plain values for the report."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bench.runs import NotMeasured


@dataclass(frozen=True, slots=True)
class Bar:
    """Something that is asked for, and whether it is so; `why` instead of a value if not known."""

    what: str
    asked: str
    value: str
    met: bool | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """One bar of a chart."""

    label: str
    value: float
    ours: bool


@dataclass(frozen=True, slots=True)
class Chart:
    """Rates side by side, on a logarithmic scale."""

    title: str
    marks: tuple[Mark, ...]


@dataclass(slots=True)
class Section:
    """A group's part of the report."""

    title: str
    text: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    charts: list[Chart] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)

    def bar(
        self,
        what: str,
        asked: str,
        measured: Callable[[], float],
        met: Callable[[float], bool],
        form: str = "{:.2f}",
    ) -> None:
        """Note a bar; `measured` may raise NotMeasured."""
        try:
            value = measured()
        except NotMeasured as error:
            self.bars.append(Bar(what, asked, "–", None, str(error)))
        else:
            self.bars.append(Bar(what, asked, form.format(value), met(value)))


def number(value: float) -> str:
    """Write a rate or a count with three significant digits at least."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def spread(values: Sequence[float]) -> str:
    """Write a median with the least and the largest."""
    if len(values) == 1:
        return number(values[0])
    return f"{number(statistics.median(values))} ({number(min(values))}–{number(max(values))})"
