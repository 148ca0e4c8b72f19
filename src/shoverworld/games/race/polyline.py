# pyright: basic
# Numba infers the types of the functions that are compiled.
"""Functions that smooth a polyline and rasterize it into the cells of a track.

All coordinates are integers, so that a line produces the same cells on every machine. A cell is UNIT wide. The kernels
work on the first `count` points (x, y) of an array.
"""

from math import sqrt

import numpy as np

from shoverworld.core.jit import both, shared

UNIT = 1024  # side length of a cell; the centre of cell (x, y) is at (x * UNIT, y * UNIT)
STEP = UNIT // 2  # maximum distance between neighbouring points of a smooth line, in x and in y
NO_ROOM = -1  # what `smooth_line` returns if the array of points is too small
NO_POINT = np.iinfo(np.int64).max  # the value in `nearest` of a cell that is not near the line


# --- Kernels


@shared
def smooth_line(points, count, closed):
    """Smooth a line with Chaikin's algorithm. Return the new number of points, or NO_ROOM if they do not fit.

    The algorithm cuts corners until neighbouring points are at most STEP apart in x and in y. Each pass replaces the two
    ends of a side by points on the side, which doubles the number of points. The first and last points of an open line
    stay.
    """
    while longest_side(points, count, closed) > STEP:
        if 2 * count > len(points):
            return NO_ROOM
        shift, sides = (0, count) if closed else (1, count - 1)
        if not closed:
            points[2 * count - 1, 0], points[2 * count - 1, 1] = points[count - 1, 0], points[count - 1, 1]
        for k in range(sides - 1, -1, -1):  # from the end, because the points are replaced in place
            ahead = (k + 1) % count
            for axis in range(2):
                here, there = points[k, axis], points[ahead, axis]
                points[2 * k + shift, axis] = (3 * here + there) >> 2
                points[2 * k + shift + 1, axis] = (here + 3 * there) >> 2
        count *= 2
    return count


@both
def longest_side(points, count, closed):
    longest = 0
    for k in range(count if closed else count - 1):
        ahead = (k + 1) % count
        for axis in range(2):
            longest = max(longest, abs(points[ahead, axis] - points[k, axis]))
    return longest


@shared
def measure_line(points, count, along):
    """Write the distance along the line from its first point to each of its points."""
    along[0] = 0
    for k in range(1, count):
        right, down = points[k, 0] - points[k - 1, 0], points[k, 1] - points[k - 1, 1]
        along[k] = along[k - 1] + int(sqrt(float(right * right + down * down)))


@shared
def rasterize_line(points, count, radii, rows, cols, nearest):
    """Find the nearest point for every cell within the radius of a point.

    Write the squared distance times `count`, plus the index of the point, to `nearest`, or NO_POINT for other cells.
    `radii` contains the radius of each point, or one radius for all points.
    """
    for cell in range(rows * cols):
        nearest[cell] = NO_POINT
    for k in range(count):
        radius = radii[k % len(radii)]
        reach = radius // UNIT + 1
        x, y = points[k, 0] // UNIT, points[k, 1] // UNIT  # a cell near the point
        for row in range(max(0, y - reach), min(rows, y + reach + 1)):
            for col in range(max(0, x - reach), min(cols, x + reach + 1)):
                across, down = col * UNIT - points[k, 0], row * UNIT - points[k, 1]
                away = across * across + down * down
                if away <= radius * radius:
                    cell = row * cols + col
                    nearest[cell] = min(nearest[cell], away * count + k)


@both
def is_beyond_end(points, count, point, row, col):
    """Return whether a cell whose nearest point is `point` is beyond an end of the line."""
    if point != 0 and point != count - 1:
        return False
    inwards = 1 if point == 0 else point - 1
    right, down = points[inwards, 0] - points[point, 0], points[inwards, 1] - points[point, 1]
    return (col * UNIT - points[point, 0]) * right + (row * UNIT - points[point, 1]) * down < 0


@shared
def trim_line(points, count, cols, found):
    """Remove the cells beyond the ends of a rasterized line. `found` contains the nearest point of each cell, or -1."""
    for cell in range(len(found)):
        if found[cell] >= 0 and is_beyond_end(points, count, found[cell], cell // cols, cell % cols):
            found[cell] = -1


# --- The same for arrays of points


def smooth(points: np.ndarray, closed: bool) -> np.ndarray:
    """Return a line that is smoothed with Chaikin's algorithm."""
    room = 2 * len(points)
    while True:
        smoothed = np.zeros((room, 2), np.int64)
        smoothed[: len(points)] = points
        count = smooth_line(smoothed, len(points), closed)
        if count != NO_ROOM:
            return smoothed[:count]
        room *= 2


def arc_lengths(points: np.ndarray) -> np.ndarray:
    """Return the distance along the line from its first point to each of its points."""
    along = np.zeros(len(points), np.int64)
    measure_line(np.asarray(points, np.int64), len(points), along)
    return along


def rasterize(points: np.ndarray, radius: np.ndarray | int, rows: int, cols: int) -> np.ndarray:
    """Return, for every cell, the index of the nearest point, int64 (rows, cols).

    The index is -1 if the cell is not within `radius` of any point.
    """
    nearest = np.zeros(rows * cols, np.int64)
    radii = np.atleast_1d(np.asarray(radius, np.int64))
    rasterize_line(np.asarray(points, np.int64), len(points), radii, rows, cols, nearest)
    return np.where(nearest < NO_POINT, nearest % len(points), -1).reshape(rows, cols)


def trim_ends(found: np.ndarray, points: np.ndarray) -> None:
    """Remove the cells beyond the ends of a rasterized line, so that the line does not end in semicircles."""
    trim_line(np.asarray(points, np.int64), len(points), found.shape[1], found.reshape(-1))
