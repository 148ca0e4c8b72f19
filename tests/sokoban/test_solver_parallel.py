"""The search for any solution in two threads."""

import threading
import time

import pytest

from shoverworld.core.errors import ConfigError
from shoverworld.games.sokoban.levels import Level
from shoverworld.games.sokoban.lurd_replay import check
from shoverworld.games.sokoban.solver import solve
from shoverworld.games.sokoban.solver.parallel import ParallelSearch
from shoverworld.games.sokoban.solver.satisficing import compile_satisficing
from shoverworld.games.sokoban.solver.solver import SokobanSolver
from tests.oracles.sokoban_exhaustive import exhaustive

from .solver_boards import random_board


def search_for(level: Level, tick=lambda nodes: True) -> tuple[SokobanSolver, ParallelSearch]:
    solver = SokobanSolver(level, "any", 64 << 20, None, threads=2)
    compile_satisficing()
    return solver, ParallelSearch(
        solver.ground, solver.boxes, solver.player, solver.goals, 64 << 20, tick, solver.pairs
    )


def threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "sokoban solver"]


def test_both_threads_together_solve_exactly_the_solvable_boards():
    solved = 0
    for seed in range(25):
        drawing = random_board(seed, 4, 5)
        level = Level.parse(drawing)
        solver, search = search_for(level)
        pushes = None if solver.unsolvable else search.run(time.perf_counter() + 120.0)
        assert (pushes is not None) == exhaustive(drawing).solvable, drawing
        assert pushes is None or check(level, solver.written(pushes)).solved
        solved += pushes is not None
    assert 3 < solved < 22 and not threads()


@pytest.mark.parametrize("which", ["here", "there"])
def test_the_first_solution_of_either_thread_is_returned(which, monkeypatch):
    """The other thread searches until the solution is found, here for ever."""
    _, search = search_for(Level.parse("######\n#@ $.#\n######"))

    def for_ever(until, strategies):
        while one.tick(0):
            time.sleep(0.001)
        one.stopped = True

    one, other = (search.there, search.here) if which == "here" else (search.here, search.there)
    monkeypatch.setattr(one, "run", for_ever)
    monkeypatch.setattr(other, "run", lambda until, strategies: [99])
    assert search.run(time.perf_counter() + 120.0) == [99] and not threads()


def test_tick_stops_both_threads():
    _, search = search_for(Level.parse(random_board(3)), lambda nodes: False)
    search.run(time.perf_counter() + 120.0)
    assert not threads()


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_in_a_thread_is_raised_in_the_caller(error, monkeypatch):
    _, search = search_for(Level.parse("######\n#@ $.#\n######"))

    def fail(until, strategies):
        raise error

    monkeypatch.setattr(search.there, "run", fail)
    monkeypatch.setattr(search.here, "run", lambda until, strategies: None)
    with pytest.raises(error):
        search.run(time.perf_counter() + 120.0)
    assert not threads()


def test_solve_accepts_one_or_two_threads():
    level = Level.parse("######\n#@ $.#\n######")
    assert solve(level, "any", threads=2).pushes == 1
    for wrong in (0, 3, 1.5, True):
        with pytest.raises(ConfigError, match="threads"):
            solve(level, "any", threads=wrong)  # type: ignore[arg-type]
