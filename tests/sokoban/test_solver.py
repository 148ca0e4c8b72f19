"""The Sokoban solver: its results compared with an exhaustive search, its parts, limits and errors."""

import random
from collections import Counter

import numpy as np
import pytest

from shoverworld.core.errors import ConfigError
from shoverworld.core.jit import kernel
from shoverworld.core.plan import PlanError
from shoverworld.games.sokoban.levels import Level
from shoverworld.games.sokoban.solver import SokobanPlan, solve
from shoverworld.games.sokoban.solver.freeze import BOX, EMPTY, WALL, freezes
from shoverworld.games.sokoban.solver.matching import match_all, new_matching, rematch
from shoverworld.games.sokoban.solver.tables import FAR, build_tables
from tests.oracles.sokoban_exhaustive import exhaustive
from tests.paths import ROOT

from .solver_truth import VARIANTS, compare

DATA = ROOT.parent / "shared" / "data" / "sokoban"
LONG = 120.0  # seconds; never reached, because the boards are small


def board(seed: int) -> str:
    """Return a random room of up to 5 x 5 cells with one to four boxes."""
    rng = random.Random(seed)
    while True:
        rows, cols = rng.randint(3, 5), rng.randint(3, 5)
        inside = [(row, col) for row in range(1, rows + 1) for col in range(1, cols + 1)]
        walls = set(rng.sample(inside, rng.randint(0, len(inside) // 4)))
        free = [cell for cell in inside if cell not in walls]
        n = rng.choice((1, 2, 2, 3, 3, 4))
        if len(free) >= 2 * n + 2:
            break
    letters = {(row, col): "#" for row in range(rows + 2) for col in range(cols + 2)} | dict.fromkeys(free, " ")
    # If possible, put boxes away from the walls, so that more boards are solvable.
    open_cells = [cell for cell in free if 1 < cell[0] < rows and 1 < cell[1] < cols]
    boxes = rng.sample(open_cells if len(open_cells) >= n and rng.random() < 0.7 else free, n)
    for cell in boxes:
        letters[cell] = "$"
    for cell in rng.sample(free, n):
        letters[cell] = "*" if letters[cell] == "$" else "."
    player = rng.choice([cell for cell in free if cell not in boxes])
    letters[player] = "+" if letters[player] == "." else "@"
    return "\n".join("".join(letters[row, col] for col in range(cols + 2)) for row in range(rows + 2))


def numbered(drawing: str) -> Level:
    """Return the board with fixed targets; boxes and targets are numbered row by row."""
    level = Level.parse(drawing)
    tables = []
    for table in (level.targets, level.boxes):
        table = table.copy()
        table[table > 0] = np.arange(1, level.box_count + 1)
        tables.append(table)
    return Level(level.walls, tables[0], tables[1], level.players)


# ---------------------------------------------------------------- correctness


@pytest.mark.parametrize("part", range(4))
def test_results_agree_with_an_exhaustive_search(part):
    """Each of the four parts compares 50 boards. No pruning rule may discard every best solution."""
    solvable = 0
    for seed in range(50 * part, 50 * part + 50):
        drawing = board(seed)
        truth, level = exhaustive(drawing), Level.parse(drawing)
        solvable += truth.solvable
        for objective in ("pushes", "moves", "any"):
            plan = solve(level, objective, LONG)
            assert plan.status == ("solved" if truth.solvable else "unsolvable"), f"{seed} {objective}\n{drawing}"
            if truth.solvable:
                plan.check(level)
                least = {"pushes": plan.pushes, "moves": plan.moves, "any": plan.lower_bound}[objective]
                fewest = {"pushes": truth.pushes, "moves": truth.moves, "any": plan.lower_bound}[objective]
                assert least == fewest, f"{seed} {objective}\n{drawing}"
                assert plan.proved_optimal == (objective != "any")
                assert plan.lower_bound <= fewest
    assert 10 <= solvable <= 45  # solvable and unsolvable boards must both be common


def test_results_with_fixed_targets_agree_with_an_exhaustive_search():
    solvable = 0
    for seed in range(80):
        drawing = board(seed)
        if sum(map(drawing.count, "$*")) > 3:  # the exhaustive search would take too long
            continue
        truth = exhaustive(drawing, fixed=True)
        solvable += truth.solvable
        for objective in ("pushes", "moves"):
            plan = solve(numbered(drawing), objective, LONG)
            assert plan.status == ("solved" if truth.solvable else "unsolvable"), f"{seed}\n{drawing}"
            assert not truth.solvable or getattr(plan, objective) == getattr(truth, objective), f"{seed}\n{drawing}"
    assert 8 <= solvable <= 52


def test_an_already_solved_board_needs_no_actions():
    plan = solve(Level.parse("#####\n#@ *#\n#####"))
    assert (plan.status, plan.lurd, plan.proved_optimal, plan.pushes) == ("solved", "", True, 0)


def test_the_fewest_pushes_and_the_fewest_moves_can_require_different_solutions():
    """On some boards, a solution with fewer pushes needs more moves, so the two objectives have different solutions."""
    differ = 0
    for seed in range(200):
        level = Level.parse(board(seed))
        by_pushes, by_moves = solve(level, "pushes", LONG), solve(level, "moves", LONG)
        assert by_moves.moves <= by_pushes.moves and by_pushes.pushes <= by_moves.pushes
        differ += by_moves.pushes > by_pushes.pushes
    assert differ > 0


# ---------------------------------------------------------------- parts


@kernel
def compiled_freezes(tables, board, cells, pushed):
    return freezes(tables, board, cells, pushed)


@kernel
def compiled_match_all(matching, distance, cells):
    return match_all(matching, distance, cells)


@kernel
def compiled_rematch(matching, old, distance, cells, box):
    return rematch(matching, old, distance, cells, box)


def frozen(drawing: str, cell: tuple[int, int]) -> bool:
    level = Level.parse(drawing)
    tables = build_tables(level.walls, level.targets)
    work = np.where(tables.wall, WALL, EMPTY).astype(np.uint8)
    cells = np.flatnonzero(np.pad(level.boxes, 1).reshape(-1))
    work[cells] = BOX
    answer = compiled_freezes(tables, work, cells, (cell[0] + 1) * tables.width + cell[1] + 1)
    assert (work[cells] == BOX).all()  # the board is unchanged
    return bool(answer)


def test_boxes_that_block_each_other_are_frozen():
    square = """
#######
#@    #
# $$  #
# $$  #
# ....#
#######"""
    assert frozen(square, (2, 2)) and frozen(square, (3, 3))
    along_a_wall = """
#######
#  $$ #
#@    #
#  .. #
#######"""
    assert frozen(along_a_wall, (1, 3))


def test_movable_boxes_and_boxes_on_targets_are_not_frozen():
    home = """
#######
#@ ** #
#     #
#######"""
    assert not frozen(home, (1, 3))
    loose = """
########
#      #
#  $$@ #
#  $   #
#  ... #
########"""
    assert not frozen(loose, (2, 3))


def test_distances_account_for_the_cells_that_the_player_can_reach():
    level = Level.parse("########\n#.  $ @#\n########")
    tables = build_tables(level.walls, level.targets)
    row = tables.distance[2 * tables.width :, 0][: tables.width]
    assert row[2:7].tolist() == [0, 1, 2, 3, 4]
    assert row[7] == FAR  # at the end of the corridor the player cannot get behind the box


def test_updating_a_matching_gives_the_same_cost_as_computing_it_from_scratch():
    """Compare both costs with the minimum over all permutations; some targets cannot be reached from every cell."""
    from itertools import permutations

    rng = np.random.default_rng(5)
    for n in (1, 2, 3, 4, 5):
        for _ in range(20):
            distance = rng.integers(0, 12, (9, n)).astype(np.int32)
            distance[rng.random((9, n)) < 0.2] = FAR
            cells = rng.choice(9, n).astype(np.int64)
            first, updated = new_matching(n), new_matching(n)

            def least(cells, distance=distance, n=n):
                return min(
                    min(FAR, sum(int(distance[cells[i], order[i]]) for i in range(n)))
                    for order in permutations(range(n))
                )

            assert compiled_match_all(first, distance, cells) == least(cells)
            for box in range(n):
                moved = cells.copy()
                moved[box] = rng.integers(9)
                assert compiled_rematch(updated, first, distance, moved, box + 1) == least(moved)


# ---------------------------------------------------------------- limits and errors

# Without preprocessing and pairs, the solver does not detect that the player can never reach the box on the right, and the other
# boxes have billions of positions.
HARD = numbered("""
################
#            ###
# $ $ $ $ $  ###
#            ###
#  $ $ $ $ $ ###
#      @     ###
#.. . . . .. # #
#   .  .  .  #$#
##############.#
################""")


def test_a_search_with_a_time_limit_of_zero_returns_unknown():
    plan = solve(HARD, time_limit=0, without=["preprocessing", "pairs"])
    assert (plan.status, plan.stopped_by, plan.proved_optimal) == ("unknown", "time", False)
    assert plan.lower_bound > 0


@pytest.mark.parametrize("objective", ["pushes", "moves", "any"])
def test_the_memory_limit_stops_the_search(objective):
    plan = solve(HARD, objective, LONG, memory_limit=8, without=["preprocessing", "pairs"])
    assert (plan.status, plan.stopped_by, plan.lurd) == ("unknown", "memory", "")


def test_the_progress_callback_can_stop_the_search():
    reports = []

    def enough(plan):
        reports.append(plan)
        return True

    plan = solve(HARD, "moves", LONG, progress=enough, without=["preprocessing", "pairs"])
    assert (plan.stopped_by, plan.status, len(reports)) == ("progress", "unknown", 1)


def test_invalid_arguments_raise_an_error():
    level = Level.parse("######\n#@ $.#\n######")
    with pytest.raises(ConfigError, match="pushes"):
        solve(level, "steps")
    with pytest.raises(ConfigError, match="time_limit"):
        solve(level, time_limit=-1)
    with pytest.raises(ConfigError, match="takes a Level"):
        solve("######\n#@ $.#\n######")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="2 players"):
        solve(Level(level.walls, level.targets, level.boxes, ((1, 1), (1, 2))))


def test_verifying_a_plan_that_does_not_solve_the_level_raises_plan_error():
    level = Level.parse("######\n#@ $.#\n######")
    SokobanPlan.from_lurd("rR").check(level)
    for wrong in ("r", "rr", "RR", "rRR", "u", "lR"):
        with pytest.raises(PlanError):
            SokobanPlan.from_lurd(wrong).check(level)


def test_plans_can_be_played_in_the_environment():
    from shoverworld.games.sokoban.env import SokobanEnv

    played = 0
    for seed in range(100):
        level = Level.parse(board(seed))
        for objective in ("pushes", "moves", "any"):
            env = SokobanEnv(level, max_steps=500)
            env.reset(seed=0)
            plan = solve(level, objective, LONG)
            plan.verify(env)
            played += plan.moves
    assert played > 500
    level = Level.parse("######\n#@ $.#\n######")
    for wrong in ("r", "rRr"):
        env = SokobanEnv(level)
        env.reset(seed=0)
        with pytest.raises(PlanError):
            SokobanPlan.from_lurd(wrong).verify(env)


# ---------------------------------------------------------------- known levels


@pytest.mark.skipif(not DATA.is_dir(), reason="the shared levels are not available")
def test_boxoban_levels_are_solved_optimally():
    from shoverworld.games.sokoban.formats import read_levels

    for name in ("unfiltered", "medium"):
        for level in list(read_levels(DATA / "boxoban" / name / "valid" / "000.txt"))[:40]:
            plan = solve(level, "pushes", LONG)
            assert plan.status == "solved" and plan.proved_optimal


# ---------------------------------------------------------------- all variants


def test_small_levels_of_every_variant_agree_with_an_exhaustive_search():
    """`python -m tests.sokoban.solver_truth 20000` compares more levels."""
    counts = Counter(compare(seed) for seed in range(150))
    assert min(counts.values()) > 2 and len(counts) == 2 * len(set(VARIANTS)), counts
