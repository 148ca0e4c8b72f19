"""Small boards to hold a planner to: (board text, Rules), drawn from a seed, small enough for `exhaustive`.

    for board, rules in small_boards(300, seed=1): ...

Each board belongs to a theme, a situation in which a planner could lie. Chance decides how it turns out: a theme makes
its situation likely, and a test measures how often it came about. No board is without a box, and each has an A.
"""

import random
from collections.abc import Callable, Iterator

from shoverworld import Rules

PRESETS = ("milestone1", "walker", "phase2")
WALL, LAVA_EDGE = {"edge": "wall"}, {"edge": "lava"}

Case = tuple[list[list[str]], dict]  # the cells without the shover, and what differs from the preset


def small_boards(count: int, seed: int = 0) -> Iterator[tuple[str, Rules]]:
    """`count` cases; the same seed gives the same cases, and a smaller count the first of them."""
    for _, board, rules in themed_boards(count, seed):
        yield board, rules


def themed_boards(count: int, seed: int = 0) -> Iterator[tuple[str, str, Rules]]:
    """The same with the name of the theme in front. Themes and presets take turns."""
    for number in range(count):
        dice = random.Random(f"small board {seed} {number}")
        theme = THEMES[number % len(THEMES)]
        preset = PRESETS[number // len(THEMES) % len(PRESETS)]
        cells, changes = theme(dice, preset)
        place_shover(dice, cells)
        yield theme.__name__, "\n".join(map("".join, cells)), Rules.preset(preset, **changes)


# ---- parts ---------------------------------------------------------------------------------------


def floor(rows: int, cols: int) -> list[list[str]]:
    return [["."] * cols for _ in range(rows)]


def drawn(*rows: str) -> list[list[str]]:
    return [list(row) for row in rows]


def scatter(dice: random.Random, cells: list[list[str]], **counts: int) -> None:
    """Put so many of each symbol on empty cells; one stays empty for the shover."""
    for symbol, count in counts.items():
        empty = [(r, c) for r, row in enumerate(cells) for c, here in enumerate(row) if here == "."]
        for r, c in dice.sample(empty, min(count, len(empty) - 1)):
            cells[r][c] = {"barriers": "#", "boxes": "B", "lava": "L"}[symbol]


def place_shover(dice: random.Random, cells: list[list[str]]) -> None:
    """On an empty cell, unless he has been drawn."""
    empty = [(r, c) for r, row in enumerate(cells) for c, here in enumerate(row) if here == "."]
    if not any("A" in row for row in cells):
        r, c = dice.choice(empty)
        cells[r][c] = "A"


def turned(dice: random.Random, cells: list[list[str]]) -> list[list[str]]:
    """One of the eight ways to look at a board."""
    if dice.random() < 0.5:
        cells = [row[::-1] for row in cells]
    if dice.random() < 0.5:
        cells = cells[::-1]
    return [list(row) for row in zip(*cells, strict=True)] if dice.random() < 0.5 else cells


def blocked(dice: random.Random, rows: int, cols: int, n: int) -> list[list[str]]:
    """A floor with n x n boxes somewhere on it."""
    cells = floor(rows, cols)
    top, left = dice.randint(0, rows - n), dice.randint(0, cols - n)
    for row in range(top, top + n):
        cells[row][left : left + n] = "B" * n
    return cells


def loosened(dice: random.Random, cells: list[list[str]]) -> list[list[str]]:
    """A block of which some boxes have been moved a little."""
    for _ in range(dice.choice((1, 2, 3))):
        boxes = [(r, c) for r, row in enumerate(cells) for c, here in enumerate(row) if here == "B"]
        ways = [
            (r, c, r + dr, c + dc)
            for r, c in boxes
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if 0 <= r + dr < len(cells) and 0 <= c + dc < len(cells[0]) and cells[r + dr][c + dc] == "."
        ]
        if ways:
            r, c, to_r, to_c = dice.choice(ways)
            cells[r][c], cells[to_r][to_c] = ".", "B"
    return cells


def limits(dice: random.Random, preset: str, least: int, most: int, steps: tuple[int, int]) -> dict:
    """Stamina and time. A walker spends his time on the way, so he has more of it."""
    longer = 2 if preset == "walker" else 1
    return {
        "initial_stamina": dice.randrange(least, most + 1, 10),
        "max_timestep": dice.randint(*steps) * longer,
        "perf_sq_initial_age": dice.randint(1, 5),
    }


# ---- themes --------------------------------------------------------------------------------------


def open_floor(dice: random.Random, preset: str) -> Case:
    """A bit of everything."""
    rows, cols = dice.choice(((2, 3), (2, 4), (2, 5), (3, 3), (3, 4), (3, 5), (4, 4), (4, 5)))
    cells = floor(rows, cols)
    scatter(dice, cells, lava=dice.randint(1, 2), barriers=dice.randint(0, 2), boxes=dice.randint(1, 3))
    return cells, limits(dice, preset, 120, 300, (8, 15))


def long_way(dice: random.Random, preset: str) -> Case:
    """Few boxes among barriers, and enough of everything: the plans are long."""
    cells = floor(*dice.choice(((4, 4), (4, 5), (5, 5))))
    scatter(dice, cells, lava=1, barriers=dice.randint(3, 6), boxes=dice.choice((1, 2, 2)))
    return cells, limits(dice, preset, 300, 500, (20, 30)) | WALL


def little_stamina(dice: random.Random, preset: str) -> Case:
    cells = floor(*dice.choice(((3, 4), (3, 5), (4, 4), (4, 5))))
    scatter(dice, cells, lava=dice.randint(1, 2), barriers=dice.randint(0, 2), boxes=dice.randint(2, 4))
    return cells, limits(dice, preset, 50, 120, (10, 30)) | dice.choice((WALL, LAVA_EDGE))


def little_time(dice: random.Random, preset: str) -> Case:
    cells = floor(*dice.choice(((2, 5), (3, 4), (3, 5), (4, 5))))
    scatter(dice, cells, lava=2, barriers=dice.randint(0, 1), boxes=dice.randint(2, 4))
    return cells, limits(dice, preset, 150, 400, (2, 7)) | dice.choice((WALL, LAVA_EDGE))


def turn_or_detour(dice: random.Random, preset: str) -> Case:
    """To turn is short and dear, to go straight is long and cheap: the shortest plan may be too dear."""
    cells = drawn(".B..L", "..L..", ".B..L", "..L..")
    if dice.random() < 0.5:
        cells = drawn(".B...L", "..L...", "BB...L")
    scatter(dice, cells, boxes=dice.randint(0, 1))
    changes = limits(dice, preset, 50, 120, (8, 15)) | WALL
    return turned(dice, cells), changes | {"unit_force": dice.choice((0, 1, 2))}


def enclosed(dice: random.Random, preset: str) -> Case:
    """A box in a corner, or in a niche of barriers; a second one and the lava are free."""
    corner = dice.choice((("B#", ".."), ("B.", "#."), ("B.", ".."), ("#B", ".#"), ("BB", "##")))
    cells = floor(dice.choice((3, 4)), 4)
    for row, line in enumerate(corner):
        cells[row][:2] = line
    scatter(dice, cells, lava=dice.randint(1, 2), barriers=dice.randint(0, 1), boxes=dice.randint(0, 1))
    return turned(dice, cells), limits(dice, preset, 100, 200, (6, 14)) | WALL


def no_lava(dice: random.Random, preset: str) -> Case:
    """Four boxes may become a square; with another number there is no way."""
    cells = floor(*dice.choice(((2, 4), (3, 3), (3, 4))))
    scatter(dice, cells, barriers=dice.randint(0, 1), boxes=dice.choice((1, 3, 4, 4, 4, 5)))
    return cells, limits(dice, preset, 200, 400, (8, 12)) | WALL


def nearly_square(dice: random.Random, preset: str) -> Case:
    """A push or two, and then the barrier maker or patience."""
    cells = loosened(dice, blocked(dice, *dice.choice(((3, 4), (4, 4), (3, 5), (4, 5))), 2))
    scatter(dice, cells, lava=dice.choice((0, 0, 1)), barriers=dice.randint(0, 1))
    changes = limits(dice, preset, 80, 200, (6, 14)) | WALL
    return cells, changes | {"perf_sq_initial_age": dice.choice((2, 4, 30))}


def only_dissolving(dice: random.Random, preset: str) -> Case:
    """Squares that are gone before a special can use them."""
    cells = loosened(dice, blocked(dice, *dice.choice(((3, 4), (4, 4), (3, 5))), 2))
    scatter(dice, cells, lava=dice.choice((0, 0, 1)), barriers=dice.randint(0, 1))
    changes = limits(dice, preset, 80, 160, (5, 12)) | WALL
    return cells, changes | {"perf_sq_initial_age": dice.choice((0, 1)), "order": "squares_first"}


def in_the_way(dice: random.Random, preset: str) -> Case:
    """A square in a corridor, and a fifth box that has to pass: a barrier closes the way, but there are ways round."""
    cells = drawn("B..BB.L", dice.choice(("A..BB.#", "A..BB.L", "A..BB..")))
    if preset == "walker":
        cells = drawn("AB..BB.L", "....BB.#")
    changes = limits(dice, preset, 60, 150, (8, 14))
    return turned(dice, cells), changes | WALL | {"unit_force": dice.choice((1, 2, 10))}


def paid_by_barriers(dice: random.Random, preset: str) -> Case:
    """Too little stamina, but for what the barrier maker gives."""
    cells = blocked(dice, *dice.choice(((3, 5), (4, 5), (3, 6))), 2)
    scatter(dice, cells, lava=dice.randint(1, 2), boxes=dice.randint(1, 2))
    changes = limits(dice, preset, 20, 70, (6, 12))
    return cells, changes | {"barrier_stamina": dice.choice((10, 25)), "perf_sq_initial_age": dice.choice((3, 20))}


def pit(dice: random.Random, preset: str) -> Case:
    """Nine boxes and one or two more: without the lava that hellify makes they stay."""
    if preset == "walker":
        cells = drawn("BBB...", "BBB.BA", "BBB...") if dice.random() < 0.5 else drawn("BBB...", "BBB...", "BBB.BA")
    else:
        cells = drawn("BBB..", "BBB..", "BBB..")
        for row in dice.sample(range(3), dice.choice((0, 1, 1, 1))):
            cells[row][4] = "B"
    changes = limits(dice, preset, 40, 110, (4, 9)) | dice.choice((WALL, WALL, LAVA_EDGE))
    return turned(dice, cells), changes | {"hellify": dice.choice(("interior", "whole"))}


def two_squares(dice: random.Random, preset: str) -> Case:
    """Which one is picked matters: they are of different age or size, and one is in the way."""
    cells = drawn("BB.BB", "BB.BB", dice.choice((".....", "..L..", "#...L", "....B")))
    cells = loosened(dice, cells) if dice.random() < 0.5 else cells
    changes = limits(dice, preset, 40, 80, (4, 8))
    return turned(dice, cells), changes | {"pick": dice.choice(("oldest", "smallest"))}


def odd_rules(dice: random.Random, preset: str) -> Case:
    """Any rule may differ from its preset."""
    cells = floor(*dice.choice(((2, 3), (2, 4), (3, 3), (3, 4))))
    scatter(dice, cells, lava=dice.randint(0, 2), barriers=dice.randint(0, 2), boxes=dice.randint(1, 5))
    changes = limits(dice, preset, 60, 150, (6, 12)) | {"z_base": dice.choice((1, 2))}  # a no-op needs a code below up
    for name, words in ODD.items():
        if dice.random() < 0.4:
            changes[name] = dice.choice(words)
    return cells, changes


ODD: dict[str, tuple] = {
    "actor": ("leap", "walk", "select"),
    "edge": ("wall", "lava"),
    "noop": (True, False),
    "step_cost": (0, 1, 0.5, 20),
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
