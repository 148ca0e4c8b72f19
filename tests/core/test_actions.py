"""Tests of actions in every game: valid actions, indices, masks, flat actions, and the reasons why actions are invalid."""

import gymnasium as gym
import numpy as np
import pytest

from shoverworld import ActionError, FlatActions, FlatVectorActions, Recorder, ResetNeeded, ShoverWorldEnv
from shoverworld.sokoban import Level, SokobanEnv
from tests.ids import ONE_OF_EACH, SHOVER, made, made_many, plain

CORRIDOR = Level.parse("######\n#@$$.#\n#   .#\n######")


def begun(env_id, seed=3):
    env = made(env_id).unwrapped
    env.reset(seed=seed)
    return env


# --- valid actions and indices


@pytest.mark.parametrize("env_id", ONE_OF_EACH)
def test_the_valid_actions_are_those_in_the_mask_and_step_accepts_them(env_id):
    env = begun(env_id)
    mask, state = env.action_mask(), env.get_state()
    actions = env.valid_actions()
    places = [env.index_of(action) for action in actions]
    assert places == sorted(places) and mask[places].all()
    if env_id not in SHOVER:  # in Shover-World, an action whose position does not matter is listed once
        assert places == np.flatnonzero(mask).tolist()
    for action in actions[:20]:
        env.set_state(state)
        assert env.step(action)[4]["last_action_valid"]


@pytest.mark.parametrize("env_id", ONE_OF_EACH)
def test_each_index_corresponds_to_one_action(env_id):
    env = begun(env_id)
    count = len(env.action_mask())
    actions = [env.action_of(index) for index in range(count)]
    assert [env.index_of(action) for action in actions] == list(range(count))
    assert len(set(actions)) == count
    assert all(env.action_space.contains(np.array(action)) for action in actions)
    assert env.action_of(np.int64(1)) == actions[1] == env.action_of(env.index_of(np.array(actions[1])))


@pytest.mark.parametrize("index", [-1, 9, 1.0, "1", None])
def test_an_index_out_of_range_raises_an_error(index):
    env = SokobanEnv(CORRIDOR)
    env.reset()
    with pytest.raises(ActionError, match="expected an integer from 0 to 8"):
        env.action_of(index)


def test_requesting_the_index_of_an_action_outside_the_space_raises_an_error():
    env = begun(SHOVER[0])
    with pytest.raises(ActionError, match="row 0-5"):
        env.index_of((6, 0, 1))


def test_a_game_that_is_over_has_no_valid_actions():
    env = SokobanEnv(Level.parse("#####\n#@$.#\n#####"))
    with pytest.raises(ResetNeeded):
        env.valid_actions()
    env.reset()
    env.step(4)
    assert env.valid_actions() == []


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        ("walker", [(1, 0, 0), (1, 0, 2), (1, 0, 3), (1, 0, 5)]),  # the no-op, right, down and the barrier maker
        ("phase2", [(0, 1, 0), (1, 0, 4)]),  # the box on the left can only be pushed off the map; the barrier maker
    ],
)
def test_an_action_whose_position_does_not_matter_is_listed_once(preset, expected):
    """It is listed with the shover's own cell. The mask marks it for every cell."""
    board = {"walker": "#..BB\nA..BB\n.....", "phase2": "#B#...\nA#.BB.\n...BB.\n......"}[preset]
    env = ShoverWorldEnv(rules=preset, n_rows=len(board.split()), n_cols=len(board.split()[0]))
    env.reset(options={"map": board})
    actions = [action for action in env.valid_actions() if preset == "walker" or action[1] < 3]
    assert actions == expected
    mask = env.action_mask().reshape(*env.action_space.nvec)
    z = expected[-1][2] - env.rules.first_z
    assert mask[:, :, z].all() and {action[2] for action in env.valid_actions()} == {
        int(place) + env.rules.first_z for place in np.flatnonzero(mask.any(axis=(0, 1)))
    }


@pytest.mark.parametrize("env_id", ONE_OF_EACH)
def test_a_batch_lists_the_valid_actions_in_each_game(env_id):
    envs = made_many(env_id, 3)
    envs.reset(seed=5)
    masks = envs.action_masks()
    assert np.array_equal(masks, envs.action_mask())
    for i, actions in enumerate(envs.valid_actions()):
        env = begun(env_id, 5 + i)
        assert actions == env.valid_actions()
        assert np.array_equal(masks[i], env.action_masks())
    indices = masks.argmax(axis=1)
    actions = envs.action_of(indices)
    assert np.array_equal(envs.index_of(actions), indices)
    assert envs.step(actions)[4]["last_action_valid"].all()


@pytest.mark.parametrize("indices", [[0, 0], [0, 0, -1], [0, 9, 0], [0.0, 0.0, 0.0], [[0], [0], [0]]])
def test_invalid_indices_for_a_batch_raise_an_error(indices):
    envs = gym.make_vec("shoverworld/Race-v0", num_envs=3, vectorization_mode="vector_entry_point")
    envs.reset(seed=0)
    with pytest.raises(ActionError, match="index"):
        envs.unwrapped.action_of(indices)


# --- flat actions


@pytest.mark.parametrize("env_id", ONE_OF_EACH)
def test_the_game_is_the_same_with_flat_actions(env_id):
    flat, own = FlatActions(made(env_id)), made(env_id)
    assert plain(flat.reset(seed=4)) == plain(own.reset(seed=4))
    assert isinstance(flat.action_space, gym.spaces.Discrete) and flat.action_space.start == 0
    flat.action_space.seed(0)
    for _ in range(30):
        number = flat.action_space.sample()
        assert flat.flatten(flat.unflatten(number)) == number
        assert np.array_equal(flat.action_masks(), own.unwrapped.action_masks())
        result = flat.step(number)
        assert plain(result) == plain(own.step(own.unwrapped.action_of(number)))
        if result[2] or result[3]:
            break


@pytest.mark.parametrize("env_id", ONE_OF_EACH)
def test_the_games_in_a_batch_are_the_same_with_flat_actions(env_id):
    flat, own = FlatVectorActions(made_many(env_id, 3)), made_many(env_id, 3)
    assert plain(flat.reset(seed=4)) == plain(own.reset(seed=4))
    count = flat.action_masks().shape[1]
    assert flat.single_action_space == gym.spaces.Discrete(count)
    assert flat.action_space == gym.spaces.MultiDiscrete([count] * 3)
    flat.action_space.seed(0)
    for _ in range(20):
        numbers = flat.action_space.sample()
        assert np.array_equal(flat.flatten(flat.unflatten(numbers)), numbers)
        assert plain(flat.step(numbers)) == plain(own.step(own.unwrapped.action_of(numbers)))


def test_flat_actions_reject_environments_that_they_cannot_wrap():
    envs = gym.make_vec("shoverworld/Race-v0", num_envs=2, vectorization_mode="vector_entry_point")
    with pytest.raises(TypeError, match="FlatVectorActions"):
        FlatActions(envs)
    with pytest.raises(TypeError, match="environments from this package"):
        FlatActions(gym.make("CartPole-v1"))
    with pytest.raises(TypeError, match="environments from this package"):
        FlatVectorActions(gym.make_vec("CartPole-v1", num_envs=2))


# --- why an action is invalid


@pytest.mark.parametrize("env_id", ONE_OF_EACH)
def test_an_action_is_explained_if_and_only_if_it_is_invalid(env_id):
    env = begun(env_id)
    valid, before = set(map(env.action_of, np.flatnonzero(env.action_mask()))), env.state_hash()
    for index in range(0, len(env.action_mask()), 3):
        action = env.action_of(index)
        assert (env.explain(action) == "") == (action in valid)
    assert env.state_hash() == before


@pytest.mark.parametrize("env_id", ONE_OF_EACH)
def test_the_explanation_agrees_with_the_result_of_the_step(env_id):
    env = begun(env_id)
    env.action_space.seed(2)
    for _ in range(40):
        action = env.action_space.sample()
        expected = env.explain(action)
        *_, terminated, truncated, info = env.step(action)
        assert env.why_invalid() == expected
        assert (info["invalid_reason"] == "") == info["last_action_valid"] == (expected == "")
        assert info["invalid_reason"] in env.invalid_reasons
        if terminated or truncated:
            break


def test_explaining_an_action_affects_neither_the_observation_nor_later_random_numbers():
    env, twin = begun(SHOVER[0]), begun(SHOVER[0])
    env.explain((0, 0, 5))
    assert plain(env.observe()) == plain(twin.observe())
    assert plain(env.step((0, 0, 1))) == plain(twin.step((0, 0, 1)))
    assert plain(env.reset()) == plain(twin.reset())


def test_explaining_an_impossible_action_raises_the_same_error_as_step():
    env = SokobanEnv(Level.parse("#####\n#@$.#\n#####"))
    with pytest.raises(ResetNeeded):
        env.explain(1)
    env.reset()
    with pytest.raises(ActionError):
        env.explain(9)
    env.step(4)
    with pytest.raises(ResetNeeded):
        env.explain(1)


@pytest.mark.parametrize(
    ("action", "code", "sentence"),
    [
        (1, "wall", "a wall is in the way"),
        (4, "box_beyond", "the box is against another box"),
        (8, "box", "a box is in the way, and only a push can move it"),
        (2, "", ""),
    ],
)
def test_sokoban_reports_a_code_and_a_sentence_for_an_invalid_action(action, code, sentence):
    env = SokobanEnv(CORRIDOR)
    env.reset()
    assert env.explain(action) == sentence
    assert env.step(action)[4]["invalid_reason"] == code


def test_the_reason_for_an_invalid_action_names_the_numbered_box_or_the_other_player():
    env = SokobanEnv(Level.parse("######\n#@@..#\n# $  #\n# $  #\n######"), players=2, fixed_targets=True)
    env.reset()
    assert env.explain(4) == "the second player is in the way"
    assert env.explain(11) == "the first player is in the way"
    assert env.explain(10) == "box 1 is against another box"


def test_a_replay_contains_the_reason_for_an_invalid_action():
    env = Recorder(ShoverWorldEnv())
    env.reset(options={"map": "A.B#"})
    env.step((0, 2, 2))
    assert "invalid: there is a barrier beyond the box" in env.replay().to_text()


def test_a_copied_state_keeps_the_reason_for_an_invalid_action():
    env, other = begun(SHOVER[0]), begun(SHOVER[0])
    env.step((0, 0, 5))
    other.set_state(env.get_state())
    assert other.why_invalid() == env.why_invalid() == "there is no perfect square"
    assert other.observe()[1]["invalid_reason"] == "no_square"
