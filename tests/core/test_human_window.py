"""The window of `render_mode="human"`: statistics above the board, and the board as players expect to see it."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

import gymnasium as gym
import numpy as np
import pygame
import pytest

import shoverworld  # noqa: F401  (registers the ids)
from shoverworld.core.screen import GROUND, NARROWEST, RenderWindow
from shoverworld.games import all_games, game_named
from shoverworld.games.shover.tiles import PLAIN_BOX, SHOVER_TILE, tile

SIZE = 40
PHASE2 = "shoverworld/ShoverSelect-v0"


@pytest.fixture
def human():
    """Return a function that opens an environment in a window; close all windows at the end."""
    opened = []

    def make(env_id, board=None, mode="human", **keywords):
        env = gym.make(env_id, render_mode=mode, disable_env_checker=True, **keywords)
        env.reset(seed=0, options=None if board is None else {"map": board})
        opened.append(env)
        return env

    yield make
    for env in opened:
        env.close()


def seen() -> np.ndarray:
    return pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)


def split(env) -> tuple[np.ndarray, np.ndarray]:
    """Return the pixels of the statistics and of the board."""
    board = env.unwrapped.window_picture()
    window = seen()
    assert window.shape[1] == max(NARROWEST, board.shape[1])
    left = (window.shape[1] - board.shape[1]) // 2
    return window[: len(window) - len(board)], window[len(window) - len(board) :, left : left + board.shape[1]]


def test_the_statistics_required_by_the_specification_appear_above_the_board(human):
    env = human("shoverworld/ShoverWorld-v0", "AB.L\n...#", cell_size=SIZE)
    labels = [label for label, _ in env.unwrapped.hud()]
    wanted = {"Step", "Stamina", "Boxes left", "Destroyed", "Last action", "Burnt by last push"}
    assert wanted <= set(labels)
    above, board = split(env)
    assert len(above) > 30 and (above != GROUND).any(), "there is text above the board"
    assert np.array_equal(board, env.unwrapped.window_picture())
    env.step((0, 1, 2))
    now = dict(env.unwrapped.hud())
    assert now["Step"].startswith("1 ") and now["Stamina"] == "950" and now["Last action"] == "valid"
    assert not np.array_equal(split(env)[0], above), "the statistics change with the game"
    env.step((1, 3, 3))
    assert dict(env.unwrapped.hud())["Last action"].startswith("invalid: ")


@pytest.mark.parametrize("game", sorted(all_games()))
def test_every_game_shows_its_statistics(human, game):
    env = human(game_named(game).default_id)
    assert env.unwrapped.hud() and (split(env)[0] != GROUND).any()


def test_a_game_without_a_user_interface_shows_its_statistics(human, monkeypatch):
    env = human("shoverworld/ShoverWorld-v0", "AB.L")
    monkeypatch.setattr(type(env.unwrapped.game), "ui", None)
    assert env.unwrapped.hud() == [("Steps", "0"), ("Stamina", "1000")]


def test_phase2_shows_the_lava_edge_and_no_shover(human):
    env = human(PHASE2, "A.B\n...", cell_size=SIZE)
    _, board = split(env)
    half = SIZE // 2
    assert board.shape == (2 * SIZE + 2 * half, 3 * SIZE + 2 * half, 3)
    assert np.array_equal(board[:half, half : half + SIZE], tile(-100, SIZE)[half:, :, :3])
    cells = board[half:-half, half:-half]
    assert np.array_equal(cells[:SIZE, :SIZE], tile(0, SIZE)[..., :3]), "the start cell of the shover is empty"
    assert np.array_equal(cells[:SIZE, 2 * SIZE :], tile(PLAIN_BOX, SIZE)[..., :3])


def test_other_presets_show_the_shover_and_no_lava_edge(human):
    env = human("shoverworld/ShoverWorld-v0", "A.B\n...", cell_size=SIZE)
    _, board = split(env)
    assert board.shape == (2 * SIZE, 3 * SIZE, 3)
    opaque = tile(SHOVER_TILE + 2, SIZE)[..., 3] == 255
    assert np.array_equal(board[:SIZE, :SIZE][opaque], tile(SHOVER_TILE + 2, SIZE)[..., :3][opaque])


def test_the_rgb_array_shows_one_tile_per_cell_and_no_statistics(human):
    """The array may be used as an observation, so it shows the agent and all strengths, and its size depends only on the grid."""
    env = human(PHASE2, "A.B\n...", mode="rgb_array", cell_size=SIZE)
    picture = env.render()
    assert picture.shape == (2 * SIZE, 3 * SIZE, 3)
    assert np.array_equal(picture[:SIZE, 2 * SIZE :], tile(10, SIZE)[..., :3])
    assert not np.array_equal(picture[:SIZE, :SIZE], tile(0, SIZE)[..., :3])


def test_the_window_keeps_its_size_while_the_statistics_change():
    window, image = RenderWindow("test", 1000), np.zeros((50, 400, 3), np.uint8)
    try:
        window.show(image, [("Stamina", "1000"), ("Step", "1")])
        low = pygame.display.get_surface().get_size()
        window.show(image, [("Stamina", "1000"), ("Last action", "invalid: " + "a long reason " * 20)])
        high = pygame.display.get_surface().get_size()
        assert high[0] == low[0] == 400 and high[1] > low[1], "a long value takes another row and is cut off"
        window.show(image, [("Stamina", "1")])
        assert pygame.display.get_surface().get_size() == high
        window.show(image[:, :100])
        assert pygame.display.get_surface().get_size() == (NARROWEST, 50)
    finally:
        window.close()
