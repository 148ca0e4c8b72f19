"""The function `solve`, which searches for a solution to a level within time and memory limits."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from shoverworld.core.checks import number, word
from shoverworld.core.errors import ConfigError
from shoverworld.core.plan import PlanOrigin, StoppedBy

from ..checking import checked_state
from ..config import RULES
from ..levels import Level
from ..lurd_replay import check
from ..record import level_of, recipe
from ..state import SokobanState
from .plan import SokobanPlan
from .satisficing import MOST_BOXES, SatisficingSearch, compile_satisficing
from .search import (
    COUNT,
    CURSOR,
    DROPPED,
    EXHAUSTED,
    EXPANDED,
    FOUND,
    FULL,
    GOING,
    SOLVED,
    NodeTable,
    SearchMode,
    begin,
    bytes_per_node,
    explore,
    new_node_table,
    new_workspace,
    rehash,
)
from .tables import LETTERS, build_tables, in_order

_FIRST_ROOM, _GROWTH = 1 << 13, 4  # initial capacity in positions, and its growth factor
# Positions expanded between two checks of the clock: the initial and the maximum number.
_AT_A_TIME, _MOST_AT_A_TIME = 16, 1 << 14
_LOOK_EVERY = 0.02  # approximate time between two checks of the clock, in seconds
_TELL_EVERY = 0.1  # time between two calls to `progress`, in seconds
_EAGER = 5  # the weight of the bound if any solution is accepted
_BEST_SHARE = 0.7  # the share of the time spent on finding the best solution; after that, any solution is accepted
# For any solution: the share of A* at the beginning (with a maximum in seconds) and at the end of the time.
_QUICK_SHARE, _QUICK_MOST, _LAST_SHARE = 0.1, 1.0, 0.1

Objective = Literal["pushes", "moves", "any"]


def solve(
    level: Level | SokobanState,
    objective: Objective = "pushes",
    time_limit: float = 10.0,
    memory_limit: float = 1024.0,
    progress: Callable[[SokobanPlan], object] | None = None,
) -> SokobanPlan:
    """Return the best solution found within `time_limit` seconds, not counting compilation.

    level: a Level, or the state of a game with one player (`env.get_state()`), from which the plan continues.
    objective: "pushes" for the fewest pushes, "moves" for the fewest steps, "any" for the first solution found.
    memory_limit: the memory available to the search, in megabytes.
    progress: a function that is called with the current plan about ten times a second. If it returns True, the search
    stops.

    The plan's `status` is "solved", "unsolvable" (proved) or "unknown". `proved_optimal` means that no better solution
    exists for this objective. For a hard level, optimality may remain unproved. If Ctrl-C stops the search, the best
    plan so far is returned. Every returned solution has been verified by replaying it under the rules.
    """
    word("objective", objective, ("pushes", "moves", "any"))
    limit = number("time_limit", time_limit, at_least=0)
    memory = int(number("memory_limit", memory_limit, at_least=8) * 2**20)
    is_start = isinstance(level, Level)
    if isinstance(level, SokobanState):
        checked_state(level)
        level = level_of(level)
    if not isinstance(level, Level):
        raise ConfigError(
            f"solve() takes a Level or a SokobanState, not {type(level).__name__}; use read_levels(path) to read levels"
        )
    if len(level.players) != 1:
        raise ConfigError(f"the level has {len(level.players)} players; solve() plans for only one player")
    plan = SokobanSolver(level, objective, memory, progress).run(limit)
    return replace(plan, origin=PlanOrigin(*recipe(RULES["sokoban"]), f"{level}\n")) if is_start else plan


class SokobanSolver:
    """A single run of the solver, with the best solution so far and the lower bound on all solutions."""

    def __init__(
        self, level: Level, objective: Objective, memory: int, progress: Callable[[SokobanPlan], object] | None
    ):
        self.level, self.objective, self.memory, self.progress = level, objective, memory, progress
        self.ground = build_tables(level.walls, level.targets)
        boxes = np.pad(level.boxes, 1)
        self.boxes = in_order(boxes.reshape(-1))
        row, col = level.players[0]
        self.player = (row + 1) * boxes.shape[1] + col + 1
        self.lurd: str | None = None
        self.lower = 0
        self.expanded, self.before = 0, 0  # expanded positions: in total, and in the completed searches
        self.proved = self.unsolvable = False
        self.stopped_by: StoppedBy = "time"
        self.began = self.told = time.perf_counter()

    def plan(self) -> SokobanPlan:
        known: Any = {
            "objective": self.objective,
            "expanded": self.expanded,
            "lower_bound": self.lower,
            "seconds": time.perf_counter() - self.began,
            "stopped_by": self.stopped_by,
        }
        if self.lurd is None:
            return SokobanPlan("unsolvable" if self.unsolvable else "unknown", **known)
        cost = len(self.lurd) if self.objective == "moves" else sum(map(str.isupper, self.lurd))
        plan = SokobanPlan.from_lurd(self.lurd, cost=cost, proved_optimal=self.proved, **known)
        plan.check(self.level)
        return plan

    def run(self, limit: float) -> SokobanPlan:
        self._compile()
        self.began = self.told = time.perf_counter()
        try:
            self._run(self.began + limit, limit)
        except KeyboardInterrupt:
            self.stopped_by = "interrupt"
        return self.plan()

    def _compile(self) -> None:
        """Compile all kernels before the clock starts."""
        check(self.level, "")
        workspace, way, store = (
            new_workspace(self.ground, len(self.boxes)),
            self._way("any"),
            new_node_table(len(self.boxes), 1),
        )
        begin(self.ground, store, workspace, way, self.boxes, self.player)
        explore(self.ground, store, workspace, way, 0)
        rehash(self.ground, store, 0)

    def _way(self, objective: str) -> SearchMode:
        by_moves, fixed = objective == "moves", self.level.fixed
        return SearchMode(by_moves, _EAGER if objective == "any" else 1, fixed, not by_moves and not fixed)

    def _run(self, until: float, limit: float) -> None:
        if self.objective == "moves":
            # Minimizing pushes is easier, proves unsolvability sooner, and provides a fallback solution.
            if not self._search("pushes", until - limit * _BEST_SHARE) or self.unsolvable:
                return
            if not self._search("moves", until if self.lurd else until - limit * (1 - _BEST_SHARE)):
                return
        elif self.objective == "pushes" and not self._search("pushes", until - limit * (1 - _BEST_SHARE)):
            return
        if not self.proved and not self.unsolvable and self.lurd is None:
            self._find_any(until, limit)

    def _find_any(self, until: float, limit: float) -> None:
        """Find any solution: A* solves small levels at once, and the feature space search solves large ones."""
        if self.level.fixed or not 0 < len(self.boxes) <= MOST_BOXES:
            self._search("any", until)
            return
        before = time.perf_counter()
        compile_satisficing()
        until += time.perf_counter() - before
        if self.objective == "any":
            short = min(limit * _QUICK_SHARE, _QUICK_MOST)
            if not self._search("any", min(until, time.perf_counter() + short)) or self.lurd or self.unsolvable:
                return
        if time.perf_counter() < until and self._satisfice(until - limit * _LAST_SHARE) and self.lurd is None:
            self._search("any", until)

    def _satisfice(self, until: float) -> bool:
        """Run the feature space searches. Return False if `progress` stopped the search."""
        goals = in_order(np.pad(self.level.targets, 1).reshape(-1))
        self.before, self.asked_to_stop = self.expanded, False
        search = SatisficingSearch(self.ground, self.boxes, self.player, goals, self.memory, self._tick)
        pushes = search.run(until)
        self.expanded = self.before + search.nodes
        if pushes is not None:
            self.lurd = self.written(pushes)
            self.stopped_by = "found" if self.objective == "any" else self.stopped_by
        return not self.asked_to_stop

    def _tick(self, nodes: int) -> bool:
        """Report progress. Return False if the search should stop."""
        self.expanded = self.before + nodes
        now = time.perf_counter()
        if self.progress is not None and now - self.told >= _TELL_EVERY:
            self.told = now
            if self.progress(self.plan()) is True:
                self.stopped_by, self.asked_to_stop = "progress", True
                return False
        return True

    def _search(self, objective: str, until: float) -> bool:
        """Run one search. Return False if `progress` stopped the search."""
        way, n = self._way(objective), len(self.boxes)
        # While the table grows, the old one and the new one exist at the same time.
        most = self.memory * _GROWTH // (_GROWTH + 1) // bytes_per_node(n)
        store = new_node_table(n, min(most, max(_FIRST_ROOM, 8 * n)))
        workspace = new_workspace(self.ground, n)  # a new workspace, because stamps restart with every node table
        self.before = self.expanded
        if not begin(self.ground, store, workspace, way, self.boxes, self.player):
            self.unsolvable, self.stopped_by = True, "proof"
            return True
        at_a_time, looked = _AT_A_TIME, time.perf_counter()
        while True:
            result = explore(self.ground, store, workspace, way, at_a_time)
            self.expanded = self.before + int(store.numbers[EXPANDED])
            if way.weight == 1 and result in (GOING, FULL) and (objective == self.objective or objective == "pushes"):
                self.lower = max(self.lower, int(store.numbers[CURSOR]))
            if result == SOLVED:
                self._found(objective, store)
                return True
            if result == EXHAUSTED:
                self.unsolvable = not store.numbers[DROPPED]
                self.stopped_by = "proof" if self.unsolvable else "memory"
                return True
            if result == FULL:
                room = min(most, _GROWTH * len(store.player))
                if room - int(store.numbers[COUNT]) < 4 * n + 1:
                    self.stopped_by = "memory"
                    return True
                store = self._larger(store, room)
            now = time.perf_counter()
            at_a_time, looked = _pace(at_a_time, now - looked), now
            if now >= until:
                self.stopped_by = "time"
                return True
            if self.progress is not None and now - self.told >= _TELL_EVERY:
                self.told = now
                if self.progress(self.plan()) is True:
                    self.stopped_by = "progress"
                    return False

    def _larger(self, store: NodeTable, room: int) -> NodeTable:
        """Return a larger node table with the same positions."""
        new = new_node_table(len(self.boxes), room)
        count = int(store.numbers[COUNT])
        for old_column, column in zip(store[:9], new[:9], strict=True):
            column[:count] = old_column[:count]
        new.heads[:] = store.heads
        new.numbers[:] = store.numbers
        rehash(self.ground, new, count)
        return new

    def _found(self, objective: str, store: NodeTable) -> None:
        node = int(store.numbers[FOUND])
        cost = int(store.cost[node])
        pushes: list[int] = []
        while store.parent[node] >= 0:
            pushes.append(int(store.push[node]))
            node = int(store.parent[node])
        self.lurd = self.written(pushes[::-1])
        if objective == "any":
            self.stopped_by = "found" if self.objective == "any" else self.stopped_by
            return
        self.lower = max(self.lower, cost)
        if objective == self.objective:
            self.proved, self.stopped_by = True, "proof"

    def written(self, pushes: list[int]) -> str:
        """Return the solution as letters, with a shortest walk before each push."""
        return written_pushes(self.ground.width, self.ground.wall, self.boxes.tolist(), self.player, pushes)


def _pace(at_a_time: int, seconds: float) -> int:
    """Return the number of positions to expand before the next check of the clock.

    With many boxes, expanding a single position can take milliseconds.
    """
    if seconds > 2 * _LOOK_EVERY:
        return max(1, int(at_a_time * _LOOK_EVERY / seconds))
    return min(_MOST_AT_A_TIME, 2 * at_a_time) if 2 * seconds < _LOOK_EVERY else at_a_time


def written_pushes(width: int, wall: np.ndarray, boxes: list[int], player: int, pushes: list[int]) -> str:
    """Return a solution as letters, with a shortest walk before each push.

    pushes: the cell of the box times four, plus the direction.
    """
    steps = (-width, width, -1, 1)
    taken = bytearray(wall.tobytes())
    for box in boxes:
        taken[box] = 1
    lurd: list[str] = []
    for push in pushes:
        box, direction = push >> 2, push & 3
        lurd.append(walk_letters(taken, steps, player, box - steps[direction]))
        lurd.append(LETTERS[direction].upper())
        taken[box], taken[box + steps[direction]] = 0, 1
        player = box
    return "".join(lurd)


def walk_letters(taken: bytearray, steps: tuple[int, ...], start: int, end: int) -> str:
    """Return the letters of a shortest walk from `start` to `end`."""
    came = {end: -1}  # search backwards from the end, so that the letters are found in order
    queue = [end]
    for here in queue:
        if here == start:
            break
        for direction, step in enumerate(steps):
            if not taken[here - step] and here - step not in came:
                came[here - step] = direction
                queue.append(here - step)
    letters = []
    while start != end:
        letters.append(LETTERS[came[start]])
        start += steps[came[start]]
    return "".join(letters)
