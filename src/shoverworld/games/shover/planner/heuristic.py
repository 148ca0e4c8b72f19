"""A heuristic estimate of the remaining steps. The estimate guides the search and need not be admissible.

The estimate is a weighted sum of features, most of which are integers that add up over the boxes. After a push, only
the changes in the features are computed, because a push removes a box from one cell and adds a box to another one.
"""

from typing import NamedTuple

from shoverworld.core.grid import ahead, col_of, row_of
from shoverworld.core.jit import inner, rare

from .. import rules as rulebook
from ..state import BARRIER, EMPTY
from .boxes import CELL, COL, FOURTH, GAP, ROW, SECOND, SECOND_LEFT, THIRD, THIRD_LEFT, TO_LAVA, list_boxes
from .distances import FAR

_MAX_GAP = 8  # distances between boxes are capped at this value
_NOWHERE = -1000  # a row that is far from every box

# The features that add up over the boxes.
FAR_BOXES, ALL_TO_LAVA, ALL_GAPS, GATHER, EITHER, THREES, PAIRS = range(7)
FEATURES = 7


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
def weighs_gathering(weights):
    """Return whether the weights use the gathering distance."""
    return weights.gather != 0.0 or weights.either != 0.0


# ---------------------------------------------------------------- the features of one box


@inner
def pushes_counted(distance):
    """Return the number of pushes to lava that the heuristic counts for a box at this distance."""
    return distance if distance < FAR else _MAX_GAP


@inner
def look(board, cell, forward, most):
    """Look from a cell in a straight line for the first cell that is not empty. Return the distance and that cell.

    The distance is capped at `most`.
    """
    steps, at = 1, cell + forward
    while board[at] == EMPTY and steps < most:
        at += forward
        steps += 1
    return steps, at


@rare
def gap_to_neighbour(board, width, cell, most):
    """Return the straight-line distance from a cell to the nearest box or lava, capped at `most`."""
    nearest = most
    for direction in range(4):
        steps, at = look(board, cell, ahead(direction, width), nearest)
        if steps < nearest and board[at] != BARRIER:
            nearest = steps
    return nearest


@inner
def neighbours(board, width, cell):
    """Return the number of boxes next to a cell."""
    vertical = int(rulebook.is_box(board[cell - width])) + int(rulebook.is_box(board[cell + width]))
    return vertical + int(rulebook.is_box(board[cell - 1])) + int(rulebook.is_box(board[cell + 1]))


@rare
def threes_lost(board, width, cell):
    """Return how much a box on this cell reduces the number of 2 x 2 blocks that lack exactly one box."""
    lost = 0
    for corner in range(4):
        vertical, horizontal = (corner // 2) * 2 * width - width, (corner % 2) * 2 - 1
        boxes, empty = 0, 0
        for k in range(1, 4):  # the three other cells of the block
            other = board[cell + (k // 2) * vertical + (k % 2) * horizontal]
            boxes += rulebook.is_box(other)
            empty += other == EMPTY
        lost += int(boxes == 3) - int(boxes == 2 and empty == 1)
    return lost


@inner
def apart(row, col, other_row, other_col):
    """Return how many cells two boxes must move towards each other to share a 2 x 2 square."""
    return max(0, abs(row - other_row) - 1) + max(0, abs(col - other_col) - 1)


@inner
def gathering_distance(third):
    """Return a box's distance from a 2 x 2 square, given the distance to the third-nearest other box."""
    return third + 2


@rare
def measure_nearest(boxes, b):
    """Store the distances from box b to the second-nearest, third-nearest and fourth-nearest other boxes."""
    row, col = boxes.each[ROW, b], boxes.each[COL, b]
    first, second, third, fourth = _MAX_GAP, _MAX_GAP, _MAX_GAP, _MAX_GAP
    rows = len(boxes.first) - 1
    for other in range(boxes.first[max(0, row - _MAX_GAP)], boxes.first[min(rows, row + _MAX_GAP + 1)]):
        distance = apart(row, col, boxes.each[ROW, other], boxes.each[COL, other]) if other != b else _MAX_GAP
        fourth = min(fourth, max(third, distance))
        third = min(third, max(second, distance))
        second = min(second, max(first, distance))
        first = min(first, distance)
    boxes.each[SECOND, b], boxes.each[THIRD, b], boxes.each[FOURTH, b] = second, third, fourth


# ---------------------------------------------------------------- the features of a game


@rare
def measure_features(board, width, distance, weights, boxes, features):
    """List the boxes of a game and compute its features. Features with the weight 0 remain 0."""
    count, gathers = list_boxes(board, width, boxes), weighs_gathering(weights)
    for feature in range(FEATURES):
        features[feature] = 0
    for b in range(count):
        cell = boxes.each[CELL, b]
        to_lava = pushes_counted(distance[cell])
        boxes.each[TO_LAVA, b] = to_lava
        features[FAR_BOXES] += distance[cell] >= FAR
        features[ALL_TO_LAVA] += to_lava
        features[PAIRS] += rulebook.is_box(board[cell + 1]) + rulebook.is_box(board[cell + width])
        if weights.gap != 0.0:
            boxes.each[GAP, b] = gap_to_neighbour(board, width, cell, to_lava)
            features[ALL_GAPS] += boxes.each[GAP, b]
        if gathers:
            measure_nearest(boxes, b)
            together = gathering_distance(boxes.each[THIRD, b])
            features[GATHER] += together
            features[EITHER] += min(to_lava, together)
    if weights.three != 0.0:
        for cell in range(width, len(board) - width):
            if board[cell] == EMPTY:
                # the blocks in which this cell is the only one without a box
                features[THREES] += rulebook.blocks_around(board, width, cell)


@rare
def prepare_pushes(boxes, count, weights, b):
    """Prepare `features_after_push` for pushes that start at box b.

    For each other box, store the distances to its second-nearest and third-nearest boxes, ignoring box b.
    """
    if weighs_gathering(weights):
        row, col = boxes[ROW, b], boxes[COL, b]
        for other in range(count):
            second, third, fourth = boxes[SECOND, other], boxes[THIRD, other], boxes[FOURTH, other]
            distance = apart(row, col, boxes[ROW, other], boxes[COL, other])
            boxes[SECOND_LEFT, other] = third if distance <= second else second
            boxes[THIRD_LEFT, other] = fourth if distance <= third else third


@inner
def features_after_push(
    before, after, width, distance, weights, boxes, count, features, b, direction, beyond, burnt, new_features
):
    """Compute the features after a push from those before it. `prepare_pushes` must have been called for box b.

    `before` and `after` are the boards. The first box of the chain leaves its cell, and a box arrives beyond the chain
    unless the front box has burnt.
    """
    target = boxes.each[CELL, b]
    for feature in range(FEATURES):
        new_features[feature] = features[feature]
    new_features[FAR_BOXES] -= distance[target] >= FAR
    new_features[ALL_TO_LAVA] -= boxes.each[TO_LAVA, b]
    new_features[PAIRS] -= neighbours(before, width, target)
    to_lava = 0
    if not burnt:
        to_lava = pushes_counted(distance[beyond])
        new_features[FAR_BOXES] += distance[beyond] >= FAR
        new_features[ALL_TO_LAVA] += to_lava
        new_features[PAIRS] += neighbours(after, width, beyond)
    if weights.three != 0.0:
        new_features[THREES] += threes_lost(before, width, target)
        if not burnt:
            new_features[THREES] -= threes_lost(after, width, beyond)
    if weights.gap != 0.0:
        new_features[ALL_GAPS] += gap_change(after, width, boxes, b, direction, beyond, burnt, to_lava)
    if weighs_gathering(weights):
        row = _NOWHERE if burnt else row_of(beyond, width)
        gather, either = gathering_after_push(boxes.each, count, b, row, col_of(beyond, width), to_lava)
        new_features[GATHER], new_features[EITHER] = gather, either


@rare
def gap_change(board, width, boxes, b, direction, beyond, burnt, to_lava):
    """Return how a push that starts at box b changes the sum of all gaps. The board is the one after the push.

    Only boxes with a clear line to the target or to the cell beyond the chain are affected. The direction of the
    chain does not matter, because its boxes are next to each other before and after the push.
    """
    change = -boxes.each[GAP, b]
    for turn in range(1, 4):  # the boxes that saw the target: in every direction except that of the push
        steps, cell = look(board, boxes.each[CELL, b], ahead((direction + turn) % 4, width), len(board))
        if rulebook.is_box(board[cell]):
            other = boxes.index[cell]
            if steps == boxes.each[GAP, other]:
                change += gap_to_neighbour(board, width, cell, boxes.each[TO_LAVA, other]) - steps
    if burnt:
        return change
    for turn in range(-1, 2):  # the boxes that see the box beyond the chain: in every direction except backwards
        steps, cell = look(board, beyond, ahead((direction + turn) % 4, width), len(board))
        if rulebook.is_box(board[cell]):
            change += min(0, steps - boxes.each[GAP, boxes.index[cell]])
    return change + gap_to_neighbour(board, width, beyond, to_lava)


@rare
def gathering_after_push(boxes, count, b, row, col, to_lava):
    """Return the features GATHER and EITHER with box b at this row and column. The row of a burnt box is _NOWHERE."""
    gather, either = 0, 0
    first, second, third = _MAX_GAP, _MAX_GAP, _MAX_GAP  # the nearest boxes of box b
    for other in range(count):
        if other != b:
            distance = apart(row, col, boxes[ROW, other], boxes[COL, other])
            third = min(third, max(second, distance))
            second = min(second, max(first, distance))
            first = min(first, distance)
            together = gathering_distance(min(boxes[THIRD_LEFT, other], max(boxes[SECOND_LEFT, other], distance)))
            gather += together
            either += min(boxes[TO_LAVA, other], together)
    if row != _NOWHERE:
        gather += gathering_distance(third)
        either += min(to_lava, gathering_distance(third))
    return gather, either


@inner
def heuristic(game, squares, rules, weights, features):
    """Return the estimate for a game with these features; lower is better."""
    in_squares = 0
    for place in range(game.squares):
        in_squares += squares[place].n * squares[place].n
    return (
        weights.step * game.timestep
        + weights.box * game.boxes
        + weights.to_lava * features[ALL_TO_LAVA]
        + weights.gap * features[ALL_GAPS]
        + weights.gather * features[GATHER]
        + weights.either * features[EITHER]
        + weights.square * in_squares
        + weights.three * features[THREES]
        + weights.pair * features[PAIRS]
        + weights.stamina * game.stamina / (rules.initial_force + rules.unit_force + 1.0)
        + weights.far * features[FAR_BOXES]
    )
