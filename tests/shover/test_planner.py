"""Tests of the planner: its claims are compared with an exhaustive search, and its plans are replayed."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from shoverworld import ConfigError, Map, Rules, ShoverWorldEnv, solve
from shoverworld.core.plan import PlanError
from shoverworld.games.shover.generate import random_map
from shoverworld.games.shover.planner import ShoverPlan
from shoverworld.games.shover.planner import searcher as searches
from shoverworld.games.shover.planner.expansion import STEPS
from shoverworld.games.shover.planner.heuristic import FOR_STEPS
from shoverworld.games.shover.planner.searcher import Searcher
from tests.oracles.shover_exhaustive import exhaustive
from tests.oracles.small_boards import themed_boards
from tests.paths import ROOT

DATA = ROOT.parent / "shared" / "data" / "shover"
SEEDS = range(6)


def first_plan(m, rules, time_limit=60.0):
    """Return the first plan that the search finds."""
    return solve(m, rules, time_limit=time_limit, progress=lambda plan: plan.status == "solved")


def replayed(m, rules, plan):
    """Play the plan and return the last info."""
    env = ShoverWorldEnv(rules=rules)
    env.reset(seed=0, options={"map": m.with_start()})
    info = {}
    for action in plan.actions:
        info = env.step(action)[4]
    return info


# ---------------------------------------------------------------- correctness


@pytest.mark.parametrize("seed", SEEDS)
def test_every_result_agrees_with_an_exhaustive_search(seed):
    """The boards are small: 50 per seed, 300 in total, with both objectives, all presets and unusual parameters."""
    decided = 0
    for theme, board, rules in themed_boards(50, seed):
        true = exhaustive(board, rules)
        if not true.exhausted:
            continue
        where = f"{theme}\n{board}\n{rules}"
        for objective in ("steps", "stamina"):
            plan = solve(Map.parse(board), rules, objective, time_limit=5, memory_limit=64)
            decided += plan.proved_optimal or plan.status == "unsolvable"
            assert (plan.status == "solved") <= true.solvable, where
            assert (plan.status == "unsolvable") <= (not true.solvable), where
            if true.solvable:
                assert plan.lower_bound <= true.steps and plan.stamina_bound >= true.stamina, where
            if plan.proved_optimal and objective == "steps":
                assert plan.steps == true.steps == plan.lower_bound, where
            if plan.proved_optimal and objective == "stamina":
                assert plan.final_stamina == true.stamina == plan.stamina_bound, where
    assert decided >= 95  # on small boards almost every case must be decided


def test_the_bounds_hold_at_every_step_of_an_optimal_plan():
    """From every state along an optimal plan, the remaining actions clear the board, so the bounds must allow them."""
    checked = 0
    for theme, board, rules in themed_boards(70, 11):
        true = exhaustive(board, rules)
        if not (true.exhausted and true.solvable):
            continue
        for actions, final in ((true.shortest, None), (true.richest, true.stamina)):
            env = ShoverWorldEnv(rules=rules)
            env.reset(options={"map": Map.parse(board)})
            for step, action in enumerate(actions):
                stuck, fewest, most = Searcher(env.get_state(), env.rules.numbers(), 8 << 20).bounds()
                where = f"{theme}, step {step}\n{board}\n{rules}"
                assert not stuck, where
                assert fewest <= len(actions) - step, where
                assert final is None or most >= final, where
                env.step(action)
                checked += 1
    assert checked > 200


def test_proven_results_do_not_depend_on_the_size_of_the_node_table(monkeypatch):
    board = Map.parse("B..B.L\n.#.B..\nB..A.B")
    roomy = solve(board, "milestone1", time_limit=60)
    monkeypatch.setattr(searches, "_INITIAL_ENTRIES", 64)
    tight = solve(board, "milestone1", time_limit=60, memory_limit=16)
    assert roomy.proved_optimal and tight.proved_optimal
    assert roomy.steps == tight.steps


# ---------------------------------------------------------------- quality of plans


@pytest.mark.skipif(not DATA.is_dir(), reason="the shared maps are not available")
@pytest.mark.parametrize(
    ("name", "steps", "proved"),
    [("map3", 8, True), ("map4", 12, False), ("corridor_a", 5, True), ("corridor_b", 7, True)],
)
def test_the_course_maps_are_solved(name, steps, proved):
    m = Map.read(DATA / f"{name}.txt")
    plan = solve(m, "phase2", time_limit=90, progress=lambda plan: plan.actions and plan.steps <= steps and not proved)
    assert plan.status == "solved"
    assert plan.steps <= steps
    assert plan.proved_optimal >= proved
    assert replayed(m, "phase2", plan)["outcome"] == "cleared"


def test_all_200_random_phase2_boards_are_cleared():
    for seed in range(200):
        m = random_map(seed, rules="phase2", number_of_boxes=20, number_of_barriers=12, number_of_lavas=6)
        plan = first_plan(m, "phase2")
        assert plan.status == "solved", seed
        info = replayed(m, "phase2", plan)
        assert (info["outcome"], info["stamina"], info["timestep"]) == ("cleared", plan.final_stamina, plan.steps)


def test_all_200_random_milestone1_boards_are_solved_or_proven_unsolvable():
    solved = 0
    for seed in range(200):
        m = random_map(seed, rules="milestone1", number_of_boxes=8, number_of_barriers=4, number_of_lavas=3)
        plan = first_plan(m, "milestone1")
        assert plan.status in ("solved", "unsolvable"), seed
        solved += plan.status == "solved"
        if plan.status == "solved":
            assert replayed(m, "milestone1", plan)["outcome"] == "cleared"
    assert solved > 150


FULL = """
..BB..B..BB..
.BBB..#..BBB.
..B..B#B..B..
BB...LL....BB
B.BBB...BBB.B
BB...LL....BB
..B..B#B..B..
.BBB..#..BBB.
..BB..B..BB..
"""


def test_a_full_board_is_cleared():
    m = Map.parse(FULL)
    assert int(((m.grid > 0) & (m.grid < 100)).sum()) > 40
    plan = first_plan(m, "phase2")
    assert replayed(m, "phase2", plan)["outcome"] == "cleared"


@pytest.mark.parametrize("boxes", [50, 80])
def test_a_board_with_many_boxes_is_cleared(boxes):
    m = random_map(1, rules="phase2", number_of_boxes=boxes, number_of_barriers=6, number_of_lavas=4)
    plan = first_plan(m, "phase2")
    assert replayed(m, "phase2", plan)["outcome"] == "cleared"


def test_the_planner_waits_if_only_a_dissolving_square_helps():
    """A square blocks the only path to the lava, and there is a box behind the square. Barriers would enclose this box.

    With the actor "select", no valid action is left, so the planner plays an invalid action in order to wait.
    """
    rules = Rules.preset("phase2", perf_sq_initial_age=3, edge="wall")
    m = Map.parse("#####\n#BB##\n#BB.A\n#####")
    plan = solve(m, rules)
    assert (plan.status, plan.steps) == ("solved", 1)  # if no box is behind the square, the barrier maker is faster
    milestone = Rules.preset("milestone1", perf_sq_initial_age=3)
    walled = Map.parse("L.BB#B\nA.BB..\n######")
    plan = solve(walled, milestone)
    assert plan.proved_optimal
    assert replayed(walled, milestone, plan)["outcome"] == "cleared"
    # Squares are detected before the special and dissolve after one step, so every special comes too late.
    hasty = Rules.preset(
        "phase2", edge="wall", order="squares_first", perf_sq_initial_age=1, initial_stamina=80, max_timestep=8
    )
    m = Map.parse("B.B..\nBB..#\n....A")
    plan = solve(m, hasty)
    assert (plan.steps, plan.final_stamina, plan.proved_optimal) == (2, 30.0, True)
    info = replayed(m, hasty, plan)
    assert info["outcome"] == "cleared" and not info["last_action_valid"]


def test_the_two_objectives_can_lead_to_different_plans():
    """On the second board, two pushes are enough, but three pushes keep both boxes in motion, which saves stamina."""
    m = Map.parse("L....B\nA.....\n....BL")
    fewest, richest = solve(m, "milestone1"), solve(m, "milestone1", "stamina")
    assert fewest.proved_optimal and richest.proved_optimal
    assert richest.final_stamina >= fewest.final_stamina
    assert richest.steps >= fewest.steps
    m = Map.parse("..BB.\nA...L\n....L")
    fewest, richest = solve(m, "phase2"), solve(m, "phase2", "stamina")
    assert (fewest.steps, fewest.proved_optimal) == (2, True)
    assert (richest.steps, richest.final_stamina, richest.proved_optimal) == (3, 990.0, True)
    assert fewest.final_stamina < 990


def test_a_plan_can_start_in_the_middle_of_a_game():
    env = ShoverWorldEnv(rules="phase2")
    env.reset(options={"map": Map.parse("...B...\n.......\n.......\n.......\n....B..\n......A")})
    env.step((0, 3, 2))  # down, away from the nearest edge
    plan = solve(env.get_state(), env.rules)
    assert plan.proved_optimal
    for action in plan.actions:
        info = env.step(action)[4]
    assert info["outcome"] == "cleared"
    assert info["timestep"] == 1 + plan.steps
    assert info["stamina"] == plan.final_stamina


def test_the_reported_plans_and_bounds_improve_over_time():
    m = random_map(3, rules="phase2", number_of_boxes=20, number_of_barriers=12, number_of_lavas=6)
    seen = []
    solve(m, "phase2", time_limit=2, progress=lambda plan: seen.append((plan.steps, plan.lower_bound, plan.status)))
    solved = [(steps, bound) for steps, bound, status in seen if status == "solved"]
    assert [s for s, _ in solved] == sorted((s for s, _ in solved), reverse=True)
    assert [b for _, b in solved] == sorted(b for _, b in solved)
    assert all(bound <= solved[-1][0] for _, bound in solved)


# ---------------------------------------------------------------- edge cases


def test_a_map_without_boxes_has_an_empty_plan():
    plan = solve(Map.parse("A..\n..L"), "milestone1")
    assert (plan.status, plan.steps, plan.proved_optimal, plan.final_stamina) == ("solved", 0, True, 1000.0)


@pytest.mark.parametrize(
    "board",
    [
        "A.#B\n..##",  # the box is enclosed by barriers
        "AB\n..",  # there is one box and no lava
        "A.BBB\n..BB.",  # without lava, a square removes only four of the five boxes
        "B#A\n##.\nBL.",  # one of two boxes is enclosed
        "A#BB\n.###\nL.BB",  # the pocket has only one row, so its boxes cannot form a square
    ],
)
def test_unsolvable_boards_are_proven_unsolvable(board):
    plan = solve(Map.parse(board), "milestone1", time_limit=20)
    assert (plan.status, plan.actions, plan.proved_optimal) == ("unsolvable", [], False)
    assert plan.stopped_by == "proof"


def test_a_game_that_is_already_lost_is_unsolvable():
    env = ShoverWorldEnv(rules="milestone1", initial_stamina=10)
    env.reset(options={"map": "AB.L"})
    env.step((0, 1, 2))
    assert env.outcome == "exhausted"
    assert solve(env.get_state(), env.rules).status == "unsolvable"


def test_a_map_with_too_little_stamina_or_too_few_steps_is_proven_unsolvable():
    assert solve(Map.parse("AB..L"), Rules(initial_stamina=60)).status == "unsolvable"  # exhausted after 50 + 10
    assert solve(Map.parse("AB..L"), Rules(initial_stamina=61)).steps == 3
    assert solve(Map.parse("AB..L"), Rules(max_timestep=2)).status == "unsolvable"
    assert solve(Map.parse("AB..L"), Rules(max_timestep=3)).steps == 3


def test_a_time_limit_of_zero_is_not_an_error():
    plan = solve(Map.parse(FULL), "phase2", time_limit=0)
    assert plan.status in ("unknown", "solved")
    assert plan.lower_bound >= 1


@pytest.mark.parametrize(
    ("wrong", "named"),
    [({"objective": "fun"}, "objective"), ({"time_limit": -1}, "time_limit"), ({"memory_limit": 0}, "memory_limit")],
)
def test_the_error_names_the_invalid_argument(wrong, named):
    with pytest.raises(ConfigError, match=named):
        solve(Map.parse("AB.L"), **wrong)


def test_the_error_for_a_level_of_the_wrong_type_names_the_type():
    with pytest.raises(ConfigError, match="Map or a State, not str"):
        solve("AB.L")  # type: ignore[arg-type]


def test_a_progress_callback_that_returns_true_stops_the_search():
    began = time.perf_counter()
    plan = solve(Map.parse(FULL), "phase2", time_limit=500, progress=lambda plan: True)
    assert time.perf_counter() - began < 120
    assert plan.stopped_by == "progress"


def test_progress_is_reported_during_a_search_and_the_callback_can_stop_the_search():
    inside = []

    def progress(plan):
        frame, names = sys._getframe(), set()
        while frame is not None:
            names.add(frame.f_code.co_name)
            frame = frame.f_back
        inside.append("search" in names)
        return inside[-1]

    plan = solve(Map.parse(FULL), "phase2", time_limit=200, progress=progress)
    assert plan.stopped_by == "progress"
    assert inside.count(True) == 1 and inside[-1]  # the callback is not called again


def test_a_plan_that_is_reported_again_is_not_replayed_again(monkeypatch):
    replayed = []
    verify = ShoverPlan.verify
    monkeypatch.setattr(ShoverPlan, "verify", lambda plan, env: (replayed.append(plan.actions), verify(plan, env)))
    reported = []

    def progress(plan):
        reported.append(plan.actions)
        return bool(plan.actions) and reported.count(plan.actions) == 4

    solve(Map.parse(FULL), "phase2", time_limit=200, progress=progress)
    assert reported.count(reported[-1]) == 4
    assert replayed.count(reported[-1]) == 1


def test_every_plan_is_verified(monkeypatch):
    """If the search returns a wrong plan, `solve` raises an error."""
    m = Map.parse("A.B.L")
    good = Searcher.actions
    monkeypatch.setattr(Searcher, "actions", lambda self, moves: good(self, moves)[:-1])
    with pytest.raises(PlanError, match="expected cleared"):
        solve(m, "milestone1")
    monkeypatch.setattr(Searcher, "actions", lambda self, moves: [(0, 2, 4), *good(self, moves)[1:]])
    with pytest.raises(PlanError):
        solve(m, "milestone1")


def test_verify_rejects_a_plan_with_a_wrong_length_or_final_stamina():
    env = ShoverWorldEnv(rules="milestone1")
    for actions, stamina in (
        ([(0, 2, 2)], 950.0),
        ([(0, 2, 2), (0, 3, 2), (0, 1, 2)], 980.0),
        ([(0, 2, 2), (0, 3, 2)], 5.0),
    ):
        env.reset(options={"map": "A.B.L"})
        with pytest.raises(PlanError):
            ShoverPlan("solved", actions, final_stamina=stamina).verify(env)
    env.reset(options={"map": "A.B.L"})
    ShoverPlan("solved", [(0, 2, 2), (0, 3, 2)], final_stamina=980.0).verify(env)


INTERRUPTED = """
import sys
from shoverworld import Map, solve
from tests.shover.test_planner import FULL
def progress(plan):
    if plan.actions:
        print("found", flush=True)
plan = solve(Map.parse(FULL), "phase2", time_limit=500, progress=progress)
print(plan.status, plan.stopped_by, plan.steps > 0, plan.seconds < 400, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to send")
def test_solve_returns_the_best_plan_so_far_after_control_c():
    child = subprocess.Popen([sys.executable, "-c", INTERRUPTED], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "found\n"
    os.kill(child.pid, signal.SIGINT)
    lines = child.communicate(timeout=120)[0].splitlines()
    assert child.returncode == 0
    assert lines[-1] == "solved interrupt True True"


MEMORY = """
import resource, sys
from shoverworld import Map, solve
from tests.shover.test_planner import FULL
solve(Map.parse(FULL), "phase2", time_limit=0)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
solve(Map.parse(FULL), "phase2", time_limit=8, memory_limit=32)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss has other units on other systems")
def test_the_memory_used_by_a_search_stays_within_the_limit():
    run = subprocess.run([sys.executable, "-c", MEMORY], cwd=ROOT, capture_output=True, text=True, check=True)
    assert float(run.stdout) < 1.5 * 32


def test_searches_with_the_same_width_find_the_same_plan():
    """Without a time limit, a search is deterministic: its plan depends only on the width."""
    start = ShoverWorldEnv(rules="phase2")
    start.reset(seed=5)
    found = []
    for _ in range(2):
        searcher = Searcher(start.get_state(), start.rules.numbers(), 32 << 20)
        outcome = searcher.search(searcher.start, 16, STEPS, 400, -np.inf, FOR_STEPS[0], False, lambda: False)
        assert outcome.found is not None
        found.append(searcher.actions(outcome.found.moves))
    assert found[0] == found[1]
