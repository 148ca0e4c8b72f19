"""Knowledge about a level that is computed once: floor, rooms and the links between them, hotspots, sinks."""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import kernel

from .frozen_reach import FrozenReach, new_frozen_reach, reach_with_walls
from .sink import Sink, find_sink
from .tables import FAR, LevelTables, connect_sides, measure_distances


class Layout(NamedTuple):
    """All cell numbers are those of the LevelTables."""

    floor: np.ndarray  # int64: the cells that the player can enter if there are no boxes
    link: np.ndarray  # int16 (cells,): see FeatureTables
    hot: np.ndarray  # int16 (cells, cells): see FeatureTables
    sink: Sink
    dead_for_pulls: np.ndarray  # bool (cells,): a pulled box cannot reach any start cell from here
    goals: np.ndarray  # int64: the targets


def neighbours(width: int) -> tuple[int, int, int, int]:
    return -width, width, -1, 1


def walking_distances(tables: LevelTables, starts: list[int]) -> np.ndarray:
    """Return the number of steps from the nearest start to each cell, ignoring boxes; FAR if there is no way."""
    distance = np.full(len(tables.wall), FAR, np.int64)
    distance[starts] = 0
    queue = list(starts)
    for here in queue:
        for step in neighbours(tables.width):
            if not tables.wall[here + step] and distance[here + step] == FAR:
                distance[here + step] = distance[here] + 1
                queue.append(here + step)
    return distance


def find_links(tables: LevelTables, floor: np.ndarray) -> np.ndarray:
    """Number the links. Open squares of 2 x 2 cells form rooms; the floor between two rooms is a link.

    ##########      ##########
    #   #    #      #aa #bbbb#      The rooms are a and b, and the two cells marked 1 are
    #        #      #aa11bbbb#      the link between them.
    ##########      ##########
    """
    width, is_floor = tables.width, np.zeros(len(tables.wall), bool)
    is_floor[floor] = True
    room = np.zeros(len(tables.wall), bool)
    for cell in floor:
        square = [cell, cell + 1, cell + width, cell + width + 1]
        if is_floor[square].all():
            room[square] = True
    rooms, _ = number_groups(room, width)
    groups, count = number_groups(is_floor & ~room, width)
    for group in range(1, count + 1):
        cells = np.flatnonzero(groups == group)
        beside = {int(rooms[cell + step]) for cell in cells for step in neighbours(width)} - {0}
        if len(beside) < 2:
            groups[cells] = 0
    _, numbers = np.unique(groups, return_inverse=True)
    return numbers.astype(np.int16)


def number_groups(member: np.ndarray, width: int) -> tuple[np.ndarray, int]:
    """Number the connected groups of member cells from 1. Return the number of each cell, and the number of groups."""
    groups, count = np.zeros(len(member), np.int64), 0
    for start in np.flatnonzero(member):
        if groups[start]:
            continue
        count += 1
        groups[start] = count
        queue = [int(start)]
        for here in queue:
            for step in neighbours(width):
                if member[here + step] and not groups[here + step]:
                    groups[here + step] = count
                    queue.append(here + step)
    return groups, count


@kernel
def measure_hotspots(tables, reach, floor, before, row, hot):
    """Fill in `hot`, with the arrays `before` and `row` as scratch memory."""
    for cell in range(len(tables.wall)):
        reach.wall[cell] = tables.wall[cell]
    reach_with_walls(tables, reach, before)
    for at in range(len(floor)):
        hot_cell = floor[at]
        reach.wall[hot_cell] = True
        reach_with_walls(tables, reach, row)
        reach.wall[hot_cell] = False
        for i in range(len(floor)):
            cell = floor[i]
            lost = before[cell] & ~row[cell]
            own = tables.target[hot_cell]
            count = 0
            while lost != 0:
                lost &= lost - np.uint64(1)
                count += 1
            if cell != hot_cell and count > own:
                hot[cell, hot_cell] = 1


def push_distances(tables: LevelTables, targets: np.ndarray) -> np.ndarray:
    """Return the number of pushes of a lone box from each cell to each of the given cells."""
    cells = len(tables.wall)
    side, queue = np.full((cells, 4), -1, np.int8), np.zeros(4 * cells, np.int64)
    connect_sides(tables.width, tables.wall, side, queue, np.zeros(cells, np.int64))
    distance = np.full((cells, len(targets)), FAR, np.int32)
    measure_distances(tables.width, tables.wall, side, targets, distance, np.zeros((cells, 4), np.int32), queue)
    return distance


def build_layout(tables: LevelTables, boxes: np.ndarray, player: int, goals: np.ndarray) -> tuple[Layout, FrozenReach]:
    cells = len(tables.wall)
    floor = np.flatnonzero(walking_distances(tables, [player]) < FAR)
    reach = new_frozen_reach(tables, goals)
    hot = np.zeros((cells, cells), np.int16)
    if len(goals) <= 64:
        measure_hotspots(tables, reach, floor, np.zeros(cells, np.uint64), np.zeros(cells, np.uint64), hot)
    pushes = push_distances(tables, floor)
    dead_for_pulls = (pushes[boxes].min(axis=0) >= FAR) if len(boxes) else np.zeros(len(floor), bool)
    dead = np.ones(cells, bool)
    dead[floor] = dead_for_pulls
    away = walking_distances(tables, goals.tolist())
    sink = find_sink(tables, floor, boxes, goals, pushes, away)
    return Layout(floor, find_links(tables, floor), hot + hot.T, sink, dead, goals.astype(np.int64)), reach
