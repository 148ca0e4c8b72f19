"""`shover edit`: draw maps in a window."""

import argparse
from typing import Any

INSTEAD = (
    "a map is a text file that any editor can change (docs/maps.md), and `shover play --terminal MAP` tries it out"
)


def add(commands: Any) -> None:
    edit = commands.add_parser(
        "edit",
        help="draw a map in a window",
        description="Without MAP it begins with an empty one. F1 lists all keys. Work that was not saved is offered at the "
        "next start, however the program ended.",
    )
    edit.add_argument(
        "map", metavar="MAP", nargs="?", help="a map file (a new one is made), or the name of a bundled map"
    )
    edit.add_argument("--rules", help="preset the map is made for: milestone1, walker, phase2 (default: what it says)")
    edit.add_argument(
        "--format", choices=("A", "B"), help="how it is written: A numbers, B symbols (default: as it was)"
    )
    edit.add_argument("--game", default="shover", help="which game (default: %(default)s)")
    edit.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    from shoverworld.core.checks import word
    from shoverworld.play.rooms import front_of
    from shoverworld.play.settings import Settings

    from .window import open_window

    front = front_of(chosen.game)
    if chosen.rules is not None:
        word("rules", chosen.rules, [preset.name for preset in front.presets])
    drawing = _drawing(front, chosen)
    settings, message = Settings.load()
    app = open_window(settings, INSTEAD)

    from shoverworld.desktop.editor import EditorScreen
    from shoverworld.desktop.start import go

    go(app, front, lambda: EditorScreen(app, drawing))
    if message:
        app.say(message)
    return app.run()


def _drawing(front: Any, chosen: argparse.Namespace) -> Any:
    """What is there, or an empty map that will be saved under this name."""
    from pathlib import Path

    from shoverworld.core.errors import ConfigError, MapNotFound
    from shoverworld.play.drawing import Drawing

    if chosen.map is None:
        drawing = Drawing.blank(front, chosen.rules)
    else:
        try:
            drawing = Drawing.open(front, chosen.map, chosen.rules)
        except MapNotFound:
            path = Path(chosen.map).expanduser().absolute()
            if not path.suffix:  # a name that is misspelt, rather than a file to be made
                raise
            if not path.parent.is_dir():
                raise ConfigError(f"there is no folder {path.parent}") from None
            drawing = Drawing.blank(front, chosen.rules)
            drawing.path = str(path)
    if chosen.format:
        drawing.format = chosen.format
    return drawing
