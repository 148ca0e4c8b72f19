"""The memory of the search for rooms: the floor, the positions found and their hash table.

Cell 0 stands for all walls and is in no area, so the search need not check for walls. Position 0 has no boxes and an
empty area; it stands for an unknown position.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import both, part

from .areas import ZERO, add, bit_of, words_for
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
_62_BITS = (1 << 62) - 1


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
    box_key: np.ndarray  # uint64: the hash for a box on the cell; zeros before the first room
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
    solution: np.ndarray  # uint8: indices into LETTERS in rooms.py; empty if no solutions are wanted
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


@both
def most_numbers(cells):
    """Return a number that is greater than the highest number of a floor cell."""
    return 64 * words_for(cells)


@both
def most_positions(cells, boxes):
    """Return how many positions a search can store, including position 0.

    The limit affects which rooms a seed gives, so it does not depend on the current size of a position.
    """
    return 1 + min(MAX_POSITIONS, MAX_MEMORY // (cells // 4 + 4 * boxes + 68))


@both
def solution_size(cells):
    """Return the maximum number of moves in a solution."""
    return (MAX_PULLS + 2) * cells


@both
def cell_key(cell):
    """Return the hash for a box on a cell: 62 bits, computed with mixing steps as in splitmix64."""
    key = ((cell + 1) * 0x1E3779B97F4A7C15) & _62_BITS
    key = ((key ^ (key >> 30)) * 0x3F58476D1CE4E5B9) & _62_BITS
    key = ((key ^ (key >> 27)) * 0x14D049BB133111EB) & _62_BITS
    return key ^ (key >> 31)


def new_room_workspace(rows: int, cols: int, boxes: int) -> RoomWorkspace:
    cells = rows * cols
    words, most, positions = words_for(cells), most_numbers(cells), most_positions(cells, boxes)
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
        box_key=np.zeros(most, np.uint64),
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
        solution=np.zeros(solution_size(cells), np.uint8),
        results=np.zeros(5, np.int64),
    )


@both
def slots_for(positions):
    """Return the size of a hash table for this many positions.

    Most slots are empty, so a search for a position soon reaches an empty slot and ends there.
    """
    size = MIN_SLOTS
    while size < SLOTS_EACH * positions:
        size *= 4
    return size


@part
def write_tables(workspace, cells, cols, boxes):
    """Write the tables that describe the floor. workspace.order contains the numbers of all floor cells."""
    number, near, words, box_key = workspace.number, workspace.near, words_for(cells), workspace.box_key
    if box_key[0] == ZERO:
        for cell in range(len(box_key)):
            box_key[cell] = cell_key(cell)
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
            workspace.key_change[pull] = box_key[here] ^ box_key[there]
        workspace.beside[here] = beside
