"""The features of the moves of a game: for each move, hashed indices into the table of a policy (core/policy.py).

The features describe the change that a move makes, seen in the direction of the push:

    . . .          the 3 x 3 patterns around the cell E, where a box arrives, and around T, which a box leaves;
    . E .          what lies ahead, behind and to both sides of E and T;
    B B .          how complete the 2 x 2 and 3 x 3 places with E or T are, and how many boxes are near;
    B T .          chain, burnt, cost, squares, stamina, boxes left, and the changes of the planner's own features.

Mirror images share their features, so the policy is the same for a board and its mirror image. A policy for one kind
of actor shares nothing with those for others; everything else that the rules change is visible on the board.
"""

from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.grid import ahead, col_of, row_of
from shoverworld.core.jit import as_record, inner, rare
from shoverworld.core.policy import index_of, mixed

from ..config import ACTION_KINDS, FIRST_SPECIAL
from ..engine import copy_game
from ..planner.boxes import Boxes, new_boxes
from ..planner.distances import FAR, measure_distances
from ..planner.expansion import undo_push
from ..planner.heuristic import (
    ALL_GAPS,
    ALL_TO_LAVA,
    EITHER,
    FAR_BOXES,
    FEATURES,
    GATHER,
    PAIRS,
    THREES,
    Weights,
    features_after_push,
    heuristic,
    measure_features,
    prepare_pushes,
)
from ..planner.moves import ACTIONS, MoveWorkspace, list_moves, make_move, new_move_workspace
from ..state import EMPTY, State, new_state
from .patches import MARGIN, Patches, code_of, new_patches, symmetric_pattern, with_margin, write_patches
from .windows import Windows, best_places, boxes_near, is_near, new_windows, write_windows

VERSION = 1
INDICES = 78  # features of a move
_GENERAL = 13  # the first features, which every move has
_SIGHT = 7  # how far a ray looks
_LEAST = 1e-12  # the planner computes only features with a weight


class FeatureWorkspace(NamedTuple):
    """Scratch arrays for the features of one game."""

    moves: MoveWorkspace
    patches: Patches
    windows: Windows
    boxes: Boxes  # the boxes of the game and the planner's features
    features: np.ndarray
    child_boxes: Boxes  # the same after a move
    child_features: np.ndarray
    distance: np.ndarray  # int32 (2, cells): distances to lava: of the game, and after a special action
    child: State  # the game after a move
    estimates: np.ndarray  # float64 (moves,): the planner's heuristic after each move


def new_feature_workspace(rows: int, cols: int, boxes: int) -> FeatureWorkspace:
    width, cells = cols + 2, (rows + 2) * (cols + 2)
    listed = [(new_boxes(boxes, cells, width), np.zeros(FEATURES, np.int64)) for _ in range(2)]
    return FeatureWorkspace(
        new_move_workspace(cells, boxes),
        new_patches(rows, cols),
        new_windows(cells),
        *listed[0],
        *listed[1],
        np.zeros((2, cells), np.int32),
        new_state(1, rows, cols),
        np.zeros(most_moves(boxes)),
    )


def all_weights(weights: Weights) -> Any:
    """Return weights, of which none is 0, as a record."""
    return as_record(Weights(*(weight or _LEAST for weight in weights)))


def most_moves(boxes: int) -> int:
    """Return the largest number of moves of a game with this many boxes."""
    return 4 * boxes + 8


@inner
def hashed(value, salt, size):
    """Return the index of a feature. `salt` is the number of the feature."""
    return index_of(mixed(np.uint64(salt) * np.uint64(0xD1342543DE82EF95), value), size)


@inner
def clipped(value, low, high):
    """Return the value, limited to the range from `low` to `high`, as a number from 0."""
    return min(max(np.int64(value), low), high) - low


@inner
def pushes_to_lava(distance):
    return min(np.int64(distance), 9) if distance < FAR else 10


@inner
def unordered(one, other):
    """Return a number for two numbers below 32 that does not depend on their order."""
    return min(one, other) * 32 + max(one, other)


@inner
def sight(board, cell, forward):
    """Return the distance to the first cell that is not empty, and its content, as a number below 32."""
    steps, at = 1, cell + forward
    while board[at] == EMPTY and steps < _SIGHT:
        at += forward
        steps += 1
    return steps * 4 + code_of(board[at])


@inner
def squares_seen(game, squares):
    """Return a number below 32 for the number of squares and the size of the largest one."""
    largest = 0
    for place in range(game.squares):
        largest = max(largest, np.int64(squares[place].n))
    return min(np.int64(game.squares), 3) * 5 + min(largest, 4)


@inner
def motion_seen(game, charged, target, direction, width):
    """Return a number below 32 for the last push: its direction, and the distance from the target of this push."""
    if game.last_push < 0 or game.moving == 0:
        return 0
    kind = (1 if charged else 2) if game.moving_direction == direction else 3
    rows = abs(row_of(game.moving_cell, width) - row_of(target, width))
    cols = abs(col_of(game.moving_cell, width) - col_of(target, width))
    return kind * 8 + min(np.int64(rows + cols), 7)


@rare
def write_patterns(patches, cell, width, direction, context, salt, back, front, out, k, size):
    """Write the patterns with centres from `back` cells behind to `front` cells ahead, up to two cells aside."""
    wide = width + 2 * MARGIN
    centre = with_margin(cell, width)
    forward, right = ahead(direction, wide), ahead((direction + 1) % 4, wide)
    plain, mirrored = patches.patterns[2 * direction], patches.patterns[2 * direction + 1]
    for row in range(-back, front + 1):
        at = centre + row * forward
        number = salt + (row + back) * 4
        out[k] = hashed(symmetric_pattern(patches, at, direction) * 8 + context, number, size)
        k += 1
        for side in range(1, 3):  # left and right share their features
            out[k] = hashed(np.int64(plain[at + side * right]) * 8 + context, number + side, size)
            out[k + 1] = hashed(np.int64(mirrored[at - side * right]) * 8 + context, number + side, size)
            k += 2
    return k


@rare
def write_general(state, i, rules, kind, workspace, out, size):
    """Write the features that every move has: its effects, and the changes of the planner's features."""
    game, child = state.game[i], workspace.child.game[0]
    before, after = workspace.features, workspace.child_features
    salt = np.int64(rules.actor) << 16
    left, removed = min(np.int64(game.boxes), 31), clipped(game.boxes - child.boxes, 0, 15)
    squares = squares_seen(game, state.squares[i])
    squares_after = squares_seen(child, workspace.child.squares[0])
    lava = clipped(after[ALL_TO_LAVA] - before[ALL_TO_LAVA], -8, 7)
    gaps = clipped(after[ALL_GAPS] - before[ALL_GAPS], -8, 7)
    gather = clipped(after[GATHER] - before[GATHER], -16, 15)
    either = clipped(after[EITHER] - before[EITHER], -16, 15)
    threes = clipped(after[THREES] - before[THREES], -4, 3)
    pairs = clipped(after[PAIRS] - before[PAIRS], -4, 3)
    far = clipped(after[FAR_BOXES] - before[FAR_BOXES], -2, 2)
    stamina = clipped(child.stamina // 64, 0, 15)
    steps = clipped(child.timestep - game.timestep, 0, 15)
    effect = ((kind * 16 + removed) * 32 + squares_after) * 16 + steps
    out[0] = hashed(effect, salt + 1, size)
    out[1] = hashed(effect * 32 + squares, salt + 2, size)
    out[2] = hashed(effect * 32 + left, salt + 3, size)
    out[3] = hashed((kind * 16 + lava) * 16 + gaps, salt + 4, size)
    out[4] = hashed((kind * 32 + gather) * 32 + either, salt + 5, size)
    out[5] = hashed((kind * 8 + threes) * 8 + pairs, salt + 6, size)
    out[6] = hashed(((lava * 32 + either) * 8 + threes) * 8 + pairs, salt + 7, size)
    out[7] = hashed(((kind * 16 + lava) * 32 + gather) * 32 + left, salt + 8, size)
    out[8] = hashed(((kind * 32 + either) * 8 + pairs) * 32 + left, salt + 9, size)
    out[9] = hashed((((gaps * 16 + lava) * 8 + threes) * 8 + pairs) * 32 + squares_after, salt + 10, size)
    out[10] = hashed((kind * 8 + far) * 32 + left, salt + 11, size)
    out[11] = hashed(((kind * 16 + stamina) * 32 + left) * 2 + child.charged, salt + 12, size)
    out[12] = hashed((kind * 32 + left) * 64 + min(before[ALL_TO_LAVA], 63), salt + 13, size)
    return lava


@rare
def write_push(state, i, rules, move, chain, burnt, kind, lava, distance, workspace, out, size):
    """Write the features of a push beyond the general ones."""
    game, board, width = state.game[i], state.board[i], state.width
    charged, board_after = workspace.child.game[0].charged, workspace.child.board[0]
    windows, patches = workspace.windows, workspace.patches
    salt = np.int64(rules.actor) << 16
    target, direction = move // ACTIONS, move % ACTIONS
    forward, right = ahead(direction, width), ahead((direction + 1) % 4, width)
    beyond = target + chain * forward
    left = min(np.int64(game.boxes), 31)
    at_first, at_last = pushes_to_lava(distance[target]), 0
    before, aside, two, three = 0, 0, 0, 0
    if not burnt:
        at_last = pushes_to_lava(distance[beyond])
        before = sight(board_after, beyond, forward)
        aside = unordered(sight(board_after, beyond, -right), sight(board_after, beyond, right))
        two, three = best_places(windows, width, beyond, target)
    behind = sight(board, target, -forward)
    beside = unordered(sight(board, target, -right), sight(board, target, right))
    old_two, old_three = best_places(windows, width, target, -1)
    motion = motion_seen(game, charged, target, direction, width)
    arrives = 1 - burnt
    near_1 = boxes_near(windows, width, beyond, 1) + arrives - is_near(beyond, target, width, 1)
    near_2 = boxes_near(windows, width, beyond, 2) + arrives - is_near(beyond, target, width, 2)
    near_3 = boxes_near(windows, width, beyond, 3) + arrives - is_near(beyond, target, width, 3)
    left_1, left_2 = boxes_near(windows, width, target, 1), boxes_near(windows, width, target, 2)
    row, col = row_of(target, width), col_of(target, width)
    row, col = min(row, len(board) // width - 3 - row), min(col, width - 3 - col)  # distances from the edge
    along, across = (row, col) if forward % width == 0 else (col, row)
    start = with_margin(target, width)
    end = start + chain * ahead(direction, width + 2 * MARGIN)
    k = _GENERAL
    out[k] = hashed((kind * 32 + motion) * 2 + charged, salt + 20, size)
    out[k + 1] = hashed(((kind * 32 + motion) * 16 + at_first) * 16 + at_last, salt + 21, size)
    out[k + 2] = hashed(((kind * 16 + at_first) * 16 + at_last) * 32 + left, salt + 22, size)
    out[k + 3] = hashed((kind * 32 + before) * 32 + behind, salt + 23, size)
    out[k + 4] = hashed(kind * 1024 + aside, salt + 24, size)
    out[k + 5] = hashed(kind * 1024 + beside, salt + 25, size)
    out[k + 6] = hashed((aside * 32 + before) * 16 + kind, salt + 26, size)
    out[k + 7] = hashed((beside * 32 + behind) * 16 + kind, salt + 27, size)
    out[k + 8] = hashed((aside * 1024 + beside) * 16 + kind, salt + 28, size)
    out[k + 9] = hashed((two * 128 + old_two) * 16 + kind, salt + 29, size)
    out[k + 10] = hashed(((two * 16 + three) * 16 + lava) * 32 + left, salt + 30, size)
    out[k + 11] = hashed(((two * 16 + three) * 128 + old_two) * 16 + old_three, salt + 31, size)
    out[k + 12] = hashed(((two * 128 + old_two) * 16 + at_first) * 16 + at_last, salt + 32, size)
    out[k + 13] = hashed((old_two * 16 + old_three) * 16 + kind, salt + 33, size)
    out[k + 14] = hashed(((near_1 * 32 + near_2) * 64 + near_3) * 16 + kind, salt + 34, size)
    out[k + 15] = hashed(((left_1 * 32 + left_2) * 32 + near_2) * 16 + kind, salt + 35, size)
    out[k + 16] = hashed((near_2 * 32 + left) * 16 + kind, salt + 36, size)
    out[k + 17] = hashed((kind * 256 + along) * 256 + across, salt + 37, size)
    out[k + 18] = hashed((symmetric_pattern(patches, start, direction) * 16 + kind) * 16 + lava, salt + 38, size)
    out[k + 19] = hashed((symmetric_pattern(patches, end, direction) * 16 + kind) * 16 + lava, salt + 39, size)
    context = min(chain, 3) * 2 + burnt
    k = write_patterns(patches, target, width, direction, context, salt + 64, 2, 1, out, k + 20, size)
    write_patterns(patches, beyond, width, direction, context, salt + 128, 1, 3, out, k, size)


@rare
def write_other(state, i, rules, kind, workspace, out, size):
    """Write the features of a move without a push: a special action, a wait or a walking step."""
    game, child = state.game[i], workspace.child.game[0]
    salt = np.int64(rules.actor) << 16
    squares = squares_seen(game, state.squares[i])
    squares_after = squares_seen(child, workspace.child.squares[0])
    left, removed = min(np.int64(game.boxes), 31), clipped(game.boxes - child.boxes, 0, 15)
    age = 0
    if game.squares > 0:  # the steps until the oldest square dissolves
        age = clipped(rules.perf_sq_initial_age - (game.timestep - state.squares[i, 0].born), 0, 15)
    for k in range(_GENERAL, INDICES):
        value = (((kind * 32 + squares) * 32 + squares_after) * 16 + age) * 16 + removed
        if k % 3 == 0:
            value = kind * 16 + age
        elif k % 3 == 1:
            value = (kind * 32 + squares) * 32 + left
        out[k] = hashed(value, salt + 256 + k, size)


@rare
def write_features(state, i, rules, weights, distance, workspace, features, size):
    """List the moves of game i in `workspace.moves.moves`, write the features of each, and return their number.

    Also write the planner's heuristic after each move to `workspace.estimates`. weights: its weights, none of which may
    be 0. distance: the distances to lava. size: the size of the policy's table.
    """
    board, width, child = state.board[i], state.width, workspace.child
    boxes, here = workspace.boxes, len(child.game) - 1  # a literal 0 would trigger another compilation
    write_patches(board, width, workspace.patches)
    write_windows(board, width, workspace.windows)
    measure_features(board, width, distance, weights, boxes, workspace.features)
    moves, prepared = list_moves(state, i, rules, boxes.each, workspace.moves), -1
    copy_game(state, i, child, here)
    for m in range(moves):
        move = workspace.moves.moves[m]
        _, chain, burnt = make_move(child, here, rules, move, workspace.moves)
        is_push = chain > 0 and child.game[here].boxes == state.game[i].boxes - burnt  # no square dissolved
        if is_push:
            b = boxes.index[move // ACTIONS]
            if b != prepared:
                prepared = b
                prepare_pushes(boxes.each, state.game[i].boxes, weights, b)
            beyond = move // ACTIONS + chain * ahead(move % ACTIONS, width)
            features_after_push(
                board, child.board[here], width, distance, weights, boxes, state.game[i].boxes, workspace.features, b,
                move % ACTIONS, beyond, burnt, workspace.child_features,
            )  # fmt: skip
        else:
            after = distance
            if FIRST_SPECIAL <= move < ACTION_KINDS:  # the move creates barriers or lava
                after = workspace.distance[1]
                measure_distances(child.board[here], width, rules, after, workspace.moves.queue)
            measure_features(child.board[here], width, after, weights, workspace.child_boxes, workspace.child_features)
        workspace.estimates[m] = heuristic(
            child.game[here], child.squares[here], rules, weights, workspace.child_features
        )
        kind = min(np.int64(chain), 3) * 2 + burnt if chain > 0 else 8 + move % ACTIONS
        lava = write_general(state, i, rules, kind, workspace, features[m], size)
        if chain > 0:
            write_push(state, i, rules, move, chain, burnt, kind, lava, distance, workspace, features[m], size)
        else:
            write_other(state, i, rules, kind, workspace, features[m], size)
        if is_push:
            undo_push(state, i, child, here, move, chain)
        else:
            copy_game(state, i, child, here)
    return moves
