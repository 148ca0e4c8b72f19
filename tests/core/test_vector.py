"""Tests of batched environments: comparison with single environments, autoreset modes, masks, threads, copies."""

import pickle
from concurrent.futures import ProcessPoolExecutor
from copy import deepcopy
from multiprocessing import get_context

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from shoverworld import sokoban
from tests.ids import IDS, ONE_OF_EACH, RACE, SHOVER, SOKOBAN, made, made_many, plain
from tests.paths import ROOT

N = 5
SMALL = {"n_rows": 5, "n_cols": 6, "number_of_boxes": 8, "max_timestep": 15, "initial_stamina": 300}
SOLVABLE = {**SMALL, "number_of_boxes": 2, "number_of_barriers": 1, "number_of_lavas": 2, "solvable": True}


def short_game(env_id):
    """Return settings for games that end soon."""
    return SMALL if env_id in SHOVER else {"max_rounds": 15} if env_id in RACE else {"max_steps": 15}


def batch(env_id, mode="NextStep", num_envs=N, **keywords):
    return made_many(env_id, num_envs, autoreset_mode=mode, **{**short_game(env_id), **keywords})


def singles(env_id, mode, **keywords):
    keywords = {**short_game(env_id), **keywords}
    return SyncVectorEnv([lambda: made(env_id, **keywords)] * N, autoreset_mode=AutoresetMode(mode))


def same_observations(ours, theirs):
    if not isinstance(ours, dict):
        ours, theirs = {"": ours}, {"": theirs}
    assert ours.keys() == theirs.keys()
    for key in ours:
        assert ours[key].dtype == theirs[key].dtype
        assert np.array_equal(ours[key], theirs[key]), key


def same_infos(ours, theirs, reasons):
    """Compare all info entries of a batch with those of single environments.

    A batch reports squares as arrays, and the reasons for invalid actions as indices into the tuple `reasons`. In a
    race, the fault is the same as the reason, so a batch omits it.
    """
    ours = {**ours, "invalid_reason": np.array(reasons, object)[ours["invalid_reason"]]}
    keys = {key for key in theirs if not key.startswith(("_", "final_"))} - {"solution", "fault"}
    squares = {"perfect_squares_available", "square_ages"} & keys
    for key in keys - squares:
        mask = theirs["_" + key]
        assert np.array_equal(ours["_" + key], mask), key
        assert plain(list(ours[key][mask])) == plain(list(theirs[key][mask])), key
    if squares:
        same_squares(ours, theirs)


def same_squares(ours, theirs):
    for i in np.flatnonzero(theirs["_square_ages"]):
        count = ours["number_of_squares"][i]
        squares = [(n, (row, col)) for n, row, col in ours["perfect_squares_available"][i, :count].tolist()]
        assert squares == theirs["perfect_squares_available"][i]
        ages = ours["timestep"][i] - ours["square_born"][i, :count]
        assert ages.tolist() == theirs["square_ages"][i]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("env_id", IDS)
def test_a_batch_plays_the_same_games_as_a_sync_vector_env(env_id, mode):
    play_side_by_side(batch(env_id, mode), singles(env_id, mode))


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_batch_with_solvable_maps_plays_the_same_games_as_a_sync_vector_env(mode):
    play_side_by_side(batch(SHOVER[0], mode, **SOLVABLE), singles(SHOVER[0], mode, **SOLVABLE))


def play_side_by_side(ours, theirs):
    """Play the same random actions in both environments, and compare everything that they return."""
    ours.action_space.seed(7)
    (obs, info), (expected, their_info) = ours.reset(seed=3), theirs.reset(seed=3)
    same_observations(obs, expected)
    same_infos(info, their_info, ours.unwrapped.invalid_reasons)
    ended = 0
    for _ in range(120):
        actions = ours.action_space.sample()
        obs, rewards, terminated, truncated, info = ours.step(actions)
        expected, their_rewards, their_terminated, their_truncated, their_info = theirs.step(actions)
        same_observations(obs, expected)
        same_infos(info, their_info, ours.unwrapped.invalid_reasons)
        assert np.array_equal(rewards, their_rewards)
        assert np.array_equal(terminated, their_terminated)
        assert np.array_equal(truncated, their_truncated)
        assert ("final_obs" in info) == ("final_obs" in their_info)
        if "final_obs" in info:
            ended += 1
            assert np.array_equal(info["_final_obs"], their_info["_final_obs"])
            for i in np.flatnonzero(their_info["_final_obs"]):
                same_observations(info["final_obs"][i], their_info["final_obs"][i])
            same_infos(info["final_info"], their_info["final_info"], ours.unwrapped.invalid_reasons)
        ended += (terminated | truncated).any()
    assert ended > 5


@pytest.mark.parametrize(("env_id", "keywords"), [*((env_id, {}) for env_id in ONE_OF_EACH), (SHOVER[0], SOLVABLE)])
def test_without_autoreset_a_reset_mask_resets_only_the_selected_games(env_id, keywords):
    ours, theirs = batch(env_id, "Disabled", **keywords), singles(env_id, "Disabled", **keywords)
    ours.action_space.seed(1)
    ours.reset(seed=1)
    theirs.reset(seed=1)
    resets = 0
    for _ in range(60):
        actions = ours.action_space.sample()
        obs, _, terminated, truncated, _ = ours.step(actions)
        expected, *_ = theirs.step(actions)
        same_observations(obs, expected)
        over = terminated | truncated
        if over.any():
            with pytest.raises(gym.error.ResetNeeded, match="reset_mask"):
                ours.step(actions)
            obs, info = ours.reset(options={"reset_mask": over})
            expected, their_info = theirs.reset(options={"reset_mask": over})
            same_observations(obs, expected)
            same_infos(info, their_info, ours.unwrapped.invalid_reasons)
            resets += 1
    assert resets > 2


def test_each_game_in_a_batch_can_have_its_own_seed():
    envs = batch(SHOVER[0])
    by_list, _ = envs.reset(seed=[5, 5, 6, None, 5])
    assert np.array_equal(by_list["grid"][0], by_list["grid"][4])
    assert not np.array_equal(by_list["grid"][0], by_list["grid"][2])


def test_the_number_of_threads_does_not_affect_the_results():
    one, three = batch(SHOVER[2], num_envs=50), batch(SHOVER[2], num_envs=50, num_threads=3)
    one.action_space.seed(2)
    same_observations(one.reset(seed=2)[0], three.reset(seed=2)[0])
    for _ in range(60):
        actions = one.action_space.sample()
        ours, theirs = one.step(actions), three.step(actions)
        same_observations(ours[0], theirs[0])
        for a, b in zip(ours[1:4], theirs[1:4], strict=True):
            assert np.array_equal(a, b)
    three.close()


def test_copied_observations_do_not_change_and_views_show_the_current_state():
    kept, live = batch(SHOVER[0]), batch(SHOVER[0], copy=False)
    kept.action_space.seed(3)
    (before, _), (view, _) = kept.reset(seed=3), live.reset(seed=3)
    first = {key: array.copy() for key, array in before.items()}
    held = [before]
    for _ in range(30):
        actions = kept.action_space.sample()
        held.append(kept.step(actions)[0])
        live.step(actions)
    same_observations(before, first)
    same_observations(view, held[-1])
    assert len({array["grid"].__array_interface__["data"][0] for array in held}) == len(held)


def test_the_memory_of_released_observations_is_reused():
    envs = batch(SHOVER[0])
    obs, _ = envs.reset(seed=3)
    places = set()
    for _ in range(30):
        obs, *_ = envs.step(envs.action_space.sample())
        places.add(obs["grid"].__array_interface__["data"][0])
    assert len(places) <= 3


def test_the_mask_of_a_batch_contains_the_mask_of_each_game():
    envs = batch(SHOVER[1])
    envs.reset(seed=8)
    for i, mask in enumerate(envs.action_mask()):
        env = gym.make(SHOVER[1], **SMALL)
        env.reset(seed=8 + i)
        assert np.array_equal(mask, env.unwrapped.action_mask())


def test_the_same_games_continue_from_a_restored_batch_state():
    envs = batch(SHOVER[0])
    envs.action_space.seed(4)
    envs.reset(seed=4)
    kept = envs.get_state()
    actions = [envs.action_space.sample() for _ in range(10)]
    first = [envs.step(action)[1] for action in actions]
    envs.set_state(kept)
    assert all(np.array_equal(envs.step(action)[1], rewards) for action, rewards in zip(actions, first, strict=True))


def wait_for_the_timeout(envs, env_id):
    """Play 15 steps in which nothing moves."""
    stay = (0, 0, 1) if env_id in SHOVER else 4 if env_id in RACE else 0
    for _ in range(15):
        *_, truncated, _ = envs.step([stay] * N)
    assert truncated.all()


@pytest.mark.parametrize("env_id", [SHOVER[0], SOKOBAN[0], RACE[0]])
def test_resetting_one_game_after_restoring_a_batch_state_returns_the_other_restored_games(env_id):
    """A reset of one game also returns the observations and the infos of the other games."""
    played, fresh = batch(env_id, "Disabled"), batch(env_id, "Disabled")
    played.reset(seed=4)
    fresh.reset(seed=5)
    wait_for_the_timeout(played, env_id)
    fresh.set_state(played.get_state())
    first = {"reset_mask": np.arange(N) == 0}
    (obs, info), (expected, their_info) = fresh.reset(seed=6, options=first), played.reset(seed=6, options=first)
    same_observations(obs, expected)
    assert list(info["outcome"]) == list(their_info["outcome"]) == [None, *["timeout"] * (N - 1)]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("env_id", [SHOVER[0], SOKOBAN[0], RACE[0]])
def test_games_that_are_over_in_a_restored_state_restart_at_the_next_step(env_id, mode):
    played, fresh = batch(env_id, "Disabled"), batch(env_id, mode)
    played.reset(seed=4)
    wait_for_the_timeout(played, env_id)
    fresh.set_state(played.get_state())
    obs, rewards, terminated, truncated, info = fresh.step(fresh.action_space.sample())
    expected, _ = played.reset()
    same_observations(obs, expected)
    assert not (rewards.any() or terminated.any() or truncated.any() or info["outcome"].any())


PICKLED = [
    *((env_id, {"mode": "NextStep"}) for env_id in ONE_OF_EACH),
    *((SHOVER[0], {"mode": mode, "copy": False, "num_threads": 3}) for mode in ("SameStep", "Disabled")),
    (SHOVER[0], SOLVABLE),
    (SOKOBAN[0], {"mode": "SameStep", "num_threads": 2, "observation": "rgb"}),
    (RACE[0], {"mode": "SameStep", "num_threads": 2, "copy": False, "cars": 2, "observation": "view"}),
]


@pytest.mark.parametrize(
    "method", [deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))], ids=["deepcopy", "pickle"]
)
@pytest.mark.parametrize(("env_id", "keywords"), PICKLED)
def test_a_copy_of_a_batch_continues_the_same_games(env_id, keywords, method):
    envs = batch(env_id, **keywords)
    envs.action_space.seed(5)
    envs.reset(seed=5)
    for _ in range(7):
        results = envs.step(envs.action_space.sample())
    before = plain(results)
    copy = method(envs)
    actions = [envs.action_space.sample() for _ in range(25 if envs.autoreset_mode != AutoresetMode.DISABLED else 8)]
    theirs = [plain(copy.step(action)) for action in actions]
    assert envs.copy is copy.copy
    assert plain(results) == before, "the original is unchanged"
    assert [plain(envs.step(action)) for action in actions] == theirs
    assert plain(envs.reset()) == plain(copy.reset()), "the random number generators are copied"
    assert plain(copy.action_space.sample()) == plain(actions[0])
    envs.close()
    copy.close()


def rewards_of(envs, actions):
    return [envs.step(action)[1].tolist() for action in actions]


@pytest.mark.parametrize("env_id", [SHOVER[0], SOKOBAN[0], RACE[0]])
def test_another_process_can_continue_a_batch(env_id):
    envs = batch(env_id, num_threads=2)
    envs.action_space.seed(5)
    envs.reset(seed=5)
    actions = [envs.action_space.sample() for _ in range(20)]
    rewards_of(envs, actions[:3])
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        theirs = pool.submit(rewards_of, envs, actions[3:]).result()
    assert rewards_of(envs, actions[3:]) == theirs
    envs.close()


def test_a_batch_can_be_copied_before_its_first_reset():
    envs = batch(SHOVER[0], seed=3)
    assert plain(pickle.loads(pickle.dumps(envs)).reset()) == plain(envs.reset())


@pytest.mark.parametrize("env_id", [SHOVER[0], SOKOBAN[0], RACE[0]])
def test_actions_of_any_integer_type_and_layout_are_played(env_id):
    envs = batch(env_id)
    envs.action_space.seed(6)
    envs.reset(seed=6)
    start, actions = envs.get_state(), envs.action_space.sample()
    unaligned = np.frombuffer(b"-" + actions.astype(np.int64).tobytes(), np.int64, offset=1).reshape(actions.shape)
    spread = np.repeat(actions, 2, axis=0)[::2]
    assert not unaligned.flags.aligned
    assert not spread.flags.c_contiguous
    assert not unaligned.flags.writeable
    expected = plain(envs.step(actions))
    for other in (
        actions.astype(">i8"),
        actions.astype(">u2"),
        actions.astype(np.int8),
        unaligned,
        spread,
        actions.tolist(),
    ):
        envs.set_state(start)
        assert plain(envs.step(other)) == expected


@pytest.mark.parametrize(
    "seed", [np.array(3), np.int64(3), np.array(3, ">u2"), np.arange(3, 3 + N), [*range(3, 3 + N)]]
)
@pytest.mark.parametrize("env_id", [SHOVER[0], SOKOBAN[0], RACE[0]])
def test_seeds_of_any_integer_type_are_accepted(env_id, seed):
    assert plain(batch(env_id).reset(seed=seed)) == plain(batch(env_id).reset(seed=3))


def test_a_map_applies_to_every_game_in_a_batch():
    envs = batch(SHOVER[0], n_rows=None, n_cols=None, number_of_boxes=None, map_path="07-walls-all-round")
    obs, _ = envs.reset(seed=0)
    assert (obs["grid"] == obs["grid"][0]).all()
    turned = obs["grid"][0][::-1]
    obs, _ = envs.reset(options={"map": turned})
    assert (obs["grid"] == turned).all()


# --- the tables on the pages of the environments that compare the info of a batch with that of a single game


@pytest.mark.parametrize(
    ("env_id", "page", "only_single", "only_batch"),
    [
        ("ShoverWorld-v0", "env", {"square_ages"}, {"square_born", "number_of_squares"}),
        ("Sokoban-small-v0", "sokoban", {"solution"}, set()),
        ("Race-v0", "race", {"fault"}, set()),
    ],
)
def test_the_docs_list_the_differences_between_the_info_of_a_batch_and_that_of_a_single_game(
    env_id, page, only_single, only_batch
):
    single = set(gym.make(f"shoverworld/{env_id}").reset(seed=0)[1])
    batch = {key for key in made_many(f"shoverworld/{env_id}", 2).reset(seed=0)[1] if not key.startswith("_")}
    assert (single - batch, batch - single) == (only_single, only_batch)
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    table = text.partition("| single | batch |\n")[2].partition("\n\n")[0]
    assert all(f"`{key}`" in table or f" {key}`" in table for key in only_single | only_batch | {"invalid_reason"})


def test_the_info_of_a_batch_contains_the_same_squares_and_reasons_as_that_of_a_single_game():
    drawn = {"map": "BB..\nBB..\n...A\n...."}
    env, envs = (
        gym.make("shoverworld/ShoverWorld-v0"),
        made_many("shoverworld/ShoverWorld-v0", 2, n_rows=4, n_cols=4),
    )
    env.reset(seed=0, options=drawn)
    envs.reset(seed=0, options=drawn)
    for _ in range(3):
        info = env.step((2, 2, 3))[4]
        many = envs.step(np.array([[2, 2, 3], [2, 2, 3]]))[4]
        number = many["number_of_squares"][1]
        squares = many["perfect_squares_available"][1][:number].tolist()
        assert [(n, (row, col)) for n, row, col in squares] == info["perfect_squares_available"]
        assert (many["timestep"][1] - many["square_born"][1][:number]).tolist() == info["square_ages"]
        assert envs.unwrapped.invalid_reasons[many["invalid_reason"][1]] == info["invalid_reason"]
    assert info["square_ages"] == [3]


def test_the_solution_of_a_game_in_a_batch_can_be_computed():
    envs = made_many("shoverworld/Sokoban-small-v0", 2)
    envs.reset(seed=0)
    plans = [sokoban.solve(envs.unwrapped.get_state().row(i)) for i in range(2)]
    assert [plan.status for plan in plans] == ["solved", "solved"]
