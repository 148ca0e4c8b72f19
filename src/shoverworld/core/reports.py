"""Reports: what a game adds to the tables and files of the commands.

The defaults serve a game that adds nothing. A game overrides what differs in `games/NAME/reports.py`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .errors import ConfigError

if TYPE_CHECKING:
    from .env import GridEnv
    from .game import EnvId
    from .plan import Action, Plan
    from .task import Task
    from .ui import Board

Options = Mapping[str, Any]  # of the command line, by their names


class Column(NamedTuple):
    """A column of a table: its heading, and whether its cells are aligned to the right."""

    heading: str
    right: bool = False


class Reports:
    """The parts of reports that differ between games."""

    level_columns: tuple[Column, ...] = ()  # of `shover maps`, after the name
    id_columns: tuple[str, ...] = ()  # of `shover envs`, after the id
    solve_columns: tuple[str, ...] = ()  # of `shover solve`, after the figures

    def level_cells(self, board: "Board") -> tuple[str, ...]:
        return ()

    def id_cells(self, id: "EnvId") -> tuple[str, ...]:
        return ()

    def title(self, board: "Board") -> str:
        """The title that the level itself has, for tables; "" leaves the column out."""
        return ""

    # --- shover solve

    def check(self, tasks: Sequence["Task"], options: Options, out: Path | None, save: Path | None) -> None:
        """Raise an error if the options do not fit these tasks, before anything is solved or written."""
        if out is not None:
            raise ConfigError(f"--out {out}: this game has no solution files; --save DIR writes replays")

    def plan(self, task: "Task", options: Options, **limits: Any) -> "tuple[Task, Plan]":
        """A plan for a task, and the task that the plan belongs to: a game may choose among starts.
        `limits`: the keywords of `Game.plan`."""
        return task, task.game.plan(task.start(), **limits)

    def heading(self, task: "Task") -> str:
        """The text above the table if there is only one level."""
        return ""

    def solve_cells(self, task: "Task", row: Any) -> tuple[str, ...]:
        """The cells below `solve_columns`. `row`: the result (agents/match.py)."""
        return ()

    def notes(self, task: "Task", row: Any, options: Options, seconds: float) -> "Notes":
        """Lines below the row of a level; `seconds` are left of the time limit."""
        return Notes()

    def log_line(self, env: "GridEnv", action: "Action") -> str | None:
        """A step of `--log`, after the environment played it; None: the general form."""
        return None

    def solution(self, task: "Task", row: Any, width: int) -> Any:
        """A text about the solution for the end of the output if there is only one level; None: nothing."""
        return None

    def save(self, task: "Task", row: Any, folder: Path) -> None:
        """Write what belongs to a solution besides its replay."""

    def write(self, out: Path, solved: Sequence[tuple["Task", Any]]) -> str:
        """Write the solutions of the won tasks to one file, and return a line about it."""
        raise NotImplementedError

    # --- shover tournament

    def player_figures(self, env: "GridEnv", player: int) -> dict[str, float]:
        """The figures of one of several players. The first of `Game.figures` decides the place."""
        return env.figures()

    def best_alone(self, env: "GridEnv") -> list[float | None]:
        """For each player, just after the reset: the best first figure that a player without rivals can reach."""
        return [None]

    def idle_action(self, env: "GridEnv") -> "Action":
        """The action of a player who is out of the game: the first valid one."""
        return int(np.flatnonzero(env.action_mask())[0])


class Notes(NamedTuple):
    """Lines below a row of `shover solve`; `undecided`: a question stayed open, `interrupted`: Ctrl-C was pressed."""

    lines: tuple[str, ...] = ()
    undecided: bool = False
    interrupted: bool = False


REPORTS = Reports()
