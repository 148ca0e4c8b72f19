"""Sentences that environments, records and views share: the reasons for invalid actions, and scores.

The functions write rows to a sheet (core/sheet.py). They read the first game of a state.
"""

from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP
from shoverworld.core.jit import both, shared
from shoverworld.core.sheet import SCORE as SCORE_ROW
from shoverworld.core.sheet import row, text

from .phrases import BOX_NUMBER, REASONS, SCORE, THE_BOX
from .queries import has_numbers
from .reasons import BEYOND
from .rules import meaning
from .state import BOX, SOLVED

FROM_RULES = (UP, DOWN, LEFT, RIGHT)  # the directions as numbered by the rules
TO_RULES = (0, 3, 1, 2)  # the directions up, right, down and left (core/grid.py) as numbered by the rules


@both
def player_cell(state, who):
    """Return the cell of a player, 0 for the first or 1 for the second. A cell is row * columns + column."""
    game = state.game[0]
    return int(game.second) if who else int(game.player)


@both
def cell_ahead(cell, direction, width):
    """Return the neighbour of a cell in a direction, which is numbered as in core/grid.py."""
    if direction in (UP, DOWN):
        return cell - width if direction == UP else cell + width
    return cell + 1 if direction == RIGHT else cell - 1


@both
def box_at(state, cell):
    """Return the number of the box in a cell: 1 if boxes have no numbers, 0 if the cell has no box."""
    return int(state.planes[0, BOX, cell])


@both
def meaning_of(rules, action):
    """Return the player, the kind and the direction (core/grid.py) of an action. The kind of a no-op is NOTHING."""
    who, kind, direction = meaning(rules, action)
    return int(who), kind, FROM_RULES[direction]


@shared
def write_box(sheet, state, cell):
    """Write "the box" or, if boxes are numbered, for example "box 3"."""
    if has_numbers(state):
        text(sheet, BOX_NUMBER, box_at(state, cell))
    else:
        text(sheet, THE_BOX)


@shared
def write_reason(sheet, state, who, direction, reason):
    """Write why a player cannot go in a direction. `reason` is an index into the table in reasons.py."""
    if reason > BEYOND:
        write_box(sheet, state, cell_ahead(player_cell(state, who), direction, state.width))
    text(sheet, REASONS[reason], 1 - who)


@shared
def write_why_invalid(sheet, state, rules):
    """Write why the last action was invalid. A valid action has no text."""
    game = state.game[0]
    if game.reason != 0:
        who, _, direction = meaning_of(rules, int(game.last_action))
        write_reason(sheet, state, who, direction, int(game.reason))


@shared
def write_score(sheet, state):
    """Write the score of a solved game: fewer pushes are better, and fewer moves break a tie. A pull is a push."""
    game = state.game[0]
    if game.outcome == SOLVED:
        pushes, moves = int(game.pushes) + int(game.pulls), int(game.moves)
        row(sheet, SCORE_ROW, pushes, moves)
        text(sheet, SCORE, pushes, moves)
