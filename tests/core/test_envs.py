"""Tests of every registered id: Gymnasium's checker, seeds, states, copies, replays, masks, wrappers and pictures."""

import json
import os
import pickle
import subprocess
import sys
from copy import deepcopy

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import shoverworld
from shoverworld import FlatActions, Map, Recorder, Replay, ShoverWorldEnv
from tests.ids import IDS, ONE_OF_EACH, RACE, SHOVER, SOKOBAN, keywords_for, made, plain


def episode(env, seed, steps=60):
    """Play random actions with a fixed seed and return everything that the environment returns."""
    env.action_space.seed(seed)
    results = [plain(env.reset(seed=seed))]
    for _ in range(steps):
        result = env.step(env.action_space.sample())
        results.append(plain(result))
        if result[2] or result[3]:
            results.append(plain(env.reset()))
    return results


@pytest.mark.parametrize("env_id", IDS)
@pytest.mark.filterwarnings("ignore:.*Box observation space (minimum|maximum) value is.*infinity")
def test_every_environment_passes_the_gymnasium_checker(env_id):
    env = made(env_id, render_mode="rgb_array")
    env.unwrapped.spec.kwargs.update(keywords_for(env_id))  # the checker recreates the environment in every render mode
    check_env(env.unwrapped)


@pytest.mark.parametrize("env_id", IDS)
def test_equal_seeds_give_equal_episodes_and_different_seeds_give_different_episodes(env_id):
    first, second = episode(made(env_id), 5), episode(made(env_id), 5)
    assert first == second
    assert episode(made(env_id), 6) != first


@pytest.mark.parametrize("env_id", IDS)
def test_the_seed_argument_seeds_the_first_reset(env_id):
    assert plain(made(env_id, seed=9).reset()) == plain(made(env_id).reset(seed=9))


PLAIN_PYTHON = """
import json, sys
import numba
from tests.core.test_envs import without_generation, episode
assert numba.config.DISABLE_JIT
print(json.dumps({i: episode(without_generation(i), 3, 40) for i in json.loads(sys.argv[1])}))
"""
SMALL_LEVELS = {1: "#######\n#.@$ .#\n# $   #\n#######", 2: "#######\n#.@$ .#\n# $  @#\n#######"}


def without_generation(env_id):
    """Create the environment. Sokoban gets a fixed level, because plain Python generates rooms too slowly for tests."""
    if env_id not in SOKOBAN:
        return made(env_id)
    from shoverworld.sokoban import Level

    return gym.make(env_id, levels=Level.parse(SMALL_LEVELS[2 if "TwoPlayer" in env_id else 1]))


def test_plain_python_plays_the_same_episode_as_compiled_code():
    """A separate process plays the episode in plain Python, with NUMBA_DISABLE_JIT=1."""
    run = subprocess.run(
        [sys.executable, "-c", PLAIN_PYTHON, json.dumps(ONE_OF_EACH)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    result = json.loads(run.stdout)
    for env_id in ONE_OF_EACH:
        assert result[env_id] == json.loads(json.dumps(episode(without_generation(env_id), 3, 40)))


@pytest.mark.parametrize("env_id", ONE_OF_EACH)
def test_the_same_game_continues_from_a_restored_state(env_id):
    env = made(env_id).unwrapped
    env.action_space.seed(1)
    env.reset(seed=1)
    for _ in range(10):
        env.step(env.action_space.sample())
    kept = env.get_state()
    actions = [env.action_space.sample() for _ in range(30)]
    first = [plain(env.step(action)) for action in actions]
    other = made(env_id).unwrapped
    for player in (env, other):
        player.set_state(kept)
        again = [plain(player.step(action)) for action in actions]
        assert again == first
    # the random number generator is part of the state, so the next random map is also the same
    env.set_state(kept)
    other.set_state(kept)
    assert plain(env.reset()) == plain(other.reset())


COPIES = {"deepcopy": deepcopy, "pickle": lambda env: pickle.loads(pickle.dumps(env))}


@pytest.mark.parametrize("method", COPIES)
@pytest.mark.parametrize("env_id", ONE_OF_EACH)
def test_a_copy_of_an_environment_is_independent(env_id, method):
    env = made(env_id)
    env.action_space.seed(1)
    env.reset(seed=1)
    env.step(env.action_space.sample())
    before = env.unwrapped.state_hash()
    copy = COPIES[method](env)
    actions = [copy.action_space.sample() for _ in range(12)]
    theirs = [plain(copy.step(action)) for action in actions]
    assert env.unwrapped.state_hash() == before, "the original is unchanged"
    assert copy.unwrapped.state_hash() != before
    own = [env.action_space.sample() for _ in range(12)]
    assert plain(own) == plain(actions), "the random number generator of the action space is copied"
    assert [plain(env.step(action)) for action in actions] == theirs
    assert plain(env.reset()) == plain(copy.reset()), "the random number generator of the game is copied"


@pytest.mark.parametrize("env_id", ONE_OF_EACH)
def test_a_spec_creates_the_same_environment(env_id):
    env = made(env_id, max_episode_steps=7)
    again = gym.make(env.spec)
    assert again.unwrapped.rules == env.unwrapped.rules
    assert episode(again, 4, 20) == episode(env, 4, 20)


@pytest.mark.parametrize("env_id", IDS)
def test_a_game_recorded_with_each_environment_id_passes_the_replay_check(env_id, tmp_path, monkeypatch):
    """The replay contains the map, so the check does not need the Boxoban files."""
    monkeypatch.delenv("SHOVERWORLD_DATA", raising=False)
    env = Recorder(made(env_id))
    env.action_space.seed(2)
    env.reset(seed=2)
    over, steps = False, 0
    while not over and steps < 40:
        *_, terminated, truncated, _ = env.step(env.action_space.sample())
        over, steps = terminated or truncated, steps + 1
    env.replay().write(tmp_path / "game.replay")
    replay = Replay.read(tmp_path / "game.replay")
    assert replay == env.replay()
    assert replay.env_id == env_id
    replay.check()
    assert replay.make().rules.change(**_size(env)) == env.unwrapped.rules


def _size(env):
    """Return the settings that are determined by the map and therefore not stored in the replay."""
    rules = env.unwrapped.rules
    if env.spec.id in RACE:
        return {}
    names = ("dim_room", "num_boxes") if env.spec.id in SOKOBAN else ("n_rows", "n_cols")
    return {name: getattr(rules, name) for name in names}


@pytest.mark.parametrize("env_id", ONE_OF_EACH)
def test_the_mask_agrees_with_the_validity_of_each_step(env_id):
    size = {"n_rows": 4, "n_cols": 5, "number_of_boxes": 6} if env_id in SHOVER else {}
    env = made(env_id, **size).unwrapped
    sizes = getattr(env.action_space, "nvec", [getattr(env.action_space, "n", 0)])
    for seed in (2, 3):
        env.reset(seed=seed)
        state, mask = env.get_state(), env.action_mask()
        assert mask.shape == (np.prod(sizes),)
        assert mask.any()
        for number, allowed in enumerate(mask):
            env.set_state(state)
            action = np.array(np.unravel_index(number, sizes)) + env.action_space.start
            result = env.step(action if len(action) > 1 else int(action[0]))
            assert result[4]["last_action_valid"] == allowed


@pytest.mark.parametrize("env_id", SHOVER)
def test_flat_actions_correspond_to_the_original_actions(env_id):
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
        result, *expected = plain.step(action)
        assert rest == expected
        assert np.array_equal(obs["grid"], result["grid"])
        assert flat.observation_space.contains(obs)


def test_flat_actions_adapt_to_a_map_of_a_different_shape():
    env = FlatActions(gym.make(SHOVER[0], n_rows=2, n_cols=3))
    for text in ("A.\n.B\n..", "A..\n.B."):
        obs, _ = env.reset(options={"map": text})
        assert env.observation_space.contains(obs)
        assert env.action_space.n == 36
        assert env.action_masks().shape == (36,)


def test_flat_actions_reject_a_number_outside_the_action_space():
    env = FlatActions(gym.make(SHOVER[0]))
    env.reset(seed=0)
    with pytest.raises(shoverworld.ActionError):
        env.step(env.action_space.n)


def test_a_map_given_to_reset_applies_to_one_episode_and_can_have_any_size():
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


def test_solvable_maps_can_be_cleared_and_a_batch_generates_the_same_maps():
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


def test_the_solvable_option_raises_an_error_if_no_map_can_be_cleared():
    """Without lava and with walls at the edge, the only box cannot be removed."""
    env = ShoverWorldEnv(n_rows=2, n_cols=2, number_of_boxes=1, number_of_barriers=0, number_of_lavas=0, solvable=True)
    with pytest.raises(shoverworld.ShoverWorldError, match="fewer boxes, more lava cells"):
        env.reset(seed=0)


def test_importing_the_package_loads_no_heavy_libraries():
    """The window, training and compiler libraries are imported only when they are needed."""
    code = (
        "import sys, shoverworld; print(sorted({'pygame', 'torch', 'ray', 'numba', 'PIL', 'rich'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_an_id_with_a_module_prefix_makes_an_import_unnecessary():
    code = "import gymnasium as gym; print(gym.make('shoverworld:shoverworld/ShoverSelect-v0').unwrapped.rules.edge)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "lava"


@pytest.mark.parametrize("mode", ["rgb_array", "ansi"])
def test_rendering_shows_the_board(mode):
    env = gym.make("shoverworld/ShoverWorld-v0", render_mode=mode, cell_size=20)
    env.reset(options={"map": ".B#\nLA."})
    rendered = env.render()
    if mode == "ansi":
        assert rendered.splitlines()[1:] == [".B#", "LA."]
        assert "stamina 1000" in rendered
        return
    assert rendered.shape == (40, 60, 3)
    assert rendered.dtype == np.uint8
    cells = [rendered[r * 20 : r * 20 + 20, c * 20 : c * 20 + 20] for r in range(2) for c in range(3)]
    assert np.array_equal(cells[0], cells[5])  # both cells are empty
    grey = [cell.mean(axis=2) for cell in cells]
    for i in range(5):  # all kinds of cells are distinct in greyscale
        for j in range(i):
            assert np.abs(grey[i] - grey[j]).mean() > 10


@pytest.mark.parametrize("size", [4, 7, 16, 48, 100])
def test_cells_can_be_drawn_at_any_size(size):
    env = ShoverWorldEnv(render_mode="rgb_array", cell_size=size)
    env.reset(options={"map": ".BB.#L\n.BB.AL\n......"})
    assert env.render().shape == (3 * size, 6 * size, 3)


def test_the_window_shows_the_rendered_picture(monkeypatch):
    pygame = pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = gym.make("shoverworld/ShoverWorld-v0", render_mode="human", cell_size=16)
    env.reset(options={"map": ".B#\nLA."})
    env.step((0, 0, 1))
    shown = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
    still = ShoverWorldEnv(render_mode="rgb_array", cell_size=16)
    still.set_state(env.unwrapped.get_state())
    below = shown[-32:, (shown.shape[1] - 48) // 2 :][:, :48]  # the statistics are above the picture
    wanted = still.render()
    assert np.array_equal(below[:, :16], wanted[:, :16]) and np.array_equal(below[:, 32:], wanted[:, 32:])
    box, numbered = below[:16, 16:32], wanted[:16, 16:32]
    assert np.array_equal(box[:4], numbered[:4]) and not np.array_equal(box, numbered), "the only box has no number"
    env.close()


def test_the_error_for_a_missing_window_library_names_the_extra_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame", None)
    env = ShoverWorldEnv(render_mode="human")
    with pytest.raises(shoverworld.MissingExtra, match=r"shoverworld\[gui\]"):
        env.reset(seed=0)


@pytest.mark.parametrize("env_id", ONE_OF_EACH)
def test_methods_called_before_the_first_reset_raise_an_error_that_asks_for_a_reset(env_id):
    env = made(env_id, render_mode="ansi").unwrapped
    for method in (env.action_mask, env.get_state, env.render, env.valid_actions, env.map_text, env.state_hash):
        with pytest.raises(shoverworld.ResetNeeded, match=r"^the game has not begun: call reset\(\) first$"):
            method()
