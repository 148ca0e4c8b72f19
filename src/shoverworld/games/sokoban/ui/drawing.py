"""The graphics of Sokoban: a tile for each cell, players on top, motions, and characters for a terminal."""

import numpy as np

from shoverworld.core.rules_text import parse_rules
from shoverworld.core.ui import Board, Cell, Motion, Scene, Sprite

from ..boards import numbered
from ..config import RULES
from ..draw import tiles_of
from ..levels import Level
from ..state import SokobanState
from ..tiles import AT_HOME, ON_FLOOR, contents
from ..tiles import tile as tile
from . import scene_rows
from .scene_rows import figure_tile
from .sheets import reader_for, sheet_for


def scene(state: SokobanState) -> Scene:
    sheet, tiles = sheet_for(state), np.zeros(state.size, np.int16)
    scene_rows.scene(state, tiles.reshape(-1), sheet)
    return Scene(tiles, reader_for(sheet).sprites())


def motion(before: SokobanState, after: SokobanState) -> Motion | None:
    """Return the motion from one state to the next, or None if nothing visible happens."""
    sheet = sheet_for(after)
    scene_rows.motion(before, after, sheet)
    return reader_for(sheet).motion()


def thumbnail(board: Board) -> Scene:
    level: Level = board.level
    return still(level.walls, *numbered(level, parse_rules(board.preset, RULES).fixed_targets), level.players)


def still(walls: np.ndarray, targets: np.ndarray, boxes: np.ndarray, players: list[Cell] | tuple[Cell, ...]) -> Scene:
    """Return a motionless picture of a board with its players."""
    actors = tuple(Sprite(figure_tile(who, targets[cell] != 0), cell, cell) for who, cell in enumerate(players))
    return Scene(tiles_of(walls, targets, boxes), actors)


# --- Terminal: the kinds of cells differ in both colour and shape

GROUND = "grey15"
PLAIN = {
    "outside": ("  ", "on grey7"),
    "wall": ("▒▒", "indian_red on grey30"),
    "floor": ("· ", f"grey42 on {GROUND}"),
}
ON_TARGET, LOOSE, ASTRAY, HOME = (
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
    kind, look, under = contents(tile)
    if kind in PLAIN:
        text, style = PLAIN[kind]
        return text[:width], style
    if kind in PLAYERS:
        usual, on_target, style = PLAYERS[kind]
        return (on_target if under else usual).ljust(width), style
    if kind == "target":
        return _numbered(look, width, "()" if width > 1 else ".", ")"), ON_TARGET
    if under == AT_HOME:
        return _numbered(look, width, "**" if width > 1 else "*", "*"), HOME
    return _numbered(look, width, "[]" if width > 1 else "$", "]"), LOOSE if under == ON_FLOOR else ASTRAY


def _numbered(look: int, width: int, plain: str, end: str) -> str:
    """Return the number or, if the box has no number, `plain`. If a number is too long, return only its last digits."""
    if not look:
        return plain
    return f"{look}{end}"[:width] if look < 10 else str(look)[-width:]
