"""Reverse play: start with all boxes on their targets, and pull boxes to find the position with the highest score.

A position consists of the boxes and the area that the player can reach. The search is a beam search: it finds
positions layer by layer, one pull per layer, and expands the `width` best positions of each layer. If two paths to a
position have the same number of pulls, the search keeps the one with fewer box swaps, so that every swap in the result
is necessary.

Floor cells are numbered: `near[cell, direction]` is the neighbour's number, or -1 if the neighbour is not floor. All
memory is allocated in advance in a `RoomWorkspace`.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import both, inner, part, rare

# The columns in the row of a position. The cells of the boxes start at column BOXES, in the order of their targets.
PARENT, PULL, PLAYER, SWAPS, DISTANCE, HOME, BOXES = range(7)
# PULL, the pull that led to the position, is box * 4 + direction. HOME is the number of boxes on targets.

MAX_PULLS = 600
MAX_POSITIONS, MAX_MEMORY = 40_000, 1 << 26  # MAX_MEMORY is in bytes; the system allocates them only on first use
BITS = 32  # bits per word of an area
PLACE = 20  # number of bits in a slot that store the index of a position
WALK, SEARCH, SCORE = range(3)  # indices into `numbers`: two stamps, and the score of the last room
POSITION_WORK = 64  # estimated number of words written per position, excluding its boxes and area
MAX_PRIORITY = 4095  # higher priorities are clipped to this value
_62_BITS = (1 << 62) - 1


class RoomWorkspace(NamedTuple):
    """Scratch memory for one thread."""

    floor: np.ndarray  # uint8 (rows * cols,)
    places: np.ndarray  # int32: the cell for each number
    order: np.ndarray  # int32: the randomly drawn cells; targets first, then players
    number: np.ndarray  # int32: the number of each cell, or -1 if the cell is not floor
    row: np.ndarray  # int32: the row of each numbered cell
    col: np.ndarray  # int32: the column of each numbered cell
    near: np.ndarray  # int32 (cells, 4)
    ring: np.ndarray  # int32 (cells, 8): the cells around a cell, clockwise from the one above, or -1
    closed: np.ndarray  # uint8 (256,): see `ring_table`
    is_target: np.ndarray  # uint8
    taken: np.ndarray  # uint8: 1 if the cell is occupied by a box
    seen: np.ndarray  # int32: stamps of walks
    queue: np.ndarray  # int32
    came: np.ndarray  # int8: directions of a walk
    nodes: np.ndarray  # int32 (positions, BOXES + boxes)
    keys: np.ndarray  # int64 (positions,)
    areas: np.ndarray  # int64 (positions, words): the cells that the player can reach, as bits
    box_key: np.ndarray  # int64 (cells,): the hash of a box on each cell
    slots: np.ndarray  # int64 (slots, 2): hash table keyed by boxes: hash, and stamp << PLACE | position
    counts: np.ndarray  # int32: number of positions in a layer, by priority
    numbers: np.ndarray  # int64 (3,): WALK, SEARCH, SCORE
    solution: np.ndarray  # uint8: indices into LETTERS in rooms.py
    length: np.ndarray  # int64 (1,)

    @property
    def solution_length(self) -> int:
        return int(self.length[0])

    @property
    def score(self) -> int:
        return int(self.numbers[SCORE])


@both
def max_positions(cells, boxes):
    """Return how many positions a search can store."""
    return min(MAX_POSITIONS, MAX_MEMORY // (cells // 4 + 4 * (BOXES + boxes) + 40))


@both
def slot_count(positions):
    """Return the number of slots in the hash table: a power of two, so that at most half of the slots are used."""
    slots = 1
    while slots < 2 * positions:
        slots *= 2
    return slots


@both
def area_words(cells):
    """Return the number of words in an area."""
    return (cells + BITS - 1) // BITS


@both
def solution_size(cells):
    """Return the maximum number of moves in a solution."""
    return (MAX_PULLS + 2) * cells


@both
def cell_key(cell):
    """Return the hash of a box on a cell: 62 bits, computed with mixing steps as in splitmix64."""
    key = ((cell + 1) * 0x1E3779B97F4A7C15) & _62_BITS
    key = ((key ^ (key >> 30)) * 0x3F58476D1CE4E5B9) & _62_BITS
    key = ((key ^ (key >> 27)) * 0x14D049BB133111EB) & _62_BITS
    return key ^ (key >> 31)


def new_room_workspace(rows: int, cols: int, boxes: int) -> RoomWorkspace:
    cells = rows * cols
    positions = max_positions(cells, boxes)
    keys = np.array([cell_key(cell) for cell in range(cells)], np.int64)
    return RoomWorkspace(
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
        areas=np.zeros((positions, area_words(cells)), np.int64),
        box_key=keys,
        slots=np.zeros((slot_count(positions), 2), np.int64),
        counts=np.zeros(MAX_PRIORITY + 1, np.int32),
        numbers=np.zeros(3, np.int64),
        solution=np.zeros(solution_size(cells), np.uint8),
        length=np.zeros(1, np.int64),
    )


def ring_table() -> np.ndarray:
    """Return a table with an entry for each subset of the eight cells around a cell.

    An entry is 1 if the cells in the subset that share a side with the middle cell are connected along the ring. In
    that case, a box that moves into the middle does not cut the player's area in two.
    """
    table = np.zeros(256, np.uint8)
    for around in range(256):
        joined = [0] * 8  # the cells that a clockwise walk along the ring visits, by starting cell
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
    """Return an unused stamp. When the stamps run out, clear them all and start again."""
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
    """Write the area that the player can reach from `start`."""
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
    """Write the area that the player can reach after a pull. It usually differs from the old area in only two cells."""
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
            elif not workspace.taken[cell]:  # the box was blocking this cell
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
def score_of(node):
    return node[SWAPS] * node[DISTANCE]


@inner
def priority_of(node):
    """Return the priority of a position in the beam. Boxes that are still on targets lower the priority."""
    return min(score_of(node) // (1 + node[HOME]), MAX_PRIORITY)


@part
def threshold(workspace, first, last, width):
    """Return the priority of the `width`-th best position, and how many positions of that priority to keep."""
    counts = workspace.counts
    for priority in range(len(counts)):
        counts[priority] = 0
    for n in range(first, last):
        counts[priority_of(workspace.nodes[n])] += 1
    left, priority = width, MAX_PRIORITY
    while left > counts[priority]:
        left -= counts[priority]
        priority -= 1
    return priority, left


@part
def find(workspace, key, player, stamp):
    """Return (position, slot) for these boxes and a player who can reach this cell; position is -1 if none is known."""
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
def expand(workspace, n, boxes, words, stamp, count, layer):
    """Try all pulls from position n. Append the new positions, starting at index `count`. Return the new count."""
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
            if home == boxes:  # a solved position, in which the game would end
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
def reverse_play(workspace, cells, boxes, player, width, min_pushes):
    """Return the best position found, with at least `min_pushes` pulls if possible: (node, score, pulls, work).

    The boxes start on their targets, which are order[0 : boxes]. `work` counts the cells and boxes visited.
    """
    words = area_words(cells)
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
    for depth in range(MAX_PULLS + 1):
        least, ties = -1, 0
        if last - first > width:
            least, ties = threshold(workspace, first, last, width)
        for n in range(first, last):
            node = workspace.nodes[n]
            value = score_of(node)
            if node[HOME] == 0 and (value >= score or (depth >= min_pushes and not long_enough)):
                best, score, pulls, long_enough = n, value, depth, depth >= min_pushes
            priority = priority_of(node)
            if priority < least or depth == MAX_PULLS:
                continue
            if priority == least:
                ties -= 1
                if ties < 0:
                    continue
            count = expand(workspace, n, boxes, words, stamp, count, last)
        first, last = last, count
        if first == last:
            break
    walks = max(0, workspace.numbers[WALK] - walks)  # negative if the stamps were cleared
    work = count * (POSITION_WORK + boxes + words) + walks * cells + depth * len(workspace.counts)
    return best, score, pulls, work


@part
def walk_to(workspace, start, end, length):
    """Append the shortest walk from `start` to `end` to the solution. Return the new length."""
    stamp = new_stamp(workspace.numbers, WALK, workspace.seen)
    seen, queue, near, came = workspace.seen, workspace.queue, workspace.near, workspace.came
    seen[end] = stamp
    queue[0] = end
    head, tail = 0, 1
    while seen[start] != stamp:  # search backwards from the end, so that the steps come out in order
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
def write_solution(workspace, n, boxes, player):
    """Write the solution of position n for a player who starts on cell `player`: the pulls that led to n, reversed."""
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
