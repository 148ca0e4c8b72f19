"""Sokoban's additions to the tables and files that the commands produce, with solutions in LURD letters."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoverworld.core.checks import whole
from shoverworld.core.errors import SaveError
from shoverworld.core.files import write_safely
from shoverworld.core.game import EnvId
from shoverworld.core.plan import Plan
from shoverworld.core.reports import Options, Reports
from shoverworld.core.task import Task
from shoverworld.core.ui import Board

from .formats import write_levels
from .presets import PRESETS, preset_rules
from .rules import DIRECTIONS


class SokobanReports(Reports):
    id_columns = ("size", "boxes", "steps", "actions", "players", "levels")

    def id_cells(self, id: EnvId) -> tuple[str, ...]:
        rules = preset_rules(id.name)
        size = f"{rules.dim_room[0]}x{rules.dim_room[1]}"
        numbers = rules.num_boxes, rules.max_steps, rules.action_count, rules.players
        return size, *map(str, numbers), PRESETS[id.name].levels or "generated"

    def title(self, board: Board) -> str:
        return board.level.title

    def check(self, tasks: Sequence[Task], options: Options, out: Path | None, save: Path | None) -> None:
        if out is not None and out.is_dir():
            raise SaveError(f"--out {out}: this is a folder; expected a file name")
        if out is not None and not out.resolve().parent.is_dir():
            raise SaveError(f"--out {out}: the folder {out.resolve().parent} does not exist")

        threads_of(options)

    def plan(self, task: Task, options: Options, **limits: Any) -> tuple[Task, Plan]:
        return task, task.game.plan(task.start(), **{"threads": threads_of(options), **limits})

    def heading(self, task: Task) -> str:
        return str(task.board.level)

    def solution(self, task: Task, row: Any, width: int) -> str | None:
        return letters(task, row.actions) if row.won else None

    def write(self, out: Path, solved: Sequence[tuple[Task, Any]]) -> str:
        """Write the levels with their solutions or, if `out` is a .lurd file, only the solutions, one per line."""
        found = [(task.board.level, letters(task, row.actions)) for task, row in solved]
        solutions = [(level, lurd) for level, lurd in found if lurd is not None]
        if out.suffix.lower() == ".lurd":
            write_safely(out, "".join(f"{lurd}\n" for _, lurd in solutions), make_folder=False)
        else:
            write_levels(out, [replace(level, solution=lurd) for level, lurd in solutions])
        return f"{'1 solution' if len(solutions) == 1 else f'{len(solutions)} solutions'} in {out}"


def threads_of(options: Options) -> int:
    threads = options.get("threads")
    return 1 if threads is None else whole("threads", threads, 1, 2)


def letters(task: Task, actions: Sequence[Any]) -> str | None:
    """Return a game in LURD letters, or None if it has two players or pulls, which LURD cannot express.

    A lower-case letter is a walk, and an upper-case letter is a push. Actions without effect are left out.
    """
    env: Any = task.start()
    if env.rules.players != 1:
        return None
    lurd, before = [], {"moves": 0, "pushes": 0}
    for action in actions:
        info = env.step(action)[4]
        way = DIRECTIONS[(action - env.rules.has_noop) % 4][0]
        if info["moves"] > before["moves"]:
            lurd.append(way.upper() if info["pushes"] > before["pushes"] else way)
        before = info
    return None if env.observe()[1]["pulls"] else "".join(lurd)


REPORTS = SokobanReports()
