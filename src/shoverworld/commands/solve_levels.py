"""The table of `shover solve` for levels of Sokoban."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

OBJECTIVES = ("pushes", "moves", "any")
COLUMNS = ("pushes", "moves", "proved", "seconds")
LONGEST_TITLE = 28


def show(tasks: list[Any], chosen: argparse.Namespace, console: Any) -> int:
    """A row a level, and the solutions where they were asked for; the exit code."""
    from shoverworld.core.errors import ShoverWorldError

    from .solve import complain, finish

    worst = 0
    for error in tasks:
        if isinstance(error, ShoverWorldError):
            complain(error, chosen)
            worst = 2
    levels = [task for task in tasks if not isinstance(task, ShoverWorldError)]
    if not levels:
        return worst
    if chosen.out is not None:
        _check_writable(chosen.out)
    if len(levels) == 1 and not chosen.log:
        console.print(f"{levels[0].options['map']}\n", markup=False)
    layout = _Layout(levels)
    console.print(layout.heading(), style="bold", markup=False)
    solutions: list[tuple[Any, str]] = []
    counts: dict[str, int] = {}
    with _Progress(len(levels), console) as progress:
        for task in levels:
            row = progress.play(task, chosen)
            counts[row.outcome] = counts.get(row.outcome, 0) + 1
            console.print(layout.line(task, row), markup=False)
            finish(task, row, chosen, console)
            if row.won and (solution := letters(task, row)) is not None:
                solutions.append((task.options["map"], solution))
            if row.outcome not in ("solved", "unsolvable"):
                worst = max(worst, 1)
            if row.interrupted:
                break
    if len(levels) == 1 and solutions:
        console.print(f"\n{solutions[0][1]}", markup=False)
    elif len(levels) > 1:
        console.print("\n" + ", ".join(f"{count} {outcome}" for outcome, count in counts.items()), markup=False)
    if chosen.out is not None:
        _write(chosen.out, solutions)
        count = "1 solution" if len(solutions) == 1 else f"{len(solutions)} solutions"
        console.print(f"{count} in {chosen.out}", markup=False)
    if row.interrupted:
        raise KeyboardInterrupt  # what was found is out; the other levels are not wanted any more
    return worst


class _Layout:
    """How wide the columns are: as their contents need."""

    def __init__(self, tasks: list[Any]):
        self.name = max(5, *(len(task.name) for task in tasks))
        titles = [len(task.title) for task in tasks]
        self.title = min(LONGEST_TITLE, max(5, *titles)) if any(titles) else 0

    def heading(self) -> str:
        return self._joined("level", "title", "outcome", COLUMNS)

    def line(self, task: Any, row: Any) -> str:
        bound = f">={row.lower_bound}" if row.lower_bound else "no"
        figures = (
            f"{row.figures['pushes']:g}" if "pushes" in row.figures else "-",
            f"{row.figures['moves']:g}" if "moves" in row.figures else "-",
            "yes" if row.proved else bound,
            f"{row.seconds:.2f}",
        )
        return self._joined(task.name, task.title, row.outcome, figures)

    def _joined(self, name: str, title: str, outcome: str, figures: tuple[str, ...]) -> str:
        short = title if len(title) <= self.title else title[: self.title - 1] + "…"
        told = " ".join(f"{figure:>7}" for figure in figures)
        return f"{name:{self.name}}  {f'{short:{self.title}}  ' if self.title else ''}{outcome:<10} {told}"


class _Progress:
    """A bar below the rows, or on stderr when those go elsewhere; it says what the search has come to on this level."""

    def __init__(self, count: int, rows: Any):
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        parts = (MofNCompleteColumn(), BarColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
        self._shows = sys.stderr.isatty()
        # Rows and bar on one terminal have to know of each other.
        console = rows if rows.is_terminal else Console(stderr=True)
        self._bar = Progress(*parts, console=console, transient=True, disable=not self._shows)
        self._row = self._bar.add_task("getting ready", total=count)

    def __enter__(self) -> "_Progress":
        self._bar.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._bar.stop()

    def play(self, task: Any, chosen: argparse.Namespace) -> Any:
        from .solve import play

        def tell(plan: Any) -> None:
            best = f"{plan.pushes} pushes" if plan.lurd else "no solution yet"
            text = f"{task.name}: {best}; at least {plan.lower_bound}; {plan.expanded:,} expanded, {plan.seconds:.0f} s"
            self._bar.update(self._row, description=text)

        try:
            return play(task, chosen, tell if self._shows else None)
        finally:
            self._bar.update(self._row, advance=1, description="")


def letters(task: Any, row: Any) -> str | None:
    """The game of a row as LURD: a small letter a walk, a large one a push. What changed nothing has no letter.
    None: it cannot be written so, for there are two players or pulls in it."""
    from shoverworld.games.sokoban.rules import DIRECTIONS

    env: Any = task.make()
    env.reset(options=task.options)
    if env.rules.players != 1:
        return None
    told, before = [], {"moves": 0, "pushes": 0}
    for action in row.actions:
        info = env.step(action)[4]
        way = DIRECTIONS[(action - env.rules.has_noop) % 4][0]
        if info["moves"] > before["moves"]:
            told.append(way.upper() if info["pushes"] > before["pushes"] else way)
        before = info
    return None if env.observe()[1]["pulls"] else "".join(told)


def _check_writable(path: Path) -> None:
    """Before the work, not after it."""
    from shoverworld.core.errors import SaveError

    if path.is_dir():
        raise SaveError(f"--out {path}: this is a folder; expected the name of a file")
    if not path.resolve().parent.is_dir():
        raise SaveError(f"--out {path}: there is no folder {path.resolve().parent}")


def _write(path: Path, solutions: list[tuple[Any, str]]) -> None:
    """The levels with their solutions; or the solutions alone, a line each."""
    from shoverworld.games.sokoban.formats import write_levels

    if path.suffix.lower() == ".lurd":
        path.write_text("".join(f"{solution}\n" for _, solution in solutions), encoding="utf-8", newline="\n")
    else:
        write_levels(path, [replace(level, solution=solution) for level, solution in solutions])
