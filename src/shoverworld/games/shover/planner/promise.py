"""Which games look near their end: a guess at the steps still needed. Nothing here has to be true, only useful."""

from typing import NamedTuple

from shoverworld.core.grid import ahead
from shoverworld.core.jit import inner, rare

from .. import rules as rulebook
from ..state import BARRIER, EMPTY
from .bounds import list_boxes
from .field import FAR

_LONELY = 8  # cells between boxes beyond which it does not matter how far they are apart


class Weights(NamedTuple):
    """What counts for how much. A guess is a number of steps, so `step` is 1 and the others are in steps."""

    step: float  # for each step taken: games of a layer differ in that when the shover walks
    box: float  # for each box left
    way: float  # for each push of its way to the lava, other boxes ignored
    gap: float  # for each cell to the next box or lava, in the best direction: chains are pushed together
    gather: float  # for each cell that the third nearest box is too far away to make a square
    either: float  # for the lesser of the way to the lava and the gathering for a square
    square: float  # for each box in a perfect square (negative: a square is good)
    three: float  # for each 2 x 2 block that lacks one box
    pair: float  # for each pair of boxes side by side
    stamina: float  # for each push's worth of stamina left
    far: float  # for a box without a way to the lava


# Tuned by random search on the benchmark maps; a portfolio, since what is good for one map is not for another.
FOR_STEPS = (
    Weights(1.0, 2.4, 0.0, 0.0, 0.6, 0.7, -0.25, 0.0, -1.25, -0.12, 1.6),  # gather for squares
    Weights(0.5, 0.6, 0.3, 0.2, 0.15, 0.2, -0.25, 0.0, -0.3, -0.6, 1.6),  # a little of everything
    Weights(0.0, 0.6, 0.2, 0.1, 0.15, 0.2, -0.25, 0.0, -0.3, -1.0, 1.6),  # spare stamina first of all
    Weights(1.0, 1.8, 0.2, 0.45, 0.3, 0.0, -0.35, -1.1, -1.3, -0.2, 3.0),  # the same, with an eye on chains and lava
    Weights(1.0, 0.0, 0.0, 0.0, 0.4, 0.9, -0.2, 0.0, -1.55, -0.22, 2.0),  # gather first, remove later
    Weights(1.0, 2.0, 0.0, 0.0, 0.0, 0.0, -1.9, 0.0, -0.5, 0.0, 0.5),  # squares at any price
    Weights(1.0, 1.0, 0.8, 0.5, 0.0, 0.0, -1.0, -0.5, 0.0, -0.3, 5.0),  # burn, and spare stamina
)
FOR_STAMINA = (
    Weights(0.0, 0.0, 0.2, 0.1, 0.0, 0.0, -0.2, -0.1, 0.0, -1.0, 5.0),
    Weights(0.1, 0.2, 0.0, 0.1, 0.2, 0.2, -0.3, 0.0, -0.3, -1.0, 3.0),
)


@inner
def gap_ahead(board, width, cell, most):
    """How far the nearest box or lava in a straight line is, up to `most`."""
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
def gathering(boxes, count, b):
    """How many cells the third nearest other box is too far away to be in a square of two with box b."""
    first, second, third = _LONELY, _LONELY, _LONELY
    for way in range(2):  # boxes are listed row by row: look backwards, then forwards, until the rows alone are too far
        other = b + 1 if way else b - 1
        while 0 <= other < count and abs(boxes[1, other] - boxes[1, b]) - 1 < third:
            rows, cols = abs(boxes[1, other] - boxes[1, b]) - 1, abs(boxes[2, other] - boxes[2, b]) - 1
            apart = max(0, rows) + max(0, cols)
            if apart < first:
                first, second, third = apart, first, second
            elif apart < second:
                second, third = apart, second
            elif apart < third:
                third = apart
            other += 1 if way else -1
    return third


@rare
def promise(state, i, rules, distance, weights, boxes):
    """The lower, the better."""
    game, board, width = state.game[i], state.board[i], state.width
    guess = weights.step * game.timestep + weights.box * game.boxes
    count = list_boxes(board, width, boxes)
    gathers = weights.gather != 0.0 or weights.either != 0.0
    for b in range(count):
        cell = boxes[0, b]
        way = distance[cell]
        together = gathering(boxes, count, b) + 2 if gathers else 0
        if way >= FAR:
            guess += weights.far
            way = _LONELY
        guess += weights.way * way + weights.gather * together + weights.either * min(way, together)
        if weights.gap != 0.0:
            guess += weights.gap * gap_ahead(board, width, cell, way)
        if weights.pair != 0.0:
            guess += weights.pair * (rulebook.is_box(board[cell + 1]) + rulebook.is_box(board[cell + width]))
    if weights.three != 0.0:
        for cell in range(width, len(board) - width):
            if board[cell] == EMPTY:
                guess += weights.three * rulebook.blocks_around(board, width, cell)  # those that lack just this cell
    for place in range(game.squares):
        n = state.squares[i, place].n
        guess += weights.square * n * n
    return guess + weights.stamina * game.stamina / (rules.initial_force + rules.unit_force + 1.0)
