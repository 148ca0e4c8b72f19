"""What no plan can beat: reasons why a game cannot be cleared any more, or not in so many steps, or not with so much
stamina. Everything here must be true of every plan; what is only likely belongs in promise.py.

Why the bounds hold:
- Boxes go away in three ways: one burns in a step; a special takes a whole square in a step; squares dissolve.
- A push moves the boxes of one chain by one cell, so a box burns after at least as many steps as its distance to the
  lava, and of m boxes that far away the last one at least m - 1 steps later.
- Two boxes come nearer by at most one cell a step, so a box is in a square only after the boxes it needs are near.
- The force of a push is paid for each box it moves, so every box pays its own way to the lava.
"""

import numpy as np

from shoverworld.core.grid import col_of, row_of
from shoverworld.core.jit import inner, rare

from .. import rules as rulebook
from ..config import LAST_PUSH
from .field import DEAD_POCKET, FAR


@inner
def fewest_removals(boxes):
    """The fewest steps that remove so many boxes, each step removing a square number of them (Lagrange: four will do).

    1 -> 1 burn, 4 -> 1 special, 6 -> a special and two burns."""
    root = np.int64(np.sqrt(boxes))
    if root * root == boxes:
        return 1 if boxes > 0 else 0
    for n in range(1, root + 1):  # two squares?
        rest = boxes - n * n
        other = np.int64(np.sqrt(rest))
        if other * other == rest:
            return 2
    while boxes % 4 == 0:
        boxes //= 4
    return 4 if boxes % 8 == 7 else 3


@rare
def is_stuck(state, i, distance, counts):
    """Are there boxes that no sequence of moves whatever can remove?

    . . # B     A box that no lava can be reached from must become part of a square; a pocket with 1, 2, 3, 5, 6 or 7
    L . # .     boxes cannot be emptied by squares alone, nor can one in which no square has room.
    """
    game, board, width = state.game[i], state.board[i], state.width
    most = 0
    for cell in range(width, len(board) - width):
        if rulebook.is_box(board[cell]) and distance[cell] >= FAR:
            if game.boxes < 4 or distance[cell] == FAR + 1 + DEAD_POCKET:
                return True
            if distance[cell] == FAR:
                continue  # boxes from elsewhere can come to a walker's dead cells
            pocket = distance[cell] - FAR - 1
            while most < pocket:
                most += 1
                counts[most] = 0
            counts[pocket] += 1
    stuck = False
    for pocket in range(1, most + 1):
        stuck |= 0 < counts[pocket] < 8 and counts[pocket] != 4
    return stuck


@rare
def list_boxes(board, width, boxes):
    """Note cell, row and column of each box; returns how many there are."""
    count = 0
    for cell in range(width, len(board) - width):
        if rulebook.is_box(board[cell]):
            boxes[0, count] = cell
            boxes[1, count] = row_of(cell, width)
            boxes[2, count] = col_of(cell, width)
            count += 1
    return count


@inner
def boxes_near(boxes, count, b, side, pushes):
    """How many other boxes so many pushes could bring near enough to box b to be in one square of this side with it."""
    near = -1  # the box itself is not counted
    for other in range(count):
        rows = abs(boxes[1, other] - boxes[1, b]) - side + 1
        cols = abs(boxes[2, other] - boxes[2, b]) - side + 1
        near += max(0, rows) + max(0, cols) <= pushes
    return near


@rare
def can_be_in_square(state, i, rules, boxes, count, b, steps):
    """Could box b be removed as part of a square within so many steps?"""
    for place in range(state.game[i].squares):
        square = state.squares[i, place]
        if 0 <= boxes[1, b] - square.row < square.n and 0 <= boxes[2, b] - square.col < square.n:
            return True
    pushes = steps - (rules.perf_sq_initial_age > 0)  # the special, or the ageing, takes at least a step more
    if pushes < 1:
        return False
    side = 2
    while side * side <= count:
        if boxes_near(boxes, count, b, side, pushes) >= side * side - 1:
            return True
        side += 1
    return False


@rare
def lava_may_come(state, i, boxes, count, steps):
    """Could hellify make new lava, and a box burn in it, within so many steps?"""
    if count < 9 or steps < 2:
        return False
    for place in range(state.game[i].squares):
        if state.squares[i, place].n >= 3:
            return True
    possible = False
    for b in range(count):
        possible |= boxes_near(boxes, count, b, 3, steps - 2) >= 8
    return possible


@rare
def last_burn(counts, steps):
    """The earliest step by which all boxes can have burnt; counts[d] boxes have d to go, those beyond `steps` at [steps + 1]."""
    last, behind = 0, 0
    for distance in range(steps + 1, 0, -1):
        behind += counts[distance]
        if counts[distance] > 0:
            last = max(last, distance + behind - 1)
    return last


@rare
def too_late(state, i, rules, distance, steps, workspace):
    """Is it certain that game i cannot be cleared within so many more steps?"""
    game, counts, boxes = state.game[i], workspace.counts, workspace.boxes
    if game.boxes == 0:
        return False
    if steps < 1:
        return True
    dissolving = rules.perf_sq_initial_age < steps  # a square made by the next step may be gone by then
    for place in range(game.squares):
        dissolving |= game.timestep - state.squares[i, place].born + steps >= rules.perf_sq_initial_age
    if not dissolving and fewest_removals(game.boxes) > steps:
        return True
    if steps > len(counts) // 2 - 2:
        return False
    count = list_boxes(state.board[i], state.width, boxes)
    if lava_may_come(state, i, boxes, count, steps):
        return False

    # counts[d]: boxes with d to go that must burn, for no square can come of them in time; counts[half + d]: all boxes
    half = steps + 2
    for d in range(2 * half):
        counts[d] = 0
    must_burn = 0
    for b in range(count):
        d = min(distance[boxes[0, b]], steps + 1)
        counts[half + d] += 1
        if count < 4 or not can_be_in_square(state, i, rules, boxes, count, b, steps):
            if d > steps:
                return True
            counts[d] += 1
            must_burn += 1
    others = count - must_burn
    if not dissolving and must_burn + fewest_removals(others) > steps:
        return True
    if last_burn(counts[half:], steps) <= steps:
        return False
    special = 0 if dissolving else 1
    return others == 0 or last_burn(counts, steps) + special > steps


@inner
def is_exact(number):
    """Is this a number such as 40 or 0.5, not 0.1? Sums of such numbers are never rounded."""
    return abs(number) < 2.0**40 and number * 1024.0 == np.floor(number * 1024.0)


@inner
def rounding(rules, stamina, boxes):
    """How much two sums of the same gains and costs, in another order, can differ: 0 when nothing is rounded."""
    if (
        is_exact(stamina)
        and is_exact(rules.step_cost)
        and is_exact(rules.initial_force)
        and is_exact(rules.unit_force)
        and is_exact(rules.barrier_stamina)
    ):
        return 0.0
    return 1e-9 * (abs(stamina) + boxes * (rules.initial_force + rules.barrier_stamina))  # a million steps, and more


@rare
def most_stamina(state, i, rules, distance):
    """No plan ends with more stamina than this: every box at its best, and the least that must be paid before."""
    game, board, width = state.game[i], state.board[i], state.width
    total = game.stamina
    squares = game.boxes >= 4
    burnt_best = rules.initial_force - rules.unit_force
    for cell in range(width, len(board) - width):
        if rulebook.is_box(board[cell]):
            best = rules.initial_force - rules.unit_force * distance[cell]
            if game.boxes >= 9:  # hellify may bring the lava next to the box
                best = burnt_best
            if squares:
                best = max(best, rules.barrier_stamina, 0.0)
            elif distance[cell] >= FAR:
                best = -np.inf
            total += best
    in_squares = 0
    for place in range(game.squares):
        in_squares += state.squares[i, place].n * state.squares[i, place].n
    at_rest = game.last_push < 0 if rules.stationary == LAST_PUSH else game.moving == 0
    if in_squares < game.boxes and at_rest:
        total -= rules.initial_force  # some push must start from rest
    return total + rounding(rules, game.stamina, game.boxes)
