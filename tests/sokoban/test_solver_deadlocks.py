"""The deadlock tests of the Sokoban solver: what each of them catches, and that none rejects a solvable position."""

import numpy as np
import pytest

from shoverworld import sokoban
from shoverworld.games.sokoban.solver import solve
from tests.oracles.sokoban_positions import positions
from tests.paths import ROOT

from .solver_boards import TESTS, DeadlockTests, check_solution, check_soundness, random_board, two_rooms

XSOKOBAN = ROOT.parent / "shared" / "data" / "sokoban" / "xsokoban_odd.txt"


def deadlocks(drawing: str) -> set[str]:
    return DeadlockTests(drawing.strip("\n")).found()


def test_a_block_of_boxes_is_frozen():
    assert "frozen" in deadlocks("""
#######
#@    #
# $$  #
# *$  #
# . ..#
#######""")


def test_boxes_frozen_on_targets_act_as_walls_for_the_others():
    """The two boxes in the corridor are on targets and hold each other, so no box can reach the last target."""
    drawing = """
#######
#  @  #
#  $  #
#     #
###*###
###*###
###.###
#######"""
    assert "stuck" in deadlocks(drawing)
    assert not deadlocks(drawing.replace("###.", "###*").replace("*", ".", 1))


def test_boxes_that_the_player_cannot_get_at():
    """No box is frozen, but two pushes need the player in the cell that the boxes hide, and the third leads there."""
    drawing = """
#########
#.   $ ##
#.   $$ #
#@      #
#.      #
#########"""
    assert "stuck" in deadlocks(drawing)
    assert "frozen" not in deadlocks(drawing)
    assert not deadlocks(drawing.replace("$$", "$ ").replace("#.      #", "#       #"))


def test_targets_that_cannot_both_be_filled():
    """A box can reach either target alone, but only if the player stands on the other one."""
    drawing = """
#######
#@    #
# $ $ #
#     #
# # # #
# . . #
#  #  #
#######"""
    assert "stuck" in deadlocks(drawing)
    assert not deadlocks(drawing.replace("$ $", "$  ").replace(". .", ".  "))
    # If both are filled, they stay filled, and the other boxes can still be solved.
    assert not deadlocks(drawing.replace(". .", "* *").replace("$ $", "$  ").replace("#     #", "#   . #"))


def test_a_box_that_can_enter_a_room_but_never_leave_it():
    """The player can push the box into the room on the right, but can then never get behind it."""
    drawing = """
########
#   #  #
# @ $  #
# . #  #
########"""
    assert "corral" in deadlocks(drawing)
    assert not deadlocks(drawing.replace("$  #", "$ .#").replace("# . #", "#   #"))


def test_a_corral_that_is_only_closed_by_a_box_beside_it():
    """The boxes next to the hidden cell would have a solution, but the third box holds them."""
    drawing = """
###########
#...  $ ###
#     $$  #
#         #
#    @    #
###########"""
    assert "corral" in deadlocks(drawing)
    assert not deadlocks(drawing.replace("$$", " $").replace("...", ".. "))


def test_an_area_that_no_push_can_open_is_a_deadlock():
    assert "empty PI-corral" in deadlocks("""
#########
#@   #.##
# $  #$ #
#  . ## #
#########""")


def test_a_corral_contains_the_boxes_that_its_other_boxes_enclose():
    """The box in the corner cannot be pushed first, so it does not keep the hidden room from being a PI-corral."""
    drawing = """
#########
#   #  .#
# @ $   #
#   #  *#
# $ #.**#
#########"""
    assert DeadlockTests(drawing.strip("\n")).pi_corral() == (1, {(2, 4), (3, 7), (4, 6), (4, 7)})
    # If the boxes in the corner are next to the player's area, they are not enclosed.
    open_corner = drawing.rsplit("\n", 1)[0] + "\n#   #  $#\n#      .#\n#########"
    assert DeadlockTests(open_corner.strip("\n")).pi_corral()[0] == -1


def test_a_box_in_the_way_belongs_to_the_corral():
    """The box in the doorway cannot be pushed left before the box beside it has moved, which cannot move first, either."""
    drawing = """
#########
#   #   #
#   # . #
## ##   #
# $$    #
# @   . #
#########"""
    assert DeadlockTests(drawing.strip("\n")).pi_corral() == (1, {(4, 2), (4, 3)})
    apart = drawing.replace("$$  ", "$ $ ")
    assert DeadlockTests(apart.strip("\n")).pi_corral()[0] == -1


def test_a_corral_in_which_every_push_leads_to_a_lost_pair():
    """The three boxes around the hidden cells at the upper right can only be pushed so that two of them block each other.

    The boxes to the left and right of the lowest one cannot make room, because the player cannot take its place.
    """
    drawing = """
############
#####  #####
#    $ #####
#  # # #####
#    $ #####
#    $$$   #
#  #   #   #
#@     # ..#
#   ...    #
############"""
    assert "corral" in deadlocks(drawing)


def test_two_boxes_of_which_only_one_can_leave_a_wall():
    """The boxes do not touch each other, but both must stay in the row at the wall, which contains one target."""
    drawing = """
#########
#   @   #
#       #
# .     #
# $  $ .#
#########"""
    assert deadlocks(drawing) == {"pair", "stuck"}
    assert not deadlocks(drawing.replace("# .     #", "#       #").replace("$  $ .", "$ .$ ."))


def test_a_pair_of_boxes_is_lost_exactly_if_an_exhaustive_search_finds_no_solution():
    """With two boxes on the level, the table of pairs must know every deadlock, for each area of the player."""
    counts = {True: 0, False: 0}
    for seed in range(40):
        drawing = random_board(seed, 4, 4, boxes=2)
        tests = DeadlockTests(drawing)
        for (player, boxes), solvable in (positions(drawing, 20_000) or {}).items():
            cells = np.array(sorted(map(tests.cell, boxes)), np.int64)
            near = any(abs(player[0] - row) + abs(player[1] - col) == 1 for row, col in boxes)
            if near and not tests.tables.dead[cells].any():
                assert ("pair" in tests.found(cells, tests.cell(player))) == (not solvable), (
                    f"{player} {boxes}\n{drawing}"
                )
                counts[solvable] += 1
    assert min(counts.values()) > 100


TUNNEL = """
###########
#   #     #
#     $ @ #
#   # $   #
# . #   . #
###########"""


def test_a_box_in_a_one_way_tunnel_is_pushed_on_at_once():
    in_tunnel = TUNNEL.replace("#     $ @ #", "#   $@    #")
    assert DeadlockTests(in_tunnel.strip("\n")).forced_push() == ((2, 4), "l")
    assert DeadlockTests(TUNNEL.strip("\n")).forced_push() is None  # the box is not in the tunnel yet


def test_a_tunnel_with_a_second_way_around_it_is_no_tunnel():
    around = TUNNEL.replace("#     $ @ #", "#   $@    #").replace("# . #", "# .  ")
    assert DeadlockTests(around.strip("\n")).forced_push() is None


def test_a_box_in_a_tunnel_that_another_box_blocks():
    assert "tunnel" in deadlocks("""
#########
#@   #  #
#    # .#
#    $$.#
#    #  #
#########""")


def test_no_deadlock_test_rejects_a_solvable_position():
    total = dict.fromkeys((*TESTS, "solvable", "unsolvable"), 0)
    for seed in range(60):
        drawing = random_board(seed, 4, 5) if seed % 3 else two_rooms(seed)
        for name, number in check_soundness(drawing, 3000).items():
            total[name] += number
    assert min(total.values()) > 20, total  # every test and both kinds of positions occur


def test_no_test_rejects_a_position_on_the_way_to_a_solution():
    for level in sokoban.packaged("hard")[:40]:
        assert check_solution(level, solve(level, "pushes", 60.0).lurd) > 0


@pytest.mark.skipif(not XSOKOBAN.exists(), reason="shared/data is not beside the repository")
def test_no_test_rejects_a_position_on_the_way_to_a_solution_of_a_large_level():
    levels = sokoban.read_levels(XSOKOBAN)
    for number in (1, 2, 4, 9, 42):
        assert check_solution(levels[number - 1], solve(levels[number - 1], "any", 60.0).lurd) > 90
