"""What is wrong with a drawing: what cannot be played, and what can but will hardly be cleared."""

from typing import Any

import numpy as np

from shoverworld.core.front import Cell, Problem
from shoverworld.core.grid import framed

from .. import rules as rulebook
from ..config import Rules
from ..measure import NO_WAY, boxes_on, pushes_to_lava
from ..state import EMPTY, LAVA, Setup, State, frame_of, new_state
from .cells import boxes_name, place_name

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
        found.append(Problem("there is no box: the first step clears the map", serious=False))
        return found
    return found + _hard_to_clear(cells, start, rules)


def _hard_to_clear(cells: np.ndarray, start: Cell | None, rules: Rules) -> list[Problem]:
    """A box on floor from which no way leads to lava can only go as part of a perfect square."""
    game = _begun(cells, start, rules)
    if not (cells == LAVA).any() and rules.edge == "wall" and not game.game["squares"][0]:
        text = (
            "there is no lava, no perfect square, and the edge is a wall: boxes can only go in squares still to be made"
        )
        return [Problem(text, serious=False)]
    pushes = pushes_to_lava(game, rules.numbers()).reshape(-1, game.width)[1:-1, 1:-1]
    stuck = [(int(row), int(col)) for row, col in np.argwhere(boxes_on(cells) & (pushes >= NO_WAY))]
    if not (cells == LAVA).any() and rules.edge == "wall":
        return []  # hellify will make the lava
    found = [
        Problem(f"no pushes bring the box at {place_name(cell)} to the lava there is", cell, False)
        for cell in stuck[:MOST_NAMED]
    ]
    if len(stuck) > MOST_NAMED:
        found.append(Problem(f"the same goes for {boxes_name(len(stuck) - MOST_NAMED)} more", serious=False))
    return found


def _begun(cells: np.ndarray, start: Cell | None, rules: Rules) -> State:
    """The drawing as a game that has just begun."""
    state = new_state(1, *cells.shape)
    row, col = start or (int(x) for x in np.argwhere(cells == EMPTY)[0])
    setup: Any = Setup(framed(cells, frame_of(rules.edge)), row, col, -1, 0, 0)
    rulebook.reset(state, 0, rules.numbers(), setup)
    return state
