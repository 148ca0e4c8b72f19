# pyright: basic
"""Searches guided by the policy, on a batch of levels: greedy, LevinTS and PHS* (core/policy.py has their order)."""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, kernel, rare
from shoverworld.core.open_list import OpenList, new_open_list, pop_open, push_open
from shoverworld.core.policy import GREEDY, log_policy, priority, scores

from ..solver.tables import step
from .features import FEATURES, PushWorkspace, list_pushes, new_push_workspace
from .level_batch import LevelBatch, tables_at

UNSOLVED, SOLVED, FULL = -1, 1, -2
_COUNT = 0


class GuidedNodes(NamedTuple):
    """The positions that a search has found, with their hash table and the open list."""

    boxes: np.ndarray  # int16 (capacity, n)
    player: np.ndarray  # int16
    cost: np.ndarray  # int32: pushes
    bound: np.ndarray  # int32
    log_policy: np.ndarray  # float64: the logarithm of the probability of the path
    parent: np.ndarray  # int32
    push: np.ndarray  # int32: the cell of the box before the push times four plus the direction
    expanded: np.ndarray  # bool
    slots: np.ndarray  # int32: node + 1
    open: OpenList
    numbers: np.ndarray  # int64: the number of nodes
    features: np.ndarray  # int32 (4 n, FEATURES)
    values: np.ndarray  # float64 (4 n,)
    sorted: np.ndarray  # int64 (n,)
    pushes: PushWorkspace


def new_guided_nodes(width: int, cells: int, n: int, expansions: int) -> GuidedNodes:
    capacity = (expansions + 1) * 4 * n + 1
    columns = [np.zeros(capacity, np.int32) for _ in range(4)]
    slots = 1 << int(2 * capacity - 1).bit_length()
    return GuidedNodes(
        np.zeros((capacity, n), np.int16), np.zeros(capacity, np.int16), columns[0], columns[1], np.zeros(capacity),
        columns[2], columns[3], np.zeros(capacity, np.bool_), np.zeros(slots, np.int32), new_open_list(capacity),
        np.zeros(1, np.int64), np.zeros((4 * n, FEATURES), np.int32), np.zeros(4 * n), np.zeros(n, np.int64),
        new_push_workspace(width, cells, n),
    )  # fmt: skip


@inner
def slot_of(tables, nodes, boxes, player):
    """Return the slot of a position in the hash table: its own, or the free one where it belongs."""
    key = tables.player_key[player]
    for i in range(len(boxes)):
        key ^= tables.box_key[boxes[i]]
    mask = len(nodes.slots) - 1
    slot = np.int64(key & np.uint64(mask))
    while nodes.slots[slot] != 0:
        node = nodes.slots[slot] - 1
        same = nodes.player[node] == player
        for i in range(len(boxes)):
            same = same and nodes.boxes[node, i] == boxes[i]
        if same:
            return slot
        slot = (slot + 1) & mask
    return slot


@inner
def add_node(nodes, slot, boxes, player):
    """Store a new position."""
    node = nodes.numbers[_COUNT]
    nodes.numbers[_COUNT] += 1
    nodes.slots[slot] = node + 1
    for i in range(len(boxes)):
        nodes.boxes[node, i] = boxes[i]
    nodes.player[node], nodes.expanded[node] = player, False
    return node


@inner
def boxes_after(w, push, to, out):
    """Write the sorted boxes after a push."""
    moved, place = w.box[push], 0
    for i in range(len(w.cells)):
        if i != moved:
            out[place] = w.cells[i]
            place += 1
    while place > 0 and out[place - 1] > to:
        out[place] = out[place - 1]
        place -= 1
    out[place] = to


@inner
def insert_child(tables, nodes, node, push, method):
    """Insert the position after a push, or a better path to it. Return the node, or -1 if nothing changed."""
    w = nodes.pushes
    cell = w.cells[w.box[push]]
    to = cell + step(tables.width, w.direction[push])
    boxes_after(w, push, to, nodes.sorted)
    slot = slot_of(tables, nodes, nodes.sorted, w.player[push])
    child = nodes.slots[slot] - 1
    logarithm = nodes.log_policy[node] + nodes.values[push]
    cost = nodes.cost[node] + 1
    key = priority(method, float(cost), float(w.bound[push]), logarithm)
    if child < 0:
        child = add_node(nodes, slot, nodes.sorted, w.player[push])
    else:
        old = priority(method, float(nodes.cost[child]), float(nodes.bound[child]), nodes.log_policy[child])
        if nodes.expanded[child] or key >= old:
            return -1
    nodes.cost[child], nodes.bound[child], nodes.log_policy[child] = cost, w.bound[push], logarithm
    nodes.parent[child], nodes.push[child] = node, cell * 4 + w.direction[push]
    if nodes.open.size[0] < len(nodes.open.keys):
        push_open(nodes.open, key, child)
    return child


@rare
def expand_guided(tables, nodes, table, node, method, uniform):
    """Insert the positions after the pushes of a node (greedy: only the best new one). Return a solved node or -1."""
    w = nodes.pushes
    last = nodes.push[node]
    to, direction = np.int64(-1), np.int64(0)
    if last >= 0:
        direction = np.int64(last & 3)
        to = (last >> 2) + step(tables.width, direction)
    count, _ = list_pushes(
        tables, w, nodes.boxes[node], nodes.player[node], to, direction, nodes.features, len(table)
    )
    if count == 0:
        return -1
    scores(table, nodes.features, count, nodes.values)
    if method == GREEDY:
        for _ in range(count):
            best = 0
            for push in range(1, count):
                if nodes.values[push] > nodes.values[best]:
                    best = push
            child = insert_child(tables, nodes, node, best, method)
            if child >= 0:
                return child if nodes.bound[child] == 0 else -1
            nodes.values[best] = -np.inf
        return -1
    log_policy(nodes.values, count, uniform, nodes.values)
    for push in range(count):
        child = insert_child(tables, nodes, node, push, method)
        if child >= 0 and nodes.bound[child] == 0:
            return child
    return -1


@rare
def begin_guided(tables, nodes, boxes, player, last):
    """Empty the tables and insert the start position."""
    for node in range(nodes.numbers[_COUNT]):
        for i in range(len(boxes)):
            nodes.sorted[i] = nodes.boxes[node, i]
        nodes.slots[slot_of(tables, nodes, nodes.sorted, nodes.player[node])] = 0
    nodes.slots[:] = 0
    nodes.numbers[_COUNT] = 0
    nodes.open.size[0] = 0
    slot = slot_of(tables, nodes, boxes, player)
    root = add_node(nodes, slot, boxes, player)
    nodes.cost[root], nodes.bound[root], nodes.log_policy[root] = 0, 1, 0.0
    nodes.parent[root], nodes.push[root] = -1, last
    push_open(nodes.open, 0.0, root)


@kernel
def search_guided(tables, nodes, table, method, uniform, most):
    """Expand up to `most` nodes. Return a solved node, or -1, and the number of expanded nodes."""
    for count in range(most):
        node = -1
        while node < 0:
            if nodes.open.size[0] == 0:
                return -1, count
            node = pop_open(nodes.open)
            if nodes.expanded[node]:
                node = -1
        nodes.expanded[node] = True
        found = expand_guided(tables, nodes, table, node, method, uniform)
        if found >= 0:
            return found, count + 1
    return -1, most


@kernel
def search_levels(batch, table, method, uniform, most, first, end, nodes, pushes, expanded):
    """Search the levels `first` to `end`. pushes[i]: the pushes of the solution of level i, or -1."""
    for i in range(first, end):
        tables = tables_at(batch, i)
        begin_guided(tables, nodes, batch.boxes[i], batch.player[i], -1)
        found, expanded[i] = search_guided(tables, nodes, table, method, uniform, most)
        pushes[i] = nodes.cost[found] if found >= 0 else -1
