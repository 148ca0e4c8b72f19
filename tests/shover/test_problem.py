"""Tests of the search problem: its moves agree with the environment and the reference engine; positions; heuristic."""

import math
import random

import numpy as np
import pytest

from shoverworld import ConfigError, Map, Rules, ShoverWorldEnv
from shoverworld.games.shover.measure import NO_WAY, pushes_to_lava, steps_to_helpful_push
from shoverworld.games.shover.problem import ShoverProblem
from shoverworld.search import Budget, astar, breadth_first, rbfs
from tests.boards import play
from tests.oracles.shover_twin import ShoverTwin

RULES = {
    "milestone1": Rules.preset("milestone1"),
    "walker": Rules.preset("walker"),
    "phase2": Rules.preset("phase2"),
    "quick squares": Rules.preset("milestone1", perf_sq_initial_age=2, stationary="front", hellify="whole"),
    "idle selector": Rules.preset("phase2", z_base=1, noop=True, edge="wall", order="squares_first"),
    "no-op free walker": Rules.preset("walker", noop=False, edge="lava", stationary="contact"),
    "tired": Rules.preset("milestone1", initial_stamina=120, max_timestep=4),
}


def random_board(rng, rows=5, cols=6):
    """Return a board with boxes close together, so that squares occur, and the shover on an empty cell."""
    grid = np.array([[rng.choice((0, 0, 0, 10, 3, 100, -100)) for _ in range(cols)] for _ in range(rows)])
    if rng.random() < 0.5:  # a square of side 2 or 3, sometimes with a displaced box
        n = rng.choice((2, 3))
        grid[:] = np.where(np.random.default_rng(rng.randrange(1000)).random(grid.shape) < 0.9, 0, grid)
        grid[1 : n + 1, 1 : n + 1] = 10
        if rng.random() < 0.3:
            grid[1, 1], grid[0, 1] = 0, 10
    grid[rows - 1, cols - 1] = 0
    return Map(grid.astype(np.int8), (rows - 1, cols - 1))


def expected_actions(env):
    """Return the useful actions according to the mask.

    These are pushes (or the moves of a walker), special actions, and a wait while a square ages. A special action
    counts only once, because its position has no effect.
    """
    mask = env.action_mask().reshape(*env.action_space.nvec)
    obs, info = env.observe()
    rules, actions = env.rules, set()
    for row, col, z in np.argwhere(mask).tolist():
        code = z + rules.first_z - rules.z_base
        if code >= 4 or code < 0:
            if info["perfect_squares_available"]:
                actions.add(("special or wait", code))
        elif rules.actor == "walk":
            if (row, col) == tuple(obs["agent"].tolist()):
                actions.add((row, col, code))
        elif obs["grid"][row, col] != 0:
            actions.add((row, col, code))
        elif rules.actor == "leap" and info["perfect_squares_available"] and not rules.noop:
            actions.add(("special or wait", -1))
    return actions


def named(action, grid, rules):
    row, col, z = action
    code = z - rules.z_base
    walks = rules.actor == "leap" and 0 <= code < 4 and grid[row, col] == 0
    return ("special or wait", -1 if walks else code) if code < 0 or code >= 4 or walks else (row, col, code)


def same_game(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one[:3], other[:3], strict=True))


@pytest.mark.parametrize("name", RULES)
def test_successors_agree_with_the_environment(name):
    rules, rng = RULES[name], random.Random(name)
    env = ShoverWorldEnv(rules=rules)
    seen = 0
    for _ in range(9):
        env.reset(options={"map": random_board(rng)})
        problem = ShoverProblem(env.get_state(), rules)
        position = problem.start()
        for _ in range(5):
            env.set_state(position.state)
            children = problem.successors(position)
            assert {named(action, position.grid, rules) for action, _, _ in children} == expected_actions(env)
            assert len({action for action, _, _ in children}) == len(children)
            for action, child, cost in rng.sample(children, min(len(children), 10)):
                env.set_state(position.state)
                _, _, _, _, info = env.step(action)
                assert info["last_action_valid"] and cost == 1
                assert same_game(env.get_state(), child.state)
                assert (child.boxes, child.stamina) == (info["number_of_boxes"], info["stamina"])
                assert child.squares == info["perfect_squares_available"]
                assert problem.is_goal(child) == (info["outcome"] == "cleared")
                seen += 1
            if not children:
                break
            specials = [c for c in children if c[0][2] - rules.z_base >= 4 and rng.random() < 0.3]
            position = rng.choice(specials or children)[1]
    assert seen > 60


@pytest.mark.parametrize("preset", ["milestone1", "walker", "phase2"])
def test_paths_through_the_search_problem_agree_with_the_reference_engine(preset):
    rules, rng = Rules.preset(preset), random.Random(preset)
    for _ in range(12):
        board = random_board(rng)
        twin = ShoverTwin(rules, rules.reward, board.grid.tolist(), board.agent)
        problem = ShoverProblem.of_map(board, rules)
        position = problem.start()
        for _ in range(15):
            children = problem.successors(position)
            if not children:
                break
            action, position, _ = rng.choice(children)
            _, _, _, _, info = twin.step(*action)
            assert info["last_action_valid"]
            assert position.grid.tolist() == twin.grid
            assert position.squares == info["perfect_squares_available"]
            assert math.isclose(position.stamina, twin.stamina)
            assert (position.boxes, position.fact("timestep")) == (info["number_of_boxes"], info["timestep"])


def start_of(board, actions=(), rules="milestone1", **keywords):
    """Return the position of a game after these actions."""
    game = play(board, actions, rules, **keywords)
    return ShoverProblem(game.env.get_state(), game.env.rules).start()


def test_positions_with_the_same_future_are_equal():
    board = """
        A . . . .
        B . . . B
        L . . . L
    """
    one = start_of(board, [(1, 0, "down"), (1, 4, "down")], rules="phase2")
    other = start_of(board, [(1, 4, "down"), (1, 0, "down")], rules="phase2")
    assert one == other and hash(one) == hash(other) and len({one, other}) == 1
    assert one != start_of(board, [(1, 4, "down")], rules="phase2")
    assert one != "a position"


def test_box_strengths_and_stamina_are_not_part_of_a_position():
    assert start_of("0 1 0 100") == start_of("0 7 0 100")
    assert start_of(". B .") == start_of(". B .", initial_stamina=77)


def test_positions_with_different_moving_boxes_differ_if_the_cost_depends_on_motion():
    still, moved = ". . B .", [(0, 1, "right")]
    assert start_of(still, rules="phase2") != start_of(". B . .", moved, rules="phase2")
    # With the walker rules, the direction of the last push differs.
    assert start_of(still, agent=(0, 0), rules="walker") != start_of("A B . .", ["right"], rules="walker")


def test_the_cell_of_the_shover_is_part_of_a_position_only_under_walker_rules():
    for rules, differs in (("milestone1", False), ("phase2", False), ("walker", True)):
        assert (start_of("A . B .", rules=rules) != start_of(". A B .", rules=rules)) == differs


def test_the_age_of_a_square_is_part_of_a_position():
    board = """
        B B . .
        B B . A
    """
    assert start_of(board) == start_of(board)
    assert start_of(board) != start_of(board, [(0, 3, "up")])


def test_waiting_is_among_the_successors_only_while_a_square_ages():
    square, line = "B B . A\nB B . .", "B B . A\n. . . ."
    for rules in ("milestone1", "walker"):
        for board, waits in ((square, True), (line, False)):
            game = play(board, rules=rules)
            children = ShoverProblem(game.env.get_state(), rules).successors(start_of(board, rules=rules))
            if rules == "walker":
                found = any(z == 0 for (_, _, z), _, _ in children)
            else:
                found = any(np.array_equal(child.grid, game.obs["grid"]) for _, child, _ in children)
            assert found == waits


def test_a_finished_game_has_no_successors():
    problem = ShoverProblem.of_map(Map.parse(". B"), Rules.preset("phase2", max_timestep=1))
    (_, timed_out, _), *_ = [s for s in problem.successors(problem.start()) if s[1].boxes]
    assert problem.successors(timed_out) == []


def test_the_layout_consists_of_the_board_and_the_cell_that_a_walker_is_on():
    position = start_of("A . B .", ["right"], rules="walker")
    assert position.layout == start_of(". A B .", rules="walker").layout
    assert position.layout != start_of("A . B .", rules="walker").layout


def test_the_rules_given_to_the_problem_determine_the_edge_of_the_map():
    problem = ShoverProblem(play(". B").env.get_state(), "phase2")  # the state has walls at the edge
    assert any(child.boxes == 0 for _, child, _ in problem.successors(problem.start()))


def test_a_start_state_of_the_wrong_type_raises_an_error():
    with pytest.raises(ConfigError, match="expected a State from get_state, not str"):
        ShoverProblem("..B", "phase2")  # type: ignore[arg-type]


# --- distances


def lava_distances(board, rules):
    env = play(board, rules=rules).env
    pushes = pushes_to_lava(env.get_state(), env.rules.numbers())
    rows, cols = env.observe()[0]["grid"].shape
    return np.where(pushes < NO_WAY, pushes, -1).reshape(rows + 2, cols + 2)[1:-1, 1:-1].tolist()


LAKE = """
    L . . #
    . # . B
    B . . .
"""


def test_the_distance_to_lava_is_the_minimum_number_of_pushes_from_each_cell():
    assert lava_distances(LAKE, "milestone1") == [[0, 1, 2, -1], [1, -1, 3, 4], [2, 3, 4, 5]]
    assert lava_distances(LAKE, "phase2") == [[0, 1, 1, -1], [1, -1, 2, 1], [1, 1, 1, 1]]  # the edge is lava


def test_a_push_by_a_walker_needs_space_behind_the_box():
    # A box at (0, 1) can be pushed left from (0, 2). A box at (0, 2) cannot: (0, 3) is a barrier. (1, 2) is a dead end.
    assert lava_distances(LAKE, "walker") == [[0, 1, -1, -1], [1, -1, -1, -1], [-1, -1, -1, -1]]


def test_the_steps_that_a_walker_needs_before_a_helpful_push_are_counted():
    def steps(board):
        env = play(board, rules="walker").env
        return steps_to_helpful_push(env.get_state(), pushes_to_lava(env.get_state(), env.rules.numbers())).tolist()

    assert steps("A . B . L") == [1]
    assert steps("L . B . A") == [1]
    assert steps("L A B . .\n. . . . .") == [4]  # the walker goes around the box: down, right, right, up
    assert steps("L # B A .") == [NO_WAY]


# --- the heuristic


def test_the_heuristic_is_infinite_if_a_box_cannot_reach_lava():
    problem = ShoverProblem.of_map(Map.parse(". # B # L"), "milestone1")
    assert problem.heuristic(problem.start()) == math.inf
    assert astar(problem).status == "no solution"


def test_the_heuristic_has_the_expected_value_on_small_boards():
    # On the first board the boxes need 2 and 3 pushes, so at least 3 steps. If both need 3, one burns later.
    for board, least in (("L . B B . .", 3), ("L . . B B . .", 4), (". B . . B . L\n. . . . . . .", 5), ("L .", 0)):
        problem = ShoverProblem.of_map(Map.parse(board), "milestone1")
        assert problem.heuristic(problem.start()) == least


@pytest.mark.parametrize("name", ["milestone1", "walker", "phase2", "quick squares"])
def test_the_heuristic_is_admissible_and_astar_is_as_good_as_breadth_first_search(name):
    rules, rng = RULES[name], random.Random(name)
    solved = 0
    for trial in range(24):
        cells = [10] * (1 + trial % 4) + [-100, -100, 100]
        cells += [0] * (16 - len(cells))
        rng.shuffle(cells)
        problem = ShoverProblem.of_map(Map(np.array(cells, np.int8).reshape(4, 4)), rules)
        best = breadth_first(problem, Budget(expansions=300))
        if best.status == "solved":
            solved += 1
            for place, position in enumerate(best.states):
                assert problem.heuristic(position) <= len(best.actions) - place
            assert astar(problem, Budget(expansions=600)).cost == best.cost
        elif best.status == "no solution":
            assert astar(problem).status == "no solution"
    assert solved >= 4


def test_rbfs_finds_a_plan_of_the_same_cost_as_astar():
    problem = ShoverProblem.of_map(Map.parse(". . . . .\n. B . B .\n. . . . ."), "phase2")
    assert rbfs(problem).cost == astar(problem).cost == 4
