"""`learn.sb3.VecEnv` plays the same games as Stable-Baselines3's DummyVecEnv. Run with `make test-rl`."""

import subprocess
import sys

import gymnasium as gym
import numpy as np
import pytest

import shoverworld
from shoverworld import ConfigError
from tests.ids import plain

sb3 = pytest.importorskip("stable_baselines3")
contrib = pytest.importorskip("sb3_contrib")
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported  # noqa: E402
from stable_baselines3.common.evaluation import evaluate_policy  # noqa: E402
from stable_baselines3.common.monitor import Monitor  # noqa: E402
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize  # noqa: E402

from shoverworld.learn.sb3 import VecEnv  # noqa: E402

GAMES = 5
SMALL = {
    "n_rows": 4,
    "n_cols": 5,
    "number_of_boxes": 5,
    "number_of_barriers": 1,
    "number_of_lavas": 1,
    "max_timestep": 9,
}
CASES = [
    ("shoverworld/ShoverWorld-v0", SMALL),
    ("shoverworld/ShoverWalker-v0", {**SMALL, "observation": "planes"}),
    ("shoverworld/ShoverSelect-v0", {**SMALL, "observation": "grid", "max_timestep": 30}),
    ("shoverworld/Sokoban-4a-v0", {"dim_room": (6, 6), "num_boxes": 1, "max_steps": 20}),
    ("shoverworld/Sokoban-small-v0", {"observation": "tiny_rgb", "max_steps": 15}),
    ("shoverworld/Race-v0", {"max_rounds": 12}),
]
IN_A_BATCH = {"perfect_squares_available", "square_born", "number_of_squares"}  # these entries have another form
ALONE = {"perfect_squares_available", "square_ages", "solution", "fault"}


def dummy(env_id: str, **keywords) -> DummyVecEnv:
    return DummyVecEnv(
        [lambda: Monitor(shoverworld.FlatActions(gym.make(env_id, **keywords)), allow_early_resets=True)] * GAMES
    )


def compared(info: dict, left_out: set[str]) -> dict:
    """Return an info dict without the entries that differ on purpose and without the time."""
    kept = {key: value for key, value in info.items() if key not in left_out}
    if "episode" in kept:
        kept["episode"] = {key: kept["episode"][key] for key in ("r", "l")}
    return plain(kept)


@pytest.mark.parametrize(("env_id", "keywords"), CASES)
def test_every_step_is_that_of_a_dummy_vec_env(env_id, keywords):
    ours, theirs = VecEnv(env_id, GAMES, infos="all", **keywords), dummy(env_id, **keywords)
    assert (ours.observation_space, ours.action_space) == (theirs.observation_space, theirs.action_space)
    assert ours.seed(7) == theirs.seed(7)
    rng, ends = np.random.default_rng(1), {True: 0, False: 0}
    assert plain(ours.reset()) == plain(theirs.reset())
    for step in range(150):
        masks = ours.env_method("action_masks")
        assert plain(masks) == plain(theirs.env_method("action_masks"))
        choices = rng.random((GAMES, ours.action_space.n)) * (masks if step % 3 else 1)
        obs, rewards, dones, infos = ours.step(choices.argmax(axis=1))
        obs_2, rewards_2, dones_2, infos_2 = theirs.step(choices.argmax(axis=1))
        assert plain(obs) == plain(obs_2)
        assert types_of(obs) == types_of(obs_2)
        assert (rewards.dtype, dones.dtype) == (rewards_2.dtype, dones_2.dtype)
        assert (rewards.tolist(), dones.tolist()) == (rewards_2.tolist(), dones_2.tolist())
        for info, info_2 in zip(infos, infos_2, strict=True):
            assert compared(info, IN_A_BATCH) == compared(info_2, ALONE)
        resets = zip(ours.reset_infos, theirs.reset_infos, strict=True)
        assert all(compared(info, IN_A_BATCH) == compared(info_2, ALONE) for info, info_2 in resets)
        for i in np.flatnonzero(dones):
            ends[infos[i]["TimeLimit.truncated"]] += 1
    assert ends[True] and (ends[False] or ("Select" not in env_id and "4a" not in env_id))
    ours.close()
    theirs.close()


def types_of(obs):
    arrays = obs if isinstance(obs, dict) else {"": obs}
    return {key: (array.dtype, array.shape, array.flags.c_contiguous) for key, array in arrays.items()}


def test_by_default_only_the_last_step_of_an_episode_has_an_info():
    env_id, keywords = CASES[3]
    brief, full = VecEnv(env_id, GAMES, seed=1, **keywords), VecEnv(env_id, GAMES, seed=1, infos="all", **keywords)
    brief.reset(), full.reset()
    for _ in range(30):
        actions = np.ones(GAMES, np.int64)
        *_, dones, infos = brief.step(actions)
        *_, full_infos = full.step(actions)
        for done, info, full_info in zip(dones, infos, full_infos, strict=True):
            expected = compared(full_info, set()) if done else {"TimeLimit.truncated": False}
            assert compared(info, set()) == expected
        assert len({id(info) for info in infos}) == GAMES  # Stable-Baselines3's wrappers write into these dicts


def test_earlier_observations_are_not_overwritten():
    envs = VecEnv("shoverworld/Sokoban-4a-v0", GAMES, seed=1)
    first = envs.reset()
    kept = first.copy()
    for action in range(4):
        envs.step(np.full(GAMES, action))
    assert np.array_equal(first, kept)


def test_a_seed_is_used_once_and_repeats_the_games():
    envs = VecEnv("shoverworld/Sokoban-small-v0", GAMES, seed=3)
    first, second = envs.reset(), envs.reset()
    assert not np.array_equal(first, second)
    envs.seed(3)
    assert np.array_equal(envs.reset(), first) and np.array_equal(envs.reset(), second)


def test_options_apply_to_the_next_reset():
    envs = VecEnv("shoverworld/ShoverWorld-v0", GAMES, **{**SMALL, "observation": "grid"})
    board = "A....\n.B...\n.....\n....L"
    envs.set_options({"map": board})
    assert (envs.reset() == [[50, 0, 0, 0, 0], [0, 10, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, -100]]).all()
    envs.set_options([{"map": board}, *[{}] * (GAMES - 1)])
    with pytest.raises(ConfigError, match="the same options"):
        envs.reset()


def test_masks_are_computed_with_one_call(monkeypatch):
    envs = VecEnv("shoverworld/ShoverSelect-v0", GAMES, seed=1)
    envs.reset()
    assert is_masking_supported(envs)
    calls = []
    mark_valid = envs.unwrapped_batch.mark_valid
    monkeypatch.setattr(envs.unwrapped_batch, "mark_valid", lambda mask: (calls.append(mask.shape), mark_valid(mask)))
    masks = get_action_masks(envs)
    assert calls == [(GAMES, 9, 13, 6)] and masks.shape == (GAMES, 702) and masks.any(axis=1).all()
    assert plain(envs.env_method("action_masks", indices=[3, 1])) == plain(masks[[3, 1]])
    assert plain(envs.env_method("action_masks", indices=2)) == plain(masks[[2]])


def test_attributes():
    envs = VecEnv("shoverworld/ShoverSelect-v0", GAMES)
    assert [rules.actor for rules in envs.get_attr("rules")] == ["select"] * GAMES
    assert envs.get_attr("render_mode", indices=[0, 1]) == [None, None]
    assert not envs.has_attr("difficulty")
    envs.set_attr("difficulty", 2, indices=1)
    assert envs.get_attr("difficulty") == [None, 2, None, None, None]
    with pytest.raises(AttributeError, match="pass the setting to VecEnv"):
        envs.set_attr("rules", None)
    with pytest.raises(AttributeError, match="expected 'action_mask'"):
        envs.env_method("get_state")
    assert envs.env_is_wrapped(Monitor) == [True] * GAMES
    assert envs.env_is_wrapped(gym.wrappers.TimeLimit, indices=[1]) == [False]


def test_a_batch_can_be_passed():
    made = gym.make_vec("shoverworld/ShoverSelect-v0", 3, "vector_entry_point", autoreset_mode="SameStep")
    assert VecEnv(shoverworld.FlatVectorActions(made)).num_envs == VecEnv(made).num_envs == 3
    with pytest.raises(ConfigError, match="SameStep"):
        VecEnv(gym.make_vec("shoverworld/ShoverSelect-v0", 3, "vector_entry_point"))
    with pytest.raises(ConfigError, match="expected an environment id"):
        VecEnv(gym.make_vec("CartPole-v1", 3))
    with pytest.raises(ConfigError, match="env='CartPole-v1': expected an environment id"):
        VecEnv("CartPole-v1", 3)
    with pytest.raises(ConfigError, match="num_envs and further arguments"):
        VecEnv(made, num_envs=4)
    with pytest.raises(ConfigError, match="copy: VecEnv sets"):
        VecEnv("shoverworld/Sokoban-v0", 2, copy=False)


SETTINGS = {"n_steps": 16, "batch_size": 40, "n_epochs": 1, "seed": 1, "device": "cpu"}


@pytest.mark.parametrize("library", ["PPO", "MaskablePPO"])
def test_training_gives_the_same_network_as_on_a_dummy_vec_env(library):
    algorithm = {"PPO": sb3.PPO, "MaskablePPO": contrib.MaskablePPO}[library]
    env_id, keywords = CASES[3]
    networks = []
    for envs in (VecEnv(env_id, GAMES, **keywords), dummy(env_id, **keywords)):
        model = algorithm("MlpPolicy", envs, **SETTINGS)
        model.learn(16 * GAMES * 4)
        networks.append([parameter.detach().numpy() for parameter in model.policy.parameters()])
        assert len(model.ep_info_buffer) > 0
    assert all(np.array_equal(one, other) for one, other in zip(*networks, strict=True))


@pytest.mark.parametrize(("env_id", "keywords"), CASES)
def test_maskable_ppo_trains_on_every_game(env_id, keywords):
    envs = VecEnv(env_id, GAMES, **keywords)
    policy = "MultiInputPolicy" if isinstance(envs.observation_space, gym.spaces.Dict) else "MlpPolicy"
    contrib.MaskablePPO(policy, envs, **SETTINGS).learn(16 * GAMES)


def test_dqn_and_the_wrappers_of_stable_baselines3():
    env_id, keywords = CASES[3]
    model = sb3.DQN("MlpPolicy", VecEnv(env_id, GAMES, **keywords), learning_starts=20, buffer_size=500, device="cpu")
    model.learn(100)
    mean, _ = evaluate_policy(model, VecEnv(env_id, GAMES, seed=1, **keywords), n_eval_episodes=10)
    assert -3 <= mean <= 11
    normalized = VecNormalize(VecEnv(env_id, GAMES, seed=1, **keywords), norm_obs=False)
    sb3.PPO("MlpPolicy", normalized, **SETTINGS).learn(16 * GAMES)


def test_the_package_does_not_import_stable_baselines3():
    code = "import sys, shoverworld.learn, gymnasium; sys.exit('stable_baselines3' in sys.modules or 'torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
