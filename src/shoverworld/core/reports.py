"""The game-specific parts of the tables and files that the commands write.

The defaults add nothing. A game overrides the defaults in `games/NAME/reports.py` where necessary.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import ConfigError

if TYPE_CHECKING:
    from .env import GridEnv
    from .game import EnvId
    from .plan import Action, Plan
    from .task import Task
    from .ui import Board

Options = Mapping[str, Any]  # values of command-line options, keyed by name


class Column(NamedTuple):
    """A table column: its heading, whether its cells are right-aligned, and whether its cells may be wrapped."""

    heading: str
    right: bool = False
    wraps: bool = False


class Reports:
    """The parts of reports that differ between games."""

    level_columns: tuple[Column, ...] = ()  # columns of `shover maps` after the name
    id_columns: tuple[str, ...] = ()  # columns of `shover envs` after the id
    solve_columns: tuple[str, ...] = ()  # columns of `shover solve` after the statistics

    def level_cells(self, board: "Board") -> tuple[str, ...]:
        return ()

    def id_cells(self, id: "EnvId") -> tuple[str, ...]:
        return ()

    def title(self, board: "Board") -> str:
        """Return the level's own title for tables, or "" if the level has none."""
        return ""

    # --- shover solve

    def check(self, tasks: Sequence["Task"], options: Options, out: Path | None, save: Path | None) -> None:
        """Raise an error if the options are not valid for these tasks.

        This method is called before anything is solved or written.
        """
        if out is not None:
            raise ConfigError(f"--out {out}: this game has no solution files; --save DIR writes replays")

    def plan(self, task: "Task", options: Options, **limits: Any) -> "tuple[Task, Plan]":
        """Return a task and a plan for that task.

        The returned task may differ from the given one, because a game may choose between several starts. `limits`
        contains keyword arguments for `Game.plan`.
        """
        return task, task.game.plan(task.start(), **limits)

    def heading(self, task: "Task") -> str:
        """Return the text to print above the table if there is only one level."""
        return ""

    def solve_cells(self, task: "Task", row: Any) -> tuple[str, ...]:
        """Return the cells for `solve_columns`. `row` is the result (agents/match.py)."""
        return ()

    def notes(self, task: "Task", row: Any, options: Options, seconds: float) -> "Notes":
        """Return the lines below the row of a level. `seconds` is the time left for the level."""
        return Notes()

    def log_line(self, env: "GridEnv", action: "Action") -> str | None:
        """Return the `--log` line for a step that the environment has just played, or None to use the general form."""
        return None

    def solution(self, task: "Task", row: Any, width: int) -> Any:
        """Return a description of the solution, to be printed at the end if there is only one level, or None."""
        return None

    def save(self, task: "Task", row: Any, folder: Path) -> None:
        """Write any files that belong to a solution in addition to its replay."""

    def write(self, out: Path, solved: Sequence[tuple["Task", Any]]) -> str:
        """Write the solutions to the solved tasks into one file, and return a line that describes the file."""
        raise NotImplementedError

    # --- shover tournament

    def player_figures(self, env: "GridEnv", player: int) -> dict[str, float]:
        """Return the statistics of one of several players. The first name in `Game.figures` determines the ranking."""
        return env.figures()

    def best_alone(self, env: "GridEnv") -> list[float | None]:
        """Return the best value of the first statistic in `Game.figures` that each player could reach without rivals.

        Call this just after a reset.
        """
        return [None]

    def idle_action(self, env: "GridEnv") -> "Action":
        """Return the action for a player who is out of the game. The default is the first valid action."""
        return env.valid_actions()[0]


class Notes(NamedTuple):
    """The lines below a row of `shover solve`.

    undecided: whether a search for these lines ended without an answer. interrupted: whether Ctrl-C was pressed.
    """

    lines: tuple[str, ...] = ()
    undecided: bool = False
    interrupted: bool = False


REPORTS = Reports()
