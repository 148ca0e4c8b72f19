"""The columns that Shover-World adds to the tables that the commands print."""

from typing import Any

from shoverworld.core.game import EnvId
from shoverworld.core.reports import Column, Reports
from shoverworld.core.task import Task
from shoverworld.core.ui import Board

from .config import USUAL, Rules
from .state import BARRIER, EMPTY


class ShoverReports(Reports):
    level_columns = (Column("size", True), Column("boxes", True), Column("rules"))
    id_columns = ("rules", "actor", "edge", "size", "steps", "stamina", "forces", "stationary", "pick", "order")
    solve_columns = ("first box",)  # seconds until the first box was removed

    def level_cells(self, board: Board) -> tuple[str, ...]:
        grid = board.level.grid
        boxes = int(((grid > EMPTY) & (grid < BARRIER)).sum())
        return f"{board.level.rows}x{board.level.cols}", str(boxes), board.preset

    def id_cells(self, id: EnvId) -> tuple[str, ...]:
        preset = id.settings.get("rules", USUAL)
        r = Rules.preset(preset)
        return (
            preset, r.actor, r.edge, f"{r.n_rows}x{r.n_cols}", str(r.max_timestep),
            f"{r.initial_stamina:g}", f"{r.initial_force:g}/{r.unit_force:g}", r.stationary, r.pick, r.order,
        )  # fmt: skip

    def solve_cells(self, task: Task, row: Any) -> tuple[str, ...]:
        return ("-" if row.first_success is None else f"{row.first_success:.2f}",)


REPORTS = ShoverReports()
