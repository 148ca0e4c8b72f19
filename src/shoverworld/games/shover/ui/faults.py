"""What is wrong with a drawing: what cannot be played, and what can but will hardly be cleared."""

from typing import Any

import numpy as np

from shoverworld.core.grid import framed
from shoverworld.core.ui import Cell, Problem

from .. import rules as rulebook
from ..config import Rules
from ..measure import NO_WAY, boxes_on, pushes_to_lava
from ..state import EMPTY, LAVA, ShoverStart, State, frame_of, new_state
from .cells import boxes_name, place_name
from .trial import squares_of

MOST_NAMED = 8  # boxes that get a line of their own


def faults(cells: np.ndarray, start: Cell | None, rules: Rules) -> list[Problem]:
    if not (cells == EMPTY).any():
        return [Problem("there is no empty cell for the shover")]
    if start is not None and cells[start] != EMPTY:
        return [Problem(f"the shover starts at {place_name(start)}, which is not empty", start)]
    found = []
    if start is None:
        found.append(Problem("the shover has no start: he will begin on a random empty cell", serious=False))
    if not boxes_on(cells).any():
        found.append(Problem("paint a box: without one the game is won at once", serious=False))
        return found
    return found + _hard_to_clear(cells, start, rules)


def _hard_to_clear(cells: np.ndarray, start: Cell | None, rules: Rules) -> list[Problem]:
    """A box that no pushes can bring to lava has to become part of a perfect square, or wait for hellify."""
    game = _begun(cells, start, rules)
    squares = squares_of(game)
    if rules.edge == "wall" and not (cells == LAVA).any():
        if squares:
            return []  # who knows what lava hellify will make
        text = "there is no lava and no perfect square, and the edge is a wall, so these boxes have nowhere to go"
        return [Problem(text, serious=False)]
    pushes = pushes_to_lava(game, rules.numbers()).reshape(-1, game.width)[1:-1, 1:-1]
    alone = boxes_on(cells)
    for n, row, col, _ in squares:
        alone[row : row + n, col : col + n] = False
    stuck = [(int(row), int(col)) for row, col in np.argwhere(alone & (pushes >= NO_WAY))]
    found = [
        Problem(f"no pushes can burn the box at {place_name(cell)}: it takes a perfect square", cell, False)
        for cell in stuck[:MOST_NAMED]
    ]
    if len(stuck) > MOST_NAMED:
        found.append(Problem(f"nor {boxes_name(len(stuck) - MOST_NAMED)} more", serious=False))
    return found


def _begun(cells: np.ndarray, start: Cell | None, rules: Rules) -> State:
    """The drawing as a game that has just begun."""
    state = new_state(1, *cells.shape)
    row, col = start or (int(x) for x in np.argwhere(cells == EMPTY)[0])
    setup: Any = ShoverStart(framed(cells, frame_of(rules.edge)), row, col, -1, 0, 0)
    rulebook.reset(state, 0, rules.numbers(), setup)
    return state
