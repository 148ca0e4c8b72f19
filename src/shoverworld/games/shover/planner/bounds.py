"""Tests of whether a game can still be cleared: at all, within a given number of steps, or with a given final stamina.

Every bound in this module must hold for every plan. Estimates that are merely likely to hold belong in heuristic.py.

Why the bounds hold:
- Boxes disappear in three ways: a box burns, a special action removes a square, or a square dissolves.
- A push moves the boxes of one chain by one cell. So a box cannot burn in fewer steps than its distance to lava, and
  the last of m boxes at the same distance needs at least m - 1 more steps.
- Two boxes approach each other by at most one cell per step. So a box can be in a square only if enough other boxes are
  nearby.
- A push costs the unit force for each box that it moves. So every box that burns adds the cost of its own path to
  lava.
- Only the refund for a burnt box and the barrier maker increase the stamina. The bounds ignore the step cost, even
  if it applies to pushes (`push_pays_step_cost`), because it can only lower the final stamina.
"""

import numpy as np

from shoverworld.core.jit import inner, rare

from ..config import LAST_PUSH
from .boxes import CELL, COL, ROW
from .distances import DEAD_POCKET, FAR


@inner
def fewest_removals(boxes):
    """Return the minimum number of steps needed to remove this many boxes if a step can remove 1, 4, 9, 16, ... boxes.

    Examples: one burn for 1 box, one special action for 4 boxes, one special action and two burns for 6 boxes. Four
    steps are always enough (Lagrange's four-square theorem).
    """
    root = np.int64(np.sqrt(boxes))
    if root * root == boxes:
        return 1 if boxes > 0 else 0
    for n in range(1, root + 1):  # is `boxes` the sum of two square numbers?
        rest = boxes - n * n
        other = np.int64(np.sqrt(rest))
        if other * other == rest:
            return 2
    while boxes % 4 == 0:
        boxes //= 4
    return 4 if boxes % 8 == 7 else 3


@rare
def is_stuck(count, boxes, distance, counts):
    """Return whether some of these boxes cannot be removed by any sequence of moves.

    . . # B     A box that cannot reach lava must become part of a square. Squares alone cannot empty a pocket with 1,
    L . # .     2, 3, 5, 6 or 7 boxes, or a pocket that is too small for a square.
    """
    most = 0
    for b in range(count):
        reach = distance[boxes[CELL, b]]
        if reach >= FAR:
            if count < 4 or reach == FAR + 1 + DEAD_POCKET:
                return True
            if reach == FAR:
                continue  # with a walker, boxes from elsewhere can still reach these cells
            pocket = reach - FAR - 1
            while most < pocket:
                most += 1
                counts[most] = 0
            counts[pocket] += 1
    stuck = False
    for pocket in range(1, most + 1):
        stuck |= 0 < counts[pocket] < 8 and counts[pocket] != 4
    return stuck


@inner
def boxes_near(boxes, count, b, side, pushes):
    """Return how many other boxes could share a square of this side length with box b after this many pushes."""
    near = -1  # the loop also counts box b itself
    for other in range(count):
        rows = abs(boxes[ROW, other] - boxes[ROW, b]) - side + 1
        cols = abs(boxes[COL, other] - boxes[COL, b]) - side + 1
        near += max(0, rows) + max(0, cols) <= pushes
    return near


@rare
def can_be_in_square(game, squares, rules, boxes, b, steps):
    """Return whether box b could be removed as part of a square within this many steps."""
    count = game.boxes
    for place in range(game.squares):
        square = squares[place]
        if 0 <= boxes[ROW, b] - square.row < square.n and 0 <= boxes[COL, b] - square.col < square.n:
            return True
    pushes = steps - (rules.perf_sq_initial_age > 0)  # using the square or letting it age takes at least one more step
    if pushes < 1:
        return False
    side = 2
    while side * side <= count:
        if boxes_near(boxes, count, b, side, pushes) >= side * side - 1:
            return True
        side += 1
    return False


@rare
def new_lava_possible(game, squares, boxes, steps):
    """Return whether hellify could create lava and a box could burn in it within this many steps."""
    count = game.boxes
    if count < 9 or steps < 2:
        return False
    for place in range(game.squares):
        if squares[place].n >= 3:
            return True
    possible = False
    for b in range(count):
        possible |= boxes_near(boxes, count, b, 3, steps - 2) >= 8
    return possible


@rare
def last_burn(counts, steps):
    """Return the earliest step in which the last box can burn.

    There are counts[d] boxes at distance d, and counts[steps + 1] boxes that are more than `steps` pushes away.
    """
    last, behind = 0, 0
    for distance in range(steps + 1, 0, -1):
        behind += counts[distance]
        if counts[distance] > 0:
            last = max(last, distance + behind - 1)
    return last


@rare
def too_late(game, squares, rules, distance, boxes, steps, counts):
    """Return whether a game certainly cannot be cleared within this many more steps."""
    count = game.boxes
    if count == 0:
        return False
    if steps < 1:
        return True
    dissolving = rules.perf_sq_initial_age < steps  # a square formed in the next step may dissolve in time
    for place in range(game.squares):
        dissolving |= game.timestep - squares[place].born + steps >= rules.perf_sq_initial_age
    if not dissolving and fewest_removals(count) > steps:
        return True
    if steps > len(counts) // 2 - 2:
        return False
    if new_lava_possible(game, squares, boxes, steps):
        return False

    # counts[d]: the boxes at distance d that must burn because they cannot become part of a square in time
    # counts[half + d]: all boxes at distance d
    half = steps + 2
    for d in range(2 * half):
        counts[d] = 0
    must_burn = 0
    for b in range(count):
        d = min(distance[boxes[CELL, b]], steps + 1)
        counts[half + d] += 1
        if count < 4 or not can_be_in_square(game, squares, rules, boxes, b, steps):
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
    """Return whether sums that include this number are exact in floating point (true for 40 and 0.5, false for 0.1)."""
    return abs(number) < 2.0**40 and number * 1024.0 == np.floor(number * 1024.0)


@inner
def rounding(rules, stamina, boxes):
    """Return how much the order of summation can change a sum of gains and costs, or 0 if the sums are exact."""
    if (
        is_exact(stamina)
        and is_exact(rules.step_cost)
        and is_exact(rules.initial_force)
        and is_exact(rules.unit_force)
        and is_exact(rules.barrier_stamina)
    ):
        return 0.0
    return 1e-9 * (
        abs(stamina) + boxes * (rules.initial_force + rules.barrier_stamina)
    )  # enough for more than a million steps


@rare
def most_stamina(game, squares, rules, distance, boxes):
    """Return an upper bound on the final stamina.

    The bound is the current stamina plus the best gain from every box, minus costs that cannot be avoided.
    """
    total = game.stamina
    burnt_best = rules.initial_force - rules.unit_force
    for b in range(game.boxes):
        to_lava = distance[boxes[CELL, b]]
        best = rules.initial_force - rules.unit_force * to_lava
        if game.boxes >= 9:  # hellify may create lava next to the box
            best = burnt_best
        if game.boxes >= 4:
            best = max(best, rules.barrier_stamina, 0.0)
        elif to_lava >= FAR:
            best = -np.inf
        total += best
    in_squares = 0
    for place in range(game.squares):
        in_squares += squares[place].n * squares[place].n
    at_rest = game.last_push < 0 if rules.stationary == LAST_PUSH else game.moving == 0
    if in_squares < game.boxes and at_rest:
        total -= rules.initial_force  # at least one push must start from rest
    return total + rounding(rules, game.stamina, game.boxes)
