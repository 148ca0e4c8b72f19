"""Feature space search (FESS) after Shoham and Schaeffer, for satisficing Sokoban in both directions.

Positions with equal features form a cell of the feature space. The search visits the cells in turn and expands in each
the move with the least accumulated weight. The moves that an advisor proposes weigh 0, and all other moves weigh 1, so
that the search follows the advice first and tries everything else later. A position becomes a node only when its
move is expanded.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, kernel, rare

from .advisors import ADVISORS, NO_GAIN, PACKING, score_for
from .corral import ALL_BOXES, NO_PUSH, CorralWorkspace, find_pi_corral, new_corral_workspace
from .corral_search import CorralSearch, has_corral_deadlock, new_corral_search
from .features import (
    AREAS,
    BLOCKERS,
    NOISE,
    OPENS,
    PACKED,
    REACH,
    VALUES,
    FeatureTables,
    PositionFeatures,
    is_removed,
    measure_move,
    measure_position,
    new_position_features,
    rank_of,
)
from .freeze import BOX, EMPTY, WALL, freezes
from .frozen_reach import MOST_TARGETS, FrozenReach, lacks_targets, new_frozen_reach
from .macro import MOVES, MacroWorkspace, add_box_moves, flood, new_macro_workspace
from .opener import ParkingPath, find_path, new_parking_path
from .pairs import ALL_SIDES, PairTable, has_dead_pair, in_dead_pair
from .stuck import has_stuck_deadlock
from .tables import LevelTables
from .techniques import ADVICE

GOING, SOLVED, EXHAUSTED, FULL, MET = range(5)
NODES, STORED_MOVES, CELLS, TURN, FOUND, MEETING, BEST, PICKED, LOST, ROOTS = range(
    10
)  # indices into `FessTable.numbers`
_WEIGHTS = 64  # accumulated weights above this number are treated alike
_CELLS, _BYTES_PER_CELL = 1 << 12, 24 + 8 * _WEIGHTS


class FessMode(NamedTuple):
    """The direction of the search and the techniques that it uses."""

    pull: bool
    remove: bool  # whether boxes that reach the sink are taken off the board (packing search)
    planned: bool  # whether to follow the plan in the FeatureTables; otherwise, boxes on goals count
    blockers: bool  # whether the blockers of the next parking place are a feature
    detours: bool  # whether a position stays in the cell of its best ancestor
    newest: bool  # whether the newest of several moves with equal weight is tried first, instead of the oldest
    seed: int  # different numbers from 1 to 58 break the advisors' ties differently; 0 leaves them as they are
    advised: int  # the weight of a move that an advisor proposes; the packing advisor's moves always weigh 0
    unadvised: int  # the weight of all other moves
    reset: bool  # whether the weight of a position that is better than all its ancestors starts again from 0
    corrals: bool
    deadlocks: bool


class FessTable(NamedTuple):
    """The nodes, the moves that have not been expanded, and the cells of the feature space."""

    boxes: np.ndarray  # int16 (nodes, n): sorted; the number of its sink for a box that has been removed
    player: np.ndarray  # int16 (nodes,): the first cell of the player's area
    parent: np.ndarray  # int32 (nodes,)
    source: np.ndarray  # int16 (nodes,): the move that led here
    to: np.ndarray  # int16 (nodes,)
    weight: np.ndarray  # int32 (nodes,)
    rank: np.ndarray  # int64 (nodes,): the rank of the node's cell
    slots: np.ndarray  # int32: the hash table; it stores node + 1
    move_node: np.ndarray  # int32 (moves,)
    move_source: np.ndarray  # int16 (moves,)
    move_to: np.ndarray  # int16 (moves,)
    move_player: np.ndarray  # int16 (moves,)
    move_next: np.ndarray  # int32 (moves,): the next move of the same cell and weight
    cell_rank: np.ndarray  # int64 (cells,)
    cell_slots: np.ndarray  # int32 (2 * cells,): the hash table of the ranks; it stores cell + 1
    cell_low: np.ndarray  # int64 (cells,): no move of the cell has a smaller weight
    cell_first: np.ndarray  # int32 (cells, weights)
    cell_last: np.ndarray  # int32 (cells, weights)
    numbers: np.ndarray  # int64


class FessWorkspace(NamedTuple):
    """Scratch memory."""

    board: np.ndarray  # uint8 (cells,)
    cells: np.ndarray  # int64 (n,)
    sorted: np.ndarray  # int64 (n,)
    position: PositionFeatures
    values: np.ndarray  # int64 (moves, VALUES): the features after each move; -1 if the move is not wanted
    advice: np.ndarray  # int64 (ADVISORS,): the move that each advisor proposes, or -1
    macro: MacroWorkspace
    corral: CorralWorkspace
    corral_search: CorralSearch
    reach: FrozenReach
    path: ParkingPath
    pairs: PairTable


def bytes_per_move() -> int:
    return 4 + 2 + 2 + 2 + 4


def new_fess_table(n: int, memory: int) -> FessTable:
    """Return an empty table that uses at most `memory` bytes when it is full."""
    cells = max(16, min(_CELLS, memory // 8 // _BYTES_PER_CELL))
    memory -= cells * _BYTES_PER_CELL
    capacity = max(256, memory // 8 // (2 * n + 40))
    moves = max(1 << 12, (memory - memory // 8) // bytes_per_move())
    slots = 1 << int(2 * capacity - 1).bit_length()
    return FessTable(
        np.empty((capacity, n), np.int16), np.empty(capacity, np.int16), np.empty(capacity, np.int32),
        np.empty(capacity, np.int16), np.empty(capacity, np.int16), np.empty(capacity, np.int32),
        np.empty(capacity, np.int64), np.zeros(slots, np.int32),
        np.empty(moves, np.int32), np.empty(moves, np.int16), np.empty(moves, np.int16), np.empty(moves, np.int16),
        np.empty(moves, np.int32), np.zeros(cells, np.int64), np.zeros(2 * cells, np.int32), np.zeros(cells, np.int64),
        np.full((cells, _WEIGHTS), -1, np.int32), np.full((cells, _WEIGHTS), -1, np.int32), np.zeros(10, np.int64),
    )  # fmt: skip


def new_fess_workspace(
    tables: LevelTables, features: FeatureTables, goals: np.ndarray, pairs: PairTable, n: int
) -> FessWorkspace:
    macro = new_macro_workspace(tables, n)
    return FessWorkspace(
        np.where(tables.wall, WALL, EMPTY).astype(np.uint8), np.zeros(n, np.int64), np.zeros(n, np.int64),
        new_position_features(features), np.zeros((len(macro.to), VALUES), np.int64), np.zeros(ADVISORS, np.int64),
        macro, new_corral_workspace(tables), new_corral_search(tables), new_frozen_reach(tables, goals),
        new_parking_path(tables), pairs,
    )  # fmt: skip


@inner
def key_of(tables, cells, player):
    key = tables.player_key[player]
    for cell in cells:
        key ^= tables.box_key[cell]
    return key


@rare
def find_node(table, cells, player, key):
    """Return the node with these sorted boxes and this player, or -1 minus the free slot of the hash table."""
    mask = len(table.slots) - 1
    slot = np.int64(key & np.uint64(mask))
    while table.slots[slot] != 0:
        node = table.slots[slot] - 1
        same = table.player[node] == player
        for i in range(len(cells)):
            same = same and table.boxes[node, i] == cells[i]
        if same:
            return np.int64(node)
        slot = (slot + 1) & mask
    return -1 - slot


@inner
def move_box(cells, ordered, source, to):
    """Copy the boxes to `ordered`, with one box moved, and keep them sorted."""
    at = 0
    while cells[at] != source:
        at += 1
    for i in range(len(cells)):
        ordered[i] = cells[i]
    ordered[at] = to
    while at > 0 and ordered[at - 1] > ordered[at]:
        ordered[at - 1], ordered[at] = ordered[at], ordered[at - 1]
        at -= 1
    while at < len(cells) - 1 and ordered[at + 1] < ordered[at]:
        ordered[at + 1], ordered[at] = ordered[at], ordered[at + 1]
        at += 1


@rare
def cell_with_rank(table, rank):
    """Return the cell of the feature space with this rank. If there are too many cells, return the last one."""
    slot = (rank ^ (rank >> 11) ^ (rank >> 23)) % len(table.cell_slots)
    while table.cell_slots[slot] != 0:
        cell = table.cell_slots[slot] - 1
        if table.cell_rank[cell] == rank:
            return np.int64(cell)
        slot = (slot + 1) % len(table.cell_slots)
    if table.numbers[CELLS] == len(table.cell_rank):
        return np.int64(len(table.cell_rank) - 1)
    cell = table.numbers[CELLS]
    table.cell_slots[slot] = cell + 1
    table.cell_rank[cell] = rank
    table.numbers[CELLS] += 1
    return np.int64(cell)


@rare
def add_node(table, cells, player, slot, parent, source, to, weight, rank):
    node = table.numbers[NODES]
    table.numbers[NODES] += 1
    table.slots[slot] = node + 1
    for i in range(len(cells)):
        table.boxes[node, i] = cells[i]
    table.player[node], table.parent[node] = player, parent
    table.source[node], table.to[node] = source, to
    table.weight[node], table.rank[node] = weight, rank
    return node


@rare
def is_deadlock(tables, w, cells, player, to, corrals):
    """Run the deadlock tests on a position that the board shows, from the cheapest to the most expensive.

    corrals: whether to search the corrals, too, which takes longer than all other tests.
    """
    if freezes(tables, w.board, cells, to):
        return True
    if has_dead_pair(tables.width, w.board, cells, player, to, w.pairs, w.macro):
        return True
    lost = has_stuck_deadlock(tables, w.board, cells, player, w.reach, w.macro)
    return lost or (corrals and has_corral_deadlock(tables, w.board, cells, player, w.pairs, w.corral_search))


@rare
def measure_node(tables, features, w, mode, player):
    """Compute the features of the position `w.sorted`, which the board shows."""
    values = w.position.values
    measure_position(tables, features, w.board, w.sorted, player, mode.planned, w.macro, w.position)
    values[BLOCKERS] = 0
    if mode.planned:
        blockers = find_path(tables, features, w.board, values[PACKED], player, w.path)
        if mode.blockers:
            values[BLOCKERS] = blockers


@rare
def expand_node(tables, features, table, w, mode, node):
    """Store all moves of a node, which has just been measured, with their weights."""
    cells, macro = w.cells, w.macro
    for i in range(len(cells)):
        cells[i] = table.boxes[node, i]
        if not is_removed(features, cells[i]):
            w.board[cells[i]] = BOX
    player = table.player[node]
    corral = ALL_BOXES
    if mode.corrals and not mode.pull:
        corral = find_pi_corral(tables, w.board, cells, player, True, w.corral)
    macro.numbers[MOVES] = 0
    if corral != NO_PUSH:
        for i in range(len(cells)):
            if not is_removed(features, cells[i]) and (corral == ALL_BOXES or w.corral.best[cells[i]]):
                add_box_moves(tables, features.dead, w.board, cells[i], player, mode.pull, macro)
    score_moves(tables, features, table, w, mode)
    ask_advisors(tables, w, mode)
    store_moves(table, w, mode, node)
    for cell in cells:
        if not is_removed(features, cell):
            w.board[cell] = EMPTY


@inner
def hopeless(tables, w, to):
    """Return whether the box that moved to `to` is in a deadlock that is cheap to find. The board shows the position."""
    return in_dead_pair(w.pairs, w.sorted, to, ALL_SIDES) or freezes(tables, w.board, w.sorted, to)


@rare
def score_moves(tables, features, table, w, mode):
    """Compute the features after each move, and mark the moves that are not wanted."""
    macro, board, cells = w.macro, w.board, w.cells
    removes = mode.remove and mark_removals(features, w)
    for move in range(macro.numbers[MOVES]):
        source, to, player = np.int64(macro.source[move]), np.int64(macro.to[move]), np.int64(macro.player[move])
        values = w.values[move]
        values[PACKED] = -1
        board[source] = EMPTY
        removed = is_removed(features, to)
        if removed:
            macro.areas[move], macro.reach[move], macro.player[move] = macro.alone[source]
            player = np.int64(macro.player[move])
        elif not removes:
            board[to] = BOX
        if removed or not removes:
            move_box(cells, w.sorted, source, to)
            key = key_of(tables, w.sorted, player)
            if find_node(table, w.sorted, player, key) < 0 and (mode.pull or not hopeless(tables, w, to)):
                values[AREAS], values[REACH] = macro.areas[move], macro.reach[move]
                measure_move(features, w.sorted, source, to, mode.planned, w.position, values)
                values[OPENS] = mode.planned and w.path.blocks[source] and not w.path.used[to]
                values[NOISE] = np.int64((key >> np.uint64(mode.seed)) & np.uint64(63)) if mode.seed > 0 else 0
        if not removed:
            board[to] = EMPTY
        board[source] = BOX


@rare
def mark_removals(features, w):
    """Replace the cell of each move to a sink that has room by the sink's number. Return whether there is such a move."""
    macro, removes = w.macro, False
    source, sink, has_room = np.int64(0), np.int64(0), False
    for move in range(macro.numbers[MOVES]):
        here = np.int64(features.sink[macro.to[move]])
        if here == 0:
            continue
        if source != macro.source[move] or sink != here:
            source, sink = np.int64(macro.source[move]), here
            move_box(w.cells, w.sorted, source, sink)
            has_room = not lacks_starts(features, w)
        if has_room:
            macro.to[move] = sink
            removes = True
    return removes


@rare
def lacks_starts(features, w):
    """Return whether the boxes in `w.sorted` cannot come from different start cells."""
    return len(w.sorted) <= MOST_TARGETS and lacks_targets(w.board, w.sorted, features.starts, w.reach)


@rare
def ask_advisors(tables, w, mode):
    """Let each advisor choose its best move that is not a deadlock."""
    for advisor in range(ADVISORS):
        w.advice[advisor] = -1
        while not tables.off & ADVICE:
            best, best_score = -1, NO_GAIN
            for move in range(w.macro.numbers[MOVES]):
                if w.values[move, PACKED] >= 0:
                    score = score_for(advisor, w.position.values, w.values[move])
                    if score > best_score:
                        best, best_score = move, score
            if best < 0:
                break
            if not move_is_deadlock(tables, w, mode, best):
                w.advice[advisor] = best
                break
            w.values[best, PACKED] = -1


@rare
def move_is_deadlock(tables, w, mode, move):
    """Return whether a move of the position on the board leads into a deadlock."""
    if mode.pull or not mode.deadlocks:
        return False
    source, to = np.int64(w.macro.source[move]), np.int64(w.macro.to[move])
    move_box(w.cells, w.sorted, source, to)
    w.board[source] = EMPTY
    w.board[to] = BOX
    lost = is_deadlock(tables, w, w.sorted, np.int64(w.macro.player[move]), to, False)
    w.board[to] = EMPTY
    w.board[source] = BOX
    return lost


@rare
def store_moves(table, w, mode, node):
    """Append the wanted moves to the queues of the node's cell."""
    macro = w.macro
    cell = cell_with_rank(table, table.rank[node])
    if table.rank[node] > table.cell_rank[table.numbers[BEST]]:
        table.numbers[BEST] = cell
    for turn in range(3):  # the moves of the packing advisor, of the other advisors, and all others
        for move in range(macro.numbers[MOVES]):
            if w.values[move, PACKED] < 0:
                continue
            kind = 2
            for advisor in range(ADVISORS):
                if w.advice[advisor] == move:
                    kind = min(kind, 0 if advisor == PACKING else 1)
            if kind != turn:
                continue
            at = table.numbers[STORED_MOVES]
            table.numbers[STORED_MOVES] += 1
            more = 0 if kind == 0 else mode.advised if kind == 1 else mode.unadvised
            weight = min(table.weight[node] + more, table.cell_first.shape[1] - 1)
            table.cell_low[cell] = min(table.cell_low[cell], weight)
            table.move_node[at], table.move_next[at] = node, -1
            table.move_source[at], table.move_to[at], table.move_player[at] = (
                macro.source[move], macro.to[move], macro.player[move],
            )  # fmt: skip
            append_move(table, cell, weight, at, mode.newest)


@inner
def append_move(table, cell, weight, move, newest):
    """Add a move to the queue of a cell and a weight: at its end or, if `newest`, at its beginning."""
    first, last = table.cell_first[cell, weight], table.cell_last[cell, weight]
    if first < 0:
        table.cell_first[cell, weight] = table.cell_last[cell, weight] = move
    elif newest:
        table.move_next[move] = first
        table.cell_first[cell, weight] = move
    else:
        table.move_next[last] = move
        table.cell_last[cell, weight] = move


@rare
def pick_move(table):
    """Take the next move, in turn from the best cell and from each cell. Return it and its weight, or -1 if none is left."""
    count = table.numbers[CELLS]
    table.numbers[PICKED] += 1
    if table.numbers[PICKED] & 1:
        best = table.numbers[BEST]
        if lightest(table, best) < 0:
            best, rank = -1, np.int64(-1)
            for cell in range(count):
                if table.cell_rank[cell] > rank and lightest(table, cell) >= 0:
                    best, rank = cell, table.cell_rank[cell]
            if best < 0:
                return np.int64(-1), np.int64(0)
            table.numbers[BEST] = best
        return take(table, best)
    for _ in range(count):
        table.numbers[TURN] = (table.numbers[TURN] + 1) % count
        if lightest(table, table.numbers[TURN]) >= 0:
            return take(table, table.numbers[TURN])
    return np.int64(-1), np.int64(0)


@inner
def lightest(table, cell):
    """Return the least weight of the cell's moves, or -1 if there is no move."""
    weight = table.cell_low[cell]
    while weight < table.cell_first.shape[1]:
        if table.cell_first[cell, weight] >= 0:
            table.cell_low[cell] = weight
            return weight
        weight += 1
    table.cell_low[cell] = weight
    return -1


@inner
def take(table, cell):
    weight = lightest(table, cell)
    move = table.cell_first[cell, weight]
    table.cell_first[cell, weight] = table.move_next[move]
    if table.move_next[move] < 0:
        table.cell_last[cell, weight] = -1
    return np.int64(move), np.int64(weight)


@kernel
def add_root(tables, features, table, w, mode, boxes, player):
    """Add a start position. The search expands it, so that this kernel does not contain the expansion a second time."""
    for i in range(len(boxes)):
        w.sorted[i] = boxes[i]
        w.board[boxes[i]] = BOX
    first = flood(tables.width, w.board, player, w.macro)
    measure_node(tables, features, w, mode, first)
    w.position.values[BLOCKERS] = 0  # a position with blockers is never better than the start
    for i in range(len(boxes)):
        w.board[boxes[i]] = EMPTY
    slot = find_node(table, w.sorted, first, key_of(tables, w.sorted, first))
    if slot < 0:
        add_node(table, w.sorted, first, -1 - slot, -1, 0, 0, 0, rank_of(w.position.values))


@rare
def expand_root(tables, features, table, w, mode, root):
    """Measure and expand a start position."""
    for i in range(len(w.sorted)):
        w.sorted[i] = table.boxes[root, i]
        w.board[w.sorted[i]] = BOX
    measure_node(tables, features, w, mode, np.int64(table.player[root]))
    for cell in w.sorted:
        w.board[cell] = EMPTY
    expand_node(tables, features, table, w, mode, root)


@kernel
def search_features(tables, features, table, other, w, mode, most):
    """Expand up to `most` moves. Return SOLVED, MET (a position of the table `other` was reached), or another result."""
    n = table.boxes.shape[1]
    while table.numbers[ROOTS] < table.numbers[NODES] and table.parent[table.numbers[ROOTS]] < 0:
        if table.numbers[STORED_MOVES] + len(w.macro.to) > len(table.move_node):
            return FULL
        expand_root(tables, features, table, w, mode, table.numbers[ROOTS])
        table.numbers[ROOTS] += 1
    for _ in range(most):
        if table.numbers[NODES] + 1 >= len(table.player):
            return FULL
        if table.numbers[STORED_MOVES] + len(w.macro.to) > len(table.move_node):
            return FULL
        move, weight = pick_move(table)
        if move < 0:
            return EXHAUSTED
        node = create(tables, features, table, w, mode, move, weight)
        if node < 0:
            continue
        if not mode.remove:
            for i in range(n):
                w.sorted[i] = table.boxes[node, i]
            player = np.int64(table.player[node])
            met = find_node(other, w.sorted, player, key_of(tables, w.sorted, player))
            if met >= 0:
                table.numbers[FOUND], table.numbers[MEETING] = node, met
                return MET
        left = 0
        solved = not mode.pull
        for i in range(n):
            cell = table.boxes[node, i]
            left += not is_removed(features, cell) and not features.goal[cell]
            solved = solved and tables.target[table.boxes[node, i]]
        if solved or (mode.remove and left == 0):
            table.numbers[FOUND] = node
            return SOLVED
        expand_node(tables, features, table, w, mode, node)
    return GOING


@rare
def create(tables, features, table, w, mode, move, weight):
    """Create the node that a move leads to. Return it, or -1 if the position is known or a deadlock."""
    parent = table.move_node[move]
    source, to, player = np.int64(table.move_source[move]), np.int64(table.move_to[move]), np.int64(table.move_player[move])  # fmt: skip
    for i in range(len(w.cells)):
        w.cells[i] = table.boxes[parent, i]
    move_box(w.cells, w.sorted, source, to)
    slot = find_node(table, w.sorted, player, key_of(tables, w.sorted, player))
    if slot >= 0:
        return np.int64(-1)
    for cell in w.sorted:
        if not is_removed(features, cell):
            w.board[cell] = BOX
    if mode.pull:
        lost = lacks_starts(features, w)
    else:
        lost = mode.deadlocks and is_deadlock(tables, w, w.sorted, player, to, mode.corrals)
    node = np.int64(-1)
    if lost:
        table.numbers[LOST] += 1
    else:
        measure_node(tables, features, w, mode, player)
        rank = rank_of(w.position.values)
        if mode.reset and rank > table.rank[parent]:
            weight = 0
        if mode.detours:
            rank = max(rank, table.rank[parent])
        node = np.int64(add_node(table, w.sorted, player, -1 - slot, parent, source, to, weight, rank))
    for cell in w.sorted:
        if not is_removed(features, cell):
            w.board[cell] = EMPTY
    return node
