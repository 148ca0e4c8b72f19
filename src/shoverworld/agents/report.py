"""A comparison of agents as a summary, as Markdown, as CSV and as a picture."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from shoverworld.core.errors import MissingExtra

from .match import Row


class Summary(NamedTuple):
    """One agent over all maps. Means of steps and stamina are over the maps it cleared; seconds over all."""

    agent: str
    played: int
    cleared: int
    proved: int
    steps: float | None
    stamina: float | None
    first_removal: float | None
    seconds: float
    common_steps: float | None  # over the maps that every agent with a success cleared
    best: int  # maps on which no agent needed fewer steps


def summaries(rows: Sequence[Row]) -> list[Summary]:
    """One line an agent, in the order in which they first appear."""
    agents = list(dict.fromkeys(row.agent for row in rows))
    steps = {(row.agent, row.map): row.steps for row in rows if row.cleared}
    able = [agent for agent in agents if any(row.agent == agent and row.cleared for row in rows)]
    common = [m for m in dict.fromkeys(row.map for row in rows) if all((agent, m) in steps for agent in able)]
    told = []
    for agent in agents:
        own = [row for row in rows if row.agent == agent]
        done = [row for row in own if row.cleared]
        told.append(
            Summary(
                agent,
                len(own),
                len(done),
                sum(row.proved for row in own),
                _mean(row.steps for row in done),
                _mean(row.final_stamina for row in done),
                _mean(row.first_removal for row in own if row.first_removal is not None),
                mean(row.seconds for row in own),
                _mean(steps[agent, m] for m in common) if agent in able else None,
                sum(row.steps == min(n for (_, m), n in steps.items() if m == row.map) for row in done),
            )
        )
    return told


def _mean(values: Any) -> float | None:
    values = list(values)
    return mean(values) if values else None


HEADINGS = (
    "agent", "maps", "cleared", "proved", "mean steps", "mean stamina", "first removal, s", "mean seconds",
    "mean steps, common maps", "maps at the best",
)  # fmt: skip


SHORT_HEADINGS = ("agent", "maps", "clear", "proved", "steps", "stamina", "first s", "sec", "common", "best")


def cells_of(summary: Summary) -> list[str]:
    return [_told(value) for value in summary]


def _told(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def markdown(rows: Sequence[Row]) -> str:
    """The summary, then a row for each game."""
    lines = ["# Agents compared", "", _table_row(HEADINGS), _table_row(["---"] * len(HEADINGS))]
    lines += [_table_row(cells_of(summary)) for summary in summaries(rows)]
    lines += [
        "",
        "Steps, stamina: over the maps that agent cleared. Common maps: those that all agents with any success cleared.",
        "",
        "| map | agent | outcome | steps | stamina | first removal, s | expanded | proved | seconds |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        figures = (
            row.steps,
            row.final_stamina,
            row.first_removal,
            row.expanded,
            "yes" if row.proved else "",
            row.seconds,
        )
        outcome = f"{row.outcome}: {row.error}" if row.error else row.outcome
        lines.append(_table_row([row.map, row.agent, outcome, *map(_told, figures)]))
    return "\n".join(lines) + "\n"


def _table_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def table(rows: Sequence[Row]) -> str:
    """CSV, a line a game."""
    names = (
        "map",
        "agent",
        "outcome",
        "steps",
        "final_stamina",
        "first_removal",
        "expanded",
        "proved",
        "seconds",
        "error",
    )
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        writer.writerow(["" if getattr(row, name) is None else getattr(row, name) for name in names])
    return out.getvalue()


def plot(rows: Sequence[Row], path: Path) -> None:
    """Steps, stamina and seconds of every agent: a box with whiskers for the maps it cleared."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("the plot needs matplotlib: pip install 'shoverworld[plot]'") from None

    told = summaries(rows)
    figure = Figure(figsize=(11, 0.9 + 0.62 * len(told)), layout="constrained")
    axes = figure.subplots(1, 3, sharey=True)
    names = [f"{s.agent}  ({s.cleared} of {s.played} cleared)" for s in told]
    for axis, title, value, only_cleared in zip(
        axes,
        ("steps", "stamina left", "seconds of thinking"),
        ("steps", "final_stamina", "seconds"),
        (True, True, False),
        strict=True,
    ):
        for place, summary in enumerate(told):
            values = [getattr(r, value) for r in rows if r.agent == summary.agent and (r.cleared or not only_cleared)]
            if values:
                axis.boxplot(
                    values, positions=[place], orientation="horizontal", widths=0.6, patch_artist=True,
                    boxprops={"facecolor": f"C{place}", "alpha": 0.55}, medianprops={"color": "black"},
                    flierprops={"markersize": 3},
                )  # fmt: skip
        axis.set_title(title)
        axis.grid(axis="x", alpha=0.3)
    axes[2].set_xscale("log")
    axes[0].set_yticks(range(len(told)), names)
    axes[0].set_ylim(len(told) - 0.5, -0.5)
    figure.savefig(path, dpi=110)
