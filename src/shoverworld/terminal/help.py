"""The keys of a game in a terminal, and the page that lists them."""

from rich.text import Text

from shoverworld.core.front import Front

# The keys that every game has; those of a room and its overlays come before them in the help.
KEYS = (
    ("x enter", "a cursor: arrows move it, Enter chooses its cell, X or Esc ends it"),
    ("u / y", "take a move back / make it again"),
    ("r", "begin again"),
    ("p", "a hint: the planner's next move"),
    ("space", "let an agent play, or stop it"),
    ("+ / -", "faster, slower"),
    ("tab", "next map (Shift+Tab: the one before)"),
    ("n", "a new random map"),
    ("k", "keep a replay of this game"),
    ("f1 ?", "this help"),
    ("q", "quit (Esc asks first)"),
    ("ctrl+l", "draw everything anew"),
)
KEY_LINE = "Arrows move · X cursor · U undo · P hint · Space agent · R again · Tab next · F1 help · Q quit"
CURSOR_LINE = "Arrows move the cursor · Enter chooses · X ends it"


def help_lines(front: Front) -> list[Text]:
    """A line a key: those of the room, its overlays, and those that every game has."""
    items = [("/".join(key.keys), key.what) for key in front.keys]
    items += [(overlay.key, f"{overlay.name}: {overlay.about}") for overlay in front.overlays]
    items += KEYS
    wide = max(len(keys) for keys, _ in items) + 2
    return [
        Text(f"{front.title}: {front.goal}", "bold"),
        Text(),
        *(Text.assemble((keys.ljust(wide), "bold dodger_blue2"), what) for keys, what in items),
        Text(),
        Text("Any key goes back to the game; up and down scroll.", "dim"),
    ]
