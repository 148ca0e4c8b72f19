"""A game played backwards: from the boxes on their targets, by pulls, to the position with the highest score.

A position is where the boxes are and the area the player can walk in, all its cells alike. Positions are found
layer by layer, a pull at a time, each once; of a layer with more than `width` only the most promising are followed
up. Of two ways with as many pulls the one with fewer swaps of the box counts, so that no swap is for show.

Cells are numbered along the floor here: `near[cell, direction]` is the next one, or -1. No memory is taken while a
room is made: everything lies on a `Desk`.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, part, rare

# What is known of a position: the numbers of a row; after them, where the boxes are, in the order of their targets.
PARENT, PULL, PLAYER, SWAPS, DISTANCE, HOME, BOXES = range(7)
# The pull that led to it is box * 4 + direction. HOME: boxes that are on a target.

MOST_PULLS = 600
MOST_POSITIONS, MOST_MEMORY = 40_000, 1 << 26  # bytes, taken as they are needed
BITS = 32  # in a word of an area
PLACE = 20  # bits for a position in a slot
WALK, SEARCH, SCORE = range(3)  # in numbers: two stamps, and the score of the room drawn last
POSITION = 64  # what a position takes beside its boxes and its area, in words written
TOP_PROMISE = 4095  # more promising than this is not told apart


class Workspace(NamedTuple):
    """Scratch memory, for one thread."""

    floor: np.ndarray  # uint8 (rows * cols,)
    places: np.ndarray  # int32: the cell of the room, by the number of the cell
    order: np.ndarray  # int32: lots; targets first, then players
    number: np.ndarray  # int32: the number of a cell of the room, or -1
    row: np.ndarray  # int32, and ...
    col: np.ndarray  # ... int32: of each numbered cell
    near: np.ndarray  # int32 (cells, 4)
    ring: np.ndarray  # int32 (cells, 8): the cells around a cell, from the one above on clockwise, or -1
    closed: np.ndarray  # uint8 (256,): see `ring_table`
    is_target: np.ndarray  # uint8
    taken: np.ndarray  # uint8: a box is there
    seen: np.ndarray  # int32 stamps of walks
    queue: np.ndarray  # int32
    came: np.ndarray  # int8: directions of a walk
    nodes: np.ndarray  # int32 (positions, BOXES + boxes)
    keys: np.ndarray  # int64 (positions,)
    areas: np.ndarray  # int64 (positions, words): where the player can be
    box_key: np.ndarray  # int64 (cells,): hash of a box
    slots: np.ndarray  # int64 (slots, 2): positions by the hash of their boxes: the hash, and stamp << PLACE | position
    counts: np.ndarray  # int32: positions of a layer, by promise
    numbers: np.ndarray  # int64 (3,): WALK, SEARCH, SCORE
    solution: np.ndarray  # uint8: codes of LETTERS in rooms.py
    length: np.ndarray  # int64 (1,)

    @property
    def solution_length(self) -> int:
        return int(self.length[0])

    @property
    def score(self) -> int:
        return int(self.numbers[SCORE])


def new_search(rows: int, cols: int, boxes: int) -> Workspace:
    cells = rows * cols
    positions = min(MOST_POSITIONS, MOST_MEMORY // (cells // 4 + 4 * (BOXES + boxes) + 40))
    slots = 1 << int(2 * positions - 1).bit_length()
    keys = np.random.Generator(np.random.PCG64(1)).integers(1, 1 << 62, cells)
    return Workspace(
        floor=np.zeros(cells, np.uint8),
        places=np.zeros(cells, np.int32),
        order=np.zeros(cells, np.int32),
        number=np.zeros(cells, np.int32),
        row=np.zeros(cells, np.int32),
        col=np.zeros(cells, np.int32),
        near=np.zeros((cells, 4), np.int32),
        ring=np.zeros((cells, 8), np.int32),
        closed=ring_table(),
        is_target=np.zeros(cells, np.uint8),
        taken=np.zeros(cells, np.uint8),
        seen=np.zeros(cells, np.int32),
        queue=np.zeros(cells, np.int32),
        came=np.zeros(cells, np.int8),
        nodes=np.zeros((positions, BOXES + boxes), np.int32),
        keys=np.zeros(positions, np.int64),
        areas=np.zeros((positions, (cells + BITS - 1) // BITS), np.int64),
        box_key=keys.astype(np.int64),
        slots=np.zeros((slots, 2), np.int64),
        counts=np.zeros(TOP_PROMISE + 1, np.int32),
        numbers=np.zeros(3, np.int64),
        solution=np.zeros((MOST_PULLS + 2) * cells, np.uint8),
        length=np.zeros(1, np.int64),
    )


def ring_table() -> np.ndarray:
    """For each set of cells around a cell (a bit each): is there a way round between all those at its sides?

    Then a box that comes to stand in the middle does not cut the area in two.
    """
    table = np.zeros(256, np.uint8)
    for around in range(256):
        joined = [0] * 8  # the cells that a walk along the ring joins, by its first one
        for start in range(8):
            place = start
            while around >> place % 8 & 1 and place < start + 8:
                joined[start] |= 1 << place % 8
                place += 1
        sides = around & 0b01010101
        table[around] = not sides or any(sides & ~cells == 0 for cells in joined)
    return table


@inner
def new_stamp(numbers, kind, stamps):
    """A stamp that nothing has; when they run out, all are wiped off."""
    numbers[kind] += 1
    if numbers[kind] == 0x7FFFFFFF:
        numbers[kind] = 1
        stamps[:] = 0
    return numbers[kind]


@inner
def is_in(area, cell):
    return area[cell // BITS] >> (cell % BITS) & 1


@inner
def flood(workspace, start, area, words):
    """Write down where the player can walk from `start` among the boxes."""
    stamp = new_stamp(workspace.numbers, WALK, workspace.seen)
    for word in range(words):
        area[word] = 0
    seen, queue, near, taken = workspace.seen, workspace.queue, workspace.near, workspace.taken
    seen[start] = stamp
    queue[0] = start
    area[start // BITS] |= 1 << (start % BITS)
    head, tail = 0, 1
    while head < tail:
        here = queue[head]
        head += 1
        for direction in range(4):
            there = near[here, direction]
            if there >= 0 and seen[there] != stamp and not taken[there]:
                seen[there] = stamp
                area[there // BITS] |= 1 << (there % BITS)
                queue[tail] = there
                tail += 1


@inner
def area_after(workspace, area, at, to, player, new_area, words):
    """Write down where the player can walk after he has pulled a box. Mostly it is the same area but for two cells."""
    around = 0
    for place in range(8):
        cell = workspace.ring[to, place]
        if cell >= 0 and is_in(area, cell):
            around |= 1 << place
    same, joined = workspace.closed[around] != 0, False
    for direction in range(4):
        cell = workspace.near[at, direction]
        if cell >= 0 and cell != to:
            if is_in(area, cell):
                joined = True
            elif not workspace.taken[cell]:  # there the box was in the way
                same = False
    if not same:
        workspace.taken[at], workspace.taken[to] = 0, 1
        flood(workspace, player, new_area, words)
        workspace.taken[at], workspace.taken[to] = 1, 0
        return
    for word in range(words):
        new_area[word] = area[word]
    new_area[to // BITS] ^= 1 << (to % BITS)
    if joined:
        new_area[at // BITS] |= 1 << (at % BITS)


@inner
def value_of(node):
    return node[SWAPS] * node[DISTANCE]


@inner
def promise_of(node):
    """How good a position is to go on from: all boxes should get off their targets."""
    return min(value_of(node) // (1 + node[HOME]), TOP_PROMISE)


@part
def threshold(workspace, first, last, width):
    """The promise of the `width`-th best position of a layer, and how many of exactly this promise are among the best."""
    counts = workspace.counts
    for promise in range(len(counts)):
        counts[promise] = 0
    for n in range(first, last):
        counts[promise_of(workspace.nodes[n])] += 1
    left, promise = width, TOP_PROMISE
    while left > counts[promise]:
        left -= counts[promise]
        promise -= 1
    return promise, left


@part
def find(workspace, key, player, stamp):
    """The position with these boxes in which the player can be here, or -1; and the slot where it would be filed."""
    mask = len(workspace.slots) - 1
    slot = key & mask
    found = -1
    while workspace.slots[slot, 1] >> PLACE == stamp:
        if workspace.slots[slot, 0] == key:
            n = workspace.slots[slot, 1] & (1 << PLACE) - 1
            if is_in(workspace.areas[n], player):
                found = n
                break
        slot = (slot + 1) & mask
    return found, slot


@part
def write_child(workspace, child, parent, box, direction, to, player, swaps, distance, home, boxes):
    before, after = workspace.nodes[parent], workspace.nodes[child]
    after[PARENT], after[PULL], after[PLAYER] = parent, box * 4 + direction, player
    after[SWAPS], after[DISTANCE], after[HOME] = swaps, distance, home
    for k in range(boxes):
        after[BOXES + k] = before[BOXES + k]
    after[BOXES + box] = to


@part
def follow_up(workspace, n, boxes, words, stamp, count, layer):
    """All pulls of position n; new positions are written from `count` on. Returns the new count."""
    node, area = workspace.nodes[n], workspace.areas[n]
    taken = workspace.taken
    last = node[PULL] >> 2
    for k in range(boxes):
        taken[node[BOXES + k]] = 1
    for k in range(boxes):
        at = node[BOXES + k]
        origin = workspace.order[k]
        for direction in range(4):
            to = workspace.near[at, direction]
            if to < 0 or not is_in(area, to):
                continue
            player = workspace.near[to, direction]
            if player < 0 or not is_in(area, player):
                continue
            if count >= len(workspace.keys):
                break
            swaps = node[SWAPS] + (k != last)
            distance = node[DISTANCE]
            distance += abs(workspace.row[to] - workspace.row[origin]) + abs(workspace.col[to] - workspace.col[origin])
            distance -= abs(workspace.row[at] - workspace.row[origin]) + abs(workspace.col[at] - workspace.col[origin])
            home = node[HOME] + workspace.is_target[to] - workspace.is_target[at]
            if home == boxes:  # solved once more: the game would end here
                continue
            key = workspace.keys[n] ^ workspace.box_key[at] ^ workspace.box_key[to]
            found, slot = find(workspace, key, player, stamp)
            if found < 0:
                write_child(workspace, count, n, k, direction, to, player, swaps, distance, home, boxes)
                area_after(workspace, area, at, to, player, workspace.areas[count], words)
                workspace.keys[count] = key
                workspace.slots[slot, 0], workspace.slots[slot, 1] = key, stamp << PLACE | count
                count += 1
            elif found >= layer and swaps < workspace.nodes[found, SWAPS]:
                write_child(workspace, found, n, k, direction, to, player, swaps, distance, home, boxes)
    for k in range(boxes):
        taken[node[BOXES + k]] = 0
    return count


@rare
def play_backwards(workspace, cells, boxes, player, width, min_pushes):
    """The best position found, with at least `min_pushes` pulls if there is one: (place among the nodes, score, pulls,
    and how many cells and boxes were looked at).

    The boxes begin on order[0 : boxes], which are their targets.
    """
    words = (cells + BITS - 1) // BITS
    walks = workspace.numbers[WALK]
    stamp = new_stamp(workspace.numbers, SEARCH, workspace.slots)
    root = workspace.nodes[0]
    root[PARENT], root[PULL], root[PLAYER] = -1, -4, player
    root[SWAPS], root[DISTANCE], root[HOME] = 0, 0, boxes
    key = 0
    for k in range(boxes):
        root[BOXES + k] = workspace.order[k]
        key ^= workspace.box_key[workspace.order[k]]
        workspace.taken[workspace.order[k]] = 1
    flood(workspace, player, workspace.areas[0], words)
    for k in range(boxes):
        workspace.taken[workspace.order[k]] = 0
    workspace.keys[0] = key
    slot = key & (len(workspace.slots) - 1)
    workspace.slots[slot, 0], workspace.slots[slot, 1] = key, stamp << PLACE

    best, score, pulls, long_enough = 0, 0, 0, False
    first, last, count = 0, 1, 1
    for depth in range(MOST_PULLS + 1):
        least, ties = -1, 0
        if last - first > width:
            least, ties = threshold(workspace, first, last, width)
        for n in range(first, last):
            node = workspace.nodes[n]
            value = value_of(node)
            if node[HOME] == 0 and (value >= score or (depth >= min_pushes and not long_enough)):
                best, score, pulls, long_enough = n, value, depth, depth >= min_pushes
            promise = promise_of(node)
            if promise < least or depth == MOST_PULLS:
                continue
            if promise == least:
                ties -= 1
                if ties < 0:
                    continue
            count = follow_up(workspace, n, boxes, words, stamp, count, last)
        first, last = last, count
        if first == last:
            break
    walks = max(0, workspace.numbers[WALK] - walks)  # the stamps have begun anew if there are less
    work = count * (POSITION + boxes + words) + walks * cells + depth * len(workspace.counts)
    return best, score, pulls, work


@part
def walk_to(workspace, start, end, length):
    """Write the shortest walk from start to end into the solution."""
    stamp = new_stamp(workspace.numbers, WALK, workspace.seen)
    seen, queue, near, came = workspace.seen, workspace.queue, workspace.near, workspace.came
    seen[end] = stamp
    queue[0] = end
    head, tail = 0, 1
    while seen[start] != stamp:  # from the end, so that the steps come in order
        here = queue[head]
        head += 1
        for direction in range(4):
            there = near[here, direction]
            if there >= 0 and seen[there] != stamp and not workspace.taken[there]:
                seen[there] = stamp
                came[there] = direction ^ 1
                queue[tail] = there
                tail += 1
    while start != end:
        workspace.solution[length] = 5 + came[start]
        start = near[start, came[start]]
        length += 1
    return length


@rare
def turn_round(workspace, n, boxes, player):
    """Write the solution of position n: the game that led to it, backwards, from where the player stands."""
    length = 0
    while workspace.nodes[n, PARENT] >= 0:
        node = workspace.nodes[n]
        for k in range(boxes):
            workspace.taken[node[BOXES + k]] = 1
        length = walk_to(workspace, player, node[PLAYER], length)
        for k in range(boxes):
            workspace.taken[node[BOXES + k]] = 0
        workspace.solution[length] = 1 + ((node[PULL] & 3) ^ 1)
        length += 1
        player = node[BOXES + (node[PULL] >> 2)]
        n = node[PARENT]
    workspace.length[0] = length
