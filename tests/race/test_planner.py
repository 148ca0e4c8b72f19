"""The race planner: its plans compared with a plain breadth-first search, its parts, limits and errors."""

from itertools import product

import numpy as np
import pytest

from shoverworld.core.errors import ConfigError
from shoverworld.core.jit import kernel
from shoverworld.core.plan import PlanError
from shoverworld.games.race.config import FINISHES, LINES
from shoverworld.games.race.env import RaceEnv
from shoverworld.games.race.generate import random_track
from shoverworld.games.race.lines import clear_line, passes_finish
from shoverworld.games.race.planner import OutOfMemory, OutOfTime, RacePlan, Values, fewest, solve
from shoverworld.games.race.planner.bitboard import build_bitboard, greatest_speed
from shoverworld.games.race.planner.moves import compute_move, line_constraints, max_constraints, new_moves
from shoverworld.games.race.tracks import Track, bundled, bundled_names
from tests.oracles.race_bfs import fewest_moves
from tests.oracles.race_twin import LINES as GATES
from tests.paths import ROOT

DATA = ROOT.parent / "shared" / "data" / "race"
BOTH = list(product(LINES, FINISHES))


def verified(plan: RacePlan, track: Track, line: str, finish: str) -> RacePlan:
    """Verify a plan by playing it in the environment, and return the plan."""
    env = RaceEnv(track, line=line, finish=finish, max_rounds=10_000)
    env.reset(seed=0, options={"starts": [plan.start]})
    plan.verify(env)
    car = env.cars[0]
    assert (car.col, car.row, car.steps, car.penalties) == (*plan.positions[-1], plan.steps, 0)
    return plan


def random_board(seed: int) -> Track:
    """Return a small board with many holes. The finish may be unreachable from some start cells."""
    rng = np.random.default_rng(seed)
    while True:
        cells = np.where(rng.random(rng.integers(3, 11, 2)) < rng.choice([0.1, 0.3, 0.6]), -1, 0)
        free = rng.permutation(np.flatnonzero(cells == 0))
        if len(free) >= 6:
            cells.flat[free[:3]], cells.flat[free[3 : 3 + rng.integers(1, 4)]] = 1, 100
            try:
                return Track(cells)
            except ValueError:  # the finish is unreachable from every start cell
                continue


# ---------------------------------------------------------------- correctness


@pytest.mark.parametrize(("name", "moves"), [("straight", 7), ("small1", 32), ("large1", 72)])
def test_known_tracks_are_solved_optimally(name, moves):
    path = DATA / f"{name}.txt"
    if not path.exists():
        pytest.skip("the shared tracks are not available")
    track = Track.read(path)
    plan = verified(solve(track, line="valid_line"), track, "valid_line", "land")
    assert (plan.steps, plan.lower_bound, plan.proved_optimal, plan.status) == (moves, moves, True, "solved")
    assert min(fewest(track).values()) == moves


@pytest.mark.parametrize("name", bundled_names())
def test_plans_for_bundled_tracks_agree_with_a_plain_search(name):
    track = bundled(name)
    others = (
        [("supercover", "cross"), ("landing", "land")] if track.cells.size < 5000 else []
    )  # plain searches are slow
    for line, finish in [("valid_line", "land"), *others]:
        plan = verified(solve(track, line=line, finish=finish), track, line, finish)
        assert plan.steps == fewest_moves(track.cells.tolist(), None, line, finish)
        assert min(fewest(track, line, finish).values()) == plan.steps


@pytest.mark.parametrize("part", range(4))
def test_plans_for_random_tracks_agree_with_a_plain_search(part):
    """Each of the four parts compares 50 tracks. The line rule and the finish rule vary from track to track."""
    for seed in range(50 * part, 50 * part + 50):
        track = random_track(seed, closed=seed % 3 == 0, rows=14 + seed % 7, cols=16 + seed % 9, width=2 + seed % 3)
        line, finish = BOTH[seed % len(BOTH)]
        plan = verified(solve(track, line=line, finish=finish), track, line, finish)
        assert plan.steps == fewest_moves(track.cells.tolist(), None, line, finish), f"{seed}\n{track}"
        assert plan.proved_optimal and plan.lower_bound == plan.steps


@pytest.mark.parametrize(("line", "finish"), BOTH)
def test_plans_from_every_start_cell_agree_with_a_plain_search(line, finish):
    """The boards are full of holes, so speed and line rules matter, and some start cells have no path to the finish."""
    cut_off = 0
    for seed in range(60):
        track = random_board(seed)
        cells, answers = track.cells.tolist(), fewest(track, line, finish)
        for start in track.starts:
            moves = fewest_moves(cells, [start], line, finish)
            plan = solve(track, start, line, finish)
            assert answers.get(start) == moves, f"{seed} {start}\n{track}"
            assert plan.status == ("unsolvable" if moves is None else "solved")
            assert plan.proved_optimal == (moves is not None) and plan.stopped_by == "proof"
            if moves is None:
                cut_off += 1
                assert plan.actions == plan.positions == []
            else:
                assert plan.steps == moves and plan.start == start
                verified(plan, track, line, finish)
    assert cut_off >= 5 or line == "landing"


def reachable(track: Track, line: str) -> set[tuple[int, int, int, int]]:
    """Return all states that a car can reach if it starts at rest on any cell."""
    cells = {(x, y) for y, x in np.argwhere(track.cells != -1).tolist()}
    states = [(x, y, 0, 0) for x, y in cells if track.cells[y, x] != 100]
    met = set(states)
    for x, y, vx, vy in states:
        for dx, dy in product(range(vx - 1, vx + 2), range(vy - 1, vy + 2)):
            to = (x + dx, y + dy)
            clear = all(any((x + a, y + b) in cells for a, b in gate) for gate in GATES[line](dx, dy))
            if to in cells and clear and track.cells[to[1], to[0]] != 100 and (*to, dx, dy) not in met:
                met.add((*to, dx, dy))
                states.append((*to, dx, dy))
    return met


@pytest.mark.parametrize(("line", "finish"), BOTH)
def test_the_values_agree_with_a_search_from_each_state(line, finish):
    for seed in range(3):
        track = random_board(100 + seed)
        values, states = Values(track, line, finish), reachable(track, line)
        for x, y, dx, dy in states:
            plan = solve(track, (x, y), line, finish, velocity=(dx, dy))
            assert values.moves((x, y), (dx, dy)) == (plan.steps or None), f"{(x, y)} {(dx, dy)}\n{track}"
        assert len(states) > 50
        for cell in track.finishes:
            assert values.moves(cell) is None


def test_the_value_of_an_impossible_state_is_none():
    values = Values(Track.parse("SS.F\n####"))
    assert values.moves((2, 0)) == 1 and values.moves((0, 0)) == 2
    for cell, velocity in [((0, 1), (0, 0)), ((-1, 0), (0, 0)), ((4, 0), (0, 0)), ((0, 0), (9, 0)), ((0, 0), (0, 3))]:
        assert values.moves(cell, velocity) is None


def test_a_plan_can_start_with_a_moving_car():
    track = Track.parse("S.........F")
    assert solve(track).steps == 4
    assert solve(track, (1, 0), velocity=(1, 0)).steps == 3
    assert solve(track, (1, 0), velocity=(8, 0)).steps == 1
    assert solve(track, (1, 0), velocity=(30, 0)).status == "unsolvable"
    assert solve(track, (1, 0), velocity=(-1, 0)).positions[1] == (1, 0)  # the car must brake


def test_the_largest_tracks_are_solved():
    """One track has 1 x 1000 cells; the other has 40 x 1000 cells and a wall across it. Both allow high speeds."""
    cells = np.zeros((1, 1000), int)
    cells[0, 0], cells[0, -1] = 1, 100
    plan = solve(Track(cells))
    assert plan.steps == 45  # 1 + 2 + ... + 44 = 990, plus one more move of 9 cells
    cells = np.zeros((40, 1000), int)
    cells[0, 0], cells[39, 999] = 1, 100
    cells[:39, 500] = -1
    track = Track(cells)
    plan = verified(solve(track), track, "valid_line", "land")
    assert fewest(track) == {(0, 0): plan.steps}


def test_a_path_that_needs_more_than_the_initial_memory_is_found():
    """The search needs more memory for layers and moves than it allocates at first."""
    cells = np.full((61, 60), -1)
    cells[::2] = 0
    for row in range(1, 61, 2):
        cells[row, 59 if row % 4 == 1 else 0] = 0
    cells[0, 0], cells[60, 0 if 60 % 4 == 2 else 59] = 1, 100
    track = Track(cells)
    plan = verified(solve(track), track, "valid_line", "land")
    assert plan.steps == fewest_moves(cells.tolist())
    assert plan.steps > 400
    assert fewest(track)[0, 0] == plan.steps == Values(track).moves((0, 0))


# ---------------------------------------------------------------- parts


@kernel
def compiled_lines(cells, cols, row, col, to_row, to_col, kind, answers):
    answers[0] = clear_line(cells, cols, row, col, to_row, to_col, kind)
    answers[1] = passes_finish(cells, cols, row, col, to_row, to_col)


@kernel
def compiled_constraints(pitch, dx, dy, line, constraints):
    return line_constraints(pitch, dx, dy, line, constraints)


@kernel
def compiled_compute_move(board, moves, velocity):
    compute_move(board, moves, velocity)


@pytest.mark.parametrize(("line", "cross"), [(line, cross) for line in range(3) for cross in (False, True)])
def test_legal_moves_agree_with_the_rules(line, cross):
    """From every cell of a random board, compare every displacement up to the maximum speed with the line rules."""
    rng = np.random.default_rng(line)
    cells = rng.choice([-1, 0, 0, 0, 0, 0, 0, 0, 100], (23, 37)).astype(np.int8)
    board = build_bitboard(cells, line, cross)
    assert (board.fast_x, board.fast_y) == (8, 6)
    moves, answers, flat = new_moves(board), np.zeros(2, bool), cells.reshape(-1)
    found = np.zeros(2, int)
    for dy, dx in product(range(-6, 7), range(-8, 9)):
        velocity = board.velocity(dx, dy)
        compiled_compute_move(board, moves, velocity)
        planes = [
            np.unpackbits(plane[velocity].view(np.uint8), bitorder="little")
            for plane in (moves.continuing, moves.finishing)
        ]
        for row, col in product(range(23), range(37)):
            here, to = (row, col), (row + dy, col + dx)
            continues = finishes = False
            if 0 <= to[0] < 23 and 0 <= to[1] < 37 and cells[here] == 0 and cells[to] != -1:
                compiled_lines(flat, 37, *here, *to, line, answers)
                finishes = answers[0] and (answers[1] if cross else cells[to] == 100)
                continues = answers[0] and not finishes
            bit = board.bit(col, row)
            assert (planes[0][bit], planes[1][bit]) == (continues, finishes), f"{here} {to}"
            found += continues, finishes
    assert found.min() > 1000


def test_line_constraints_list_the_required_cells():
    constraints = np.zeros((max_constraints(4, 2), 2), np.int64)
    assert compiled_constraints(100, 4, 2, 0, constraints) == 5  # the landing cell, three columns and one row
    assert constraints[:5].tolist() == [[204, 204], [1, 101], [102, 102], [103, 203], [102, 102]]
    assert compiled_constraints(100, 4, 2, 2, constraints) == 1


@pytest.mark.parametrize(
    ("room", "speed", "fastest"), [(0, 0, 0), (1, 0, 1), (5, 0, 2), (6, 0, 3), (499, 0, 31), (5, 4, 5), (3, 9, 9)]
)
def test_the_maximum_speed_depends_on_the_available_cells_and_the_current_speed(room, speed, fastest):
    assert greatest_speed(room, speed) == fastest


# ---------------------------------------------------------------- limits and errors


def wide_open() -> Track:
    cells = np.zeros((200, 200), int)
    cells[0, 0], cells[-1, -1] = 1, 100
    return Track(cells)


def test_a_search_with_a_time_limit_of_zero_returns_unknown():
    plan = solve(wide_open(), time_limit=0)
    assert (plan.status, plan.stopped_by, plan.proved_optimal, plan.lower_bound) == ("unknown", "time", False, 1)
    with pytest.raises(OutOfTime):
        fewest(wide_open(), time_limit=0)


def test_the_memory_limit_stops_the_search():
    plan = solve(wide_open(), memory_limit=2)
    assert (plan.status, plan.stopped_by, plan.positions) == ("unknown", "memory", [])
    assert 1 < plan.lower_bound <= 20
    with pytest.raises(OutOfMemory, match="memory_limit of 2 MB"):
        fewest(wide_open(), memory_limit=2)
    with pytest.raises(OutOfMemory):  # the memory of the value table also counts
        Values(wide_open(), memory_limit=100)


def test_the_progress_callback_can_stop_the_search(monkeypatch):
    monkeypatch.setattr("shoverworld.games.race.planner.solver._TELL_EVERY", 0.0)
    reports = []

    def enough(plan):
        reports.append(plan)
        return len(reports) == 3

    plan = solve(wide_open(), progress=enough)
    assert (plan.stopped_by, plan.status, len(reports)) == ("progress", "unknown", 3)
    assert [p.lower_bound for p in reports] == sorted(p.lower_bound for p in reports)


def test_verifying_a_plan_that_does_not_finish_raises_plan_error():
    track = Track.parse("S....F")
    for actions, what in [([5, 5], "expected finished"), ([3, 5, 5], "expected finished"), ([5, 5, 4, 4], "is over")]:
        env = RaceEnv(track)
        env.reset(seed=0)
        with pytest.raises(PlanError, match=what):
            RacePlan("solved", actions=actions).verify(env)


def test_checking_a_plan_that_breaks_the_rules_raises_plan_error():
    track = Track.parse("S...F\n.#...\n.....")
    plan = solve(track)
    plan.check(track)
    good = {"actions": plan.actions, "positions": plan.positions}
    for wrong in (
        {"positions": plan.positions[:-1], "actions": plan.actions[:-1]},  # the plan stops before the finish
        {"positions": [(0, 0), (1, 1), (2, 2)], "actions": [8, 4]},  # the plan crosses cells off the track
        {"positions": [(0, 0), (3, 0), (4, 0)]},  # the positions do not match the actions
        {"positions": [], "actions": []},
        {"actions": [4] * plan.steps},
    ):
        with pytest.raises(PlanError):
            RacePlan("solved", **{**good, **wrong}).check(track)
    with pytest.raises(PlanError, match="move 2"):
        RacePlan("solved", actions=[7, 8], positions=[(0, 0), (0, 1), (1, 3)]).check(track)
    far = Track.parse("S..F..F")
    RacePlan("solved", actions=[5, 5], positions=[(0, 0), (1, 0), (3, 0)]).check(far)
    with pytest.raises(PlanError, match="move 3"):  # the plan continues after the car has crossed a finish cell
        RacePlan("solved", actions=[5, 4, 5, 4], positions=[(0, 0), (1, 0), (2, 0), (4, 0), (6, 0)]).check(
            far, finish="cross"
        )


def test_invalid_arguments_raise_an_error():
    track = Track.parse("S..F\n..##")
    for keywords, what in [
        ({"line": "straight"}, "valid_line"),
        ({"finish": "touch"}, "cross"),
        ({"time_limit": -1}, "time_limit"),
        ({"memory_limit": 0}, "memory_limit"),
        ({"start": (2, 1)}, "off the track"),
        ({"start": (3, 0)}, "a finish cell"),
        ({"start": (4, 0)}, "outside the board of 4 columns and 2 rows"),
        ({"start": 7}, "two integers"),
        ({"start": (0.5, 0)}, "two integers"),
        ({"velocity": (1, 0)}, "also pass the start cell"),
        ({"start": (0, 0), "velocity": "fast"}, "two integers"),
    ]:
        with pytest.raises(ConfigError, match=what):
            solve(track, **keywords)
    with pytest.raises(ConfigError, match="takes a Track"):
        solve("S..F")  # type: ignore[arg-type]
