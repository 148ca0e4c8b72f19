"""A comparison of agents as a summary, as Markdown, as CSV and as a picture."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from shoverworld.core.errors import MissingExtra

from .games import FIGURES, PLACES, WON
from .match import Row


class Summary(NamedTuple):
    """One agent over all maps of a game. Means of its figures are over the maps it cleared; seconds over all."""

    agent: str
    played: int
    won: int
    proved: int
    first: float | None  # mean of the game's first figure, such as steps
    second: float | None
    first_removal: float | None
    seconds: float
    common: float | None  # mean of the first figure over the maps that every agent with a success cleared
    best: int  # maps on which no agent had fewer of it


def summaries(rows: Sequence[Row]) -> list[Summary]:
    """One line an agent, in the order in which they first appear. The rows are of one game."""
    first, second = FIGURES[_game(rows)]
    agents = list(dict.fromkeys(row.agent for row in rows))
    counts = {(row.agent, row.map): row.figures[first] for row in rows if row.won}
    able = [agent for agent in agents if any(row.agent == agent and row.won for row in rows)]
    common = [m for m in dict.fromkeys(row.map for row in rows) if all((agent, m) in counts for agent in able)]
    told = []
    for agent in agents:
        own = [row for row in rows if row.agent == agent]
        done = [row for row in own if row.won]
        told.append(
            Summary(
                agent,
                len(own),
                len(done),
                sum(row.proved for row in own),
                _mean(row.figures[first] for row in done),
                _mean(row.figures[second] for row in done),
                _mean(row.first_removal for row in own if row.first_removal is not None),
                mean(row.seconds for row in own),
                _mean(counts[agent, m] for m in common) if agent in able else None,
                sum(row.figures[first] == min(n for (_, m), n in counts.items() if m == row.map) for row in done),
            )
        )
    return told


def _game(rows: Sequence[Row]) -> str:
    return rows[0].game if rows else "shover"


def _mean(values: Any) -> float | None:
    values = list(values)
    return mean(values) if values else None


def headings(game: str) -> list[str]:
    """Of a summary."""
    (first, second), maps = FIGURES[game], f"{PLACES[game]}s"
    return [
        "agent", maps, WON[game], "proved", f"mean {first}", f"mean {second}", f"{_first_success(game)}, s",
        "mean seconds", f"mean {first}, common {maps}", f"{maps} at the best",
    ]  # fmt: skip


def short_headings(game: str) -> list[str]:
    (first, second), maps = FIGURES[game], f"{PLACES[game]}s"
    return [
        "agent",
        maps,
        "clear" if game == "shover" else WON[game],
        "proved",
        first,
        second,
        "first s",
        "sec",
        "common",
        "best",
    ]


def _first_success(game: str) -> str:
    return "first removal" if game == "shover" else "first box home"


def cells_of(summary: Summary) -> list[str]:
    return [_told(value) for value in summary]


def _told(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def markdown(rows: Sequence[Row]) -> str:
    """The summary, then a row for each game."""
    game = _game(rows)
    (first, second), place, won, heads = FIGURES[game], PLACES[game], WON[game], headings(game)
    lines = ["# Agents compared", "", _table_row(heads), _table_row(["---"] * len(heads))]
    lines += [_table_row(cells_of(summary)) for summary in summaries(rows)]
    columns = [place, "agent", "outcome", first, second, f"{_first_success(game)}, s", "expanded", "proved", "seconds"]
    lines += [
        "",
        f"{first.title()}, {second}: over the {place}s that agent {won}. "
        f"Common {place}s: those that all agents with any success {won}.",
        "",
        _table_row(columns),
        "|---" * len(columns) + "|",
    ]
    for row in rows:
        figures = (
            row.figures.get(first),
            row.figures.get(second),
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


_CSV_FIGURES = {"shover": {"stamina": "final_stamina"}, "sokoban": {"pushes": "pushes", "moves": "moves"}}
_REST = ("first_removal", "expanded", "proved", "seconds", "error")


def table(rows: Sequence[Row]) -> str:
    """CSV, a line a game."""
    figures = _CSV_FIGURES[_game(rows)]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["map", "agent", "outcome", "steps", *figures.values(), *_REST])
    for row in rows:
        cells = [row.map, row.agent, row.outcome, row.steps, *(row.figures.get(figure) for figure in figures)]
        cells += [getattr(row, name) for name in _REST]
        writer.writerow(["" if cell is None else cell for cell in cells])
    return out.getvalue()


def plot(rows: Sequence[Row], path: Path) -> None:
    """The figures and seconds of every agent: a box with whiskers for the maps it cleared."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("the plot needs matplotlib: pip install 'shoverworld[plot]'") from None

    told, (first, second), won = summaries(rows), FIGURES[_game(rows)], WON[_game(rows)]
    figure = Figure(figsize=(11, 0.9 + 0.62 * len(told)), layout="constrained")
    axes = figure.subplots(1, 3, sharey=True)
    names = [f"{s.agent}  ({s.won} of {s.played} {won})" for s in told]
    for axis, title in zip(axes, (first, second, "seconds of thinking"), strict=True):
        for place, summary in enumerate(told):
            own = [row for row in rows if row.agent == summary.agent]
            values = [row.figures[title] for row in own if row.won] if title in (first, second) else None
            values = [row.seconds for row in own] if values is None else values
            if values:
                axis.boxplot(
                    values, positions=[place], orientation="horizontal", widths=0.6, patch_artist=True,
                    boxprops={"facecolor": f"C{place}", "alpha": 0.55}, medianprops={"color": "black"},
                    flierprops={"markersize": 3},
                )  # fmt: skip
        axis.set_title("stamina left" if title == "stamina" else title)
        axis.grid(axis="x", alpha=0.3)
    axes[2].set_xscale("log")
    axes[0].set_yticks(range(len(told)), names)
    axes[0].set_ylim(len(told) - 0.5, -0.5)
    figure.savefig(path, dpi=110)
