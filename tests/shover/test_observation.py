"""Tests of the kinds of observations and the lists of maps that ShoverWorldEnv supports."""

import pickle

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from shoverworld import ConfigError, Map, MapError, MapNotFound, Recorder, Replay, ShoverWorldEnv, bundled
from shoverworld.games.shover import draw
from tests.ids import SHOVER, plain

KINDS = ("dict", "grid", "planes", "rgb")
BOARD = "#.L..\nABB..\n....."


def batch(env_id=SHOVER[0], games=3, **keywords):
    return gym.make_vec(env_id, num_envs=games, vectorization_mode="vector_entry_point", **keywords)


# --- observations


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("env_id", SHOVER)
@pytest.mark.filterwarnings("ignore:.*Box observation space (minimum|maximum) value is.*infinity")
def test_every_observation_passes_the_gymnasium_checker(env_id, kind):
    check_env(gym.make(env_id, observation=kind).unwrapped, skip_render_check=True)


def test_no_entry_of_an_observation_is_a_scalar_array():
    env = ShoverWorldEnv()
    assert [key for key, part in env.observation_space.items() if part.shape == ()] == ["direction"]
    assert isinstance(env.observation_space["direction"], gym.spaces.Discrete)
    obs, _ = env.reset(seed=1)
    assert obs["stamina"].tolist() == [1000.0] and obs["previous_action"].tolist() == [-1]
    envs = batch()
    assert envs.reset(seed=1)[0]["stamina"].shape == (3, 1)


def test_the_grid_shows_the_shover():
    env = ShoverWorldEnv(observation="grid")
    obs, _ = env.reset(options={"map": BOARD})
    assert obs.tolist() == [[100, 0, -100, 0, 0], [50, 10, 10, 0, 0], [0, 0, 0, 0, 0]]


def test_the_planes_show_each_kind_of_cell_and_the_moving_boxes():
    env = ShoverWorldEnv(observation="planes")
    obs, _ = env.reset(options={"map": BOARD})
    assert [np.argwhere(plane).tolist() for plane in obs] == [
        [[0, 0]], [[0, 2]], [[1, 1], [1, 2]], [[1, 0]], [], [], [], [],
    ]  # fmt: skip
    obs = env.step((1, 1, 2))[0]  # push both boxes to the right
    assert [np.argwhere(plane).tolist() for plane in obs[2:]] == [
        [[1, 2], [1, 3]], [[1, 1]], [], [[1, 2], [1, 3]], [], [],
    ]  # fmt: skip
    obs = env.step((2, 0, 1))[0]  # a leap: the boxes come to rest
    assert not obs[4:].any()


def test_a_box_that_dissolves_while_moving_is_not_shown():
    env = ShoverWorldEnv(observation="planes", perf_sq_initial_age=0)
    env.reset(options={"map": "....\n.B.B\n.BB.\n...A"})
    obs, *_, info = env.step((1, 3, 4))  # this push completes the square, which dissolves at once
    assert (info["number_of_boxes"], info["chain_length"]) == (0, 1)
    assert not obs[[2, 4, 5, 6, 7]].any()


def planes_from(before: dict, z: int, after: dict, chain: int, rules) -> np.ndarray:
    """Build the planes from the dict observations before and after a step that pushed this many boxes."""
    grid = after["grid"]
    boxes = (grid >= 1) & (grid <= 10)
    planes = np.zeros((8, *grid.shape), np.uint8)
    planes[:3] = grid == 100, grid == -100, boxes
    planes[3][tuple(after["agent"])] = 1
    if chain:
        step = [(-1, 0), (0, 1), (1, 0), (0, -1)][z - rules.z_base]
        first = before["agent"] + step if rules.actor == "walk" else after["previous_selected_position"]
        moved = [first + (k + 1) * np.array(step) for k in range(chain)]
        for cell in (tuple(cell) for cell in moved if (cell >= 0).all() and (cell < grid.shape).all()):
            planes[4 + z - rules.z_base][cell] = boxes[cell]
    return planes


@pytest.mark.parametrize("env_id", SHOVER)
def test_the_planes_follow_from_the_dict_observation(env_id):
    keywords = {"n_rows": 5, "n_cols": 6, "number_of_boxes": 10, "number_of_lavas": 2, "max_timestep": 25}
    shown, seen = (gym.make(env_id, observation=kind, **keywords).unwrapped for kind in ("planes", "dict"))
    seen.action_space.seed(1)
    rng, pushes = np.random.default_rng(1), 0
    for seed in range(25):
        planes, before = shown.reset(seed=seed)[0], seen.reset(seed=seed)[0]
        assert np.array_equal(planes, planes_from(before, 0, before, 0, seen.rules))
        over = False
        while not over:
            valid = seen.valid_actions()
            action = valid[rng.integers(len(valid))] if rng.random() < 0.9 else seen.action_space.sample()
            planes = shown.step(action)[0]
            after, _, terminated, truncated, info = seen.step(action)
            assert np.array_equal(planes, planes_from(before, action[2], after, info["chain_length"], seen.rules))
            before, over, pushes = after, terminated or truncated, pushes + (info["chain_length"] > 0)
    assert pushes > 50


@pytest.mark.parametrize("env_id", SHOVER)
def test_the_rgb_observation_is_the_rendered_picture(env_id):
    env = gym.make(env_id, observation="rgb", render_mode="rgb_array", cell_size=16, number_of_boxes=12).unwrapped
    obs, info = env.reset(seed=1, options={"map": "A.....L\n.BB.BB.\n.BB..B.\n.....#."})
    env.action_space.seed(1)  # the new map has a new action space
    assert info["perfect_squares_available"] == [(2, (1, 1))]
    for _ in range(30):
        assert np.array_equal(obs, env.render())
        assert np.array_equal(obs, draw.picture(env.get_state(), 0, 16))
        obs, _, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            break


@pytest.mark.parametrize("copy", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_has_the_same_observations_as_single_environments(kind, copy):
    keywords = {"observation": kind, "n_rows": 5, "n_cols": 6, "number_of_boxes": 9, "max_timestep": 12}
    envs = batch(copy=copy, **keywords, autoreset_mode="SameStep", num_threads=2)
    singles = [ShoverWorldEnv(**keywords) for _ in range(3)]
    obs, _ = envs.reset(seed=2)
    assert [plain(one.reset(seed=2 + i)[0]) for i, one in enumerate(singles)] == rows(obs)
    envs.action_space.seed(1)
    for _ in range(40):
        actions = envs.action_space.sample()
        obs, _, _, _, info = envs.step(actions)
        batched = rows(obs)
        for i, one in enumerate(singles):
            shown, _, terminated, truncated, _ = one.step(actions[i])
            if terminated or truncated:
                assert plain(info["final_obs"][i]) == plain(shown)
                shown, _ = one.reset()
            assert batched[i] == plain(shown)
    assert envs.observation_space.contains(obs)


def rows(obs):
    if isinstance(obs, dict):
        return [plain({key: value[i, ...] for key, value in obs.items()}) for i in range(3)]
    return [plain(row) for row in obs]


@pytest.mark.parametrize("kind", ["grid", "planes", "rgb"])
def test_a_batch_without_copies_writes_into_one_array(kind):
    own, copies = batch(observation=kind, copy=False), batch(observation=kind)
    for envs, same in ((own, True), (copies, False)):
        first, _ = envs.reset(seed=1)
        second, *_ = envs.step(envs.action_space.sample())
        assert np.shares_memory(first, second) == same


@pytest.mark.parametrize("kind", KINDS)
def test_environments_with_any_kind_of_observation_can_be_pickled(kind):
    for env in (ShoverWorldEnv(observation=kind), batch(observation=kind)):
        env.reset(seed=1)
        twin = pickle.loads(pickle.dumps(env))
        action = env.action_space.sample()
        assert plain(env.step(action)) == plain(twin.step(action))


def test_an_unknown_kind_of_observation_raises_an_error():
    with pytest.raises(ConfigError, match="'dict', 'grid', 'planes', 'rgb'"):
        ShoverWorldEnv(observation="plane")


# --- lists of maps

SMALL = [Map.parse(text) for text in ("AB.L", "A.BL", "L.BA")]


def drawn_maps(env, resets=30):
    seen = set()
    for seed in range(resets):
        _, info = env.reset(seed=seed)
        seen.add((info["map"], env.unwrapped.map_text()))
    return seen


def test_each_reset_picks_one_of_the_maps_at_random():
    seen = drawn_maps(ShoverWorldEnv(maps=SMALL))
    assert seen == {(i, level.to_text()) for i, level in enumerate(SMALL)}


def test_a_batch_picks_the_same_maps_as_single_environments():
    envs, single = batch(games=20, maps=SMALL, max_timestep=2), ShoverWorldEnv(maps=SMALL, max_timestep=2)
    obs, info = envs.reset(seed=3)
    assert set(info["map"]) == {0, 1, 2}
    for i in range(20):
        shown, single_info = single.reset(seed=3 + i)
        assert np.array_equal(shown["grid"], obs["grid"][i]) and single_info["map"] == info["map"][i]
    actions = np.tile([0, 1, 1], (20, 1))
    for _ in range(3):  # the third step starts the next games
        obs, *_, info = envs.step(actions)
    for i in range(20):
        single.reset(seed=3 + i)
        shown, single_info = single.reset()
        assert np.array_equal(shown["grid"], obs["grid"][i]) and single_info["map"] == info["map"][i]


def test_maps_can_be_given_as_files_or_folders_or_names_or_mixed_lists(tmp_path):
    for i, level in enumerate(SMALL):
        level.write(tmp_path / f"{i}.txt")
    (tmp_path / "notes.md").write_text("not a map")
    expected = {level.to_text() for level in SMALL}
    for given in (tmp_path, str(tmp_path), [tmp_path / f"{i}.txt" for i in range(3)], [*SMALL[:2], tmp_path / "2.txt"]):
        assert {text for _, text in drawn_maps(ShoverWorldEnv(maps=given))} == expected
    one = ShoverWorldEnv(maps="09-perfect-square")
    assert one.reset(seed=0)[0]["grid"].tolist() == bundled("09-perfect-square").grid.tolist()
    assert len({number for number, _ in drawn_maps(ShoverWorldEnv(maps="lessons", rules="phase2"), 200)}) == 16


@pytest.mark.parametrize(("rules", "beyond"), [("milestone1", 100), ("phase2", -100)])
def test_smaller_maps_are_padded_with_the_kind_of_cell_that_lies_beyond_their_edge(rules, beyond):
    env = ShoverWorldEnv(maps=[Map.parse("A.B"), Map.parse("..\n.B\nA.")], rules=rules)
    obs, info = env.reset(options={"map": 0})
    assert obs["grid"].tolist() == [[0, 0, 10], [beyond] * 3, [beyond] * 3]
    obs, info = env.reset(options={"map": 1})
    assert obs["grid"].tolist() == [[0, 0, beyond], [0, 10, beyond], [0, 0, beyond]]
    *_, info = env.step((1, 1, env.rules.z_base + 1))  # push the box to the right, into the edge of the map
    assert (info["last_action_valid"], info["number_of_boxes"]) == ((False, 1) if rules == "milestone1" else (True, 0))


def test_reset_options_choose_the_map_and_the_start_cell():
    env = ShoverWorldEnv(maps=SMALL)
    for i, level in enumerate(SMALL):
        _, info = env.reset(options={"map": i})
        assert (info["map"], env.map_text()) == (i, level.to_text())
    obs, info = env.reset(options={"map": 1, "agent": (0, 1)})
    assert (info["map"], obs["agent"].tolist()) == (1, [0, 1])
    assert env.reset(options={"map": "A.B"})[1]["map"] == -1
    assert ShoverWorldEnv().reset(seed=1)[1]["map"] == -1


def test_a_replay_contains_the_map_that_was_picked(tmp_path):
    env = Recorder(gym.make(SHOVER[0], maps=SMALL, observation="planes"))
    for seed in range(6):
        env.reset(seed=seed)
        env.step((0, 1, 1))
        env.replay().write(tmp_path / "game.replay")
        replay = Replay.read(tmp_path / "game.replay")
        replay.check()
        assert replay.map == SMALL[env.unwrapped.observe()[1]["map"]].to_text()


def test_the_rules_are_read_from_the_headers_of_the_maps():
    walker, select = (Map.parse(f"// rules: {rules}\nAB.L") for rules in ("walker", "phase2"))
    assert ShoverWorldEnv(maps=[walker, walker]).rules.actor == "walk"
    with pytest.raises(ConfigError, match=r"different rules \(phase2; walker\)"):
        ShoverWorldEnv(maps=[walker, select])
    assert ShoverWorldEnv(maps=[walker, select], rules="milestone1").rules.actor == "leap"


@pytest.mark.parametrize(
    ("keywords", "kind", "words"),
    [
        ({"maps": []}, ConfigError, "a list of these"),
        ({"maps": 5}, ConfigError, "a list of these"),
        ({"maps": [SMALL[0], None]}, ConfigError, "maps=None"),
        ({"maps": "nowhere"}, MapNotFound, "nowhere"),
        ({"maps": SMALL, "map_path": SMALL[0]}, ConfigError, "not both"),
        ({"maps": SMALL, "n_rows": 7}, ConfigError, "n_rows=7 does not match the maps"),
    ],
)
def test_invalid_maps_raise_an_error(keywords, kind, words):
    with pytest.raises(kind, match=words):
        ShoverWorldEnv(**keywords)


def test_a_folder_without_maps_raises_an_error(tmp_path):
    with pytest.raises(MapError, match="contains no maps"):
        ShoverWorldEnv(maps=tmp_path)


@pytest.mark.parametrize("options", [{"map": 3}, {"map": -1}, {"agent": (0, 0)}])
def test_invalid_options_for_several_maps_raise_an_error(options):
    env = ShoverWorldEnv(maps=SMALL)
    with pytest.raises(ConfigError, match="option"):
        env.reset(options=options)
