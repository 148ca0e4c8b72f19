"""The starts, paths and pictures that the grid race adds to the tables and files of the `shover` commands."""

import io
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from textwrap import fill
from typing import Any

from PIL import Image
from rich.text import Text

from shoverworld.core.errors import ConfigError, SaveError
from shoverworld.core.files import write_safely
from shoverworld.core.game import EnvId
from shoverworld.core.plan import Plan
from shoverworld.core.reports import Column, Notes, Options, Reports
from shoverworld.core.task import Task
from shoverworld.core.ui import Board

from .config import Finish, Line, RaceRules
from .planner import fewest, solve
from .planner.solver import on_track
from .rules import KEEP
from .setup import DEFAULT_TRACK
from .tracks import Track
from .way_picture import way_picture

WIDE, NARROW = 110, 80  # characters per line of a list of cells
TALLEST, WIDEST = 60, 200  # rows and columns of the largest track that is printed


class RaceReports(Reports):
    level_columns = (Column("size", True), Column("starts", True))
    id_columns = ("track", "cars", "line", "finish", "penalty", "rounds")
    solve_columns = ("size", "starts", "from")

    def level_cells(self, board: Board) -> tuple[str, ...]:
        track = board.level.track
        return f"{track.rows}x{track.cols}", str(len(track.starts))

    def id_cells(self, id: EnvId) -> tuple[str, ...]:
        r = RaceRules().change(**id.settings)
        return DEFAULT_TRACK, str(r.cars), r.line, r.finish, str(r.penalty), str(r.max_rounds)

    # --- shover solve

    def check(self, tasks: Sequence[Task], options: Options, out: Path | None, save: Path | None) -> None:
        start, count = _start(options), len(tasks)
        if start is not None and options["every_start"]:
            raise ConfigError("--every-start prints the number of steps from every start cell; omit --start")
        if start is not None and count > 1:
            raise ConfigError(f"--start {options['start']}: there are {count} tracks; specify only one")
        if start is not None and tasks:
            on_track(_track(tasks[0]), start)
        targets: list[Path] = []
        if out is not None:
            if out.suffix.lower() != ".png":
                raise SaveError(f"--out {out}: expected a file name that ends in .png")
            if not out.resolve().parent.is_dir():
                raise SaveError(f"--out {out}: the folder {out.resolve().parent} does not exist")
            if count > 1:
                raise ConfigError(f"--out {out}: there are {count} tracks; use --save DIR to write a picture of each")
            targets.append(out)
        if save is not None:
            targets += [save / f"{task.name}.png" for task in tasks]
        sources = {Path(task.board.path).resolve() for task in tasks if task.board.path}
        for target in targets:
            if target.resolve() in sources and target.exists():
                raise SaveError(f"{target}: this would overwrite the track; choose another file or folder")

    def plan(self, task: Task, options: Options, **limits: Any) -> tuple[Task, Plan]:
        """Return a plan from the best start or from `--start`, and the task with this start."""
        limits.pop("objective", None)
        plan: Any = solve(_track(task), _start(options), **_rules(task), **limits)
        if plan.start is None:
            return task, plan
        # A plan may exceed the default limit on rounds, but not a limit that the user has set.
        rounds = task.recipe[1].get("max_rounds", max(RaceRules().max_rounds, plan.steps))
        return task.change({"max_rounds": rounds}, starts=[plan.start]), plan

    def solve_cells(self, task: Task, row: Any) -> tuple[str, ...]:
        track = _track(task)
        start = getattr(row.plan, "start", None)
        return f"{track.rows}x{track.cols}", str(len(track.starts)), "-" if start is None else "{},{}".format(*start)

    def notes(self, task: Task, row: Any, options: Options, seconds: float) -> Notes:
        """Return the starts, grouped by the minimum number of steps to the finish (`--every-start`)."""
        if not options.get("every_start") or not row.won:
            return Notes()
        track = _track(task)
        try:
            steps = fewest(track, time_limit=seconds, **_rules(task))
        except (TimeoutError, MemoryError, KeyboardInterrupt) as reason:
            stopped = isinstance(reason, KeyboardInterrupt)
            return Notes((f"  every start: {reason or 'stopped'}",), True, stopped)
        lines = []
        for count in sorted(set(steps.values())):
            starts = [start for start, number in steps.items() if number == count]
            label = f"{count:>4} step{'s' * (count != 1)} from"
            lines.append(f"  {label:<15} {_cells(starts, 18)}")
        if without := [start for start in track.starts if start not in steps]:
            lines.append(f"  no route from   {_cells(without, 18)}")
        return Notes(tuple(lines))

    def log_line(self, env: Any, action: Any) -> str:
        car, why = env.cars[0], env.why_invalid()
        illegal = f"  illegal: {why}" if why else ""
        return f"{action}  to {car.col},{car.row}  velocity {car.dcol},{car.drow}{illegal}"

    def solution(self, task: Task, row: Any, width: int) -> Any:
        """Return the track with the path on it, and the cells of the path."""
        if not row.won:
            return None
        track, positions = _track(task), positions_of(task, row.actions)
        text = Text(no_wrap=True)
        if track.rows <= TALLEST and track.cols <= min(WIDEST, width):
            text.append_text(drawn(track, positions)).append("\n\n")
        return text.append(_cells(positions, 0, min(width, WIDE)))

    def save(self, task: Task, row: Any, folder: Path) -> None:
        if row.won:
            path = folder / f"{task.name}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            _save_picture(task, row, path)

    def write(self, out: Path, solved: Sequence[tuple[Task, Any]]) -> str:
        for task, row in solved:
            _save_picture(task, row, out)
        return f"a picture of the route is in {out}" if solved else "there is no route to draw"

    # --- shover tournament

    def player_figures(self, env: Any, player: int) -> dict[str, float]:
        car = env.cars[player]
        return {"steps": int(car.steps), "penalties": int(car.penalties)}

    def best_alone(self, env: Any) -> list[float | None]:
        steps = _fewest_on(env.track, env.rules.line, env.rules.finish)
        return [steps.get((int(car.col), int(car.row))) for car in env.cars]

    def idle_action(self, env: Any) -> int:
        return KEEP


@lru_cache(maxsize=64)
def _fewest_on(track: Track, line: Line, finish: Finish) -> dict[tuple[int, int], int]:
    return fewest(track, line, finish)


def _track(task: Task) -> Track:
    return task.board.level.track


def _rules(task: Task) -> dict[str, Any]:
    """Return the rules that affect the path."""
    usual, keywords = RaceRules(), task.recipe[1]
    return {"line": keywords.get("line", usual.line), "finish": keywords.get("finish", usual.finish)}


def _start(options: Options) -> tuple[int, int] | None:
    given = options.get("start")
    if given is None:
        return None
    found = re.fullmatch(r"\s*\(?\s*(\d{1,6})\s*[,;]\s*(\d{1,6})\s*\)?\s*", given, re.ASCII)
    if not found:
        raise ConfigError(
            f"--start {given}: expected a cell as X,Y, such as 3,1: the column and the row, counted from 0"
        )
    return int(found[1]), int(found[2])


def positions_of(task: Task, actions: Sequence[int]) -> list[tuple[int, int]]:
    """Return the cells (x, y) of the car before, between and after these actions."""
    env: Any = task.start()
    positions = [(int(env.cars[0].col), int(env.cars[0].row))]
    for action in actions:
        env.step(action)
        positions.append((int(env.cars[0].col), int(env.cars[0].row)))
    return positions


def _save_picture(task: Task, row: Any, path: Path) -> None:
    rules = _rules(task)
    notes = ["optimal"] if row.proved else []
    if tuple(rules.values()) != (RaceRules().line, RaceRules().finish):
        notes += rules.values()
    caption = f"{_track(task).title or task.name}: {row.steps} step{'s' * (row.steps != 1)}"
    caption += f" ({', '.join(notes)})" if notes else ""
    picture = io.BytesIO()
    Image.fromarray(way_picture(_track(task), positions_of(task, row.actions), caption)).save(picture, "PNG")
    write_safely(path, picture.getvalue(), make_folder=False)


def _cells(cells: Sequence[tuple[int, int]], indent: int, width: int = NARROW) -> str:
    text = "  ".join("{},{}".format(*cell) for cell in cells)
    margin = " " * indent  # the caller indents the first line
    return fill(text, width, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False)[indent:]


def drawn(track: Track, positions: Sequence[tuple[int, int]]) -> Text:
    """Return the track as symbols, with the last digit of the step number on each landing cell.

    The cells that the car passes over are blank.
    """
    rows = [list(row) for row in track.to_text("symbols").splitlines() if not row.startswith("//")]
    for (a, b), (x, y) in pairwise(positions):
        steps = max(abs(x - a), abs(y - b))
        for step in range(1, steps):
            along, down = round(a + (x - a) * step / steps), round(b + (y - b) * step / steps)
            if rows[down][along] == ".":
                rows[down][along] = " "
    for number, (x, y) in enumerate(positions):
        rows[y][x] = str(number % 10)
    styles = {"#": "dim green", ".": "dim", "S": "blue", "F": "bold white"}
    text = Text(no_wrap=True)
    for row in rows:
        for symbol in row:
            text.append(symbol, styles.get(symbol, "bold yellow"))
        text.append("\n")
    text.rstrip()
    return text


REPORTS = RaceReports()
