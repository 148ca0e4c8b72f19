"""The Phase 2 report's rules about squares: which special actions are useful and which pushes complete a square."""

from collections.abc import Iterator

import numpy as np

from shoverworld.core.cells import STEPS
from shoverworld.core.grid import cell_at

from ..config import FIRST_SPECIAL, HELLIFY, Rules
from ..measure import NO_WAY, boxes_on
from ..problem import Action, Position, ShoverProblem
from ..state import BARRIER, LAVA, State
from .phase2_heuristic import Heuristic, distance_field


class SubGoal(ShoverProblem):
    """The problem of removing at least one box. The successors exclude special actions that are not useful."""

    def __init__(self, start: State, rules: Rules, heuristic: Heuristic):
        self.estimates = heuristic
        super().__init__(start, rules)

    def is_goal(self, state: Position) -> bool:
        return state.boxes < self.start().boxes

    def successors(self, state: Position) -> list[tuple[Action, Position, float]]:
        return [
            (action, child, cost)
            for action, child, cost in super().successors(state)
            if not is_special(action, self.rules) or special_is_worth_it(state, action, child, self.rules)
        ]


def is_special(action: Action, rules: Rules) -> bool:
    return action[2] - rules.z_base >= FIRST_SPECIAL


def special_is_worth_it(before: Position, action: Action, after: Position, rules: Rules) -> bool:
    """Return whether this special action, which leads from `before` to `after`, is useful.

    A special action is not useful if it strands a box, that is, if the box loses its path to lava. Otherwise, hellify
    is useful. The barrier maker leaves permanent obstacles, so it must also meet one of three conditions: no box is
    left; stamina is low (the barrier maker adds stamina); or the path to lava does not become longer for any of the
    remaining boxes. (A square whose boxes cannot be pushed into lava shares no floor with boxes that can. Except with a
    walker, such a square therefore always meets the last condition.)
    """
    if after.boxes == 0:
        return True
    left = boxes_on(after.state.board[0])
    way, way_after = _ways(before, rules), _ways(after, rules)
    if ((way < NO_WAY) & (way_after == NO_WAY))[left].any():
        return False
    if action[2] - rules.z_base == HELLIFY or stamina_is_short(before, way, rules):
        return True
    return bool((way_after[left] <= way[left]).all())


def _ways(position: Position, rules: Rules) -> np.ndarray:
    """Return the distance field of one game. Cells that a walker cannot reach count as cells without a path."""
    way = distance_field(position.state, rules.numbers())[0]
    if rules.actor == "walk":
        way = np.where(_within_reach(position), way, NO_WAY)
    return way


def _within_reach(position: Position) -> np.ndarray:
    """Return a mask of the cells that a walker could reach if no box were in the way."""
    board, width = position.state.board[0], position.state.width
    floor = (board != BARRIER) & (board != LAVA)
    reached = np.zeros(len(board), bool)
    border = [cell_at(position.fact("row"), position.fact("col"), width)]
    while border:
        cell = border.pop()
        if floor[cell] and not reached[cell]:
            reached[cell] = True
            border += [cell - width, cell + 1, cell + width, cell - 1]
    return reached


def stamina_is_short(position: Position, way: np.ndarray, rules: Rules) -> bool:
    """Return whether the stamina is probably too low to burn all boxes.

    This rough estimate assumes that each box with a path to lava is pushed alone and starts from rest only once, and
    that burning the box refunds the initial force.
    """
    distance = way[boxes_on(position.state.board[0]) & (way < NO_WAY)]
    return position.stamina < rules.initial_force + (rules.unit_force + rules.push_baseline) * (distance + 1).sum()


def nearly_complete_squares(grid: np.ndarray) -> Iterator[tuple[int, tuple[int, int], tuple[int, int]]]:
    """Yield the n x n blocks that lack one box, largest first, as (n, top-left cell, cell of the missing box).

    B B .     n = 2, top-left (0, 0), missing (1, 1)
    B . B
    """
    box = boxes_on(grid)
    floor = (grid != BARRIER) & (grid != LAVA)
    largest = min(*grid.shape, int(np.sqrt(box.sum() + 1)))
    for n in range(largest, 1, -1):
        boxes, floors = (np.lib.stride_tricks.sliding_window_view(m, (n, n)).sum(axis=(2, 3)) for m in (box, floor))
        for row, col in np.argwhere((boxes == n * n - 1) & (floors == n * n)).tolist():
            ((down, right),) = np.argwhere(~box[row : row + n, col : col + n]).tolist()
            yield n, (row, col), (row + down, col + right)


def completing_pushes(
    here: Position, options: dict[Action, Position], rules: Rules
) -> Iterator[tuple[Action, Position]]:
    """Yield the pushes that move a box into the last empty cell of a square, each with the resulting position."""
    for n, corner, (row, col) in nearly_complete_squares(here.grid):
        for direction, (down, right) in enumerate(STEPS):
            back = 2 if rules.actor == "walk" else 1  # a walker pushes from the cell behind the box
            action = (row - back * down, col - back * right, rules.z_base + direction)
            if action in options and (n, corner) in options[action].squares:
                yield action, options[action]
