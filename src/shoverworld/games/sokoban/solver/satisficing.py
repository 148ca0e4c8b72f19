"""The search for any solution: a portfolio of feature space searches, which share the time in several rounds.

plan    search forward, with a packing plan (packing.py)
loose   search backward to a position in which all boxes are far from the targets and do not block each other, then
        forward to this position
start   search backward to the start position

Each search also ends if it meets the last search of the other direction.
"""

import time
from collections.abc import Callable
from functools import cache
from typing import Literal, NamedTuple

import numpy as np

from .features import FeatureTables
from .fess import (
    FOUND,
    GOING,
    MEETING,
    MET,
    NODES,
    SOLVED,
    FessMode,
    FessTable,
    FessWorkspace,
    add_root,
    new_fess_table,
    new_fess_workspace,
    search_features,
)
from .freeze import BOX
from .layout import build_layout, number_groups
from .macro import list_box_moves, pushes_of_move
from .packing import goal_features, plan_features, steps_of_plan
from .pairs import PairTable, no_pairs
from .tables import LevelTables, build_tables, bytes_of
from .techniques import PLAN, PORTFOLIO, ROUNDS, STUCK

MOST_BOXES = 250  # the features of a position are stored in bytes
_LOOK_EVERY = 0.02  # approximate time between two checks of the clock, in seconds
_PREPARATION = 1 / 3  # the share of a strategy's time for its packing plan or its loose position
_ROUNDS = (0.03, 0.12, 1.0)  # the share of the remaining time for each round through all strategies
_TINY = np.array([[1, 1, 1, 1, 1], [1, 0, 0, 0, 1], [1, 1, 1, 1, 1]])


class Strategy(NamedTuple):
    """A search and its settings; see FessMode."""

    kind: Literal["plan", "loose", "start"]
    blockers: bool = False
    detours: bool = True
    newest: bool = False
    seed: int = 0
    advised: int = 0
    unadvised: int = 1
    reset: bool = False
    off: int = 0  # techniques that this strategy does not use: a different order of the search can be faster

    def mode(self, pull: bool = False, remove: bool = False) -> FessMode:
        detours = remove or (self.detours and not pull)
        planned, checked = self.kind == "plan" and not pull, not pull
        return FessMode(
            pull, remove, planned, planned and self.blockers, detours, self.newest, self.seed, self.advised, self.unadvised, self.reset, checked, checked
        )  # fmt: skip


STRATEGIES = (
    Strategy("plan"),
    Strategy("plan", blockers=True),
    Strategy("plan", advised=1, unadvised=3, reset=True),
    Strategy("loose", advised=1, unadvised=3, reset=True),
    Strategy("plan", detours=False, newest=True, seed=11, advised=1, unadvised=3, reset=True),
    Strategy("start", detours=False),
    Strategy("plan", newest=True, seed=11),
    Strategy("plan", newest=True, seed=11, off=STUCK),
    Strategy("plan", newest=True, seed=11, advised=1, unadvised=6, reset=True),
)


class SatisficingSearch:
    """One run. `tick` is called about 50 times a second with the number of nodes; if it returns False, the run stops."""

    def __init__(
        self, tables: LevelTables, boxes: np.ndarray, player: int, goals: np.ndarray, memory: int,
        tick: Callable[[int], bool], pairs: PairTable | None = None,
    ):  # fmt: skip
        self.level_tables = self.tables = tables
        self.boxes, self.player, self.goals, self.tick = np.sort(boxes), player, np.sort(goals), tick
        self.memory, self.n, self.pairs = memory, len(boxes), pairs or no_pairs(len(tables.wall))
        self.layout, self.reach = build_layout(tables, boxes, player, goals)
        self.memory -= bytes_of((self.layout, self.reach))
        self.nodes, self.stopped = 0, False
        self.nothing = new_fess_table(self.n, 0)
        self.forward, self.backward = self.nothing, self.nothing  # the last search in each direction

    def run(self, until: float, strategies: tuple[Strategy, ...] = STRATEGIES) -> list[int] | None:
        """Return the pushes of a solution (box cell times four, plus direction), or None."""
        if self.tables.target[self.boxes].all():
            return []
        off = self.tables.off
        strategies = strategies[:1] if off & PORTFOLIO else strategies
        for share in (1.0,) if off & ROUNDS else _ROUNDS:
            now = time.perf_counter()
            end = now + (until - now) * share
            for number, strategy in enumerate(strategies):
                now = time.perf_counter()
                if now >= until or self.stopped:
                    break
                pushes = self._try(strategy, now + (end - now) / (len(strategies) - number))
                if pushes is not None:
                    return pushes
        return None

    def _try(self, strategy: Strategy, until: float) -> list[int] | None:
        self.tables = self.level_tables._replace(off=self.level_tables.off | strategy.off)
        now = time.perf_counter()
        middle = now + (until - now) * _PREPARATION
        if strategy.kind == "start":
            found = self._search_backward(self._goals_at(self.boxes), strategy, until)
        elif strategy.kind == "plan" and self.tables.off & PLAN:
            found = self._search_forward(self._goals_at(self.goals, self.tables.dead), strategy, until)
        elif strategy.kind == "plan":
            found = self._search_forward(self._plan(strategy, middle), strategy, until)
        else:
            found = self._search_backward(self._goals_at(np.flatnonzero(self.layout.sink.of_cell)), strategy, middle)
            if found is None and not self.stopped:
                loose = int(np.argmax(self.backward.rank[: self.backward.numbers[NODES]]))
                boxes = self.backward.boxes[loose].astype(np.int64)
                found = self._search_forward(self._goals_at(boxes, self.tables.dead), strategy, until)
        return found

    def _goals_at(self, goals: np.ndarray, dead: np.ndarray | None = None) -> FeatureTables:
        dead = self.layout.dead_for_pulls if dead is None else dead
        return goal_features(self.layout, self.tables, goals, dead)

    def _plan(self, strategy: Strategy, until: float) -> FeatureTables:
        """Search for a packing plan."""
        features = self._goals_at(self.boxes[self.layout.sink.of_cell[self.boxes] == 0])
        mode = strategy.mode(pull=True, remove=True)
        table, w = self._new_search(features, self.memory // 5)
        self._add_solved_roots(features, table, w, mode)
        result = self._search(features, table, self.nothing, w, mode, until)
        if self.backward.numbers[NODES] == 0:
            self.backward = table  # its positions with all boxes are a small perimeter
        steps = steps_of_plan(features, table, result == SOLVED)
        return plan_features(self.layout, self.tables, self.reach, steps)

    def _new_search(self, features: FeatureTables, memory: int) -> tuple[FessTable, FessWorkspace]:
        w = new_fess_workspace(self.tables, features, self.goals, self.pairs, self.n)
        return new_fess_table(self.n, memory - bytes_of(w)), w

    def _add_solved_roots(self, features: FeatureTables, table: FessTable, w: FessWorkspace, mode: FessMode) -> None:
        """Add the positions with all boxes on targets: one for each area that the player can be in."""
        free = np.zeros(len(self.tables.wall), bool)
        free[self.layout.floor] = True
        free[self.goals] = False
        groups, count = number_groups(free, self.tables.width)
        for group in range(1, count + 1):
            add_root(self.tables, features, table, w, mode, self.goals, int(np.argmax(groups == group)))

    def _search_forward(self, features: FeatureTables, strategy: Strategy, until: float) -> list[int] | None:
        mode = strategy.mode()
        mode = mode._replace(planned=mode.planned and not self.tables.off & PLAN)
        self.forward = self.nothing  # frees the memory of the last search before the next one takes its own
        self.forward, w = self._new_search(features, 2 * self.memory // 5)
        add_root(self.tables, features, self.forward, w, mode, self.boxes, self.player)
        result = self._search(features, self.forward, self.backward, w, mode, until)
        found, met = int(self.forward.numbers[FOUND]), int(self.forward.numbers[MEETING])
        if result == SOLVED:
            return self._pushes(self.forward, w, found, False)
        return self._joined(w, found, met) if result == MET else None

    def _search_backward(self, features: FeatureTables, strategy: Strategy, until: float) -> list[int] | None:
        mode = strategy.mode(pull=True)
        self.backward = self.nothing
        self.backward, w = self._new_search(features, 2 * self.memory // 5)
        self._add_solved_roots(features, self.backward, w, mode)
        if self.forward.numbers[NODES] == 0:
            self.forward, root_w = self._new_search(features, 1 << 20)
            add_root(self.tables, features, self.forward, root_w, mode._replace(pull=False), self.boxes, self.player)
        result = self._search(features, self.backward, self.forward, w, mode, until)
        met, found = int(self.backward.numbers[MEETING]), int(self.backward.numbers[FOUND])
        return self._joined(w, met, found) if result == MET else None

    def _search(
        self, features: FeatureTables, table: FessTable, other: FessTable, w: FessWorkspace, mode: FessMode, until: float
    ) -> int:  # fmt: skip
        most, looked, before = 16, time.perf_counter(), self.nodes
        while True:
            result = search_features(self.tables, features, table, other, w, mode, most)
            self.nodes = before + int(table.numbers[NODES])
            if result != GOING:
                return result
            now = time.perf_counter()
            if now - looked > 2 * _LOOK_EVERY:
                most = max(1, most // 2)
            elif now - looked < _LOOK_EVERY / 2:
                most *= 2
            looked = now
            if not self.tick(self.nodes):
                self.stopped = True
                return GOING
            if now >= until:
                return GOING

    def _joined(self, w: FessWorkspace, forward: int, backward: int) -> list[int]:
        return self._pushes(self.forward, w, forward, False) + self._pushes(self.backward, w, backward, True)

    def _pushes(self, table: FessTable, w: FessWorkspace, node: int, pull: bool) -> list[int]:
        """Return the pushes from the root to a node or, after pulls, from the node to the root."""
        moves: list[list[int]] = []
        dead = self.layout.dead_for_pulls if pull else self.tables.dead
        while table.parent[node] >= 0:
            parent = int(table.parent[node])
            source, to, player = int(table.source[node]), int(table.to[node]), int(table.player[node])
            w.board[:] = self.tables.wall
            w.board[table.boxes[parent]] = BOX
            list_box_moves(self.tables, dead, w.board, source, int(table.player[parent]), pull, w.macro)
            moves.append(pushes_of_move(w.macro, to, player, self.tables.width, pull))
            node = parent
        w.board[:] = self.tables.wall
        return [push for move in (moves if pull else moves[::-1]) for push in move]


@cache
def compile_satisficing() -> None:
    """Compile all kernels, so that the time limit of a search does not include compilation."""
    targets = np.zeros_like(_TINY)
    targets[1, 3] = 1
    tables = build_tables(_TINY, targets)
    box = np.array([2 * tables.width + 3])
    search = SatisficingSearch(tables, box, int(box[0]) - 1, box + 1, 1 << 20, lambda nodes: True)
    assert search.run(time.perf_counter() + 60)
