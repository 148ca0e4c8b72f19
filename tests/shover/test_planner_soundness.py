"""Tests of the soundness of the planner: regression tests for wrong claims, and randomised tests of single searches.

test_planner.py compares whole plans with an exhaustive search. The tests here do the same for single searches: from the
middle of a game, with arbitrary rules, small tables, narrow widths and all kinds of limits.
"""

import random

import numpy as np
import pytest

from shoverworld import Map, Rules, ShoverWorldEnv, solve
from shoverworld.games.shover.planner.expansion import STAMINA, STEPS
from shoverworld.games.shover.planner.heuristic import FOR_STAMINA, FOR_STEPS
from shoverworld.games.shover.planner.keys import ENTRY
from shoverworld.games.shover.planner.searcher import Searcher
from tests.oracles.shover_exhaustive import OracleBoard, exhaustive
from tests.oracles.small_boards import blocked, floor, loosened, place_shover, scatter, turned


def test_a_map_with_more_boxes_than_its_squares_can_contain_is_solved():
    """Twelve boxes would be enough for three squares, but a 3 x 5 map has space for only two."""
    plan = solve(Map.parse("BBBBB\nBBBBB\nBB..A"), Rules(edge="lava", max_timestep=30), time_limit=0.2)
    assert plan.status == "solved"


def test_the_largest_step_limit_and_square_age_require_little_memory():
    """The memory that a search needs depends on the length of the plan, not on the maximum number of steps."""
    longest = 2**31 - 1
    plan = solve(Map.parse("AB.L"), Rules(max_timestep=longest, perf_sq_initial_age=longest), memory_limit=16)
    assert (plan.steps, plan.proved_optimal) == (2, True)
    walled = solve(Map.parse("AB.\n..."), Rules(max_timestep=longest), memory_limit=16)
    assert walled.status == "unsolvable"


@pytest.mark.parametrize(
    ("board", "steps"), [("......\n..BB..\nB.BBA.\n......", 5), (".......\n...BB..\n.B.BBA.\n.......", 6)]
)
@pytest.mark.parametrize("order", ["action_first", "squares_first"])
def test_a_walker_without_a_no_op_can_wait_in_open_space(board, steps, order):
    """The square is in the walker's path and dissolves in one step.

    Stepping aside and back takes two steps. An invalid special takes only one step, so the walker waits by playing one.
    """
    rules = Rules.preset("walker", noop=False, edge="lava", perf_sq_initial_age=1, max_timestep=steps, order=order)
    assert exhaustive(board, rules).steps == steps
    plan = solve(Map.parse(board), rules)
    assert (plan.status, plan.steps, plan.proved_optimal) == ("solved", steps, True)


LARGE = Map.parse("\n".join(["BB." * 32 + ".", "BB." * 32 + "L", "." * 97] * 32))


def test_the_clock_is_checked_after_fewer_moves_on_a_large_map():
    """A move on a large map takes longer, so fewer moves are tried between two calls to `stop`."""
    env = ShoverWorldEnv()
    env.reset(options={"map": LARGE.with_start()})
    start = env.get_state()
    searcher = Searcher(start, env.rules.numbers(), 32 << 20)
    searcher.search(start, 8, STEPS, 400, -np.inf, FOR_STEPS[0], False, lambda: True)
    assert 0 < searcher.tried * start.board.shape[1] <= 2**22


def test_a_time_limit_of_zero_is_respected_on_a_large_map(monkeypatch):
    """The warm-up that compiles the kernels must not be a full search."""
    tried, good = [], Searcher.search

    def counted(self, *arguments):
        before = self.tried
        outcome = good(self, *arguments)
        tried.append(self.tried - before)
        return outcome

    monkeypatch.setattr(Searcher, "search", counted)
    assert solve(LARGE, Rules(perf_sq_initial_age=2), time_limit=0).status == "unknown"
    assert max(tried) <= 4 * 4 * 32 * 32 + 8  # the moves of one position


@pytest.mark.parametrize("age", [2, 4, 6])
def test_waiting_while_a_square_ages_is_not_mistaken_for_a_repeated_position(age):
    """Only waiting helps: barriers would block the path, and there is not enough stamina to push the square.

    While a square ages, an unchanged board is not a repeated position.
    """
    board = "B..BBL\n#A.BB#"
    rules = Rules(initial_force=0, step_cost=0, initial_stamina=41, perf_sq_initial_age=age, max_timestep=20)
    assert exhaustive(board, rules).steps == age + 4
    plan = solve(Map.parse(board), rules)
    assert (plan.status, plan.steps, plan.proved_optimal) == ("solved", age + 4, True)


@pytest.mark.parametrize("preset", ["milestone1", "walker", "phase2"])
@pytest.mark.parametrize("objective", ["steps", "stamina"])
def test_plans_are_optimal_if_pushes_incur_the_step_cost(preset, objective):
    """Here the cheapest plan has fewer pushes: two turns from rest cost less than six steps straight ahead."""
    board = "A.B....L\n........\n..L....."
    rules = Rules.preset(preset, step_cost=20, push_pays_step_cost=True, initial_stamina=400, max_timestep=12)
    answer = exhaustive(board, rules)
    plan = solve(Map.parse(board), rules, objective)
    assert plan.status == "solved"
    assert plan.proved_optimal
    assert (plan.steps if objective == "steps" else plan.final_stamina) == (
        answer.steps if objective == "steps" else answer.stamina
    )


def test_the_stamina_bound_holds_despite_rounding():
    """The barrier maker adds 4 * 0.3 at once, which is more than adding 0.3 four times."""
    rules = Rules(step_cost=0, barrier_stamina=0.3)
    plan = solve(Map.parse("BBA\nBB."), rules)
    assert plan.final_stamina == 1000 + 0.3 * 4 <= plan.stamina_bound


def test_the_proven_maximum_stamina_is_exact_to_the_last_digit():
    """Rounding depends on the order of the pushes: the final stamina is 4.500000000000002 or 4.5."""
    rules = Rules(
        step_cost=0.1, initial_force=0.3, unit_force=0.1, stationary="last_push", initial_stamina=4.5, max_timestep=6
    )
    plan = solve(Map.parse("L.BB\nLBA."), rules, "stamina")
    assert plan.final_stamina == 4.500000000000002
    assert plan.final_stamina <= plan.stamina_bound


# ---------------------------------------------------------------- arbitrary rules and boards

WORDS = {
    "actor": ("leap", "walk", "select"),
    "edge": ("wall", "wall", "lava"),
    "stationary": ("contact", "front", "last_push"),
    "pick": ("oldest", "smallest"),
    "order": ("action_first", "squares_first"),
    "hellify": ("interior", "whole"),
    "noop": (True, False),
    "step_cost": (0, 1, 0.5, 20),
    "push_pays_step_cost": (False, True),
    "initial_force": (0, 1, 5, 40, 100),
    "unit_force": (0, 0.25, 2, 10),
    "barrier_stamina": (0, 1, 39, 60, 100),
    "perf_sq_initial_age": (0, 1, 1, 2, 3, 5, 10, 2**31 - 1),
    "initial_stamina": (0.5, 5, 20, 41, 60, 100, 300, 10**6),
}


def any_rules(rng):
    chosen = {name: rng.choice(values) for name, values in WORDS.items()}
    return Rules(**chosen, max_timestep=rng.randint(2, 12) * (2 if chosen["actor"] == "walk" else 1))


def any_board(rng):
    """Return a board with loose boxes, or with a 2 x 2 or 3 x 3 block and perhaps more boxes."""
    kind = rng.choice((0, 2, 2, 3))
    rows, cols = rng.choice(((3, 4), (3, 5), (4, 4), (4, 5)))
    cells = blocked(rng, rows, cols, kind) if kind else floor(rows, cols)
    if kind and rng.random() < 0.5:
        cells = loosened(rng, cells)
    boxes = rng.choice((0, 1, 1, 2, 4)) if kind else rng.randint(1, 6)
    scatter(rng, cells, lava=rng.choice((0, 0, 1)), barriers=rng.choice((0, 0, 1, 2)), boxes=boxes)
    cells = turned(rng, cells)
    place_shover(rng, cells)
    return "\n".join(map("".join, cells))


def play_at_random(rng, env, steps):
    rules = env.rules
    while steps > 0 and env.outcome is None:
        boxes = np.argwhere((env.get_state().grid()[0] > 0) & (env.get_state().grid()[0] < 100)).tolist()
        row, col = rng.choice(boxes) if rng.random() < 0.8 else (0, 0)
        env.step((row, col, rules.first_z + rng.randrange(rules.z_count)))
        steps -= 1


def oracle_state(dock, state):
    """Convert a state to the representation that the exhaustive search uses."""
    game, width = state.game[0], state.width
    here = [(cell // width - 1) * dock.cols + cell % width - 1 for cell in range(state.board.shape[1])]
    symbols = state.grid()[0].ravel().tolist()
    boxes, lava, barriers = (
        sum(1 << i for i, s in enumerate(symbols) if low <= s <= high)
        for low, high in ((1, 10), (-100, -100), (100, 100))
    )
    moving, heading = 0, -1
    if dock.marks:
        forward = (-width, 1, width, -1)[game.moving_direction]
        moving = boxes & sum(1 << here[game.moving_cell + k * forward] for k in range(game.moving))
        heading = int(game.moving_direction) if moving else -1
    if dock.remembers:
        heading = int(game.last_push)
    listed = state.squares[0, : game.squares]
    squares = sorted((int(s.corner), int(s.n), int(game.timestep - s.born)) for s in listed)
    shover = int(game.row * dock.cols + game.col) if dock.rules.actor == "walk" else -1
    return boxes, lava, barriers, moving, heading, tuple((n, here[c], age) for c, n, age in squares), shover


def truth(dock, state, budget=2500):
    """Like `exhaustive`, return the fewest remaining steps and the highest stamina, but from the middle of a game.

    (None, None) means that the game cannot be cleared; None means that the budget was exceeded.
    """
    start, game = oracle_state(dock, state), state.game[0]
    layer = {start: float(game.stamina)}
    best, fewest, most = dict(layer), None, None
    for step in range(1, dock.rules.max_timestep - int(game.timestep) + 1):
        next_layer = {}
        budget -= len(layer)
        if budget < 0:
            return None
        for before, stamina in layer.items():
            for _, _, gain, child in dock.steps(before):
                left = stamina + gain
                if not child[0]:
                    fewest = fewest or step
                    most = left if most is None else max(most, left)
                elif left > best.get(child, 0):
                    best[child] = next_layer[child] = left
        layer = next_layer
    return fewest, most


def squeezed(rng, searcher):
    """Shrink the table and other limits of the searcher. The search remembers less, but its claims must still hold."""
    searcher.table = np.zeros(rng.choice((1, 16, 64, 1 << 14)), ENTRY)
    searcher.max_entries = rng.choice((16, 64, 1 << 15))
    searcher.most_children = 2 * searcher._most_moves + rng.choice((0, 5, 200, 5000))


def check_search(rng, searcher, env, state, fewest, most):
    """Run one search with random settings and check its result. Return whether the search claims to be complete."""
    begun, end = int(state.game[0].timestep), env.rules.max_timestep
    objective = rng.choice((STEPS, STAMINA))
    limit, least = end, -np.inf
    if objective == STEPS and rng.random() < 0.5:
        limit = min(end, begun + (fewest or 4) + rng.choice((-1, 0, 0, 1)))
    if objective == STAMINA and most is not None and rng.random() < 0.5:
        least = most - rng.choice((0, 0.25, 10))
    width, careful = rng.choice((1, 3, 20, 200, 5000)), rng.random() < 0.6
    weights = rng.choice(FOR_STEPS + FOR_STAMINA)
    found, complete = searcher.search(state, width, objective, limit, least, weights, careful, lambda: False)
    if found is not None:
        env.set_state(state)
        for action in searcher.actions(found.moves):
            info = env.step(action)[4]
        assert (info["outcome"], info["timestep"], info["stamina"]) == ("cleared", found.steps, found.stamina)
        assert fewest is not None and begun + fewest <= found.steps <= limit
        assert least < found.stamina <= most
    if complete and objective == STEPS:
        assert (found is not None) == (fewest is not None and begun + fewest <= limit)
        assert found is None or fewest is None or found.steps == begun + fewest
    if complete and objective == STAMINA:
        assert (found is not None) == (most is not None and most > least)
        assert found is None or found.stamina == most
    return complete


@pytest.mark.parametrize("seed", range(4))
def test_bounds_and_complete_searches_are_sound_for_arbitrary_rules(seed):
    rng = random.Random(f"soundness {seed}")
    games = complete = begun = 0
    while games < 45:
        board, rules = any_board(rng), any_rules(rng)
        env = ShoverWorldEnv(rules=rules)
        env.reset(options={"map": Map.parse(board)})
        if "B" not in board:
            continue
        play_at_random(rng, env, rng.choice((0, 0, 2, 5)))
        state = env.get_state()
        true = None if env.outcome else truth(OracleBoard(board, rules), state)
        if true is None:
            continue
        games += 1
        begun += state.game[0].timestep > 0
        fewest, most = true
        searcher = Searcher(state, rules.numbers(), 8 << 20)
        stuck, lower, highest = searcher.bounds()
        assert fewest is None or most is None or (not stuck and lower <= fewest and highest >= most), (board, rules)
        for _ in range(4):
            squeezed(rng, searcher)
            complete += check_search(rng, searcher, env, state, fewest, most)
    assert complete > 90 and begun > 8
