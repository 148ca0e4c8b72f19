"""The signs of Shover-World in a terminal: every kind of cell its own, in colour and in shape."""

from ..state import BARRIER, EMPTY, LAVA
from ..tiles import FLAME, LOOSE_BOX, SHOVER_TILE

FACING = ("▲", "▶", "▼", "◀")
CELLS = {
    LAVA: ("~~", "bold yellow1 on red3"),
    EMPTY: ("· ", "grey50 on grey15"),
    BARRIER: ("▒▒", "grey62 on grey35"),
    FLAME: ("**", "bold yellow on dark_red"),
}
BOX = "bold black on orange3"
SHOVER = "bold white on dodger_blue2"


def glyph(tile: int, width: int) -> tuple[str, str]:
    """One or two characters, and their style in rich's words."""
    if tile in CELLS:
        text, style = CELLS[tile]
        return text[:width], style
    if SHOVER_TILE <= tile < SHOVER_TILE + 4:
        return FACING[tile - SHOVER_TILE].ljust(width), SHOVER
    strength = tile - LOOSE_BOX if tile > LOOSE_BOX else tile
    return ("■" if strength > 9 else str(strength)).ljust(width), BOX  # boxes side by side stay apart
