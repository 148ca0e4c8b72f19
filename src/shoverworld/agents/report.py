"""Compare agents in summaries, Markdown tables, CSV files and plots."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from shoverworld.core.errors import MissingExtra
from shoverworld.core.files import write_safely
from shoverworld.core.game import Game
from shoverworld.core.text import one_line, visible

from .load import shortened
from .match import Row

LONGEST_NAME = 40  # the maximum length of an agent's name in a plot; a longer name would leave no room for the boxes


class Summary(NamedTuple):
    """The results of one agent on all levels.

    Statistics are averaged over the levels that the agent won, and seconds over all levels.
    """

    agent: str
    played: int
    won: int
    proved: int
    first: float | None  # the mean of the main statistic, such as the number of steps
    second: float | None
    first_success: float | None
    seconds: float
    common: float | None  # the mean of the main statistic over the levels won by every agent with at least one win
    best: int  # the number of levels on which no agent had a better result


def summaries(rows: Sequence[Row]) -> list[Summary]:
    """Return a summary for each agent, in order of first appearance. All rows must belong to the same game."""
    first, second = rows[0].task.game.figures if rows else ("", "")
    agents = list(dict.fromkeys(row.agent for row in rows))
    counts = {(row.agent, row.level): row.figures[first] for row in rows if row.won}
    able = [agent for agent in agents if any(row.agent == agent and row.won for row in rows)]
    common = [m for m in dict.fromkeys(row.level for row in rows) if all((agent, m) in counts for agent in able)]
    found = []
    for agent in agents:
        own = [row for row in rows if row.agent == agent]
        done = [row for row in own if row.won]
        found.append(
            Summary(
                agent,
                len(own),
                len(done),
                sum(row.proved for row in own),
                _mean(row.figures[first] for row in done),
                _mean(row.figures[second] for row in done if second in row.figures),
                _mean(row.first_success for row in own if row.first_success is not None),
                mean(row.seconds for row in own),
                _mean(counts[agent, m] for m in common) if agent in able else None,
                sum(row.figures[first] == min(n for (_, m), n in counts.items() if m == row.level) for row in done),
            )
        )
    return found


def _mean(values: Any) -> float | None:
    values = list(values)
    return mean(values) if values else None


def headings(game: Game) -> list[str]:
    """Return the column headings for a table of summaries."""
    return ["agent", f"{game.level_word}s", game.won, "proved", *game.figures, "first", "seconds", "common", "best"]


def meanings(game: Game) -> list[str]:
    """Explain the columns in a table of summaries, one sentence for each."""
    (first, second), word, won = game.figures, game.level_word, game.won
    return [
        f"{first}, {second}: means over the {word}s that the agent {won}.",
        f"first: mean seconds until the {game.first_success}.",
        f"seconds: mean thinking time per {word}.",
        f"common: mean {first} on the {word}s {won} by every agent that {won} any.",
        f"best: {word}s on which no agent needed fewer {first}.",
    ]


def cells_of(summary: Summary) -> list[str]:
    return [_cell(value) for value in summary]


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def markdown(rows: Sequence[Row], about: str = "") -> str:
    """Return a Markdown page with the summaries and a row for each game. `about`: a sentence below the title."""
    game = rows[0].task.game
    (first, second), heads = game.figures, headings(game)
    lines = ["# Agents compared", "", *([about, ""] if about else [])]
    lines += [_table_row(heads), _table_row(["---"] * len(heads))]
    lines += [_table_row(cells_of(summary)) for summary in summaries(rows)]
    columns = [
        "level",
        "agent",
        "outcome",
        first,
        second,
        "first",
        "expanded",
        "proved",
        "seconds",
        "rules",
    ]
    lines += [
        "",
        " ".join(meanings(game)),
        "",
        _table_row(columns),
        "|---" * len(columns) + "|",
    ]
    for row in rows:
        figures = (
            row.figures.get(first),
            row.figures.get(second),
            row.first_success,
            row.expanded,
            "yes" if row.proved else "",
            row.seconds,
            row.rules,
        )
        outcome = f"{row.outcome}: {row.error}" if row.error else row.outcome
        lines.append(_table_row([row.level, row.agent, outcome, *map(_cell, figures)]))
    return "\n".join(lines) + "\n"


def _table_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(one_line(str(cell)).replace("|", "\\|") for cell in cells) + " |"


_REST = ("expanded", "proved", "seconds", "time_limit", "rules", "seed", "error")


def table(rows: Sequence[Row]) -> str:
    """Return CSV data with a line for each game."""
    figures = [name for name in rows[0].task.game.figures if name != "steps"]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["level", "agent", "outcome", "steps", *figures, "first", *_REST])
    for row in rows:
        cells = [row.level, row.agent, row.outcome, row.steps, *(row.figures.get(figure) for figure in figures)]
        cells += [row.first_success, *(getattr(row, name) for name in _REST)]
        writer.writerow(["" if cell is None else visible(str(cell)) for cell in cells])
    return out.getvalue()


def json_text(rows: Sequence[Row], about: Sequence[str] = ()) -> str:
    """Return the summaries and the games as JSON. The keys are the names of the columns in the other files."""
    agents = [dict(zip(headings(rows[0].task.game), summary, strict=True)) for summary in summaries(rows)]
    games = [
        {"level": row.level, "agent": row.agent, "outcome": row.outcome, "steps": row.steps, **row.figures}
        | {"first": row.first_success, **{name: getattr(row, name) for name in _REST}}
        for row in rows
    ]
    return json.dumps({"about": list(about), "agents": agents, "games": games}, indent=1) + "\n"


def plot(rows: Sequence[Row], path: Path) -> None:
    """Save box plots of every agent's statistics and thinking times to a file."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("the plot needs matplotlib: pip install 'shoverworld[plot]'") from None

    agents, (first, second), won = summaries(rows), rows[0].task.game.figures, rows[0].task.game.won
    figure = Figure(figsize=(11, 0.9 + 0.62 * len(agents)), layout="constrained")
    axes = figure.subplots(1, 3, sharey=True)
    names = [f"{shortened(s.agent, LONGEST_NAME)}  ({s.won} of {s.played} {won})" for s in agents]
    for axis, title in zip(axes, (first, second, "seconds of thinking"), strict=True):
        for place, summary in enumerate(agents):
            own = [row for row in rows if row.agent == summary.agent]
            values = [row.figures[title] for row in own if row.won] if title in (first, second) else None
            values = (
                [row.seconds for row in own if row.seconds > 0] if values is None else values
            )  # the axis is logarithmic
            if values:
                axis.boxplot(
                    values, positions=[place], orientation="horizontal", widths=0.6, patch_artist=True,
                    boxprops={"facecolor": f"C{place}", "alpha": 0.55}, medianprops={"color": "black"},
                    flierprops={"markersize": 3},
                )  # fmt: skip
        axis.set_title(title)
        axis.grid(axis="x", alpha=0.3)
    if any(row.seconds > 0 for row in rows):
        axes[2].set_xscale("log")
    axes[0].set_yticks(range(len(agents)), names)
    axes[0].set_ylim(len(agents) - 0.5, -0.5)
    picture = io.BytesIO()
    figure.savefig(picture, dpi=110)
    write_safely(path, picture.getvalue())
