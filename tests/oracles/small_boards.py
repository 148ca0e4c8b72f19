"""Small random boards for testing a planner: (board text, Rules), small enough for `exhaustive`.

    for board, rules in small_boards(300, seed=1): ...

Each board belongs to a theme: a situation in which a planner could make a wrong claim. A theme makes its situation
likely, and a test measures how often it occurs. Every board has at least one box and exactly one A.
"""

import random
from collections.abc import Callable, Iterator

from shoverworld import Rules

PRESETS = ("milestone1", "walker", "phase2")
WALL, LAVA_EDGE = {"edge": "wall"}, {"edge": "lava"}

Case = tuple[list[list[str]], dict]  # the cells without the shover, and the changes to the preset


def small_boards(count: int, seed: int = 0) -> Iterator[tuple[str, Rules]]:
    """Yield `count` cases. The same seed gives the same cases, and a smaller count gives a prefix of them."""
    for _, board, rules in themed_boards(count, seed):
        yield board, rules


def themed_boards(count: int, seed: int = 0) -> Iterator[tuple[str, str, Rules]]:
    """Yield the cases of `small_boards`, each preceded by the name of its theme. Themes and presets alternate."""
    for number in range(count):
        rng = random.Random(f"small board {seed} {number}")
        theme = THEMES[number % len(THEMES)]
        preset = PRESETS[number // len(THEMES) % len(PRESETS)]
        cells, changes = theme(rng, preset)
        place_shover(rng, cells)
        yield theme.__name__, "\n".join(map("".join, cells)), Rules.preset(preset, **changes)


# ---- parts ---------------------------------------------------------------------------------------


def floor(rows: int, cols: int) -> list[list[str]]:
    return [["."] * cols for _ in range(rows)]


def drawn(*rows: str) -> list[list[str]]:
    return [list(row) for row in rows]


def scatter(rng: random.Random, cells: list[list[str]], **counts: int) -> None:
    """Put this many of each symbol on empty cells; one cell stays empty for the shover."""
    for symbol, count in counts.items():
        empty = [(r, c) for r, row in enumerate(cells) for c, here in enumerate(row) if here == "."]
        for r, c in rng.sample(empty, min(count, len(empty) - 1)):
            cells[r][c] = {"barriers": "#", "boxes": "B", "lava": "L"}[symbol]


def place_shover(rng: random.Random, cells: list[list[str]]) -> None:
    """Put the shover on an empty cell, unless the board already contains an A."""
    empty = [(r, c) for r, row in enumerate(cells) for c, here in enumerate(row) if here == "."]
    if not any("A" in row for row in cells):
        r, c = rng.choice(empty)
        cells[r][c] = "A"


def turned(rng: random.Random, cells: list[list[str]]) -> list[list[str]]:
    """Return one of the eight symmetric images of a board."""
    if rng.random() < 0.5:
        cells = [row[::-1] for row in cells]
    if rng.random() < 0.5:
        cells = cells[::-1]
    return [list(row) for row in zip(*cells, strict=True)] if rng.random() < 0.5 else cells


def blocked(rng: random.Random, rows: int, cols: int, n: int) -> list[list[str]]:
    """Return a floor with a block of n x n boxes."""
    cells = floor(rows, cols)
    top, left = rng.randint(0, rows - n), rng.randint(0, cols - n)
    for row in range(top, top + n):
        cells[row][left : left + n] = "B" * n
    return cells


def loosened(rng: random.Random, cells: list[list[str]]) -> list[list[str]]:
    """Move some boxes of a block by one cell."""
    for _ in range(rng.choice((1, 2, 3))):
        boxes = [(r, c) for r, row in enumerate(cells) for c, here in enumerate(row) if here == "B"]
        moves = [
            (r, c, r + dr, c + dc)
            for r, c in boxes
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if 0 <= r + dr < len(cells) and 0 <= c + dc < len(cells[0]) and cells[r + dr][c + dc] == "."
        ]
        if moves:
            r, c, to_r, to_c = rng.choice(moves)
            cells[r][c], cells[to_r][to_c] = ".", "B"
    return cells


def limits(rng: random.Random, preset: str, least: int, most: int, steps: tuple[int, int]) -> dict:
    """Return limits on stamina and time; a walker gets more time."""
    longer = 2 if preset == "walker" else 1
    return {
        "initial_stamina": rng.randrange(least, most + 1, 10),
        "max_timestep": rng.randint(*steps) * longer,
        "perf_sq_initial_age": rng.randint(1, 5),
    }


# ---- themes --------------------------------------------------------------------------------------


def open_floor(rng: random.Random, preset: str) -> Case:
    """A mixture of all elements."""
    rows, cols = rng.choice(((2, 3), (2, 4), (2, 5), (3, 3), (3, 4), (3, 5), (4, 4), (4, 5)))
    cells = floor(rows, cols)
    scatter(rng, cells, lava=rng.randint(1, 2), barriers=rng.randint(0, 2), boxes=rng.randint(1, 3))
    return cells, limits(rng, preset, 120, 300, (8, 15))


def long_way(rng: random.Random, preset: str) -> Case:
    """Few boxes among barriers, with enough stamina and time: the plans are long."""
    cells = floor(*rng.choice(((4, 4), (4, 5), (5, 5))))
    scatter(rng, cells, lava=1, barriers=rng.randint(3, 6), boxes=rng.choice((1, 2, 2)))
    return cells, limits(rng, preset, 300, 500, (20, 30)) | WALL


def little_stamina(rng: random.Random, preset: str) -> Case:
    cells = floor(*rng.choice(((3, 4), (3, 5), (4, 4), (4, 5))))
    scatter(rng, cells, lava=rng.randint(1, 2), barriers=rng.randint(0, 2), boxes=rng.randint(2, 4))
    return cells, limits(rng, preset, 50, 120, (10, 30)) | rng.choice((WALL, LAVA_EDGE))


def little_time(rng: random.Random, preset: str) -> Case:
    cells = floor(*rng.choice(((2, 5), (3, 4), (3, 5), (4, 5))))
    scatter(rng, cells, lava=2, barriers=rng.randint(0, 1), boxes=rng.randint(2, 4))
    return cells, limits(rng, preset, 150, 400, (2, 7)) | rng.choice((WALL, LAVA_EDGE))


def turn_or_detour(rng: random.Random, preset: str) -> Case:
    """A turn makes a path short but expensive; the straight path is long but cheap. The shortest plan may cost too much."""
    cells = drawn(".B..L", "..L..", ".B..L", "..L..")
    if rng.random() < 0.5:
        cells = drawn(".B...L", "..L...", "BB...L")
    scatter(rng, cells, boxes=rng.randint(0, 1))
    changes = limits(rng, preset, 50, 120, (8, 15)) | WALL
    return turned(rng, cells), changes | {"unit_force": rng.choice((0, 1, 2))}


def enclosed(rng: random.Random, preset: str) -> Case:
    """A box in a corner or in a niche of barriers; other boxes and the lava are free."""
    corner = rng.choice((("B#", ".."), ("B.", "#."), ("B.", ".."), ("#B", ".#"), ("BB", "##")))
    cells = floor(rng.choice((3, 4)), 4)
    for row, line in enumerate(corner):
        cells[row][:2] = line
    scatter(rng, cells, lava=rng.randint(1, 2), barriers=rng.randint(0, 1), boxes=rng.randint(0, 1))
    return turned(rng, cells), limits(rng, preset, 100, 200, (6, 14)) | WALL


def no_lava(rng: random.Random, preset: str) -> Case:
    """Four boxes can form a square; any other number of boxes cannot be removed completely."""
    cells = floor(*rng.choice(((2, 4), (3, 3), (3, 4))))
    scatter(rng, cells, barriers=rng.randint(0, 1), boxes=rng.choice((1, 3, 4, 4, 4, 5)))
    return cells, limits(rng, preset, 200, 400, (8, 12)) | WALL


def nearly_square(rng: random.Random, preset: str) -> Case:
    """One or two pushes form a square, which the barrier maker or waiting removes."""
    cells = loosened(rng, blocked(rng, *rng.choice(((3, 4), (4, 4), (3, 5), (4, 5))), 2))
    scatter(rng, cells, lava=rng.choice((0, 0, 1)), barriers=rng.randint(0, 1))
    changes = limits(rng, preset, 80, 200, (6, 14)) | WALL
    return cells, changes | {"perf_sq_initial_age": rng.choice((2, 4, 30))}


def only_dissolving(rng: random.Random, preset: str) -> Case:
    """Squares that dissolve before a special action can use them."""
    cells = loosened(rng, blocked(rng, *rng.choice(((3, 4), (4, 4), (3, 5))), 2))
    scatter(rng, cells, lava=rng.choice((0, 0, 1)), barriers=rng.randint(0, 1))
    changes = limits(rng, preset, 80, 160, (5, 12)) | WALL
    return cells, changes | {"perf_sq_initial_age": rng.choice((0, 1)), "order": "squares_first"}


def in_the_way(rng: random.Random, preset: str) -> Case:
    """A square in a corridor and a fifth box that has to pass: barriers block the path, but there are alternatives."""
    cells = drawn("B..BB.L", rng.choice(("A..BB.#", "A..BB.L", "A..BB..")))
    if preset == "walker":
        cells = drawn("AB..BB.L", "....BB.#")
    changes = limits(rng, preset, 60, 150, (8, 14))
    return turned(rng, cells), changes | WALL | {"unit_force": rng.choice((1, 2, 10))}


def paid_by_barriers(rng: random.Random, preset: str) -> Case:
    """The stamina is sufficient only with the bonus from the barrier maker."""
    cells = blocked(rng, *rng.choice(((3, 5), (4, 5), (3, 6))), 2)
    scatter(rng, cells, lava=rng.randint(1, 2), boxes=rng.randint(1, 2))
    changes = limits(rng, preset, 20, 70, (6, 12))
    return cells, changes | {"barrier_stamina": rng.choice((10, 25)), "perf_sq_initial_age": rng.choice((3, 20))}


def pit(rng: random.Random, preset: str) -> Case:
    """Nine boxes and at most one more, which only the lava from hellify can burn."""
    if preset == "walker":
        cells = drawn("BBB...", "BBB.BA", "BBB...") if rng.random() < 0.5 else drawn("BBB...", "BBB...", "BBB.BA")
    else:
        cells = drawn("BBB..", "BBB..", "BBB..")
        for row in rng.sample(range(3), rng.choice((0, 1, 1, 1))):
            cells[row][4] = "B"
    changes = limits(rng, preset, 40, 110, (4, 9)) | rng.choice((WALL, WALL, LAVA_EDGE))
    return turned(rng, cells), changes | {"hellify": rng.choice(("interior", "whole"))}


def two_squares(rng: random.Random, preset: str) -> Case:
    """Two squares of different ages or sizes, one of them in the way.

    It therefore matters which square a special action uses.
    """
    cells = drawn("BB.BB", "BB.BB", rng.choice((".....", "..L..", "#...L", "....B")))
    cells = loosened(rng, cells) if rng.random() < 0.5 else cells
    changes = limits(rng, preset, 40, 80, (4, 8))
    return turned(rng, cells), changes | {"pick": rng.choice(("oldest", "smallest"))}


def odd_rules(rng: random.Random, preset: str) -> Case:
    """Any rule may differ from its preset."""
    cells = floor(*rng.choice(((2, 3), (2, 4), (3, 3), (3, 4))))
    scatter(rng, cells, lava=rng.randint(0, 2), barriers=rng.randint(0, 2), boxes=rng.randint(1, 5))
    changes = limits(rng, preset, 60, 150, (6, 12)) | {
        "z_base": rng.choice((1, 2))
    }  # a no-op needs a code below the code of up
    for name, words in ODD.items():
        if rng.random() < 0.4:
            changes[name] = rng.choice(words)
    return cells, changes


ODD: dict[str, tuple] = {
    "actor": ("leap", "walk", "select"),
    "edge": ("wall", "lava"),
    "noop": (True, False),
    "step_cost": (0, 1, 0.5, 20),
    "push_pays_step_cost": (False, True),
    "initial_force": (0, 5, 40),
    "unit_force": (0, 2, 10),
    "stationary": ("contact", "front", "last_push"),
    "pick": ("oldest", "smallest"),
    "order": ("action_first", "squares_first"),
    "hellify": ("interior", "whole"),
    "barrier_stamina": (0, 1, 100),
    "perf_sq_initial_age": (0, 1, 2, 3, 5),
}

THEMES: tuple[Callable[[random.Random, str], Case], ...] = (
    open_floor,
    long_way,
    little_stamina,
    little_time,
    turn_or_detour,
    enclosed,
    no_lava,
    nearly_square,
    only_dissolving,
    in_the_way,
    paid_by_barriers,
    pit,
    two_squares,
    odd_rules,
)
