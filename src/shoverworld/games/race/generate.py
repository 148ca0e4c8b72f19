"""Generate random tracks: drivable loops and roads. The same seed gives the same track on every machine.

A line divides the squares of a coarse lattice into the inside and outside of a loop, or into the two sides of a road.

    o o o o        o o o o       Squares change sides one by one, as long as the line stays a single line that never
    o+---+o   ->   o+-+o o       touches itself. A larger twist gives a longer line. Finally, the corners are
    o|   |o        o| +-+o       moved a little at random and rounded, and the cells near the line become track.
    o+---+o        o+---+o

Neighbouring strands of the line are far enough apart to leave cells off the track between them.
"""

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from shoverworld.core.checks import number, seed_number, truth, whole
from shoverworld.core.errors import ConfigError

from .codes import FINISH, FREE, LARGEST_SIDE, OFF, START
from .polyline import UNIT, arc_lengths, rasterize, smooth, trim_ends
from .tracks import Track
from .zombie import steps_from, zombie_array

WIDEST = 50
CARS = 6  # the approximate number of start cells
FINISH_DEPTH = 3  # depth of the finish in cells; deep enough for a fast car to land on it
GAP = 3  # cells off the track between the finish and the start of a loop
_TRIES = 100
_SWEEPS = 12  # average number of attempts to move each square to the other side of the line


def random_track(
    seed: int | None = None,
    closed: bool = False,
    rows: int = 30,
    cols: int = 40,
    width: int = 3,
    twist: float = 0.5,
) -> Track:
    """Generate a track: a road across the board or, if `closed`, a loop whose finish is just behind its start.

    `width` is the width of the track in cells. `twist` ranges from 0 (few bends) to 1 (as many as fit). Without a seed,
    the track is different every time.
    """
    seed, closed = seed_number(seed), truth("closed", closed)
    rows, cols = whole("rows", rows, 1, LARGEST_SIDE), whole("cols", cols, 1, LARGEST_SIDE)
    width, twist = whole("width", width, 1, WIDEST), number("twist", twist, 0.0)
    if twist > 1:
        raise ConfigError(f"twist={twist:g}: must be between 0 (few bends) and 1 (many)")
    least = _least_side(width)
    if min(rows, cols) < least:
        raise ConfigError(f"rows={rows}, cols={cols}: must be at least {least} each for a track of width {width}")
    if seed is None:
        seed = random.SystemRandom().getrandbits(32)
    rng = random.Random(f"race track {seed}")  # only random() is used; its results are the same in all Python versions
    for _ in range(_TRIES):
        cells = _cells(rng, closed, rows, cols, width, twist)
        if cells is not None:
            kind = "loop" if closed else "road"
            return Track(cells, f"random-{seed}", f"Random {kind} {seed}")
    raise ConfigError(f"no track was found for seed {seed}; use more rows and cols or a smaller width")


def _least_side(width: int) -> int:
    """Return the minimum side length of a track: with this length, the lattice has two points along the side."""
    return (2 * _margin(width) + _pitch(width)) // UNIT + 2


def _pitch(width: int) -> int:
    """Return the minimum distance between the centre lines of two strands."""
    return (2 * width + 5) * UNIT // 2


def _margin(width: int) -> int:
    """Return the minimum distance between the line and the outermost cells."""
    return (width + 2) * UNIT // 2


def _cells(rng: random.Random, closed: bool, rows: int, cols: int, width: int, twist: float) -> np.ndarray | None:
    turned = not closed and rows > cols  # a road runs along the longer side
    high, wide = (cols, rows) if turned else (rows, cols)
    margin, pitch = _margin(width), _pitch(width)
    room = [(side - 1) * UNIT - 2 * margin for side in (high, wide)]
    most = min(room) // pitch  # maximum number of squares along the shorter side
    fields = min(2, most) + int((most - min(2, most)) * twist)
    points = [length // (min(room) // fields) + 1 for length in room]
    corners = (_loop_corners if closed else _road_corners)(rng, points[0], points[1], twist)
    spacing = [length // (count - 1) for length, count in zip(room, points, strict=True)]
    line = _move_corners(rng, corners, spacing, room, pitch) + margin
    if closed:
        line = _start_on_straight(rng, corners, line)
    if rng.random() < 0.5:
        line = line[::-1]
    track = _paint(smooth(line, closed), closed, high, wide, width)
    if track is None:
        return None
    return np.ascontiguousarray(track.T) if turned else track


# --- The line, on the lattice

_AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))  # eight squares, clockwise


def _loop_corners(rng: random.Random, high: int, wide: int, twist: float) -> list[tuple[int, int]]:
    """Return the corners (row, col) of a loop on a lattice of `high` x `wide` points."""
    side = np.zeros((high + 1, wide + 1), bool)  # which side each square is on; the outermost squares never change
    side[1:-1, 1:-1] = True
    shortest = 2 * (high + wide) - 4
    _lengthen(rng, side, shortest, shortest + int((high * wide - shortest) * twist))
    top, left = np.argwhere(side)[0].tolist()
    return _walk(side, (top - 1, left - 1), (0, 1))[:-1]


def _road_corners(rng: random.Random, high: int, wide: int, twist: float) -> list[tuple[int, int]]:
    """Return the corners (row, col) of a road from left to right on a lattice of `high` x `wide` points."""
    begin, end = int(rng.random() * high), int(rng.random() * high)
    side = np.zeros((high + 1, wide + 1), bool)
    middle = wide // 2
    side[: begin + 1, : middle + 1] = True
    side[: end + 1, middle + 1 :] = True
    shortest = wide - 1 + abs(end - begin)
    _lengthen(rng, side, shortest, shortest + int((high * wide - shortest) * twist))
    return _walk(side, (begin, 0), (0, 1), (end, wide - 1))


def _lengthen(rng: random.Random, fields: np.ndarray, length: int, wanted: int) -> None:
    """Move randomly chosen squares to the other side until the line is long enough or the attempts run out."""
    side = fields.tolist()
    high, wide = len(side) - 2, len(side[0]) - 2
    for _ in range(_SWEEPS * high * wide):
        if length >= wanted:
            break
        row, col = 1 + int(rng.random() * high), 1 + int(rng.random() * wide)
        around = [side[row + down][col + right] for down, right in _AROUND]
        own = side[row][col]
        # The line must run along this square in one piece: the side changes exactly twice along the ring of eight
        # neighbours, and the line follows one to three edges of the square.
        if sum(around[i] != around[i - 1] for i in range(8)) != 2:
            continue
        beside = sum(around[i] == own for i in (1, 3, 5, 7))
        more = 2 * beside - 4
        if not 1 <= beside <= 3 or (more < 0 and rng.random() > 0.05):
            continue
        side[row][col] = not own
        length += more
    fields[:] = side


def _walk(
    side: np.ndarray, begin: tuple[int, int], heading: tuple[int, int], end: tuple[int, int] | None = None
) -> list[tuple[int, int]]:
    """Return the points (row, col) of the line from `begin` to `end` or, without `end`, around a loop."""
    row, col = begin
    walked = [begin]
    down, right = heading
    while True:
        for turn in ((-right, down), (down, right), (right, -down)):  # left, straight on, right
            if _divides(side, row, col, *turn):
                down, right = turn
                break
        row, col = row + down, col + right
        walked.append((row, col))
        if (row, col) == (end or begin):
            return walked


def _divides(side: np.ndarray, row: int, col: int, down: int, right: int) -> bool:
    """Return whether the line leads from this point in this direction, between squares on different sides."""
    if not (0 <= row + down < side.shape[0] - 1 and 0 <= col + right < side.shape[1] - 1):
        return False
    if right:
        col += right > 0
        return bool(side[row, col] != side[row + 1, col])
    row += down > 0
    return bool(side[row, col] != side[row, col + 1])


# --- From the lattice to cells


def _move_corners(
    rng: random.Random, corners: list[tuple[int, int]], spacing: list[int], room: list[int], pitch: int
) -> np.ndarray:
    """Return the coordinates (x, y) of the corners, each moved a little at random.

    Strands of the line stay at least `pitch` apart.
    """
    moved = []
    for corner in corners:
        place = []
        for i, length, most in zip(corner, spacing, room, strict=True):
            free = max(0, min((length - pitch) // 2, (length * 3 // 4 - pitch * 725 // 1024) // 2))
            place.append(min(max(i * length + int((2 * rng.random() - 1) * free), 0), most))
        moved.append(place[::-1])
    return np.array(moved, np.int64)


def _start_on_straight(rng: random.Random, corners: list[tuple[int, int]], line: np.ndarray) -> np.ndarray:
    """Rotate the loop so that it starts at a random corner, on a straight section if there is one."""

    def straight(i: int) -> bool:
        before, here, after = corners[i - 1], corners[i], corners[(i + 1) % len(corners)]
        return before[0] == here[0] == after[0] or before[1] == here[1] == after[1]

    count = len(corners)
    tests: list[Callable[[int], Any]] = [
        lambda i: straight(i - 1) and straight(i) and straight((i + 1) % count),
        straight,
        lambda i: True,
    ]
    places = next(found for found in ([i for i in range(count) if test(i)] for test in tests) if found)
    return np.roll(line, -places[int(rng.random() * len(places))], axis=0)


def _paint(line: np.ndarray, closed: bool, rows: int, cols: int, width: int) -> np.ndarray | None:
    """Return the cells of the board: start, track and finish along the line, and a gap after the finish of a loop.

    Return None if the track is not drivable.
    """
    if closed:
        line = np.concatenate([line, line[:1]])
    along = arc_lengths(line)
    found = rasterize(line, max(width * UNIT // 2 - 1, UNIT * 3 // 4), rows, cols)
    if not closed:
        trim_ends(found, line)
    place = along[found]
    length = int(along[-1]) - (GAP * UNIT if closed else 0)
    cells = np.where(found >= 0, FREE, OFF).astype(np.int8)
    cells[(found >= 0) & (place > length)] = OFF
    cells[(cells == FREE) & (place >= length - FINISH_DEPTH * UNIT)] = FINISH
    cells[(cells == FREE) & (place < min(-(-CARS // width) * UNIT, length // 4))] = START
    half = (found >= 0) & (abs(place - length // 2) <= GAP * UNIT // 2)
    return cells if _drivable(cells, half if closed else None) else None


def _drivable(cells: np.ndarray, half: np.ndarray | None) -> bool:
    """Return whether a car can drive from every start to the finish in horizontal and vertical steps of one cell.

    On a loop, every path must pass through the cells in `half`, which are halfway around the loop.
    """
    starts, finish = cells == START, cells == FINISH
    if not starts.any() or not finish.any() or (zombie_array(cells)[starts] < 0).any():
        return False
    if half is None:
        return True
    cut = np.where(half, OFF, cells).astype(np.int8)
    return not (steps_from(cut, finish & ~half, diagonal=True)[starts] >= 0).any()
