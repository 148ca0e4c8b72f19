"""Preprocessing, the switches and the memory of the Sokoban solver: what they change, and that no best solution is lost."""

import time

import numpy as np
import pytest

from shoverworld.core.errors import ConfigError
from shoverworld.games.sokoban.levels import Level
from shoverworld.games.sokoban.solver import solve
from shoverworld.games.sokoban.solver.fess import new_fess_workspace
from shoverworld.games.sokoban.solver.preprocess import framed, simplified
from shoverworld.games.sokoban.solver.satisficing import STRATEGIES, SatisficingSearch
from shoverworld.games.sokoban.solver.solver import SokobanSolver
from shoverworld.games.sokoban.solver.tables import bytes_of
from shoverworld.games.sokoban.solver.techniques import TECHNIQUES
from tests.oracles.sokoban_exhaustive import exhaustive

from .solver_boards import random_board, two_rooms

LONG = 120.0  # seconds; never reached, because the boards are small


def after_preprocessing(drawing: str) -> str | None:
    """Return the drawing after preprocessing, or None if the level has no solution."""
    level = Level.parse(drawing.strip("\n"))
    board = framed(level.walls, level.targets, level.boxes, level.players[0])
    if not simplified(board):
        return None
    letters = np.full(board.wall.shape, " ")
    letters[board.target > 0], letters[board.box > 0], letters[board.wall] = ".", "$", "#"
    letters[(board.target > 0) & (board.box > 0)] = "*"
    letters[board.player] = "@"
    return "\n" + "\n".join("".join(row) for row in letters.reshape(-1, board.width)[1:-1, 1:-1])


def test_dead_ends_become_walls():
    assert (
        after_preprocessing("""
#########
#@  #   #
# $   ###
#  .#   #
#########""")
        == """
#########
#@  #####
# $ #####
#  .#####
#########"""
    )


def test_a_dead_end_with_the_player_or_a_target_stays():
    drawing = "\n#######\n#@$  .#\n#######"
    assert after_preprocessing(drawing) == drawing


def test_a_box_that_can_never_be_pushed_becomes_a_wall():
    """The four boxes hold each other. Without them, there is a dead end below."""
    assert (
        after_preprocessing("""
#######
#**   #
#** $.#
#  @  #
#######""")
        == """
#######
###   #
### $.#
###@  #
#######"""
    )


def test_a_box_that_can_never_be_pulled_from_its_target_becomes_a_wall():
    """The player could push the box aside, but no box could ever be pushed to its target again."""
    assert (
        after_preprocessing("""
#######
#@ $ .#
#     #
## # ##
## * ##
#######""")
        == """
#######
#@ $ .#
#     #
#######
#######
#######"""
    )


def test_a_level_is_unsolvable_if_a_target_can_never_be_filled():
    """The target in the corridor would have to be filled from the side."""
    drawing = "#######\n#@ $  #\n#  # ##\n#### .#\n#######"
    assert after_preprocessing(drawing) is None
    plan = solve(Level.parse(drawing))
    assert (plan.status, plan.stopped_by, plan.expanded) == ("unsolvable", "proof", 0)


def test_a_level_in_which_all_boxes_become_walls_is_solved():
    plan = solve(Level.parse("#####\n#@ *#\n#####"))
    assert (plan.status, plan.lurd, plan.proved_optimal) == ("solved", "", True)


@pytest.mark.parametrize("part", range(4))
def test_levels_with_tunnels_and_dead_ends_agree_with_an_exhaustive_search(part):
    solvable = 0
    for seed in range(40 * part, 40 * part + 40):
        drawing = two_rooms(seed)
        truth, level = exhaustive(drawing), Level.parse(drawing)
        solvable += truth.solvable
        for objective in ("pushes", "moves"):
            plan = solve(level, objective, LONG)
            assert plan.status == ("solved" if truth.solvable else "unsolvable"), f"{seed} {objective}\n{drawing}"
            if truth.solvable:
                assert getattr(plan, objective) == getattr(truth, objective), f"{seed} {objective}\n{drawing}"
    assert 8 <= solvable <= 32


def test_every_technique_can_be_switched_off_without_a_change_of_the_result():
    for seed in range(12):
        drawing = two_rooms(seed) if seed % 2 else random_board(seed, 4, 4)
        truth, level = exhaustive(drawing), Level.parse(drawing)
        for technique in TECHNIQUES:
            plan = solve(level, "pushes", LONG, without=[technique])
            assert plan.status == ("solved" if truth.solvable else "unsolvable"), f"{seed} {technique}\n{drawing}"
            assert not truth.solvable or plan.pushes == truth.pushes, f"{seed} {technique}\n{drawing}"
            plan = solve(level, "any", LONG, without=[technique])
            assert plan.status == ("solved" if truth.solvable else "unsolvable"), f"{seed} {technique}\n{drawing}"


def test_an_unknown_technique_is_an_error():
    with pytest.raises(ConfigError, match="did you mean 'tunnels'"):
        solve(Level.parse("#####\n#@$.#\n#####"), without=["tunnel"])


@pytest.mark.parametrize("megabytes", [8, 32, 128])
def test_the_tables_of_a_search_and_its_workspace_fit_into_the_memory(megabytes):
    rows = ["#" * 18, *["#" + " " * 16 + "#"] * 12, "#" * 18]
    rows[1] = "#@" + " " * 15 + "#"
    rows[3] = rows[5] = "# $ $ $ $ $ $ $  #"
    rows[8] = rows[10] = "# . . . . . . .  #"
    solver = SokobanSolver(Level.parse("\n".join(rows)), "any", megabytes << 20, None)
    search = SatisficingSearch(
        solver.ground, solver.boxes, solver.player, solver.goals, megabytes << 20, lambda nodes: False, solver.pairs
    )
    search.run(time.perf_counter() + LONG, STRATEGIES[1:2])  # one search backward; `tick` stops it at once
    w = new_fess_workspace(solver.ground, search._goals_at(solver.boxes), solver.goals, solver.pairs, len(solver.boxes))
    assert bytes_of(search.backward) + bytes_of(w) <= max(megabytes << 20, 16 << 20) * 2 // 5
