"""`shover solve`: solve levels with the planner or another agent, and print a row for each level."""

import argparse
import sys
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from shoverworld.agents import load, match, tasks
from shoverworld.core.checks import number, seed_number
from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.game import Game
from shoverworld.core.plan import Plan
from shoverworld.core.task import Task

from .files import game_at
from .shared import asked, check_objective, complain, game_options, given, make_folder

SHORTEST_REMARK = 32  # minimum width, in characters, of the remarks about steps in --log
LONGEST_TITLE = 28


def run(chosen: argparse.Namespace) -> int:
    number("time", chosen.time, at_least=0)
    seed_number(chosen.seed)
    game = game_at(chosen.maps, chosen.game)
    options = game_options(chosen, game, lambda one: one.solve_options)
    load.check(chosen.agent, game.name)
    check_objective(game, chosen.objective)
    rules = {option.dest for option in game.rule_options}
    settings = given({name: value for name, value in options.items() if name in rules})
    found = list(tasks.tasks_at(game, chosen.maps, asked(chosen, game), chosen.level, settings, chosen.seed))
    levels = [task for task in found if isinstance(task, Task)]
    game.reports.check(levels, options, chosen.out, chosen.save)
    if chosen.save:
        make_folder(chosen.save, "--save")
    for error in found:
        if isinstance(error, ShoverWorldError):
            complain(error, chosen)
    worst = 2 if len(levels) < len(found) else 0
    if not levels:
        return worst
    console = Console(highlight=False, soft_wrap=True)
    return max(worst, _Solving(game, levels, options, chosen, console, single=len(found) == 1).run())


class _Solving:
    """A run of the command, which prints the table and everything that follows the table."""

    def __init__(
        self, game: Game, tasks: list[Task], options: dict[str, Any], chosen: Any, console: Console, single: bool
    ):
        self.game, self.tasks, self.options, self.chosen, self.console = game, tasks, options, chosen, console
        self.reports, self.single = game.reports, single
        self.table = _Table(game, tasks)

    def run(self) -> int:
        """Solve all levels. Return the exit code."""
        if self.single and not self.chosen.log and (heading := self.reports.heading(self.tasks[0])):
            self.console.print(f"{heading}\n", markup=False)
        self.console.print(self.table.heading(), style="bold", markup=False)
        rows: list[match.Row] = []
        undecided = False
        with _Progress(len(self.tasks), self.console) as progress:
            for task in self.tasks:
                rows.append(progress.play(task, self.chosen, self.options))
                self.console.print(self.table.line(rows[-1]), markup=False)
                open_question, stop = self._follow_up(rows[-1])
                decided = rows[-1].won or rows[-1].outcome == "unsolvable"
                undecided = undecided or open_question or not decided
                if rows[-1].interrupted or stop:
                    self._end(rows)
                    raise KeyboardInterrupt  # the results so far are printed; the other levels are not solved
        self._end(rows)
        return int(undecided)

    def _follow_up(self, row: match.Row) -> tuple[bool, bool]:
        """Print the errors, notes and steps that follow a row, and save its files.

        Return whether the search for the notes ended without an answer, and whether Ctrl-C was pressed.
        """
        notes = self.reports.notes(row.task, row, self.options, max(0.0, self.chosen.time - row.seconds))
        for line in (f"  {row.error}" if row.error else "", *notes.lines):
            if line:
                self.console.print(line, markup=False, style="red" if row.error or notes.undecided else None)
        if row.plan is not None and row.plan.stopped_by == "memory":
            self.console.print("  the planner reached its memory limit", style="red")
        if self.chosen.log:
            self._log(row)
        if self.chosen.save and row.actions:
            path = self.chosen.save / f"{row.level}.replay"
            path.parent.mkdir(parents=True, exist_ok=True)
            match.replay_of(row).write(path)
            self.reports.save(row.task, row, self.chosen.save)
        return notes.undecided, notes.interrupted

    def _log(self, row: match.Row) -> None:
        """Print every step: the action, a remark, and what is left to do."""
        env = row.task.start()
        lines = []
        for step, action in enumerate(row.actions, 1):
            info = env.step(action)[4]
            if (own := self.reports.log_line(env, action)) is not None:
                lines.append((f"{step:>4}  {own}", "", ""))
                continue
            words = " ".join(f"{part:>3}" for part in (action if isinstance(action, tuple) else (action,)))
            figures = [f"{name} {value:<8g}" for name, value in env.figures().items() if name != "steps"]
            left = f"{self.game.left_word} {self.game.left(info)}"
            lines.append((f"{step:>4}  {words}", env.remark(), f"{' '.join(figures)} {left}"))
        width = max([SHORTEST_REMARK, *(len(remark) for _, remark, _ in lines)])
        for begin, remark, end in lines:
            self.console.print(f"  {begin}  {remark:<{width}} {end}".rstrip(), markup=False)

    def _end(self, rows: list[match.Row]) -> None:
        """Print the solution of a single level or the totals of several levels, and write the file of solutions."""
        width = self.console.width if self.console.is_terminal else 10_000
        if self.single and not self.chosen.log and (text := self.reports.solution(rows[0].task, rows[0], width)):
            self.console.print()
            self.console.print(text, markup=False)
        if len(self.tasks) == len(rows) > 1:
            outcomes = dict.fromkeys(row.outcome for row in rows)
            counts = (f"{sum(row.outcome == outcome for row in rows)} {outcome}" for outcome in outcomes)
            self.console.print(f"\n{', '.join(counts)}", markup=False)
        if self.chosen.out is not None:
            written = self.reports.write(self.chosen.out, [(row.task, row) for row in rows if row.won])
            self.console.print(f"\n{written}", markup=False)


class _Table:
    """The table of results, whose columns are wide enough for the names and titles of the levels."""

    def __init__(self, game: Game, tasks: list[Task]):
        self.game = game
        self.name = max(len(game.level_word), *(len(task.name) for task in tasks))
        titles = [len(task.title) for task in tasks]
        self.title = min(LONGEST_TITLE, max(5, *titles)) if any(titles) else 0
        self.columns = (*game.figures, *game.reports.solve_columns, "proved", "expanded", "seconds")

    def heading(self) -> str:
        return self._joined(self.game.level_word, "title", "outcome", self.columns)

    def line(self, row: match.Row) -> str:
        bound = f">={row.lower_bound}" if row.lower_bound else ""
        first, second = (f"{row.figures[name]:g}" if name in row.figures else "-" for name in self.game.figures)
        if first == "-" and row.outcome == "unknown" and bound:
            first = bound
        cells = (
            first,
            second,
            *self.game.reports.solve_cells(row.task, row),
            "yes" if row.proved else bound if row.won and bound else "no",
            "-" if row.expanded is None else f"{row.expanded:,}",
            f"{row.seconds:.2f}",
        )
        return self._joined(row.level, row.task.title, row.outcome, cells)

    def _joined(self, name: str, title: str, outcome: str, cells: tuple[str, ...]) -> str:
        short = title if len(title) <= self.title else title[: self.title - 1] + "…"
        widths = [12 if column == "expanded" else max(7, len(column)) for column in self.columns]
        text = " ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        return f"{name:{self.name}}  {f'{short:{self.title}}  ' if self.title else ''}{outcome:<10} {text}"


class _Progress:
    """A progress bar that shows the state of the search: below the rows, or on stderr if the rows go elsewhere."""

    def __init__(self, count: int, rows: Console):
        parts = (MofNCompleteColumn(), BarColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
        self._shows = sys.stderr.isatty()
        # The rows and the bar must share a console if they are on the same terminal.
        console = rows if rows.is_terminal else Console(stderr=True)
        self._bar = Progress(*parts, console=console, transient=True, disable=not self._shows)
        self._row = self._bar.add_task("getting ready", total=count)

    def __enter__(self) -> "_Progress":
        self._bar.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._bar.stop()

    def play(self, task: Task, chosen: argparse.Namespace, options: dict[str, Any]) -> match.Row:
        def show(plan: Plan) -> None:
            best = f"{len(plan.actions)} steps" if plan.actions else "no plan yet"
            text = f"{task.name}: {best}; at least {plan.lower_bound}; {plan.expanded:,} expanded, {plan.seconds:.0f} s"
            self._bar.update(self._row, description=text)

        progress = show if self._shows else None
        try:
            return match.run(task, chosen.agent, chosen.objective, chosen.time, progress, True, options)
        finally:
            self._bar.update(self._row, advance=1, description="")
