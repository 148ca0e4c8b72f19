"""`shover edit`: draw levels in a window."""

import argparse
from typing import Any

INSTEAD = (
    "a map is a text file that any editor can change (docs/maps.md), and `shover play --terminal MAP` tries it out"
)
FORMATS = "how it is written: of Shover-World A numbers, B symbols; of the race numbers, symbols (default: as it was)"


def add(commands: Any) -> None:
    edit = commands.add_parser(
        "edit",
        help="draw a level in a window",
        description="Without LEVEL it begins with an empty one. F1 lists all keys. Work that was not saved is offered at the "
        "next start, however the program ended.",
    )
    edit.add_argument(
        "map",
        metavar="LEVEL",
        nargs="?",
        help="a file (a new one is made), the name of a level that comes with the package; levels.txt#12 is the twelfth",
    )
    edit.add_argument("--rules", help="preset the level is made for (default: what it says)")
    edit.add_argument("--format", help=FORMATS)
    edit.add_argument(
        "--game",
        help="shover, sokoban or race (default: that of the file; of a new one shover, or sokoban by .xsb, .sok)",
    )
    edit.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    from shoverworld.games import game_named
    from shoverworld.play.settings import Settings

    from .window import open_window

    if chosen.game is not None:
        game_named(chosen.game)  # is there such a game?
    drawing = _drawing(chosen)
    game = drawing.game
    settings, message = Settings.load()
    app = open_window(settings, INSTEAD)

    from shoverworld.desktop.editor import EditorScreen
    from shoverworld.desktop.start import go

    go(app, game, lambda: EditorScreen(app, drawing))
    if message:
        app.say(message)
    return app.run()


def _drawing(chosen: argparse.Namespace) -> Any:
    """What is there, or an empty level that will be saved under this name."""
    from pathlib import Path

    from shoverworld.core.checks import word
    from shoverworld.core.errors import ConfigError
    from shoverworld.games import all_games, game_named
    from shoverworld.play.drawing import Drawing
    from shoverworld.play.places import find, game_of_file

    found, path = None, None
    if chosen.map is not None:
        try:
            found = find(chosen.map, chosen.game)
        except FileNotFoundError:
            path = Path(chosen.map).expanduser().absolute()
            if not path.suffix:  # a name that is misspelt, rather than a file to be made
                raise
            if not path.parent.is_dir():
                raise ConfigError(f"there is no folder {path.parent}") from None
    if found:
        game = found.game
    elif chosen.game:
        game = game_named(chosen.game)
    else:
        game = (game_of_file(path) if path else None) or next(iter(all_games().values()))
    if chosen.rules is not None:
        word("rules", chosen.rules, [preset.name for preset in game.presets])
    if found is None:
        drawing = Drawing.blank(game, chosen.rules)
        drawing.path = None if path is None else str(path)
    elif found.place is None:
        raise ConfigError(f"{chosen.map} has {len(found.boards)} levels: say which one, as in {chosen.map}#1")
    elif found.board.path is not None:
        drawing = Drawing.open(game, found.board.path, chosen.rules)
    else:
        drawing = Drawing.of(game, found.board, chosen.rules)
    if chosen.format:
        drawing.format = word("format", chosen.format, [name for name, _ in game.levels.formats])
    return drawing
