"""The packing plan: in which order the targets are filled.

A backward search starts with a box on every target and pulls the boxes away, one after the other, until each has
reached the sink, where boxes are taken off the board. The plan is this sequence in reverse. Boxes that are only pulled
aside, because another box needs the space, become temporary parking places.
"""

import numpy as np

from .features import FeatureTables
from .fess import FOUND, NODES, FessTable
from .frozen_reach import FrozenReach
from .layout import Layout, reach_of_steps
from .tables import LevelTables


def goal_features(layout: Layout, tables: LevelTables, goals: np.ndarray, dead: np.ndarray) -> FeatureTables:
    """Return the tables for a search without a plan, which counts the boxes on the goals."""
    cells = len(tables.wall)
    goal, nothing = np.zeros(cells, bool), np.zeros((1, cells), bool)
    goal[goals] = True
    return FeatureTables(layout.floor, layout.link, nothing, nothing, layout.sink, goal, dead, layout.hot)


def plan_features(layout: Layout, tables: LevelTables, reach: FrozenReach, steps: list[np.ndarray]) -> FeatureTables:
    """Return the tables for the forward search with a plan: the sets of cells that contain boxes after each step."""
    cells = len(tables.wall)
    member = np.zeros((len(steps), cells), bool)
    for i, step in enumerate(steps):
        member[i, step] = True
    rows = np.zeros((len(steps), cells), np.uint64)
    if len(layout.goals) <= 64:
        reach_of_steps(tables, reach, member, rows)
        alive = (rows != 0) | member
    else:
        alive = np.ones((len(steps), cells), bool)
    return FeatureTables(layout.floor, layout.link, member, alive, layout.sink, tables.target, tables.dead, layout.hot)


def steps_of_plan(table: FessTable, done: bool) -> list[np.ndarray]:
    """Return the plan that a packing search has found, or the plan to the best position of an unfinished search."""
    nodes = int(table.numbers[NODES])
    node = int(table.numbers[FOUND]) if done else int(np.argmax(table.rank[:nodes]))
    steps = [np.zeros(0, np.int64)]
    while node >= 0:
        boxes = table.boxes[node].astype(np.int64)
        boxes = boxes[boxes > 0]
        if len(boxes):
            steps.append(boxes)
        node = int(table.parent[node])
    return steps
