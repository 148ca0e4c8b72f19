"""All positions of a small Sokoban level and whether each can still be solved. It shares no code with the solver."""

from collections import deque

STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))

Cell = tuple[int, int]
Position = tuple[Cell, frozenset[Cell]]


def positions(drawing: str, most: int) -> dict[Position, bool] | None:
    """Return whether each position that can be reached is solvable. Return None if there are more than `most`."""
    walls: set[Cell] = set()
    targets: set[Cell] = set()
    boxes: set[Cell] = set()
    player = (0, 0)
    for row, line in enumerate(drawing.split("\n")):
        for col, letter in enumerate(line):
            for letters, cells in (("#", walls), (".*+", targets), ("$*", boxes)):
                if letter in letters:
                    cells.add((row, col))
            if letter in "@+":
                player = (row, col)
    start = (player, frozenset(boxes))
    before: dict[Position, list[Position]] = {start: []}
    queue = deque([start])
    while queue:
        position = queue.popleft()
        for after in _after(walls, position):
            if after not in before:
                before[after] = []
                queue.append(after)
                if len(before) > most:
                    return None
            before[after].append(position)
    solvable = {position for position in before if position[1] == targets}
    queue = deque(solvable)
    while queue:
        for position in before[queue.popleft()]:
            if position not in solvable:
                solvable.add(position)
                queue.append(position)
    return {position: position in solvable for position in before}


def _after(walls, position):
    (row, col), boxes = position
    for down, right in STEPS:
        to, beyond = (row + down, col + right), (row + 2 * down, col + 2 * right)
        if to in walls:
            continue
        if to not in boxes:
            yield to, boxes
        elif beyond not in walls and beyond not in boxes:
            yield to, boxes - {to} | {beyond}
