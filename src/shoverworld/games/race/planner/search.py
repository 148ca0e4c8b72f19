"""The compiled breadth-first search over states (position and velocity), which handles 64 positions at a time.

All states are stored in a log of entries, layer by layer. An entry consists of a velocity, a word of 64 cells, and 64
bits, one for each cell: a bit is set if the layer contains the state with this cell and this velocity.
Layer n contains the states that are n moves from the start (`expand_forward`) or from the finish (`expand_backward`).
Every state is inserted only once, in the first layer that reaches it, so plans are optimal.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, kernel, rare

from .bitboard import TrackBitboard
from .moves import compute_move

GOING, EXHAUSTED, FULL, FOUND = range(4)
# Indices into `numbers`: the current entry, the end of its layer, and the end of the log; the current layer; the number
# of states found; and the entry, the bit and the displacement of the finishing move.
CURSOR, LAST, COUNT, DEPTH, STATES, ENTRY, BIT, MOVED = range(8)
MAX_NEW_ENTRIES = 18  # maximum number of entries that one entry can create: nine velocities with two words each
NOT_YET = 0  # the number of moves for a state that has not been found
_ONE = np.uint64(1)


class PlannerWorkspace(NamedTuple):
    """The states found so far, and the counters of the search."""

    seen: np.ndarray  # uint64 (velocities * words,): all states found
    fresh: np.ndarray  # uint64 (velocities * words,): the states of the next layer
    numbers: np.ndarray  # int64 (8,): the counters, with the indices above


class LayerLog(NamedTuple):
    """The entries of all layers."""

    place: np.ndarray  # int32: velocity * words + word
    bits: np.ndarray  # uint64: written when the layer is complete
    first: np.ndarray  # int64: the first entry of each layer


class BackwardQuery(NamedTuple):
    """The query of a backward search, with the arrays for its results."""

    rest: int  # the index of the first word with velocity 0
    cells: np.ndarray  # int64: the bits of the start cells
    moves: np.ndarray  # int32: the minimum number of moves from each start cell at rest
    rank: np.ndarray  # int32 (bits,): the column of each cell in `value`
    value: np.ndarray  # uint16 (velocities, cells of the track): fewest moves; shape (0, 0) if not needed


def new_workspace(board: TrackBitboard) -> PlannerWorkspace:
    size = board.velocities * board.words
    return PlannerWorkspace(np.zeros(size, np.uint64), np.zeros(size, np.uint64), np.zeros(8, np.int64))


def new_layer_log(room: int) -> LayerLog:
    return LayerLog(np.empty(room, np.int32), np.empty(room, np.uint64), np.zeros(1 << 8, np.int64))


@inner
def insert(workspace, layers, place, bits):
    """Insert these states into the next layer, except states that have been found before."""
    new = bits & ~workspace.seen[place]
    if new:
        workspace.seen[place] |= new
        if workspace.fresh[place] == 0:
            layers.place[workspace.numbers[COUNT]] = place
            workspace.numbers[COUNT] += 1
        workspace.fresh[place] |= new


@kernel
def expand_forward(board, moves, workspace, layers, budget):
    """Process up to `budget` more entries of the forward search.

    Return FOUND if the finish can be reached in one move.
    """
    numbers = workspace.numbers
    for _ in range(budget):
        if numbers[CURSOR] == numbers[LAST]:
            if numbers[COUNT] == numbers[LAST]:
                return EXHAUSTED
            if numbers[DEPTH] + 1 == len(layers.first):
                return FULL
            close_layer(workspace, layers)
        if numbers[COUNT] + MAX_NEW_ENTRIES > len(layers.place):
            return FULL
        if expand_entry(board, moves, workspace, layers, numbers[CURSOR]):
            return FOUND
        numbers[CURSOR] += 1
    return GOING


@rare
def expand_entry(board, moves, workspace, layers, entry):
    """Make all moves from the states of an entry. Return whether one of the moves reaches the finish."""
    words, wide, numbers = board.words, 2 * board.fast_x + 1, workspace.numbers
    velocity, word, bits = layers.place[entry] // words, layers.place[entry] % words, layers.bits[entry]
    vx, vy = velocity % wide - board.fast_x, velocity // wide - board.fast_y
    for dy in range(max(vy - 1, -board.fast_y), min(vy + 1, board.fast_y) + 1):
        for dx in range(max(vx - 1, -board.fast_x), min(vx + 1, board.fast_x) + 1):
            moved = (dy + board.fast_y) * wide + dx + board.fast_x
            if not moves.known[moved]:
                compute_move(board, moves, moved)
            finishing = bits & moves.finishing[moved, word]
            if finishing:
                numbers[ENTRY], numbers[BIT], numbers[MOVED] = entry, lowest_bit(finishing), moved
                return True
            there = bits & moves.continuing[moved, word]
            if there:
                shift = dy * board.pitch + dx
                to, over = moved * words + word + (shift >> 6), np.uint64(shift & 63)
                low, high = there << over, (there >> _ONE) >> (np.uint64(63) - over)
                if low:
                    insert(workspace, layers, to, low)
                if high:
                    insert(workspace, layers, to + 1, high)
    return False


@kernel
def trace_back(board, workspace, layers, velocities):
    """Trace the path from its last state back to the start, and write the car's velocity in each layer."""
    words, wide, numbers = board.words, 2 * board.fast_x + 1, workspace.numbers
    entry = numbers[ENTRY]
    bit = layers.place[entry] % words * 64 + numbers[BIT]
    velocity = layers.place[entry] // words
    for layer in range(numbers[DEPTH], -1, -1):
        if layer < numbers[DEPTH]:
            velocity = predecessor_velocity(board, layers, layers.first[layer], layers.first[layer + 1], bit, velocity)
        velocities[layer] = velocity
        bit -= (velocity // wide - board.fast_y) * board.pitch + velocity % wide - board.fast_x


@inner
def predecessor_velocity(board, layers, first, last, bit, moved):
    """Return the velocity of a state in this layer, on this cell, from which the displacement `moved` is possible.

    Such a state always exists, so the result is never -1.
    """
    wide = 2 * board.fast_x + 1
    mx, my = moved % wide, moved // wide
    for entry in range(first, last):
        if layers.place[entry] % board.words == bit >> 6 and (layers.bits[entry] >> np.uint64(bit & 63)) & _ONE:
            velocity = layers.place[entry] // board.words
            if abs(velocity % wide - mx) <= 1 and abs(velocity // wide - my) <= 1:
                return velocity
    return -1


@kernel
def seed_backward(board, moves, workspace, layers, budget):
    """Insert the states from which a single move reaches the finish. CURSOR runs over the displacements."""
    numbers = workspace.numbers
    for _ in range(budget):
        moved = numbers[CURSOR]
        if moved == len(moves.known):
            numbers[CURSOR] = 0
            return EXHAUSTED
        if numbers[COUNT] + 9 * board.words > len(layers.place):
            return FULL
        if not moves.known[moved]:
            compute_move(board, moves, moved)
        for word in range(board.words):
            if moves.finishing[moved, word]:
                insert_predecessors(board, workspace, layers, moved, word, moves.finishing[moved, word])
        numbers[CURSOR] += 1
    return GOING


@rare
def insert_predecessors(board, workspace, layers, moved, word, bits):
    """Insert the states on these cells whose velocity differs from this displacement by at most 1 in x and in y."""
    wide = 2 * board.fast_x + 1
    mx, my = moved % wide - board.fast_x, moved // wide - board.fast_y
    for vy in range(max(my - 1, -board.fast_y), min(my + 1, board.fast_y) + 1):
        for vx in range(max(mx - 1, -board.fast_x), min(mx + 1, board.fast_x) + 1):
            velocity = (vy + board.fast_y) * wide + vx + board.fast_x
            insert(workspace, layers, velocity * board.words + word, bits)


@kernel
def expand_backward(board, moves, workspace, layers, query, budget):
    """Process up to `budget` more entries of the backward search. Return FOUND when the query is answered.

    Before the first call, `seed_backward` must have computed all moves.
    """
    words, wide, numbers = board.words, 2 * board.fast_x + 1, workspace.numbers
    for _ in range(budget):
        if numbers[CURSOR] == numbers[LAST]:
            if numbers[COUNT] == numbers[LAST]:
                return EXHAUSTED
            if numbers[DEPTH] + 1 == len(layers.first):
                return FULL
            close_layer(workspace, layers)
            if record_layer(workspace, layers, words, query):
                return FOUND
        if numbers[COUNT] + MAX_NEW_ENTRIES > len(layers.place):
            return FULL
        entry = numbers[CURSOR]
        moved, word, bits = layers.place[entry] // words, layers.place[entry] % words, layers.bits[entry]
        shift = -((moved // wide - board.fast_y) * board.pitch + moved % wide - board.fast_x)
        origin, over = word + (shift >> 6), np.uint64(shift & 63)
        low, high = bits << over, (bits >> _ONE) >> (np.uint64(63) - over)
        if low and 0 <= origin < words:
            low &= moves.continuing[moved, origin]
            if low:
                insert_predecessors(board, workspace, layers, moved, origin, low)
        if high and 0 <= origin + 1 < words:
            high &= moves.continuing[moved, origin + 1]
            if high:
                insert_predecessors(board, workspace, layers, moved, origin + 1, high)
        numbers[CURSOR] += 1
    return GOING


@rare
def record_layer(workspace, layers, words, query):
    """Record the number of moves to the finish from this layer's states. Return whether the query is answered."""
    depth, left = workspace.numbers[DEPTH], 0
    for i in range(len(query.cells)):
        if query.moves[i] == NOT_YET:
            place, over = query.rest + (query.cells[i] >> 6), np.uint64(query.cells[i] & 63)
            if (workspace.seen[place] >> over) & _ONE:
                query.moves[i] = depth
            else:
                left += 1
    if query.value.size == 0:
        return left == 0
    for entry in range(workspace.numbers[CURSOR], workspace.numbers[LAST]):
        velocity, word, bits = layers.place[entry] // words, layers.place[entry] % words, layers.bits[entry]
        cell = word * 64
        while bits:
            if bits & _ONE:
                query.value[velocity, query.rank[cell]] = depth
            bits >>= _ONE
            cell += 1
    return False


@rare
def close_layer(workspace, layers):
    """Complete the next layer and make it the current one."""
    numbers = workspace.numbers
    for entry in range(numbers[LAST], numbers[COUNT]):
        place = layers.place[entry]
        layers.bits[entry] = workspace.fresh[place]
        numbers[STATES] += popcount(workspace.fresh[place])
        workspace.fresh[place] = 0
    numbers[DEPTH] += 1
    layers.first[numbers[DEPTH]] = numbers[LAST]
    numbers[LAST] = numbers[COUNT]


@inner
def lowest_bit(bits):
    """Return the index of the lowest bit that is set."""
    place = 0
    while not bits & _ONE:
        bits >>= _ONE
        place += 1
    return place


@inner
def popcount(bits):
    """Return the number of bits that are set, by adding them in pairs, then in groups of four, eight and so on."""
    bits = bits - ((bits >> _ONE) & np.uint64(0x5555555555555555))
    bits = (bits & np.uint64(0x3333333333333333)) + ((bits >> np.uint64(2)) & np.uint64(0x3333333333333333))
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    bits += bits >> np.uint64(8)
    bits += bits >> np.uint64(16)
    bits += bits >> np.uint64(32)
    return np.int64(bits & np.uint64(0xFF))
