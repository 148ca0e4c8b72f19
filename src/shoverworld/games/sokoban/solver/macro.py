"""Macro moves: one box moves from its cell to any other cell while all other boxes stay where they are.

Backward searches pull boxes instead of pushing them. A move is described by the cell that the box reaches and by the
area that the player is in afterwards, which is represented by its first cell.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, kernel, rare

from .division import REST, Division, divide, new_division, part_with, parts_of
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
    areas: np.ndarray  # int16 (moves,): the number of areas after the move
    reach: np.ndarray  # int16 (moves,): the size of the player's area after the move
    area: np.ndarray  # int64 (cells,): the first cell of the area that contains this free cell
    alone: np.ndarray  # int64 (cells, 3): areas, size and first cell of the player's area without this cell's box
    division: Division
    numbers: np.ndarray  # int64 (4,): the number of moves, the stamps of `visited` and `seen`, and the number of areas


MOVES, VISIT, SEEN, AREA_COUNT = range(4)


def new_macro_workspace(tables: LevelTables, n: int) -> MacroWorkspace:
    cells = len(tables.wall)
    moves = 4 * n * int((~tables.wall).sum())
    return MacroWorkspace(
        np.zeros(8 * cells, np.int64), np.zeros(8 * cells, np.int64), np.zeros(4 * cells, np.int64),
        np.zeros(cells, np.int64), np.zeros(cells, np.int64), np.zeros(moves, np.int16), np.zeros(moves, np.int16),
        np.zeros(moves, np.int16), np.zeros(moves, np.int32), np.zeros(moves, np.int16), np.zeros(moves, np.int16),
        np.zeros(cells, np.int64), np.zeros((cells, 3), np.int64), new_division(cells), np.zeros(4, np.int64),
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


@rare
def find_areas(width, board, player, w):
    """Find the area of each free cell, for `add_box_moves`. Return the size of the player's area."""
    w.numbers[SEEN] += 1
    stamp, count, reach = w.numbers[SEEN], 0, 0
    for start in range(len(board)):
        if board[start] != EMPTY or w.seen[start] == stamp:
            continue
        count += 1
        w.floor[0] = start
        w.seen[start] = stamp
        head, tail, is_players = 0, 1, False
        while head < tail:
            here = w.floor[head]
            head += 1
            w.area[here] = start
            is_players = is_players or here == player
            for direction in range(4):
                near = here + step(width, direction)
                if board[near] == EMPTY and w.seen[near] != stamp:
                    w.seen[near] = stamp
                    w.floor[tail] = near
                    tail += 1
        if is_players:
            reach = tail
    w.numbers[AREA_COUNT] = count
    return reach


@inner
def take_away(width, board, start, w):
    """Take the box in the cell `start` off the board. Return the first cell of its area and the number of other areas."""
    root, others = start, w.numbers[AREA_COUNT]
    for direction in range(4):
        near = start + step(width, direction)
        if board[near] != EMPTY:
            continue
        root = min(root, w.area[near])
        is_new = True
        for earlier in range(direction):
            before = start + step(width, earlier)
            is_new = is_new and not (board[before] == EMPTY and w.area[before] == w.area[near])
        others -= is_new
    board[start] = EMPTY
    return root, others


@rare
def add_box_moves(tables, dead, board, start, player, pull, w):
    """Append all moves of the box in the cell `start` that avoid dead cells. `player` is the first cell of its area.

    `find_areas` must have been called for this board.
    """
    width, d = tables.width, w.division
    w.numbers[VISIT] += 1
    stamp = w.numbers[VISIT]
    tail = 0
    for side in range(4):
        near = start + step(width, side)
        if board[near] == EMPTY and w.area[near] == player:
            w.queue[0], w.came[0] = start * 4 + side, -1
            tail = 1
            break
    if tail == 0:
        return
    root, others = take_away(width, board, start, w)
    total = divide(width, board, root, d)  # the box and the player stay in this area
    w.alone[start, 0], w.alone[start, 1], w.alone[start, 2] = others + 1, total, root
    head = 0
    while head < tail:
        state = w.queue[head]
        cell = state >> 2
        if w.visited[state] == stamp:
            head += 1
            continue
        part = part_with(width, board, d, cell, cell + step(width, state & 3))
        area = root if part == REST else d.first[part]
        if cell != start or area != player:
            parts, rest = parts_of(width, board, d, cell, total)
            move = w.numbers[MOVES]
            w.source[move], w.to[move], w.player[move], w.index[move] = start, cell, area, head
            w.areas[move], w.reach[move] = others + parts, rest if part == REST else d.size[part]
            w.numbers[MOVES] += 1
        for side in range(4):
            out = step(width, side)
            if board[cell + out] != EMPTY or part_with(width, board, d, cell, cell + out) != part:
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
    find_areas(tables.width, board, player, w)
    add_box_moves(tables, dead, board, start, w.area[player], pull, w)


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
