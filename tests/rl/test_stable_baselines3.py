"""Stable-Baselines3 accepts the environments: its checker passes, and PPO trains on them. Run with `make test-rl`."""

import re

import gymnasium as gym
import numpy as np
import pytest

import shoverworld
from shoverworld.registry import entries
from tests.paths import ROOT

sb3 = pytest.importorskip("stable_baselines3")
from stable_baselines3.common.env_checker import check_env  # noqa: E402

IDS = [entry.id for entry in entries() if entry.game.name == "shover"]
SOKOBAN = [entry.id for entry in entries() if entry.game.name == "sokoban" and "levels" not in entry.env_id.settings]


def flat(env_id: str, **keywords) -> shoverworld.FlatActions:
    return shoverworld.FlatActions(gym.make(env_id, **keywords))


@pytest.mark.parametrize("env_id", IDS)
def test_the_flat_wrapper_passes_the_checker(env_id):
    check_env(flat(env_id), warn=True, skip_render_check=True)


@pytest.mark.parametrize("env_id", IDS)
def test_ppo_trains_on_the_flat_wrapper(env_id):
    env = flat(env_id, n_rows=4, n_cols=5, number_of_boxes=2, number_of_barriers=0, number_of_lavas=2)
    model = sb3.PPO("MultiInputPolicy", env, n_steps=64, batch_size=32, n_epochs=1, seed=1, device="cpu")
    before = [parameter.detach().clone() for parameter in model.policy.parameters()]
    model.learn(256)
    assert any((parameter != old).any() for parameter, old in zip(model.policy.parameters(), before, strict=True))
    observation, _ = env.reset(seed=3)
    action, _ = model.predict(observation, deterministic=True)
    assert env.action_space.contains(np.int64(action))


@pytest.mark.parametrize("env_id", SOKOBAN)
def test_sokoban_passes_the_checker_without_a_wrapper(env_id):
    check_env(gym.make(env_id), warn=True, skip_render_check=True)


@pytest.mark.parametrize(("env_id", "kind"), [("Sokoban-small-v0", "planes"), ("Sokoban-4a-v0", "tiny_rgb")])
def test_ppo_trains_on_sokoban(env_id, kind):
    env = gym.make(f"shoverworld/{env_id}", observation=kind)
    model = sb3.PPO("MlpPolicy", env, n_steps=64, batch_size=32, n_epochs=1, seed=1, device="cpu")
    before = [parameter.detach().clone() for parameter in model.policy.parameters()]
    model.learn(256)
    assert any((parameter != old).any() for parameter, old in zip(model.policy.parameters(), before, strict=True))
    observation, _ = env.reset(seed=3)
    action, _ = model.predict(observation, deterministic=True)
    assert env.action_space.contains(np.int64(action))


@pytest.mark.parametrize("kind", ["dict", "grid", "planes", "rgb"])
@pytest.mark.parametrize("env_id", IDS)
def test_every_kind_of_observation_passes_the_checker(env_id, kind):
    check_env(flat(env_id, observation=kind), warn=True, skip_render_check=True)


@pytest.mark.parametrize(
    "env_id", ["shoverworld/ShoverWalker-v0", "shoverworld/ShoverSelect-v0", "shoverworld/Race-v0"]
)
def test_ppo_can_train_without_a_wrapper(env_id):
    """The numbers in the actions of these ids start at 0, as Stable-Baselines3 assumes."""
    sb3.PPO("MultiInputPolicy", gym.make(env_id), n_steps=64, batch_size=32, n_epochs=1, device="cpu").learn(64)


def test_ppo_and_the_checker_need_a_wrapper_only_for_shoverworld_v0():
    """In this id, z starts at 1, as docs/learning.md explains."""
    env = gym.make("shoverworld/ShoverWorld-v0")
    with pytest.warns(UserWarning, match="non-zero start"):
        check_env(env, warn=True, skip_render_check=True)
    with pytest.raises(shoverworld.ActionError, match="z 1-6"):
        sb3.PPO("MultiInputPolicy", env, n_steps=64, batch_size=32, n_epochs=1, seed=1, device="cpu").learn(64)
    env = gym.make("shoverworld/ShoverWorld-v0", z_base=0)
    sb3.PPO("MultiInputPolicy", env, n_steps=64, batch_size=32, n_epochs=1, seed=1, device="cpu").learn(64)


@pytest.mark.parametrize("env_id", IDS)
def test_maskable_ppo_runs_on_shover_world_only_with_the_wrapper(env_id):
    contrib = pytest.importorskip("sb3_contrib")
    env = gym.make(env_id)
    settings = {"n_steps": 32, "batch_size": 32, "n_epochs": 1, "seed": 1, "device": "cpu"}
    with pytest.raises(RuntimeError, match="invalid for input of size"):
        contrib.MaskablePPO("MultiInputPolicy", env, **settings).learn(32)
    contrib.MaskablePPO("MultiInputPolicy", shoverworld.FlatActions(env), **settings).learn(32)


@pytest.mark.parametrize("env_id", ["shoverworld/Sokoban-small-v0", "shoverworld/Race-v0"])
def test_maskable_ppo_runs_on_the_other_games_without_a_wrapper(env_id):
    contrib = pytest.importorskip("sb3_contrib")
    policy = "MlpPolicy" if "Sokoban" in env_id else "MultiInputPolicy"
    contrib.MaskablePPO(policy, gym.make(env_id), n_steps=32, batch_size=32, n_epochs=1, device="cpu").learn(32)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["learning", "deep-rl"])
def test_the_examples_on_the_pages_run(name, tmp_path, monkeypatch):
    pytest.importorskip("sb3_contrib")
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec("\n".join(block for block in blocks if "RecordVideo" not in block), {})
