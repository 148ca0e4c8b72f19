"""Draw the bundled race tracks: `python benchmarks/race_tracks.py` writes all of them and prints a summary of each.

A road is a smooth line through points (x, y, width). Roads, islands and blocks are drawn over each other. Then the
start, the finish and the gap of a loop are marked at given distances along the road, in cells.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from shoverworld.games.race.codes import FINISH, FREE, OFF, START
from shoverworld.games.race.polyline import UNIT, arc_lengths, rasterize, trim_ends
from shoverworld.games.race.tracks import Track

FOLDER = Path(__file__).parents[1] / "src" / "shoverworld" / "games" / "race" / "tracks"
DRAWN: dict[str, tuple[str, Callable[[], np.ndarray]]] = {}
Point = tuple[float, float, float]


def track(name: str, title: str):
    """Register a track-drawing function under a name."""

    def put(draw: Callable[[], np.ndarray]) -> Callable[[], np.ndarray]:
        DRAWN[name] = title, draw
        return draw

    return put


class Paper:
    """A grid to draw on. All cells are off the track at first."""

    def __init__(self, rows: int, cols: int):
        self.cells = np.full((rows, cols), OFF, np.int8)
        self.y, self.x = np.indices(self.cells.shape)

    def road(self, points: Sequence[Point], closed: bool = False) -> np.ndarray:
        """Draw a road. Return the distance of each cell along the road, or -1 for cells that are not on it."""
        line = _round(points, closed)
        middle = np.round(line[:, :2] * UNIT).astype(np.int64)
        found = rasterize(middle, np.round(line[:, 2] * UNIT / 2).astype(np.int64), *self.cells.shape)
        if not closed:
            trim_ends(found, middle)
        self.cells[found >= 0] = FREE
        return np.where(found >= 0, arc_lengths(middle)[found] / UNIT, -1.0)

    def block(self, left: int, top: int, right: int, bottom: int, code: int = OFF) -> None:
        self.cells[top : bottom + 1, left : right + 1] = code

    def island(self, x: float, y: float, half_wide: float, half_high: float, code: int = OFF) -> None:
        self.cells[((self.x - x) / half_wide) ** 2 + ((self.y - y) / half_high) ** 2 <= 1] = code

    def mark(self, along: np.ndarray, begin: float, end: float, code: int) -> None:
        """Set the track cells between two distances along a road to start, finish or gap."""
        self.cells[(along >= begin) & (along < end) & (self.cells != OFF)] = code

    def loop(self, along: np.ndarray, start: float = 2, finish: float = 4, gap: float = 3) -> np.ndarray:
        """Mark the start, the finish and the gap of a closed road. The finish is behind the start."""
        length = along.max()
        self.mark(along, 0, start, START)
        self.mark(along, length - gap, length + 1, OFF)
        self.mark(along, length - gap - finish, length - gap, FINISH)
        return self.cells

    def ends(self, along: np.ndarray, start: float = 2, finish: float = 4) -> np.ndarray:
        """Mark the start and the finish of an open road."""
        length = along.max()
        self.mark(along, 0, start, START)
        self.mark(along, length - finish, length + 1, FINISH)
        return self.cells

    def sides(self, start: int, finish: int) -> np.ndarray:
        """Mark the free cells up to column `start` as start and those from column `finish` onwards as finish."""
        self.cells[(self.x <= start) & (self.cells == FREE)] = START
        self.cells[(self.x >= finish) & (self.cells == FREE)] = FINISH
        return self.cells


def _round(points: Sequence[Point], closed: bool) -> np.ndarray:
    """Return a smooth line through these points (Catmull-Rom), with about four points per cell."""
    given = np.array(points, float)
    around = np.concatenate([given[-1:], given, given[:2]] if closed else [given[:1], given, given[-1:]])
    line = []
    for i in range(len(around) - 3):
        a, b, c, d = around[i : i + 4]
        steps = max(2, int(4 * np.hypot(*(c - b)[:2]) + 1e-6))
        t = np.arange(steps)[:, None] / steps
        line.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
    return np.concatenate([*line, around[-2:-1]])


@track("01-straight", "The straight")
def straight() -> np.ndarray:
    paper = Paper(6, 40)
    paper.block(1, 1, 38, 4, FREE)
    paper.block(1, 1, 1, 4, START)
    paper.block(36, 1, 38, 4, FINISH)
    return paper.cells


@track("02-bend", "One bend")
def bend() -> np.ndarray:
    paper = Paper(26, 34)
    along = paper.road([(2, 19.5, 7), (8, 19.5, 7), (14, 19.5, 7), (21, 18, 7), (26, 12, 7), (27, 6, 7), (27, 1, 7)])
    return paper.ends(along, 1)


@track("03-s-bend", "The S")
def s_bend() -> np.ndarray:
    paper = Paper(30, 46)
    along = paper.road(
        [(2, 24, 6), (7, 24, 6), (14, 24, 6), (21, 19, 6), (24, 11, 6), (31, 6, 6), (38, 6, 6), (44, 6, 6)]
    )
    return paper.ends(along, 1)


@track("04-hairpin", "The hairpin")
def hairpin() -> np.ndarray:
    paper = Paper(22, 48)
    along = paper.road(
        [
            (2, 4.5, 6),
            (10, 4.5, 6),
            (24, 4.5, 6),
            (36, 5.5, 5),
            (42, 10.5, 4),
            (36, 15.5, 5),
            (24, 16.5, 6),
            (10, 16.5, 6),
            (2, 16.5, 6),
        ]
    )
    return paper.ends(along, 1)


@track("05-oval", "The oval")
def oval() -> np.ndarray:
    paper = Paper(28, 48)
    ring = [(24 + 18.5 * np.cos(t), 13.5 + 9 * np.sin(t), 7) for t in np.linspace(0, 2 * np.pi, 24, endpoint=False)]
    return paper.loop(paper.road(ring[6:] + ring[:6], closed=True), 1)


@track("06-chicanes", "Three chicanes")
def chicanes() -> np.ndarray:
    paper = Paper(15, 72)
    along = paper.road([(2, 7, 11), (69, 7, 11)])
    for left, below in ((13, False), (21, True), (33, True), (41, False), (53, False), (61, True)):
        paper.block(left, 5 if below else 0, left + 2, 14 if below else 9)
    return paper.ends(along, 1)


@track("07-fork", "The fork")
def fork() -> np.ndarray:
    paper = Paper(34, 64)
    along = paper.road(
        [
            (2, 22, 7), (6, 22, 7), (10, 22, 7), (12, 14, 6), (20, 6, 6), (32, 4.5, 6), (44, 6, 6), (52, 14, 6), (54, 22, 7),
            (58, 22, 7), (61, 22, 7),
        ]
    )  # fmt: skip
    # The long route is wide, the short one is narrow.
    paper.road(
        [(10, 22, 6), (17, 27, 3), (24, 25, 2.4), (29, 19, 2.4), (35, 19, 2.4), (40, 25, 2.4), (47, 27, 3), (54, 22, 6)]
    )
    return paper.ends(along, 1)


@track("08-hourglass", "The hourglass")
def hourglass() -> np.ndarray:
    paper = Paper(25, 62)
    paper.road([(2, 12, 14), (14, 12, 20), (25, 11, 7), (31, 12, 2), (37, 13, 7), (48, 12, 20), (59, 12, 14)])
    for left in (0, 60):
        paper.block(left, 0, left + 1, 24)
    paper.island(14, 12, 4.5, 4.5)
    paper.island(48, 12, 4.5, 4.5)
    return paper.sides(2, 56)


@track("09-spiral", "The snail")
def spiral() -> np.ndarray:
    paper = Paper(45, 47)
    turns = np.linspace(0, 2.6, 60)
    line = [
        (23 + r * np.cos(a), 22 + r * np.sin(a), 4.4) for r, a in ((20 - 6.9 * t, np.pi * (2 * t + 1.0)) for t in turns)
    ]
    along = paper.road(line)
    return paper.ends(along, 1.5, 5)


@track("10-archipelago", "The archipelago")
def archipelago() -> np.ndarray:
    paper = Paper(34, 68)
    paper.road([(2, 17, 12), (12, 17, 24), (24, 15, 28), (44, 18, 28), (56, 17, 24), (65, 17, 12)])
    for left in (0, 65):
        paper.block(left, 0, left + 2, 33)
    for x, y, wide, high in (
        (14, 12, 3, 3.5), (13, 23, 3.5, 2.5), (22, 17.5, 3.2, 4.2), (24, 7, 4, 2.6), (29, 25.5, 5, 3), (34, 14, 3.5, 5.2),
        (41, 6.5, 3, 2.4), (42.5, 23, 3.2, 4.2), (46.5, 13.5, 3.6, 3.2), (54, 20, 2.8, 4), (55, 9.5, 3, 2.6),
    ):  # fmt: skip
        paper.island(x, y, wide, high)
    return paper.sides(3, 61)


@track("11-coast", "The coast road")
def coast() -> np.ndarray:
    paper = Paper(48, 76)
    along = paper.road(
        [
            (3, 42, 4), (11, 42, 4), (15, 36, 4), (11, 29, 3.5), (6, 23, 3.5), (8, 15, 3.5), (15, 14, 3.5), (19, 20, 3.5),
            (22, 28, 4), (25, 37, 4), (32, 42, 4), (38, 37, 3.5), (37, 28, 3.5), (32, 21, 3.5), (29, 12, 3.5), (34, 5, 3.5),
            (42, 6, 4), (46, 14, 4), (48, 24, 4), (52, 33, 4), (59, 38, 4), (66, 35, 3.5), (67, 28, 3.5), (60, 23, 3.5),
            (58, 15, 3.5), (63, 8, 4), (73, 7, 4),
        ]
    )  # fmt: skip
    return paper.ends(along, 1.5)


@track("12-harbour", "Harbour streets")
def harbour() -> np.ndarray:
    paper = Paper(41, 65)
    paper.block(1, 1, 63, 39, FREE)
    for left, right in ((6, 12), (17, 27), (32, 38), (43, 49), (54, 58)):
        for top, bottom in ((6, 10), (14, 20), (25, 29), (33, 34)):
            paper.block(left, top, right, bottom)
    for left, top, right, bottom in (
        (13, 6, 16, 10), (28, 16, 31, 18), (39, 25, 42, 29), (50, 8, 53, 9), (17, 30, 27, 32), (6, 21, 12, 24),
        (43, 11, 49, 13), (59, 14, 63, 20), (1, 33, 5, 34), (32, 35, 38, 39), (54, 30, 58, 32), (32, 0, 38, 5),
    ):  # fmt: skip
        paper.block(left, top, right, bottom)
    for x, y in ((1, 1), (63, 1), (63, 39), (1, 39)):
        paper.cells[np.abs(paper.x - x) + np.abs(paper.y - y) < 3] = OFF
    paper.block(1, 35, 1, 38, OFF)
    paper.block(2, 35, 2, 38, START)
    paper.block(59, 2, 62, 4, FINISH)
    return paper.cells


@track("13-braid", "The braid")
def braid() -> np.ndarray:
    paper = Paper(35, 80)
    x = np.linspace(8, 71, 64)
    middle = [(2.0, 17.0, 7.0), (7.0, 17.0, 7.0)]
    end = [(72.0, 17.0, 7.0), (77.0, 17.0, 7.0)]
    swing = 11.5 * np.sin((x - 8) * np.pi / 21)
    along = paper.road([*middle, *zip(x, 17 - swing, 4.4 + 0 * x, strict=True), *end])
    paper.road([*middle, *zip(x, 17 + swing, 2.6 + 0 * x, strict=True), *end])
    return paper.ends(along, 1)


@track("14-lakes", "Round the lakes")
def lakes() -> np.ndarray:
    paper = Paper(50, 80)
    along = paper.road(
        [
            (38, 43, 7), (26, 43, 8), (14, 41, 11), (9, 33, 9), (10, 24, 7), (8, 15, 8), (15, 8, 11), (25, 7, 7), (33, 11, 6),
            (36, 19, 6), (43, 22, 8), (50, 18, 6), (53, 9, 7), (63, 8, 12), (71, 14, 9), (69, 24, 6), (61, 29, 6), (62, 36, 8),
            (68, 41, 6), (58, 44, 6), (48, 43.5, 7),
        ],
        closed=True,
    )  # fmt: skip
    for x, y, wide, high in ((14, 40, 3.4, 2.3), (9, 15.5, 1.7, 3), (16, 8.4, 3.4, 2.2), (43.2, 22.3, 2.6, 1.5),
                             (64, 8.2, 4.4, 2.6), (72, 16, 1.7, 3.4), (61.5, 36, 1.4, 2.5)):  # fmt: skip
        paper.island(x, y, wide, high)
    return paper.loop(along, 1)


@track("15-grand-prix", "Grand Prix")
def grand_prix() -> np.ndarray:
    paper = Paper(64, 110)
    along = paper.road(
        [
            (48, 57, 7), (38, 57, 7), (26, 57, 7), (14, 56, 7), (7, 50, 6), (9, 43, 5), (17, 41, 5), (23, 36, 5), (19, 30, 5),
            (10, 28, 5), (6, 21, 5), (9, 12, 5), (17, 7, 6), (28, 7, 6), (36, 10, 5), (40, 17, 5), (36, 24, 5), (37, 32, 5),
            (44, 37, 5), (52, 33, 5), (53, 24, 5), (51, 14, 5), (57, 7, 5), (67, 7, 6), (80, 8, 7), (94, 8, 7), (102, 13, 6),
            (102, 21, 5), (94, 25, 5), (83, 23, 5), (73, 24, 5), (71, 31, 5), (78, 35, 5), (88, 34, 5), (97, 36, 5),
            (101, 43, 5), (98, 52, 6), (88, 57, 7), (74, 57, 7), (60, 57, 7),
        ],
        closed=True,
    )  # fmt: skip
    for left, top, right, bottom in ((72, 0, 74, 7), (79, 8, 81, 13), (80, 54, 82, 57), (72, 58, 74, 62)):
        paper.block(left, top, right, bottom)  # two chicanes
    paper.road([(23, 57, 4), (20, 51, 2.4), (18, 46, 2.4), (17, 41, 4)])
    paper.road([(97, 36, 4), (90, 43, 2.4), (88, 51, 2.4), (88, 57, 4)])  # two shortcuts, narrow and bent
    return paper.loop(along, 1)


@track("16-grand-tour", "The grand tour")
def grand_tour() -> np.ndarray:
    paper = Paper(110, 160)
    along = paper.road(
        [
            (84, 102, 7), (70, 102, 7), (54, 102, 7), (38, 102, 7), (24, 101, 7), (12, 97, 6), (8, 88, 6), (12, 80, 6),
            (22, 78, 6), (34, 81, 6), (45, 86, 6), (56, 84, 6), (60, 76, 5), (54, 69, 5), (42, 68, 5), (30, 67, 5), (18, 66, 5),
            (10, 60, 5), (9, 51, 5), (16, 45, 5), (27, 46, 5), (38, 52, 6), (50, 54, 6), (60, 49, 5), (60, 40, 5), (52, 34, 5),
            (40, 33, 5), (28, 34, 5), (16, 32, 5), (9, 25, 5), (9, 15, 6), (16, 8, 6), (28, 8, 9), (42, 9, 9), (54, 8, 7),
            (66, 9, 6), (75, 15, 5), (77, 26, 5), (74, 38, 5), (75, 50, 5), (82, 58, 5), (91, 56, 5), (93, 47, 5), (90, 37, 5),
            (90, 26, 5), (93, 14, 5), (102, 8, 6), (116, 8, 6), (130, 8, 6), (144, 10, 6), (151, 18, 6), (150, 29, 6),
            (141, 35, 6), (129, 33, 6), (118, 28, 5), (109, 31, 5), (107, 40, 5), (113, 47, 5), (124, 49, 5), (136, 49, 5),
            (147, 53, 5), (151, 63, 5), (145, 71, 5), (133, 70, 5), (122, 65, 5), (110, 63, 5), (101, 68, 5), (100, 78, 6),
            (107, 85, 6), (119, 85, 6), (131, 83, 6), (143, 84, 6), (150, 91, 6), (146, 100, 6), (134, 103, 7), (118, 102, 7),
            (100, 102, 7),
        ],
        closed=True,
    )  # fmt: skip
    for x, y, wide, high in ((28, 8, 4, 2), (42.5, 9, 4, 2)):
        paper.island(x, y, wide, high)
    for left, top, right, bottom in (
        (112, 0, 114, 8), (120, 8, 122, 14), (128, 0, 130, 8), (60, 102, 62, 108), (52, 96, 54, 102), (44, 102, 46, 108),
        (118, 96, 120, 102), (126, 103, 128, 108), (70, 28, 75, 29), (75, 34, 80, 35),
    ):  # fmt: skip
        paper.block(left, top, right, bottom)
    paper.road([(60, 40, 4), (65, 45, 2.6), (66, 52, 2.6), (62, 60, 2.6), (54, 69, 4)])  # four shortcuts
    paper.road([(141, 35, 4), (137, 41, 2.6), (131, 44, 2.4), (124, 49, 4)])
    paper.road([(34, 81, 4), (38, 90, 2.6), (48, 93, 2.4), (56, 84, 4)])
    paper.road([(119, 85, 4), (123, 91, 2.6), (132, 95, 2.4), (134, 103, 4)])
    return paper.loop(along, 1.5)


def summary(name: str, made: Track) -> str:
    return f"{name}: {made.title}, {made.rows} x {made.cols}, {len(made.starts)} starts, longest distance {made.distance.max()}"


def main() -> None:
    for name, (title, draw) in DRAWN.items():
        made = Track(draw(), name, title)
        made.write(FOLDER / f"{name}.txt", "symbols")
        print(summary(name, made))


if __name__ == "__main__":
    main()
