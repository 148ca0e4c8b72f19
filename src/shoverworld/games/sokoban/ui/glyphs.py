"""The signs of Sokoban in a terminal: every kind of cell its own, in colour and in shape."""

from ..tiles import AT_HOME, ON_FLOOR, contents

GROUND = "grey15"
PLAIN = {
    "outside": ("  ", "on grey7"),
    "wall": ("▒▒", "indian_red on grey30"),
    "floor": ("· ", f"grey42 on {GROUND}"),
}
TARGET, BOX, ASTRAY, HOME = (
    f"bold red1 on {GROUND}",
    "bold black on orange3",
    "bold red3 on orange3",
    "bold white on green4",
)
PLAYERS = {
    "player": ("@", "+", "bold white on dodger_blue2"),
    "second player": ("&", "%", "bold white on purple"),
}


def glyph(tile: int, width: int) -> tuple[str, str]:
    """One or two characters, and their style in rich's words."""
    kind, look, under = contents(tile)
    if kind in PLAIN:
        text, style = PLAIN[kind]
        return text[:width], style
    if kind in PLAYERS:
        usual, on_target, style = PLAYERS[kind]
        return (on_target if under else usual).ljust(width), style
    if kind == "target":
        return _numbered(look, width, "()" if width > 1 else ".", ")"), TARGET
    if under == AT_HOME:
        return _numbered(look, width, "**" if width > 1 else "*", "*"), HOME
    return _numbered(look, width, "[]" if width > 1 else "$", "]"), BOX if under == ON_FLOOR else ASTRAY


def _numbered(look: int, width: int, plain: str, end: str) -> str:
    """A sign without a number, or the number; one that has no room is cut to its last digits."""
    if not look:
        return plain
    return f"{look}{end}"[:width] if look < 10 else str(look)[-width:]
