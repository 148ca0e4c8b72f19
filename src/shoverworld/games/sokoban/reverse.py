"""Reverse play: start with all boxes on their targets, and pull boxes to find the position with the highest score.

A position consists of the boxes and the area that the player can reach. The search is a beam search: it finds
positions layer by layer, one pull per layer, and expands the `width` best positions of each layer. If two paths to a
position have the same number of pulls, the search keeps the one with fewer box swaps, so that every swap in the result
is necessary.

areas.py explains how areas are stored. All memory is allocated in advance in a `RoomWorkspace` (room_workspace.py).
"""

import numpy as np

from shoverworld.core.jit import inner, part, rare

from .areas import ONE, ZERO, add, is_in, remove, spread, spread_in_small_room, words_for
from .room_workspace import (
    DISTANCE,
    FLOODS,
    HOME,
    LENGTH,
    MAX_PRIORITY,
    MAX_PULLS,
    PARENT,
    PLAYER,
    POSITION_WORK,
    POSITIONS,
    PULL,
    SLOTS,
    SLOTS_EACH,
    slots_for,
)

# ---------------------------------------------------------------- areas


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
    """Write the area that the player can reach after pulling the box from `at` to `to`.

        - s -     The player pulls the box $ one step to the right, from `at` to `to`, where the player is now. This can
        $ @ -     cut the old area in two only if a cell s is in the area and the cell to the right of s is not.
        - s -

    If the area is not cut, the new area lacks `to`. If the player can walk to `at`, the new area gains `at` and the
    cells that the box was blocking. A flood fill is necessary only if the area is cut or if the box was blocking cells.
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

    The first two loops discard impossible pulls, and most pulls to known positions. These loops have no branches,
    because the processor could not predict the outcome.
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
