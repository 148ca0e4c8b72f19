"""The rules of Sokoban (docs/rules.md, section 2). Each test shows the board before and after an action.

Boards are in the XSB format:   # wall   . target   $ box   * box on a target   @ player   + player on a target.
In these tests, the character 2 is the second player.
"""

import numpy as np
import pytest

from shoverworld.core.errors import ActionError, ConfigError, ResetNeeded
from shoverworld.games.sokoban.config import SokobanReward, SokobanRules
from shoverworld.games.sokoban.env import SokobanEnv
from shoverworld.games.sokoban.levels import Level
from shoverworld.games.sokoban.record import read_map

NOOP = 0
UP, DOWN, LEFT, RIGHT = range(4)
DIRECTIONS = (UP, DOWN, LEFT, RIGHT)
STEP = pytest.approx(-0.1)


def push(direction):
    return 1 + direction


def move(direction):
    return 5 + direction


def pull(direction):
    return 9 + direction


def second(action, each=8):
    return action + each


def drawn(board):
    """Parse a level in which the character 2 is the second player."""
    rows = [row.strip() for row in board.split("\n") if row.strip()]
    level = read_map("\n".join(row.replace("2", "@") if row[0] == "#" else row for row in rows))
    if len(level.players) == 1:
        return level
    (other,) = [(r, row.index("2")) for r, row in enumerate(rows) if row[0] == "#" and "2" in row]
    (first,) = [place for place in level.players if place != other]
    return Level(level.walls, level.targets, level.boxes, (first, other))


class Game:
    """A game on a given board, with the results of its last step."""

    def __init__(self, board, **rules):
        level = drawn(board)
        self.env = SokobanEnv(level, players=len(level.players), **rules)
        _, self.info = self.env.reset(seed=0)

    def do(self, *actions):
        for action in actions:
            _, self.reward, self.terminated, self.truncated, self.info = self.env.step(action)
        return self

    def expect(self, board, reward=STEP, valid=True):
        assert str(self.env.level) == str(drawn(board))
        assert self.env.level.players == drawn(board).players
        assert self.reward == reward
        assert self.info["last_action_valid"] is valid
        return self


def turned(board, direction):
    """Rotate a board that is drawn for the direction "right" so that it shows `direction`."""
    rows = [list(row.strip()) for row in board.split("\n") if row.strip()]
    turns = {RIGHT: 0, UP: 1, LEFT: 2, DOWN: 3}[direction]
    return "\n".join("".join(row) for row in np.rot90(np.array(rows), turns))


def check(before, action, after, reward=STEP, valid=True, **rules):
    """Check an action in all four directions. `action` maps a direction to an action; the boards are drawn for the
    direction "right"."""
    for direction in DIRECTIONS:
        game = Game(turned(before, direction), **rules).do(action(direction))
        game.expect(turned(after, direction), reward, valid)


# --- Pushes, moves and obstacles. Each board has a distant box, so that the game is not solved.


@pytest.mark.parametrize("action", [push, move])
def test_a_push_without_a_box_in_front_of_the_player_is_a_move(action):
    check("#######\n#@ $$.#\n#    .#\n#######", action, "#######\n# @$$.#\n#    .#\n#######")


@pytest.mark.parametrize("action", [push, move])
def test_the_player_can_move_onto_and_off_a_target(action):
    check("######\n#@. $#\n######", action, "######\n# + $#\n######")
    check("######\n#+  $#\n######", action, "######\n#.@ $#\n######")


def test_a_push_moves_one_box():
    check("#######\n#@$  .#\n#######", push, "#######\n# @$ .#\n#######")


def test_pushing_a_box_off_a_target_uncovers_the_target():
    check("########\n#@* $ .#\n########", push, "########\n# +$$ .#\n########", pytest.approx(-1.1))


@pytest.mark.parametrize("before", ["#@$$ ..#", "#@$$#..#", "#@** $.#", "#@$#.  #", "#@*#$ .#"])
def test_a_box_cannot_be_pushed_into_a_wall_or_another_box(before):
    board = f"########\n{before}\n########"
    check(board, push, board, valid=False)


@pytest.mark.parametrize("action", [push, move])
def test_a_wall_blocks_the_player(action):
    check("#####\n#.@##\n#$  #\n#####", action, "#####\n#.@##\n#$  #\n#####", valid=False)


@pytest.mark.parametrize("before", ["#@$  .#", "#@* $.#"])
def test_a_move_does_not_push_boxes(before):
    board = f"#######\n{before}\n#######"
    check(board, move, board, valid=False)


def test_a_no_op_changes_nothing_and_is_valid():
    board = "#######\n#@$  .#\n#######"
    game = Game(board).do(NOOP).expect(board)
    assert game.info["steps"] == 1 and game.info["moves"] == 0


# --- Rewards and the end of a game


def test_pushing_a_box_onto_or_off_or_between_targets_gives_the_documented_rewards():
    check("########\n#@$. $.#\n########", push, "########\n# @* $.#\n########", pytest.approx(0.9))
    check("########\n#@* $ .#\n########", push, "########\n# +$$ .#\n########", pytest.approx(-1.1))
    game = Game("########\n#@*. $ #\n########").do(push(RIGHT)).expect("########\n# +* $ #\n########")
    assert game.reward == -0.1, "the box leaves one target and covers another: no change"


def test_pushing_the_last_box_onto_a_target_solves_the_room():
    game = Game("#####\n#@$.#\n#####").do(push(RIGHT)).expect("#####\n# @*#\n#####", pytest.approx(10.9))
    assert game.terminated and not game.truncated
    assert game.info["outcome"] == "solved" and game.info["all_boxes_on_target"]
    assert not game.env.action_mask().any()
    with pytest.raises(ResetNeeded, match="solved"):
        game.do(NOOP)


def test_the_time_limit_truncates_the_game():
    game = Game("######\n#@$ .#\n######", max_steps=2).do(NOOP)
    assert not game.truncated
    game.do(push(LEFT))
    assert game.truncated and not game.terminated and game.info["outcome"] == "timeout"
    assert game.reward == STEP


def test_solving_takes_precedence_over_the_time_limit():
    game = Game("#####\n#@$.#\n#####", max_steps=1).do(push(RIGHT))
    assert game.terminated and not game.truncated and game.info["outcome"] == "solved"


def test_the_first_step_solves_a_room_that_starts_solved():
    game = Game("#####\n#@ *#\n#####")
    assert game.info["outcome"] is None
    game.do(NOOP)
    assert game.terminated and game.reward == pytest.approx(9.9)


def test_every_reward_term_can_be_set():
    reward = SokobanReward(step=2, on_target=30, off_target=400, solved=5000)
    game = Game("########\n#@$.$. #\n########", reward=reward)
    assert game.do(push(RIGHT)).reward == 32
    game = Game("########\n# *@ $.#\n########", reward={"step": 2, "off_target": 400})
    assert game.do(move(RIGHT)).reward == 2
    game = Game("########\n#@*  $.#\n########", reward=reward)
    assert game.do(push(RIGHT)).reward == 402
    assert Game("#####\n#@$.#\n#####", reward=reward).do(push(RIGHT)).reward == 5032


def test_info_counts_steps_and_moves_and_pushes():
    game = Game("########\n#@$  $.#\n#     .#\n########", pull=True)
    game.do(NOOP, push(RIGHT), push(RIGHT), move(LEFT), push(RIGHT), pull(LEFT), push(UP))
    counts = {name: game.info[name] for name in ("steps", "moves", "pushes", "pulls", "boxes", "boxes_on_target")}
    assert counts == {"steps": 7, "moves": 5, "pushes": 2, "pulls": 1, "boxes": 2, "boxes_on_target": 0}
    assert game.info["last_action_valid"] is False


# --- Push and pull


def test_a_pull_moves_the_box_behind_the_player():
    check("########\n#.$@  .#\n#  $   #\n########", pull, "########\n#. $@ .#\n#  $   #\n########", pull=True)


def test_a_pull_can_move_a_box_off_or_onto_a_target():
    check("########\n#*@   .#\n#  $   #\n########", pull, "########\n#.$@  .#\n#  $   #\n########",
          pytest.approx(-1.1), pull=True)  # fmt: skip
    check("########\n#$+   .#\n#  $   #\n########", pull, "########\n# *@  .#\n#  $   #\n########",
          pytest.approx(0.9), pull=True)  # fmt: skip


def test_a_pull_can_solve_the_room():
    check("######\n#$+  #\n######", pull, "######\n# *@ #\n######", pytest.approx(10.9), pull=True)


def test_a_pull_without_a_box_behind_the_player_is_a_move():
    check("######\n# @ .#\n#   $#\n######", pull, "######\n#  @.#\n#   $#\n######", pull=True)


@pytest.mark.parametrize("row", ["#$@$ #", "#$@# #", "#$@* #"])
def test_a_pull_requires_a_free_cell_in_front_of_the_player(row):
    spare = {"#$@$ #": "#. . #", "#$@# #": "#.   #", "#$@* #": "#.   #"}[row]
    board = f"######\n{row}\n{spare}\n######"
    check(board, pull, board, valid=False, pull=True)


def test_a_no_op_does_not_pull_a_box():
    board = "#######\n#@$  .#\n#######"
    Game(board, pull=True).do(NOOP).expect(board)


def test_pull_actions_are_invalid_without_the_pull_rule():
    game = Game("#######\n#@$  .#\n#######")
    with pytest.raises(ActionError, match="0 to 8"):
        game.do(9)


# --- Fixed targets: if a level has no numbers, the first box belongs to the first target, and so on


def test_a_box_counts_as_placed_only_on_its_own_target_if_targets_are_fixed():
    before = "#######\n#@$. .#\n#   $ #\n#     #\n#######"
    Game(before, fixed_targets=True).do(push(RIGHT)).expect(before.replace("@$.", " @*"), pytest.approx(0.9))
    other = Game(before + "\ntargets 2 1", fixed_targets=True).do(push(RIGHT))
    other.expect(before.replace("@$.", " @*") + "\ntargets 2 1")
    assert other.info["boxes_on_target"] == 0


def test_pushing_a_box_off_the_target_of_another_box_has_no_penalty():
    before = "########\n#@*   .#\n#   $  #\n#      #\n########"
    Game(before + "\ntargets 2 1", fixed_targets=True).do(push(RIGHT)).expect(before.replace("@* ", " +$"))
    Game(before, fixed_targets=True).do(push(RIGHT)).expect(before.replace("@* ", " +$"), pytest.approx(-1.1))


def test_boxes_on_the_wrong_targets_do_not_solve_the_room():
    board = (
        "#######\n#@$.* #\n#######"  # box 1 moves to target 1; with swapped numbers, box 2 covers the target of box 1
    )
    assert Game(board, fixed_targets=True).do(push(RIGHT)).info["outcome"] == "solved"
    crossed = Game(board + "\ntargets 2 1", fixed_targets=True).do(push(RIGHT))
    assert crossed.info["outcome"] is None and crossed.reward == STEP


def test_box_numbers_have_no_effect_without_fixed_targets():
    game = Game("#######\n#@$.* #\n#######\ntargets 2 1").do(push(RIGHT))
    assert game.info["outcome"] == "solved"
    assert game.env.get_state().planes.max() == 1


# --- Two players

PAIR = """
    #######
    #@$  .#
    #  2  #
    #######
"""


def test_both_players_can_act():
    game = Game(PAIR)
    game.do(second(move(RIGHT))).expect("#######\n#@$  .#\n#   2 #\n#######")
    game.do(push(RIGHT)).expect("#######\n# @$ .#\n#   2 #\n#######")
    game.do(NOOP).expect("#######\n# @$ .#\n#   2 #\n#######")


def test_the_second_player_can_push_in_every_direction():
    check("#######\n#2$   #\n#@   .#\n#######", lambda direction: second(push(direction)),
          "#######\n# 2$  #\n#@   .#\n#######")  # fmt: skip


def test_players_block_each_other():
    board = "######\n#@2$.#\n######"
    Game(board).do(push(RIGHT)).expect(board, valid=False)
    Game(board).do(move(RIGHT)).expect(board, valid=False)
    Game(board).do(second(move(LEFT))).expect(board, valid=False)


def test_a_player_blocks_a_box():
    board = "#######\n#@$2 .#\n#######"
    Game(board).do(push(RIGHT)).expect(board, valid=False)
    Game(board).do(second(push(LEFT))).expect(board, valid=False)


def test_two_players_can_pull():
    game = Game("########\n#.$2@  #\n########", pull=True)
    game.do(pull(RIGHT)).expect("########\n#.$2 @ #\n########")
    game.do(second(pull(RIGHT), each=12)).expect("########\n#. $2@ #\n########")
    assert game.env.rules.action_count == 25


# --- Four actions


def test_with_four_actions_a_move_pushes_a_box_if_possible():
    def only(direction):
        return direction

    check("#######\n#@$  .#\n#######", only, "#######\n# @$ .#\n#######", moves="four")
    check("#######\n#@ $ .#\n#######", only, "#######\n# @$ .#\n#######", moves="four")
    check("######\n#@$# #\n#   .#\n######", only, "######\n#@$# #\n#   .#\n######", valid=False, moves="four")
    check("#####\n#@$.#\n#####", only, "#####\n# @*#\n#####", pytest.approx(10.9), moves="four")


def test_two_players_have_four_actions_each():
    game = Game(PAIR, moves="four")
    assert game.env.rules.action_count == 8
    game.do(4 + RIGHT).expect("#######\n#@$  .#\n#   2 #\n#######")
    game.do(RIGHT).expect("#######\n# @$ .#\n#   2 #\n#######")


# --- Actions, masks and rules


@pytest.mark.parametrize(
    ("rules", "count"),
    [({}, 9), ({"pull": True}, 13), ({"players": 2}, 17), ({"fixed_targets": True}, 9), ({"moves": "four"}, 4)],
)
def test_the_number_of_actions_depends_on_the_rules(rules, count):
    assert SokobanRules(**rules).action_count == count


@pytest.mark.parametrize("action", [-1, 9, 1.0, "1", None, [1], np.int64(9)], ids=repr)
def test_an_action_outside_the_space_changes_nothing(action):
    game = Game("#######\n#@$  .#\n#######")
    before = game.env.state_hash()
    with pytest.raises(ActionError, match="expected an integer from 0 to 8"):
        game.do(action)
    assert game.env.state_hash() == before


@pytest.mark.parametrize(
    "rules",
    [{}, {"pull": True}, {"moves": "four"}, {"fixed_targets": True}, {"two": True}, {"two": True, "pull": True}],
)
def test_the_mask_contains_exactly_the_valid_actions(rules):
    rules = dict(rules)
    board = "#######\n#.@$ .#\n# $ 2 #\n#  #  #\n#######"
    game = Game(board if rules.pop("two", False) else board.replace("2", " "), **rules)
    rng = np.random.default_rng(1)
    for _ in range(300):
        state, mask = game.env.get_state(), game.env.action_mask()
        for action in range(game.env.rules.action_count):
            _, _, _, _, info = game.env.step(action)
            assert info["last_action_valid"] == mask[action]
            game.env.set_state(state)
        if game.do(int(rng.integers(game.env.rules.action_count))).terminated or game.truncated:
            game.env.reset()


@pytest.mark.parametrize(
    ("rules", "names"),
    [
        ({"players": 3}, "players=3"),
        ({"pull": "yes"}, "pull='yes'"),
        ({"moves": "eight"}, "moves='eight'"),
        ({"max_steps": 0}, "max_steps=0"),
        ({"dim_room": (2, 10)}, "dim_room, rows=2"),
        ({"dim_room": 10}, "dim_room=10"),
        ({"num_boxes": 0}, "num_boxes=0"),
        ({"reward": 3}, "reward=3"),
        ({"pull": True, "moves": "four"}, "pull=True requires"),
    ],
)
def test_the_error_names_the_invalid_rule(rules, names):
    with pytest.raises(ConfigError, match=names.replace("(", r"\(")):
        SokobanRules(**rules)
