"""The keys of a game in a terminal, the page that lists them, and words of a window said for a keyboard."""

import re

from rich.cells import cell_len
from rich.text import Text

from shoverworld.core.game import Game

# The keys that every game has; those of a room and its overlays come before them in the help.
KEYS = (
    ("x enter", "a cursor: arrows move it, Enter chooses its cell, X or Esc ends it"),
    ("u / y", "take a move back / make it again"),
    ("r", "begin again"),
    ("p", "a hint: the planner's next move"),
    ("space", "let an agent play, or stop it"),
    ("+ / -", "faster, slower"),
    ("tab", "next level (Shift+Tab: the one before)"),
    ("k", "keep a replay of this game"),
    ("l / j / n", "all levels / the next one that is not solved / a random one"),
    ("o", "others: who plays, in a game for several; Page Up and Page Down scroll its log"),
    ("f1 ?", "this help"),
    ("q", "quit (Esc asks first)"),
    ("ctrl+l", "draw everything anew"),
)
KEY_LINE = "F1 help · Q quit · Arrows move · X cursor · U undo · P hint · L levels · Space agent · R again · Tab next"
COMPANY_LINE = (
    "F1 help · Q quit · 1 to 9 move · O players · U undo · P hint · Space agents · X cursor · R again · L levels"
)
CURSOR_LINE = "Arrows move the cursor · Enter chooses · X ends it"
BACK = "Any key goes back to the game; up and down scroll."


def for_keys(text: str) -> str:
    """What a room says to hands with a mouse, for those that have the cursor."""
    text = re.sub(r"click (\w+(?: \w+)?), or X for a cursor", r"choose \1 with X", text)
    return text.replace("Click to ", "Enter: ").replace("Click", "Enter")


def help_lines(game: Game, about: str = "", said: str = "", columns: int = 80) -> list[Text]:
    """What the level wants to teach and what was said last, in full; then a line a key: those of the room, its overlays, and
    those that every game has."""
    about = " ".join(about.split())
    parts = [("About this level", about), ("Said last", "" if said in (about, game.goal) else said)]
    told = [(head, wrapped(text, columns)) for head, text in parts if text]
    items = [("/".join(key.keys), key.what) for key in game.ui.controls.keys]
    items += [(overlay.key, f"{overlay.name}: {overlay.about}") for overlay in game.ui.overlays.overlays]
    items += KEYS
    wide = max(len(keys) for keys, _ in items) + 2
    lines = [Text(line, "bold") for line in wrapped(f"{game.title}: {game.goal}", columns)] + [Text()]
    for head, words in told:
        lines += [Text(head, "dim"), *map(Text, words), Text()]
    for keys, what in items:
        first, *rest = wrapped(what, max(10, columns - wide)) or [""]
        lines.append(Text.assemble((keys.ljust(wide), "bold dodger_blue2"), first))
        lines += [Text(" " * wide + line) for line in rest]
    return lines


def wrapped(text: str, width: int) -> list[str]:
    """In lines of at most this width, as far as words allow it."""
    found: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if line and cell_len(longer) > width:
            found.append(line)
            longer = word
        line = longer
    return [*found, line] if line else found
