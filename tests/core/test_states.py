"""Tests of `set_state` with damaged states: each one is rejected with a ConfigError, or the game continues safely."""

import json
from collections import Counter

import gymnasium as gym
import numpy as np
import pytest

import shoverworld  # noqa: F401  (registers the ids)
from shoverworld.core.errors import ConfigError
from tests.ids import made, made_many

pytestmark = pytest.mark.filterwarnings("ignore:.*is out of date")

SQUARES = "BB.....\nBB..BBB\n....BBB\n.A..BBB\nL......\n.BB.B..\n.BB...B"
ROOM = "########\n#@ $ . #\n#  $ . #\n#      #\n########"
PAIR = "########\n#@ $ . #\n#  $ .@#\n#      #\n########"
LOOP = "SSS....\nSSS.##.\n....##F\n....FFF"
# Each kind of game: the id, the keywords, and the options of `reset`.
KINDS = {
    "milestone1": ("ShoverWorld-v0", {"n_rows": 7, "n_cols": 7}, {"map": SQUARES}),
    "walker": ("ShoverWalker-v0", {"n_rows": 7, "n_cols": 7}, {"map": SQUARES}),
    "phase2": ("ShoverSelect-v0", {"n_rows": 7, "n_cols": 7, "perf_sq_initial_age": 5}, {"map": SQUARES}),
    "sokoban": ("Sokoban-small-v0", {"dim_room": (5, 8), "observation": "grid"}, {"map": ROOM}),
    "fixed": ("FixedTarget-Sokoban-v2", {"dim_room": (5, 8), "observation": "tiny_rgb"}, {"map": ROOM}),
    "pull": ("PushAndPull-Sokoban-v2", {"dim_room": (5, 8)}, {"map": ROOM}),
    "pair": ("TwoPlayer-Sokoban-v0", {"dim_room": (5, 8), "observation": "rgb"}, {"map": PAIR}),
    "race": ("Race-v0", {}, {}),
    "cars": ("Race-v0", {"cars": 3, "finish": "cross", "view": 3}, {"map": LOOP}),
}
EVERYTHING = ("view", "distances", "velocity", "position", "landing", "waiting", "action_mask")


def keywords_of(kind):
    name, keywords, options = KINDS[kind]
    if name == "Race-v0":
        from shoverworld.race import Track

        tracks = [Track.parse(LOOP)] if options else ["01-straight", "02-bend"]
        keywords = {"track": tracks, "observation": EVERYTHING, **keywords}
    return f"shoverworld/{name}", keywords, options


# --- damage


def numbers_near(rng, number, dtype):
    """Return a number that may replace this one: a near one, a small one, an extreme one or a random one."""
    if dtype.kind == "f":
        return rng.choice([0.0, -1.0, np.nan, np.inf, -np.inf, 1e300, float(number) + 1])
    if dtype.kind == "b":
        return bool(rng.integers(2))
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    choices = [number - 1, number + 1, -1, 0, low, high, rng.integers(-10, 100), rng.integers(low, high, endpoint=True)]
    return min(max(int(choices[rng.integers(len(choices))]), int(low)), int(high))


def arrays_of(state):
    """Return all arrays of a state. A race also contains the arrays of its tracks."""
    parts = [part for part in state if isinstance(part, np.ndarray)]
    return [*parts, *(part for part in state[-1] if isinstance(part, np.ndarray))] if hasattr(state, "bank") else parts


def change_one_number(rng, array):
    flat = array.reshape(-1)
    place = rng.integers(flat.size)
    if array.dtype.names is None:
        flat[place] = numbers_near(rng, flat[place], array.dtype)
    else:
        name = array.dtype.names[rng.integers(len(array.dtype.names))]
        flat[name][place] = numbers_near(rng, flat[name][place], array.dtype[name])


def change_some_bytes(rng, array):
    flat = array.view(np.uint8).reshape(-1)
    flat[rng.integers(flat.size, size=rng.integers(1, 9))] = rng.integers(256)


def exchange_two_items(rng, array):
    flat = array.reshape(-1)
    one, other = rng.integers(flat.size, size=2)
    flat[[one, other]] = flat[[other, one]]


def other_array(rng, array):
    """Return something else in place of an array."""
    others = [
        lambda: array[:0],
        lambda: array[..., :-1],
        lambda: np.concatenate([array, array]),
        lambda: np.repeat(array, 2, axis=-1)[..., ::2],
        lambda: array.T.copy().T,
        lambda: array.reshape(-1),
        lambda: array[None],
        lambda: array.view(array.dtype.newbyteorder(">")),
        lambda: array.astype(array.dtype.newbyteorder(">")),
        lambda: array.view(np.dtype((np.void, array.dtype))) if array.dtype.names else array.astype(np.int64),
        lambda: array.view(np.uint8),
        lambda: array.tolist(),
        lambda: array.view(np.recarray),
        lambda: None,
        lambda: rng.integers(100),
    ]
    return others[rng.integers(len(others))]()


def damaged(rng, state):
    """Return a damaged copy of a state."""
    state = state.copy()
    if hasattr(state, "bank") and rng.integers(3) == 0:
        state = state._replace(
            bank=type(state.bank)(*(np.array(part) if isinstance(part, np.ndarray) else part for part in state.bank))
        )
    arrays = [array for array in arrays_of(state) if array.flags.writeable and array.size]
    kind = rng.integers(20)
    if kind == 0:
        name = state._fields[rng.integers(len(state))]
        part = getattr(state, name)
        return state._replace(
            **{name: other_array(rng, part) if isinstance(part, np.ndarray) else rng.integers(-3, 60)}
        )
    if kind == 1 and hasattr(state, "bank"):
        name = state.bank._fields[rng.integers(len(state.bank))]
        part = getattr(state.bank, name)
        other = other_array(rng, part) if isinstance(part, np.ndarray) else int(rng.integers(-3, 60))
        return state._replace(bank=state.bank._replace(**{name: other}))
    if kind == 2 and hasattr(state, "width"):
        return state._replace(width=int(rng.integers(-3, 60)))
    for _ in range(rng.integers(1, 3)):
        array = arrays[rng.integers(len(arrays))]
        how = rng.integers(10)
        (change_some_bytes if how == 0 else exchange_two_items if how == 1 else change_one_number)(rng, array)
    return state


# --- play


def use(rng, env):
    """Call everything that reads the state, and play on."""
    env.observe(), env.state_hash(), env.text(), env.remark(), env.figures(), env.picture()
    for _ in range(12):
        mask = env.action_mask()
        if not mask.any():
            break
        env.step(
            action_at(
                env.action_space, rng.choice(np.flatnonzero(mask)) if rng.integers(2) else rng.integers(mask.size)
            )
        )
    env.set_state(env.get_state())


def action_at(space, number):
    if isinstance(space, gym.spaces.Discrete):
        return int(space.start + number)
    return np.array(np.unravel_index(number, space.nvec)) + space.start


def fuzz_single(rng, kind, rounds):
    env_id, keywords, options = keywords_of(kind)
    env = made(env_id, **keywords).unwrapped
    env.reset(seed=int(rng.integers(1000)), options=options)
    states, results = [], Counter()
    for step in range(80):
        mask = env.action_mask()
        if not mask.any():
            env.reset(options=options)
            continue
        env.step(action_at(env.action_space, rng.choice(np.flatnonzero(mask))))
        if step % 8 == 0:
            states.append(env.get_state())
    for _ in range(rounds):
        state = damaged(rng, states[rng.integers(len(states))])
        try:
            env.set_state(state)
        except ConfigError:
            results["rejected"] += 1
            continue
        results["accepted"] += 1
        use(rng, env)
        if rng.integers(10) == 0:
            env.reset()
    return results


def fuzz_batch(rng, kind, rounds):
    env_id, keywords, options = keywords_of(kind)
    envs = made_many(env_id, 3, **keywords)
    envs.reset(seed=int(rng.integers(1000)), options=options)
    states, results = [], Counter()
    for _ in range(12):
        envs.step(envs.action_space.sample())
        states.append(envs.get_state())
    for _ in range(rounds):
        state = damaged(rng, states[rng.integers(len(states))])
        try:
            envs.set_state(state)
        except ConfigError:
            results["rejected"] += 1
            continue
        results["accepted"] += 1
        envs.action_mask()
        for _ in range(5):
            envs.step(envs.action_space.sample())
        envs.set_state(envs.get_state())
        envs.reset(options={"reset_mask": np.arange(3) == 1})
    return results


def main(kind, seed, rounds):
    rng = np.random.default_rng(seed)
    print(json.dumps({"single": fuzz_single(rng, kind, rounds), "batch": fuzz_batch(rng, kind, rounds // 4)}))
