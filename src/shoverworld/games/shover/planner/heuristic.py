"""A heuristic estimate of the remaining steps. The estimate guides the search and need not be admissible."""

from typing import NamedTuple

from shoverworld.core.grid import ahead
from shoverworld.core.jit import inner, rare

from .. import rules as rulebook
from ..state import BARRIER, EMPTY
from .bounds import list_boxes
from .distances import FAR

_MAX_GAP = 8  # distances between boxes are capped at this value


class Weights(NamedTuple):
    """The weights of the features. The unit of the heuristic is one step."""

    step: float  # per step taken; within a layer, the number of steps varies only if the shover walks
    box: float  # per remaining box
    to_lava: float  # per push that a box needs to reach lava, ignoring other boxes
    gap: float  # per cell between a box and the nearest box or lava in a straight line (a chain moves as one)
    gather: float  # per cell by which the third-nearest other box is too far away to share a 2 x 2 square
    either: float  # per cell of the distance to lava or the gathering distance, whichever is smaller
    square: float  # per box in a perfect square (negative, because such boxes can be removed together)
    three: float  # per 2 x 2 block with one box missing
    pair: float  # per pair of adjacent boxes
    stamina: float  # for the remaining stamina, in units of the cost of one push
    far: float  # per box that cannot reach lava


# These weights were tuned by random search on the benchmark maps. Different maps need different sets of weights.
FOR_STEPS = (
    Weights(1.0, 2.4, 0.0, 0.0, 0.6, 0.7, -0.25, 0.0, -1.25, -0.12, 1.6),  # gather boxes into squares
    Weights(0.5, 0.6, 0.3, 0.2, 0.15, 0.2, -0.25, 0.0, -0.3, -0.6, 1.6),  # balanced
    Weights(0.0, 0.6, 0.2, 0.1, 0.15, 0.2, -0.25, 0.0, -0.3, -1.0, 1.6),  # save stamina first
    Weights(1.0, 1.8, 0.2, 0.45, 0.3, 0.0, -0.35, -1.1, -1.3, -0.2, 3.0),  # form squares, but also use chains and lava
    Weights(1.0, 0.0, 0.0, 0.0, 0.4, 0.9, -0.2, 0.0, -1.55, -0.22, 2.0),  # gather first, remove later
    Weights(1.0, 2.0, 0.0, 0.0, 0.0, 0.0, -1.9, 0.0, -0.5, 0.0, 0.5),  # squares at any cost
    Weights(1.0, 1.0, 0.8, 0.5, 0.0, 0.0, -1.0, -0.5, 0.0, -0.3, 5.0),  # burn boxes and save stamina
)
FOR_STAMINA = (
    Weights(0.0, 0.0, 0.2, 0.1, 0.0, 0.0, -0.2, -0.1, 0.0, -1.0, 5.0),
    Weights(0.1, 0.2, 0.0, 0.1, 0.2, 0.2, -0.3, 0.0, -0.3, -1.0, 3.0),
)


@inner
def gap_to_neighbour(board, width, cell, most):
    """Return the straight-line distance from a cell to the nearest box or lava, capped at `most`."""
    nearest = most
    for direction in range(4):
        forward = ahead(direction, width)
        steps, at = 1, cell + forward
        while board[at] == EMPTY and steps < nearest:
            at += forward
            steps += 1
        if steps < nearest and board[at] != BARRIER:
            nearest = steps
    return nearest


@inner
def gathering_distance(boxes, count, b):
    """Return how many cells closer the third-nearest other box must be to share a 2 x 2 square with box b."""
    first, second, third = _MAX_GAP, _MAX_GAP, _MAX_GAP
    for side in range(2):  # boxes are sorted by row: look backwards, then forwards, until the row is too far away
        other = b + 1 if side else b - 1
        while 0 <= other < count and abs(boxes[1, other] - boxes[1, b]) - 1 < third:
            rows, cols = abs(boxes[1, other] - boxes[1, b]) - 1, abs(boxes[2, other] - boxes[2, b]) - 1
            apart = max(0, rows) + max(0, cols)
            if apart < first:
                first, second, third = apart, first, second
            elif apart < second:
                second, third = apart, second
            elif apart < third:
                third = apart
            other += 1 if side else -1
    return third


@rare
def heuristic(state, i, rules, distance, weights, boxes):
    """Return the estimate for game i; lower is better."""
    game, board, width = state.game[i], state.board[i], state.width
    estimate = weights.step * game.timestep + weights.box * game.boxes
    count = list_boxes(board, width, boxes)
    gathers = weights.gather != 0.0 or weights.either != 0.0
    for b in range(count):
        cell = boxes[0, b]
        to_lava = distance[cell]
        together = gathering_distance(boxes, count, b) + 2 if gathers else 0
        if to_lava >= FAR:
            estimate += weights.far
            to_lava = _MAX_GAP
        estimate += weights.to_lava * to_lava + weights.gather * together + weights.either * min(to_lava, together)
        if weights.gap != 0.0:
            estimate += weights.gap * gap_to_neighbour(board, width, cell, to_lava)
        if weights.pair != 0.0:
            estimate += weights.pair * (rulebook.is_box(board[cell + 1]) + rulebook.is_box(board[cell + width]))
    if weights.three != 0.0:
        for cell in range(width, len(board) - width):
            if board[cell] == EMPTY:
                estimate += weights.three * rulebook.blocks_around(
                    board, width, cell
                )  # blocks in which this cell is the only one without a box
    for place in range(game.squares):
        n = state.squares[i, place].n
        estimate += weights.square * n * n
    return estimate + weights.stamina * game.stamina / (rules.initial_force + rules.unit_force + 1.0)
