"""What is wrong with a drawing: what cannot be played, and what can but will hardly be solved."""

import numpy as np

from shoverworld.core.errors import LevelError
from shoverworld.core.ui import Cell, Problem

from ..config import SokobanRules
from ..levels import Level
from ..solver.tables import FAR, build_tables
from .cells import count, place_name

MOST_NAMED = 8  # boxes that get a line of their own


def faults(
    walls: np.ndarray, targets: np.ndarray, boxes: np.ndarray, players: list[Cell], rules: SokobanRules
) -> list[Problem]:
    found = _missing(targets, boxes, players, rules)
    if found:
        return found
    try:
        level = Level(walls, targets, boxes, tuple(players), source="the drawing")
    except LevelError as error:
        return [Problem(error.what, error.cell)]
    if np.array_equal(boxes, targets) or not ((boxes != 0) & (targets != boxes)).any():
        return [Problem("every box is on its target already: the game is won with the first step", serious=False)]
    return _lost(level, rules) + _behind_walls(level)


def _missing(targets: np.ndarray, boxes: np.ndarray, players: list[Cell], rules: SokobanRules) -> list[Problem]:
    """What has to be painted before anything else can be said."""
    found = []
    if not players:
        found.append(Problem("there is no player: paint one where the game begins"))
    elif len(players) < rules.players:
        found.append(Problem("the rules 'two' are for two players: paint the second"))
    elif len(players) > rules.players:
        found.append(Problem("there are two players: take one away, or choose the rules 'two'", players[-1]))
    number, goals = int(np.count_nonzero(boxes)), int(np.count_nonzero(targets))
    if not number and not goals:
        found.append(Problem("paint a box and a target"))
    elif number != goals:
        missing = f"{count(abs(number - goals), 'target' if number > goals else 'box')} missing"
        found.append(Problem(f"there are {number} boxes and {goals} targets: {missing}"))
    return found


def _lost(level: Level, rules: SokobanRules) -> list[Problem]:
    """Boxes that no pushes can bring to a target, even if they were alone."""
    if rules.pull:
        return []
    ground = build_tables(level.walls, level.targets)
    table = ground.distance.reshape(level.rows + 2, level.cols + 2, -1)[1:-1, 1:-1]
    stuck = []
    for row, col in np.argwhere(level.boxes != 0).tolist():
        numbers = table[row, col]
        nearest = numbers[int(level.boxes[row, col]) - 1] if level.fixed else numbers.min()
        if nearest >= FAR:
            stuck.append((row, col))
    found = [
        Problem(
            f"no pushes can bring the box at {place_name(cell)} to {'its' if level.fixed else 'a'} target", cell, False
        )
        for cell in stuck[:MOST_NAMED]
    ]
    if len(stuck) > MOST_NAMED:
        found.append(Problem(f"nor {len(stuck) - MOST_NAMED} more boxes", serious=False))
    return found


def _behind_walls(level: Level) -> list[Problem]:
    """Boxes where no player can ever get."""
    width = level.cols
    todo = [row * width + col for row, col in level.players]
    seen = set(todo)
    walls = level.walls.reshape(-1)
    for cell in todo:
        for there in (cell - width, cell + width, cell - 1, cell + 1):
            if not walls[there] and there not in seen:
                seen.add(there)
                todo.append(there)
    away = [
        (row, col)
        for row, col in np.argwhere((level.boxes != 0) & (level.boxes != level.targets)).tolist()
        if row * width + col not in seen
    ]
    return [
        Problem(f"walls keep the player from the box at {place_name(cell)}", cell, False) for cell in away[:MOST_NAMED]
    ]
