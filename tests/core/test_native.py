"""Tests of kernel arguments in native form, and of the observations that compiled steps write."""

from copy import deepcopy
from typing import NamedTuple

import numpy as np
import pytest

from shoverworld.core.jit import kernel, resolve
from shoverworld.core.native import NativeArguments, store, unpacked
from shoverworld.games.race.env import RaceEnv
from shoverworld.games.race.observation import PARTS
from shoverworld.games.shover.env import ShoverWorldEnv
from shoverworld.games.sokoban.env import SokobanEnv


class Scale(NamedTuple):
    factor: float
    negative: bool


@kernel
def convert(native, arguments):
    store(native, arguments)


@kernel
def add_scaled(native, position, number):
    array, scale, count = unpacked(native)
    array[0, position] += (-number if scale.negative else number) * scale.factor
    return array[0, position], count


@pytest.mark.parametrize("resolved", [False, True])
def test_a_kernel_reads_and_writes_native_arguments(resolved):
    array = np.zeros((1, 3))
    native = NativeArguments(convert, array, Scale(2.0, False), 7)
    play = resolve(add_scaled, native, 0, 0.0) if resolved else add_scaled
    assert tuple(play(native, 1, 3.0)) == (6.0, 7)
    assert tuple(play(native, 1, 1.0)) == (8.0, 7)
    assert array.tolist() == [[0.0, 8.0, 0.0]]
    array[0, 2] = 5.0
    assert tuple(play(native, 2, 1.0)) == (7.0, 7)

    other = np.ones((1, 2))
    native.replace((other, Scale(0.5, True), 8))
    assert tuple(play(native, 0, 4.0)) == (-1.0, 8)
    assert array.tolist() == [[0.0, 8.0, 7.0]]


# --- observations


def flat(observation):
    return observation if isinstance(observation, dict) else {"": observation}


MAKERS = {
    "shover": lambda: ShoverWorldEnv(rules="phase2", n_rows=4, n_cols=5),
    "shover planes": lambda: ShoverWorldEnv(observation="planes"),
    "shover large": lambda: ShoverWorldEnv(n_rows=130, n_cols=130),  # one observation is too large for shared arrays
    "sokoban": lambda: SokobanEnv("easy"),
    "sokoban two players": lambda: SokobanEnv(players=2, seed=1),
    "sokoban grid": lambda: SokobanEnv("easy", observation="grid"),
    "race": lambda: RaceEnv(cars=2, observation=PARTS),
    "race wide view": lambda: RaceEnv(view=100),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_an_observation_never_changes_after_it_has_been_returned(make):
    """Nothing that the environment does later may write into an observation, whichever call returned it."""
    env = make()
    env.action_space.seed(5)
    kept = [env.reset(seed=5)[0]]
    copies = [deepcopy(kept[0])]
    saved = env.get_state()
    for number in range(200):
        action = env.action_space.sample()
        env.explain(action)  # tries the action and returns no observation
        observation, _, terminated, truncated, _ = env.step(action)
        kept.append(observation)
        kept.append(env.observe()[0])
        if number % 50 == 49:
            env.set_state(saved)
            kept.append(env.observe()[0])
        elif terminated or truncated:
            kept.append(env.reset()[0])
        copies += [deepcopy(one) for one in kept[len(copies) :]]
    for number, (one, copy) in enumerate(zip(kept, copies, strict=True)):
        for key, value in flat(one).items():
            assert np.array_equal(value, flat(copy)[key]), (number, key)
    arrays = [value for one in kept for value in flat(one).values() if isinstance(value, np.ndarray)]
    places = {(array.ctypes.data, array.shape) for array in arrays}
    assert len(places) == len(arrays)


DERIVED = {
    "part of the array": lambda array: array[..., :1],
    "view of the array": lambda array: array.T.view(),
    "buffer": lambda array: np.asarray(memoryview(array)),
    "the array alone": lambda array: array,
}


@pytest.mark.parametrize("derive", DERIVED.values(), ids=DERIVED)
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_an_array_derived_from_an_observation_never_changes(make, derive):
    """The memory of an observation may be reused only if the user holds none of its arrays."""
    env = make()
    env.action_space.seed(6)
    env.reset(seed=6)
    kept = []
    for number in range(90):
        observation, _, terminated, truncated, _ = env.step(env.action_space.sample())
        if number % 9 == 0:
            arrays = [derive(array) for array in flat(observation).values() if isinstance(array, np.ndarray)]
            kept += [(array, array.copy()) for array in arrays[number % len(arrays) :]]
        if terminated or truncated:
            env.reset()
    for array, copy in kept:
        assert np.array_equal(array, copy)


def test_the_memory_of_a_released_observation_is_reused():
    env = ShoverWorldEnv(rules="phase2", n_rows=4, n_cols=5)
    env.reset(seed=1)
    places = {env.step((0, 0, 0))[0]["grid"].ctypes.data for _ in range(20)}
    assert len(places) == 3


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_changing_an_observation_does_not_affect_the_game(make):
    env, twin = make(), make()
    env.action_space.seed(2)
    env.reset(seed=2)
    twin.reset(seed=2)
    for _ in range(80):
        action = env.action_space.sample()
        observation, _, terminated, truncated, info = env.step(action)
        expected, *_, same = twin.step(action)
        assert info == same
        for key, value in flat(observation).items():
            assert np.array_equal(value, flat(expected)[key]), key
            if isinstance(value, np.ndarray):
                value[...] = 1
        if isinstance(observation, dict):
            observation.clear()
        if terminated or truncated:
            break


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_a_copied_environment_writes_its_own_observations(make):
    env = make()
    env.action_space.seed(4)
    env.reset(seed=4)
    other = deepcopy(env)
    for _ in range(5):
        action = env.action_space.sample()
        mine, theirs = flat(env.step(action)[0]), flat(other.step(action)[0])
        for key in mine:
            assert np.array_equal(mine[key], theirs[key])
            assert not np.shares_memory(mine[key], theirs[key])
