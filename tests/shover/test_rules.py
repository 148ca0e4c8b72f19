"""Tests of the rules of Shover-World, with the board before and after each action. Section numbers refer to rules.md.

A push from rest costs initial_force, plus unit_force for each box of the chain. Most tests use the forces 5 and 2 from
the walkthrough in the specification (section 15). The other tests use the defaults 40 and 10.
"""

import numpy as np
import pytest

from shoverworld import ResetNeeded, Reward, Rules, ShoverWorldEnv
from tests.boards import Game, expect, play

FORCES = {"initial_force": 5, "unit_force": 2}
OUT_OF_REACH = 10**6  # an age that no square reaches in these tests


# --- The presets, copied by hand from the table in docs/rules.md.

COMMON = {
    "initial_force": 40, "unit_force": 10, "push_pays_step_cost": False, "hellify": "interior", "initial_stamina": 1000,
    "max_timestep": 400,
}  # fmt: skip
TABLE = {
    "milestone1": dict(
        COMMON, actor="leap", z_base=1, noop=False, edge="wall", step_cost=1, stationary="contact", pick="oldest",
        order="action_first", barrier_stamina=1, perf_sq_initial_age=10, n_rows=6, n_cols=9,
    ),
    "walker": dict(
        COMMON, actor="walk", z_base=1, noop=True, edge="wall", step_cost=1, stationary="last_push", pick="smallest",
        order="squares_first", barrier_stamina=1, perf_sq_initial_age=10, n_rows=10, n_cols=10,
    ),
    "phase2": dict(
        COMMON, actor="select", z_base=0, noop=False, edge="lava", step_cost=0, stationary="contact", pick="oldest",
        order="action_first", barrier_stamina=10, perf_sq_initial_age=20, n_rows=9, n_cols=13,
    ),
}  # fmt: skip


@pytest.mark.parametrize("preset", TABLE)
def test_each_preset_matches_its_row_in_the_table(preset):
    rules = Rules.preset(preset)
    assert {name: getattr(rules, name) for name in TABLE[preset]} == TABLE[preset]
    obs, _ = ShoverWorldEnv(rules=preset).reset(seed=0)
    assert obs["grid"].shape == (TABLE[preset]["n_rows"], TABLE[preset]["n_cols"])


def test_milestone1_is_the_default_preset():
    assert ShoverWorldEnv().rules == Rules() == Rules.preset("milestone1")


CROSS = """
    . . . . .
    . . B . .
    . . . . .
"""


@pytest.mark.parametrize(("z", "row", "col"), [(1, 0, 2), (2, 1, 3), (3, 2, 2), (4, 1, 1)])
def test_milestone1_and_walker_number_the_directions_from_1(z, row, col):
    game = play(CROSS, [(1, 2, z)])
    assert game.obs["grid"][row, col] == 10
    walker = play(".....\n.....\n..A..\n.....\n....B", [(0, 0, z)], "walker")
    assert walker.shover == (row + 1, col)


@pytest.mark.parametrize(("z", "row", "col"), [(0, 0, 2), (1, 1, 3), (2, 2, 2), (3, 1, 1)])
def test_phase2_numbers_the_directions_from_0(z, row, col):
    assert play(CROSS, [(1, 2, z)], "phase2").obs["grid"][row, col] == 10


@pytest.mark.parametrize(("preset", "barrier", "hellify"), [("milestone1", 5, 6), ("walker", 5, 6), ("phase2", 4, 5)])
def test_each_preset_has_its_own_codes_for_the_special_actions(preset, barrier, hellify):
    board = "A....\n.BBB.\n.BBB.\n.BBB.\n....."
    expect(play(board, [(0, 0, barrier)], preset), "A....\n.###.\n.###.\n.###.\n.....")
    expect(play(board, [(0, 0, hellify)], preset), "A....\n.....\n..L..\n.....\n.....")


@pytest.mark.parametrize("action", [(0, 1, 2), [0, 1, 2], ((0, 1), 2), [[0, 1], 2], np.array([0, 1, 2])], ids=repr)
def test_an_action_can_be_a_flat_or_nested_sequence_or_an_array(action):
    game = Game(". B .")
    game.obs, *_ = game.env.step(action)
    expect(game, ". A B")


# --- 1.2 Pushes and chains.


@pytest.mark.parametrize(
    ("before", "after", "k"),
    [
        (". B . . .", ". A B . .", 1),
        (". B B . .", ". A B B .", 2),
        (". B B B .", ". A B B B", 3),
        (". B B . B", ". A B B B", 2),
        ("B B B . .", "B A B B .", 2),
        ("# B . . .", "# A B . .", 1),
    ],
)
def test_a_chain_extends_from_the_target_to_the_first_gap(before, after, k):
    game = play(before, [(0, 1, "right")])
    expect(game, after)
    assert game.info["chain_length"] == k
    assert game.stamina_changes == [-40 - 10 * k]


@pytest.mark.parametrize(
    ("direction", "target", "after"),
    [
        ("right", (2, 2), ". . . . .\n. . . . .\n. . A B B\n. . B . .\n. . . . ."),
        ("left", (2, 3), ". . . . .\n. . . . .\n. B B A .\n. . B . .\n. . . . ."),
        ("down", (2, 2), ". . . . .\n. . . . .\n. . A B .\n. . B . .\n. . B . ."),
        ("up", (3, 2), ". . . . .\n. . B . .\n. . B B .\n. . A . .\n. . . . ."),
    ],
)
def test_a_chain_forms_in_every_direction_and_excludes_the_boxes_beside_it(direction, target, after):
    before = ". . . . .\n. . . . .\n. . B B .\n. . B . .\n. . . . ."
    game = play(before, [(*target, direction)])
    expect(game, after)
    assert game.info["chain_length"] == 2


def test_a_box_at_the_edge_can_be_pushed_without_space_behind_it():
    expect(play("B . .", [(0, 0, "right")]), "A B .")


def test_the_shover_does_not_block_a_push():
    expect(play(". B A .", [(0, 1, "right")]), ". A B .")


@pytest.mark.parametrize(
    ("board", "target", "direction"),
    [
        ("A B # .", (0, 1), "right"),
        ("A B B #", (0, 1), "right"),
        ("A B B B", (0, 1), "right"),
        ("B B A .", (0, 1), "left"),
        ("B\nA", (0, 0), "up"),
        ("A\nB", (1, 0), "down"),
        ("A .\nB .\n# L", (1, 0), "down"),
    ],
    ids=["barrier", "barrier behind two boxes", "right edge", "left edge", "top edge", "bottom edge", "barrier below"],
)
def test_a_push_against_a_barrier_or_the_edge_is_invalid(board, target, direction):
    game = play(board, [(*target, direction)])
    expect(game, board)
    assert (game.info["last_action_valid"], game.info["chain_length"], game.info["initial_force_charged"]) == (
        False,
        0,
        False,
    )
    assert (game.stamina_changes, game.rewards) == ([-1], [-1])


def test_the_front_box_burns_in_lava_and_the_lava_stays():
    game = play(". B B L .", [(0, 1, "right")])
    expect(game, ". A B L .")
    assert (game.info["lava_destroyed_this_step"], game.info["number_destroyed"], game.info["number_of_boxes"]) == (
        1,
        1,
        1,
    )
    assert game.info["chain_length"] == 2


def test_number_destroyed_accumulates_and_lava_destroyed_is_counted_per_step():
    game = play(". B B L\n. B . .", [(0, 1, "right"), (0, 2, "right"), (1, 1, "right")])
    assert game.history("lava_destroyed_this_step") == [1, 1, 0]
    assert game.history("number_destroyed") == [1, 2, 2]
    assert game.history("number_of_boxes") == [2, 1, 1]


# --- Box strength: a number that moves with its box and does not affect the cost.


def test_the_strength_of_a_box_moves_with_it():
    game = play("0 3 7 0 0 1", [(0, 1, "right"), (0, 2, "right"), (0, 3, "right")], agent=(0, 0))
    expect(game, "0 0 0 3 7 1")
    assert game.stamina_changes == [-60, -20, -1]  # the edge behind the box of strength 1 blocks the last push


def test_the_front_box_burns_regardless_of_its_strength():
    expect(play("0 3 7 -100", [(0, 1, "right")], agent=(0, 0)), "0 0 3 -100")


def test_the_strength_of_a_box_moves_with_it_vertically():
    expect(play("0\n0\n2\n9", [(3, 0, "up")], agent=(0, 0)), "0\n2\n9\n0")


# --- 1.3 The cost of a push: section 15 of the specification, k = 3.


@pytest.mark.parametrize(
    ("before", "actions", "after", "changes"),
    [
        (". B B B . .", [(0, 1, "right")], ". A B B B .", [-11]),
        (". B B B . .", [(0, 1, "right"), (0, 2, "right")], ". . A B B B", [-11, -6]),
        (". B B B L .", [(0, 1, "right")], ". A B B L .", [-6]),
        (". B B B . L", [(0, 1, "right"), (0, 2, "right")], ". . A B B L", [-11, -1]),
    ],
    ids=["from rest", "moving", "from rest into lava", "moving into lava"],
)
def test_the_costs_match_the_walkthrough_in_the_specification(before, actions, after, changes):
    game = play(before, actions, **FORCES)
    expect(game, after)
    assert game.stamina_changes == changes


def test_each_burnt_box_refunds_the_initial_force():
    game = play("A B B L B", [(0, 1, "right"), (0, 2, "right")], **FORCES)
    expect(game, ". . A L B")
    assert game.stamina_changes == [-5 - 4 + 5, -2 + 5]


# --- 1.3 Rest and motion.


def test_a_box_stays_in_motion_while_it_is_pushed_in_every_step():
    game = play(". B . . .", [(0, 1, "right"), (0, 2, "right"), (0, 3, "right")], **FORCES)
    expect(game, ". . . A B")
    assert game.history("initial_force_charged") == [True, False, False]
    assert game.stamina_changes == [-7, -2, -2]


@pytest.mark.parametrize("stationary", ["contact", "front", "last_push"])
def test_a_box_moving_right_counts_as_being_at_rest_for_a_push_up(stationary):
    game = play(
        """
        . . . .
        . B . .
        """,
        [(1, 1, "right"), (1, 2, "up"), (0, 2, "right")],
        stationary=stationary,
        **FORCES,
    )
    expect(game, ". . A B\n. . . .")
    assert game.history("initial_force_charged") == [True, True, True]
    assert game.stamina_changes == [-7, -7, -7]


@pytest.mark.parametrize("stationary", ["contact", "front", "last_push"])
def test_a_box_moving_right_counts_as_being_at_rest_for_a_push_left(stationary):
    game = play(". B . .", [(0, 1, "right"), (0, 2, "left")], stationary=stationary, **FORCES)
    expect(game, ". B A .")
    assert game.history("initial_force_charged") == [True, True]


BUSY = """
    . B . . . .
    A . . . . #
    . B . . . .
    . . . . . .
    . . . . B B
    . . . . B B
"""
BETWEEN = {
    "a step onto an empty cell": (1, 1, "right"),
    "an invalid step": (1, 5, "right"),
    "an invalid special": "hellify",
    "a valid special": "barrier",
    "a push of another box": (2, 1, "right"),
}


@pytest.mark.parametrize("between", BETWEEN.values(), ids=BETWEEN)
@pytest.mark.parametrize(("stationary", "charged"), [("contact", True), ("front", True), ("last_push", False)])
def test_an_intervening_step_brings_the_box_to_rest_except_under_the_last_push_rule(between, stationary, charged):
    game = play(BUSY, [(0, 1, "right"), between, (0, 2, "right")], stationary=stationary)
    assert game.history("initial_force_charged")[-1] is charged
    assert game.stamina_changes[-1] == (-50 if charged else -10)


@pytest.mark.parametrize("stationary", ["contact", "front", "last_push"])
def test_a_box_pushed_in_the_previous_step_is_in_motion(stationary):
    game = play(BUSY, [(0, 1, "right"), (0, 2, "right")], stationary=stationary)
    assert game.history("initial_force_charged") == [True, False]


def test_an_intervening_noop_brings_the_box_to_rest():
    game = play("A B . . .", ["right", "noop", "right"], "walker", stationary="contact")
    expect(game, ". . A B .")
    assert game.history("initial_force_charged") == [True, False, True]


def test_a_box_stays_in_motion_for_one_timestep():
    game = play(BUSY, [(0, 1, "right"), (2, 1, "right"), (2, 2, "right"), (0, 2, "right")])
    assert game.history("initial_force_charged") == [True, True, False, True]


@pytest.mark.parametrize("stationary", ["contact", "front"])
def test_a_push_sets_every_box_of_the_chain_in_motion(stationary):
    game = play(". B B B . .", [(0, 1, "right"), (0, 3, "right")], stationary=stationary, **FORCES)
    expect(game, ". . B A B B")
    assert game.info["initial_force_charged"] is False
    assert game.stamina_changes == [-11, -4]


@pytest.mark.parametrize(
    ("stationary", "charged"),
    [("contact", [True, False, True]), ("front", [True, True, True]), ("last_push", [True, False, False])],
)
def test_the_three_stationary_rules_give_different_costs_on_the_same_board(stationary, charged):
    """The upper box moves alone, then the upper box hits a second box, and then the lower box is pushed."""
    game = play(
        """
        . B . B . .
        . . . . . .
        . B . . . .
        """,
        [(0, 1, "right"), (0, 2, "right"), (2, 1, "right")],
        stationary=stationary,
        **FORCES,
    )
    expect(
        game,
        """
        . . . B B .
        . . . . . .
        . A B . . .
        """,
    )
    assert game.history("initial_force_charged") == charged
    assert game.stamina_changes == [-5 * paid - 2 * k for paid, k in zip(charged, (1, 2, 1), strict=True)]


def test_an_invalid_push_does_not_reset_the_direction_of_the_last_push():
    game = play(". B . .\n. . # .", [(0, 1, "right"), (0, 2, "down"), (0, 2, "right")], stationary="last_push")
    assert game.history("last_action_valid") == [True, False, True]
    assert game.history("initial_force_charged") == [True, False, False]


@pytest.mark.parametrize("stationary", ["contact", "front", "last_push"])
def test_reset_brings_every_box_to_rest(stationary):
    game = play(". B . . .", [(0, 1, "right")], stationary=stationary)
    game.reset(". . B . .")
    game.do((0, 2, "right"))
    assert game.info["initial_force_charged"] is True


def test_placing_the_shover_takes_no_time_and_the_box_stays_in_motion():
    game = play(". B . . .", [(0, 1, "right")])
    game.place((0, 4))
    game.do((0, 2, "right"))
    assert game.info["initial_force_charged"] is False


# --- The stamina cost of all other actions.


@pytest.mark.parametrize(
    ("rules", "board", "action", "change"),
    [
        ("milestone1", "A . B", (0, 1, "right"), -1),
        ("walker", "A . B", "right", -1),
        ("walker", "A . B", "noop", -1),
        ("milestone1", "A # B", (0, 1, "right"), -1),
        ("milestone1", "A # B", "barrier", -1),
        ("phase2", "A # B", (0, 1, "right"), 0),
        ("phase2", "A # B", "barrier", 0),
    ],
)
def test_actions_other_than_pushes_incur_the_step_cost(rules, board, action, change):
    assert play(board, [action], rules).stamina_changes == [change]


@pytest.mark.parametrize("action", [(0, 1, "right"), (0, 2, "right"), "barrier"], ids=["step", "invalid", "special"])
def test_the_step_cost_can_be_set(action):
    assert play("A . #\n. . B", [action], step_cost=2.5).stamina_changes == [-2.5]


def test_a_push_does_not_incur_the_step_cost_by_default():
    assert play("A B . .", [(0, 1, "right")], step_cost=7).stamina_changes == [-50]


@pytest.mark.parametrize("preset", TABLE)
def test_a_push_also_incurs_the_step_cost_if_the_rule_push_pays_step_cost_is_set(preset):
    """The worked example in section 15 under the other interpretation of section 10: -12 and -7 instead of -11 and -6."""
    up = Rules.preset(preset).z_base
    pushes = [(0, 1, up + 1), (0, 2, up + 1)]
    game = play("A B B B . . .", pushes, preset, **FORCES, step_cost=1, push_pays_step_cost=True)
    assert game.stamina_changes == [-12, -7]


def test_a_burning_push_that_incurs_the_step_cost_still_returns_the_initial_force():
    game = play("A B L", [(0, 1, "right")], **FORCES, step_cost=1, push_pays_step_cost=True)
    assert game.stamina_changes == [-5 - 2 - 1 + 5]


@pytest.mark.parametrize("action", [(0, 1, "right"), (0, 2, "right"), "barrier"], ids=["step", "invalid", "special"])
def test_other_actions_incur_the_step_cost_only_once_if_pushes_incur_it_too(action):
    assert play("A . #\n. . B", [action], step_cost=2.5, push_pays_step_cost=True).stamina_changes == [-2.5]


def test_the_step_cost_of_a_push_is_part_of_its_cost_in_the_reward():
    rewards = Reward(lava=0, push_cost=1)
    game = play("A B . .", [(0, 1, "right")], **FORCES, step_cost=1, push_pays_step_cost=True, reward=rewards)
    assert game.rewards == [-8]


# --- 1.1 The target cell of the actors leap, walk and select.


def test_a_leap_reaches_any_empty_cell_across_obstacles():
    game = play("A # .\n# # .\nB . .", [(2, 2, "up")])
    expect(game, ". # .\n# # .\nB . A")
    assert game.info["last_action_valid"] is True
    assert (game.info["chain_length"], game.rewards, game.stamina_changes) == (0, [0], [-1])


def test_a_leap_onto_the_cell_of_the_shover_is_valid():
    game = play("A . B", [(0, 0, "left")])
    expect(game, "A . B")
    assert game.info["last_action_valid"] is True


@pytest.mark.parametrize(
    ("direction", "after"),
    [
        ("up", ". A .\n. . .\n. . .\n. . B"),
        ("right", ". . .\n. . A\n. . .\n. . B"),
        ("down", ". . .\n. . .\n. A .\n. . B"),
        ("left", ". . .\nA . .\n. . .\n. . B"),
    ],
)
def test_a_walker_moves_one_cell_and_the_position_in_the_action_is_only_recorded(direction, after):
    game = play(". . .\n. A .\n. . .\n. . B", [(3, 2, direction)], "walker")
    expect(game, after)
    assert game.obs["previous_selected_position"].tolist() == [3, 2]


def test_a_walker_pushes_the_box_in_front_of_it():
    game = play("A B B . .", ["right", "right"], "walker", **FORCES)
    expect(game, ". . A B B")
    assert game.stamina_changes == [-9, -4]


def test_a_noop_is_valid_and_moves_nothing():
    game = play(". A B .", ["noop"], "walker")
    expect(game, ". A B .")
    assert (game.info["last_action_valid"], game.info["timestep"], game.rewards) == (True, 1, [0])


def test_select_pushes_a_distant_box_and_moves_the_shover_to_the_cell_of_the_box():
    expect(play("A # .\n# . .\n. B .", [(2, 1, "up")], "phase2"), ". # .\n# B .\n. A .")


INVALID = {
    "leap into a barrier": ("milestone1", "A # B", (0, 1, "right")),
    "leap into lava": ("milestone1", "A L B", (0, 1, "right")),
    "walk into a barrier": ("walker", "A # B", "right"),
    "walk into lava": ("walker", "A L B", "right"),
    "walk off the top": ("walker", "A . B", "up"),
    "walk off the left side": ("walker", "A . B", "left"),
    "walk off the right side": ("walker", "B . A", "right"),
    "walk off the bottom": ("walker", "B . A", "down"),
    "barrier maker without a square": ("milestone1", "A B B", "barrier"),
    "hellify without a square": ("walker", "A B B", "hellify"),
    "hellify with a square of 2": ("milestone1", ". B B\nA B B", "hellify"),
}


@pytest.mark.parametrize(("rules", "board", "action"), INVALID.values(), ids=INVALID)
def test_an_invalid_action_moves_nothing_but_costs_one_stamina_and_gives_a_reward_of_minus_one(rules, board, action):
    game = play(board, [action], rules)
    expect(game, board)
    assert game.info["last_action_valid"] is False
    assert (game.info["chain_length"], game.info["initial_force_charged"]) == (0, False)
    assert (game.stamina_changes, game.rewards) == ([-1], [-1])
    assert game.info["timestep"] == 1


@pytest.mark.parametrize("action", [(0, 1, "right"), (0, 2, "right"), (0, 3, "right"), (0, 0, "up")])
def test_select_is_invalid_on_a_cell_without_a_box(action):
    board = "A . # L B"
    game = play(board, [action], "phase2")
    expect(game, board)
    assert game.info["last_action_valid"] is False
    assert (game.stamina_changes, game.rewards) == ([0], [0])


def test_squares_age_during_an_invalid_action():
    game = play("A # B B\n. . B B", [(0, 1, "right"), (0, 1, "right")])
    assert game.squares == {(2, (0, 2)): 2}


# --- edge="lava": a box that leaves the map burns.


@pytest.mark.parametrize(
    ("direction", "target", "after"),
    [
        ("up", (0, 1), ". A .\nB B B\n. B ."),
        ("right", (1, 2), ". B .\nB B A\n. B ."),
        ("down", (2, 1), ". B .\nB B B\n. A ."),
        ("left", (1, 0), ". B .\nA B B\n. B ."),
    ],
)
def test_a_box_pushed_over_a_lava_edge_burns(direction, target, after):
    game = play(". B .\nB B B\n. B .", [(*target, direction)], edge="lava", **FORCES)
    expect(game, after)
    assert game.info["lava_destroyed_this_step"] == 1
    assert (game.stamina_changes, game.rewards) == ([-5 - 2 + 5], [5])


def test_a_chain_pushed_over_a_lava_edge_loses_its_front_box():
    game = play(". B B B", [(0, 1, "right")], edge="lava", **FORCES)
    expect(game, ". A B B")
    assert (game.info["chain_length"], game.stamina_changes) == (3, [-11 + 5])


@pytest.mark.parametrize("direction", ["up", "left", "down"])
def test_the_shover_cannot_walk_over_a_lava_edge(direction):
    game = play("A . B", [direction], "walker", edge="lava")
    expect(game, "A . B")
    assert game.info["last_action_valid"] is False


def test_a_lava_edge_does_not_affect_squares():
    assert play("B B .\nB B .", edge="lava").squares == {(2, (0, 0)): 0}


def test_a_game_that_continues_from_a_restored_state_follows_the_rules_of_the_environment():
    """The edge is part of the rules, not of a state."""
    lava, wall = Game("A . B", edge="lava"), Game("A . B", edge="wall")
    wall.env.set_state(lava.env.get_state())
    wall.do((0, 2, "right"))
    expect(wall, "A . B")
    assert wall.info["last_action_valid"] is False


# --- place(), which a mouse click calls.


@pytest.mark.parametrize("rules", ["milestone1", "phase2"])
def test_place_moves_the_shover_to_an_empty_cell_at_no_cost_and_without_using_a_step(rules):
    game = Game("A # .\n# # B", rules)
    before = game.info
    game.place((0, 2))
    expect(game, ". # A\n# # B")
    assert game.info == before


def test_place_requires_a_path_for_a_walker():
    board = """
        A . # .
        # . # .
        . # B .
    """
    game = Game(board, "walker")
    game.place((1, 1))
    expect(game, ". . # .\n# A # .\n. # B .")
    for beyond in [(2, 0), (0, 3), (2, 3)]:
        with pytest.raises(ValueError, match="path"):
            game.place(beyond)
    expect(game, ". . # .\n# A # .\n. # B .")


def test_a_walker_continues_from_the_cell_where_it_was_placed():
    game = Game("A . .\n. B .\n. . .", "walker")
    game.place((1, 0))
    game.do("right")
    expect(game, ". . .\n. A B\n. . .")


@pytest.mark.parametrize("rules", ["milestone1", "walker", "phase2"])
@pytest.mark.parametrize("cell", [(0, 1), (0, 2), (0, 3), (1, 0), (0, 5), (-1, 0), (0, -1)])
def test_place_accepts_only_empty_cells_on_the_map(rules, cell):
    board = "A B # L ."
    game = Game(board, rules)
    with pytest.raises(ValueError, match="place"):
        game.place(cell)
    game.obs, _ = game.env.observe()
    expect(game, board)


# --- 1.4 Perfect squares.

SQUARES = {
    "2 x 2": (". . . .\n. B B .\n. B B .\n. . . .", [(2, (1, 1))]),
    "3 x 3, without a smaller square inside": (". . . . .\n. B B B .\n. B B B .\n. B B B .\n. . . . .", [(3, (1, 1))]),
    "4 x 4": ("B B B B .\nB B B B .\nB B B B .\nB B B B .", [(4, (0, 0))]),
    "in the top left corner": ("B B .\nB B .\n. . .", [(2, (0, 0))]),
    "in the bottom right corner": (". . .\n. B B\n. B B", [(2, (1, 1))]),
    "along the whole edge": ("B B\nB B\n. .", [(2, (0, 0))]),
    "3 x 3 in a corner": (". B B B\n. B B B\n. B B B", [(3, (0, 1))]),
    "one box is not a square": (". . .\n. B .\n. . .", []),
    "a box above": (". B . .\n. B B .\n. B B .\n. . . .", []),
    "a box to the right": (". . . .\nB B . .\nB B B .\n. . . .", []),
    "a box at the top left corner": ("B . . .\n. B B .\n. B B .\n. . . .", []),
    "a box at the top right corner": (". . . B\n. B B .\n. B B .\n. . . .", []),
    "a box at the bottom left corner": (". . . .\n. B B .\n. B B .\nB . . .", []),
    "a box at the bottom right corner": (". . . .\n. B B .\n. B B .\n. . . B", []),
    "a box at an edge of 3 x 3": ("B B B . .\nB B B B .\nB B B . .\n. . . . .", []),
    "a box at a corner of 3 x 3": ("B B B . .\nB B B . .\nB B B . .\n. . . B .", []),
    "a rectangle is not a square": (". . . . .\n. B B B .\n. B B B .\n. . . . .", []),
    "3 x 3 with a hole": ("B B B .\nB . B .\nB B B .\n. . . .", []),
    "2 x 2 with a barrier in it": ("B # .\nB B .\n. . .", []),
    "lava and barriers around it are allowed": ("# L # .\nL B B L\n# B B #\n. L # L", [(2, (1, 1))]),
    "a box two cells away is allowed": ("B B . B\nB B . .", [(2, (0, 0))]),
    "two squares with a row between them": ("B B .\nB B .\n. . .\nB B .\nB B .", [(2, (0, 0)), (2, (3, 0))]),
    "two squares that touch at a corner": ("B B . .\nB B . .\n. . B B\n. . B B", []),
    "a square of side 2 and one of side 3": ("B B . B B B\nB B . B B B\n. . . B B B", [(2, (0, 0)), (3, (0, 3))]),
}


@pytest.mark.parametrize(("board", "squares"), SQUARES.values(), ids=SQUARES)
def test_perfect_squares_are_detected(board, squares):
    game = Game(board)
    assert sorted(game.info["perfect_squares_available"]) == squares
    assert game.info["square_ages"] == [0] * len(squares)


def test_boxes_of_any_strength_form_a_square():
    assert Game("1 10 0\n5 2 0", agent=(0, 2)).squares == {(2, (0, 0)): 0}


NEARLY = """
    . . B B . .
    . B . B . .
    A . . . . B
"""


def test_a_push_completes_a_square():
    game = play(NEARLY, [(1, 1, "right")])
    expect(game, ". . B B . .\n. A B B . .\n. . . . . B")
    assert game.squares == {(2, (0, 2)): 0}


def test_a_square_that_is_broken_by_a_push_loses_its_age():
    game = play(". . . .\n. B B .\n. B B .", [(0, 0, "up"), (1, 1, "right"), (1, 3, "left")])
    expect(game, ". . . .\n. B B A\n. B B .")
    assert game.squares == {(2, (1, 1)): 0}
    assert game.history("square_ages") == [[1], [], [0]]


def test_a_box_that_enters_the_ring_breaks_the_square_and_a_box_that_leaves_restores_it():
    game = play("B B . . B .\nB B . . . .", [(1, 5, "up"), (0, 4, "left"), (0, 3, "left"), (0, 2, "down")])
    assert game.history("square_ages") == [[1], [2], [], []]
    expect(game, "B B A . . .\nB B B . . .")
    game.do((1, 2, "right"))
    assert game.squares == {(2, (0, 0)): 0}


# --- 1.4 Age and dissolution.

STILL = """
    A . . . .
    . B B . .
    . B B . B
"""
DISSOLVED = """
    A . . . .
    . . . . .
    . . . . B
"""
STAND = (0, 0, "up")


def test_squares_have_age_0_at_first_and_age_by_one_per_step():
    game = Game(". . B B . .\n. B . B . .\n. . . . . .\nB B . . . .\nB B . . . .", perf_sq_initial_age=OUT_OF_REACH)
    assert game.squares == {(2, (3, 0)): 0}
    game.do((1, 1, "right"))
    assert game.squares == {(2, (3, 0)): 1, (2, (0, 2)): 0}
    game.do("hellify", (0, 0, "up"))
    assert game.squares == {(2, (3, 0)): 3, (2, (0, 2)): 2}


@pytest.mark.parametrize("order", ["action_first", "squares_first"])
@pytest.mark.parametrize("age", [1, 2, 3, 10])
def test_a_square_that_dissolves_at_its_maximum_age_gives_neither_reward_nor_stamina(age, order):
    game = Game(STILL, perf_sq_initial_age=age, order=order)
    for step in range(1, age):
        game.do(STAND)
        assert game.squares == {(2, (1, 1)): step}
    game.do(STAND)
    expect(game, DISSOLVED)
    assert game.squares == {}
    assert (game.rewards, game.stamina_changes) == ([0] * age, [-1] * age)
    assert (game.info["number_of_boxes"], game.info["number_destroyed"]) == (1, 0)
    assert game.info["lava_destroyed_this_step"] == 0


def test_a_square_formed_by_a_push_dissolves_after_its_maximum_age():
    game = play(NEARLY, [(1, 1, "right"), STAND, STAND], perf_sq_initial_age=3)
    assert game.squares == {(2, (0, 2)): 2}
    game.do(STAND)
    expect(game, "A . . . . .\n. . . . . .\n. . . . . B")


def test_a_square_with_a_maximum_age_of_0_dissolves_immediately():
    game = play(NEARLY, [(1, 1, "right")], perf_sq_initial_age=0)
    expect(game, ". . . . . .\n. A . . . .\n. . . . . B")
    assert game.stamina_changes == [-50]


def test_a_square_of_side_3_dissolves_completely():
    game = play("B B B .\nB B B .\nB B B .\n. . . .\nA . . B", [(3, 3, "up")], perf_sq_initial_age=1)
    expect(game, ". . . .\n. . . .\n. . . .\n. . . A\n. . . B")


def test_two_squares_dissolve_independently():
    board = ". . B B . .\n. B . B . .\n. . . . . .\nB B . . . B\nB B . . . ."
    game = play(board, [(1, 1, "right"), (2, 5, "up")], perf_sq_initial_age=2)
    expect(game, ". . B B . .\n. . B B . .\n. . . . . A\n. . . . . B\n. . . . . .")
    game.do((2, 5, "up"))
    expect(game, ". . . . . .\n. . . . . .\n. . . . . A\n. . . . . B\n. . . . . .")


# --- 1.5 Specials.


@pytest.mark.parametrize("position", [(0, 0), (1, 1), (0, 3), (3, 3)])
def test_the_barrier_maker_turns_a_square_into_barriers_regardless_of_the_action_position(position):
    game = play("A . . L\n. B B .\n. B B .\n. . . #", [(*position, "barrier")])
    expect(game, "A . . L\n. # # .\n. # # .\n. . . #")
    assert game.info["last_action_valid"] is True
    assert (game.info["number_of_boxes"], game.info["number_destroyed"]) == (0, 0)
    assert game.info["perfect_squares_available"] == []


@pytest.mark.parametrize(
    ("rules", "n", "change", "reward"),
    [
        ("milestone1", 2, 4 - 1, 40),
        ("milestone1", 3, 9 - 1, 90),
        ("walker", 2, 4 - 1, 40),
        ("walker", 3, 9 - 1, 90),
        ("phase2", 2, 40, 0),
        ("phase2", 3, 90, 0),
    ],
)
def test_the_barrier_maker_adds_stamina_and_reward_per_box(rules, n, change, reward):
    board = "\n".join(["A" + "." * 4, *["." + "B" * n + "." * (4 - n)] * n])
    game = play(board, ["barrier"], rules)
    assert (game.stamina_changes, game.rewards) == ([change], [reward])


def test_the_stamina_gain_from_the_barrier_maker_can_be_set():
    assert play("A..\n.BB\n.BB", ["barrier"], barrier_stamina=2.5).stamina_changes == [4 * 2.5 - 1]


def test_the_barrier_maker_uses_one_square_at_a_time():
    game = Game("B B . B B\nB B . B B\nA . . . .")
    game.do("barrier")
    expect(game, "# # . B B\n# # . B B\nA . . . .")
    assert game.squares == {(2, (0, 3)): 1}
    game.do("barrier")
    expect(game, "# # . # #\n# # . # #\nA . . . .")


@pytest.mark.parametrize(
    ("hellify", "after"),
    [
        ("interior", "A . . . .\n. . . . .\n. . L . .\n. . . . ."),
        ("whole", "A . . . .\n. L L L .\n. L L L .\n. L L L ."),
    ],
)
def test_hellify_burns_a_square_of_side_3(hellify, after):
    game = play("A . . . .\n. B B B .\n. B B B .\n. B B B .", ["hellify"], hellify=hellify)
    expect(game, after)
    assert game.info["last_action_valid"] is True
    assert (game.info["number_of_boxes"], game.info["number_destroyed"]) == (0, 9)
    assert (game.stamina_changes, game.rewards) == ([-1], [0])
    assert game.info["perfect_squares_available"] == []


def test_hellify_turns_the_interior_of_a_square_with_side_4_into_lava():
    game = play("B B B B A\nB B B B .\nB B B B .\nB B B B .", ["hellify"])
    expect(game, ". . . . A\n. L L . .\n. L L . .\n. . . . .")
    assert game.info["number_destroyed"] == 16


def test_hellify_skips_an_older_square_of_side_2():
    board = "B B . B B B\nB B . B B B\nA . . B B B"
    game = play(board, ["hellify"])
    expect(game, "B B . . . .\nB B . . L .\nA . . . . .")


def test_boxes_burn_in_lava_created_by_hellify():
    game = play("B B B . .\nB B B . B\nB B B . .", ["hellify", (1, 4, "left"), (1, 3, "left"), (1, 2, "left")])
    expect(game, ". . . . .\n. L A . .\n. . . . .")
    assert (game.info["number_destroyed"], game.info["outcome"]) == (10, "cleared")


OLD_3_YOUNG_2 = """
    B B B . . B B .
    B B B . B . B .
    B B B . . . . .
"""


@pytest.mark.parametrize(
    ("pick", "after"),
    [
        ("oldest", "# # # . . B B .\n# # # . A B B .\n# # # . . . . ."),
        ("smallest", "B B B . . # # .\nB B B . A # # .\nB B B . . . . ."),
    ],
)
def test_the_pick_rule_selects_the_oldest_or_the_smallest_square(pick, after):
    game = play(OLD_3_YOUNG_2, [(1, 4, "right"), "barrier"], pick=pick)
    expect(game, after)


def test_the_pick_rule_smallest_prefers_the_older_of_two_squares_of_equal_size():
    board = """
        . . B B .
        . B . B .
        . . . . .
        B B . . .
        B B . . .
    """
    after = """
        . . B B .
        . A B B .
        . . . . .
        # # . . .
        # # . . .
    """
    expect(play(board, [(1, 1, "right"), "barrier"], pick="smallest"), after)
    expect(play(board, [(1, 1, "right"), "barrier"], pick="oldest"), after)


@pytest.mark.parametrize("pick", ["oldest", "smallest"])
def test_remaining_ties_are_broken_in_row_major_order(pick):
    board = ". . . B B\nB B . B B\nB B . . ."
    expect(play(board, ["barrier"], pick=pick), ". . . # #\nB B . # #\nB B . . .")
    board = "B B . B B\nB B . B B\nA . . . ."
    expect(play(board, ["barrier"], pick=pick), "# # . B B\n# # . B B\nA . . . .")


@pytest.mark.parametrize(
    ("pick", "after"),
    [
        ("oldest", "# # # . B B\n# # # . B B\n# # # . . A"),
        ("smallest", "B B B . # #\nB B B . # #\nB B B . . A"),
    ],
)
def test_the_pick_rule_oldest_breaks_ties_in_row_major_order_regardless_of_size(pick, after):
    expect(play("B B B . B B\nB B B . B B\nB B B . . A", ["barrier"], pick=pick), after)


@pytest.mark.parametrize(("pick", "left"), [("oldest", {(3, (0, 5)): 1}), ("smallest", {(4, (0, 0)): 1})])
def test_hellify_follows_the_pick_rule(pick, left):
    game = play("BBBB.BBB\nBBBB.BBB\nBBBB.BBB\nBBBB...A", ["hellify"], pick=pick)
    assert game.squares == left


# --- 1.4 The order of the action and the squares.


def test_with_action_first_a_special_action_can_use_a_square_in_the_step_that_would_dissolve_it():
    game = play(STILL, [STAND, STAND, "barrier"], order="action_first", perf_sq_initial_age=3)
    expect(game, "A . . . .\n. # # . .\n. # # . B")
    assert (game.info["last_action_valid"], game.stamina_changes[-1], game.rewards[-1]) == (True, 3, 40)


def test_with_squares_first_a_square_dissolves_before_the_special_action_can_use_it():
    game = play(STILL, [STAND, STAND, "barrier"], order="squares_first", perf_sq_initial_age=3)
    expect(game, DISSOLVED)
    assert (game.info["last_action_valid"], game.stamina_changes[-1], game.rewards[-1]) == (False, -1, -1)


@pytest.mark.parametrize("order", ["action_first", "squares_first"])
def test_in_either_order_a_special_action_can_use_the_square_one_step_before_it_dissolves(order):
    game = play(STILL, [STAND, "barrier"], order=order, perf_sq_initial_age=3)
    expect(game, "A . . . .\n. # # . .\n. # # . B")
    assert game.info["perfect_squares_available"] == []


@pytest.mark.parametrize("order", ["action_first", "squares_first"])
def test_a_push_that_breaks_a_square_in_its_last_step_saves_the_boxes(order):
    game = play(STILL, [STAND, (1, 2, "right")], order=order, perf_sq_initial_age=2)
    expect(game, ". . . . .\n. B A B .\n. B B . B")


@pytest.mark.parametrize("order", ["action_first", "squares_first"])
def test_unused_squares_age_during_a_special_action(order):
    game = play("B B . B B\nB B . B B\nA . . . .", [(2, 0, "up"), "barrier"], order=order)
    assert game.squares == {(2, (0, 3)): 2}


# --- 1.6 Rewards.


@pytest.mark.parametrize(
    ("rules", "board", "actions", "rewards"),
    [
        ("milestone1", "A B . L", [(0, 1, "right"), (0, 2, "right")], [0, 40]),
        ("milestone1", "A . B #", [(0, 1, "right"), (0, 2, "right")], [0, -1]),
        ("walker", "A B . L", ["right", "right"], [0, 40]),
        ("walker", "A . B #", ["noop", "right", "right"], [0, 0, -1]),
        ("phase2", "A B . L", [(0, 1, "right"), (0, 2, "right")], [-50, 40 - 10]),
        ("phase2", "A B . L B", [(0, 1, "right"), (0, 4, "right")], [-50, 40 - 50]),
        ("phase2", "A B B", [(0, 1, "right"), (0, 2, "right")], [40 - 60, 40 - 10]),
        ("phase2", "A B #", [(0, 1, "right")], [0]),
    ],
)
def test_each_preset_has_its_own_rewards(rules, board, actions, rewards):
    assert play(board, actions, rules).rewards == rewards


@pytest.mark.parametrize(("rules", "reward"), [("milestone1", 0), ("walker", 0), ("phase2", 0)])
def test_hellify_gives_no_reward_in_any_preset(rules, reward):
    assert play("A...\n.BBB\n.BBB\n.BBB", ["hellify"], rules).rewards == [reward]


@pytest.mark.parametrize(("rules", "reward"), [("milestone1", 7.5), ("walker", 7.5), ("phase2", 7.5 - 17.5)])
def test_the_reward_for_burning_a_box_equals_the_initial_force(rules, reward):
    board, action = "A B L", (0, 1, "right")
    assert play(board, [action], rules, initial_force=7.5).rewards == [reward]


OWN = Reward(lava=3, barrier=2, hellify=0.5, push_cost=0.1, invalid=-4)


@pytest.mark.parametrize(
    ("board", "action", "reward"),
    [
        ("A B L", (0, 1, "right"), 3 - 0.1 * 50),
        ("A B .", (0, 1, "right"), -0.1 * 50),
        ("A B #", (0, 1, "right"), -4),
        ("A . B", (0, 1, "right"), 0),
        ("A..\n.BB\n.BB", "barrier", 2 * 4),
        ("A...\n.BBB\n.BBB\n.BBB", "hellify", 0.5 * 9),
    ],
)
def test_every_reward_term_can_be_set(board, action, reward):
    assert play(board, [action], reward=OWN).rewards == pytest.approx([reward])


# --- 1.6 The end of a game.

CLEARED, EXHAUSTED, TIMEOUT = ("cleared", (True, False)), ("exhausted", (True, False)), ("timeout", (False, True))


def ending(game):
    assert game.ends[:-1] == [(False, False)] * (len(game.ends) - 1)
    return game.info["outcome"], game.ends[-1]


@pytest.mark.parametrize(
    ("board", "actions", "settings", "end"),
    [
        ("A B L", [(0, 1, "right")], {}, CLEARED),
        ("A..\n.BB\n.BB", ["barrier"], {}, CLEARED),
        ("A...\n.BBB\n.BBB\n.BBB", ["hellify"], {}, CLEARED),
        ("A..\n.BB\n.BB", [STAND, STAND], {"perf_sq_initial_age": 2}, CLEARED),
        ("A . .", [STAND], {}, CLEARED),
        ("A . B", [STAND, STAND], {"initial_stamina": 2}, EXHAUSTED),
        ("A B .", [(0, 1, "right")], {"initial_stamina": 50}, EXHAUSTED),
        ("A B .", [(0, 1, "right")], {"initial_stamina": 1}, EXHAUSTED),
        ("A . B", [STAND, STAND, STAND], {"max_timestep": 3}, TIMEOUT),
        ("A # B", [(0, 1, "up"), (0, 1, "up")], {"max_timestep": 2}, TIMEOUT),
    ],
    ids=[
        "last box burnt", "last boxes made barriers", "last boxes hellified", "last boxes dissolved",
        "no box at the start", "stamina 0", "stamina 0 after a push", "stamina below 0",
        "steps used up", "invalid steps count",
    ],
)  # fmt: skip
def test_each_outcome_ends_the_game(board, actions, settings, end):
    assert ending(play(board, actions, **settings)) == end


@pytest.mark.parametrize(
    ("board", "action", "settings", "end"),
    [
        ("A B L", (0, 1, "right"), {"initial_stamina": 10}, CLEARED),
        ("A B L", (0, 1, "right"), {"initial_stamina": 10, "max_timestep": 1}, CLEARED),
        ("A B L", (0, 1, "right"), {"max_timestep": 1}, CLEARED),
        ("A . B", STAND, {"initial_stamina": 1, "max_timestep": 1}, EXHAUSTED),
    ],
    ids=["cleared before exhausted", "cleared before all others", "cleared before timeout", "exhausted before timeout"],
)
def test_outcomes_have_an_order_of_precedence(board, action, settings, end):
    assert ending(play(board, [action], **settings)) == end


def test_the_refund_is_added_before_stamina_is_checked():
    game = play("A B L B", [(0, 1, "right")], initial_stamina=11)
    assert (game.info["stamina"], game.info["outcome"]) == (1, None)


def test_the_stamina_gain_from_the_barrier_maker_is_added_before_stamina_is_checked():
    game = play("A . B B\nB . B B", ["barrier"], initial_stamina=1)
    assert (game.info["stamina"], game.info["outcome"]) == (4, None)


@pytest.mark.parametrize(
    ("board", "settings"),
    [("A . .", {}), ("A . B", {"initial_stamina": 1}), ("A . B", {"max_timestep": 1})],
    ids=["cleared", "exhausted", "timeout"],
)
def test_only_reset_is_allowed_after_the_end_of_the_game(board, settings):
    game = play(board, [STAND], **settings)
    outcome = game.info["outcome"]
    with pytest.raises(ResetNeeded, match=outcome):
        game.do(STAND)
    with pytest.raises(ResetNeeded):
        game.place((0, 1))
    game.reset("A . B")
    assert game.info["outcome"] is None
    game.do((0, 1, "right"))
    expect(game, ". A B")


# --- 1.7 Observation and info.


def observation_lists(game):
    return {key: value.tolist() for key, value in game.obs.items()}


def test_the_observation_at_reset_has_the_documented_values():
    assert observation_lists(Game("L A .\n# B .")) == {
        "grid": [[-100, 0, 0], [100, 10, 0]],
        "agent": [0, 1],
        "direction": 2,
        "stamina": [1000],
        "previous_selected_position": [-1, -1],
        "previous_action": [-1],
    }


def test_the_observation_after_a_push_has_the_documented_values():
    game = play("L A .\n# B .", [(1, 1, "right")])
    assert observation_lists(game) == {
        "grid": [[-100, 0, 0], [100, 0, 10]],
        "agent": [1, 1],
        "direction": 1,
        "stamina": [950],
        "previous_selected_position": [1, 1],
        "previous_action": [2],
    }
    assert game.obs["grid"].dtype == np.int8


@pytest.mark.parametrize("rules", ["milestone1", "walker", "phase2"])
@pytest.mark.parametrize(("word", "direction"), [("up", 0), ("right", 1), ("down", 2), ("left", 3)])
def test_even_an_invalid_action_turns_the_shover(rules, word, direction):
    game = play("# # #\n# A #\n# # #\n# # B", [(0, 1, word), "barrier"], rules)
    assert game.history("last_action_valid") == [False, False]
    assert game.obs["direction"] == direction


def test_a_noop_does_not_turn_the_shover():
    game = play("A . B", ["right", "noop"], "walker")
    assert (game.obs["direction"], game.obs["previous_action"]) == (1, 0)


def test_an_invalid_action_is_recorded_in_the_observation():
    game = play("A # B", [(0, 1, "left")])
    assert game.obs["previous_selected_position"].tolist() == [0, 1]
    assert game.obs["previous_action"] == 4


def test_the_info_at_reset_has_the_documented_values():
    info = Game("A . .\n. B B\n. B B").info
    assert isinstance(info.pop("last_action_valid"), bool)  # the rules do not define its value before the first action
    assert info == {
        "timestep": 0,
        "stamina": 1000,
        "number_of_boxes": 4,
        "number_destroyed": 0,
        "invalid_reason": "",
        "chain_length": 0,
        "initial_force_charged": False,
        "lava_destroyed_this_step": 0,
        "perfect_squares_available": [(2, (1, 1))],
        "square_ages": [0],
        "map": -1,
        "outcome": None,
    }


def test_the_info_after_a_push_into_lava_has_the_documented_values():
    game = play("A B B L . .\n. . . . . .\nB B . . . .\nB B . . . .", [(0, 1, "right")])
    assert game.info == {
        "timestep": 1,
        "stamina": 980,
        "number_of_boxes": 5,
        "number_destroyed": 1,
        "last_action_valid": True,
        "invalid_reason": "",
        "chain_length": 2,
        "initial_force_charged": True,
        "lava_destroyed_this_step": 1,
        "perfect_squares_available": [(2, (2, 0))],
        "square_ages": [1],
        "map": -1,
        "outcome": None,
    }


def test_the_info_after_a_special_action_contains_no_push():
    game = play(". B . . .\n. . . . .\nB B . . .\nB B . . .", [(0, 1, "right"), "barrier"])
    assert game.info == {
        "timestep": 2,
        "stamina": 1000 - 50 + 4 - 1,
        "number_of_boxes": 1,
        "number_destroyed": 0,
        "last_action_valid": True,
        "invalid_reason": "",
        "chain_length": 0,
        "initial_force_charged": False,
        "lava_destroyed_this_step": 0,
        "perfect_squares_available": [],
        "square_ages": [],
        "map": -1,
        "outcome": None,
    }


@pytest.mark.parametrize("key", ["last_action_valid", "initial_force_charged"])
def test_the_flags_in_the_info_are_bools(key):
    assert type(play("A B .", [(0, 1, "right")]).info[key]) is bool


def test_the_next_step_does_not_change_an_earlier_observation():
    game = Game("A B . .")
    first = game.obs
    game.do((0, 1, "right"))
    assert first["grid"].tolist() == [[0, 10, 0, 0]]
    assert first["stamina"] == 1000
