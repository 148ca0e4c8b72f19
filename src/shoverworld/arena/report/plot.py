"""A plot of scores with their intervals, as SVG within a page."""

from collections.abc import Sequence
from math import ceil, floor

from ..standings import Standing
from .html import Html, element, join, text

WIDTH, ROW, TOP, LEFT, RIGHT = 720, 26, 28, 190, 70
_LONGEST = 24  # characters of a name


def score_plot(standings: Sequence[Standing], share: bool) -> Html:
    """Return a row with a point and an interval for each student."""
    low, high, step = _axis(standings, share)
    height = TOP + ROW * len(standings) + 8

    def across(value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (value - low) / (high - low)

    parts: list[Html] = []
    ticks = round((high - low) / step)
    for tick in range(ticks + 1):
        value = low + tick * step
        x = f"{across(value):.1f}"
        parts.append(Html(f'<line class="grid" x1="{x}" x2="{x}" y1="{TOP - 6}" y2="{height - 4}"/>'))
        parts.append(element("text", _number(value, share), class_="axis", x=x, y=TOP - 12, text_anchor="middle"))
    for i, standing in enumerate(standings):
        y = TOP + ROW * i + ROW // 2
        name = standing.student if len(standing.student) <= _LONGEST else standing.student[: _LONGEST - 1] + "…"
        ends = [f"{across(value):.1f}" for value in (standing.low, standing.high, standing.score)]
        parts += [
            element("text", name, x=LEFT - 12, y=y + 4, text_anchor="end"),
            Html(f'<line class="range" x1="{ends[0]}" x2="{ends[1]}" y1="{y}" y2="{y}"/>'),
            Html(f'<circle class="point" cx="{ends[2]}" cy="{y}" r="5.5"/>'),
            element("text", _number(standing.score, share, 1), x=WIDTH - RIGHT + 14, y=y + 4),
        ]
    what = "Share of the points" if share else "Strength"
    label = f"{what} of each student with its 95 % interval; the table above has the same figures."
    drawing = Html(f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{text(label)}">{join(parts)}</svg>')
    caption = f"{what}: the point is the result, the line is its 95 % interval."
    return element("figure", element("div", drawing, class_="scroll"), element("figcaption", caption))


def _axis(standings: Sequence[Standing], share: bool) -> tuple[float, float, float]:
    """Return the ends of the axis and the distance of its ticks."""
    if share:
        return 0.0, 1.0, 0.25
    least, most = min(s.low for s in standings), max(s.high for s in standings)
    step = next((one for one in (0.5, 1, 2, 5, 10) if (most - least) / one <= 8), 20)
    low, high = floor(least / step) * step, ceil(most / step) * step
    return float(low), float(max(high, low + step)), float(step)


def _number(value: float, share: bool, digits: int = 0) -> str:
    return f"{100 * value:.{digits}f} %" if share else f"{round(value, 1) + 0.0:.1f}"  # not -0.0
