"""The keys of the table and its mouse, as the help lists them; and those that the panel has buttons for."""

from collections.abc import Sequence

from shoverworld.core.game import Game
from shoverworld.core.ui import KeyHelp

KEYS = (
    KeyHelp(("u",), "undo: take a move back"),
    KeyHelp(("y", "shift+u"), "redo: make it again"),
    KeyHelp(("r",), "reset: begin this level again"),
    KeyHelp(("x",), "a cursor instead of the mouse: directions move it, Enter chooses its cell, X or Esc ends it"),
    KeyHelp(("tab", "shift+tab"), "the next level, the one before; a game that was left waits there"),
    KeyHelp(("l",), "levels: all of the collection as pictures; other collections"),
    KeyHelp(("j",), "jump to the next level that is not solved yet"),
    KeyHelp(("n",), "a new random level"),
    KeyHelp(("p",), "a hint: the planner's next move; again, and it thinks longer"),
    KeyHelp(("space",), "let the agent play, or stop it"),
    KeyHelp(("+", "-"), "faster, slower"),
    KeyHelp(("m",), "animation on and off"),
    KeyHelp(("k", "f2"), "save a replay of this game"),
    KeyHelp(("v",), "watch this game as a replay"),
    KeyHelp(("e",), "edit this level"),
    KeyHelp(("escape",), "back to the menu"),
    KeyHelp(("q",), "quit"),
)
BUTTONS = (
    ("u", "undo"),
    ("p", "hint"),
    ("space", "agent"),
    ("r", "again"),
    ("n", "random"),
    ("tab", "next"),
    ("l", "levels"),
    ("f1", "all keys"),
)


def sections(game: Game) -> list[tuple[str, Sequence[KeyHelp]]]:
    """What the help of a table lists."""
    overlays = [KeyHelp((overlay.key,), f"{overlay.name}: {overlay.about}") for overlay in game.ui.overlays.overlays]
    keys = KEYS if game.ui.multiplayer is None else (*KEYS, KeyHelp(("o",), "others: who plays"))
    return [
        ("The game", game.ui.controls.keys),
        ("The mouse", game.ui.controls.mouse),
        ("The table", keys),
        ("Over the board", overlays),
    ]
