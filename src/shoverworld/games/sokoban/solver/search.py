"""The search, compiled: best first over pushes, with a queue of buckets and a table of all positions met.

A position is where the boxes stand and where the player is: for the fewest pushes, the first cell of the area that he
can walk in; for the fewest moves, the very cell. Positions are compared as they are, their hash only finds them.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, kernel, rare

from .freeze import BOX, EMPTY, WALL, freezes
from .ground import FAR, Ground, step
from .matching import Matching, match_again, match_all, new_matching, own_ways

GOING, SOLVED, EXHAUSTED, FULL = range(4)
COUNT, CURSOR, EXPANDED, FOUND, DROPPED, STAMP = range(6)  # the places in `Store.numbers`
_BUCKETS = 1 << 16


class Store(NamedTuple):
    """All positions met, by number, in the order they were met."""

    boxes: np.ndarray  # int16 (room, n), sorted, or in the order of their numbers
    player: np.ndarray  # int16
    cost: np.ndarray  # int32: pushes or moves so far
    bound: np.ndarray  # int32: pushes still to come, at least
    parent: np.ndarray  # int32
    push: np.ndarray  # int32: the cell of the box, times four, plus the direction
    bucket: np.ndarray  # int32: where it waits, -1 once it was taken out
    after: np.ndarray  # int32: the next one in the bucket
    before: np.ndarray  # int32: the one before
    table: np.ndarray  # int32: number + 1 by hash, a power of two of them
    heads: np.ndarray  # int32: the first one of each bucket
    numbers: np.ndarray  # int64


class Workspace(NamedTuple):
    """What the search works with."""

    board: np.ndarray  # uint8 (cells,)
    cells: np.ndarray  # int64 (n,): the boxes
    sorted: np.ndarray  # int64 (n,)
    walked: np.ndarray  # int64 (cells,): the stamp of a cell that the player gets to ...
    steps: np.ndarray  # int64 (cells,): ... and in how many steps
    area: np.ndarray  # int64 (cells,): the same for the position after a push
    queue: np.ndarray  # int64 (cells,)
    matching: Matching
    again: Matching


class Way(NamedTuple):
    """What is searched for."""

    by_moves: bool
    weight: int  # of the bound: 1 finds the best, more finds something sooner
    fixed: bool  # every box has a target of its own, and boxes are kept in the order of their numbers


def new_store(n: int, room: int) -> Store:
    def column():
        return np.empty(room, np.int32)

    table = 1 << int(2 * room - 1).bit_length()
    return Store(
        np.empty((room, n), np.int16), np.empty(room, np.int16), column(), column(), column(), column(), column(),
        column(), column(), np.zeros(table, np.int32), np.full(_BUCKETS, -1, np.int32), np.zeros(6, np.int64),
    )  # fmt: skip


def bytes_a_position(n: int) -> int:
    return 2 * n + 2 + 7 * 4 + 4 * 4


def new_workspace(ground: Ground, n: int) -> Workspace:
    cells = len(ground.wall)
    board = np.where(ground.wall, WALL, EMPTY).astype(np.uint8)
    stamps = [np.zeros(cells, np.int64) for _ in range(4)]
    boxes = [np.zeros(n, np.int64) for _ in range(2)]
    return Workspace(
        board, boxes[0], boxes[1], stamps[0], stamps[1], stamps[2], stamps[3], new_matching(n), new_matching(n)
    )  # fmt: skip


@rare
def walk(width, board, start, stamp, seen, steps, queue):
    """Mark all cells that the player can walk to, with the steps; returns the first of them."""
    queue[0] = start
    seen[start], steps[start] = stamp, 0
    head, tail, first = 0, 1, start
    while head < tail:
        here = queue[head]
        head += 1
        first = min(first, here)
        for direction in range(4):
            near = here + step(width, direction)
            if board[near] == EMPTY and seen[near] != stamp:
                seen[near], steps[near] = stamp, steps[here] + 1
                queue[tail] = near
                tail += 1
    return first


@rare
def first_cell(width, board, start, stamp, seen, queue):
    """The first cell that the player can walk to."""
    queue[0] = start
    seen[start] = stamp
    head, tail, first = 0, 1, start
    while head < tail:
        here = queue[head]
        head += 1
        first = min(first, here)
        for direction in range(4):
            near = here + step(width, direction)
            if board[near] == EMPTY and seen[near] != stamp:
                seen[near] = stamp
                queue[tail] = near
                tail += 1
    return first


@inner
def enqueue(store, node, bucket):
    head = store.heads[bucket]
    store.bucket[node], store.after[node], store.before[node] = bucket, head, -1
    if head >= 0:
        store.before[head] = node
    store.heads[bucket] = node
    if bucket < store.numbers[CURSOR]:
        store.numbers[CURSOR] = bucket


@inner
def take_out(store, node):
    before, after = store.before[node], store.after[node]
    if before >= 0:
        store.after[before] = after
    else:
        store.heads[store.bucket[node]] = after
    if after >= 0:
        store.before[after] = before
    store.bucket[node] = -1


@rare
def meet(store, way, boxes, player, key, cost, bound, parent, push):
    """A position has been reached: note it if it is new, or if this way to it is better."""
    bucket = cost + way.weight * bound
    if bucket >= len(store.heads):
        store.numbers[DROPPED] = 1
        return
    mask = len(store.table) - 1
    slot = np.int64(key & np.uint64(mask))
    while store.table[slot] != 0:
        node = store.table[slot] - 1
        same = store.player[node] == player
        for i in range(len(boxes)):
            same = same and store.boxes[node, i] == boxes[i]
        if same:
            if cost < store.cost[node] and (way.weight == 1 or store.bucket[node] >= 0):
                if store.bucket[node] >= 0:
                    take_out(store, node)
                store.cost[node], store.parent[node], store.push[node] = cost, parent, push
                enqueue(store, node, bucket)
            return
        slot = (slot + 1) & mask
    node = store.numbers[COUNT]
    store.numbers[COUNT] += 1
    store.table[slot] = node + 1
    for i in range(len(boxes)):
        store.boxes[node, i] = boxes[i]
    store.player[node], store.cost[node], store.bound[node] = player, cost, bound
    store.parent[node], store.push[node] = parent, push
    enqueue(store, node, bucket)


@kernel
def begin(ground, store, workspace, way, boxes, player):
    """Meet the first position; False if its boxes cannot all get to targets, whatever is done."""
    for i in range(len(boxes)):
        workspace.cells[i] = boxes[i]
        workspace.board[boxes[i]] = BOX
    store.numbers[STAMP] = 1
    first = player
    if not way.by_moves:
        first = first_cell(ground.width, workspace.board, player, 1, workspace.area, workspace.queue)
    key, lost = ground.player_key[first], False
    for i in range(len(boxes)):
        key ^= ground.box_key[boxes[i]]
        lost |= freezes(ground, workspace.board, workspace.cells, boxes[i])
    for i in range(len(boxes)):
        workspace.board[boxes[i]] = EMPTY
    bound = own_ways(ground.distance, workspace.cells)
    if not way.fixed:
        bound = match_all(workspace.matching, ground.distance, workspace.cells)
    if lost or bound >= FAR:
        return False
    meet(store, way, boxes, first, key, 0, bound, -1, -1)
    return True


@kernel
def file_again(ground, store, count):
    """Fill an empty table of a store that has been made larger."""
    mask = len(store.table) - 1
    for node in range(count):
        key = ground.player_key[store.player[node]]
        for i in range(store.boxes.shape[1]):
            key ^= ground.box_key[store.boxes[node, i]]
        slot = np.int64(key & np.uint64(mask))
        while store.table[slot] != 0:
            slot = (slot + 1) & mask
        store.table[slot] = node + 1


@kernel
def explore(ground, store, workspace, way, most):
    """Take the most promising positions out of the queue, at most so many, and try all their pushes."""
    n = len(workspace.cells)
    for _ in range(most):
        cursor = store.numbers[CURSOR]
        while cursor < len(store.heads) and store.heads[cursor] < 0:
            cursor += 1
        store.numbers[CURSOR] = cursor
        if cursor == len(store.heads):
            return EXHAUSTED
        if store.numbers[COUNT] + 4 * n > len(store.player):
            return FULL
        node = store.heads[cursor]
        take_out(store, node)
        store.numbers[EXPANDED] += 1
        if store.bound[node] == 0:
            store.numbers[FOUND] = node
            return SOLVED
        expand(ground, store, workspace, way, node)
    return GOING


@rare
def expand(ground, store, workspace, way, node):
    width, board, cells = ground.width, workspace.board, workspace.cells
    key = np.uint64(0)
    for i in range(len(cells)):
        cells[i] = store.boxes[node, i]
        board[cells[i]] = BOX
        key ^= ground.box_key[cells[i]]
    store.numbers[STAMP] += 1
    here = store.numbers[STAMP]
    walk(width, board, store.player[node], here, workspace.walked, workspace.steps, workspace.queue)
    if not way.fixed:
        match_all(workspace.matching, ground.distance, cells)
    for i in range(len(cells)):
        cell = cells[i]
        for direction in range(4):
            ahead = step(width, direction)
            to = cell + ahead
            if workspace.walked[cell - ahead] != here or board[to] != EMPTY or ground.dead[to]:
                continue
            board[cell], board[to], cells[i] = EMPTY, BOX, to
            if not freezes(ground, board, cells, to):
                if way.fixed:
                    bound = own_ways(ground.distance, cells)
                else:
                    bound = match_again(workspace.again, workspace.matching, ground.distance, cells, i + 1)
                if bound < FAR:
                    player, cost = cell, store.cost[node] + 1
                    if way.by_moves:
                        cost += workspace.steps[cell - ahead]
                    else:
                        store.numbers[STAMP] += 1
                        player = first_cell(width, board, cell, store.numbers[STAMP], workspace.area, workspace.queue)
                    its_key = key ^ ground.box_key[cell] ^ ground.box_key[to] ^ ground.player_key[player]
                    arrange(cells, workspace.sorted, i, way.fixed)
                    meet(store, way, workspace.sorted, player, its_key, cost, bound, node, cell * 4 + direction)
            board[cell], board[to], cells[i] = BOX, EMPTY, cell
    for i in range(len(cells)):
        board[cells[i]] = EMPTY


@inner
def arrange(cells, ordered, moved, fixed):
    """The boxes in order, all of which were but the one that moved."""
    for i in range(len(cells)):
        ordered[i] = cells[i]
    if fixed:
        return
    i = moved
    while i > 0 and ordered[i - 1] > ordered[i]:
        ordered[i - 1], ordered[i] = ordered[i], ordered[i - 1]
        i -= 1
    while i < len(cells) - 1 and ordered[i + 1] < ordered[i]:
        ordered[i + 1], ordered[i] = ordered[i], ordered[i + 1]
        i += 1
