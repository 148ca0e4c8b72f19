"""Improving a solution piece by piece: the result is legal, never worse, and in the end the best possible."""

import random
import time
from itertools import pairwise

import pytest

from shoverworld.games.sokoban.levels import Level
from shoverworld.games.sokoban.solver import SokobanPlan, solve
from shoverworld.games.sokoban.solver.improve import Improver
from shoverworld.games.sokoban.solver.solver import SokobanSolver
from tests.oracles.sokoban_exhaustive import exhaustive

from .solver_boards import random_board
from .solver_truth import numbered

STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))


def wandering_pushes(level: Level, seed: int) -> list[tuple[int, int, int]] | None:
    """Return the pushes (row, column, direction) of a long solution, found by walking at random without repetition.

    With fixed targets, boxes and targets are compared by their numbers. The result is None if the level has no solution.
    """
    rng = random.Random(seed)
    walls = {(row, col) for row, line in enumerate(level.walls) for col, wall in enumerate(line) if wall}
    boxes = {(r, c): int(box) for r, line in enumerate(level.boxes) for c, box in enumerate(line) if box}
    goal = {(r, c): int(box) for r, line in enumerate(level.targets) for c, box in enumerate(line) if box}
    start = level.players[0], tuple(sorted(boxes.items()))
    seen, path = {start}, [(start, None, iter(rng.sample(range(4), 4)))]
    while path:
        ((row, col), places), _, directions = path[-1]
        boxes = dict(places)
        if boxes == goal:
            return [push for _, push, _ in path if push is not None]
        for direction in directions:
            down, right = STEPS[direction]
            to, beyond = (row + down, col + right), (row + 2 * down, col + 2 * right)
            if to in walls or (to in boxes and (beyond in walls or beyond in boxes)):
                continue
            after, push = boxes, None
            if to in boxes:
                after, push = {**boxes, beyond: boxes[to]}, (*to, direction)
                del after[to]
            state = to, tuple(sorted(after.items()))
            if state not in seen:
                seen.add(state)
                path.append((state, push, iter(rng.sample(range(4), 4))))
                break
        else:
            path.pop()
    return None


def improved(level: Level, pushes: list[tuple[int, int, int]], objective: str) -> list[int]:
    """Return the costs of all solutions, from the given one to the best. Every solution is replayed under the rules."""
    solver = SokobanSolver(level, "pushes", 64 << 20, None)
    written = [(((row + 1) * solver.ground.width + col + 1) << 2) + direction for row, col, direction in pushes]
    costs: list[int] = []

    def found(pushes: list[int]) -> None:
        plan = SokobanPlan.from_lurd(solver.written(pushes))
        plan.check(level)
        costs.append(plan.moves if objective == "moves" else plan.pushes)

    found(written)
    improver = Improver(
        solver.ground, solver.boxes, solver.player, objective == "moves", level.fixed, 64 << 20, lambda nodes: True, found
    )  # fmt: skip
    assert improver.run(written, time.perf_counter() + 600.0)
    return costs


@pytest.mark.parametrize("objective", ["pushes", "moves"])
@pytest.mark.parametrize("fixed", [False, True], ids=["plain", "fixed"])
def test_the_last_window_is_the_whole_solution(objective, fixed):
    """Without a limit, the improved solution is the best one, as long as the first solution has moved every box."""
    compared = shortened = 0
    for seed in range(60):
        drawing = random_board(seed, 4, 4)
        if fixed and sum(map(drawing.count, "$*")) > 3:  # the exhaustive search would take too long
            continue
        level = numbered(Level.parse(drawing)) if fixed else Level.parse(drawing)
        pushes = wandering_pushes(level, seed)
        if pushes is None:
            continue
        costs = improved(level, pushes, objective)
        assert all(after < before for before, after in pairwise(costs)), f"{seed}\n{drawing}"
        if not {(int(row), int(col)) for row, col in zip(*level.boxes.nonzero(), strict=True)} <= {
            (row, col) for row, col, _ in pushes
        }:
            continue
        truth = exhaustive(drawing, fixed)
        assert costs[-1] == (truth.moves if objective == "moves" else truth.pushes), f"{seed}\n{drawing}"
        compared += 1
        shortened += costs[-1] < costs[0]
    assert compared >= 3 and shortened >= 3


# The boxes of the left half have to pass each other, so A* needs more positions than fit into the memory limit.
CROWDED = """
##################
#    #           #
# $ $  $ #  ..   #
#  $ $   #  ..   #
# $ $  $    ..   #
#  $ $   #  ..   #
#        #  ..   #
#@   #           #
##################"""


@pytest.mark.parametrize("objective", ["pushes", "moves"])
def test_a_solution_without_a_proof_is_improved(objective):
    """A* stops at the memory limit. The progress function sees better and better plans and ends the search."""
    level = Level.parse(CROWDED)
    costs = [10**6]

    def watch(plan: SokobanPlan) -> bool:
        if plan.status == "solved" and plan.cost < costs[-1]:
            plan.check(level)
            costs.append(plan.cost)
        return len(costs) > 3

    plan = solve(level, objective, 600.0, memory_limit=8, progress=watch)
    assert (plan.status, plan.stopped_by, plan.proved_optimal) == ("solved", "progress", False)
    assert 0 < plan.lower_bound <= plan.cost == costs[-1]
    assert len(costs) > 3
