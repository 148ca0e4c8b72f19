"""Tests of `set_state` with damaged states: each one is rejected with a ConfigError, or the game continues safely."""

import json
import pickle
import subprocess
import sys
from collections import Counter

import gymnasium as gym
import numpy as np
import pytest

from shoverworld.core.errors import ConfigError
from shoverworld.core.jit import compiles
from shoverworld.games.race import checking as race_checking
from shoverworld.games.shover import checking as shover_checking
from shoverworld.games.sokoban import checking as sokoban_checking
from shoverworld.race import Track
from tests.ids import made, made_many
from tests.paths import ROOT

SQUARES = "BB.....\nBB..BBB\n....BBB\n.A..BBB\nL......\n.BB.B..\n.BB...B"
ROOM = "########\n#@ $ . #\n#  $ . #\n#      #\n########"
PAIR = "########\n#@ $ . #\n#  $ .@#\n#      #\n########"
LOOP = "SSS....\nSSS.##.\n....##F\n....FFF"
# Each kind of game: the id, the arguments, and the options of `reset`.
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
        tracks = [Track.parse(LOOP)] if options else ["01-straight", "02-bend"]
        keywords = {"track": tracks, "observation": EVERYTHING, **keywords}
    return f"shoverworld/{name}", keywords, options


# --- damage


def numbers_near(rng, number, dtype):
    """Return a replacement for a number: a similar, a small, an extreme or a random number."""
    if dtype.kind == "f":
        return rng.choice([0.0, -1.0, np.nan, np.inf, -np.inf, 1e300, float(number) + 1])
    if dtype.kind == "b":
        return bool(rng.integers(2))
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    choices = [number - 1, number + 1, -1, 0, low, high, rng.integers(-10, 100), rng.integers(low, high, endpoint=True)]
    return min(max(int(choices[rng.integers(len(choices))]), int(low)), int(high))


def arrays_of(state):
    """Return all arrays of a state. The state of a race also contains the arrays of its tracks."""
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
    """Return a replacement for an array."""
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
    """Call every function that reads the state, then continue the game."""
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


def fuzz(kinds, seed, rounds):
    """Damage states of these kinds and print how many of them were accepted and rejected."""
    rng = np.random.default_rng(seed)
    print(json.dumps({kind: [fuzz_single(rng, kind, rounds), fuzz_batch(rng, kind, rounds // 4)] for kind in kinds}))


CODE = """
import faulthandler, json, sys, warnings
faulthandler.enable()
warnings.simplefilter("ignore")
from tests.core.test_states import fuzz
fuzz(*json.loads(sys.argv[1]))
"""


@pytest.mark.skipif(not compiles(), reason="uncompiled code checks all indices")
@pytest.mark.parametrize(
    "kinds", [list(KINDS)[:3], list(KINDS)[3:7], list(KINDS)[7:]], ids=["shover", "sokoban", "race"]
)
def test_a_damaged_state_is_either_rejected_or_playable(kinds):
    """A separate process continues the game, so that a crash makes only this test fail."""
    run = subprocess.run(
        [sys.executable, "-c", CODE, json.dumps([kinds, 13, 1500])],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert run.returncode == 0, run.stderr
    for kind, results in json.loads(run.stdout).items():
        for result in results:
            assert min(result["accepted"], result["rejected"]) > 20, (kind, result)


@pytest.mark.parametrize("kind", KINDS)
def test_every_state_of_a_real_game_is_accepted(kind):
    env_id, keywords, options = keywords_of(kind)
    variants = [{"hellify": "whole", "perf_sq_initial_age": age} for age in (0, 3)] if "Shover" in env_id else []
    rng = np.random.default_rng(5)
    for variant in ({}, *variants):
        env = made(env_id, **{**keywords, **variant}).unwrapped
        env.reset(seed=5, options=options)
        for _ in range(150):
            mask = env.action_mask()
            if not mask.any():
                env.reset()
                continue
            env.step(action_at(env.action_space, rng.choice(np.flatnonzero(mask))))
            before = env.state_hash()
            env.set_state(env.get_state())
            assert env.state_hash() == before


# --- single cases


def changed(change, kind="milestone1", steps=()):
    """Return an environment and one of its states with this change applied."""
    env_id, keywords, options = keywords_of(kind)
    env = made(env_id, **keywords).unwrapped
    env.reset(seed=1, options=options)
    for action in steps:
        env.step(action)
    state = env.get_state()
    result = change(state)
    return env, state if result is None else result


def put(records, place, **fields):
    for name, value in fields.items():
        records[name][place] = value


LIST_OF_SQUARES = {  # SQUARES has perfect squares at (0, 0), (1, 4) and (5, 1)
    "a corner far away": lambda s: put(s.squares, (0, 0), corner=10**6),
    "a negative corner": lambda s: put(s.squares, (0, 0), corner=-500),
    "a huge square": lambda s: put(s.squares, (0, 0), n=30000),
    "a row off the map": lambda s: put(s.squares, (0, 0), row=900),
    "a square that is not there": lambda s: put(s.squares, (0, 0), corner=s.squares["corner"][0, 0] + 1, col=1),
    "a square twice": lambda s: s.squares.__setitem__((0, 1), s.squares[0, 0]),
    "a square from the future": lambda s: put(s.squares, (0, 2), born=5),
    "a square of negative age": lambda s: put(s.squares, (0, 0), born=-5),
    "squares in the wrong order": lambda s: s.squares.__setitem__((0, slice(2)), s.squares[0, 1::-1].copy()),
    "one square too few": lambda s: put(s.game, 0, squares=2),
    "one square too many": lambda s: put(s.game, 0, squares=4),
    "more squares than the list has": lambda s: put(s.game, 0, squares=10**4),
    "a negative number of squares": lambda s: put(s.game, 0, squares=-1),
    "no blocks": lambda s: put(s.game, 0, blocks=0),
    "a broken square": lambda s: (s.board.__setitem__((0, 10), 0), put(s.game, 0, boxes=s.game["boxes"][0] - 1)),
    "a shover on a box": lambda s: put(s.game, 0, row=0, col=0),
    "moving boxes off the map": lambda s: put(s.game, 0, moving=5, moving_cell=10, moving_direction=0),
}


@pytest.mark.parametrize("case", LIST_OF_SQUARES)
def test_a_list_of_squares_that_does_not_match_the_board_is_rejected(case):
    env, state = changed(lambda s: LIST_OF_SQUARES[case](s) and None)
    before = env.state_hash()
    with pytest.raises(ConfigError, match="set_state: not a valid state from get_state"):
        env.set_state(state)
    assert env.state_hash() == before


def test_a_track_in_a_state_from_elsewhere_is_copied_so_that_later_changes_have_no_effect():
    env, state = changed(lambda s: s._replace(bank=type(s.bank)(*map(np.array, s.bank[:-2]), *s.bank[-2:])), "cars")
    other = made("shoverworld/Race-v0", cars=3, track="01-straight").unwrapped
    other.set_state(state)
    shown = other.map_text()
    for array in state.bank[:-2]:
        array[...] = 99
    assert other.map_text() == shown == env.map_text()
    other.step(4)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("starts", 10**6),
        ("starts", -1),
        ("start_count", 50),
        ("sizes", 900),
        ("sizes", 0),
        ("distance", 7),
        ("ground", 5),
    ],
)
def test_inconsistent_tracks_are_rejected(name, value):
    _, state = changed(lambda s: s._replace(bank=type(s.bank)(*map(np.array, s.bank[:-2]), *s.bank[-2:])), "cars")
    getattr(state.bank, name)[0, ...] = value
    other = made("shoverworld/Race-v0", cars=3, track="01-straight").unwrapped
    with pytest.raises(ConfigError, match="TrackBank"):
        other.set_state(state)


def test_restoring_a_state_with_equal_tracks_keeps_the_tracks_of_the_environment():
    """The state of another environment, or of a copy in another process, has different arrays with the same content."""
    env, state = changed(lambda s: None, "race")
    other = made("shoverworld/Race-v0", **keywords_of("race")[1]).unwrapped
    other.set_state(pickle.loads(pickle.dumps(state)))
    assert other.track in other.tracks
    assert other.track.name == env.track.name


def test_every_field_of_a_state_has_limits():
    """A new field of a record must be added to the limits of its game."""
    for kind, checking in (("phase2", shover_checking), ("pair", sokoban_checking)):
        _, state = changed(lambda s: None, kind)
        assert set(checking.limits(state)) == set(state.game.dtype.names)
    _, state = changed(lambda s: None, "cars")
    assert set(race_checking.game_limits(state)) == set(state.game.dtype.names)
    assert set(race_checking.car_limits(state, 5)) == set(state.cars.dtype.names)
