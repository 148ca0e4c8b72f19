"""Every registered game provides levels, pictures, texts, controls and plans."""

from dataclasses import replace

import pytest

from shoverworld import ConfigError
from shoverworld.core.ui import UI
from shoverworld.games import all_games, game_of
from shoverworld.play.edit_session import editor_of
from shoverworld.play.places import find, game_of_file

GAMES = all_games().values()
LEVELS = {  # maps a suffix and a file content to a game
    ("shover", ".txt"): "A.B\n..L\n",
    ("sokoban", ".xsb"): "#####\n#@$.#\n#####\n",
    ("sokoban", ".txt"): "#####\n#@$.#\n#####\n",
    ("race", ".txt"): "######\n#S..F#\n######\n",
}


def started(game):
    board = game.levels.boards()[0]
    env = game.levels.environment(board, board.preset)
    env.reset(seed=1, options=game.levels.options(board))
    return board, env


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_a_packaged_level_can_be_started_and_drawn_and_described(game):
    board, env = started(game)
    state = env.get_state()
    assert game_of(env) is game and game.levels.board_of(env).name == board.name
    scene = game.ui.drawing.scene(state)
    assert scene.tiles.shape == game.ui.drawing.thumbnail(board).tiles.shape
    for tile in {int(tile) for tile in scene.tiles.flat} | {actor.tile for actor in scene.actors}:
        assert game.ui.drawing.tile(tile, 16).shape == (16, 16, 4)
        assert len(game.ui.drawing.glyph(tile, 2)[0]) == 2
    assert game.ui.texts.figures(env, state, game.ui.controls.handler(env))
    assert game.levels.score(env, state) is None


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_env_step_accepts_the_actions_of_a_plan(game):
    _, env = started(game)
    plan = game.plan(env, time_limit=20.0)
    assert plan.status == "solved"
    for action in plan.actions:
        env.step(action)
    assert env.outcome == game.won and game.levels.score(env, env.get_state()) is not None


@pytest.mark.parametrize(("owner", "suffix"), LEVELS)
def test_the_game_is_recognised_from_the_content_of_a_file(tmp_path, owner, suffix):
    path = tmp_path / f"level{suffix}"
    path.write_text(LEVELS[owner, suffix])
    game = game_of_file(path)
    assert game is not None and game.name == owner == game_of_file(tmp_path).name
    assert find(str(path)).game is game


def test_a_file_that_no_game_can_read_is_not_recognised(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("Buy milk.\n")
    assert game_of_file(path) is None
    assert game_of_file(tmp_path / "missing.txt") is None and game_of_file(tmp_path / "new.xsb").name == "sokoban"


def test_a_game_without_overlays_or_an_editor_or_several_players_is_supported():
    game = next(iter(GAMES))
    small = UI(game.ui.drawing, game.ui.texts, game.ui.controls)
    _, env = started(game)
    assert small.overlays.overlays == () and small.editor is None and small.multiplayer is None
    assert small.overlays.marks("1", env, env.get_state(), None) == []
    assert small.overlays.hint(env, env.get_state(), (0, 0, 1)) == ()

    class Small:
        title, ui = "A small game", replace(game.ui, editor=None)

    with pytest.raises(ConfigError, match="A small game has no level editor"):
        editor_of(Small())  # type: ignore[arg-type]
