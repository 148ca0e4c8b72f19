"""How one scene becomes the next, told from the two states alone: the player walks, a box slides with him.

A box that comes home turns green while it slides in, and back while it leaves.
"""

import numpy as np

from shoverworld.core.ui import Cell, Motion, Sprite

from ..draw import tiles_of
from ..state import BOX, TARGET, WALL, SokobanState
from ..tiles import LOOSE_BOX
from .cells import is_numbered, players_of, target_at
from .scene import figure

WALK_SECONDS, PUSH_SECONDS, BUMP_SECONDS = 0.11, 0.14, 0.12
WINCE = 0.84  # of his size


def motion(before: SokobanState, after: SokobanState) -> Motion | None:
    """None when this is no single step forward (an undo, a jump) or when nothing is to be seen."""
    if before.planes.shape != after.planes.shape or before.width != after.width:
        return None
    if int(after.game["steps"][0]) - int(before.game["steps"][0]) != 1:
        return None
    if not np.array_equal(before.planes[0, :BOX], after.planes[0, :BOX]):
        return None  # not the same room
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
    """Where a box was and where it is; None when none has moved."""
    old, new = before.planes[0, BOX], after.planes[0, BOX]
    left, came = np.flatnonzero((old != 0) & (new == 0)), np.flatnonzero((old == 0) & (new != 0))
    if len(left) != 1 or len(came) != 1:
        return None
    return divmod(int(left[0]), before.width), divmod(int(came[0]), before.width)


def _slide(before: SokobanState, after: SokobanState, start: Cell, end: Cell) -> tuple[dict[Cell, int], list[Sprite]]:
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
    """Nothing moved. The state does not say who tried: with two players, both wince."""
    sprites = [
        Sprite(figure(who, bool(target_at(state, cell))), cell, cell, scale=(WINCE, 1.0))
        for who, cell in enumerate(players)
    ]
    return Motion({}, tuple(sprites), BUMP_SECONDS)
