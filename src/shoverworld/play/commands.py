"""Commands and their keys, which all views of a game share.

A view takes its key bindings, its buttons and its help pages from this module. A command is offered if the game table
or the view can carry it out. For example, `animation` is offered only where something is animated, and `players` only
in a multiplayer game.
"""

from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from shoverworld.core.game import Game
from shoverworld.core.ui import KeyHelp

Section = tuple[str, Sequence[KeyHelp]]  # a section of a help page: its heading and its keys


class Command(NamedTuple):
    """A command that the player can give: its name, its keys (as named by pygame), a line of help, and the label of its
    button. The help and the label may contain placeholders for a game's own words (`Game.words`). A command without
    help shares the help line of the command before it in `COMMANDS`."""

    name: str
    keys: tuple[str, ...]
    help: str = ""
    button: str = ""


COMMANDS = (
    Command("undo", ("u",), "undo: take back a move", "undo"),
    Command("redo", ("y", "shift+u"), "redo: make the undone move again"),
    Command("restart", ("r",), "start this {level} again", "again"),
    Command(
        "cursor",
        ("x", "return"),
        "show a cursor: direction keys move it, Enter chooses its cell, X or Esc hides it",
        "cursor",
    ),
    Command("continue", ("t",), "continue the game that you left on this {level}", "continue"),
    Command("next", ("tab", "]"), "open the next or previous {level}; unfinished games are kept", "next"),
    Command("previous", ("shift+tab", "[")),
    Command("levels", ("l",), "show all {levels} and collections", "{levels}"),
    Command("unsolved", ("j",), "jump to the next un{solved} {level}"),
    Command("random", ("n",), "open a new random {level}", "random"),
    Command("hint", ("p",), "show a hint: the planner's next move; press again to let it think longer", "hint"),
    Command("agent", ("space",), "start or stop the agent", "agent"),
    Command("faster", ("+",), "change the speed"),
    Command("slower", ("-",)),
    Command("animation", ("m",), "turn animation on or off"),
    Command("save", ("k", "f2"), "save a replay of this game"),
    Command("watch", ("v",), "watch this game as a replay"),
    Command("copy", ("ctrl+c", "c"), "copy this {level} as text"),
    Command("copy moves", ("ctrl+shift+c", "shift+c"), "copy the moves as text"),
    Command("copy link", ("i",), "copy a link to this position, which opens in a browser"),
    Command("paste", ("ctrl+v",), "paste a {level}, moves, a replay or a link"),
    Command("edit", ("e",), "edit this {level}"),
    Command("players", ("o",), "choose the {players}", "{players}"),
    Command("scroll up", ("page up",), "scroll the log"),
    Command("scroll down", ("page down",)),
    Command("leave", ("escape",), "leave the game"),
    Command("quit", ("q",), "quit", "quit"),
    Command("help", ("f1", "?"), "show this help", "help"),
    Command("redraw", ("ctrl+l",), "redraw the screen"),
)
# Further commands of the page that `shover web` serves
PAGE_COMMANDS = (
    Command(
        "solve", ("shift+p",), "solve: search for a plan from here; press again or Esc to stop the search", "solve"
    ),
    Command("plan move", (",",), "play the next move of the plan", "next move"),
    Command("plan moves", ("shift+m",), "play all moves of the plan; Esc stops", "all moves"),
)
LEVELS_KEYS = (
    KeyHelp(("arrows",), "choose a {level}; Page Up, Page Down, Home and End move in larger steps"),
    KeyHelp(("return",), "play the {level}"),
    KeyHelp(("n",), "go to the next un{solved} {level}"),
    KeyHelp(("/", "f"), "search by number or title; Enter plays the first match, Esc shows all {levels} again"),
    KeyHelp(("[", "]"), "go to the previous or next collection"),
    KeyHelp(("tab",), "move to the next part of the screen"),
    KeyHelp(("escape",), "go back"),
)
PLAYERS_KEYS = (
    KeyHelp(("return",), "start the game; in the name field, add the person"),
    KeyHelp(("a",), "add a person"),
    KeyHelp(("i",), "add the chosen agent as an AI {player}"),
    KeyHelp(("delete", "backspace"), "remove the chosen {player}"),
    KeyHelp(("tab", "shift+tab"), "move to the next or previous part of the screen"),
    KeyHelp(("escape",), "go back"),
)
PLAYERS_HELP = "Each {level} has room for a fixed number of {players}. They move in the order of the list."
_NAMES = {"up": "Up", "end": "End", "tab": "Tab", "return": "Enter", "escape": "Esc"}


def key_name(key: str) -> str:
    """Return the name of a key as shown on help pages and buttons: "Esc", "Shift+Tab", "U"."""
    if "+" in key[1:]:
        return "+".join(map(key_name, key.split("+")))
    return _NAMES.get(key) or (key.upper() if len(key) < 4 else key.capitalize())


def key_names(keys: Sequence[str]) -> str:
    """Return the label for some keys, such as "1, 2:". The colon shows that the 1 in "1: perfect squares" is a key."""
    return f"{', '.join(map(key_name, keys))}:"


KEYS = {command.name: key_name(command.keys[0]) for command in COMMANDS}  # for messages: "Press {undo} to undo."


def bindings(offered: Container[str]) -> dict[str, str]:
    """Map the keys for the offered commands to the names of the commands."""
    return {key: command.name for command in COMMANDS if command.name in offered for key in command.keys}


def command_named(name: str) -> Command:
    return next(command for command in COMMANDS if command.name == name)


def buttons(names: Iterable[str], offered: Container[str], game: Game) -> tuple[tuple[str, str], ...]:
    """Return the first key and the button label of each command in `names` that is offered."""
    found = [command_named(name) for name in names if name in offered]
    return tuple((command.keys[0], command.button.format(**game.words)) for command in found)


def worded(keys: Sequence[KeyHelp], game: Game) -> list[KeyHelp]:
    """Return the help on keys in a game's own words."""
    return [key._replace(what=key.what.format(**game.words)) for key in keys]


def overlay_keys(game: Game) -> tuple[KeyHelp, ...]:
    return tuple(KeyHelp((overlay.key,), f"{overlay.name}: {overlay.about}") for overlay in game.ui.overlays.overlays)


def help_sections(game: Game, offered: Container[str]) -> list[Section]:
    """Return the sections of a game's help page: the game's own keys, the mouse, the commands and the overlays."""
    keys: list[KeyHelp] = []
    for command in COMMANDS:
        if command.name in offered and command.help:
            keys.append(KeyHelp(command.keys, command.help))
        elif command.name in offered:
            keys[-1] = keys[-1]._replace(keys=(*keys[-1].keys, *command.keys))
    sections = [
        ("Game", game.ui.controls.keys),
        ("Mouse", game.ui.controls.mouse),
        ("Commands", worded(keys, game)),
        ("Overlays", overlay_keys(game)),
    ]
    return [section for section in sections if section[1]]
