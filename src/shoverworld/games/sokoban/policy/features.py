# pyright: basic
"""The features of a push, and the list of pushes that a policy chooses from.

The board around the box is seen with the push pointing up, as patterns of 3 x 3 cells. A pattern on the left and its
mirror image on the right share one weight, so the policy plays mirrored boards alike.

    seven codes for a cell: wall; floor or target, each with or without the player's reach; box; box on a target

Pushes into dead cells, into frozen boxes and into positions without a matching of boxes to targets are left out.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, rare
from shoverworld.core.policy import index_of, mixed

from ..solver.freeze import BOX, EMPTY, WALL, freezes
from ..solver.matching import Matching, match_all, new_matching, rematch
from ..solver.search import walk
from ..solver.tables import FAR, step

VERSION = 1  # of the features; a model fits only the version that it was trained with
# Patterns are centred at most this many cells from the box, in the windows before and after the push.
BEFORE, AFTER = 3, 2
_NEAR = 3  # other boxes and targets that are features of their own
_JOINT = 17  # the features in `write_joint`
FEATURES = (2 * BEFORE + 1) ** 2 + (2 * AFTER + 1) ** 2 + 2 * _NEAR + _JOINT
_MARGIN = BEFORE + 2  # how far a window may reach beyond the frame
_SIDE = 2 * BEFORE + 3  # cells of the window


class PushWorkspace(NamedTuple):
    """Scratch memory, and the pushes that `list_pushes` found."""

    board: np.ndarray  # uint8 (cells,)
    cells: np.ndarray  # int64 (n,): the cells of the boxes
    goals: np.ndarray  # int64 (n,): the cells of the targets
    walked: np.ndarray  # int64 (cells,)
    area: np.ndarray  # int64 (cells,): like `walked`, for the position after a push
    steps: np.ndarray  # int64 (cells,)
    queue: np.ndarray  # int64 (cells,)
    stamp: np.ndarray  # int64 (1,)
    codes: np.ndarray  # uint8 (cells,): the code of every cell
    inside: np.ndarray  # int64: the cell for each cell of a board with margins
    placed: np.ndarray  # int64 (cells,): the inverse of `inside`
    window: np.ndarray  # int64 (side, side): codes, seen with the push pointing up
    columns: np.ndarray  # int64 (side, side): three codes one above the other
    matching: Matching
    child_matching: Matching
    box: np.ndarray  # int64 (4 n,): the number of the box that each push moves
    direction: np.ndarray  # int64 (4 n,)
    player: np.ndarray  # int64 (4 n,): the first cell of the player's area after the push
    bound: np.ndarray  # int64 (4 n,): the lower bound after the push


def new_push_workspace(width: int, cells: int, n: int) -> PushWorkspace:
    rows, wide = cells // width, width + 2 * _MARGIN
    inside = np.zeros((rows + 2 * _MARGIN, wide), np.int64)  # cell 0 is a wall
    inside[_MARGIN:-_MARGIN, _MARGIN:-_MARGIN] = np.arange(cells).reshape(rows, width)
    row, col = np.divmod(np.arange(cells), width)
    numbers = [np.zeros(cells, np.int64) for _ in range(4)]
    pushes = [np.zeros(4 * n, np.int64) for _ in range(4)]
    return PushWorkspace(
        np.zeros(cells, np.uint8), np.zeros(n, np.int64), np.zeros(n, np.int64), numbers[0], numbers[1], numbers[2], numbers[3],
        np.zeros(1, np.int64), np.zeros(cells, np.uint8), inside.reshape(-1), (row + _MARGIN) * wide + col + _MARGIN,
        np.zeros((_SIDE, _SIDE), np.int64), np.zeros((_SIDE, _SIDE), np.int64),
        new_matching(n), new_matching(n), pushes[0], pushes[1], pushes[2], pushes[3],
    )  # fmt: skip


@inner
def for_boxes(w, n):
    """Return the workspace for a level with n boxes, which may be fewer than it has room for."""
    return PushWorkspace(
        w.board, w.cells[:n], w.goals[:n], w.walked, w.area, w.steps, w.queue, w.stamp, w.codes, w.inside, w.placed,
        w.window, w.columns, w.matching, w.child_matching, w.box, w.direction, w.player, w.bound,
    )  # fmt: skip


@inner
def write_codes(tables, board, walked, stamp, codes, goals):
    """Write the code of every cell and list the targets. Return the boxes on targets and the size of the area."""
    on_target, area, number = 0, 0, 0
    for cell in range(len(board)):
        if tables.target[cell]:
            goals[number] = cell
            number += 1
        if board[cell] == WALL:
            codes[cell] = 0
        elif board[cell] == BOX:
            codes[cell] = 6 if tables.target[cell] else 5
            on_target += tables.target[cell]
        else:
            reached = walked[cell] == stamp
            area += reached
            codes[cell] = (3 if tables.target[cell] else 1) + reached
    return on_target, area


@inner
def to_the_right(width, direction):
    """Return the step to the right for someone who looks in this direction."""
    if direction < 2:
        return 1 if direction == 0 else -1
    return -width if direction == 2 else width


@inner
def write_window(w, width, centre, direction, reach):
    """Write the window around a cell, with the direction pointing up, and its columns of three cells."""
    wide = width + 2 * _MARGIN
    up, right = step(wide, direction), to_the_right(wide, direction)
    side = 2 * reach + 3
    corner = w.placed[centre] + (reach + 1) * (up - right)
    for row in range(side):
        at = corner - row * up
        for col in range(side):
            w.window[row, col] = w.codes[w.inside[at + col * right]]
    for row in range(1, side - 1):
        for col in range(side):
            w.columns[row, col] = w.window[row - 1, col] | w.window[row, col] << 3 | w.window[row + 1, col] << 6


@inner
def pattern(columns, row, col, mirrored):
    """Return nine codes as one number, or those of the mirror image."""
    left, right = columns[row, col - 1], columns[row, col + 1]
    if mirrored:
        left, right = right, left
    return left | columns[row, col] << 9 | right << 18


@inner
def middle_pattern(columns, row, col):
    """Return the same number for a pattern on the axis and for its mirror image."""
    return min(pattern(columns, row, col, False), pattern(columns, row, col, True))


@inner
def write_patterns(w, reach, kind, out, place, size):
    """Write one feature for each pattern of the window. Return the next free place."""
    side = 2 * reach + 3
    middle = reach + 1
    for row in range(1, side - 1):
        for col in range(1, side - 1):
            if col == middle:
                code = middle_pattern(w.columns, row, col)
            else:
                code = pattern(w.columns, row, col, col < middle)
            where = (kind * 16 + row) * 16 + abs(col - middle)
            out[place] = index_of(mixed(mixed(np.uint64(where), np.uint64(code)), np.uint64(7)), size)
            place += 1
    return place


@inner
def symmetric(left, right):
    """Return one hash for two numbers in either order."""
    return mixed(mixed(np.uint64(3), np.uint64(min(left, right))), np.uint64(max(left, right)))


@inner
def offset(width, origin, cell, direction):
    """Return the place of a cell seen from another with the direction pointing up, without left and right."""
    down, across = cell // width - origin // width, cell % width - origin % width
    if direction == 1:
        down = -down
    elif direction == 2:
        down, across = across, down
    elif direction == 3:
        down, across = -across, down
    return (down + 64) * 128 + abs(across)


@inner
def wide_pattern(columns, row, middle, reach):
    """Return one hash for a pattern of three rows and its mirror image."""
    left, right = np.uint64(1), np.uint64(1)
    for away in range(1, reach + 1):
        left = mixed(left, np.uint64(columns[row, middle - away]))
        right = mixed(right, np.uint64(columns[row, middle + away]))
    return mixed(np.uint64(columns[row, middle]), symmetric(left, right))


@inner
def sides_code(tables, w, to, direction, stamp):
    """Return which sides of the box the player reaches after the push, and where the box can go from there."""
    code = 0
    for turn in range(4):
        there = direction if turn == 0 else direction ^ 1
        ahead = (
            step(tables.width, there) if turn < 2 else to_the_right(tables.width, direction) * (1 if turn == 2 else -1)
        )
        near = to + ahead
        bits = 0
        if w.board[near] == EMPTY:
            bits = 1 + (w.area[near] == stamp) + 2 * (not tables.dead[near])
        code = code * 8 + bits
    left, right = code & 7, code >> 3 & 7
    return code >> 6 << 6 | min(left, right) << 3 | max(left, right)


@inner
def feature(kind, code, size):
    return index_of(mixed(mixed(np.uint64(1000 + kind), code), np.uint64(7)), size)


@inner
def write_nearest(width, w, to, moved, direction, scalar, out, place, size):
    """Write the places of the nearest other boxes and the nearest targets, seen from the pushed box."""
    for kind in range(2):
        last = -1
        for _ in range(_NEAR):
            nearest, found = 1 << 30, -1
            for i in range(len(w.cells)):
                if kind == 0 and i == moved:
                    continue
                cell = w.goals[i] if kind else w.cells[i]
                far = (abs(cell // width - to // width) + abs(cell % width - to % width)) * 4096 + cell
                if last < far < nearest:
                    nearest, found = far, cell
            code = np.uint64(0)
            if found >= 0:
                code = mixed(np.uint64(offset(width, to, found, direction)), np.uint64(w.codes[found]))
                last = nearest
            out[place] = feature(20 + kind, mixed(code, scalar), size)
            place += 1
    return place


@inner
def matched_goal(m, w, box):
    """Return the target that the matching gives to a box."""
    for k in range(1, len(w.cells) + 1):
        if m.owner[k] == box + 1:
            return w.goals[k - 1]
    return 0


@inner
def last_push_code(width, cell, direction, last_to, last_direction):
    """Return how the push relates to the one before it: same box, turn, and where that box is."""
    if last_to < 0:
        return 0
    if last_to != cell:
        return 8 + offset(width, cell, last_to, direction)
    if last_direction == direction:
        return 1
    return 2 if last_direction == direction ^ 1 else 3


@inner
def grown(after, before):
    """Return the change of the player's area in seven classes."""
    change = after - before
    if abs(change) <= 1:
        return change + 3
    if abs(change) <= 5:
        return 1 if change < 0 else 5
    return 0 if change < 0 else 6


@rare
def write_features(tables, w, push, bound, on_target, area, last_to, last_direction, out, size):
    """Write the features of one push. The board is still the one before the push, except for `w.area`."""
    width = tables.width
    i, direction = w.box[push], w.direction[push]
    cell = w.cells[i]
    to = cell + step(width, direction)
    goal = matched_goal(w.matching, w, i)
    change = max(-1, min(2, w.bound[push] - bound))
    on = tables.target[cell] * 2 + tables.target[to]
    last = last_push_code(width, cell, direction, last_to, last_direction)
    small = np.uint64((change + 1) * 4 + on)
    scalar = mixed(mixed(small, np.uint64(min(last, 8))), np.uint64(min(4, len(w.cells) - on_target)))
    write_window(w, width, cell, direction, BEFORE)
    place = write_patterns(w, BEFORE, 0, out, 0, size)
    middle = BEFORE + 1
    at_box = np.uint64(middle_pattern(w.columns, middle, middle))
    at_front = np.uint64(middle_pattern(w.columns, middle - 2, middle))
    line = np.uint64(0)
    for row in range(_SIDE):
        line = line << np.uint64(3) | np.uint64(w.window[row, middle])
    ahead = wide_pattern(w.columns, middle - 1, middle, 2)
    out[place] = feature(0, scalar, size)
    out[place + 1] = feature(1, mixed(scalar, at_box), size)
    out[place + 2] = feature(2, mixed(scalar, at_front), size)
    out[place + 3] = feature(3, mixed(scalar, line), size)
    out[place + 4] = feature(4, mixed(small, ahead), size)
    out[place + 5] = feature(5, mixed(small, wide_pattern(w.columns, middle - 2, middle, 3)), size)
    out[place + 6] = feature(6, mixed(mixed(ahead, wide_pattern(w.columns, middle - 3, middle, 2)), small), size)
    out[place + 7] = feature(7, mixed(mixed(np.uint64(last), small), np.uint64(0)), size)
    out[place + 8] = feature(8, mixed(mixed(np.uint64(last), small), at_box), size)
    here = np.uint64(offset(width, to, goal, direction))
    out[place + 9] = feature(9, mixed(here, scalar), size)
    out[place + 10] = feature(10, mixed(mixed(here, small), at_front), size)
    remaining = np.uint64(min(40, w.bound[push]))
    out[place + 11] = feature(11, mixed(remaining, scalar), size)
    place = write_nearest(width, w, to, i, direction, small, out, place + 12, size)

    # The board after the push.
    stamp = w.stamp[0]
    w.board[cell], w.board[to] = EMPTY, BOX
    after = 0
    for near in range(len(w.board)):
        if w.board[near] == EMPTY:
            reached = w.area[near] == stamp
            after += reached
            w.codes[near] = (3 if tables.target[near] else 1) + reached
    w.codes[to] = 6 if tables.target[to] else 5
    write_window(w, width, to, direction, AFTER)
    place = write_patterns(w, AFTER, 1, out, place, size)
    middle = AFTER + 1
    at_box = np.uint64(middle_pattern(w.columns, middle, middle))
    sides = np.uint64(sides_code(tables, w, to, direction, stamp))
    change_of_area = np.uint64(grown(after, area))
    out[place] = feature(12, mixed(scalar, at_box), size)
    out[place + 1] = feature(13, mixed(scalar, sides), size)
    out[place + 2] = feature(14, mixed(mixed(scalar, change_of_area), np.uint64(0)), size)
    out[place + 3] = feature(15, mixed(mixed(sides, here), small), size)
    out[place + 4] = feature(16, mixed(mixed(small, change_of_area), at_box), size)
    w.board[cell], w.board[to] = BOX, EMPTY


@rare
def list_pushes(tables, w, boxes, player, last_to, last_direction, features, describe):
    """List the pushes of a position and write their features. Return their number and the bound of the position.

    last_to, last_direction: the cell of the box that was pushed last, and that direction; -1 if there is none.
    describe: the size of the policy's table, or 0 to write no features.
    """
    width, board, cells = tables.width, w.board, w.cells
    for cell in range(len(board)):
        board[cell] = WALL if tables.wall[cell] else EMPTY
    for i in range(len(cells)):
        cells[i] = boxes[i]
        board[cells[i]] = BOX
    w.stamp[0] += 1
    here = w.stamp[0]
    walk(width, board, player, here, w.walked, w.steps, w.queue)
    bound = match_all(w.matching, tables.distance, cells)
    count = 0
    for i in range(len(cells)):
        cell = cells[i]
        for direction in range(4):
            ahead = step(width, direction)
            to = cell + ahead
            if w.walked[cell - ahead] != here or board[to] != EMPTY or tables.dead[to]:
                continue
            board[cell], board[to], cells[i] = EMPTY, BOX, to
            after = FAR
            if not freezes(tables, board, cells, to):
                after = rematch(w.child_matching, w.matching, tables.distance, cells, i + 1)
            if after < FAR:
                w.box[count], w.direction[count], w.bound[count] = i, direction, after
                count += 1
            board[cell], board[to], cells[i] = BOX, EMPTY, cell
    for push in range(count):
        cell = cells[w.box[push]]
        to = cell + step(width, w.direction[push])
        board[cell], board[to] = EMPTY, BOX
        w.stamp[0] += 1
        w.player[push] = walk(width, board, cell, w.stamp[0], w.area, w.steps, w.queue)
        board[cell], board[to] = BOX, EMPTY
        if describe:
            on_target, area = write_codes(tables, board, w.walked, here, w.codes, w.goals)
            write_features(tables, w, push, bound, on_target, area, last_to, last_direction, features[push], describe)
    return count, bound
