"""Tests of unusual inputs: seeds, actions and options of any type, in single, batched and PettingZoo environments."""

from itertools import combinations, product

import gymnasium as gym
import numpy as np
import pytest

from shoverworld import Map, race, shover, sokoban
from shoverworld.core.errors import ActionError, ConfigError, ShoverWorldError
from tests.ids import RACE, SHOVER, made, made_many, plain

GAMES = [SHOVER[0], "shoverworld/Sokoban-small-v0", RACE[0]]
SEEDS = [3, np.array(3), np.int8(3), np.uint64(3), np.array(3, ">i4")]
NOT_SEEDS = [
    True,
    np.True_,
    np.array(True),
    3.0,
    np.float32(3),
    np.array(3.0),
    np.array(3, object),
    -1,
    np.int8(-1),
    "3",
]
THREES = [3, np.int16(3), np.uint8(3), np.array(3), np.array(3, ">i8"), np.array(3, ">u2")]
NOT_ACTIONS = [
    *(None, "3", 3.0, np.float64(3), np.True_, np.array(True), np.array(3.0), np.array([3]), np.array(3, object)),
    *(2**70, np.uint64(2**64 - 1), np.array(2**64 - 1, np.uint64), np.array(3, "m8[s]"), np.zeros(0, int)),
]


def pettingzoo_environments():
    pytest.importorskip("pettingzoo")
    from shoverworld.race import aec
    from shoverworld.sokoban import duo

    small = {"rules": "TwoPlayer-Sokoban-v0"}
    return aec.raw_env(cars=2), duo.raw_env(**small), aec.parallel_env(cars=2), duo.parallel_env(**small)


def played(env, action):
    """Play an action for the agent whose turn it is, or for both agents in a round, and return the state."""
    env.step(action if hasattr(env, "agent_selection") else dict.fromkeys(env.agents, action))
    return plain(env.state())


@pytest.mark.parametrize("seed", SEEDS, ids=repr)
@pytest.mark.parametrize("env_id", GAMES)
def test_seeds_of_any_integer_type_are_accepted(env_id, seed):
    expected = plain(made(env_id).reset(seed=3))
    assert plain(made(env_id).reset(seed=seed)) == expected
    assert plain(made(env_id, seed=seed).reset()) == expected
    assert plain(made_many(env_id, 2, seed=seed).reset()) == plain(made_many(env_id, 2).reset(seed=3))


@pytest.mark.parametrize("seed", NOT_SEEDS, ids=repr)
@pytest.mark.parametrize("env_id", GAMES)
def test_seeds_that_are_not_integers_raise_an_error(env_id, seed):
    env, envs = made(env_id), made_many(env_id, 2)
    for call in (
        lambda: env.reset(seed=seed),
        lambda: envs.reset(seed=seed),
        lambda: envs.reset(seed=[3, seed]),
        lambda: made(env_id, seed=seed),
        lambda: made_many(env_id, 2, seed=seed),
    ):
        with pytest.raises(ConfigError, match=r"seed=.*must be None or a non-negative integer"):
            call()


@pytest.mark.parametrize("generate", [shover.generate, sokoban.generate_room, race.random_track])
def test_generators_accept_seeds_of_any_integer_type_and_no_others(generate):
    expected = str(generate(3))
    for seed in SEEDS:
        assert str(generate(seed)) == expected
    for seed in NOT_SEEDS:
        with pytest.raises(ConfigError, match="seed"):
            generate(seed)


@pytest.mark.parametrize("action", THREES, ids=repr)
@pytest.mark.parametrize("env_id", GAMES[1:])
def test_actions_of_any_integer_type_are_played(env_id, action):
    results = []
    for given in (3, action):
        env = gym.make(env_id)
        env.reset(seed=1)
        results.append(plain(env.step(given)))
    assert results[0] == results[1]


TARGET = np.array([1, 1, 2])


@pytest.mark.parametrize(
    "action",
    [
        *(TARGET.astype(kind) for kind in (">i8", ">i2", np.uint8)),
        np.repeat(TARGET, 2)[::2],
        np.frombuffer(b"-" + TARGET.astype(np.int64).tobytes(), np.int64, offset=1),  # unaligned and read-only
        (np.array(1, ">i4"), np.int8(1), np.array(2, ">u8")),
        (TARGET[:2].astype(">i8"), np.array(2, ">i2")),
    ],
    ids=repr,
)
def test_shover_world_actions_may_have_any_integer_type_and_layout(action):
    results = []
    for given in ((1, 1, 2), action):
        env = gym.make(SHOVER[0])
        env.reset(seed=1)
        results.append(plain(env.step(given)))
    assert results[0] == results[1]


@pytest.mark.parametrize("action", NOT_ACTIONS, ids=repr)
@pytest.mark.parametrize("env_id", GAMES)
def test_actions_that_are_not_integers_raise_an_error(env_id, action):
    env = made(env_id).unwrapped
    env.reset(seed=1)
    with pytest.raises(ActionError, match="outside the action space"):
        env.step((0, 0, action) if env_id in SHOVER else action)


def test_pettingzoo_environments_accept_seeds_and_actions_of_any_integer_type():
    for env in pettingzoo_environments():
        env.reset(seed=3)
        expected = plain(env.state())
        for seed in SEEDS:
            env.reset(seed=seed)
            assert plain(env.state()) == expected
        expected = played(env, 3)
        for action in THREES:
            env.reset(seed=3)
            assert played(env, action) == expected


def test_pettingzoo_environments_reject_seeds_and_actions_that_are_not_integers():
    for env in pettingzoo_environments():
        env.reset(seed=3)
        for seed in NOT_SEEDS:
            with pytest.raises(ConfigError, match="seed"):
                env.reset(seed=seed)
        for action in NOT_ACTIONS:
            with pytest.raises(ActionError, match="outside the action space"):
                played(env, action)


# --- options of `reset`, and positions

ODD = [
    *(
        None,
        True,
        np.True_,
        -1,
        0,
        1,
        2**70,
        0.5,
        float("nan"),
        float("inf"),
        "",
        "x",
        "A.B",
        "#",
        "\0",
        b"A",
        {},
        object(),
    ),
    *(
        [],
        [1],
        (1, 2),
        (10**9, 0),
        (-1, -1),
        [(1, 1)],
        [(-1, 0)],
        [(2**70, 0)],
        [(1, 1), (1, 1)],
        np.array([[1, 1]], ">i8"),
    ),
    *(np.zeros((2, 2), int), np.full((3, 3), 200), np.zeros((3, 3), ">i8"), np.zeros((3, 3), object), np.zeros((0, 0))),
    *(
        np.zeros((300, 300)),
        np.zeros((2, 2, 2)),
        np.array(3),
        np.array([["a"]]),
        np.array([[np.nan]]),
        np.array([1, 2]),
    ),
    *(Map.parse("A.B\n..L"), sokoban.Level.parse("#####\n#@$.#\n#####"), race.Track.parse("S..F")),
]
OPTIONS = dict(zip(GAMES, (("map", "agent"), ("map", "level"), ("map", "track", "starts")), strict=True))


@pytest.mark.parametrize("env_id", GAMES)
def test_unusual_options_either_start_a_game_or_raise_an_error(env_id):
    single, batch = made(env_id).unwrapped, made_many(env_id, 2)
    batch.reset(seed=1)
    names = OPTIONS[env_id]
    options = [{name: value} for name, value in product((*names, "reset_mask"), ODD)]
    options += [dict(zip(pair, values, strict=True)) for pair in combinations(names, 2) for values in product(ODD, ODD)]
    started = 0
    for option, env in product(options, (single, batch)):
        try:
            env.reset(options=option)
        except ShoverWorldError:
            continue
        env.step(env.action_space.sample())
        started += 1
    assert started > 5


def test_unusual_positions_are_either_rejected_or_used():
    env = gym.make(SHOVER[0]).unwrapped
    env.reset(seed=1)
    placed = 0
    for position in (*ODD, *product(ODD, ODD)):
        try:
            env.place(position)
        except ShoverWorldError:
            continue
        placed += 1
        assert env.state_hash()
    assert placed > 2
