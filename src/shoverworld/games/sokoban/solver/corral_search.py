"""Corral deadlocks: a small search shows that the boxes around a hidden area can never be solved.

All other boxes are taken off the board. That makes the position easier, so if the boxes that are left have no solution,
the position has none. The search stops with "not a deadlock" as soon as the player can walk through the whole area.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, rare

from .corral import ALL_BOXES, NO_PUSH, CorralWorkspace, find_pi_corral, new_corral_workspace, number_areas
from .freeze import BOX, EMPTY, FROZEN, freezes
from .pairs import in_dead_pair
from .tables import LevelTables, step
from .techniques import CORRAL_CACHE, CORRAL_SEARCH

MOST_BOXES = 14  # larger corrals are not searched
_NODES = 1 << 7  # positions per search
_CACHE = 1 << 17
_DEADLOCK, _OPEN = 1, 2


class CorralSearch(NamedTuple):
    """Scratch memory for the search, and the results of earlier searches."""

    outer: CorralWorkspace  # the areas of the position that is tested
    inner: CorralWorkspace  # the areas of the positions of the search
    board: np.ndarray  # uint8 (cells,)
    cells: np.ndarray  # int64 (MOST_BOXES,)
    hidden: np.ndarray  # int64 (cells,): the cells of the area that is tested
    boxes: np.ndarray  # int16 (nodes, MOST_BOXES)
    player: np.ndarray  # int16 (nodes,)
    slots: np.ndarray  # int64 (4 * nodes,): hashes of the positions that were found, with the number of the search
    stamps: np.ndarray  # int64 (4 * nodes,)
    known: np.ndarray  # uint64 (cache,)
    result: np.ndarray  # uint8 (cache,)
    numbers: np.ndarray  # int64 (1,): the number of searches


def new_corral_search(tables: LevelTables) -> CorralSearch:
    board = np.where(tables.wall, 1, 0).astype(np.uint8)
    return CorralSearch(
        new_corral_workspace(tables), new_corral_workspace(tables), board, np.zeros(MOST_BOXES, np.int64), np.zeros(len(board), np.int64),
        np.zeros((_NODES, MOST_BOXES), np.int16), np.zeros(_NODES, np.int16), np.zeros(4 * _NODES, np.uint64),
        np.zeros(4 * _NODES, np.int64), np.zeros(_CACHE, np.uint64), np.zeros(_CACHE, np.uint8), np.zeros(1, np.int64),
    )  # fmt: skip


@rare
def has_corral_deadlock(tables, board, cells, player, pairs, s):
    """Return whether the boxes around some area that the player cannot reach are in a deadlock.

    If the boxes next to the area are not, the boxes near them are added, and then the boxes near those.
    """
    if tables.off & CORRAL_SEARCH:
        return False
    count = number_areas(tables, board, cells, player, s.outer)
    for area in range(1, count):
        n, inside = collect_fence(tables, cells, area, s)
        rounds = 0
        while 0 < n <= MOST_BOXES and rounds < 3:
            solved = True
            for i in range(n):
                solved = solved and tables.target[s.cells[i]]
            limit = len(s.player) if rounds == 0 else len(s.player) // 4
            if not solved and corral_is_lost(tables, pairs, s, n, player, area, inside, limit):
                return True
            larger = add_near_boxes(tables.width, cells, n, s)
            rounds = 3 if larger == n else rounds + 1
            n = larger
    return False


@rare
def collect_fence(tables, cells, area, s):
    """Write the boxes next to an area to `s.cells`. Return their number and a cell of the area."""
    n, inside = 0, np.int64(0)
    for i in range(len(cells)):
        found = False
        for direction in range(4):
            near = cells[i] + step(tables.width, direction)
            if s.outer.area[near] == area:
                found, inside = True, np.int64(near)
        if found:
            if n == MOST_BOXES:
                return n + 1, inside
            s.cells[n] = cells[i]
            n += 1
    return n, inside


@rare
def add_near_boxes(width, cells, n, s):
    """Add the boxes that are at most two rows and two columns away from one of the first n boxes of `s.cells`."""
    larger = n
    for i in range(len(cells)):
        cell, near, known = cells[i], False, False
        for j in range(n):
            rows, cols = cell // width - s.cells[j] // width, cell % width - s.cells[j] % width
            near = near or (-2 <= rows <= 2 and -2 <= cols <= 2)
            known = known or s.cells[j] == cell
        if near and not known:
            if larger == MOST_BOXES:
                return MOST_BOXES + 1
            s.cells[larger] = cell
            larger += 1
    return larger


@rare
def corral_is_lost(tables, pairs, s, n, player, area, inside, limit):
    """Look the corral up in the cache, or search. The corral's boxes are the first n of `s.cells`.

    The cache knows a corral by the first cell of the player's area on the whole board and, so that it recognizes the corral
    if other boxes have moved, by the first cell of the player's area without these boxes.
    """
    boxes = np.uint64(0)
    for i in range(n):
        boxes ^= tables.box_key[s.cells[i]]
    exact = ~(boxes ^ tables.player_key[player] ^ (tables.player_key[inside] << np.uint64(1)))
    known = look_up(tables, s, exact)
    if known == 0:
        known = corral_without_others(tables, pairs, s, n, player, area, inside, limit, boxes)
        remember(s, exact, known)
    return known == _DEADLOCK


@inner
def look_up(tables, s, key):
    """Return the result that the cache contains for a key, or 0."""
    slot = np.int64(key % np.uint64(len(s.known)))
    return np.int64(s.result[slot]) if s.known[slot] == key and not tables.off & CORRAL_CACHE else np.int64(0)


@inner
def remember(s, key, result):
    slot = np.int64(key % np.uint64(len(s.known)))
    s.known[slot], s.result[slot] = key, result


@rare
def corral_without_others(tables, pairs, s, n, player, area, inside, limit, boxes):
    """Test the corral with only its own boxes on the board. `boxes` is the hash of these."""
    cells, result = s.cells[:n], np.int64(_OPEN)
    for i in range(n):
        s.board[cells[i]] = BOX
    number_areas(tables, s.board, cells, player, s.inner)
    if s.inner.area[inside] != 0:  # otherwise the other boxes, not these, hide the area
        first, count = player, 0
        for cell in range(len(s.board) - 1, -1, -1):
            if s.inner.area[cell] == 0:
                first = cell
            elif s.outer.area[cell] == area:
                s.hidden[count] = cell
                count += 1
        hidden = s.hidden[count - 1]
        key = boxes ^ tables.player_key[first] ^ (tables.player_key[hidden] << np.uint64(1))
        result = look_up(tables, s, key)
        if result == 0:
            for i in range(n):
                s.boxes[0, i] = cells[i]
            result = np.int64(
                _DEADLOCK if search_corral(tables, pairs, s, n, first, s.hidden[:count], limit) else _OPEN
            )
            for i in range(n):
                cells[i] = s.boxes[0, i]
            remember(s, key, result)
    for i in range(n):
        s.board[cells[i]] = EMPTY
    return result


@rare
def search_corral(tables, pairs, s, n, player, hidden, limit):
    """Return True if no sequence of pushes solves these boxes or opens the hidden area, False if one does or the limit is hit."""
    s.numbers[0] += 1
    s.player[0] = player
    for i in range(n):
        s.board[s.boxes[0, i]] = EMPTY
    cells, node, count = s.cells[:n], 0, 1
    while 0 <= node < count:  # breadth first, because corrals usually open within a few pushes
        for i in range(n):
            cells[i] = s.boxes[node, i]
            s.board[cells[i]] = BOX
        count = expand_corral(tables, pairs, s, cells, n, s.player[node], hidden, count, limit)
        for i in range(n):
            s.board[s.boxes[node, i]] = EMPTY
        node += 1
    for i in range(n):
        s.board[s.boxes[0, i]] = BOX
    return count >= 0


@rare
def expand_corral(tables, pairs, s, cells, n, player, hidden, count, limit):
    """Append the positions after one push. Return their number, or -1 if the corral is open or the limit is hit."""
    width, board = tables.width, s.board
    corral = find_pi_corral(tables, board, cells, player, False, s.inner)
    if corral == NO_PUSH:
        return count
    is_open = True
    for cell in hidden:
        if board[cell] == EMPTY and s.inner.area[cell] != 0:
            is_open = False
            break
    solved = True
    for i in range(n):
        solved = solved and tables.target[cells[i]]
    if is_open or solved:
        return -1
    for i in range(n):
        cell = cells[i]
        if corral != ALL_BOXES and not s.inner.best[cell]:
            continue
        for direction in range(4):
            ahead = step(width, direction)
            to = cell + ahead
            if s.inner.area[cell - ahead] != 0 or board[to] != EMPTY or tables.dead[to]:
                continue
            board[cell], board[to], cells[i] = EMPTY, BOX, to
            lost = in_dead_pair(pairs, cells, to, 1 << (direction ^ 1)) or freezes(tables, board, cells, to)
            if not lost:
                count = add_position(tables, s, cells, n, cell, count, limit)
            board[cell], board[to], cells[i] = BOX, EMPTY, cell
            if count < 0:
                return -1
    return count


@rare
def add_position(tables, s, cells, n, player, count, limit):
    """Append the position unless it is known. Return the number of positions, or -1 if the limit is hit."""
    width, queue = tables.width, s.outer.queue
    queue[0], first, head, tail = player, player, 0, 1
    s.board[player] = FROZEN
    while head < tail:
        here = queue[head]
        head += 1
        first = min(first, here)
        for direction in range(4):
            near = here + step(width, direction)
            if s.board[near] == EMPTY:
                s.board[near] = FROZEN
                queue[tail] = near
                tail += 1
    for i in range(tail):
        s.board[queue[i]] = EMPTY
    key = tables.player_key[first]
    for i in range(n):
        key ^= tables.box_key[cells[i]]
    mask, stamp = len(s.slots) - 1, s.numbers[0]
    slot = np.int64(key & np.uint64(mask))
    while s.stamps[slot] == stamp:
        if s.slots[slot] == key:
            return count
        slot = (slot + 1) & mask
    if count == limit:
        return -1
    s.slots[slot], s.stamps[slot] = key, stamp
    for i in range(n):
        s.boxes[count, i] = cells[i]
    s.player[count] = first
    return count + 1
