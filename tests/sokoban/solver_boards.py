"""Random boards and helpers for the tests of the solver."""

import random
import sys
from pathlib import Path

import numpy as np

from shoverworld.core.jit import kernel
from shoverworld.games.sokoban.formats import read_levels
from shoverworld.games.sokoban.levels import Level
from shoverworld.games.sokoban.solver import solve
from shoverworld.games.sokoban.solver.corral import NO_PUSH, find_pi_corral, new_corral_workspace
from shoverworld.games.sokoban.solver.corral_search import has_corral_deadlock, new_corral_search
from shoverworld.games.sokoban.solver.freeze import BOX, EMPTY, WALL, freezes
from shoverworld.games.sokoban.solver.frozen_reach import new_frozen_reach
from shoverworld.games.sokoban.solver.macro import SEEN, flood, new_macro_workspace
from shoverworld.games.sokoban.solver.pairs import find_pairs, has_dead_pair
from shoverworld.games.sokoban.solver.stuck import has_stuck_deadlock
from shoverworld.games.sokoban.solver.tables import build_tables, in_order
from shoverworld.games.sokoban.solver.tunnels import STUCK, find_tunnels, forced_push
from tests.oracles.sokoban_exhaustive import exhaustive
from tests.oracles.sokoban_positions import positions

TESTS: tuple[str, ...] = ("frozen", "stuck", "corral", "empty PI-corral", "pair", "tunnel")


def random_board(seed: int, rows: int = 5, cols: int = 5, boxes: int = 0) -> str:
    """Return a random room with this number of boxes (0 for two to four), most of them away from the walls."""
    rng = random.Random(seed)
    while True:
        inside = [(row, col) for row in range(1, rows + 1) for col in range(1, cols + 1)]
        walls = set(rng.sample(inside, rng.randint(0, len(inside) // 3)))
        free = [cell for cell in inside if cell not in walls]
        n = boxes or rng.choice((2, 3, 3, 4))
        open_cells = [(row, col) for row, col in free if 1 < row < rows and 1 < col < cols]
        if len(free) >= 2 * n + 1 and len(open_cells) >= n:
            break
    return drawn(rng, free, rng.sample(open_cells, n))


def two_rooms(seed: int) -> str:
    """Return two random rooms with a tunnel between them, one to three boxes, and a dead end. Sometimes there is a second way."""
    rng = random.Random(seed)
    left, length, right = rng.randint(2, 3), rng.randint(1, 2), rng.randint(2, 3)
    cols, tunnel = left + length + right, rng.choice((1, 2, 2, 2))
    free = [
        (row, col)
        for row in (1, 2, 3)
        for col in range(1, cols + 1)
        if not left < col <= left + length or row == tunnel
    ]
    if rng.random() < 0.3:
        free += [(3, left + 1 + i) for i in range(length)]
    free += [(4, rng.randint(1, left))]
    middle = [cell for cell in free if cell[0] == 2 and 1 < cell[1] < cols]
    return drawn(rng, free, rng.sample(middle, min(len(middle) - 1, rng.choice((1, 2, 2, 3)))))


def drawn(rng: random.Random, free: list[tuple[int, int]], boxes: list[tuple[int, int]]) -> str:
    """Return a board with these free cells and boxes, and with random targets and a random player."""
    rows, cols = (max(cell[axis] for cell in free) + 2 for axis in (0, 1))
    letters = {(row, col): "#" for row in range(rows) for col in range(cols)} | dict.fromkeys(free, " ")
    for cell in boxes:
        letters[cell] = "$"
    for cell in rng.sample(free, len(boxes)):
        letters[cell] = "*" if letters[cell] == "$" else "."
    player = rng.choice([cell for cell in free if cell not in boxes])
    letters[player] = "+" if letters[player] == "." else "@"
    return "\n".join("".join(letters[row, col] for col in range(cols)) for row in range(rows))


@kernel
def run_deadlock_tests(tables, board, cells, player, reach, macro, corral, corral_search, pairs, tunnels, found):
    """Write into `found` which tests call the position a deadlock."""
    found[0] = False
    for cell in cells:
        found[0] = found[0] or freezes(tables, board, cells, cell)
    found[1] = has_stuck_deadlock(tables, board, cells, player, reach, macro)
    found[2] = has_corral_deadlock(tables, board, cells, player, pairs, corral_search)
    found[3] = find_pi_corral(tables, board, cells, player, True, corral) == NO_PUSH
    found[4] = False
    for cell in cells:
        found[4] = found[4] or has_dead_pair(tables.width, board, cells, player, cell, pairs, macro)
    flood(tables.width, board, player, macro)
    found[5] = forced_push(tables.width, board, cells, tunnels, macro.seen, macro.numbers[SEEN]) == STUCK


@kernel
def find_forced_push(tables, board, cells, player, tunnels, macro):
    flood(tables.width, board, player, macro)
    return forced_push(tables.width, board, cells, tunnels, macro.seen, macro.numbers[SEEN])


@kernel
def find_corral(tables, board, cells, player, corral):
    return find_pi_corral(tables, board, cells, player, True, corral)


class DeadlockTests:
    """The deadlock tests on positions of one level."""

    def __init__(self, drawing: str):
        level = Level.parse(drawing)
        self.tables = build_tables(level.walls, level.targets)
        goals = in_order(np.pad(level.targets, 1).reshape(-1))
        self.reach, self.corral = new_frozen_reach(self.tables, goals), new_corral_workspace(self.tables)
        self.corral_search, self.macro = new_corral_search(self.tables), new_macro_workspace(self.tables, len(goals))
        self.pairs, self.tunnels = find_pairs(self.tables, goals), find_tunnels(self.tables)
        row, col = level.players[0]
        self.player = self.cell((row, col))
        self.boxes = np.flatnonzero(np.pad(level.boxes, 1).reshape(-1))

    def cell(self, place: tuple[int, int]) -> int:
        return (place[0] + 1) * self.tables.width + place[1] + 1

    def found(self, boxes: np.ndarray | None = None, player: int | None = None) -> set[str]:
        """Return the names of the tests that call the position a deadlock."""
        boxes, player = self.boxes if boxes is None else boxes, self.player if player is None else player
        board = self.board(boxes)
        found = np.zeros(len(TESTS), bool)
        run_deadlock_tests(
            self.tables, board, boxes, player, self.reach, self.macro, self.corral, self.corral_search,
            self.pairs, self.tunnels, found
        )  # fmt: skip
        return {name for name, is_found in zip(TESTS, found, strict=True) if is_found}

    def pi_corral(self) -> tuple[int, set[tuple[int, int]]]:
        """Return the number of pushes into the PI-corral and its boxes, as (row, col); -1 if there is no PI-corral."""
        pushes = find_corral(self.tables, self.board(self.boxes), self.boxes, self.player, self.corral)
        boxes = [divmod(int(box), self.tables.width) for box in self.boxes if self.corral.best[box]]
        return int(pushes), {(row - 1, col - 1) for row, col in boxes}

    def forced_push(self) -> tuple[tuple[int, int], str] | None:
        """Return the box in a tunnel that must be pushed first, as (row, col), and the direction; None if there is none."""
        push = find_forced_push(self.tables, self.board(self.boxes), self.boxes, self.player, self.tunnels, self.macro)
        if push < 0:
            return None
        row, col = divmod(int(self.boxes[push >> 2]), self.tables.width)
        return (row - 1, col - 1), "udlr"[push & 3]

    def board(self, boxes: np.ndarray) -> np.ndarray:
        board = np.where(self.tables.wall, WALL, EMPTY).astype(np.uint8)
        board[boxes] = BOX
        return board


def check_soundness(drawing: str, most: int) -> dict[str, int]:
    """Compare the tests with an exhaustive search on every position of a level. Return what each test has found."""
    counts = dict.fromkeys((*TESTS, "solvable", "unsolvable"), 0)
    truth = positions(drawing, most)
    tests = DeadlockTests(drawing)
    for (player, boxes), solvable in (truth or {}).items():
        cells = np.array(sorted(map(tests.cell, boxes)), np.int64)
        counts["solvable" if solvable else "unsolvable"] += 1
        if tests.tables.dead[cells].any():
            continue  # the searches never push a box there
        for name in tests.found(cells, tests.cell(player)):
            assert not solvable, f"{name} rejects the boxes {sorted(boxes)} with the player on {player} in\n{drawing}"
            counts[name] += 1
    return counts


def check_solution(level: Level, lurd: str) -> int:
    """Assert that no test rejects a position on the way to a solution. Return the number of positions."""
    tests, player = DeadlockTests(str(level)), level.players[0]
    boxes = {(int(row), int(col)) for row, col in zip(*np.nonzero(level.boxes), strict=True)}
    checked = 0
    for letter in lurd:
        down, right = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}[letter.lower()]
        player = player[0] + down, player[1] + right
        if player in boxes:
            boxes = boxes - {player} | {(player[0] + down, player[1] + right)}
            found = tests.found(np.array(sorted(map(tests.cell, boxes)), np.int64), tests.cell(player))
            assert not found, f"{found} reject the boxes {sorted(boxes)} with the player on {player} in\n{level}"
            checked += 1
    return checked


def check_solutions(path: Path, seconds: float) -> None:
    """Solve the levels of a file, in `seconds` each, and check the positions of all solutions."""
    levels, solved, checked = read_levels(path), 0, 0
    for level in levels:
        plan = solve(level, "any", seconds)
        if plan.status == "solved":
            solved += 1
            checked += check_solution(level, plan.lurd)
    print(f"{path.name}: no test rejects any of {checked:,} positions on solutions of {solved} of {len(levels)} levels")


def main(count: int) -> None:
    """Check the deadlock tests on many random levels, or on the way to solutions of the levels of a file.

        python -m tests.sokoban.solver_boards 5000
        python -m tests.sokoban.solver_boards xsokoban_odd.txt 60

    Every third random level consists of two rooms. On these, the fewest pushes must agree with an exhaustive search, too.
    """
    total: dict[str, int] = {}
    for seed in range(count):
        drawing = two_rooms(seed) if seed % 3 == 0 else random_board(seed)
        for name, number in check_soundness(drawing, 20_000).items():
            total[name] = total.get(name, 0) + number
        if seed % 3 == 0:
            pushes = exhaustive(drawing).pushes
            plan = solve(Level.parse(drawing), "pushes", 600.0)
            assert (plan.pushes if plan.status == "solved" else -1) == pushes, f"{pushes} pushes\n{drawing}"
    print(f"{count} levels: " + ", ".join(f"{name} {number:,}" for name, number in total.items()))


if __name__ == "__main__":
    if sys.argv[1].isdecimal():
        main(int(sys.argv[1]))
    else:
        check_solutions(Path(sys.argv[1]), float(sys.argv[2]))
