"""The function `solve`, which searches for a solution to a level within time and memory limits."""

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache, cached_property
from typing import Any, Literal

import numpy as np

from shoverworld.core.checks import number, whole, word
from shoverworld.core.errors import ConfigError
from shoverworld.core.plan import PlanOrigin, StoppedBy

from ..checking import checked_state
from ..config import RULES
from ..levels import Level
from ..lurd_replay import check
from ..record import level_of, recipe
from ..state import SokobanState
from .improve import Improver, follow
from .pairs import PairTable, find_pairs, no_pairs
from .parallel import ParallelSearch
from .plan import SokobanPlan
from .preprocess import framed, simplified
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
    SolverWorkspace,
    begin,
    bytes_per_node,
    explore,
    new_node_table,
    new_workspace,
    pushes_to,
    rehash,
)
from .tables import LETTERS, in_order, tables_of
from .techniques import PAIRS, PREPROCESSING, TUNNELS, bits_of
from .tunnels import find_tunnels

_FIRST_ROOM, _GROWTH = 1 << 13, 4  # initial capacity in positions, and its growth factor
# Positions expanded between two checks of the clock: the initial and the maximum number.
_AT_A_TIME, _MOST_AT_A_TIME = 16, 1 << 14
_PAIRS_AFTER = 40  # A* expands this many positions before it builds the table of pairs, which takes as long as about 20
_LOOK_EVERY = 0.02  # approximate time between two checks of the clock, in seconds
_TELL_EVERY = 0.1  # time between two calls to `progress`, in seconds
_EAGER = 5  # the weight of the bound if any solution is accepted
# The shares of the time that A* gets for the best solution. After that, any solution is accepted, and then improved.
_BEST_SHARE = 0.5  # for the fewest pushes
# For the fewest moves: first for the fewest pushes, then for the fewest moves, with and without a solution so far.
_PUSHES_SHARE, _MOVES_SHARE, _MOVES_BOUND_SHARE = 0.3, 0.5, 0.1
# For any solution: the share of A* at the beginning (with a maximum in seconds) and at the end of the time.
_QUICK_SHARE, _QUICK_MOST, _LAST_SHARE = 0.1, 1.0, 0.05

_TINY = "#####\n#@$.#\n# $.#\n#####"

Objective = Literal["pushes", "moves", "any"]


def solve(
    level: Level | SokobanState,
    objective: Objective = "pushes",
    time_limit: float = 10.0,
    memory_limit: float = 1024.0,
    progress: Callable[[SokobanPlan], object] | None = None,
    threads: int = 1,
    without: Iterable[str] = (),
) -> SokobanPlan:
    """Return the best solution found within `time_limit` seconds, not counting compilation.

    level: a Level, or the state of a game with one player (`env.get_state()`), from which the plan continues.
    objective: "pushes" for the fewest pushes, "moves" for the fewest steps, "any" for the first solution found.
    memory_limit: the memory available to the search, in megabytes.
    progress: a function that is called with the current plan about ten times a second. If it returns True, the search
    stops.
    threads: 1 or 2. With 2, the feature space search runs in two threads, and which solution it finds can vary.
    without: techniques to switch off, to measure what they contribute; see `solver.techniques.TECHNIQUES`.

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
    off = bits_of(without)
    plan = SokobanSolver(level, objective, memory, progress, whole("threads", threads, 1, 2), off).run(limit)
    return replace(plan, origin=PlanOrigin(*recipe(RULES["sokoban"]), f"{level}\n")) if is_start else plan


class SokobanSolver:
    """A single run of the solver, with the best solution so far and the lower bound on all solutions."""

    def __init__(
        self,
        level: Level,
        objective: Objective,
        memory: int,
        progress: Callable[[SokobanPlan], object] | None,
        threads: int = 1,
        off: int = 0,
    ):
        self.level, self.objective, self.memory, self.progress = level, objective, memory, progress
        self.threads = threads
        board = framed(level.walls, level.targets, level.boxes, level.players[0])
        self.unsolvable = not (off & PREPROCESSING or simplified(board))
        self.ground = tables_of(board.width, board.wall, board.target, off)
        self.tunnels = np.zeros(len(board.wall), np.uint8)
        self.goals, self.boxes, self.player = in_order(board.target), in_order(board.box), board.player
        self.lurd: str | None = None  # the best solution, as letters and as pushes
        self.pushes: list[int] = []
        self.lower = 0
        self.expanded, self.before = 0, 0  # expanded positions: in total, and in the completed searches
        self.proved = False
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
        plan = SokobanPlan.from_lurd(self.lurd, cost=self.cost, proved_optimal=self.proved, **known)
        plan.check(self.level)
        return plan

    def run(self, limit: float) -> SokobanPlan:
        compile_search()
        self.began = self.told = time.perf_counter()
        try:
            self._run(limit)
        except KeyboardInterrupt:
            self.stopped_by = "interrupt"
        return self.plan()

    def compile_kernels(self) -> None:
        check(self.level, "")
        n = len(self.boxes)
        workspace, way, store = self._workspace("any"), self._way("any"), new_node_table(n, 1)
        workspace = workspace._replace(pairs=self.pairs)
        begin(self.ground, store, workspace, way, self.boxes, self.player)
        explore(self.ground, store, workspace, way, 0)
        rehash(self.ground, store, 0)
        spent, queue = np.zeros(1, np.int64), workspace.queue
        follow(self.ground.width, workspace.board, self.player, spent[:0], spent, workspace.ending, queue)

    @cached_property
    def pairs(self) -> PairTable:
        return no_pairs(len(self.ground.wall)) if self.ground.off & PAIRS else find_pairs(self.ground, self.goals)

    def _workspace(self, objective: str) -> SolverWorkspace:
        """Return new scratch memory. A box that is pushed through a tunnel at once can cost the player additional moves."""
        use_tunnels = objective != "moves" and not self.ground.off & TUNNELS
        return new_workspace(self.ground, len(self.boxes), find_tunnels(self.ground) if use_tunnels else None)

    def _way(self, objective: str) -> SearchMode:
        by_moves, fixed = objective == "moves", self.level.fixed
        return SearchMode(by_moves, _EAGER if objective == "any" else 1, fixed, not by_moves and not fixed)

    def _run(self, limit: float) -> None:
        self.until, self.asked_to_stop = self.began + limit, False
        if self.unsolvable:
            self.stopped_by = "proof"
            return
        if not len(self.boxes):
            self._keep([])
            self.proved, self.stopped_by = self.objective != "any", "found" if self.objective == "any" else "proof"
            return
        if self.objective == "moves":
            # Minimizing pushes is easier, proves unsolvability sooner, and provides a fallback solution.
            if not self._search("pushes", self.began + limit * _PUSHES_SHARE) or self.unsolvable:
                return
            share = _MOVES_SHARE if self.lurd is not None else _MOVES_BOUND_SHARE
            if not self._search("moves", time.perf_counter() + limit * share):
                return
        elif self.objective == "pushes" and not self._search("pushes", self.began + limit * _BEST_SHARE):
            return
        if self.lurd is None and not self.unsolvable:
            self._find_any(limit)
        if self.lurd is not None and not self.proved and not self.asked_to_stop and self.objective != "any":
            self._improve()

    def _find_any(self, limit: float) -> None:
        """Find any solution: A* solves small levels at once, and the feature space search solves large ones."""
        if self.level.fixed or not 0 < len(self.boxes) <= MOST_BOXES:
            self._search("any", self.until)
            return
        before = time.perf_counter()
        compile_satisficing()
        spent = time.perf_counter() - before
        self.began, self.until = self.began + spent, self.until + spent
        if self.objective == "any":
            short = min(limit * _QUICK_SHARE, _QUICK_MOST)
            if not self._search("any", min(self.until, time.perf_counter() + short)) or self.lurd or self.unsolvable:
                return
        if time.perf_counter() < self.until and self._satisfice(self.until - limit * _LAST_SHARE) and self.lurd is None:
            self._search("any", self.until)

    def _satisfice(self, until: float) -> bool:
        """Run the feature space searches. Return False if `progress` stopped the search."""
        self.before = self.expanded
        kind = ParallelSearch if self.threads > 1 else SatisficingSearch
        search = kind(self.ground, self.boxes, self.player, self.goals, self.memory, self._tick, self.pairs)
        pushes = search.run(until)
        self.expanded = self.before + search.nodes
        if pushes is not None:
            self._keep(pushes)
            self.stopped_by = "found" if self.objective == "any" else self.stopped_by
        return not self.asked_to_stop

    def _improve(self) -> None:
        """Improve the solution, piece by piece, until the time is over or its cost equals the lower bound."""
        self.before = self.expanded
        by_moves, memory = self.objective == "moves", self.memory * 4 // 5
        improver = Improver(
            self.ground, self.boxes, self.player, by_moves, self.level.fixed, memory,
            lambda nodes: self.cost > self.lower and self._tick(nodes), self._keep,
        )  # fmt: skip
        self.stopped_by = "time"
        if improver.run(self.pushes, self.until):
            self.stopped_by = "memory"
        elif improver.proved or self.cost == self.lower:
            self.lower, self.proved, self.stopped_by = self.cost, True, "proof"
        elif self.asked_to_stop:
            self.stopped_by = "progress"

    @property
    def cost(self) -> int:
        return len(self.lurd or "") if self.objective == "moves" else len(self.pushes)

    def _keep(self, pushes: list[int]) -> None:
        """Keep a solution. Raise PlanError if it does not solve the level under the rules."""
        lurd = self.written(pushes)
        SokobanPlan.from_lurd(lurd).check(self.level)
        self.pushes, self.lurd = pushes, lurd

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
        workspace = self._workspace(objective)  # a new workspace, because stamps restart with every node table
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
            if self.expanded - self.before >= _PAIRS_AFTER and workspace.pairs is not self.pairs:
                workspace = workspace._replace(pairs=self.pairs)
            if self.progress is not None and now - self.told >= _TELL_EVERY:
                self.told = now
                if self.progress(self.plan()) is True:
                    self.stopped_by, self.asked_to_stop = "progress", True
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
        self._keep(pushes_to(store, node))
        if objective == "any":
            self.stopped_by = "found" if self.objective == "any" else self.stopped_by
            return
        self.lower = max(self.lower, cost)
        if objective == self.objective:
            self.proved, self.stopped_by = True, "proof"

    def written(self, pushes: list[int]) -> str:
        """Return the solution as letters, with a shortest walk before each push."""
        return written_pushes(self.ground.width, self.ground.wall, self.boxes.tolist(), self.player, pushes)


@cache
def compile_search() -> None:
    """Compile the kernels of A*, so that the time limit of a search does not include compilation."""
    SokobanSolver(Level.parse(_TINY), "pushes", 1 << 20, None).compile_kernels()


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
