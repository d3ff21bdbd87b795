"""Charts as SVG texts: the numbers of the standings for the eye, drawn without any library.

Names are shown as they are given, made harmless; colours follow the page (`currentColor`), so that
a chart can stand on light and dark ones alike. The same values give the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

from maumau.wording import counted

ROW = 24
LEFT = 170
PLOT = 420
RIGHT = 70
TOP = 34
NAME_LENGTH = 24

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d1f", "#888888")
"""Told apart by people who see colours differently (Okabe and Ito)."""


def share_chart(rows: Sequence[Mapping[str, Any]], names: Sequence[str], *, seats: int) -> str:
    """Draw each entrant's score share with its interval, in the order of the standings.

    `rows` are those of `Standings.to_dict()`, `names` by canonical index. The dashed line is what
    a table of equals would have.
    """
    scale = _Scale(
        [row[key] for row in rows for key in ("score_share", "low", "high")] + [1 / seats]
    )
    parts = _axis(scale, len(rows), [f"{tick:.0%}" for tick in scale.ticks])
    level = scale.x(1 / seats)
    parts.append(_line(level, TOP - 6, level, TOP + ROW * len(rows), 'stroke-dasharray="4 3"'))
    for number, row in enumerate(rows):
        y = TOP + ROW * number + ROW // 2
        parts.append(_text(LEFT - 10, y + 4, names[row["entrant"]], "end"))
        if row["score_share"] is None:
            parts.append(_text(LEFT + 6, y + 4, "–", "start"))
            continue
        if row["low"] is not None and row["high"] is not None:
            parts.append(_interval(scale, row["low"], row["high"], y))
        x = scale.x(row["score_share"])
        parts.append(f'<circle cx="{x}" cy="{y}" r="4.5" fill="{COLOURS[0]}"/>')
        parts.append(_text(LEFT + PLOT + 10, y + 4, f"{row['score_share']:.1%}", "start"))
    return _svg("Score share with 95 % intervals", LEFT + PLOT + RIGHT, len(rows), parts)


def crosstable_chart(
    cells: Sequence[Mapping[str, Any]], names: Sequence[str], order: Sequence[int]
) -> str:
    """Draw who did how well against whom: the row's part of what the two scored together.

    `cells` are those of `crosstable`, `order` the canonical indices as they are to be shown.
    """
    side = 44
    place = {entrant: k for k, entrant in enumerate(order)}
    parts = []
    for k, entrant in enumerate(order):
        parts.append(_text(LEFT - 10, TOP + side * k + side // 2 + 4, names[entrant], "end"))
        parts.append(_text(LEFT + side * k + side // 2, TOP - 10, str(k + 1), "middle"))
    for cell in cells:
        i, j = place[cell["entrant"]], place[cell["other"]]
        both = cell["share"] + cell["other_share"]
        part = cell["share"] / both if both else 0.5
        x, y = LEFT + side * j, TOP + side * i
        title = (
            f"{names[cell['entrant']]} – {names[cell['other']]}: {counted(cell['games'], 'game')}"
        )
        parts.append(
            f'<g><title>{_clean(title, 80)}</title><rect x="{x}" y="{y}" width="{side - 1}" '
            f'height="{side - 1}" fill="{_heat(part)}"/>'
            f'<text x="{x + side // 2}" y="{y + side // 2 + 4}" text-anchor="middle" '
            f'fill="#000">{part:.0%}</text></g>'
        )
    width = LEFT + side * len(order) + 10
    return _svg("Who beat whom", width, len(order), parts, row=side)


def rating_chart(
    blocks: Sequence[int],
    ratings: Sequence[Sequence[float | None]],
    names: Sequence[str],
    *,
    title: str = "Rating by blocks played",
) -> str:
    """Draw ratings against the number of blocks played.

    `ratings[k]` are those of all entrants (canonical order) after `blocks[k]` blocks.
    """
    height = max(10, len(names)) * ROW
    every = [value for row in ratings for value in row]
    scale = _Scale(every, size=height, round_to=50.0)
    across = _Scale([*blocks, 0], size=PLOT, round_to=1.0)
    parts = []
    for tick in scale.ticks:
        y = TOP + height - scale.place(tick)
        parts.append(_line(LEFT, y, LEFT + PLOT, y, 'stroke-opacity="0.15"'))
        parts.append(_text(LEFT - 10, y + 4, f"{tick:.0f}", "end"))
    for block in (blocks[0], blocks[-1]) if blocks else ():
        parts.append(_text(LEFT + across.place(block), TOP + height + 18, str(block), "middle"))
    last = ratings[-1] if ratings else [None] * len(names)
    ranked = sorted(range(len(names)), key=lambda i: -(last[i] or 0.0))
    for number, i in enumerate(ranked):
        points = " ".join(
            f"{LEFT + across.place(block)},{round(TOP + height - scale.place(value), 1)}"
            for block, row in zip(blocks, ratings, strict=True)
            if (value := row[i]) is not None
        )
        colour = COLOURS[number % len(COLOURS)]
        dash = ' stroke-dasharray="5 3"' if number // len(COLOURS) % 2 else ""
        y = TOP + ROW * number + ROW // 2
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>'
        )
        x = LEFT + PLOT + 14
        parts.append(
            f'<line x1="{x}" y1="{y}" x2="{x + 18}" y2="{y}" stroke="{colour}" '
            f'stroke-width="2"{dash}/>'
        )
        parts.append(_text(x + 24, y + 4, names[i], "start"))
    return _svg(title, 2 * LEFT + PLOT + RIGHT, 1, parts, row=height)


class _Scale:
    """An axis on which all values lie, with ends and ticks at round numbers."""

    def __init__(self, values: Sequence[float | None], *, size: int = PLOT, round_to: float = 0.05):
        known = [value for value in values if value is not None] or [0.0]
        self.low = (min(known) // round_to) * round_to
        self.high = -(-max(known) // round_to) * round_to
        if self.high <= self.low:
            self.high = self.low + round_to
        self.size = size
        steps = round((self.high - self.low) / round_to)
        each = next(k for k in (1, 2, 4, 5, 10, 20, 50, 100, 10**9) if steps / k <= 6)
        self.ticks = [self.low + round_to * k for k in range(0, steps + 1, each)]

    def place(self, value: float) -> float:
        """Give the distance from the low end."""
        return round(self.size * (value - self.low) / (self.high - self.low), 1)

    def x(self, value: float) -> float:
        """Give the place in a plot that begins at `LEFT`."""
        return LEFT + self.place(value)


def _axis(scale: _Scale, rows: int, labels: Sequence[str]) -> list[str]:
    parts = []
    for tick, label in zip(scale.ticks, labels, strict=True):
        x = scale.x(tick)
        parts.append(_line(x, TOP - 6, x, TOP + ROW * rows, 'stroke-opacity="0.15"'))
        parts.append(_text(x, TOP - 12, label, "middle"))
    return parts


def _interval(scale: _Scale, low: float, high: float, y: int) -> str:
    a, b = scale.x(low), scale.x(high)
    return (
        f'<path d="M{a} {y - 5}V{y + 5}M{a} {y}H{b}M{b} {y - 5}V{y + 5}" '
        f'stroke="{COLOURS[0]}" stroke-width="1.5" fill="none"/>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, more: str) -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="currentColor" {more}/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{_clean(text, NAME_LENGTH)}</text>'


def _clean(text: str, length: int) -> str:
    """Make a text harmless in XML, without what cannot be printed, and short."""
    plain = "".join(c for c in text if c.isprintable())
    return escape(plain if len(plain) <= length else plain[: length - 1] + "…")


def _heat(part: float) -> str:
    """Give a colour from orange (lost) over white to blue (won)."""
    ends = (213, 94, 0) if part < 0.5 else (86, 180, 233)
    deep = min(1.0, abs(part - 0.5) * 2)
    red, green, blue = (round(255 + (end - 255) * deep) for end in ends)
    return f"#{red:02x}{green:02x}{blue:02x}"


def _svg(title: str, width: int, rows: int, parts: Sequence[str], *, row: int = ROW) -> str:
    height = TOP + row * rows + 28
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" font-family="sans-serif" '
        f'font-size="13" fill="currentColor"><title>{_clean(title, 80)}</title>'
        + "".join(parts)
        + "</svg>\n"
    )
