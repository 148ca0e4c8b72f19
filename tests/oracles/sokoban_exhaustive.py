"""An exhaustive Sokoban search over all positions of the player and the boxes. It shares no code with the solver."""

from collections import deque
from typing import NamedTuple

STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))


class SokobanAnswer(NamedTuple):
    """The answer for a level."""

    solvable: bool
    pushes: int  # the fewest; -1 if there is no solution
    moves: int  # the fewest; -1 if there is no solution


def exhaustive(drawing: str, fixed: bool = False) -> SokobanAnswer:
    """Return the answer for a level drawn in XSB characters.

    fixed: the first box (row by row) belongs on the first target, the second on the second, and so on.
    """
    walls, targets, boxes, player = set(), [], [], (0, 0)
    for row, line in enumerate(drawing.split("\n")):
        for col, letter in enumerate(line):
            if letter == "#":
                walls.add((row, col))
            if letter in ".*+":
                targets.append((row, col))
            if letter in "$*":
                boxes.append((row, col))
            if letter in "@+":
                player = (row, col)
    start = (player, tuple(boxes) if fixed else frozenset(boxes))
    goal = tuple(targets) if fixed else frozenset(targets)
    return SokobanAnswer(*_search(walls, start, goal, fixed))


def _after(walls, state, fixed):
    """Yield each position after one step, and 1 if the step is a push, else 0."""
    (row, col), boxes = state
    for down, right in STEPS:
        to, beyond = (row + down, col + right), (row + 2 * down, col + 2 * right)
        if to in walls:
            continue
        if to not in boxes:
            yield (to, boxes), 0
        elif beyond not in walls and beyond not in boxes:
            if fixed:
                yield (to, tuple(beyond if box == to else box for box in boxes)), 1
            else:
                yield (to, boxes - {to} | {beyond}), 1


def _search(walls, start, goal, fixed):
    """Return whether there is a solution, the fewest pushes (other steps are free), and the fewest steps."""
    fewest = {}
    for count_steps in (False, True):
        cost, queue = {start: 0}, deque([(0, start)])
        while queue:
            spent, state = queue.popleft()
            if spent > cost[state]:
                continue
            if state[1] == goal:
                fewest[count_steps] = spent
                break
            for after, push in _after(walls, state, fixed):
                its_cost = spent + (1 if count_steps else push)
                if its_cost < cost.get(after, 1 << 30):
                    cost[after] = its_cost
                    # A step without cost goes to the front, so the queue stays sorted.
                    (queue.append if its_cost > spent else queue.appendleft)((its_cost, after))
    return bool(fewest), fewest.get(False, -1), fewest.get(True, -1)
