"""`shover solve`: solve levels with the planner or another agent, and print a row for each level."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from shoverworld.agents import load, match, tasks
from shoverworld.agents.actions import steps_of
from shoverworld.arena.jobs import Work, in_order
from shoverworld.core.checks import number, seed_number
from shoverworld.core.errors import SaveError
from shoverworld.core.game import Game
from shoverworld.core.level_files import files_in
from shoverworld.core.plan import Plan
from shoverworld.core.task import Task
from shoverworld.core.text import one_line, visible
from shoverworld.core.ui import Act, count
from shoverworld.terminal.console import UNLIMITED, SafeConsole

from .files import game_at
from .shared import (
    asked,
    check_objective,
    complain,
    game_options,
    given,
    interrupted,
    journal,
    machines,
    make_folder,
    processes,
    without_errors,
)

SHORTEST_REMARK = 32  # minimum width, in characters, of the remarks about steps in --log
SHORTEST_TITLE, LONGEST_TITLE = 8, 28
OUTCOME = 10  # the width of the outcome column


def run(chosen: argparse.Namespace) -> int:
    number("time", chosen.time, at_least=0)
    seed_number(chosen.seed)
    game = game_at(chosen.maps, chosen.game, partial(complain, chosen=chosen))
    options = game_options(chosen, game, lambda one: one.solve_options)
    load.check(chosen.agent, game.name)
    check_objective(game, chosen.objective)
    rules = {option.dest for option in game.rule_options}
    settings = given({name: value for name, value in options.items() if name in rules})
    found = list(tasks.tasks_at(game, chosen.maps, asked(chosen, game), chosen.level, settings, chosen.seed))
    levels = [task for task in found if isinstance(task, Task)]
    game.reports.check(levels, options, chosen.out, chosen.save)
    if chosen.out is not None:
        _keep_levels(chosen.out, chosen.maps, game)
    if chosen.save:
        make_folder(chosen.save, "--save")
    without_errors(found, chosen)
    worst = 2 if len(levels) < len(found) else 0
    if not levels:
        return worst
    console = SafeConsole(soft_wrap=True)
    return max(worst, _Solving(game, levels, options, chosen, console, single=len(found) == 1).run())


def _keep_levels(out: Path, places: Sequence[str], game: Game) -> None:
    """Raise SaveError if the solutions would replace a level file, which may contain levels that are not solved."""
    for place in places:
        path = Path(tasks.numbered(place)[0])
        files = files_in(path, game.levels.suffixes) if path.is_dir() else [path]
        if out.is_file() and any(out.samefile(file) for file in files if file.is_file()):
            raise SaveError(f"--out {out}: this would overwrite the {game.level_word} file; choose another name")


class _Solving:
    """A run of the command, which prints the table and everything that follows the table."""

    def __init__(
        self, game: Game, tasks: list[Task], options: dict[str, Any], chosen: Any, console: SafeConsole, single: bool
    ):
        self.game, self.tasks, self.options, self.chosen, self.console = game, tasks, options, chosen, console
        self.reports, self.single = game.reports, single
        self.table = _Table(game, tasks, console.columns)

    def run(self) -> int:
        """Solve all levels. Return the exit code."""
        if self.single and not self.chosen.log and (heading := self.reports.heading(self.tasks[0])):
            self.console.print(f"{heading}\n")
        self.console.print(self.table.heading(), style="bold")
        rows: list[match.Row] = []
        done, undecided = 0, False
        with _Progress(len(self.tasks), self.console) as progress, suppress(KeyboardInterrupt):
            for row in self._rows(progress):
                rows.append(row)
                self.console.print(self.table.line(rows[-1]))
                open_question, stop = self._follow_up(rows[-1])
                decided = rows[-1].won or rows[-1].outcome == "unsolvable"
                undecided = undecided or open_question or not decided
                if rows[-1].interrupted or stop:
                    break  # the row shows the best plan so far
                done += 1
        if rows:
            self._end(rows)
        if done < len(self.tasks):
            return interrupted(done, len(self.tasks), self.game.level_word, self.chosen)
        return int(undecided)

    def _rows(self, progress: "_Progress") -> Iterator[match.Row]:
        """Yield the result for each level in order. With `--jobs` or `--ray`, other processes solve the levels."""
        jobs, chosen = processes(self.chosen, len(self.tasks)), self.chosen
        if jobs == 1 and not chosen.ray and chosen.ray_address is None and chosen.journal is None:
            for task in self.tasks:
                yield progress.play(task, chosen, self.options)
            return
        shared = chosen.agent, chosen.objective, chosen.time, self.options
        work = Work(
            _solved, self.tasks, shared, jobs, **machines(chosen), **journal(chosen, [chosen.agent]),
            final=lambda row: not row.interrupted,
        )  # fmt: skip
        with closing(in_order(work)) as rows:
            for row in rows:
                progress.advance()
                yield row

    def _follow_up(self, row: match.Row) -> tuple[bool, bool]:
        """Print the errors, notes and steps that follow a row, and save its files.

        Return whether the notes are incomplete because a search found no answer, and whether Ctrl-C was pressed.
        """
        notes = self.reports.notes(row.task, row, self.options, max(0.0, self.chosen.time - row.seconds))
        for line in (f"  {row.error}" if row.error else "", *notes.lines):
            if line:
                self.console.print(line, style="red" if row.error or notes.undecided else None)
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
        for played, action in enumerate(row.actions):
            step = steps_of(env, played) + 1
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
            self.console.print(f"  {begin}  {remark:<{width}} {end}".rstrip())

    def _end(self, rows: list[match.Row]) -> None:
        """Print the rules, and the solution to a single level or the totals for several. Write the solution file."""
        self.console.print(f"\n{_rules(rows)}")
        width = self.console.columns or UNLIMITED
        alone = rows[0] if self.single and not self.chosen.log else None
        if alone and (text := self.reports.solution(alone.task, alone, width) or _written(alone)):
            self.console.print()
            self.console.print(text)
        if len(self.tasks) == len(rows) > 1:
            outcomes = dict.fromkeys(row.outcome for row in rows)
            counts = (f"{sum(row.outcome == outcome for row in rows)} {outcome}" for outcome in outcomes)
            proved = sum(row.won and row.proved for row in rows)
            seconds = sum(row.seconds for row in rows)
            of_planner = f"; {proved} proved optimal" if any(row.plan is not None for row in rows) else ""
            self.console.print(f"{', '.join(counts)}{of_planner}; {seconds:.1f} s")
        if self.chosen.out is not None:
            written = self.reports.write(self.chosen.out, [(row.task, row) for row in rows if row.won])
            self.console.print(f"\n{written}")


def _rules(rows: Sequence[match.Row]) -> str:
    """Describe the rules that were used, with the names of the levels if the levels have different rules."""
    levels: dict[str, list[str]] = {}
    for row in rows:
        levels.setdefault(row.rules, []).append(one_line(row.level))
    if len(levels) == 1:
        return f"Rules: {rows[0].rules}"
    return "\n".join(f"Rules {rules}: {', '.join(names)}" for rules, names in levels.items())


def _written(row: match.Row) -> str | None:
    """Return the moves of a solution in the game's notation, or None if there is no solution or no notation."""
    notation = row.task.game.ui.notation
    if not row.won or notation is None:
        return None
    env, symbols = row.task.start(), []
    for action in row.actions:
        symbols.append(notation.symbol(env, env.get_state(), Act(action)))
        env.step(action)
    about = f"Notation: {notation.about}. With --log, every step is described."
    return f"{notation.separator.join(symbols)}\n{about}" if symbols else None


def _solved(shared: tuple[str, str | None, float, dict[str, Any]], task: Task) -> match.Row:
    """Solve one level in another process."""
    agent, objective, seconds, options = shared
    return match.run(task, agent, objective, seconds, options=options)


class _Table:
    """The table of results, which is at most `width` characters wide. `width` None: there is no limit.

    If space is short, the titles are cut or left out, then the columns move closer together, and then each level takes
    two lines: its name, then its numbers. Names and numbers are never cut.
    """

    def __init__(self, game: Game, tasks: list[Task], width: int | None):
        longest_title = UNLIMITED if width is None else LONGEST_TITLE
        width = width or UNLIMITED
        self.game = game
        self.name = max(cell_len(text) for text in (game.level_word, *(visible(task.name) for task in tasks)))
        titles = [cell_len(task.title) for task in tasks]
        self.title = min(longest_title, max(5, *titles)) if any(titles) else 0
        self.columns = (*game.figures, *game.reports.solve_columns, "proved", "expanded", "seconds")
        self.widths = [12 if column == "expanded" else max(7, len(column)) for column in self.columns]
        if self.name + self._rest > width:
            self.widths = [9 if column == "expanded" else max(6, len(column)) for column in self.columns]
        self.on_one_line = self.name + self._rest <= width
        room = width - self.name - 4 - (self._rest if self.on_one_line else 0)
        self.title = min(self.title, room) if room >= SHORTEST_TITLE else 0

    @property
    def _rest(self) -> int:
        """The width of a line without the name and the title."""
        return 2 + OUTCOME + sum(width + 1 for width in self.widths)

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
        name, title = one_line(name), one_line(title)
        short = set_cell_size(title if cell_len(title) <= self.title else f"{title[: self.title - 1]}…", self.title)
        text = " ".join(f"{cell:>{width}}" for cell, width in zip(cells, self.widths, strict=True))
        head = f"{set_cell_size(name, self.name)}  {f'{short}  ' if self.title else ''}"
        return (
            f"{head}{outcome:<{OUTCOME}} {text}"
            if self.on_one_line
            else f"{head.rstrip()}\n  {outcome:<{OUTCOME}} {text}"
        )


class _Progress:
    """A progress bar that shows the state of the search, below the rows or, if the rows go elsewhere, on stderr."""

    def __init__(self, total: int, rows: SafeConsole):
        text = TextColumn("{task.description}", markup=False)
        parts = (MofNCompleteColumn(), BarColumn(), TimeElapsedColumn(), text)
        self._shows = sys.stderr.isatty()
        # The rows and the bar must share a console if they are on the same terminal.
        console = rows if rows.is_terminal else SafeConsole(stderr=True)
        self._bar = Progress(*parts, console=console, transient=True, disable=not self._shows)
        self._row = self._bar.add_task("preparing", total=total)

    def __enter__(self) -> "_Progress":
        self._bar.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._bar.stop()

    def play(self, task: Task, chosen: argparse.Namespace, options: dict[str, Any]) -> match.Row:
        def show(plan: Plan) -> None:
            best = count(len(plan.actions), "step") if plan.actions else "no plan yet"
            text = (
                f"{task.name}: {best}; lower bound {plan.lower_bound}; {plan.expanded:,} expanded, {plan.seconds:.0f} s"
            )
            self._bar.update(self._row, description=text)

        progress = show if self._shows else None
        try:
            return match.run(task, chosen.agent, chosen.objective, chosen.time, progress, True, options)
        finally:
            self.advance()

    def advance(self) -> None:
        self._bar.update(self._row, advance=1, description="")
