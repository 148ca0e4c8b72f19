"""The packing plan: in which order the targets are filled.

A backward search starts with a box on every target and pulls the boxes away, one after the other, until each has
reached the sink, where boxes are taken off the board. The plan is this sequence in reverse. Boxes that are only pulled
aside, because another box needs the space, become temporary parking places.
"""

import numpy as np

from shoverworld.core.jit import kernel

from .features import FeatureTables
from .fess import FOUND, NODES, FessTable
from .frozen_reach import MOST_TARGETS, FrozenReach
from .layout import Layout
from .tables import FAR, LevelTables, connect_sides, pull_away


def goal_features(layout: Layout, tables: LevelTables, goals: np.ndarray, dead: np.ndarray) -> FeatureTables:
    """Return the tables for a search without a plan, which counts the boxes on the goals."""
    cells = len(tables.wall)
    goal, nothing = np.zeros(cells, bool), np.zeros((1, cells), bool)
    goal[goals] = True
    no_steps = np.zeros(cells, np.uint64)
    no_sides = np.zeros((1, 1, 4), np.int8)
    return FeatureTables(
        layout.floor, layout.link, nothing, nothing[0], no_steps, no_sides, no_steps, layout.sink.of_cell, layout.sink.starts, goal, dead,
        layout.hot,
    )  # fmt: skip


def plan_features(layout: Layout, tables: LevelTables, reach: FrozenReach, steps: list[np.ndarray]) -> FeatureTables:
    """Return the tables for the forward search with a plan: the sets of cells that contain boxes after each step."""
    cells = len(tables.wall)
    member = np.zeros((len(steps), cells), bool)
    for i, step in enumerate(steps):
        member[i, step] = True
    serves, later = np.zeros(cells, np.uint64), np.zeros(len(steps), np.uint64)
    side = np.full((len(steps), cells, 4), -1, np.int8)
    find_servers(tables, layout.floor, reach, member, serves, side, later)
    return FeatureTables(
        layout.floor, layout.link, member, np.logical_or.reduce(member), serves, side, later, layout.sink.of_cell, layout.sink.starts, tables.target,
        tables.dead, layout.hot,
    )  # fmt: skip


@kernel
def find_servers(tables, floor, reach, member, serves, side, later):
    """For each step that needs another box, mark the cells from which a box reaches it if the steps before are done."""
    steps = 0
    for i in range(1, len(member)):
        for cell in range(len(serves)):
            reach.wall[cell] = tables.wall[cell] or member[i - 1, cell]
        reach.seen[:] = 0
        connect_sides(tables.width, reach.wall, side[i - 1], reach.queue, reach.seen)
        goal, boxes = 0, 0
        for at in range(len(floor)):
            boxes += np.int64(member[i, floor[at]]) - np.int64(member[i - 1, floor[at]])
            if member[i, floor[at]] and not member[i - 1, floor[at]]:
                goal = at
        if boxes != 1 or steps == MOST_TARGETS:  # with more steps, the rest is not checked
            continue
        bit = np.uint64(1) << np.uint64(steps)
        steps += 1
        for cell in range(len(serves)):
            reach.distance[cell] = FAR
        pull_away(
            tables.width, reach.wall, side[i - 1], floor[goal : goal + 1], reach.distance, reach.best, reach.queue
        )
        for cell in range(len(serves)):
            if reach.distance[cell] < FAR:
                serves[cell] |= bit
        for before in range(i):
            later[before] |= bit


def steps_of_plan(features: FeatureTables, table: FessTable, done: bool) -> list[np.ndarray]:
    """Return the plan that a packing search has found, or the plan to the best position of an unfinished search."""
    nodes = int(table.numbers[NODES])
    node = int(table.numbers[FOUND]) if done else int(np.argmax(table.rank[:nodes]))
    steps = [np.zeros(0, np.int64)]
    while node >= 0:
        boxes = table.boxes[node].astype(np.int64)
        boxes = boxes[boxes >= features.floor[0]]
        if len(boxes):
            steps.append(boxes)
        node = int(table.parent[node])
    return steps
