"""Threads divide the games of a batch among themselves. The results must not depend on the number of threads.

`python -m tests.core.test_workers 10000` runs that many random batches.
"""

import sys
import threading
from functools import cache

import gymnasium as gym
import numpy as np
import pytest

from shoverworld import sokoban
from shoverworld.core.atomics import number_at
from shoverworld.core.errors import ActionError
from shoverworld.core.jit import kernel
from shoverworld.core.workers import Workers, first_share, given_actions, new_work, next_share, total

IDS = {
    "ShoverWorld-v0": {"rules": "phase2", "n_rows": 5, "n_cols": 5, "number_of_boxes": 6, "max_timestep": 6},
    "Sokoban-4a-v0": {"levels": "easy", "max_steps": 6},
    "Race-v0": {"max_rounds": 6},
}


@kernel
def add_rows(work, worker, numbers, sums):
    first, last = first_share(work, worker, numbers)
    while first < last:
        given = given_actions(work)
        for i in range(first, last):
            sums[i] += number_at(given, i)
        first, last = next_share(work, worker, last - first)
    return total(work, worker)


@pytest.mark.parametrize("threads", [1, 2, 3, 5])
def test_every_part_of_the_work_is_done_exactly_once_in_every_run(threads):
    rng = np.random.default_rng(threads)
    for games in (1, 2, 7, 1000):
        sums, expected = np.zeros(games, np.int64), np.zeros(games, np.int64)
        work = new_work(games, int(rng.integers(1, games + 1)), threads)
        workers = Workers(add_rows, work, np.zeros(games, np.int64), (sums,), threads)
        for _ in range(100):
            numbers = rng.integers(0, 100, games)  # a new array in every run
            assert workers.run(numbers) == games
            expected += numbers
            assert np.array_equal(sums, expected)
        workers.stop()


def test_stopped_workers_end_and_leave_the_work_to_the_caller():
    before = set(threading.enumerate())
    numbers, sums = np.arange(100), np.zeros(100, np.int64)
    workers = Workers(add_rows, new_work(100, 10, 4), numbers, (sums,), 4)
    threads = set(threading.enumerate()) - before
    assert len(threads) == 3
    workers.stop()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
    assert workers.run(numbers) == 100
    assert np.array_equal(sums, numbers)


@cache
def levels():
    return sokoban.packaged("easy")[:20]


def batch(env_id, games, **keywords):
    settings = IDS[env_id] | ({"levels": levels()} if "levels" in IDS[env_id] else {})
    return gym.make_vec(
        f"shoverworld/{env_id}", num_envs=games, vectorization_mode="vector_entry_point", **(settings | keywords)
    ).unwrapped


def play(envs, seed, steps):
    """Return the results of several steps as bytes."""
    envs.reset(seed=seed)
    envs.action_space.seed(seed)
    found = []
    for _ in range(steps):
        obs, *results, info = envs.step(envs.action_space.sample())
        parts = [*(obs.values() if isinstance(obs, dict) else [obs]), *results]
        found.append([part.tobytes() for part in parts] + [list(info["outcome"])])
    return found


def compare(count, seed):
    rng = np.random.default_rng(seed)
    for run in range(count):
        env_id = list(IDS)[run % len(IDS)]
        games, threads = int(rng.integers(1, 200)), int(rng.integers(2, 9))
        copy, mode = bool(rng.integers(2)), str(rng.choice(["NextStep", "SameStep"]))
        one = batch(env_id, games, autoreset_mode=mode)
        many = batch(env_id, games, num_threads=threads, copy=copy, autoreset_mode=mode)
        assert play(one, run, 8) == play(many, run, 8), (env_id, games, threads, copy, mode)
        many.close()


def test_random_batches_give_the_same_results_with_any_number_of_threads():
    compare(90, seed=1)


@pytest.mark.parametrize("env_id", IDS)
def test_a_threaded_batch_is_usable_after_an_error(env_id):
    one, many = batch(env_id, 50), batch(env_id, 50, num_threads=3)
    for envs in (one, many):
        envs.reset(seed=2)
        envs.action_space.seed(2)
    for _ in range(10):
        actions = one.action_space.sample()
        wrong = actions.copy()
        wrong[-1] = 1000
        with pytest.raises(ActionError):
            many.step(wrong)
        assert np.array_equal(one.step(actions)[1], many.step(actions)[1])


if __name__ == "__main__":
    compare(int(sys.argv[1]), seed=0)
    print(f"{sys.argv[1]} random batches: the results are the same with every number of threads")
