"""The help page in a terminal, and a function that rephrases text about the mouse for keyboard users."""

import re

from rich.cells import cell_len
from rich.text import Text

from shoverworld.play.commands import help_sections, key_names
from shoverworld.play.table import GameTable

CURSOR_LINE = "Arrows: move the cursor · Enter: choose the cell · X: hide the cursor"
SCROLL_LINE = "Up and Down scroll. Any other key closes the help."


def for_keyboard(text: str) -> str:
    """Rephrase text about the mouse for players who use the keyboard cursor."""
    text = re.sub(r"click (\w+(?: \w+)?), or press X for a cursor", r"choose \1 with X", text)
    return text.replace("Click to ", "Enter: ").replace("Click", "Enter")


def help_lines(table: GameTable, message: str = "", columns: int = 80) -> list[Text]:
    """Return the lines of the help page: the goal, the text about the level and the last message in full, and the
    keys."""
    game = table.game
    about = " ".join(table.session.board.about.split())
    parts = [
        ("Changed rules", table.changes),
        (f"About this {game.level_word}", about),
        ("Last message", "" if message in (about, game.goal) else message),
    ]
    texts = [(head, wrapped(text, columns)) for head, text in parts if text]
    sections = [section for section in help_sections(game, table.offered) if section[0] != "Mouse"]
    items = [(key_names(_usable(key.keys)), key.what) for _, keys in sections for key in keys]
    wide = max(len(keys) for keys, _ in items) + 2
    lines = [Text(line, "bold") for line in wrapped(f"{game.title}: {game.goal}", columns)] + [Text()]
    for head, words in texts:
        lines += [Text(head, "dim"), *map(Text, words), Text()]
    for keys, what in items:
        first, *rest = wrapped(what, max(10, columns - wide)) or [""]
        lines.append(Text.assemble((keys.ljust(wide), "bold dodger_blue2"), first))
        lines += [Text(" " * wide + line) for line in rest]
    return lines


def _usable(keys: tuple[str, ...]) -> list[str]:
    """Return the keys without Ctrl+C, which ends a program in a terminal."""
    return [key for key in keys if key not in ("ctrl+c", "ctrl+shift+c")]


def wrapped(text: str, width: int) -> list[str]:
    """Break the text into lines of at most this width. A word that is longer than a line gets its own line."""
    found: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if line and cell_len(longer) > width:
            found.append(line)
            longer = word
        line = longer
    return [*found, line] if line else found
