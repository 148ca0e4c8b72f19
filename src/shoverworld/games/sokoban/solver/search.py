"""The compiled A* search over pushes, with a bucket queue and a hash table of all positions.

A position consists of the boxes and the player. When pushes are minimized, the player is represented by the first cell
of the reachable area; when moves are minimized, by the player's exact cell. Hashes are used only to look up positions:
if two hashes are equal, the positions themselves are compared.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, kernel, rare

from .corral import ALL_BOXES, NO_PUSH, CorralWorkspace, find_pi_corral, new_corral_workspace
from .freeze import BOX, EMPTY, WALL, freezes
from .matching import Matching, fixed_total, match_all, nearest_total, new_matching, rematch
from .pairs import PairTable, in_dead_pair, no_pairs
from .tables import FAR, LevelTables, step
from .techniques import MATCHING
from .tunnels import NO_TUNNEL, forced_push

GOING, SOLVED, EXHAUSTED, FULL = range(4)
COUNT, CURSOR, EXPANDED, FOUND, DROPPED, STAMP, LIMIT = range(7)  # indices into `NodeTable.numbers`
_BUCKETS = 1 << 16


class NodeTable(NamedTuple):
    """All positions (nodes) found so far, in order of discovery, with their hash table and their bucket queue."""

    boxes: np.ndarray  # int16 (capacity, n): sorted by cell, or by number if targets are fixed
    player: np.ndarray  # int16
    cost: np.ndarray  # int32: pushes or moves so far
    bound: np.ndarray  # int32: a lower bound on the remaining pushes
    parent: np.ndarray  # int32
    push: np.ndarray  # int32: the cell of the box times four, plus the direction
    bucket: np.ndarray  # int32: the bucket that contains the node, or -1 after the node's removal
    after: np.ndarray  # int32: the next node in the bucket
    before: np.ndarray  # int32: the previous node in the bucket
    slots: np.ndarray  # int32: the hash table; it stores node + 1, and its size is a power of two
    heads: np.ndarray  # int32: the first node of each bucket
    numbers: np.ndarray  # int64


class SolverWorkspace(NamedTuple):
    """Scratch memory for the search."""

    board: np.ndarray  # uint8 (cells,)
    cells: np.ndarray  # int64 (n,): the cells of the boxes
    sorted: np.ndarray  # int64 (n,)
    walked: np.ndarray  # int64 (cells,): the stamp of the last search that reached the cell
    steps: np.ndarray  # int64 (cells,): the player's distance to the cell
    area: np.ndarray  # int64 (cells,): like `walked`, but for the position after a push
    queue: np.ndarray  # int64 (cells,)
    matching: Matching
    child_matching: Matching
    corral: CorralWorkspace
    ending: np.ndarray  # int32 (cells,): what it costs to end with the player in this cell; 0 if any cell will do
    tunnels: np.ndarray  # uint8 (cells,): see tunnels.py; all 0 in searches that must not use tunnels
    pairs: PairTable  # may be replaced during the search


class SearchMode(NamedTuple):
    """The settings that determine what the search minimizes."""

    by_moves: bool
    weight: int  # the weight of the bound: 1 finds an optimal solution; a larger weight finds some solution sooner
    fixed: bool  # whether every box has its own target; if so, boxes are kept in numerical order
    corrals: bool  # whether to prune with PI-corrals, which can lose the fewest moves, but not the fewest pushes


def new_node_table(n: int, capacity: int) -> NodeTable:
    def column():
        return np.empty(capacity, np.int32)

    slots = 1 << int(2 * capacity - 1).bit_length()
    numbers = np.zeros(7, np.int64)
    numbers[FOUND], numbers[LIMIT] = -1, _BUCKETS
    return NodeTable(
        np.empty((capacity, n), np.int16), np.empty(capacity, np.int16), column(), column(), column(), column(), column(),
        column(), column(), np.zeros(slots, np.int32), np.full(_BUCKETS, -1, np.int32), numbers,
    )  # fmt: skip


def bytes_per_node(n: int) -> int:
    return 2 * n + 2 + 7 * 4 + 4 * 4


def new_workspace(tables: LevelTables, n: int, tunnels: np.ndarray | None = None) -> SolverWorkspace:
    """Return the scratch memory for n boxes. Without `tunnels`, the search does not use this technique."""
    cells = len(tables.wall)
    board = np.where(tables.wall, WALL, EMPTY).astype(np.uint8)
    stamps = [np.zeros(cells, np.int64) for _ in range(4)]
    boxes = [np.zeros(n, np.int64) for _ in range(2)]
    return SolverWorkspace(
        board, boxes[0], boxes[1], stamps[0], stamps[1], stamps[2], stamps[3], new_matching(n), new_matching(n),
        new_corral_workspace(tables), np.zeros(cells, np.int32),
        np.zeros(cells, np.uint8) if tunnels is None else tunnels, no_pairs(cells),
    )  # fmt: skip


def pushes_to(nodes: NodeTable, node: int) -> list[int]:
    """Return the pushes from the start position to a node: the cell of the box times four, plus the direction."""
    pushes: list[int] = []
    while nodes.parent[node] >= 0:
        pushes.append(int(nodes.push[node]))
        node = int(nodes.parent[node])
    return pushes[::-1]


@rare
def walk(width, board, start, stamp, seen, steps, queue):
    """Mark all cells that the player can reach, with their distances. Return the cell with the lowest index."""
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
    """Return the cell with the lowest index that the player can reach."""
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
def push_bucket(nodes, node, bucket):
    head = nodes.heads[bucket]
    nodes.bucket[node], nodes.after[node], nodes.before[node] = bucket, head, -1
    if head >= 0:
        nodes.before[head] = node
    nodes.heads[bucket] = node
    if bucket < nodes.numbers[CURSOR]:
        nodes.numbers[CURSOR] = bucket


@inner
def remove(nodes, node):
    before, after = nodes.before[node], nodes.after[node]
    if before >= 0:
        nodes.after[before] = after
    else:
        nodes.heads[nodes.bucket[node]] = after
    if after >= 0:
        nodes.before[after] = before
    nodes.bucket[node] = -1


@rare
def insert(nodes, mode, boxes, player, key, cost, bound, parent, push):
    """Insert a position, or update a known position if the new path to it is cheaper."""
    bucket = cost + mode.weight * bound
    if bucket >= nodes.numbers[LIMIT]:
        nodes.numbers[DROPPED] = 1
        return
    mask = len(nodes.slots) - 1
    slot = np.int64(key & np.uint64(mask))
    while nodes.slots[slot] != 0:
        node = nodes.slots[slot] - 1
        same = nodes.player[node] == player
        for i in range(len(boxes)):
            same = same and nodes.boxes[node, i] == boxes[i]
        if same:
            if cost < nodes.cost[node] and (mode.weight == 1 or nodes.bucket[node] >= 0):
                if nodes.bucket[node] >= 0:
                    remove(nodes, node)
                nodes.cost[node], nodes.parent[node], nodes.push[node] = cost, parent, push
                push_bucket(nodes, node, bucket)
            return
        slot = (slot + 1) & mask
    node = nodes.numbers[COUNT]
    nodes.numbers[COUNT] += 1
    nodes.slots[slot] = node + 1
    for i in range(len(boxes)):
        nodes.boxes[node, i] = boxes[i]
    nodes.player[node], nodes.cost[node], nodes.bound[node] = player, cost, bound
    nodes.parent[node], nodes.push[node] = parent, push
    push_bucket(nodes, node, bucket)


@kernel
def begin(tables, nodes, workspace, mode, boxes, player):
    """Insert the start position. Return False if the boxes can never all reach targets."""
    for i in range(len(boxes)):
        workspace.cells[i] = boxes[i]
        workspace.board[boxes[i]] = BOX
    nodes.numbers[STAMP] = 1
    first = player
    if not mode.by_moves:
        first = first_cell(tables.width, workspace.board, player, 1, workspace.area, workspace.queue)
    key, lost = tables.player_key[first], False
    for i in range(len(boxes)):
        key ^= tables.box_key[boxes[i]]
        lost |= freezes(tables, workspace.board, workspace.cells, boxes[i])
    for i in range(len(boxes)):
        workspace.board[boxes[i]] = EMPTY
    if mode.fixed:
        bound = fixed_total(tables.distance, workspace.cells)
    elif tables.off & MATCHING:
        bound = nearest_total(tables.distance, workspace.cells)
    else:
        bound = match_all(workspace.matching, tables.distance, workspace.cells)
    if lost or bound >= FAR:
        return False
    insert(nodes, mode, boxes, first, key, 0, bound, -1, -1)
    return True


@kernel
def rehash(tables, nodes, count):
    """Fill the empty hash table of an enlarged node table."""
    mask = len(nodes.slots) - 1
    for node in range(count):
        key = tables.player_key[nodes.player[node]]
        for i in range(nodes.boxes.shape[1]):
            key ^= tables.box_key[nodes.boxes[node, i]]
        slot = np.int64(key & np.uint64(mask))
        while nodes.slots[slot] != 0:
            slot = (slot + 1) & mask
        nodes.slots[slot] = node + 1


@kernel
def explore(tables, nodes, workspace, mode, most):
    """Expand up to `most` positions in queue order. Return SOLVED, EXHAUSTED, FULL or GOING.

    A solution that has to pay for its ending becomes the limit for all others, and the search goes on.
    """
    n = len(workspace.cells)
    for _ in range(most):
        cursor = nodes.numbers[CURSOR]
        while cursor < nodes.numbers[LIMIT] and nodes.heads[cursor] < 0:
            cursor += 1
        nodes.numbers[CURSOR] = cursor
        if cursor >= nodes.numbers[LIMIT]:
            return EXHAUSTED
        if nodes.numbers[COUNT] + 4 * n > len(nodes.player):
            return FULL
        node = nodes.heads[cursor]
        remove(nodes, node)
        nodes.numbers[EXPANDED] += 1
        if nodes.bound[node] == 0:
            ending = workspace.ending[nodes.player[node]]
            if ending == 0:
                nodes.numbers[FOUND] = node
                return SOLVED
            if nodes.cost[node] + ending < nodes.numbers[LIMIT]:
                nodes.numbers[FOUND], nodes.numbers[LIMIT] = node, nodes.cost[node] + ending
        expand(tables, nodes, workspace, mode, node)
    return GOING


@rare
def expand(tables, nodes, workspace, mode, node):
    """Insert all positions that are one push away from a node, except deadlocks."""
    width, board, cells = tables.width, workspace.board, workspace.cells
    key = np.uint64(0)
    for i in range(len(cells)):
        cells[i] = nodes.boxes[node, i]
        board[cells[i]] = BOX
        key ^= tables.box_key[cells[i]]
    nodes.numbers[STAMP] += 1
    here = nodes.numbers[STAMP]
    walk(width, board, nodes.player[node], here, workspace.walked, workspace.steps, workspace.queue)
    corral = ALL_BOXES
    forced = forced_push(width, board, cells, workspace.tunnels, workspace.walked, here)
    if mode.corrals and forced == NO_TUNNEL:
        corral = find_pi_corral(tables, board, cells, nodes.player[node], True, workspace.corral)
    if not mode.fixed and not tables.off & MATCHING and corral != NO_PUSH:
        match_all(workspace.matching, tables.distance, cells)
    for i in range(len(cells)):
        cell = cells[i]
        if corral != ALL_BOXES and not workspace.corral.best[cell]:
            continue
        for direction in range(4):
            ahead = step(width, direction)
            to = cell + ahead
            if workspace.walked[cell - ahead] != here or board[to] != EMPTY or tables.dead[to]:
                continue
            if forced != NO_TUNNEL and forced != i * 4 + direction:
                continue
            board[cell], board[to], cells[i] = EMPTY, BOX, to
            if not (
                in_dead_pair(workspace.pairs, cells, to, 1 << (direction ^ 1)) or freezes(tables, board, cells, to)
            ):
                if mode.fixed:
                    bound = fixed_total(tables.distance, cells)
                elif tables.off & MATCHING:
                    bound = nearest_total(tables.distance, cells)
                else:
                    bound = rematch(workspace.child_matching, workspace.matching, tables.distance, cells, i + 1)
                if bound < FAR:
                    player, cost = cell, nodes.cost[node] + 1
                    if mode.by_moves:
                        cost += workspace.steps[cell - ahead]
                    else:
                        nodes.numbers[STAMP] += 1
                        player = first_cell(width, board, cell, nodes.numbers[STAMP], workspace.area, workspace.queue)
                    its_key = key ^ tables.box_key[cell] ^ tables.box_key[to] ^ tables.player_key[player]
                    sort_moved(cells, workspace.sorted, i, mode.fixed)
                    insert(nodes, mode, workspace.sorted, player, its_key, cost, bound, node, cell * 4 + direction)
            board[cell], board[to], cells[i] = BOX, EMPTY, cell
    for i in range(len(cells)):
        board[cells[i]] = EMPTY


@inner
def sort_moved(cells, ordered, moved, fixed):
    """Copy the boxes into `ordered`, and move the pushed box to its sorted position."""
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
