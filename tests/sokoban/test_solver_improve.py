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
    assert not improver.run(written, time.perf_counter() + 600.0) and improver.proved
    return costs


@pytest.mark.parametrize("objective", ["pushes", "moves"])
@pytest.mark.parametrize("fixed", [False, True], ids=["plain", "fixed"])
def test_the_last_window_is_the_whole_solution(objective, fixed):
    """Without a limit, the improved solution is the best one, which is proved."""
    compared = shortened = 0
    for seed in range(25 if fixed else 50):
        drawing = random_board(seed, 4, 4)
        if fixed and sum(map(drawing.count, "$*")) > 3:  # the exhaustive search would take too long
            continue
        level = numbered(Level.parse(drawing)) if fixed else Level.parse(drawing)
        pushes = wandering_pushes(level, seed)
        if pushes is None:
            continue
        costs = improved(level, pushes, objective)
        assert all(after < before for before, after in pairwise(costs)), f"{seed}\n{drawing}"
        truth = exhaustive(drawing, fixed)
        assert costs[-1] == (truth.moves if objective == "moves" else truth.pushes), f"{seed}\n{drawing}"
        compared += 1
        shortened += costs[-1] < costs[0]
    assert compared >= 5 and shortened >= 5


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
def test_a_solution_without_a_proof_is_improved(objective, monkeypatch):
    """A* finds nothing here. The progress function sees better and better plans and then ends the search."""
    monkeypatch.setattr(SokobanSolver, "_search", lambda self, objective, until: True)
    monkeypatch.setattr("shoverworld.games.sokoban.solver.solver._TELL_EVERY", 0.0)
    level = Level.parse(CROWDED)
    costs: list[float] = []

    def watch(plan: SokobanPlan) -> bool:
        assert plan.cost is not None and not plan.proved_optimal
        if plan.status == "solved" and plan.cost not in costs:
            plan.check(level)
            costs.append(plan.cost)
        return len(costs) == 3

    plan = solve(level, objective, 600.0, memory_limit=64, progress=watch)
    assert (plan.status, plan.stopped_by, plan.proved_optimal) == ("solved", "progress", False)
    assert plan.cost == costs[-1] and costs == sorted(costs, reverse=True) and len(costs) == 3


@pytest.mark.parametrize("moment", [1, 2])
def test_ctrl_c_keeps_the_improved_solution(moment, monkeypatch):
    monkeypatch.setattr(SokobanSolver, "_search", lambda self, objective, until: True)
    monkeypatch.setattr("shoverworld.games.sokoban.solver.solver._TELL_EVERY", 0.0)
    costs: list[float] = []

    def watch(plan: SokobanPlan) -> None:
        if plan.status == "solved" and plan.cost not in costs:
            costs.append(plan.cost or 0)
        if len(costs) == moment:
            raise KeyboardInterrupt

    plan = solve(Level.parse(CROWDED), "pushes", 600.0, memory_limit=64, progress=watch)
    assert (plan.status, plan.stopped_by, plan.cost) == ("solved", "interrupt", costs[-1])
