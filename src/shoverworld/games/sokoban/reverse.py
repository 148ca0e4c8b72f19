"""Reverse play: start with all boxes on their targets, and pull boxes to find the position with the highest score.

A position consists of the boxes and the area that the player can reach. The search is a beam search: it finds
positions layer by layer, one pull per layer, and expands the `width` best positions of each layer. If two paths to a
position have the same number of pulls, the search keeps the one with fewer box swaps, so that every swap in the result
is necessary.

An area is a set of bits, one for each numbered cell. Most rooms are small: the walls between their floor cells are
numbered too (see `number_floor`), and an area fits into one word. In such a room, an area spreads in all directions at
once:

    # # # # # #     The floor is 4 cells wide, so the cell below n is n + 4. Shifting an area by 4 bits moves all its
    # # @ 2 # #     cells up or down; shifting it by 1 bit moves them to the left or to the right. Cells that are not
    # 4 $ 6 7 #     free are then removed. The player @ is on cell 1, and the box $ on cell 5. The area grows from
    # # # # # #     {1} to {1, 2} and then to {1, 2, 6, 7}.

A large room has too many cells for one word. Its walls have no numbers, and an area spreads cell by cell.

Cell 0 stands for all walls and is in no area, so the search need not check for walls. Position 0 has no boxes and an
empty area; it stands for an unknown position. All memory is allocated in advance in a `RoomWorkspace`.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import both, inner, part, rare

from .rules import DOWN, LEFT, RIGHT, UP

# The columns in the row of a position. PULL, the pull that led to the position, is box * 4 + direction. HOME is the
# number of boxes on targets.
PARENT, PULL, PLAYER, DISTANCE, HOME = range(5)
# The results: the score and the length of the solution of the last room, the positions and the flood fills of the last
# search, and the size of its hash table.
SCORE, LENGTH, POSITIONS, FLOODS, SLOTS = range(5)

MAX_PULLS = 600
MAX_POSITIONS, MAX_MEMORY = 40_000, 1 << 26  # MAX_MEMORY is in bytes; the system allocates it only on first use
MIN_SLOTS, SLOTS_EACH = 256, 4  # minimum size of the hash table: in total, and per position
POSITION_WORK = 64  # estimated number of words written per position, excluding its boxes and area
MAX_PRIORITY = 4095  # higher priorities are clipped to this value
ZERO, ONE = np.uint64(0), np.uint64(1)


class RoomWorkspace(NamedTuple):
    """Scratch memory for one thread.

    Cells and slots are unsigned, because Numba checks whether a signed index is negative.
    """

    floor: np.ndarray  # uint8 (rows * cols,)
    number: np.ndarray  # uint16 (rows * cols,): the number of each cell of the map
    # Arrays with one entry for each floor cell
    places: np.ndarray  # int32: the cell of the map
    row: np.ndarray  # int32
    col: np.ndarray  # int32
    is_target: np.ndarray  # uint8
    near: np.ndarray  # uint16 (4 * cells,)
    beside: np.ndarray  # uint64: the neighbours whose bits are in the same word as the bit of the cell
    line: np.ndarray  # uint64 (4 * cells,): the next two cells in each direction; only for small rooms
    landing: np.ndarray  # uint16 (4 * cells,): the second cell in each direction, where the player is after a pull
    key_change: np.ndarray  # uint64 (4 * cells,): how a pull in each direction changes the hash
    box_key: np.ndarray  # uint64: the hash for a box on the cell
    order: np.ndarray  # uint16: the randomly drawn cells; targets first, then players
    queue: np.ndarray  # uint16: the cells of a walk
    came: np.ndarray  # int8: the directions of a walk
    # Arrays with one entry for each position
    nodes: np.ndarray  # int32 (positions, 5)
    swaps: np.ndarray  # int32
    boxes: np.ndarray  # uint16 (positions, boxes): the cells of the boxes, in the order of their targets
    areas: np.ndarray  # uint64 (positions, words): the cells that the player can reach
    keys: np.ndarray  # uint64: the hash of the boxes
    # The search
    slots: np.ndarray  # uint16: hash table keyed by boxes, which contains indices of positions; 0 is an empty slot
    floor_area: np.ndarray  # uint64 (words,): all floor cells
    sides: np.ndarray  # uint64 (2,): the cells with floor to their right, and those with floor to their left
    free: np.ndarray  # uint64 (words,): the floor cells without a box
    edge: np.ndarray  # uint64 (words,): the cells from which an area spreads
    pulls: np.ndarray  # uint16: pulls from a position
    pull_keys: np.ndarray  # uint64: the keys of the positions after these pulls
    counts: np.ndarray  # int32: number of positions in a layer, by priority
    solution: np.ndarray  # uint8: indices into LETTERS in rooms.py
    results: np.ndarray  # int64 (5,): SCORE, LENGTH, POSITIONS, FLOODS, SLOTS

    @property
    def score(self) -> int:
        return int(self.results[SCORE])

    @property
    def solution_length(self) -> int:
        return int(self.results[LENGTH])

    @property
    def positions(self) -> int:
        return int(self.results[POSITIONS])


def new_room_workspace(rows: int, cols: int, boxes: int) -> RoomWorkspace:
    cells = rows * cols
    words = words_for(cells)
    most = 64 * words  # the highest number of a floor cell is below this one
    # The limit decides which rooms a seed gives, so it does not depend on the current size of a position.
    positions = 1 + min(MAX_POSITIONS, MAX_MEMORY // (cells // 4 + 4 * boxes + 68))
    return RoomWorkspace(
        floor=np.zeros(cells, np.uint8),
        number=np.zeros(cells, np.uint16),
        places=np.zeros(most, np.int32),
        row=np.zeros(most, np.int32),
        col=np.zeros(most, np.int32),
        is_target=np.zeros(most, np.uint8),
        near=np.zeros(4 * most, np.uint16),
        beside=np.zeros(most, np.uint64),
        line=np.zeros(4 * most, np.uint64),
        landing=np.zeros(4 * most, np.uint16),
        key_change=np.zeros(4 * most, np.uint64),
        box_key=np.random.Generator(np.random.PCG64(1)).integers(1, 1 << 62, most, np.uint64),
        order=np.zeros(most, np.uint16),
        queue=np.zeros(most, np.uint16),
        came=np.zeros(most, np.int8),
        nodes=np.zeros((positions, 5), np.int32),
        swaps=np.zeros(positions, np.int32),
        boxes=np.zeros((positions, boxes), np.uint16),
        areas=np.zeros((positions, words), np.uint64),
        keys=np.zeros(positions, np.uint64),
        slots=np.zeros(slots_for(positions), np.uint16),
        floor_area=np.zeros(words, np.uint64),
        sides=np.zeros(2, np.uint64),
        free=np.zeros(words, np.uint64),
        edge=np.zeros(words, np.uint64),
        pulls=np.zeros(4 * boxes + 1, np.uint16),
        pull_keys=np.zeros(4 * boxes + 1, np.uint64),
        counts=np.zeros(MAX_PRIORITY + 1, np.int32),
        solution=np.zeros((MAX_PULLS + 2) * cells, np.uint8),
        results=np.zeros(5, np.int64),
    )


# ---------------------------------------------------------------- areas


@both
def words_for(cells):
    """Return the number of words in an area if a room has this many floor cells."""
    return (cells >> 6) + 1


@inner
def bit_of(cell):
    """Return the bit of a cell within its word."""
    return ONE << np.uint64(cell & 63)


@inner
def word_of(cell, words):
    """Return the index of the word that contains the bit of a cell. It is the constant 0 if `words` is the constant 1."""
    return (cell >> 6) * (words > 1)


@inner
def is_in(area, cell, words):
    return area[word_of(cell, words)] & bit_of(cell) != ZERO


@inner
def add(area, cell, words):
    area[word_of(cell, words)] |= bit_of(cell)


@inner
def remove(area, cell, words):
    area[word_of(cell, words)] &= ~bit_of(cell)


@inner
def lowest(bits):
    """Return the index of the lowest bit that is set. LLVM compiles the loop, which counts bits, to one instruction."""
    below = (bits - ONE) & ~bits
    count = 0
    while below:
        below &= below - ONE
        count += 1
    return count


@inner
def spread_in_small_room(reached, free, stride, sides):
    """Return the free cells of a small room that the player can reach from the cells in `reached`.

    The number after the last cell of a row belongs to the next row. `sides` therefore contains the cells that can be
    entered from the right, and those that can be entered from the left.
    """
    up_down, after_left, after_right = np.uint64(stride), free & sides[0], free & sides[1]
    before = ZERO
    while reached != before:
        before = reached
        reached |= (reached >> up_down | reached << up_down) & free
        reached |= (reached >> ONE & after_left) | (reached << ONE & after_right)
    return reached


@inner
def spread(area, edge, free, near, beside, words):
    """Extend an area to all free cells that the player can reach from the cells in `edge`. Clear `edge`."""
    again = True
    while again:
        again = False
        for word in range(words):
            first, todo, reached = 64 * word, edge[word], area[word]
            entered = todo | ~reached
            edge[word] = ZERO
            while todo:
                new = beside[first + lowest(todo)] & free[word] & ~reached
                reached |= new
                todo = (todo & (todo - ONE)) | new
            area[word] = reached
            if words > 1:  # continue with neighbours whose bits are in other words
                entered &= reached
                while entered:
                    here = first + lowest(entered)
                    entered &= entered - ONE
                    for direction in range(4):
                        there = near[4 * here + direction]
                        if there // 64 != word and is_in(free, there, words) and not is_in(area, there, words):
                            add(area, there, words)
                            add(edge, there, words)
                            again = True


@inner
def spread_from(workspace, start, area, stride, words):
    """Extend an area to `start` and to all free cells that the player can reach from there."""
    free, edge = workspace.free, workspace.edge
    add(area, start, words)
    if stride:
        area[0] = spread_in_small_room(area[0], free[0], stride, workspace.sides)
    else:
        add(edge, start, words)
        spread(area, edge, free, workspace.near, workspace.beside, words)


@inner
def write_area_after(workspace, area, pull, at, to, player, new_area, stride, words):
    """Write the area that the player can reach after a pull of the box from `at` to `to`.

        - s -     The player pulls the box $ one step to the right, from `at` to `to`, where the player is now. This can
        $ @ -     cut the old area in two only if a cell s is in the area and the cell to the right of s is not.
        - s -

    If the area is not cut, the new area lacks `to`. If the player can walk to `at`, the new area gains `at` and the
    cells that the box was blocking. A flood fill is necessary only if the area is cut or if there are such cells.
    """
    near, free = workspace.near, workspace.free
    back, left, right = (pull & 3) ^ 1, (pull & 3) ^ 2, (pull & 3) ^ 3
    cut = is_in(area, near[4 * to + left], words) & (not is_in(area, near[4 * player + left], words))
    cut |= is_in(area, near[4 * to + right], words) & (not is_in(area, near[4 * player + right], words))
    joined = blocked = False
    for direction in (back, left, right):
        there = near[4 * at + direction]
        joined |= is_in(area, there, words)
        blocked |= is_in(free, there, words) & (not is_in(area, there, words))
    workspace.results[FLOODS] += cut | blocked
    kept = ZERO if cut else ~ZERO
    for word in range(words):
        new_area[word] = area[word] & kept
    remove(new_area, to, words)
    start = at if joined & (not cut) else player
    if cut | (joined & blocked):
        remove(free, to, words)
        add(free, at, words)
        spread_from(workspace, start, new_area, stride, words)
        remove(free, at, words)
        add(free, to, words)
    else:
        add(new_area, start, words)


# ---------------------------------------------------------------- tables


@part
def write_tables(workspace, cells, cols, boxes):
    """Write the tables that describe the floor. workspace.order contains the numbers of all floor cells."""
    number, near, words = workspace.number, workspace.near, words_for(cells)
    for word in range(words):
        workspace.floor_area[word] = ZERO
    workspace.sides[0] = workspace.sides[1] = ZERO
    for k in range(cells):
        here = workspace.order[k]
        cell = workspace.places[here]
        workspace.row[here], workspace.col[here] = cell // cols, cell % cols
        near[4 * here + UP], near[4 * here + DOWN] = number[cell - cols], number[cell + cols]
        near[4 * here + LEFT], near[4 * here + RIGHT] = number[cell - 1], number[cell + 1]
        workspace.is_target[here] = k < boxes
        if number[cell]:  # not the second player's cell
            add(workspace.floor_area, here, words)
        if number[cell + 1]:
            workspace.sides[0] |= bit_of(here)
        if number[cell - 1]:
            workspace.sides[1] |= bit_of(here)
    for k in range(cells):
        here, beside = workspace.order[k], ZERO
        for direction in range(4):
            pull = 4 * here + direction
            there = near[pull]
            beyond = near[4 * there + direction]
            if there > 0 and there // 64 == here // 64:
                beside |= bit_of(there)
            workspace.line[pull] = bit_of(there) | bit_of(beyond)
            workspace.landing[pull] = beyond
            workspace.key_change[pull] = workspace.box_key[here] ^ workspace.box_key[there]
        workspace.beside[here] = beside


# ---------------------------------------------------------------- positions


@inner
def score_of(workspace, n):
    return workspace.swaps[n] * workspace.nodes[n, DISTANCE]


@inner
def priority_of(workspace, n):
    """Return the priority of a position in the beam. Boxes that are still on targets lower the priority."""
    return min(score_of(workspace, n) // (1 + workspace.nodes[n, HOME]), MAX_PRIORITY)


@part
def threshold(workspace, first, last, width):
    """Return the priority of the `width`-th best position, and how many positions of that priority to keep."""
    counts = workspace.counts
    for priority in range(len(counts)):
        counts[priority] = 0
    for n in range(first, last):
        counts[priority_of(workspace, n)] += 1
    left, priority = width, MAX_PRIORITY
    while left > counts[priority]:
        left -= counts[priority]
        priority -= 1
    return priority, left


@inner
def place_boxes(workspace, n, boxes, words):
    """Write the free cells of position n to `workspace.free`."""
    for word in range(words):
        workspace.free[word] = workspace.floor_area[word]
    for k in range(boxes):
        remove(workspace.free, workspace.boxes[n, k], words)


@inner
def is_known(workspace, n, key, player, words):
    """Return whether position n has these boxes and a player who can reach this cell."""
    return (workspace.keys[n] == key) & is_in(workspace.areas[n], player, words)


@both
def slots_for(positions):
    """Return the size of a hash table for this many positions.

    Most slots are empty, so a search for a position soon reaches an empty slot, which ends it.
    """
    size = MIN_SLOTS
    while size < SLOTS_EACH * positions:
        size *= 4
    return size


@part
def fill_slots(workspace, count, size):
    """Clear the first `size` slots of the hash table and insert `count` positions."""
    slots, keys, mask = workspace.slots, workspace.keys, np.uint64(size - 1)
    for place in range(size):
        slots[place] = 0
    for n in range(1, count):
        slot = keys[n] & mask
        while slots[slot]:
            slot = (slot + ONE) & mask
        slots[slot] = n


@part
def write_child(workspace, child, parent, pull, to, player, swaps, boxes):
    before, after = workspace.nodes[parent], workspace.nodes[child]
    box = pull // 4
    at, target = workspace.boxes[parent, box], workspace.order[box]
    row, col = workspace.row, workspace.col
    distance = before[DISTANCE]
    distance += abs(row[to] - row[target]) + abs(col[to] - col[target])
    distance -= abs(row[at] - row[target]) + abs(col[at] - col[target])
    after[PARENT], after[PULL], after[PLAYER] = parent, pull, player
    after[DISTANCE] = distance
    workspace.swaps[child] = swaps
    after[HOME] = before[HOME] + workspace.is_target[to] - workspace.is_target[at]
    for k in range(boxes):
        workspace.boxes[child, k] = workspace.boxes[parent, k]
    workspace.boxes[child, box] = to


@inner
def cells_of(near, boxes, pull):
    """Return three cells: the box before the pull, the box after the pull, and the player after the pull."""
    at = boxes[pull // 4]
    to = near[4 * at + (pull & 3)]
    return at, to, near[4 * to + (pull & 3)]


@part
def expand(workspace, n, boxes, stride, words, mask, count, layer):
    """Try all pulls from position n. Append the new positions, starting at index `count`. Return the new count.

    The first two loops discard impossible pulls, and most pulls to known positions. They have no branches, because the
    processor could not predict them.
    """
    slots, keys, pulls, pull_keys = workspace.slots, workspace.keys, workspace.pulls, workspace.pull_keys
    area, cells, near, landing = workspace.areas[n], workspace.boxes[n], workspace.near, workspace.landing
    line, key_change = workspace.line, workspace.key_change
    key_before, swaps_before, last = keys[n], workspace.swaps[n], workspace.nodes[n, PULL] >> 2
    place_boxes(workspace, n, boxes, words)

    possible = ZERO
    for k in range(boxes):
        for direction in range(4):
            move = 4 * cells[k] + direction
            pulls[possible] = 4 * k + direction
            if words == 1:
                possible += np.uint64(line[move] & ~area[0] == ZERO)
            else:
                possible += np.uint64(is_in(area, near[move], words) & is_in(area, landing[move], words))

    useful = ZERO
    for place in range(possible):
        pull = pulls[place]
        move = 4 * cells[pull >> 2] + (pull & 3)
        key = key_before ^ key_change[move]
        found = slots[key & mask]
        improved = (found >= layer) & (swaps_before + (pull >> 2 != last) < workspace.swaps[found])
        pulls[useful], pull_keys[useful] = pull, key
        useful += np.uint64(improved | (not is_known(workspace, found, key, landing[move], words)))

    for place in range(useful):
        if count >= len(keys):
            break
        pull, key = pulls[place], pull_keys[place]
        at, to, player = cells_of(near, cells, pull)
        swaps = swaps_before + (pull // 4 != last)
        slot = key & mask
        while slots[slot] and not is_known(workspace, slots[slot], key, player, words):
            slot = (slot + ONE) & mask
        child = np.int64(slots[slot])
        if child == 0:
            if key == keys[1]:  # a solved position, in which the game would end
                continue
            child = count
            count += 1
            keys[child], slots[slot] = key, child
            write_area_after(workspace, area, pull, at, to, player, workspace.areas[child], stride, words)
        elif child < layer or swaps >= workspace.swaps[child]:
            continue
        write_child(workspace, child, n, pull, to, player, swaps, boxes)
    return count


@part
def write_root(workspace, stride, boxes, player, words):
    """Write the first position: the boxes are on their targets, and the player is on cell `player`."""
    root, area = workspace.nodes[1], workspace.areas[1]
    root[PARENT], root[PULL], root[PLAYER] = 0, -4, player
    root[DISTANCE], root[HOME] = 0, boxes
    workspace.swaps[1] = 0
    for word in range(words):
        area[word] = workspace.edge[word] = ZERO
    key = ZERO
    for k in range(boxes):
        target = workspace.order[k]
        workspace.boxes[1, k] = target
        key ^= workspace.box_key[target]
    workspace.keys[1] = key
    place_boxes(workspace, 1, boxes, words)
    spread_from(workspace, player, area, stride, words)


@rare
def reverse_play(workspace, cells, stride, boxes, player, width, min_pushes):
    """Call `search`. Return the best position found: (node, score, pulls, work)."""
    if stride:
        return search_small_room(workspace, cells, stride, boxes, player, width, min_pushes)
    return search_large_room(workspace, cells, boxes, player, width, min_pushes)


@rare
def search_small_room(workspace, cells, stride, boxes, player, width, min_pushes):
    """Call `search` with the constant 1 for the number of words, so that the compiler simplifies it."""
    return search(workspace, cells, stride, 1, boxes, player, width, min_pushes)


@rare
def search_large_room(workspace, cells, boxes, player, width, min_pushes):
    return search(workspace, cells, 0, words_for(cells), boxes, player, width, min_pushes)


@part
def search(workspace, cells, stride, words, boxes, player, width, min_pushes):
    """Return the best position found, with at least `min_pushes` pulls if possible: (node, score, pulls, work).

    The boxes start on their targets, which are order[0 : boxes]. `work` estimates the number of words and cells visited.
    """
    write_root(workspace, stride, boxes, player, words)
    best, score, pulls, long_enough = 0, 0, 0, False
    first, last, count, size = 1, 2, 2, 0
    workspace.results[FLOODS] = 1
    for depth in range(MAX_PULLS + 1):
        least, ties = -1, 0
        if last - first > width:
            least, ties = threshold(workspace, first, last, width)
        for n in range(first, last):
            value = score_of(workspace, n)
            if workspace.nodes[n, HOME] == 0 and (value >= score or (depth >= min_pushes and not long_enough)):
                best, score, pulls, long_enough = n, value, depth, depth >= min_pushes
            if depth == MAX_PULLS:
                continue
            if least >= 0:
                priority = priority_of(workspace, n)
                ties -= priority == least
                if priority < least or (priority == least and ties < 0):
                    continue
            possible = min(count + 4 * boxes, len(workspace.keys))  # the number of positions after all possible pulls
            if size < SLOTS_EACH * possible:
                size = slots_for(possible)
                fill_slots(workspace, count, size)
            mask = np.uint64(size - 1)
            count = expand(workspace, n, boxes, stride, words, mask, count, last)
        first, last = last, count
        if first == last:
            break
    workspace.results[POSITIONS], workspace.results[SLOTS] = count - 1, size
    # The limit on the work decides which rooms a seed gives, so this estimate counts areas in words of 32 bits.
    work = (count - 1) * (POSITION_WORK + boxes + (cells + 31) // 32)
    work += workspace.results[FLOODS] * cells + depth * len(workspace.counts)
    return best, score, pulls, work


# ---------------------------------------------------------------- solutions


@part
def walk_to(workspace, start, end, length, words):
    """Append the shortest walk from `start` to `end` to the solution. Return the new length."""
    queue, near, came = workspace.queue, workspace.near, workspace.came
    for cell in range(64 * words):
        came[cell] = -1
    came[end] = 4
    queue[0] = end
    head, tail = 0, 1
    while came[start] < 0:  # search backwards from the end, so that the steps are found in order
        here = queue[head]
        head += 1
        for direction in range(4):
            there = near[4 * here + direction]
            if came[there] < 0 and is_in(workspace.free, there, words):
                came[there] = direction ^ 1
                queue[tail] = there
                tail += 1
    while start != end:
        workspace.solution[length] = 5 + came[start]
        start = near[4 * start + came[start]]
        length += 1
    return length


@rare
def write_solution(workspace, n, boxes, player, words):
    """Write the solution for position n and a player who starts on cell `player`: the pulls that led to n, reversed."""
    length = 0
    while workspace.nodes[n, PARENT]:
        node = workspace.nodes[n]
        place_boxes(workspace, n, boxes, words)
        length = walk_to(workspace, player, node[PLAYER], length, words)
        workspace.solution[length] = 1 + ((node[PULL] & 3) ^ 1)
        length += 1
        player = workspace.boxes[n, node[PULL] >> 2]
        n = node[PARENT]
    workspace.results[LENGTH] = length
