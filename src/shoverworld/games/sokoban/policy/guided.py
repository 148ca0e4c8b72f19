# pyright: basic
"""Searches guided by the policy, on a batch of levels: greedy, LevinTS and PHS* (core/policy.py has their order)."""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, kernel, rare
from shoverworld.core.open_list import OpenList, new_open_list, pop_open, push_open
from shoverworld.core.policy import GREEDY, best, log_policy, priority, scores

from ..solver.tables import step
from .features import FEATURES, PushWorkspace, for_boxes, list_pushes, new_push_workspace
from .level_batch import tables_at

NOT_YET, EXHAUSTED, FULL = -1, -2, -3  # results of `search_guided` other than a solved node
MOST_NODES = 1 << 21
UNIFORM = 0.01  # the share of the policy that is spread equally, so that no push is impossible
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
    """Allocate room for a number of expansions; a search also ends when MOST_NODES positions are found."""
    capacity = min(MOST_NODES, expansions * 4 * n + 1) + 4 * n
    columns = [np.zeros(capacity, np.int32) for _ in range(4)]
    slots = 1 << int(2 * capacity - 1).bit_length()
    return GuidedNodes(
        np.zeros((capacity, n), np.int16), np.zeros(capacity, np.int16), columns[0], columns[1], np.zeros(capacity),
        columns[2], columns[3], np.zeros(capacity, np.bool_), np.zeros(slots, np.int32), new_open_list(2 * capacity),
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
def sorted_with(cells, moved, cell, out):
    """Write the cells of the boxes, with box `moved` in another cell, in order. Return the place of this box."""
    place = 0
    for i in range(len(cells)):
        if i != moved:
            out[place] = cells[i]
            place += 1
    while place > 0 and out[place - 1] > cell:
        out[place] = out[place - 1]
        place -= 1
    out[place] = cell
    return place


@inner
def insert_child(tables, nodes, node, push, method):
    """Insert the position after a push, or a better path to it. Return the node, or -1 if nothing changed."""
    w = nodes.pushes
    cell = w.cells[w.box[push]]
    to = cell + step(tables.width, w.direction[push])
    sorted_with(w.cells, w.box[push], to, nodes.sorted)
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
    count, _ = list_pushes(tables, w, nodes.boxes[node], nodes.player[node], to, direction, nodes.features, len(table))
    if count == 0:
        return -1
    scores(table, nodes.features, count, nodes.values)
    if method == GREEDY:
        for _ in range(count):
            preferred = best(nodes.values, count)
            child = insert_child(tables, nodes, node, preferred, method)
            if child >= 0:
                return child if nodes.bound[child] == 0 else -1
            nodes.values[preferred] = -np.inf
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
    """Expand up to `most` nodes. Return a solved node, NOT_YET, EXHAUSTED or FULL; and the number of expanded nodes."""
    room = len(nodes.features)  # the largest number of new nodes in an expansion
    for count in range(most):
        node = -1
        while node < 0:
            if nodes.open.size[0] == 0:
                return EXHAUSTED, count
            node = pop_open(nodes.open)
            if nodes.expanded[node]:
                node = -1
        if nodes.numbers[_COUNT] + room > len(nodes.player) or nodes.open.size[0] + room > len(nodes.open.keys):
            return FULL, count
        nodes.expanded[node] = True
        found = expand_guided(tables, nodes, table, node, method, uniform)
        if found >= 0:
            return found, count + 1
    return NOT_YET, most


@inner
def nodes_for(nodes, n):
    """Return the tables of a search for a level with n boxes."""
    return GuidedNodes(
        nodes.boxes, nodes.player, nodes.cost, nodes.bound, nodes.log_policy, nodes.parent, nodes.push, nodes.expanded,
        nodes.slots, nodes.open, nodes.numbers, nodes.features, nodes.values, nodes.sorted[:n],
        for_boxes(nodes.pushes, n),
    )  # fmt: skip


@kernel
def start_guided(batch, level, nodes):
    """Begin a search of one level."""
    n = batch.count[level]
    begin_guided(tables_at(batch, level), nodes_for(nodes, n), batch.boxes[level, :n], batch.player[level], -1)


@kernel
def continue_guided(batch, level, nodes, table, method, uniform, most):
    """Continue a search of one level; see `search_guided`."""
    return search_guided(tables_at(batch, level), nodes_for(nodes, batch.count[level]), table, method, uniform, most)


@kernel
def search_levels(batch, levels, table, method, uniform, most, nodes, pushes, visited):
    """Search these levels, and write the pushes of each solution, or -1.

    visited: LabelledStates with one row for each level. The row becomes a position of the path: of the solution, or
    of the policy's walk if there is none; `visited.player[i]` chooses it, from 0 to 999 thousandths of the path.
    """
    for i in range(len(levels)):
        level = levels[i]
        n = batch.count[level]
        tables, own = tables_at(batch, level), nodes_for(nodes, n)
        begin_guided(tables, own, batch.boxes[level, :n], batch.player[level], -1)
        found, _ = search_guided(tables, own, table, method, uniform, most)
        pushes[i] = own.cost[found] if found >= 0 else -1
        end = found if found >= 0 else own.numbers[_COUNT] - 1
        back = own.cost[end] - own.cost[end] * visited.player[i] // 1000
        for _ in range(back):
            end = own.parent[end]
        write_position(tables, own, end, level, visited, i)


@inner
def write_position(tables, nodes, node, level, out, i):
    """Write a node of a search as a position."""
    for box in range(len(nodes.sorted)):
        out.boxes[i, box] = nodes.boxes[node, box]
    out.level[i], out.player[i] = level, nodes.player[node]
    out.last[i] = -1
    if nodes.push[node] >= 0:
        direction = nodes.push[node] & 3
        out.last[i] = ((nodes.push[node] >> 2) + step(tables.width, direction)) * 4 + direction
