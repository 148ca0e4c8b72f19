"""Functions that smooth a polyline and rasterize it into the cells of a track.

All coordinates are integers, so that a line produces the same cells on every machine. A cell is UNIT wide.
"""

import numpy as np

UNIT = 1024  # side length of a cell; the centre of cell (x, y) is at (x * UNIT, y * UNIT)


def smooth(points: np.ndarray, closed: bool, step: int = UNIT // 2) -> np.ndarray:
    """Smooth a line with Chaikin's algorithm.

    The algorithm cuts corners until neighbouring points are at most `step` apart in x and in y.
    """
    points = np.asarray(points, np.int64)
    while True:
        ahead = np.roll(points, -1, axis=0)
        if not closed:
            ahead = points[1:]
        longest = int(np.abs(ahead - points[: len(ahead)]).max())
        if longest <= step:
            return points
        behind = points[: len(ahead)]
        cut = np.stack([3 * behind + ahead, behind + 3 * ahead], axis=1).reshape(-1, 2) >> 2
        points = cut if closed else np.concatenate([points[:1], cut, points[-1:]])


def arc_lengths(points: np.ndarray) -> np.ndarray:
    """Return the distance along the line from its first point to each of its points."""
    sides = np.diff(points, axis=0)
    lengths = np.sqrt((sides * sides).sum(axis=1).astype(np.float64)).astype(np.int64)
    return np.concatenate([[0], np.cumsum(lengths)])


def rasterize(points: np.ndarray, radius: np.ndarray | int, rows: int, cols: int) -> np.ndarray:
    """Return, for every cell, the index of the nearest point, int64 (rows, cols).

    The index is -1 if the cell is not within `radius` of any point.
    """
    radii = np.broadcast_to(np.asarray(radius, np.int64), len(points))
    reach = int(radii.max()) // UNIT + 1
    nearest = np.full(rows * cols, np.iinfo(np.int64).max)
    middle = points >> 10  # a cell near each point
    order = np.arange(len(points))
    for down in range(-reach, reach + 1):
        for right in range(-reach, reach + 1):
            x, y = middle[:, 0] + right, middle[:, 1] + down
            across, along = x * UNIT - points[:, 0], y * UNIT - points[:, 1]
            away = across * across + along * along
            here = (away <= radii * radii) & (x >= 0) & (x < cols) & (y >= 0) & (y < rows)
            np.minimum.at(nearest, (y * cols + x)[here], (away * len(points) + order)[here])
    found = np.where(nearest < np.iinfo(np.int64).max, nearest % len(points), -1)
    return found.reshape(rows, cols)


def trim_ends(found: np.ndarray, points: np.ndarray) -> None:
    """Remove the cells beyond the ends of a rasterized line, so that the line does not end in semicircles."""
    y, x = np.indices(found.shape) * UNIT
    for end, inwards in ((0, 1), (len(points) - 1, -1)):
        (right, down), (end_x, end_y) = points[end + inwards] - points[end], points[end]
        found[(found == end) & ((x - end_x) * right + (y - end_y) * down < 0)] = -1
