"""States along short plans of many levels, labelled with every move that keeps the plan as short as it is.

Most plans can be played in many orders. A move is good if the plan makes it now, or if it can be made now and the rest
of the plan, in its order, still clears the map in as many steps.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import ahead
from shoverworld.core.jit import kernel, rare

from .. import rules as rulebook
from ..config import WALK
from ..engine import copy_game
from ..planner.boxes import Boxes, list_boxes, new_boxes
from ..planner.distances import measure_distances
from ..planner.moves import ACTIONS, MoveWorkspace, find_reachable, list_moves, make_move, new_move_workspace
from ..state import CLEARED, PLAYING, State, new_state
from .features import most_moves, write_features
from .plans import find_plan

WRONG_PLAN = -1  # returned for a plan that does not clear its map, which would be a bug


class LabelWorkspace(NamedTuple):
    """Scratch arrays for labelling the states of one plan."""

    moves: MoveWorkspace
    boxes: Boxes
    listed: np.ndarray  # the moves of one state
    spare: State


def new_label_workspace(rows: int, cols: int, boxes: int) -> LabelWorkspace:
    cells, width = (rows + 2) * (cols + 2), cols + 2
    return LabelWorkspace(
        new_move_workspace(cells, boxes),
        new_boxes(boxes, cells, width),
        np.zeros(most_moves(boxes), np.int64),
        new_state(1, rows, cols),
    )


@rare
def try_move(state, i, rules, move, workspace):
    """Make a move, which may have become impossible. Return whether it succeeded."""
    board, width = state.board[i], state.width
    if state.game[i].outcome != PLAYING:
        return False
    if move >= ACTIONS:
        cell, direction = move // ACTIONS, move % ACTIONS
        if not rulebook.is_box(board[cell]):
            return False
        if rules.actor == WALK:
            find_reachable(state.game[i], board, width, workspace)
            if workspace.entered_by[cell - ahead(direction, width)] < 0:
                return False
    return make_move(state, i, rules, move, workspace)[0]


@rare
def is_good(states, j, rules, moves, count, now, move, steps, workspace):
    """Return whether making `move` first and then the rest of the plan takes at most `steps` steps."""
    if move == moves[now]:
        return True
    later = now + 1
    while later < count and moves[later] != move:
        later += 1
    if later == count:
        return False
    spare, here = workspace.spare, len(workspace.spare.game) - 1
    copy_game(states, j, spare, here)
    good = try_move(spare, here, rules, move, workspace.moves)
    for place in range(now, count):
        if place != later and good and spare.game[here].outcome == PLAYING:
            good = try_move(spare, here, rules, moves[place], workspace.moves)
    return good and spare.game[here].outcome == CLEARED and spare.game[here].timestep <= steps


@rare
def label_plan(starts, i, rules, moves, count, states, first, good, workspace):
    """Write the states before each move of a plan to `states`, from row `first`, and mark their good moves.

    The plan has `count` moves, and begins with game i of `starts`. Return whether it clears the map.
    """
    copy_game(starts, i, states, first)
    for t in range(1, count):
        copy_game(states, first + t - 1, states, first + t)
        if not try_move(states, first + t, rules, moves[t - 1], workspace.moves):
            return False
    spare, here = workspace.spare, len(workspace.spare.game) - 1
    copy_game(states, first + count - 1, spare, here)
    try_move(spare, here, rules, moves[count - 1], workspace.moves)
    if spare.game[here].outcome != CLEARED:
        return False
    steps = np.int64(spare.game[here].timestep)
    for t in range(count):
        j = first + t
        list_boxes(states.board[j], states.width, workspace.boxes)
        listed = list_moves(states, j, rules, workspace.boxes.each, workspace.moves)
        for m in range(listed):
            workspace.listed[m] = workspace.moves.moves[m]
        for m in range(listed):
            good[j, m] = is_good(states, j, rules, moves, count, t, workspace.listed[m], steps, workspace)
    return True


@kernel
def label_levels(starts, chosen, first, rules, guided, search, states, good, workspace):
    """Find a plan for each of the levels chosen[first:] and label its states. Levels without a plan have no states.

    `starts` contains the levels of one size with the same rules, which are a record. guided: see `find_plan`. Return
    the next place in `chosen` and the number of states; there is not enough room for the states of the next level.
    """
    rules, written = rules[0], 0
    for place in range(first, len(chosen)):
        i = chosen[place]
        count = find_plan(search, starts, i, rules, guided)
        if written + count > len(states.game):
            return place, written
        if count > 0:
            if not label_plan(starts, i, rules, search.moves, count, states, written, good, workspace):
                return WRONG_PLAN, written
            written += count
    return len(chosen), written


@kernel
def write_examples(states, good, order, first, rules, weights, features, starts, optimal, workspace, size):
    """Write the examples for the states order[first:]. Return the next place in `order` and the number of examples.

    Stops early when `features` is full. Rules and weights are records.
    """
    rules, weights = rules[0], weights[0]
    written, rows = 0, 0
    starts[0] = 0
    for place in range(first, len(order)):
        if rows + good.shape[1] > len(features) or written + 1 >= len(starts):
            return place, written
        i = order[place]
        distance = workspace.distance[0]
        measure_distances(states.board[i], states.width, rules, distance, workspace.moves.queue)
        count = write_features(states, i, rules, weights, distance, workspace, features[rows:], size)
        for m in range(count):
            optimal[rows + m] = good[i, m]
        rows += count
        written += 1
        starts[written] = rows
    return len(order), written
