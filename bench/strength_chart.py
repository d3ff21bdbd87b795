"""Shares of deals won with their intervals, as one SVG that follows light and dark."""

from __future__ import annotations

from collections.abc import Mapping

from bench.chart import STYLE

ROW, LEFT, PLOT, RIGHT, HEAD, GAP = 24, 110, 480, 130, 58, 16
Cell = tuple[int, float, float]


def draw(title: str, groups: Mapping[str, Mapping[str, Cell]], *, even: float) -> str:
    """Draw groups one below the other: by name, pairs, share and half the interval's width.

    A line stands at `even`, the share of equal bots; the scale goes from 0 to 100 per cent.
    """
    parts: list[str] = []
    top = 40
    for name, cells in groups.items():
        bottom = top + HEAD - 12 + ROW * len(cells)
        parts.append(f'<text class="title" x="12" y="{top + 20}">{name}</text>')
        for per_cent in range(0, 101, 25):
            x = _at(per_cent / 100)
            parts.append(
                f'<line class="grid" x1="{x}" x2="{x}" y1="{top + 42}" y2="{bottom}"/>'
                f'<text class="tick" x="{x}" y="{top + 38}" text-anchor="middle">{per_cent}</text>'
            )
        x = _at(even)
        parts.append(f'<line class="even" x1="{x}" x2="{x}" y1="{top + 42}" y2="{bottom}"/>')
        for place, (label, (_, mean, half)) in enumerate(cells.items()):
            y = top + HEAD + ROW * place
            parts.append(
                f'<text x="{LEFT - 10}" y="{y + 4}" text-anchor="end">{label}</text>'
                f'<line class="range" x1="{_at(mean - half)}" x2="{_at(mean + half)}" '
                f'y1="{y}" y2="{y}"/><circle class="ours" cx="{_at(mean)}" cy="{y}" r="4"/>'
                f'<text x="{LEFT + PLOT + 14}" y="{y + 4}">'
                f"{100 * mean:.1f} ± {100 * half:.1f}</text>"
            )
        top = bottom + GAP
    width = LEFT + PLOT + RIGHT
    more = "  .even { stroke: #8a8a8a; stroke-dasharray: 4 3; }\n"
    more += "  .range { stroke: #0072b2; stroke-width: 3; opacity: 0.55; }\n"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top}" '
        f'width="{width}" height="{top}" role="img">\n<title>{title}</title>\n'
        f'<style>{STYLE}{more}</style>\n<rect class="ground" width="{width}" height="{top}"/>\n'
        f'<text class="title" x="12" y="26">{title}</text>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _at(share: float) -> str:
    return f"{LEFT + PLOT * min(1.0, max(0.0, share)):.1f}"
