# pyright: basic
"""Short plans for training levels: searches of fixed width, which are compiled as a whole and never look at a clock.

Their work depends only on the level, so equal levels have equal plans everywhere.
"""

from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.jit import as_records, rare

from ..planner.beam import LIMITS, PROGRESS, Beam, Layer, Paths, begin_search, follow, new_children, new_layer
from ..planner.distances import DistanceCache, new_distance_cache
from ..planner.expansion import STEPS, SearchSettings, Workspace, new_workspace, run
from ..planner.heuristic import FOR_STEPS
from ..planner.keys import ENTRY
from .features import most_moves
from .guided import SHARE, Guide, new_guide, run_guided

NARROW, WIDE = 16, 64  # of the searches without the policy; the narrow ones use all sets of weights
BEST_WEIGHTS = (
    3  # sets of weights that the wide searches use: those with which the narrow ones found the shortest plans
)
GUIDED_WIDTH = 64  # of the search with the policy
_ENTRIES = 1 << 17
_MOST_NODES = 1 << 21  # a search ends when it has this many nodes
_NO_LIMIT = 1 << 62
_NO_PLAN = 1 << 62  # steps


class PlanSearch(NamedTuple):
    """The memory of the searches for levels of one size."""

    beam: Beam
    cache: DistanceCache
    table: np.ndarray  # ENTRY: the transposition table
    scratch: Layer
    workspace: Workspace
    weights: Any  # records: the sets of weights of the planner's heuristic
    steps: np.ndarray  # int64 (sets of weights,): the steps of the plans that the narrow searches found
    guide: Guide
    moves: np.ndarray  # int64: the moves of the shortest plan


class SharedMemory(NamedTuple):
    """What the searches for levels of all sizes share. The number of a search is unique, as the table requires."""

    table: np.ndarray
    progress: np.ndarray


def new_shared_memory() -> SharedMemory:
    return SharedMemory(np.zeros(_ENTRIES, ENTRY), np.zeros(1, PROGRESS))


def new_plan_search(rows: int, cols: int, boxes: int, most_steps: int, shared: SharedMemory) -> PlanSearch:
    cells, width = (rows + 2) * (cols + 2), cols + 2
    widest = max(NARROW, WIDE, GUIDED_WIDTH)
    children, nodes = (widest + 1) * most_moves(boxes), min(widest * most_steps, _MOST_NODES)
    beam = Beam(
        new_layer(widest, rows, cols, boxes),
        new_layer(widest, rows, cols, boxes),
        new_children(children, costs=True),
        Paths(np.empty(nodes, np.int32), np.empty(nodes, np.int32)),
        np.empty(children),
        np.empty(widest),
        shared.progress,
        np.zeros(1, LIMITS),
    )
    return PlanSearch(
        beam,
        new_distance_cache(cells),
        shared.table,
        new_layer(1, rows, cols, boxes),
        new_workspace(cells, width, boxes),
        as_records(FOR_STEPS),
        np.zeros(len(FOR_STEPS), np.int64),
        new_guide(np.zeros(1, np.float32), rows, cols, boxes, SHARE),
        np.zeros(min(most_steps, nodes) + 1, np.int64),
    )


@rare
def search_plain(search, starts, i, rules, k, width, most_steps):
    """Search for a plan of at most this many steps with the k-th set of weights. Return its steps, or _NO_PLAN."""
    begin_search(search.beam, starts, i, most_steps, -np.inf)
    run(
        search.beam, SearchSettings(STEPS, False, width), rules, search.weights[k], search.cache, search.table,
        search.scratch, search.workspace, _NO_LIMIT, _NO_LIMIT,
    )  # fmt: skip
    return search.beam.progress[0].steps if search.beam.progress[0].found >= 0 else _NO_PLAN


@rare
def search_guided(search, starts, i, rules, most_steps):
    """Search for a plan of at most this many steps with the policy."""
    begin_search(search.beam, starts, i, most_steps, -np.inf)
    run_guided(
        search.beam, SearchSettings(STEPS, False, GUIDED_WIDTH), rules, search.cache, search.table, search.scratch,
        search.guide, _NO_LIMIT, _NO_LIMIT,
    )  # fmt: skip


@rare
def find_plan(search, starts, i, rules, guided):
    """Write the shortest plan that the searches find for level i to `search.moves`. Return its length, or -1.

    guided: whether to search with the policy as well. Of two plans with as many steps, the policy's is used.
    """
    best, count, most_steps = _NO_PLAN, -1, np.int64(rules.max_timestep)
    for k in range(len(search.weights)):
        search.steps[k] = search_plain(search, starts, i, rules, k, NARROW, most_steps)
        if search.steps[k] < best:
            best, count = search.steps[k], follow(search.beam, search.moves)
    for _ in range(min(BEST_WEIGHTS, len(search.weights))):
        k = np.argmin(search.steps)
        search.steps[k] = _NO_PLAN + 1  # used
        steps = search_plain(search, starts, i, rules, k, WIDE, min(most_steps, best - 1))
        if steps < best:
            best, count = steps, follow(search.beam, search.moves)
    if guided:
        search_guided(search, starts, i, rules, min(most_steps, best))
        if search.beam.progress[0].found >= 0:
            count = follow(search.beam, search.moves)
    return count
