"""The deadlock tests of the Sokoban solver: what each of them catches, and that none rejects a solvable position."""

from .solver_boards import TESTS, DeadlockTests, check_soundness, random_board


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


def test_no_deadlock_test_rejects_a_solvable_position():
    total = dict.fromkeys((*TESTS, "solvable", "unsolvable"), 0)
    for seed in range(60):
        for name, number in check_soundness(random_board(seed, 4, 5), 3000).items():
            total[name] += number
    assert min(total.values()) > 20, total  # every test and both kinds of positions occur
