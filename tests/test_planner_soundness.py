"""The planner's claims in the places where a sceptic found them wrong, and where he looked in vain."""

import numpy as np
import pytest

from shoverworld import Map, Rules, ShoverWorldEnv, solve
from shoverworld.games.shover.planner import layers
from shoverworld.games.shover.planner.layers import Searcher
from shoverworld.games.shover.planner.promise import FOR_STEPS
from tests.oracles.shover_exhaustive import exhaustive


def test_a_map_with_more_boxes_than_its_squares_have_room_for():
    """Twelve boxes would be three squares, but a map of 3 x 5 holds two at most."""
    plan = solve(Map.parse("BBBBB\nBBBBB\nBB..A"), Rules(edge="lava", max_timestep=30), time_limit=0.2)
    assert plan.status == "solved"


def test_the_longest_time_and_the_longest_age_there_are():
    """The plan takes as much memory as it is long, not as much as it may be."""
    longest = 2**31 - 1
    plan = solve(Map.parse("AB.L"), Rules(max_timestep=longest, perf_sq_initial_age=longest), memory_limit=16)
    assert (plan.steps, plan.proved_optimal) == (2, True)
    walled = solve(Map.parse("AB.\n..."), Rules(max_timestep=longest), memory_limit=16)
    assert walled.status == "unsolvable"


@pytest.mark.parametrize(
    ("board", "steps"), [("......\n..BB..\nB.BBA.\n......", 5), (".......\n...BB..\n.B.BBA.\n.......", 6)]
)
@pytest.mark.parametrize("order", ["action_first", "squares_first"])
def test_a_walker_without_a_no_op_waits_where_nothing_is_near_to_run_into(board, steps, order):
    """The square is in his lane and dissolves in one step. To step aside and back takes two; a special without a square
    for it is invalid, which is all that waiting needs."""
    rules = Rules.preset("walker", noop=False, edge="lava", perf_sq_initial_age=1, max_timestep=steps, order=order)
    assert exhaustive(board, rules).steps == steps
    plan = solve(Map.parse(board), rules)
    assert (plan.status, plan.steps, plan.proved_optimal) == ("solved", steps, True)


LARGE = Map.parse("\n".join(["BB." * 32 + ".", "BB." * 32 + "L", "." * 97] * 32))


def test_on_a_large_map_the_clock_is_looked_at_more_often():
    """Counted, not timed: a move on a large map takes longer, so fewer are tried between two questions."""
    env = ShoverWorldEnv()
    env.reset(options={"map": LARGE.with_start()})
    start = env.get_state()
    searcher = Searcher(start, env.rules.numbers(), 32 << 20)
    searcher.search(start, 8, layers.STEPS, 400, -np.inf, FOR_STEPS[0], False, lambda: True)
    assert 0 < searcher.tried * start.board.shape[1] <= 2**22


def test_without_time_a_large_map_takes_next_to_none(monkeypatch):
    """What is done to have all compiled before the clock starts may not be a search of its own."""
    tried, good = [], Searcher.search

    def counted(self, *arguments):
        before = self.tried
        outcome = good(self, *arguments)
        tried.append(self.tried - before)
        return outcome

    monkeypatch.setattr(Searcher, "search", counted)
    assert solve(LARGE, Rules(perf_sq_initial_age=2), time_limit=0).status == "unknown"
    assert max(tried) <= 4 * 4 * 32 * 32 + 8  # the moves of one game


def test_bounds_hold_for_numbers_that_are_rounded():
    """Four times 0.3 at once, as the barrier maker gives it, is more than 0.3 four times over."""
    rules = Rules(step_cost=0, barrier_stamina=0.3)
    plan = solve(Map.parse("BBA\nBB."), rules)
    assert plan.final_stamina == 1000 + 0.3 * 4 <= plan.stamina_bound
