"""Gymnasium's wrappers work on every game: videos, statistics, and wrappers that change observations."""

import re
import subprocess
import sys

import gymnasium as gym
import numpy as np
import pytest
from gymnasium import wrappers

from shoverworld import FlatActions
from tests.ids import ONE_OF_EACH, RACE, SHOVER, SOKOBAN, made
from tests.paths import ROOT

pytestmark = pytest.mark.filterwarnings("ignore:.*Overwriting existing videos")


def played(env, steps=15):
    """Play random actions, and return the environment and the observations."""
    env.action_space.seed(1)
    seen = [env.reset(seed=1)[0]]
    for _ in range(steps):
        obs, _, terminated, truncated, _ = env.step(env.action_space.sample())
        seen.append(obs)
        if terminated or truncated:
            break
    return seen


@pytest.mark.parametrize("env_id", [SHOVER[0], SOKOBAN[0], RACE[0]])
def test_record_video_writes_a_video(env_id, tmp_path):
    """The extra `video` installs moviepy, which contains an encoder."""
    pytest.importorskip("moviepy", reason="the extra `video` is not installed")
    env = wrappers.RecordVideo(made(env_id, render_mode="rgb_array"), str(tmp_path))
    played(env)
    env.close()
    [video] = tmp_path.glob("*.mp4")
    assert video.stat().st_size > 1000 and video.read_bytes()[4:8] == b"ftyp"


@pytest.mark.parametrize("env_id", ONE_OF_EACH)
def test_wrappers_for_statistics_and_time_limits_and_flat_observations_work(env_id):
    env = wrappers.FlattenObservation(wrappers.RecordEpisodeStatistics(made(env_id, max_episode_steps=10)))
    for obs in played(env):
        assert obs.ndim == 1 and env.observation_space.contains(obs)
    assert env.get_wrapper_attr("length_queue")[0] == 10


@pytest.mark.parametrize("env_id", ONE_OF_EACH)
def test_stacked_observations_work(env_id):
    env = wrappers.FrameStackObservation(made(env_id), 3)
    for obs in played(env):
        assert env.observation_space.contains(obs)


@pytest.mark.parametrize("env_id", ONE_OF_EACH)
def test_time_aware_observations_work_with_max_episode_steps(env_id):
    env = wrappers.TimeAwareObservation(made(env_id, max_episode_steps=10), flatten=False)
    seen = played(env)
    assert len(seen) == 11 and all(env.observation_space.contains(obs) for obs in seen)
    with pytest.raises(ValueError, match="max_episode_steps"):  # the learning page says why
        wrappers.TimeAwareObservation(made(env_id))


@pytest.mark.parametrize("env_id", ONE_OF_EACH)
def test_a_mask_converted_to_int8_restricts_samples_to_valid_actions(env_id):
    env = FlatActions(made(env_id))
    env.reset(seed=0)
    mask = env.action_mask()
    env.action_space.seed(0)
    samples = {int(env.action_space.sample(mask.astype("int8"))) for _ in range(50)}
    assert mask.dtype == bool and mask[list(samples)].all()


@pytest.mark.parametrize("env_id", SHOVER)
def test_the_mask_of_a_multidiscrete_space_has_one_entry_for_each_combination(env_id):
    env = made(env_id)
    env.reset(seed=0)
    masks = env.unwrapped.action_masks()
    assert masks.shape == (int(np.prod(env.action_space.nvec)),)
    assert (masks == env.unwrapped.action_mask()).all() and (masks == FlatActions(env).action_masks()).all()


@pytest.mark.parametrize("env_id", [SHOVER[0], SOKOBAN[0], RACE[0]])
def test_every_entry_of_an_observation_is_an_array_unless_its_space_is_discrete(env_id):
    """The learning page names `direction` as the only exception."""
    env = made(env_id)
    obs, _ = env.reset(seed=0)
    entries = obs if isinstance(obs, dict) else {"": obs}
    assert [name for name, value in entries.items() if np.shape(value) == ()] == (
        ["direction"] if env_id in SHOVER else []
    )


def test_the_action_masks_can_be_read_from_an_async_vector_env():
    envs = gym.make_vec(RACE[0], num_envs=2, vectorization_mode="async")
    try:
        envs.reset(seed=0)
        assert np.stack(envs.call("action_masks")).shape == (2, 9)
    finally:
        envs.close()


def test_the_examples_on_the_learning_page_run(tmp_path):
    """The tests in tests/rl also run the examples that need Stable-Baselines3."""
    page = (ROOT / "docs" / "learning.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 9
    own = [block for block in blocks if "stable_baselines3" not in block and "sb3_contrib" not in block]
    if not _has_moviepy():
        own = [block for block in own if "RecordVideo" not in block]
    program = "\n".join(["import gymnasium as gym, shoverworld", *own])
    subprocess.run([sys.executable, "-c", program], check=True, cwd=tmp_path)
    assert (tmp_path / "videos" / "rl-video-episode-0.mp4").exists() == _has_moviepy()


def _has_moviepy() -> bool:
    try:
        import moviepy  # noqa: F401
    except ImportError:
        return False
    return True
