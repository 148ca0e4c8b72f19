"""Paths along which a player can walk, or can push one box while the other boxes stay in place.

The most recent results are cached, because they are needed again whenever the pointer moves.
"""

from functools import lru_cache
from typing import NamedTuple

from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP
from shoverworld.core.ui import Cell

from ..state import BOX, PLAYER, WALL, SokobanState

MOST_WORK = 600_000  # maximum number of cells visited in a search for one box (about a second)
ORDER = (UP, DOWN, LEFT, RIGHT)


class PathStep(NamedTuple):
    """One step of a player. Directions are numbered as in core/grid.py."""

    direction: int
    push: bool


def taken_cells(state: SokobanState, who: int) -> bytes:
    """Return one byte per cell: 1 where this player cannot walk (a wall, a box or the other player), otherwise 0."""
    planes = state.planes[0]
    taken = (planes[WALL] != 0) | (planes[BOX] != 0)
    if state.players > 1:
        taken = taken | (planes[PLAYER + 1 - who] != 0)
    return taken.tobytes()


def _place(state: SokobanState, who: int) -> int:
    return int(state.game["second" if who else "player"][0])


# --- Walks


def reach(state: SokobanState, who: int = 0) -> frozenset[Cell]:
    """Return the cells that a player can walk to, including their own cell."""
    width = state.width
    came = _walks(taken_cells(state, who), width, _place(state, who))
    return frozenset(divmod(cell, width) for cell in came)


def walk(state: SokobanState, who: int, goal: Cell) -> list[int] | None:
    """Return the directions of a shortest walk to a cell, or None if no free path leads there."""
    width = state.width
    return _way(_walks(taken_cells(state, who), width, _place(state, who)), width, goal[0] * width + goal[1])


@lru_cache(maxsize=8)
def _walks(taken: bytes, width: int, start: int) -> dict[int, int]:
    """Return the direction of the last step to each reachable cell, or -1 for the start."""
    steps = _steps(width)
    came, queue = {start: -1}, [start]
    for here in queue:
        for direction in ORDER:
            there = here + steps[direction]
            if not taken[there] and there not in came:
                came[there] = direction
                queue.append(there)
    return came


def _way(came: dict[int, int], width: int, goal: int) -> list[int] | None:
    if goal not in came:
        return None
    steps, directions = _steps(width), []
    while came[goal] >= 0:
        directions.append(came[goal])
        goal -= steps[came[goal]]
    return directions[::-1]


def _steps(width: int) -> tuple[int, int, int, int]:
    return -width, 1, width, -1  # up, right, down, left


# --- Pushes of one box


class BoxPaths(NamedTuple):
    """The cells that a box can be pushed to, with the minimum number of pushes and the path for each cell."""

    pushes: dict[Cell, int]
    goals: dict[int, tuple[int, int]]  # for each cell, the last push as (cell of the box, direction)
    came: dict[tuple[int, int], tuple[int, int] | None]  # for each push, the push before it
    complete: bool  # False if the search was cut short, in which case there may be more cells


def box_paths(state: SokobanState, who: int, box: Cell) -> BoxPaths:
    """Find the cells that a player can push a box to without help from the other player."""
    width = state.width
    return _pushes(taken_cells(state, who), width, _place(state, who), box[0] * width + box[1])


@lru_cache(maxsize=4)
def _pushes(taken: bytes, width: int, player: int, box: int) -> BoxPaths:
    ground = bytearray(taken)
    ground[box] = 0
    steps = _steps(width)
    came: dict[tuple[int, int], tuple[int, int] | None] = {}
    far: dict[int, int] = {box: 0}
    goals: dict[int, tuple[int, int]] = {}
    queue: list[tuple[int, int]] = []
    areas: dict[int, list[int]] = {}  # for each position of the box, the number of the area on each side
    work = MOST_WORK

    def sides(at: int) -> list[int]:
        nonlocal work
        if at not in areas:
            areas[at], cost = _sides(ground, steps, at)
            work -= cost
        return areas[at]

    ground[box] = 1
    walked = _walks(bytes(ground), width, player)
    ground[box] = 0
    for direction in ORDER:
        if box - steps[direction] in walked and not ground[box + steps[direction]]:
            queue.append((box, direction))
            came[box, direction] = None
    # A pair is a pending push: the cell of the box and the direction.
    for pair in queue:
        here, direction = pair
        there = here + steps[direction]
        if there not in far:
            far[there] = _count(came, pair) + 1
            goals[there] = pair
        if work < 0:
            break
        areas_there = sides(there)
        # The player now stands where the box was, on the side from which the box was pushed.
        area = areas_there[(direction + 2) % 4]
        for turn in ORDER:
            if areas_there[(turn + 2) % 4] == area and not ground[there + steps[turn]] and (there, turn) not in came:
                came[there, turn] = pair
                queue.append((there, turn))
    return BoxPaths({divmod(cell, width): number for cell, number in far.items()}, goals, came, work >= 0)


def _count(came: dict[tuple[int, int], tuple[int, int] | None], pair: tuple[int, int]) -> int:
    number, before = 0, came[pair]
    while before is not None:
        number, before = number + 1, came[before]
    return number


def _sides(ground: bytearray, steps: tuple[int, ...], box: int) -> tuple[list[int], int]:
    """Return the number of the area on each side of a box, and the number of cells visited.

    A side that is not free has the area number -1. Two sides are in the same area if the player can walk from one to
    the other around the box.
    """
    found = [-1 if ground[box + steps[side]] else side for side in range(4)]
    for side in (0, 1, 2, 3, 0, 1):  # more than one round, so that a join at the last corner spreads to all sides
        beside = (side + 1) % 4
        if found[side] >= 0 and found[beside] >= 0 and not ground[box + steps[side] + steps[beside]]:
            found[side] = found[beside] = min(found[side], found[beside])
    cost = 0
    for first in range(4):
        others = {box + steps[side] for side in range(4) if found[side] > found[first] >= 0}
        if not others or found[first] != first:
            continue
        seen, queue = {box, box + steps[first]}, [box + steps[first]]  # no corner joins them, so search farther
        for here in queue:
            for step in steps:
                there = here + step
                if not ground[there] and there not in seen:
                    seen.add(there)
                    queue.append(there)
        cost += len(queue)
        for side in range(4):
            if box + steps[side] in seen and found[side] >= 0:
                found[side] = first
    return found, cost


def push_path(state: SokobanState, who: int, box: Cell, goal: Cell) -> list[PathStep] | None:
    """Return the steps that push a box to a cell in the fewest pushes, or None if that is impossible."""
    width = state.width
    steps, taken = _steps(width), bytearray(taken_cells(state, who))
    ways = box_paths(state, who, box)
    pair = ways.goals.get(goal[0] * width + goal[1])
    pushes = []
    while pair is not None:
        pushes.append(pair)
        pair = ways.came[pair]
    if not pushes:
        return None
    player, done = _place(state, who), []
    for here, direction in reversed(pushes):
        walked = _way(_walks(bytes(taken), width, player), width, here - steps[direction])
        if walked is None:
            return None
        done += [PathStep(way, False) for way in walked]
        done.append(PathStep(direction, True))
        taken[here], taken[here + steps[direction]], player = 0, 1, here
    return done
