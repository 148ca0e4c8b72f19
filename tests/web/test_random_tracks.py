"""The module of the race generates the same tracks from the same seeds as Python does."""

import hashlib
import random

import numpy as np
import pytest

from shoverworld.core import mersenne, sha512
from shoverworld.core.jit import kernel
from shoverworld.games import game_named
from shoverworld.games.race.generate import random_track
from tests.web.host import BlockView, Module, new_game

GAME = game_named("race")


def generated(
    seed: int, module: Module | None = None, cars: int = 1, rows: int = 30, cols: int = 40, **settings
) -> BlockView:
    """Return a block with a race on a random track."""
    block = new_game(module or Module("race"), "race", {"rows": rows, "cols": cols, "cars": cars})
    for name, value in settings.items():
        block["start"][name] = value
    block.seed(seed)
    assert block.call("generate") == 0
    return block


@pytest.mark.parametrize(
    "seed", [*range(24), 99, 1000, 2**31, 2**32 - 1, 2**32, 2**64 + 1, 10**30, 2**256 - 1], ids=lambda seed: f"{seed:x}"
)
def test_a_seed_gives_the_random_level_and_the_start_of_the_window(seed):
    board = GAME.levels.random("race", seed)
    block = generated(seed)
    assert block["level"].tobytes() == board.level.track.cells.tobytes()
    env = GAME.levels.environment(board, "race")
    env.reset(seed=seed, options=GAME.levels.options(board))
    assert block.state_hash() == env.state_hash()


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize(("rows", "cols"), [(45, 21), (24, 90), (50, 60)])
def test_the_settings_of_a_track_have_the_same_effect(closed, rows, cols):
    for seed, (width, twist) in enumerate([(1, 1.0), (2, 0.3), (3, 0.0), (5, 0.6)]):
        track = random_track(seed, closed, rows, cols, width, twist)
        block = generated(seed, rows=rows, cols=cols, closed=int(closed), width=width, twist=twist)
        assert block["level"].tobytes() == track.cells.tobytes()


def test_a_shorter_seed_replaces_a_longer_one():
    block = generated(2**100 + 7)
    block.seed(5)
    block.call("generate")
    assert block["level"].tobytes() == GAME.levels.random("race", 5).level.track.cells.tobytes()


@pytest.mark.parametrize("wrong", [{"width": 0}, {"width": 51}, {"width": 20}, {"twist": 1.5}, {"twist": -0.1}])
def test_settings_that_fit_no_track_are_refused(wrong):
    block = new_game(Module("race"), "race")
    for name, value in wrong.items():
        block["start"][name] = value
    block.seed(1)
    assert block.call("generate") == -1


# --- Python's random numbers, compiled


@kernel
def seed_and_draw(text, length, state, words, drawn):
    mersenne.seed_from_text(state, text, length, words)
    for k in range(len(drawn)):
        drawn[k] = mersenne.next_random(state)


@kernel
def draw(state, drawn):
    for k in range(len(drawn)):
        drawn[k] = mersenne.next_random(state)


@kernel
def hash_text(text, length, words):
    sha512.append_digest(text, length, words)


def room_for(text: bytes) -> np.ndarray:
    return np.frombuffer(text + bytes(sha512.DIGEST), np.uint8).copy()


@pytest.mark.parametrize("length", [0, 1, 3, 55, 64, 110, sha512.LONGEST])
def test_short_texts_have_the_sha512_digest_of_hashlib(length):
    text = bytes(k * 7 % 256 for k in range(length))
    found = room_for(text)
    hash_text(found, length, np.zeros(sha512.WORKSPACE, np.uint64))
    assert found.tobytes() == text + hashlib.sha512(text).digest()


@pytest.mark.parametrize("text", ["race track 0", "race track 12345678901234567890", "a"])
def test_a_text_seeds_the_random_numbers_of_python(text):
    state, drawn = np.zeros(mersenne.STATE, np.int64), np.zeros(1000)
    seed_and_draw(room_for(text.encode()), len(text), state, np.zeros(sha512.WORKSPACE, np.uint64), drawn)
    rng = random.Random(text)
    assert drawn.tolist() == [rng.random() for _ in drawn]
    copied = mersenne.state_of(rng)
    draw(copied, drawn)
    assert drawn.tolist() == [rng.random() for _ in drawn]
