"""`step_into` writes the results of a step into arrays provided by the caller."""

import pickle

import gymnasium as gym
import numpy as np
import pytest

import shoverworld  # noqa: F401
from shoverworld.core.errors import ActionError, ConfigError, ResetNeeded

BATCHES = {
    "Shover-World": ("ShoverWorld-v0", {"rules": "phase2", "max_timestep": 9}),
    "Shover-World, grid": ("ShoverWorld-v0", {"observation": "grid", "max_timestep": 9}),
    "Shover-World, planes": ("ShoverWalker-v0", {"observation": "planes", "max_timestep": 9}),
    "Sokoban, planes": ("Sokoban-4a-v0", {"levels": "easy", "max_steps": 9}),
    "Sokoban, new rooms": ("Sokoban-small-v0", {"max_steps": 9}),
    "Sokoban, pictures": ("Sokoban-small-v0", {"observation": "rgb", "levels": "easy", "max_steps": 9}),
    "Sokoban, fixed targets": ("FixedTarget-Sokoban-v2", {"max_steps": 9}),
    "race": ("Race-v0", {"max_rounds": 9}),
    "race, two cars": (
        "Race-v0",
        {"cars": 2, "max_rounds": 9, "observation": ["view", "position", "landing", "waiting"]},
    ),
}
MODES = ["NextStep", "SameStep", "Disabled"]


def batch(name, games=7, **keywords):
    env_id, settings = BATCHES[name]
    return gym.make_vec(
        f"shoverworld/{env_id}",
        num_envs=games,
        vectorization_mode="vector_entry_point",
        vector_kwargs=None,
        **(settings | keywords),
    ).unwrapped


def assert_same(mine, theirs):
    if isinstance(theirs, dict):
        assert mine.keys() == theirs.keys()
        for name in theirs:
            assert_same(mine[name], theirs[name])
    else:
        assert mine.dtype == theirs.dtype
        assert np.array_equal(mine, theirs)


def reset_ended(envs, ended):
    if envs.autoreset_mode.value == "Disabled" and ended.any():
        envs.reset(options={"reset_mask": ended.copy()})


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", BATCHES)
def test_step_into_gives_the_same_results_as_step(name, mode):
    envs, into = batch(name, autoreset_mode=mode), batch(name, autoreset_mode=mode)
    envs.reset(seed=3), into.reset(seed=3)
    envs.action_space.seed(3)
    obs, rewards, terminated, truncated = into.make_buffers()
    ends = 0
    for _ in range(40):
        actions = envs.action_space.sample()
        expected = envs.step(actions)
        assert into.step_into(actions, obs, rewards, terminated, truncated) is None
        assert_same(obs, expected[0])
        assert np.array_equal(rewards, expected[1].astype(np.float32))
        assert np.array_equal(terminated, expected[2])
        assert np.array_equal(truncated, expected[3])
        reset_ended(envs, terminated | truncated), reset_ended(into, terminated | truncated)
        ends += (terminated | truncated).sum()
    assert ends > 10


@pytest.mark.parametrize("name", BATCHES)
def test_step_and_step_into_can_alternate_with_different_arrays(name):
    envs, mixed = batch(name), batch(name, copy=False)
    envs.reset(seed=4), mixed.reset(seed=4)
    envs.action_space.seed(4)
    buffers = [mixed.make_buffers(), mixed.make_buffers()]
    for turn in range(40):
        actions = envs.action_space.sample()
        expected = envs.step(actions)
        if turn % 3 == 2:
            result = mixed.step(actions)
            assert_same(result[-1]["outcome"], expected[-1]["outcome"])
        else:
            result = buffers[turn % 2]
            mixed.step_into(actions, *result)
        assert_same(result[0], expected[0])
        assert np.array_equal(result[1], expected[1].astype(result[1].dtype))
        assert np.array_equal(result[2], expected[2])
        assert np.array_equal(result[3], expected[3])


@pytest.mark.parametrize("name", BATCHES)
def test_a_batch_can_be_copied_between_two_calls_to_step_into(name):
    envs = batch(name)
    envs.reset(seed=5)
    envs.action_space.seed(5)
    buffers = envs.make_buffers()
    for _ in range(5):
        envs.step_into(envs.action_space.sample(), *buffers)
    other = pickle.loads(pickle.dumps(envs))
    state = envs.get_state()
    others = other.make_buffers()
    for _ in range(15):
        actions = envs.action_space.sample()
        envs.step_into(actions, *buffers), other.step_into(actions, *others)
        assert_same(buffers[0], others[0])
    envs.set_state(state), other.set_state(state)
    actions = envs.action_space.sample()
    assert_same(envs.step(actions)[0], other.step(actions)[0])


def test_rewards_may_be_float64_and_flags_may_be_bytes():
    envs, into = batch("Sokoban, planes"), batch("Sokoban, planes")
    envs.reset(seed=6), into.reset(seed=6)
    envs.action_space.seed(6)
    obs = into.make_buffers()[0]
    rewards, flags = np.zeros(7), np.zeros((2, 7), np.uint8)
    for _ in range(12):
        actions = envs.action_space.sample()
        expected = envs.step(actions)
        into.step_into(actions, obs, rewards, *flags)
        assert np.array_equal(rewards, expected[1])
        assert np.array_equal(flags, expected[2:4])


def test_arrays_that_kernels_cannot_write_to_are_rejected():
    envs = batch("Shover-World")
    obs, rewards, terminated, truncated = envs.make_buffers()
    actions = envs.action_space.sample()
    with pytest.raises(ResetNeeded):
        envs.step_into(actions, obs, rewards, terminated, truncated)
    envs.reset(seed=0)
    state = envs.get_state()
    frozen = np.zeros(7, np.bool_)
    frozen.setflags(write=False)
    for wrong, message in (
        (
            (obs["grid"], rewards, terminated, truncated),
            "obs: expected a dict of arrays with the keys agent, direction, grid",
        ),
        ((obs | {"grid": obs["grid"][:, :, ::-1]}, rewards, terminated, truncated), "contiguous"),
        ((obs | {"grid": obs["grid"].astype(np.int64)}, rewards, terminated, truncated), "type int8, not"),
        ((obs, rewards[:3], terminated, truncated), r"rewards: expected an array of shape \(7,\)"),
        ((obs, rewards, frozen, truncated), "terminated: expected a contiguous, aligned and writable array"),
        ((obs, rewards, [False] * 7, truncated), "terminated: expected an array .* not list"),
        ((obs, rewards, terminated, terminated), "share memory"),
    ):
        with pytest.raises(ConfigError, match=message):
            envs.step_into(actions, *wrong)
    with pytest.raises(ActionError):
        envs.step_into(actions + 1000, obs, rewards, terminated, truncated)
    for mine, theirs in zip(envs.get_state()[:3], state[:3], strict=True):
        assert mine.tobytes() == theirs.tobytes()


@pytest.mark.parametrize("name", BATCHES)
def test_arrays_that_the_user_keeps_do_not_change(name):
    """With copy=True, the memory of a result is reused only after the user has released all of its arrays."""
    envs = batch(name)
    envs.reset(seed=7)
    envs.action_space.seed(7)
    rng = np.random.default_rng(7)
    kept = []
    for _ in range(60):
        obs, *results, info = envs.step(envs.action_space.sample())
        arrays = [*(obs.values() if isinstance(obs, dict) else [obs]), *results, *info.values()]
        array = arrays[rng.integers(len(arrays))]
        view = array[: rng.integers(1, 8)] if rng.random() < 0.5 else array
        del obs, results, info, arrays, array
        kept.append((view, view.copy()))
        if len(kept) > 20:
            del kept[rng.integers(len(kept))]
        for mine, copy in kept:
            assert np.array_equal(mine, copy)
