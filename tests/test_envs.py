"""Every id of the registry: Gymnasium's checker, seeds, states, masks, pictures, and the same game in every guise."""

import json
import os
import subprocess
import sys

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import shoverworld
from shoverworld import FlatActions, Map, ShoverWorldEnv
from shoverworld.registry import ENTRIES

IDS = [entry.id for entry in ENTRIES]


def episode(env, seed, steps=60):
    """What happens when the actions of a fixed seed are played: everything that can be told about it."""
    env.action_space.seed(seed)
    obs, info = env.reset(seed=seed)
    story = [(obs["grid"].tolist(), obs["agent"].tolist(), info["stamina"])]
    for _ in range(steps):
        obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
        story.append((obs["grid"].tolist(), obs["agent"].tolist(), info["stamina"], reward, info["outcome"]))
        if terminated or truncated:
            obs, info = env.reset()
            story.append((obs["grid"].tolist(), obs["agent"].tolist(), info["stamina"]))
    return story


@pytest.mark.parametrize("env_id", IDS)
@pytest.mark.filterwarnings("ignore:.*Box observation space (minimum|maximum) value is.*infinity")
def test_gymnasium_finds_no_fault(env_id):
    check_env(gym.make(env_id, render_mode="rgb_array").unwrapped)


@pytest.mark.parametrize("env_id", IDS)
def test_the_same_seed_gives_the_same_episode_and_another_seed_another(env_id):
    first, second = episode(gym.make(env_id), 5), episode(gym.make(env_id), 5)
    assert first == second
    assert episode(gym.make(env_id), 6) != first


@pytest.mark.parametrize("env_id", IDS)
def test_the_seed_keyword_is_the_seed_of_the_first_reset(env_id):
    by_keyword, _ = gym.make(env_id, seed=9).reset()
    by_reset, _ = gym.make(env_id).reset(seed=9)
    assert np.array_equal(by_keyword["grid"], by_reset["grid"])


PLAIN_PYTHON = """
import json, sys
import gymnasium as gym, shoverworld, numba
from tests.test_envs import episode
assert numba.config.DISABLE_JIT
print(json.dumps({i: episode(gym.make(i), 3, 40) for i in json.loads(sys.argv[1])}))
"""


def test_plain_python_plays_the_same_episode_as_compiled_code():
    """NUMBA_DISABLE_JIT=1 needs a process of its own."""
    run = subprocess.run(
        [sys.executable, "-c", PLAIN_PYTHON, json.dumps(IDS)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(run.stdout)
    for env_id in IDS:
        compiled = json.loads(json.dumps(episode(gym.make(env_id), 3, 40)))
        assert told[env_id] == compiled


@pytest.mark.parametrize("env_id", IDS)
def test_a_state_put_back_plays_on_the_same(env_id):
    env = gym.make(env_id).unwrapped
    env.action_space.seed(1)
    env.reset(seed=1)
    for _ in range(10):
        env.step(env.action_space.sample())
    kept = env.get_state()
    actions = [env.action_space.sample() for _ in range(30)]
    first = [env.step(action)[1:] for action in actions]
    other = gym.make(env_id).unwrapped
    for player in (env, other):
        player.set_state(kept)
        again = [player.step(action)[1:] for action in actions]
        assert again == first
    # the dice are part of the state: the next random map is the same too
    env.set_state(kept)
    other.set_state(kept)
    assert np.array_equal(env.reset()[0]["grid"], other.reset()[0]["grid"])


@pytest.mark.parametrize("env_id", IDS)
def test_the_mask_says_what_is_valid(env_id):
    env = gym.make(env_id, n_rows=4, n_cols=5, number_of_boxes=6).unwrapped
    env.reset(seed=2)
    state, mask = env.get_state(), env.action_mask()
    assert mask.shape == (np.prod(env.action_space.nvec),)
    for number, said in enumerate(mask):
        env.set_state(state)
        action = np.array(np.unravel_index(number, env.action_space.nvec)) + env.action_space.start
        assert env.step(action)[4]["last_action_valid"] == said


@pytest.mark.parametrize("env_id", IDS)
def test_flat_actions_number_the_same_actions(env_id):
    flat, plain = FlatActions(gym.make(env_id)), gym.make(env_id)
    obs, _ = flat.reset(seed=4)
    plain.reset(seed=4)
    assert flat.observation_space.contains(obs)
    assert np.array_equal(flat.action_masks(), plain.unwrapped.action_mask())
    flat.action_space.seed(0)
    for _ in range(50):
        number = flat.action_space.sample()
        action = flat.unflatten(number)
        assert flat.flatten(action) == number
        obs, *rest = flat.step(number)
        told, *expected = plain.step(action)
        assert rest == expected
        assert np.array_equal(obs["grid"], told["grid"])
        assert flat.observation_space.contains(obs)


def test_flat_actions_follow_a_map_of_another_shape():
    env = FlatActions(gym.make(IDS[0], n_rows=2, n_cols=3))
    for text in ("A.\n.B\n..", "A..\n.B."):
        obs, _ = env.reset(options={"map": text})
        assert env.observation_space.contains(obs)
        assert env.action_space.n == 36
        assert env.action_masks().shape == (36,)


def test_flat_actions_refuse_what_is_no_action():
    env = FlatActions(gym.make(IDS[0]))
    env.reset(seed=0)
    with pytest.raises(shoverworld.ActionError):
        env.step(env.action_space.n)


def test_a_map_given_to_reset_is_for_one_episode_and_may_have_any_size():
    env = gym.make("shoverworld/ShoverWorld-v0")
    obs, info = env.reset(seed=1, options={"map": "..B\n.A.\n..L", "agent": (0, 0)})
    assert obs["grid"].tolist() == [[0, 0, 10], [0, 0, 0], [0, 0, -100]]
    assert obs["agent"].tolist() == [0, 0]
    assert info["number_of_boxes"] == 1
    assert env.observation_space.contains(obs)
    obs, _, terminated, _, info = env.step((0, 2, 3))  # down
    obs, _, terminated, _, info = env.step((1, 2, 3))
    assert terminated
    assert info["outcome"] == "cleared"
    obs, _ = env.reset()
    assert obs["grid"].shape == (6, 9)


def test_solvable_maps_can_be_cleared_and_are_the_same_everywhere():
    keywords = {"rules": "walker", "n_rows": 6, "n_cols": 6, "number_of_boxes": 3, "solvable": True}
    env = ShoverWorldEnv(**keywords)
    envs = gym.make_vec("shoverworld/ShoverWorld-v0", num_envs=3, vectorization_mode="vector_entry_point", **keywords)
    grids = envs.reset(seed=10)[0]["grid"]
    for i in range(3):
        obs, _ = env.reset(seed=10 + i)
        assert np.array_equal(obs["grid"], grids[i])
        plan = shoverworld.solve(Map(obs["grid"], tuple(obs["agent"].tolist())), rules=env.rules, time_limit=5)
        assert plan.status == "solved"
        outcome = None
        for action in plan.actions:
            outcome = env.step(action)[4]["outcome"]
        assert outcome == "cleared"


def test_maps_that_cannot_be_cleared_are_not_called_solvable():
    """Without lava and with walls all round, a single box can never go."""
    env = ShoverWorldEnv(n_rows=2, n_cols=2, number_of_boxes=1, number_of_barriers=0, number_of_lavas=0, solvable=True)
    with pytest.raises(shoverworld.ShoverWorldError, match="fewer boxes, more lavas"):
        env.reset(seed=0)


def test_importing_is_light():
    """No window, no training library, no compiler before an environment is made."""
    code = (
        "import sys, shoverworld; print(sorted({'pygame', 'torch', 'ray', 'numba', 'PIL', 'rich'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_the_module_prefix_needs_no_import():
    code = "import gymnasium as gym; print(gym.make('shoverworld:shoverworld/ShoverSelect-v0').unwrapped.rules.edge)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "lava"


@pytest.mark.parametrize("mode", ["rgb_array", "ansi"])
def test_pictures(mode):
    env = gym.make("shoverworld/ShoverWorld-v0", render_mode=mode, cell_size=20)
    env.reset(options={"map": ".B#\nLA."})
    seen = env.render()
    if mode == "ansi":
        assert seen.splitlines()[1:] == [".B#", "LA."]
        assert "stamina 1000" in seen
        return
    assert seen.shape == (40, 60, 3)
    assert seen.dtype == np.uint8
    cells = [seen[r * 20 : r * 20 + 20, c * 20 : c * 20 + 20] for r in range(2) for c in range(3)]
    assert np.array_equal(cells[0], cells[5])  # empty and empty
    grey = [cell.mean(axis=2) for cell in cells]
    for i in range(5):  # every kind of cell looks different, also without colour
        for j in range(i):
            assert np.abs(grey[i] - grey[j]).mean() > 10


@pytest.mark.parametrize("size", [4, 7, 16, 48, 100])
def test_any_cell_size_can_be_drawn(size):
    env = ShoverWorldEnv(render_mode="rgb_array", cell_size=size)
    env.reset(options={"map": ".BB.#L\n.BB.AL\n......"})
    assert env.render().shape == (3 * size, 6 * size, 3)


def test_the_window_shows_the_picture(monkeypatch):
    pygame = pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = gym.make("shoverworld/ShoverWorld-v0", render_mode="human", cell_size=16)
    env.reset(options={"map": ".B#\nLA."})
    env.step((0, 0, 1))
    shown = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
    still = ShoverWorldEnv(render_mode="rgb_array", cell_size=16)
    still.set_state(env.unwrapped.get_state())
    assert np.array_equal(shown, still.render())
    env.close()


def test_a_missing_window_library_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame", None)
    env = ShoverWorldEnv(render_mode="human")
    with pytest.raises(shoverworld.MissingExtra, match=r"shoverworld\[gui\]"):
        env.reset(seed=0)
