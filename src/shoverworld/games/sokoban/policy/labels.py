# pyright: basic
"""States labelled with all their optimal pushes, from the solver's own search.

A* over pushes continues after the first solution until no position is left whose bound allows a solution of the same
length. Going back from the solved positions by pulling finds every position on an optimal solution, and for each
of them every optimal push.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, kernel, rare

from ..solver.freeze import BOX, EMPTY, WALL
from ..solver.search import (
    COUNT,
    CURSOR,
    LIMIT,
    SOLVED,
    STAMP,
    NodeTable,
    SearchMode,
    SolverWorkspace,
    begin,
    expand,
    explore,
    first_cell,
    new_node_table,
    remove,
    walk,
)
from ..solver.tables import step
from .guided import slot_of, sorted_with
from .level_batch import tables_at

_MODE = SearchMode(False, 1, False, False)


class LabelledStates(NamedTuple):
    """Positions with their optimal pushes."""

    level: np.ndarray  # int32 (S,): the index of the level in its batch
    boxes: np.ndarray  # int16 (S, n)
    player: np.ndarray  # int16 (S,)
    last: np.ndarray  # int32 (S,): the cell of the box pushed last times four plus the direction, or -1
    optimal: np.ndarray  # uint8 (S, n): one bit for each direction in which pushing the box is optimal


def new_states(count: int, n: int) -> LabelledStates:
    return LabelledStates(
        np.zeros(count, np.int32), np.zeros((count, n), np.int16), np.zeros(count, np.int16),
        np.full(count, -1, np.int32), np.zeros((count, n), np.uint8),
    )  # fmt: skip


class LabelWorkspace(NamedTuple):
    """Scratch memory for the search and the way back."""

    nodes: NodeTable
    optimal: np.ndarray  # uint8 (capacity, n)
    reached: np.ndarray  # bool (capacity,): whether a node is on an optimal solution
    todo: np.ndarray  # int32 (capacity,)
    rng: np.ndarray  # uint64 (1,)


def new_label_workspace(n: int, capacity: int) -> LabelWorkspace:
    return LabelWorkspace(
        new_node_table(n, capacity), np.zeros((capacity, n), np.uint8), np.zeros(capacity, np.bool_),
        np.zeros(capacity, np.int32), np.zeros(1, np.uint64),
    )  # fmt: skip


@inner
def clear(tables, work, solver):
    work.nodes.slots[:] = 0
    work.nodes.heads[:] = -1
    work.nodes.numbers[:] = 0
    work.nodes.numbers[LIMIT] = len(work.nodes.heads)
    solver.walked[:] = 0
    solver.area[:] = 0
    for cell in range(len(tables.wall)):
        solver.board[cell] = WALL if tables.wall[cell] else EMPTY


@inner
def for_boxes(solver, n):
    """Return the solver's workspace for a level with n boxes."""
    return SolverWorkspace(
        solver.board, solver.cells[:n], solver.sorted[:n], solver.walked, solver.steps, solver.area, solver.queue,
        solver.matching, solver.child_matching, solver.corral, solver.ending, solver.tunnels, solver.pairs,
    )  # fmt: skip


@inner
def find(tables, nodes, boxes, player):
    """Return the node of a position, or -1."""
    return nodes.slots[slot_of(tables, nodes, boxes, player)] - 1


@rare
def search_all(tables, work, solver, boxes, player, most):
    """Find the length of the best solution and all positions that may be on one. Return -1 without a solution."""
    nodes = work.nodes
    if not begin(tables, nodes, solver, _MODE, boxes, player):
        return -1
    if explore(tables, nodes, solver, _MODE, most) != SOLVED:
        return -1
    length = nodes.numbers[CURSOR]
    for _ in range(most):
        if nodes.heads[length] < 0:
            return length
        if nodes.numbers[COUNT] + 4 * len(boxes) > len(nodes.player):
            return -1
        node = nodes.heads[length]
        remove(nodes, node)
        if nodes.bound[node] > 0:
            expand(tables, nodes, solver, _MODE, node)
    return -1


@rare
def go_back(tables, work, solver, length):
    """Mark all nodes on optimal solutions, with their optimal pushes, by pulling from the solved positions."""
    nodes = work.nodes
    head, tail = 0, 0
    for node in range(nodes.numbers[COUNT]):
        work.optimal[node] = 0
        work.reached[node] = nodes.bound[node] == 0 and nodes.cost[node] == length
        if work.reached[node]:
            work.todo[tail] = node
            tail += 1
    while head < tail:
        node = work.todo[head]
        head += 1
        tail = pull_from(tables, work, solver, node, tail)


@inner
def pull_from(tables, work, solver, node, tail):
    """Mark the positions one pull away from a node that are one push nearer to the start."""
    nodes, board, cells, width = work.nodes, solver.board, solver.cells, tables.width
    for i in range(len(cells)):
        cells[i] = nodes.boxes[node, i]
        board[cells[i]] = BOX
    nodes.numbers[STAMP] += 1
    here = nodes.numbers[STAMP]
    walk(width, board, nodes.player[node], here, solver.walked, solver.steps, solver.queue)
    for i in range(len(cells)):
        to = cells[i]
        for direction in range(4):
            ahead = step(width, direction)
            cell = to - ahead
            if solver.walked[cell] != here or board[cell] != EMPTY or board[cell - ahead] != EMPTY:
                continue
            board[to], board[cell] = EMPTY, BOX
            nodes.numbers[STAMP] += 1
            first = first_cell(width, board, cell - ahead, nodes.numbers[STAMP], solver.area, solver.queue)
            place = sorted_with(cells, i, cell, solver.sorted)
            before = find(tables, nodes, solver.sorted, first)
            if before >= 0 and nodes.cost[before] == nodes.cost[node] - 1:
                work.optimal[before, place] |= 1 << direction
                if not work.reached[before]:
                    work.reached[before] = True
                    work.todo[tail] = before
                    tail += 1
            board[to], board[cell] = BOX, EMPTY
    for i in range(len(cells)):
        board[cells[i]] = EMPTY
    return tail


@inner
def draw(rng, most):
    """Return a random number below `most` (splitmix64)."""
    rng[0] += np.uint64(0x9E3779B97F4A7C15)
    z = rng[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64((z ^ (z >> np.uint64(31))) >> np.uint64(33)) % most


@inner
def choose(work, node, n):
    """Return a random optimal push of a node as its box and direction, or box -1 if there is none."""
    choices = 0
    for i in range(n):
        for direction in range(4):
            choices += work.optimal[node, i] >> direction & 1
    if choices == 0:
        return -1, 0
    chosen = draw(work.rng, choices)
    for i in range(n):
        for direction in range(4):
            if work.optimal[node, i] >> direction & 1:
                if chosen == 0:
                    return i, direction
                chosen -= 1
    return -1, 0


@inner
def after_push(tables, nodes, solver, node, box, direction):
    """Return the node after a push, and the new cell of the box."""
    for i in range(len(solver.cells)):
        solver.cells[i] = nodes.boxes[node, i]
    cell = solver.cells[box]
    to = cell + step(tables.width, direction)
    sorted_with(solver.cells, box, to, solver.sorted)
    for box_cell in solver.sorted:
        solver.board[box_cell] = BOX
    nodes.numbers[STAMP] += 1
    first = first_cell(tables.width, solver.board, cell, nodes.numbers[STAMP], solver.area, solver.queue)
    for box_cell in solver.sorted:
        solver.board[box_cell] = EMPTY
    return find(tables, nodes, solver.sorted, first), to


@rare
def write_path(tables, work, solver, level, last, longest, states, stored):
    """Store the positions of one random optimal solution that are not stored yet. Return the number of all stored."""
    nodes, n = work.nodes, len(solver.cells)
    node = 0
    for _ in range(longest):
        box, direction = choose(work, node, n)
        if box < 0 or stored == len(states.level):
            break
        if work.reached[node]:
            work.reached[node] = False
            states.level[stored], states.player[stored], states.last[stored] = level, nodes.player[node], last
            for i in range(n):
                states.boxes[stored, i] = nodes.boxes[node, i]
                states.optimal[stored, i] = work.optimal[node, i]
            stored += 1
        node, to = after_push(tables, nodes, solver, node, box, direction)
        last = to * 4 + direction
    return stored


@kernel
def label_positions(batch, starts, most, paths, longest, seed, states, lengths, work, solver):
    """Label positions, one search for each row of `starts`. Return the number of stored states.

    starts: LabelledStates, of which only `level`, `boxes`, `player` and `last` are read.
    most: the largest number of expansions per search. paths: random optimal solutions to store per position.
    longest: the largest number of states per solution. lengths[i]: the pushes needed from position i, or -1 if the
    search gave up.
    """
    stored = 0
    for i in range(len(starts.level)):
        level = starts.level[i]
        n = batch.count[level]
        tables, own = tables_at(batch, level), for_boxes(solver, n)
        clear(tables, work, own)
        work.rng[0] = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(i)
        lengths[i] = search_all(tables, work, own, starts.boxes[i, :n], starts.player[i], most)
        if lengths[i] <= 0:
            continue
        go_back(tables, work, own, lengths[i])
        for _ in range(paths):
            stored = write_path(tables, work, own, level, starts.last[i], longest, states, stored)
    return stored
