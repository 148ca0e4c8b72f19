"""Where things lie on a board: the cells of a line, the words of frames, sprites on their way."""

import math
from collections.abc import Sequence
from functools import lru_cache

from shoverworld.core.ui import Cell, Mark, Sprite

REACH = 0.85  # cells from the middle of a line to that of the farthest cell that it can touch


def lies_under(mark: Mark) -> bool:
    return mark.kind == "line" or (mark.kind == "dot" and mark.style == "small")


@lru_cache(maxsize=4096)
def crossed(cell: Cell, rows: int, cols: int) -> tuple[Cell, ...]:
    """The cells that a line and its width may lie in."""
    length, found = max(1.0, math.hypot(rows, cols)), []
    for down in range(min(0, rows) - 1, max(0, rows) + 2):
        for right in range(min(0, cols) - 1, max(0, cols) + 2):
            if abs(down * cols - right * rows) / length < REACH:
                found.append((cell[0] + down, cell[1] + right))
    return tuple(found)


def words_below(marks: Sequence[Mark]) -> set[Mark]:
    """Frames with words that begin in the same cell as another: the later ones have them at the bottom."""
    corners: set[Cell] = set()
    below = set()
    for mark in marks:
        if mark.kind == "frame" and mark.text:
            if mark.cell in corners:
                below.add(mark)
            corners.add(mark.cell)
    return below


def eased(share: float) -> float:
    """Quick at first, so that a key is felt at once, then gently to its end."""
    return 1 - (1 - min(max(share, 0.0), 1.0)) ** 2


def between(sprite: Sprite, share: float) -> Sprite:
    """The sprite on its way, as one that stands still: only its ends count."""
    (row, col), (to_row, to_col) = sprite.start, sprite.end
    place = row + (to_row - row) * share, col + (to_col - col) * share
    opacity = sprite.opacity[0] + (sprite.opacity[1] - sprite.opacity[0]) * share
    scale = sprite.scale[0] + (sprite.scale[1] - sprite.scale[0]) * share
    return Sprite(sprite.tile, place, place, (opacity, opacity), (scale, scale))
