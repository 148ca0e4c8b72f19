"""`shover edit`: draw levels in a window."""

import argparse
import os
from pathlib import Path

from shoverworld.core.checks import word
from shoverworld.core.errors import ConfigError
from shoverworld.core.game import Game
from shoverworld.games import all_games, game_named
from shoverworld.play.edit_session import EditSession
from shoverworld.play.places import find, game_of_file
from shoverworld.play.settings import Settings

from .shared import asked, open_window

INSTEAD = "edit the level file in a text editor (docs/maps.md) and try it out with `shover play --terminal LEVEL`"


def run(chosen: argparse.Namespace) -> int:
    if chosen.game is not None:
        game_named(chosen.game)
    drawing = drawing_for(chosen)
    settings, message = Settings.load()
    window, app = open_window(settings, INSTEAD)
    window.go(app, drawing.game, lambda: window.EditorScreen(app, drawing))
    if message:
        app.say(message)
    return app.run()


def drawing_for(chosen: argparse.Namespace) -> EditSession:
    """Return an editing session for the level given on the command line, or for a new level with that file name."""
    found, path = None, None
    if chosen.map is not None:
        try:
            found = find(chosen.map, chosen.game)
        except FileNotFoundError:
            path = Path(os.path.expanduser(chosen.map)).absolute()  # an unknown user's ~name stays as it is
            if not path.suffix:  # probably a misspelt level name, not a new file
                raise
            if not path.parent.is_dir():
                raise ConfigError(f"the folder {path.parent} does not exist") from None
    game = found.game if found else _game_of_new(chosen.game, path)
    rules = asked(chosen, game)
    if found is None:
        drawing = EditSession.blank(game, rules)
        drawing.path = None if path is None else str(path)
    elif found.place is None:
        raise ConfigError(f"{chosen.map} has {len(found.boards)} levels: specify one of them, as in {chosen.map}#1")
    elif found.board.path is not None:
        drawing = EditSession.open(game, found.board.path, rules)
    else:
        drawing = EditSession.of(game, found.board, rules)
    if chosen.format:
        drawing.format = word("format", chosen.format, [name for name, _ in game.levels.formats])
    return drawing


def _game_of_new(asked: str | None, path: Path | None) -> Game:
    """Return the game for a new file: `asked`, the game that recognises the suffix, or the first game."""
    if asked is not None:
        return game_named(asked)
    return (game_of_file(path) if path else None) or next(iter(all_games().values()))
