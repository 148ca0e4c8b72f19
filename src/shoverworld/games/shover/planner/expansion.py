"""The expansion of a layer: every move of its games is tried, and what the moves lead to becomes the children.

A child is discarded if a known game dominates it (keys.py), or if it certainly leads to no plan within the limits
(bounds.py). The other children get a score (heuristic.py).
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import ahead
from shoverworld.core.jit import inner, kernel, rare

from ..config import ACTION_KINDS, FIRST_SPECIAL, WALK
from ..engine import copy_game
from ..state import CLEARED, PLAYING
from .beam import STAY, layers_of, next_layer, note_plan, origin_of
from .bounds import is_stuck, most_stamina, rounding, too_late
from .boxes import CELL, Boxes, new_boxes, replace_box
from .distances import cached_row, measure_distances
from .heuristic import (
    FAR_BOXES,
    FEATURES,
    features_after_push,
    heuristic,
    measure_features,
    prepare_pushes,
)
from .keys import TERRAIN, A, B, board_keys, game_keys, insert, motion_of, moved_key
from .moves import ACTIONS, MoveWorkspace, find_reachable, list_moves, make_move, new_move_workspace

STEPS, STAMINA = range(2)


class Workspace(NamedTuple):
    """Scratch arrays for the expansion of one game."""

    moves: MoveWorkspace
    boxes: Boxes  # the boxes of the game that is expanded
    features: np.ndarray  # its features
    child_boxes: Boxes  # the boxes of a child, listed only after a move that is not a push
    child_features: np.ndarray  # the features of a child
    counts: np.ndarray  # counters


class SearchSettings(NamedTuple):
    """The settings of a search."""

    objective: int
    careful: bool  # whether to use the costly bounds
    width: int  # the number of games that a layer keeps


def new_workspace(cells: int, width: int, boxes: int) -> Workspace:
    listed = [(new_boxes(boxes, cells, width), np.zeros(FEATURES, np.int64)) for _ in range(2)]
    return Workspace(new_move_workspace(cells, boxes), *listed[0], *listed[1], np.zeros(2 * cells + 2, np.int64))


@rare
def run(beam, settings, rules, weights, cache, table, scratch, workspace, most_tried, most_entries):
    """Continue a search until it is over, or has tried this many moves, or has more entries than this in the table."""
    progress, limits = beam.progress[0], beam.limits[0]
    while progress.games > 0 and progress.tried < most_tried and limits.entries <= most_entries:
        expand(beam, settings, rules, weights, cache, table, scratch, workspace, most_tried)
        if progress.first == progress.games or progress.tried < most_tried:
            next_layer(beam, settings.width)
    note_plan(beam)


@kernel
def advance(beam, settings, rules, weights, cache, table, scratch, workspace, most, most_entries):
    """Continue a search by about `most` moves (see `run`). Rules and weights are records."""
    most_tried = beam.progress[0].tried + most
    run(beam, settings, rules[0], weights[0], cache, table, scratch, workspace, most_tried, most_entries)


@rare
def expand(beam, settings, rules, weights, cache, table, scratch, workspace, most_tried):
    """Try every move of each game of the layer until there is no room for more children, or enough moves were tried."""
    origin, layer = layers_of(beam)
    progress, children = beam.progress[0], beam.children
    state, spare, width = layer.state, scratch.state, layer.state.width
    here = len(scratch.keys) - 1  # the row of the spare game; a literal 0 would trigger another compilation
    boxes, features = workspace.boxes, workspace.features
    most_children = len(children.score) - len(workspace.moves.moves)
    i, m, count, tried = progress.first, progress.begun, progress.children, progress.tried
    while i < progress.games and count <= most_children and tried < most_tried:
        if m == 0:
            parent, made = origin_of(beam, i)
            build(origin, parent, made, layer, i, rules, workspace.moves)
        row = cached_row(cache, layer.keys[i, TERRAIN], state.board[i], width, rules, workspace.moves.queue)
        measure_features(state.board[i], width, cache.distance[row], weights, boxes, features)
        moves = list_moves(state, i, rules, boxes.each, workspace.moves)
        prepared = -1
        copy_game(state, i, spare, here)
        while m < moves and tried < most_tried:
            move = workspace.moves.moves[m]
            valid, chain, burnt = make_move(spare, here, rules, move, workspace.moves)
            is_push = valid and chain > 0 and spare.game[here].boxes == state.game[i].boxes - burnt
            if is_push and boxes.index[move // ACTIONS] != prepared:
                prepared = boxes.index[move // ACTIONS]
                prepare_pushes(boxes.each, state.game[i].boxes, weights, prepared)
            if valid:
                count = consider(
                    beam, layer, i, move, is_push, chain, burnt, row, count, rules, settings, weights, cache, table,
                    scratch, workspace,
                )  # fmt: skip
            if is_push:
                undo_push(state, i, spare, here, move, chain)
            else:
                copy_game(state, i, spare, here)
            m += 1
            tried += 1
        if m >= moves:
            i, m = i + 1, 0
            progress.expanded += 1
    progress.first, progress.begun, progress.children, progress.tried = i, m, count, tried


@inner
def build(origin, parent, move, layer, i, rules, workspace):
    """Build game i of a layer by making a move in a game of the layer `origin`."""
    copy_game(origin.state, np.int64(parent), layer.state, i)
    if move != STAY:
        if move >= ACTIONS and rules.actor == WALK:
            find_reachable(layer.state.game[i], layer.state.board[i], layer.state.width, workspace)
        make_move(layer.state, i, rules, np.int64(move), workspace)
    board_keys(layer.state.board[i], layer.state.width, layer.keys[i])


@inner
def undo_push(source, i, target, j, move, chain):
    """Make game j equal to game i again after a push in game j that changed only the boxes of the chain."""
    cell, forward = move // ACTIONS, ahead(move % ACTIONS, source.width)
    for _ in range(chain + 1):
        target.board[j, cell] = source.board[i, cell]
        cell += forward
    if source.game[i].squares > 0 or target.game[j].squares > 0:
        for place in range(source.squares.shape[1]):
            target.squares[j, place] = source.squares[i, place]
    target.game[j] = source.game[i]


@inner
def consider(
    beam, layer, i, move, is_push, chain, burnt, row, count, rules, settings, weights, cache, table, scratch, workspace
):  # fmt: skip
    """Add the game in `scratch`, which results from a move in game i, to the children unless it can be discarded.

    Return the new number of children.
    """
    limits = beam.limits[0]
    parent, width = layer.state.game[i], layer.state.width
    game, board, squares = scratch.state.game[0], scratch.state.board[0], scratch.state.squares[0]
    steps_left = limits.steps - game.timestep
    if is_over(game, settings, limits, i, move):
        return count
    inserted = insert_child(beam, layer, i, move, is_push, chain, burnt, rules, settings, table, scratch, steps_left)
    if inserted.dominated:
        return count
    limits.entries += inserted.slot >= 0

    target, direction = move // ACTIONS, move % ACTIONS
    beyond, moved = target + chain * ahead(direction, width), workspace.boxes.index[target]
    distance, boxes, features = cache.distance[row], workspace.child_boxes.each, workspace.child_features
    if is_push:
        boxes = workspace.boxes.each
        features_after_push(
            layer.state.board[i], board, width, distance, weights, workspace.boxes, parent.boxes, workspace.features,
            moved, direction, beyond, burnt, features,
        )  # fmt: skip
    else:
        if FIRST_SPECIAL <= move < ACTION_KINDS:  # the move creates barriers or lava
            distance = cache.distance[-1]
            measure_distances(board, width, rules, distance, workspace.moves.queue)
        measure_features(board, width, distance, weights, workspace.child_boxes, features)
    if settings.careful or settings.objective == STAMINA or features[FAR_BOXES] > 0:
        if is_push:
            replace_box(boxes, moved, boxes[CELL, game.boxes] if burnt else beyond, width)
        pruned = can_prune(game, squares, rules, settings, limits, distance, boxes, steps_left, workspace.counts)
        if is_push:
            replace_box(boxes, moved, target, width)
        if pruned:
            return count
    score = heuristic(game, squares, rules, weights, features)
    return add_child(beam.children, table, inserted, i, move, score, count)[1]


@inner
def is_over(game, settings, limits, i, move):
    """Return whether the game that results from a move in game i needs no further moves. If it is cleared, record it."""
    if game.outcome == CLEARED:
        record_end(game, settings.objective, limits, i, move)
    return game.outcome != PLAYING or limits.steps - game.timestep < 1


@inner
def add_child(children, table, inserted, i, move, score, count):
    """Store the child that results from a move in game i. Return its place and the new number of children."""
    place = inserted.place
    if place < 0:
        place = count
        count += 1
        if inserted.slot >= 0:
            table[inserted.slot].child = place
    children.score[place], children.parent[place], children.move[place] = score, i, move
    return place, count


@inner
def insert_child(beam, layer, i, move, is_push, chain, burnt, rules, settings, table, scratch, steps_left):
    """Insert the game in `scratch`, which results from a move in game i, into the transposition table."""
    progress = beam.progress[0]
    parent, width = layer.state.game[i], layer.state.width
    game, board, squares = scratch.state.game[0], scratch.state.board[0], scratch.state.squares[0]
    a, b = layer.keys[i, A], layer.keys[i, B]
    if is_push:
        target = move // ACTIONS
        beyond = target + chain * ahead(move % ACTIONS, width)
        a, b = moved_key(a, A, target, beyond, burnt), moved_key(b, B, target, beyond, burnt)
    elif game.boxes != parent.boxes:
        board_keys(board, width, scratch.keys[0])
        a, b = scratch.keys[0, A], scratch.keys[0, B]
    a, b = game_keys(game, squares, rules, width, a, b, steps_left)
    enough = np.inf
    if settings.objective == STEPS:
        enough = steps_left * highest_cost(rules, width, len(board)) + 1.0
    force = rules.initial_force
    if force > 0:
        force += rounding(rules, game.stamina, 1)
    return insert(
        table, a, b, progress.search, progress.stamp, game.timestep, game.stamina, motion_of(game, rules), enough, force
    )


@inner
def highest_cost(rules, width, cells):
    """Return the highest stamina cost that a step can have."""
    return rules.initial_force + rules.unit_force * max(width, cells // width) + rules.step_cost


@rare
def record_end(game, objective, limits, i, move):
    """Store a plan that clears the map, provided that it is the best plan so far."""
    if objective == STEPS:
        better = game.timestep <= limits.steps
        same = limits.best_parent >= 0 and game.timestep == limits.steps + 1 and game.stamina > limits.best_stamina
    else:
        better = game.stamina > limits.stamina
        same = limits.best_parent >= 0 and game.stamina == limits.stamina and game.timestep < limits.best_steps
    if better or same:
        limits.best_parent, limits.best_move = i, move
        limits.best_steps, limits.best_stamina = game.timestep, game.stamina
        if objective == STEPS:
            limits.steps = game.timestep - 1
        else:
            limits.stamina = game.stamina


@rare
def can_prune(game, squares, rules, settings, limits, distance, boxes, steps_left, counts):
    """Return whether this game certainly cannot lead to a plan within the limits."""
    if is_stuck(game.boxes, boxes, distance, counts):
        return True
    if settings.objective == STAMINA and most_stamina(game, squares, rules, distance, boxes) <= limits.stamina:
        return True
    return settings.careful and too_late(game, squares, rules, distance, boxes, steps_left, counts)
