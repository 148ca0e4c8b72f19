"""The graphics of Sokoban: a tile for each cell, players on top, motions, and characters for a terminal."""

import numpy as np

from shoverworld.core.rules_text import parse_rules
from shoverworld.core.ui import Board, Cell, Motion, Scene, Sprite

from ..boards import numbered
from ..config import RULES
from ..draw import tiles_of
from ..levels import Level
from ..state import BOX, TARGET, WALL, SokobanState
from ..tiles import AT_HOME, LOOSE_BOX, ON_FLOOR, PLAYER_TILE, SECOND_TILE, STANDS_ON_TARGET, contents
from ..tiles import tile as tile
from .position import is_numbered, players_of, target_at

FIGURES = (PLAYER_TILE, SECOND_TILE)


def scene(state: SokobanState) -> Scene:
    room = state.rooms()[0]
    return still(room[WALL], room[TARGET], room[BOX], players_of(state))


def thumbnail(board: Board) -> Scene:
    level: Level = board.level
    return still(level.walls, *numbered(level, parse_rules(board.preset, RULES).fixed_targets), level.players)


def still(walls: np.ndarray, targets: np.ndarray, boxes: np.ndarray, players: list[Cell] | tuple[Cell, ...]) -> Scene:
    """Return a motionless picture of a board with its players."""
    actors = tuple(Sprite(figure(who, targets[cell] != 0), cell, cell) for who, cell in enumerate(players))
    return Scene(tiles_of(walls, targets, boxes), actors)


def figure(who: int, on_target: bool) -> int:
    """Return the tile for a player."""
    return FIGURES[who] + (STANDS_ON_TARGET if on_target else 0)


# --- Motions, derived only from the states before and after

WALK_SECONDS, PUSH_SECONDS, BUMP_SECONDS = 0.11, 0.14, 0.12
WINCE = 0.84  # the initial size of a player whose action failed


def motion(before: SokobanState, after: SokobanState) -> Motion | None:
    """Return the motion from one state to the next, or None if nothing visible happens.

    Also return None if `after` is not exactly one step after `before`, for example after an undo or a jump.
    """
    if before.planes.shape != after.planes.shape or before.width != after.width:
        return None
    if int(after.game["steps"][0]) - int(before.game["steps"][0]) != 1:
        return None
    if not np.array_equal(before.planes[0, :BOX], after.planes[0, :BOX]):
        return None  # the states belong to different rooms
    starts, ends = players_of(before), players_of(after)
    if any(abs(a[0] - b[0]) + abs(a[1] - b[1]) > 1 for a, b in zip(starts, ends, strict=True)):
        return None
    box = _moved_box(before, after)
    if starts == ends and box is None:
        return None if after.game["valid"][0] else _wince(after, ends)
    under, sprites = {}, []
    if box is not None:
        under, sprites = _slide(before, after, *box)
    figures = [
        Sprite(figure(who, bool(target_at(after, end))), start, end)
        for who, (start, end) in enumerate(zip(starts, ends, strict=True))
    ]
    return Motion(under, (*sprites, *figures), PUSH_SECONDS if box else WALK_SECONDS)


def _moved_box(before: SokobanState, after: SokobanState) -> tuple[Cell, Cell] | None:
    """Return the old and the new cell of the box that moved, or None if no box moved."""
    old, new = before.planes[0, BOX], after.planes[0, BOX]
    left, came = np.flatnonzero((old != 0) & (new == 0)), np.flatnonzero((old == 0) & (new != 0))
    if len(left) != 1 or len(came) != 1:
        return None
    return divmod(int(left[0]), before.width), divmod(int(came[0]), before.width)


def _slide(before: SokobanState, after: SokobanState, start: Cell, end: Cell) -> tuple[dict[Cell, int], list[Sprite]]:
    """Return the tiles under a sliding box, and the sprites of the box.

    A box turns green while it slides onto its target, and loses the green colour while it slides off.
    """
    room = after.rooms()[0]
    boxes = room[BOX].copy()
    box, boxes[end] = int(boxes[end]), 0
    bare = tiles_of(room[WALL], room[TARGET], boxes)
    loose = LOOSE_BOX + 2 * (box if is_numbered(after) else 0)
    was_home, is_home = target_at(before, start) == box, target_at(after, end) == box
    sprites = [Sprite(loose, start, end)]
    if was_home or is_home:
        sprites.append(Sprite(loose + 1, start, end, (float(was_home), float(is_home))))
    return {start: int(bare[start]), end: int(bare[end])}, sprites


def _wince(state: SokobanState, players: list[Cell]) -> Motion:
    """Return the motion after a failed action, when nothing has moved.

    The state does not record which player acted, so if there are two players, both of them shrink.
    """
    sprites = [
        Sprite(figure(who, bool(target_at(state, cell))), cell, cell, scale=(WINCE, 1.0))
        for who, cell in enumerate(players)
    ]
    return Motion({}, tuple(sprites), BUMP_SECONDS)


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
