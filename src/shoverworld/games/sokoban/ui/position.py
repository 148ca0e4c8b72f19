"""Functions that query a position: its cells, distances to the targets, and action codes.

Rows and columns are counted from 0.
"""

from functools import lru_cache

import numpy as np

from shoverworld.core.ui import Cell

from .. import engine
from ..config import SokobanRules
from ..record import PLAYERS, why_invalid
from ..rules import MOVE, PULL, PUSH
from ..solver.tables import FAR, LevelTables, build_tables
from ..state import BOX, TARGET, WALL, SokobanState

TOWARD = ("up", "to the right", "down", "to the left")
NAMES = PLAYERS


def on_board(state: SokobanState, cell: Cell) -> bool:
    rows, cols = state.size
    return 0 <= cell[0] < rows and 0 <= cell[1] < cols


def player_of(state: SokobanState, who: int = 0) -> Cell:
    return divmod(int(state.game["second" if who else "player"][0]), state.width)


def players_of(state: SokobanState) -> list[Cell]:
    return [player_of(state, who) for who in range(state.players)]


def at(state: SokobanState, plane: int, cell: Cell) -> int:
    return int(state.planes[0, plane, cell[0] * state.width + cell[1]])


def is_wall(state: SokobanState, cell: Cell) -> bool:
    return not on_board(state, cell) or at(state, WALL, cell) != 0


def box_at(state: SokobanState, cell: Cell) -> int:
    """Return the number of the box in a cell: 1 if boxes have no numbers, 0 if the cell has no box."""
    return at(state, BOX, cell) if on_board(state, cell) else 0


def target_at(state: SokobanState, cell: Cell) -> int:
    return at(state, TARGET, cell) if on_board(state, cell) else 0


def is_free(state: SokobanState, cell: Cell) -> bool:
    """Return whether a cell contains no wall, box or player."""
    return not is_wall(state, cell) and not box_at(state, cell) and cell not in players_of(state)


def is_numbered(state: SokobanState) -> bool:
    return int(state.planes[0, TARGET : BOX + 1].max()) > 1


def boxes_of(state: SokobanState) -> list[Cell]:
    width = state.width
    return [divmod(cell, width) for cell in np.flatnonzero(state.planes[0, BOX]).tolist()]


def box_name(state: SokobanState, cell: Cell) -> str:
    """Return "box", or for example "box 3" if boxes are numbered."""
    return f"box {box_at(state, cell)}" if is_numbered(state) else "box"


def the_box(state: SokobanState, cell: Cell) -> str:
    """Return "the box", or for example "box 3" if boxes are numbered."""
    return box_name(state, cell) if is_numbered(state) else "the box"


def target_name(state: SokobanState, cell: Cell) -> str:
    return f"target {target_at(state, cell)}" if is_numbered(state) else "target"


# --- Distances from a lone box to the targets, taken from the solver's tables


def _of(state: SokobanState) -> LevelTables:
    planes = state.planes[0]
    return _tables(planes[WALL].tobytes(), planes[TARGET].tobytes(), state.width)


@lru_cache(maxsize=4)
def _tables(walls: bytes, targets: bytes, width: int) -> LevelTables:
    return build_tables(*(np.frombuffer(plane, np.uint8).reshape(-1, width) for plane in (walls, targets)))


def _board(tables: LevelTables, table: np.ndarray) -> np.ndarray:
    """Return a table without the frame that the solver puts around the level."""
    return table.reshape(-1, tables.width)[1:-1, 1:-1]


def pushes_to_target(state: SokobanState, number: int = 0) -> np.ndarray:
    """Return the minimum number of pushes from each cell to any target, or to target `number`, as int32 (rows, cols).

    The pushes are counted for a box that is alone on the board. The value is FAR if the box cannot reach the target.
    """
    tables = _of(state)
    table = tables.distance.min(axis=1) if not number else tables.distance[:, number - 1]
    return _board(tables, table)


def dead_squares(state: SokobanState) -> np.ndarray:
    """Return the floor cells from which a box cannot reach any target, as bool (rows, cols)."""
    return (pushes_to_target(state) >= FAR) & (state.rooms()[0][WALL] == 0)


def lost_boxes(state: SokobanState) -> np.ndarray:
    """Return the boxes that cannot reach a suitable target, wherever the other boxes are, as bool (rows, cols)."""
    room = state.rooms()[0]
    if room[TARGET].max() <= 1:
        return dead_squares(state) & (room[BOX] != 0)
    lost = np.zeros(room[BOX].shape, bool)
    for row, col in np.argwhere(room[BOX] != 0).tolist():
        lost[row, col] = pushes_to_target(state, int(room[BOX][row, col]))[row, col] >= FAR
    return lost


# --- Actions

TO_RULES = (0, 3, 1, 2)  # the directions up, right, down, left (core/grid.py) as numbered by the rules
FROM_RULES = (0, 2, 3, 1)


def action_of(rules: SokobanRules, who: int, kind: int, direction: int) -> int:
    """Return the code of an action.

    `who` is the player (0 or 1), `kind` is PUSH, MOVE or PULL, and `direction` is numbered as in core/grid.py.
    """
    if not rules.has_noop:
        kind = PUSH
    return rules.has_noop + who * rules.actions_each + 4 * kind + TO_RULES[direction]


def meaning_of(rules: SokobanRules, action: int) -> tuple[int, int, int] | None:
    """Return the player, kind and direction of an action, or None for the no-op."""
    code = int(action) - rules.has_noop
    if code < 0:
        return None
    who, code = divmod(code, rules.actions_each)
    kind, direction = divmod(code, 4)
    return who, (PUSH, MOVE, PULL)[kind], FROM_RULES[direction]


def obstacle(state: SokobanState, cell: Cell, box: str = "a box") -> str:
    """Return what blocks a cell, or "" if the cell is free. `box` is the phrase for a box."""
    if is_wall(state, cell):
        return "a wall"
    if box_at(state, cell):
        return box
    if cell in players_of(state):
        return f"the {NAMES[players_of(state).index(cell)] if state.players > 1 else 'player'}"
    return ""


def why_not(rules: SokobanRules, state: SokobanState, who: int, kind: int, direction: int) -> str:
    """Return the reason why a player cannot carry out an action, or "" if the action is possible."""
    tried = state.copy()
    engine.play(tried, 0, rules.numbers(), rules.reward_numbers(), action_of(rules, who, kind, direction))
    return why_invalid(tried, rules)
