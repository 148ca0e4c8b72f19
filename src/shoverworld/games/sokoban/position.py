"""Functions that query a position and encode actions. They run as plain Python and compiled to WebAssembly.

A cell is row * columns + column. The border of a room consists of walls, so cell 0 means "no cell".
"""

from shoverworld.core.cells import OPPOSITE
from shoverworld.core.jit import both, shared

from .rules import NOTHING, PULL, PUSH
from .sentences import TO_RULES, box_at, cell_ahead, meaning_of, player_cell
from .state import BOX, PLAYER, TARGET, WALL

NO_CELL = 0
NOBODY = -1
PULL_ACTIONS = 12  # the number of actions of a player who can pull


@both
def player_count(state):
    return state.planes.shape[1] - PLAYER


@both
def on_board(state, row, col):
    return 0 <= row < state.planes.shape[2] // state.width and 0 <= col < state.width


@both
def is_wall(state, cell):
    return state.planes[0, WALL, cell] != 0


@both
def target_at(state, cell):
    """Return the number of the target in a cell: 1 if targets have no numbers, 0 if the cell has no target."""
    return int(state.planes[0, TARGET, cell])


@shared
def player_at(state, cell):
    """Return the player in a cell, or NOBODY."""
    if cell == player_cell(state, 0):
        return 0
    return 1 if player_count(state) > 1 and cell == player_cell(state, 1) else NOBODY


@shared
def is_free(state, cell):
    """Return whether a cell contains no wall, box or player."""
    return state.planes[0, WALL, cell] == 0 and state.planes[0, BOX, cell] == 0 and player_at(state, cell) == NOBODY


@both
def allows_pulls(rules):
    return rules.actions_each == PULL_ACTIONS


@shared
def action_of(rules, who, kind, direction):
    """Return the code of an action.

    `who` is the player (0 or 1), `kind` is PUSH, MOVE or PULL, and `direction` is numbered as in core/grid.py. If the
    rules have only four actions, each of them is a push.
    """
    wanted = PUSH if rules.first_code else kind
    return 1 - rules.first_code + who * rules.actions_each + 4 * wanted + TO_RULES[direction]


@shared
def action_cell(state, rules, action):
    """Return the cell of the box that an action moves, or else the cell that the player walks to.

    Return NO_CELL for a no-op.
    """
    who, kind, direction = meaning_of(rules, action)
    if kind == NOTHING:
        return NO_CELL
    here = player_cell(state, who)
    behind = cell_ahead(here, OPPOSITE[direction], state.width)
    return behind if kind == PULL and box_at(state, behind) else cell_ahead(here, direction, state.width)
