"""The search, compiled: breadth first over position and velocity, 64 positions at a time.

All states met stand in a log of entries, each a velocity, a word of 64 cells, and which of them; layer after layer: the
states that are so many moves from the start (`onward`), or from the finish (`back`). A state is met once, in the layer where
it belongs: that is the proof.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, kernel, rare

from .ground import Ground
from .moves import learn

GOING, EXHAUSTED, FULL, FOUND = range(4)
# The places in `numbers`: the entry to work on, the end of its layer, the end of the log; how many layers are done; states
# met; and for the one who has finished: from which entry and cell, by which displacement.
CURSOR, LAST, COUNT, DEPTH, STATES, ENTRY, BIT, MOVED = range(8)
A_ENTRY = 18  # entries that one makes at most: nine velocities, two words
NOT_YET = 0  # moves to the finish, of a state that was not met
_ONE = np.uint64(1)


class Workspace(NamedTuple):
    seen: np.ndarray  # uint64 (velocities * words,): states met
    fresh: np.ndarray  # uint64 (velocities * words,): those of the layer in the making
    numbers: np.ndarray  # int64 (8,)


class Log(NamedTuple):
    place: np.ndarray  # int32: velocity * words + word
    bits: np.ndarray  # uint64: written when the layer is complete
    first: np.ndarray  # int64: where each layer begins


class Wanted(NamedTuple):
    """What a search from the finish is to find out."""

    rest: int  # the place of the first cell at rest
    cells: np.ndarray  # int64: bits of cells, of which the moves from there, at rest ...
    moves: np.ndarray  # int32: ... are these
    rank: np.ndarray  # int32 (bits,): the column of a cell in `value`
    value: np.ndarray  # uint16 (velocities, cells of the track): the moves from each state; (0, 0) if nobody asks


def new_workspace(ground: Ground) -> Workspace:
    size = ground.velocities * ground.words
    return Workspace(np.zeros(size, np.uint64), np.zeros(size, np.uint64), np.zeros(8, np.int64))


def new_log(room: int) -> Log:
    return Log(np.empty(room, np.int32), np.empty(room, np.uint64), np.zeros(1 << 8, np.int64))


@inner
def meet(workspace, log, place, bits):
    """Note those of these states that were not met before."""
    new = bits & ~workspace.seen[place]
    if new:
        workspace.seen[place] |= new
        if workspace.fresh[place] == 0:
            log.place[workspace.numbers[COUNT]] = place
            workspace.numbers[COUNT] += 1
        workspace.fresh[place] |= new


@kernel
def onward(ground, moves, workspace, log, budget):
    """Go on from where the work was left, for so many entries: FOUND if someone can finish."""
    numbers = workspace.numbers
    for _ in range(budget):
        if numbers[CURSOR] == numbers[LAST]:
            if numbers[COUNT] == numbers[LAST]:
                return EXHAUSTED
            if numbers[DEPTH] + 1 == len(log.first):
                return FULL
            settle(workspace, log)
        if numbers[COUNT] + A_ENTRY > len(log.place):
            return FULL
        if spread(ground, moves, workspace, log, numbers[CURSOR]):
            return FOUND
        numbers[CURSOR] += 1
    return GOING


@rare
def spread(ground, moves, workspace, log, entry):
    """Make all moves from these states; True if one of them finishes."""
    words, wide, numbers = ground.words, 2 * ground.fast_x + 1, workspace.numbers
    velocity, word, bits = log.place[entry] // words, log.place[entry] % words, log.bits[entry]
    vx, vy = velocity % wide - ground.fast_x, velocity // wide - ground.fast_y
    for dy in range(max(vy - 1, -ground.fast_y), min(vy + 1, ground.fast_y) + 1):
        for dx in range(max(vx - 1, -ground.fast_x), min(vx + 1, ground.fast_x) + 1):
            moved = (dy + ground.fast_y) * wide + dx + ground.fast_x
            if not moves.known[moved]:
                learn(ground, moves, moved)
            home = bits & moves.end[moved, word]
            if home:
                numbers[ENTRY], numbers[BIT], numbers[MOVED] = entry, lowest(home), moved
                return True
            there = bits & moves.go[moved, word]
            if there:
                shift = dy * ground.pitch + dx
                to, over = moved * words + word + (shift >> 6), np.uint64(shift & 63)
                low, high = there << over, (there >> _ONE) >> (np.uint64(63) - over)
                if low:
                    meet(workspace, log, to, low)
                if high:
                    meet(workspace, log, to + 1, high)
    return False


@kernel
def way_back(ground, workspace, log, velocities):
    """Who came to the state that finished: its velocity in each layer."""
    words, wide, numbers = ground.words, 2 * ground.fast_x + 1, workspace.numbers
    entry = numbers[ENTRY]
    bit = log.place[entry] % words * 64 + numbers[BIT]
    velocity = log.place[entry] // words
    for layer in range(numbers[DEPTH], -1, -1):
        if layer < numbers[DEPTH]:
            velocity = came_with(ground, log, log.first[layer], log.first[layer + 1], bit, velocity)
        velocities[layer] = velocity
        bit -= (velocity // wide - ground.fast_y) * ground.pitch + velocity % wide - ground.fast_x


@inner
def came_with(ground, log, first, last, bit, moved):
    """With which velocity was someone of this layer on this cell, who could move so? -1: there was none, which cannot be."""
    wide = 2 * ground.fast_x + 1
    mx, my = moved % wide, moved // wide
    for entry in range(first, last):
        if log.place[entry] % ground.words == bit >> 6 and (log.bits[entry] >> np.uint64(bit & 63)) & _ONE:
            velocity = log.place[entry] // ground.words
            if abs(velocity % wide - mx) <= 1 and abs(velocity // wide - my) <= 1:
                return velocity
    return -1


@kernel
def homes(ground, moves, workspace, log, budget):
    """Begin with the states from which one move finishes; CURSOR goes over the displacements."""
    numbers = workspace.numbers
    for _ in range(budget):
        moved = numbers[CURSOR]
        if moved == len(moves.known):
            numbers[CURSOR] = 0
            return EXHAUSTED
        if numbers[COUNT] + 9 * ground.words > len(log.place):
            return FULL
        if not moves.known[moved]:
            learn(ground, moves, moved)
        for word in range(ground.words):
            if moves.end[moved, word]:
                before(ground, workspace, log, moved, word, moves.end[moved, word])
        numbers[CURSOR] += 1
    return GOING


@rare
def before(ground, workspace, log, moved, word, bits):
    """Who can make this move from these cells: whoever has nearly this velocity."""
    wide = 2 * ground.fast_x + 1
    mx, my = moved % wide - ground.fast_x, moved // wide - ground.fast_y
    for vy in range(max(my - 1, -ground.fast_y), min(my + 1, ground.fast_y) + 1):
        for vx in range(max(mx - 1, -ground.fast_x), min(mx + 1, ground.fast_x) + 1):
            velocity = (vy + ground.fast_y) * wide + vx + ground.fast_x
            meet(workspace, log, velocity * ground.words + word, bits)


@kernel
def back(ground, moves, workspace, log, wanted, budget):
    """Go on from where the work was left. All moves are known since `homes`. FOUND: all is known that was wanted."""
    words, wide, numbers = ground.words, 2 * ground.fast_x + 1, workspace.numbers
    for _ in range(budget):
        if numbers[CURSOR] == numbers[LAST]:
            if numbers[COUNT] == numbers[LAST]:
                return EXHAUSTED
            if numbers[DEPTH] + 1 == len(log.first):
                return FULL
            settle(workspace, log)
            if tell(workspace, log, words, wanted):
                return FOUND
        if numbers[COUNT] + A_ENTRY > len(log.place):
            return FULL
        entry = numbers[CURSOR]
        moved, word, bits = log.place[entry] // words, log.place[entry] % words, log.bits[entry]
        shift = -((moved // wide - ground.fast_y) * ground.pitch + moved % wide - ground.fast_x)
        origin, over = word + (shift >> 6), np.uint64(shift & 63)
        low, high = bits << over, (bits >> _ONE) >> (np.uint64(63) - over)
        if low and 0 <= origin < words:
            low &= moves.go[moved, origin]
            if low:
                before(ground, workspace, log, moved, origin, low)
        if high and 0 <= origin + 1 < words:
            high &= moves.go[moved, origin + 1]
            if high:
                before(ground, workspace, log, moved, origin + 1, high)
        numbers[CURSOR] += 1
    return GOING


@rare
def tell(workspace, log, words, wanted):
    """Note how many moves it is from the states of this layer. True if nothing more is wanted."""
    depth, left = workspace.numbers[DEPTH], 0
    for i in range(len(wanted.cells)):
        if wanted.moves[i] == NOT_YET:
            place, over = wanted.rest + (wanted.cells[i] >> 6), np.uint64(wanted.cells[i] & 63)
            if (workspace.seen[place] >> over) & _ONE:
                wanted.moves[i] = depth
            else:
                left += 1
    if wanted.value.size == 0:
        return left == 0
    for entry in range(workspace.numbers[CURSOR], workspace.numbers[LAST]):
        velocity, word, bits = log.place[entry] // words, log.place[entry] % words, log.bits[entry]
        cell = word * 64
        while bits:
            if bits & _ONE:
                wanted.value[velocity, wanted.rank[cell]] = depth
            bits >>= _ONE
            cell += 1
    return False


@rare
def settle(workspace, log):
    """The layer that was made is complete: it is the next to be worked on."""
    numbers = workspace.numbers
    for entry in range(numbers[LAST], numbers[COUNT]):
        place = log.place[entry]
        log.bits[entry] = workspace.fresh[place]
        numbers[STATES] += how_many(workspace.fresh[place])
        workspace.fresh[place] = 0
    numbers[DEPTH] += 1
    log.first[numbers[DEPTH]] = numbers[LAST]
    numbers[LAST] = numbers[COUNT]


@inner
def lowest(bits):
    """The place of the lowest bit."""
    place = 0
    while not bits & _ONE:
        bits >>= _ONE
        place += 1
    return place


@inner
def how_many(bits):
    """How many bits are set: by pairs, by fours, by eights, and so on."""
    bits = bits - ((bits >> _ONE) & np.uint64(0x5555555555555555))
    bits = (bits & np.uint64(0x3333333333333333)) + ((bits >> np.uint64(2)) & np.uint64(0x3333333333333333))
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    bits += bits >> np.uint64(8)
    bits += bits >> np.uint64(16)
    bits += bits >> np.uint64(32)
    return np.int64(bits & np.uint64(0xFF))
