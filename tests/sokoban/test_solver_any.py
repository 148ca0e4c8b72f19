"""The search for any solution: every strategy of the portfolio, the packing plan, the rules of the macro moves."""

import time
from functools import cache

import numpy as np
import pytest

from shoverworld.games.sokoban.levels import Level
from shoverworld.games.sokoban.lurd_replay import check
from shoverworld.games.sokoban.solver import solve
from shoverworld.games.sokoban.solver.freeze import BOX, EMPTY, WALL
from shoverworld.games.sokoban.solver.macro import list_box_moves, new_macro_workspace
from shoverworld.games.sokoban.solver.satisficing import STRATEGIES, SatisficingSearch, Strategy
from shoverworld.games.sokoban.solver.solver import SokobanSolver
from tests.oracles.sokoban_exhaustive import exhaustive

from .solver_boards import DeadlockTests, random_board

# The goal room has one door, so the order in which the boxes enter it matters.
GOAL_ROOM = """
###############
#      ########
# $ $  ###  ..#
#  $     $  ..#
# $  $ ###  ..#
#@     ########
###############"""


STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))


def moves_of_box(
    level: Level, box: tuple[int, int], pull: bool
) -> set[tuple[tuple[int, int], frozenset[tuple[int, int]]]]:
    """Return where one box can get to, each with the area of the player, by trying single steps of the player."""
    others = {(int(row), int(col)) for row, col in zip(*np.nonzero(level.boxes), strict=True)} - {box}
    taken = {(int(row), int(col)) for row, col in zip(*np.nonzero(level.walls), strict=True)} | others
    start = (level.players[0], box)
    seen, queue = {start}, [start]
    for (row, col), at in queue:
        for down, right in STEPS:
            to, beyond, behind = (row + down, col + right), (row + 2 * down, col + 2 * right), (row - down, col - right)
            options = [(to, at)] if to not in taken and to != at else []
            if pull and at == behind and to not in taken:
                options.append((to, (row, col)))
            if not pull and at == to and beyond not in taken:
                options.append((to, beyond))
            for option in options:
                if option not in seen:
                    seen.add(option)
                    queue.append(option)
    places = {(at, frozenset(area(taken | {at}, player))) for player, at in seen}
    return places - {(box, frozenset(area(taken | {box}, level.players[0])))}


def area(taken: set[tuple[int, int]], start: tuple[int, int]) -> list[tuple[int, int]]:
    cells = [start]
    for row, col in cells:
        cells += [
            near for down, right in STEPS if (near := (row + down, col + right)) not in taken and near not in cells
        ]  # fmt: skip
    return cells


@pytest.mark.parametrize("pull", [False, True])
def test_macro_moves_agree_with_single_steps(pull):
    for seed in range(40):
        level = Level.parse(random_board(seed))
        tests = DeadlockTests(str(level))
        nowhere = np.zeros(len(tests.tables.wall), bool)
        macro = new_macro_workspace(tests.tables, len(tests.boxes))
        board = np.where(tests.tables.wall, WALL, EMPTY).astype(np.uint8)
        board[tests.boxes] = BOX
        for row, col in zip(*np.nonzero(level.boxes), strict=True):
            box = int(row), int(col)
            list_box_moves(tests.tables, nowhere, board, tests.cell(box), tests.player, pull, macro)
            count = int(macro.numbers[0])
            found = set(zip(macro.to[:count].tolist(), macro.player[:count].tolist(), strict=True))
            expected = {(tests.cell(to), min(map(tests.cell, cells))) for to, cells in moves_of_box(level, box, pull)}
            assert found == expected and len(found) == count, f"{seed} {box}\n{level}"


def satisfice(level: Level, strategies: tuple[Strategy, ...], seconds: float = 120.0) -> bool:
    """Return whether the strategies find a solution, which is replayed under the rules."""
    solver = SokobanSolver(level, "any", 64 << 20, None)
    search = SatisficingSearch(
        solver.ground, solver.boxes, solver.player, solver.goals, 64 << 20, lambda nodes: True, solver.pairs
    )
    pushes = None if solver.unsolvable else search.run(time.perf_counter() + seconds, strategies)
    if pushes is None:
        return False
    assert check(level, solver.written(pushes)).solved
    return True


@cache
def small_boards() -> list[tuple[str, bool]]:
    """Return random boards, each with whether an exhaustive search solves it."""
    drawings = [random_board(seed, 4, 5) for seed in range(40)]
    return [(drawing, exhaustive(drawing).solvable) for drawing in drawings]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: f"{strategy.kind}-{strategy.seed}")
def test_each_strategy_alone_solves_exactly_the_solvable_boards(strategy):
    """All strategies are complete, so a wrong deadlock or a wrong PI-corral would lose solutions here."""
    for drawing, truth in small_boards():
        assert satisfice(Level.parse(drawing), (strategy,)) == truth, drawing
    assert 5 < sum(truth for _, truth in small_boards()) < 35


def test_the_portfolio_solves_a_level_with_a_goal_room():
    plan = solve(Level.parse(GOAL_ROOM), "any", 60.0)
    assert (plan.status, plan.stopped_by) == ("solved", "found")
    assert satisfice(Level.parse(GOAL_ROOM), STRATEGIES[:1])
