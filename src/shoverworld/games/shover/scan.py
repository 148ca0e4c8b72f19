"""Loops over a whole board for the user interface. They are compiled, because a map can have 65,536 cells."""

import numpy as np

from shoverworld.core import sheet as sheets
from shoverworld.core.grid import ahead, cell_at, framed
from shoverworld.core.jit import inner, kernel

from . import rules as rulebook
from .config import WALK
from .measure import NO_WAY, spread
from .state import BARRIER, EMPTY, LAVA
from .tiles import PLAIN_BOX

NEAR, FAR = (214, 60, 20), (40, 60, 160)  # the colours of the shortest and the longest distance to lava
NOWHERE = sheets.rgb(70, 70, 70)  # the colour of cells from which no box can reach lava


@inner
def strengths_differ(board):
    """Return whether the boxes on a framed board differ in strength."""
    first = EMPTY
    for cell in range(len(board)):
        content = int(board[cell])
        if rulebook.is_box(content):
            if first == EMPTY:
                first = content
            if content != first:
                return True
    return False


@kernel
def write_tiles(board, width, tiles):
    """Write the tile of each cell of a framed board. Boxes show their strengths only if the strengths differ."""
    numbered, rows, cols = strengths_differ(board), len(board) // width - 2, width - 2
    for row in range(rows):
        for col in range(cols):
            content = board[cell_at(row, col, width)]
            plain = rulebook.is_box(content) and not numbered
            tiles[row * cols + col] = PLAIN_BOX if plain else content


def tiles_of(grid: np.ndarray) -> np.ndarray:
    """Return the tile for each cell of a map, int16 (rows, cols)."""
    tiles = np.empty(grid.shape, np.int16)
    write_tiles(framed(grid.astype(np.int8), EMPTY), grid.shape[1] + 2, tiles.reshape(-1))
    return tiles


@kernel
def list_changes(old, new, width, target, forward, goals, cells):
    """List the cells of a framed board that changed, row by row, except those that a push explains.

    The push empties the cell `target` and fills the next `goals` cells, each `forward` further. Without a push, `target`
    and `goals` are 0. Return the number of cells, and whether the boxes on the old board differ in strength.
    """
    count = 0
    for cell in range(width, len(new) - width):
        steps = (cell - target) // forward
        if cell % width == 0 or cell % width == width - 1 or (0 < steps <= goals and cell == target + steps * forward):
            continue
        if new[cell] != (EMPTY if cell == target else old[cell]):
            cells[count] = cell
            count += 1
    return count, strengths_differ(old)


@kernel
def mark_reach(state, marks, queue):
    """Mark the cells that the shover can reach over empty cells, including its own cell. Return their number."""
    board, game, width = state.board[0], state.game[0], state.width
    cols = width - 2
    for cell in range(len(marks)):
        marks[cell] = False
    marks[game.row * cols + game.col] = True
    queue[0] = cell_at(game.row, game.col, width)
    done, count = 0, 1
    while done < count:
        cell = queue[done]
        done += 1
        for direction in range(4):
            near = cell + ahead(direction, width)
            place = (near // width - 1) * cols + near % width - 1
            if board[near] == EMPTY and not marks[place]:
                marks[place] = True
                queue[count] = near
                count += 1
    return count


@kernel
def write_distances(sheet, state, rules, queue, pushes, phrase):
    """Write a mark for each cell: the pushes needed to burn a box from there, ignoring other boxes.

    `phrase` is the phrase for a number. On a box or the shover, the mark is fainter, so that the tile stays visible.
    """
    board, game, width = state.board[0], state.game[0], state.width
    rows, cols = len(board) // width - 2, width - 2
    spread(board, width, rules.actor == WALK, queue, pushes)
    most = 2
    for row in range(rows):
        for col in range(cols):
            number = pushes[cell_at(row, col, width)]
            if number < NO_WAY:
                most = max(most, number)
    for row in range(rows):
        for col in range(cols):
            cell = cell_at(row, col, width)
            content, number = board[cell], pushes[cell]
            if content in (LAVA, BARRIER):
                continue
            taken = content != EMPTY or (game.shover and row == game.row and col == game.col)
            strength = 0.2 if taken else 0.4
            if number >= NO_WAY:
                sheets.mark(sheet, sheets.SHADE, row, col, NOWHERE, strength=strength + 0.05)
            else:
                colour, style = colour_between((number - 1) / (most - 1)), sheets.CORNER if taken else sheets.PLAIN
                sheets.mark(
                    sheet, sheets.SHADE, row, col, colour, strength=strength, style=style, phrase=phrase, number=number
                )


@inner
def colour_between(share):
    """Return the colour between NEAR and FAR."""
    red = round(NEAR[0] + (FAR[0] - NEAR[0]) * share)
    green = round(NEAR[1] + (FAR[1] - NEAR[1]) * share)
    blue = round(NEAR[2] + (FAR[2] - NEAR[2]) * share)
    return red * 65536 + green * 256 + blue
