"""Which games look near their end: a guess at the steps still needed. Nothing here has to be true, only useful."""

from typing import NamedTuple

from shoverworld.core.grid import ahead
from shoverworld.core.jit import rare

from .. import rules as rulebook
from ..state import EMPTY
from .field import FAR


class Weights(NamedTuple):
    step: float  # for each step taken: games of a layer differ in that when the shover walks
    box: float  # for each box left
    way: float  # for each push of its way to the lava, other boxes ignored
    gap: float  # for each cell to the next box or lava, in the best direction: chains are pushed together
    square: float  # for each box in a perfect square (negative: a square is good)
    three: float  # for each 2 x 2 block that lacks one box
    pair: float  # for each pair of boxes side by side
    stamina: float  # for each initial force of stamina left
    far: float  # for a box without a way to the lava


FOR_STEPS = (
    Weights(1.0, 1.0, 0.06, 0.38, -1.1, -0.55, -0.14, -0.5, 20.0),
    Weights(1.0, 1.0, 0.5, 0.5, -1.0, -0.5, 0.0, -0.2, 20.0),
)
FOR_STAMINA = (Weights(0.0, 0.0, 0.2, 0.1, -0.2, -0.1, 0.0, -1.0, 20.0),)


@rare
def promise(state, i, rules, distance, weights):
    """The lower, the better."""
    game, board, width = state.game[i], state.board[i], state.width
    guess = weights.step * game.timestep + weights.box * game.boxes
    for cell in range(width, len(board) - width):
        if rulebook.is_box(board[cell]):
            way = distance[cell]
            if way >= FAR:
                guess += weights.far
                way = 6
            guess += weights.way * way
            guess += weights.pair * (rulebook.is_box(board[cell + 1]) + rulebook.is_box(board[cell + width]))
            if weights.gap != 0.0:
                nearest = way
                for direction in range(4):
                    forward = ahead(direction, width)
                    steps = 1
                    at = cell + forward
                    while board[at] == EMPTY and steps < nearest:
                        at += forward
                        steps += 1
                    if steps < nearest and board[at] < 100:
                        nearest = steps
                guess += weights.gap * nearest
        elif weights.three != 0.0 and board[cell] == EMPTY:
            up, down = rulebook.is_box(board[cell - width]), rulebook.is_box(board[cell + width])
            left, right = rulebook.is_box(board[cell - 1]), rulebook.is_box(board[cell + 1])
            corners = (
                (up & left & rulebook.is_box(board[cell - width - 1]))
                + (up & right & rulebook.is_box(board[cell - width + 1]))
                + (down & left & rulebook.is_box(board[cell + width - 1]))
                + (down & right & rulebook.is_box(board[cell + width + 1]))
            )
            guess += weights.three * corners
    for place in range(game.squares):
        n = state.squares[i, place].n
        guess += weights.square * n * n
    return guess + weights.stamina * game.stamina / (rules.initial_force + rules.unit_force + 1.0)
