"""Rates as horizontal bars on a logarithmic scale, as one SVG that follows light and dark."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

from bench.results import Chart, number

ROW, LEFT, PLOT, RIGHT, HEAD, GAP = 26, 300, 420, 90, 54, 18
STYLE = """
  :root { color-scheme: light dark; }
  text { font: 13px system-ui, sans-serif; fill: #222; }
  .title { font-weight: 600; font-size: 15px; }
  .tick { fill: #666; font-size: 11px; }
  .grid { stroke: #ddd; }
  .ground { fill: #fff; }
  .ours { fill: #0072b2; }
  .peer { fill: #9a9a9a; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6e6e6; }
    .tick { fill: #a0a0a0; }
    .grid { stroke: #3a3a3a; }
    .ground { fill: #14171a; }
    .ours { fill: #56b4e9; }
    .peer { fill: #7d7d7d; }
  }
"""


def draw(charts: Sequence[Chart]) -> str:
    """Draw charts one below the other."""
    shown = [chart for chart in charts if chart.marks]
    parts: list[str] = []
    top = 0
    for chart in shown:
        parts += _one(chart, top)
        top += HEAD + ROW * len(chart.marks) + GAP
    width, height = LEFT + PLOT + RIGHT, max(top, 40)
    title = escape("; ".join(chart.title for chart in shown))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img">',
            f"<title>{title}</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="ground" width="{width}" height="{height}"/>',
            *parts,
            "</svg>\n",
        ]
    )


def _one(chart: Chart, top: int) -> list[str]:
    low = math.floor(math.log10(min(mark.value for mark in chart.marks)))
    high = math.ceil(math.log10(max(mark.value for mark in chart.marks)))
    high = max(high, low + 1)
    bottom = top + HEAD + ROW * len(chart.marks)
    parts = [f'<text class="title" x="12" y="{top + 24}">{escape(chart.title)}</text>']
    for power in range(low, high + 1):
        x = LEFT + PLOT * (power - low) / (high - low)
        parts.append(
            f'<line class="grid" x1="{x:.0f}" x2="{x:.0f}" y1="{top + HEAD - 4}" y2="{bottom}"/>'
        )
        parts.append(
            f'<text class="tick" x="{x:.0f}" y="{top + HEAD - 8}" text-anchor="middle">'
            f"{10**power:,}</text>"
            if power >= 0
            else ""
        )
    for place, mark in enumerate(chart.marks):
        y = top + HEAD + ROW * place
        width = max(2.0, PLOT * (math.log10(mark.value) - low) / (high - low))
        kind = "ours" if mark.ours else "peer"
        label = escape(mark.label)
        parts.append(f'<text x="{LEFT - 10}" y="{y + 17}" text-anchor="end">{label}</text>')
        parts.append(
            f'<rect class="{kind}" x="{LEFT}" y="{y + 4}" width="{width:.1f}" height="{ROW - 8}"/>'
        )
        parts.append(f'<text x="{LEFT + width + 6:.1f}" y="{y + 17}">{number(mark.value)}</text>')
    return [part for part in parts if part]
