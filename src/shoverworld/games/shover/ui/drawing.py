"""The graphics of Shover-World: scenes and motions (scenes.py), tiles, and characters for a terminal."""

import numpy as np

from shoverworld.core.grid import DOWN
from shoverworld.core.rules_text import parse_rules
from shoverworld.core.sheet import NO_RIM, new_sheet, sheet_rows
from shoverworld.core.sheet_reader import SheetReader
from shoverworld.core.ui import Board, Cell, Motion, Scene, Sprite

from ..config import PRESETS
from ..phrases import PHRASES
from ..scan import tiles_of
from ..state import BARRIER, EMPTY, LAVA, State, frame_of
from ..tiles import FLAME, LOOSE_BOX, SHOVER_TILE
from ..tiles import tile as tile
from .scenes import write_motion, write_scene


def scene(state: State) -> Scene:
    sheet, tiles = new_sheet(1), np.empty(state.grid().shape[1:], np.int16)
    rim = write_scene(sheet, state, tiles.reshape(-1))
    return Scene(tiles, SheetReader(sheet, PHRASES).sprites(), None if rim == NO_RIM else rim)


def thumbnail(board: Board) -> Scene:
    rules = parse_rules(board.preset, PRESETS)
    shover = board.level.agent if rules.actor != "select" else None
    return still(tiles_of(board.level.grid), shover, frame=frame_of(rules.edge))


def still(tiles: np.ndarray, shover: Cell | None, direction: int = DOWN, frame: int | None = None) -> Scene:
    """Return the scene of a map, with the shover unless `shover` is None. A lava edge is drawn; a wall edge is not."""
    actors = () if shover is None else (Sprite(SHOVER_TILE + direction, shover, shover),)
    return Scene(tiles.astype(np.int16), actors, LAVA if frame == LAVA else None)


def motion(before: State, after: State) -> Motion | None:
    """Return the motion from `before` to `after`, or None if they are not consecutive or nothing visible happens."""
    if before.board.shape != after.board.shape or before.width != after.width:
        return None
    sheet = new_sheet(sheet_rows(*after.grid().shape[1:]))
    write_motion(sheet, before, after, np.empty(after.board.shape[1], np.int64))
    return SheetReader(sheet, PHRASES).motion()


# --- Terminal: each kind of cell has its own colour and shape

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
    if tile in CELLS:
        text, style = CELLS[tile]
        return text[:width], style
    if SHOVER_TILE <= tile < SHOVER_TILE + 4:
        return FACING[tile - SHOVER_TILE].ljust(width), SHOVER
    strength = tile - LOOSE_BOX if tile > LOOSE_BOX else tile
    return ("■" if strength > 9 else str(strength)).ljust(width), BOX  # the space separates adjacent boxes
