# pyright: basic
# Numba infers the types of the functions that are compiled.
"""Generate random tracks: drivable loops and roads. The same seed gives the same track on every machine.

A random line on a coarse lattice (lattice.py) becomes a track: its corners are moved a little at random and rounded, and
the cells near the line become track. A larger twist gives a longer line. Neighbouring strands of the line are far enough
apart to leave cells off the track between them.
"""

import random
from typing import NamedTuple

import numpy as np

from shoverworld.core.checks import number, seed_number, truth, whole
from shoverworld.core.errors import ConfigError
from shoverworld.core.jit import both, inner, kernel, rare
from shoverworld.core.mersenne import next_random, state_of

from .codes import FINISH, FREE, LARGEST_SIDE, OFF, START
from .lattice import write_loop, write_road
from .polyline import NO_POINT, NO_ROOM, UNIT, is_beyond_end, measure_line, rasterize_line, smooth_line
from .tracks import Track
from .zombie import FramedTrack, new_framed_track, spread_from_finish

WIDEST = 50
ROWS, COLS, WIDTH, TWIST = 30, 40, 3, 0.5  # the defaults
CARS = 6  # the approximate number of start cells
FINISH_DEPTH = 3  # depth of the finish in cells; deep enough for a fast car to land on it
GAP = 3  # cells off the track between the finish and the start of a loop
FOUND, NOT_FOUND = 1, 0  # what `write_track` returns besides NO_ROOM
SEED_TITLE = "race track "  # the random numbers of a track come from this text, followed by the seed
_TRIES = 100


class TrackSettings(NamedTuple):
    """The settings of a random track, checked."""

    closed: bool
    rows: int
    cols: int
    width: int
    twist: float


class TrackWorkspace(NamedTuple):
    """Memory for `write_track`."""

    side: np.ndarray  # int8 (L,): the squares of the lattice
    corners: np.ndarray  # int64 (L, 2): the corners of the line, as (row, col) on the lattice
    line: np.ndarray  # int64 (L, 2): their coordinates (x, y)
    points: np.ndarray  # int64 (P, 2): the points of the smooth line
    along: np.ndarray  # int64 (P,): their distances along the line
    radius: np.ndarray  # int64 (1,): half the width of the track
    nearest: np.ndarray  # int64 (cells,): the nearest point of each cell, as in `rasterize_line`
    cut: np.ndarray  # int8 (cells,): the track without the cells halfway around a loop
    framed: FramedTrack


@both
def lattice_room(rows, cols):
    """Return the length L of the arrays for a lattice. Its points are at least 3.5 cells apart."""
    return (rows // 3 + 2) * (cols // 3 + 2)


@both
def point_room(rows, cols):
    """Return a length P for the arrays of points that is sufficient for almost all tracks."""
    return 2 * rows * cols + 2048


def new_workspace(rows: int, cols: int, points: int) -> TrackWorkspace:
    room, cells = lattice_room(rows, cols), rows * cols
    return TrackWorkspace(
        np.empty(room, np.int8),
        np.empty((room, 2), np.int64),
        np.empty((room, 2), np.int64),
        np.empty((points, 2), np.int64),
        np.empty(points, np.int64),
        np.empty(1, np.int64),
        np.empty(cells, np.int64),
        np.empty(cells, np.int8),
        new_framed_track(rows, cols),
    )


def random_track(
    seed: int | None = None,
    closed: bool = False,
    rows: int = ROWS,
    cols: int = COLS,
    width: int = WIDTH,
    twist: float = TWIST,
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
    least = least_side(width)
    if min(rows, cols) < least:
        raise ConfigError(f"rows={rows}, cols={cols}: must be at least {least} each for a track of width {width}")
    if seed is None:
        seed = random.SystemRandom().getrandbits(32)
    cells = _cells(seed, TrackSettings(closed, rows, cols, width, twist))
    if cells is None:
        raise ConfigError(f"no track was found for seed {seed}; use more rows and cols or a smaller width")
    return Track(cells, f"random-{seed}", f"Random {'loop' if closed else 'road'} {seed}")


def _cells(seed: int, settings: TrackSettings) -> np.ndarray | None:
    """Return the cells of a track, or None if none was found. If the arrays are too small, try again with larger ones."""
    cells = np.empty((settings.rows, settings.cols), np.int8)
    room, found = point_room(settings.rows, settings.cols), NO_ROOM
    while found == NO_ROOM:
        rng = state_of(random.Random(f"{SEED_TITLE}{seed}"))  # a module does the same with `seed_from_text`
        found = write_track(rng, settings, new_workspace(settings.rows, settings.cols, room), cells.reshape(-1))
        room *= 2
    return cells if found == FOUND else None


@both
def is_loop(seed):
    """Return whether the random level with this seed is a loop; otherwise, it is a road."""
    return seed % 2 == 1


@both
def least_side(width):
    """Return the minimum side length of a track: with this length, the lattice has two points along the side."""
    return (2 * _margin(width) + _pitch(width)) // UNIT + 2


@both
def _pitch(width):
    """Return the minimum distance between the centre lines of two strands."""
    return (2 * width + 5) * UNIT // 2


@both
def _margin(width):
    """Return the minimum distance between the line and the outermost cells."""
    return (width + 2) * UNIT // 2


@kernel
def write_track(rng, settings, work, cells):
    """Write a random track to `cells`. Return FOUND, NOT_FOUND, or NO_ROOM if the arrays of points are too small."""
    for _ in range(_TRIES):
        count = write_line(rng, settings, work)
        if count == NO_ROOM:
            return NO_ROOM
        length = paint(settings, work, count, cells)
        if is_drivable(settings, work, count, length, cells):
            return FOUND
    return NOT_FOUND


# --- The line


@inner
def is_turned(settings):
    """Return whether the line is drawn on a board with rows and columns exchanged. A road runs along the longer side."""
    return not settings.closed and settings.rows > settings.cols


@rare
def write_line(rng, settings, work):
    """Write the points of the smooth line. Return their number, or NO_ROOM."""
    turned, margin, pitch = is_turned(settings), _margin(settings.width), _pitch(settings.width)
    tall = (settings.cols if turned else settings.rows) * UNIT - UNIT - 2 * margin  # the height available to the line
    broad = (settings.rows if turned else settings.cols) * UNIT - UNIT - 2 * margin
    most = min(tall, broad) // pitch  # maximum number of squares along the shorter side
    fields = min(2, most) + int((most - min(2, most)) * settings.twist)
    high, wide = tall // (min(tall, broad) // fields) + 1, broad // (min(tall, broad) // fields) + 1
    if settings.closed:
        count = write_loop(rng, high, wide, settings.twist, work.side, work.corners)
    else:
        count = write_road(rng, high, wide, settings.twist, work.side, work.corners)
    for k in range(count):
        work.line[k, 1] = margin + moved(rng, work.corners[k, 0], tall // (high - 1), tall, pitch)
        work.line[k, 0] = margin + moved(rng, work.corners[k, 1], broad // (wide - 1), broad, pitch)
    first = straight_corner(rng, work.corners, count) if settings.closed else 0
    backwards = next_random(rng) < 0.5
    for k in range(count):
        source = (first + (count - 1 - k if backwards else k)) % count
        work.points[k, 0], work.points[k, 1] = work.line[source, 0], work.line[source, 1]
    count = smooth_line(work.points, count, settings.closed)
    if not settings.closed or count == NO_ROOM:
        return count
    if count == len(work.points):
        return NO_ROOM
    work.points[count, 0], work.points[count, 1] = work.points[0, 0], work.points[0, 1]
    return count + 1


@inner
def moved(rng, place, spacing, most, pitch):
    """Return a coordinate of a corner, moved a little at random. Strands of the line stay at least `pitch` apart."""
    free = max(0, min((spacing - pitch) // 2, (spacing * 3 // 4 - pitch * 725 // 1024) // 2))
    return min(max(place * spacing + int((2 * next_random(rng) - 1) * free), 0), most)


@rare
def straight_corner(rng, corners, count):
    """Return a random corner at which a loop can start, on a straight section if there is one.

    A corner is best if its neighbours are on the straight section too.
    """
    for least in (3, 1, 0):
        found = 0
        for k in range(count):
            found += int(straightness(corners, count, k) >= least)
        if found > 0:
            chosen = int(next_random(rng) * found)
            for k in range(count):
                if straightness(corners, count, k) >= least:
                    if chosen == 0:
                        return k
                    chosen -= 1
    return 0


@inner
def straightness(corners, count, k):
    """Return 3 if the line is straight at corner k and both neighbours, 1 if it is straight at corner k, otherwise 0."""
    if not is_straight(corners, count, k):
        return 0
    return 3 if is_straight(corners, count, k - 1) and is_straight(corners, count, k + 1) else 1


@inner
def is_straight(corners, count, k):
    before, here, after = (k - 1) % count, k % count, (k + 1) % count
    same_row = corners[before, 0] == corners[here, 0] and corners[here, 0] == corners[after, 0]
    return same_row or (corners[before, 1] == corners[here, 1] and corners[here, 1] == corners[after, 1])


# --- From the line to cells


@rare
def paint(settings, work, count, cells):
    """Write the cells of the board: start, track and finish along the line, and a gap after the finish of a loop.

    Return the length of the track.
    """
    turned, width, along, nearest = is_turned(settings), settings.width, work.along, work.nearest
    high, wide = (settings.cols, settings.rows) if turned else (settings.rows, settings.cols)
    measure_line(work.points, count, along)
    work.radius[0] = max(width * UNIT // 2 - 1, UNIT * 3 // 4)
    rasterize_line(work.points, count, work.radius, high, wide, nearest)
    length = along[count - 1] - (GAP * UNIT if settings.closed else 0)
    last_start = min(-(-CARS // width) * UNIT, length // 4)
    for row in range(high):
        for col in range(wide):
            kind, near = OFF, nearest[row * wide + col]
            if near != NO_POINT and (settings.closed or not is_beyond_end(work.points, count, near % count, row, col)):
                place = along[near % count]
                if place > length:
                    kind = OFF
                elif place >= length - FINISH_DEPTH * UNIT:
                    kind = FINISH
                else:
                    kind = START if place < last_start else FREE
            cells[col * high + row if turned else row * wide + col] = kind
    return length


@rare
def is_drivable(settings, work, count, length, cells):
    """Return whether a car can drive from every start to the finish in horizontal and vertical steps of one cell.

    On a loop, every path must pass through the cells that are halfway around the loop.
    """
    starts, reached = reached_starts(settings, work, cells, cells, 4)
    if starts == 0 or reached < starts:
        return False
    if not settings.closed:
        return True
    for cell in range(settings.rows * settings.cols):
        near = work.nearest[cell]
        half = near != NO_POINT and abs(work.along[near % count] - length // 2) <= GAP * UNIT // 2
        work.cut[cell] = OFF if half else cells[cell]
    starts, reached = reached_starts(settings, work, cells, work.cut, 8)
    return reached == 0


@rare
def reached_starts(settings, work, cells, ground, directions):
    """Return the number of start cells, and the number of those from which the finish can be reached on `ground`."""
    spread_from_finish(ground, settings.rows, settings.cols, directions, work.framed)
    starts, reached = 0, 0
    for row in range(settings.rows):
        for col in range(settings.cols):
            if cells[row * settings.cols + col] == START:
                starts += 1
                reached += int(work.framed.distance[(row + 1) * (settings.cols + 2) + col + 1] >= 0)
    return starts, reached
