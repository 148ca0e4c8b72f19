"""Macro moves: one box moves from its cell to any other cell while all other boxes stay where they are.

Backward searches pull boxes instead of pushing them. A move is described by the cell that the box reaches and by the
area that the player is in afterwards, which is represented by its first cell.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, kernel, rare

from .freeze import BOX, EMPTY
from .tables import LevelTables, step


class MacroWorkspace(NamedTuple):
    """Scratch memory for the moves of one box, and the moves of all boxes of a position."""

    queue: np.ndarray  # int64 (8 * cells,): box cell times four, plus the side of the box that the player is on
    came: np.ndarray  # int64 (8 * cells,): the index in `queue` of the previous state
    visited: np.ndarray  # int64 (4 * cells,): the stamp of the last search that reached this state
    seen: np.ndarray  # int64 (cells,): the stamp of the last flood fill that reached this cell
    floor: np.ndarray  # int64 (cells,): the queue of the flood fill
    source: np.ndarray  # int16 (moves,): the box's cell before the move
    to: np.ndarray  # int16 (moves,): the box's cell after the move
    player: np.ndarray  # int16 (moves,)
    index: np.ndarray  # int32 (moves,): the index in `queue`
    numbers: np.ndarray  # int64 (3,): the number of moves, the stamp of `visited`, and the stamp of `seen`


MOVES, VISIT, SEEN = range(3)


def new_macro_workspace(tables: LevelTables, n: int) -> MacroWorkspace:
    cells = len(tables.wall)
    moves = 4 * n * int((~tables.wall).sum())
    return MacroWorkspace(
        np.zeros(8 * cells, np.int64), np.zeros(8 * cells, np.int64), np.zeros(4 * cells, np.int64),
        np.zeros(cells, np.int64), np.zeros(cells, np.int64), np.zeros(moves, np.int16), np.zeros(moves, np.int16),
        np.zeros(moves, np.int16), np.zeros(moves, np.int32), np.zeros(3, np.int64),
    )  # fmt: skip


@inner
def flood(width, board, start, w):
    """Mark the cells that the player can reach with a new stamp in `w.seen`. Return the first of these cells."""
    w.numbers[SEEN] += 1
    stamp = w.numbers[SEEN]
    w.floor[0] = start
    w.seen[start] = stamp
    head, tail, first = 0, 1, start
    while head < tail:
        here = w.floor[head]
        head += 1
        first = min(first, here)
        for direction in range(4):
            near = here + step(width, direction)
            if board[near] == EMPTY and w.seen[near] != stamp:
                w.seen[near] = stamp
                w.floor[tail] = near
                tail += 1
    return first


@inner
def parts_around(width, board, cell):
    """Return into how many parts a box in this cell divides the free cells around it.

    If the result is 1, the box does not divide the area that it is in. If the result is larger, it may.
    """
    up, down = board[cell - width] == EMPTY, board[cell + width] == EMPTY
    left, right = board[cell - 1] == EMPTY, board[cell + 1] == EMPTY
    links = (up and right and board[cell - width + 1] == EMPTY) + np.int64(
        up and left and board[cell - width - 1] == EMPTY
    )
    links += (down and right and board[cell + width + 1] == EMPTY) + np.int64(
        down and left and board[cell + width - 1] == EMPTY
    )
    return 1 if links == 4 else np.int64(up) + down + left + right - links


@rare
def add_box_moves(tables, dead, board, start, player, pull, w):
    """Append all moves of the box in the cell `start` that avoid dead cells. `player` is the first cell of its area."""
    width = tables.width
    w.numbers[VISIT] += 1
    stamp = w.numbers[VISIT]
    first = flood(width, board, player, w)
    tail = 0
    for side in range(4):
        if w.seen[start + step(width, side)] == w.numbers[SEEN]:
            w.queue[0], w.came[0] = start * 4 + side, -1
            tail = 1
            break
    board[start] = EMPTY
    whole = flood(width, board, start, w)  # the box and the player stay in this area
    head = 0
    while head < tail:
        state = w.queue[head]
        cell = state >> 2
        if w.visited[state] == stamp:
            head += 1
            continue
        area, everywhere = whole, cell != whole and parts_around(width, board, cell) == 1
        if not everywhere:
            board[cell] = BOX
            area = flood(width, board, cell + step(width, state & 3), w)
            board[cell] = EMPTY
        if cell != start or area != first:
            move = w.numbers[MOVES]
            w.source[move], w.to[move], w.player[move], w.index[move] = start, cell, area, head
            w.numbers[MOVES] += 1
        for side in range(4):
            out = step(width, side)
            if board[cell + out] != EMPTY or (not everywhere and w.seen[cell + out] != w.numbers[SEEN]):
                continue
            w.visited[cell * 4 + side] = stamp
            to = cell + out if pull else cell - out
            if board[to] != EMPTY or dead[to] or (pull and board[to + out] != EMPTY):
                continue
            if w.visited[to * 4 + side] != stamp:
                w.queue[tail], w.came[tail] = to * 4 + side, head
                tail += 1
        head += 1
    board[start] = BOX


@kernel
def list_box_moves(tables, dead, board, start, player, pull, w):
    """Store the moves of one box in `w`, so that Python can read the single pushes of a move."""
    w.numbers[MOVES] = 0
    add_box_moves(tables, dead, board, start, flood(tables.width, board, player, w), pull, w)


def pushes_of_move(w: MacroWorkspace, to: int, player: int, width: int, pull: bool) -> list[int]:
    """Return the pushes (box cell times four, plus direction) of the listed move to this cell and player area.

    For a pull, return the push that undoes it.
    """
    steps = (-width, width, -1, 1)
    for move in range(int(w.numbers[MOVES])):
        if w.to[move] == to and w.player[move] == player:
            break
    else:
        raise AssertionError("the move is not in the list")
    pushes: list[int] = []
    index = int(w.index[move])
    while w.came[index] >= 0:
        cell, side = divmod(int(w.queue[index]), 4)
        out = steps[side]
        if pull:  # the box came to `cell` in the direction of `side`; the push moves it back
            pushes.append(cell * 4 + (side ^ 1))
        else:
            pushes.append((cell + out) * 4 + (side ^ 1))
        index = int(w.came[index])
    return pushes if pull else pushes[::-1]
