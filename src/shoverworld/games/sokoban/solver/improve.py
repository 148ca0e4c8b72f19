"""Improvement of a solution, piece by piece, while time lasts.

A window is a piece of the solution in which only a few boxes move. A* searches for the cheapest way from the first
position of the window to the last; the boxes that do not move in the window are walls. A cheaper way replaces the
piece. The windows slide along the solution and grow: from one moving box to all of them. If no window can be improved,
larger windows are searched, and the searches may store more positions than before.

Before each pass, pushes of the same box are brought together if the solution remains legal. A detour that the box makes
in several steps is then inside a single window.
"""

import time
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from shoverworld.core.jit import kernel, rare

from .freeze import BOX, EMPTY, WALL
from .search import (
    EXHAUSTED,
    EXPANDED,
    FOUND,
    FULL,
    GOING,
    LIMIT,
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
)
from .tables import FAR, LevelTables, connect_sides, measure_distances, step

# The first passes: how many boxes may move in a window, and how many positions its search may store. After a pass
# without an improvement, one more box may move, and if searches were cut short, the number of positions grows.
_FIRST_MOST, _FIRST_BUDGET, _GROWTH = 3, 1000, 4
_AT_A_TIME = 200  # positions expanded between two checks of the clock
_COMPLETE = 1 << 60  # stands for a window that has been searched completely


@rare
def walk_from(width, board, start, steps, queue):
    """Write the player's distance to every cell into `steps`; FAR if the player cannot get there."""
    for cell in range(len(board)):
        steps[cell] = FAR
    queue[0], steps[start] = start, 0
    head, tail = 0, 1
    while head < tail:
        here = queue[head]
        head += 1
        for direction in range(4):
            near = here + step(width, direction)
            if board[near] == EMPTY and steps[near] == FAR:
                steps[near] = steps[here] + 1
                queue[tail] = near
                tail += 1


@kernel
def follow(width, board, player, pushes, spent, steps, queue):
    """Make the pushes on the board. spent[k] becomes the number of moves before push k. Return False if one is illegal.

    In the end, `steps` contains the player's distance to every cell.
    """
    spent[0] = 0
    for k in range(len(pushes)):
        cell, ahead = pushes[k] >> 2, step(width, pushes[k] & 3)
        if board[cell] != BOX or board[cell + ahead] != EMPTY or board[cell - ahead] != EMPTY:
            return False
        walk_from(width, board, player, steps, queue)
        if steps[cell - ahead] == FAR:
            return False
        spent[k + 1] = spent[k] + steps[cell - ahead] + 1
        board[cell], board[cell + ahead], player = EMPTY, BOX, cell
    walk_from(width, board, player, steps, queue)
    return True


class _Line:
    """A solution with all its positions. Position k is the one before push k."""

    def __init__(self, width: int, boxes: np.ndarray, player: int, pushes: list[int], spent: np.ndarray):
        self.pushes, self.spent = pushes, spent
        steps = (-width, width, -1, 1)
        self.boxes = np.empty((len(pushes) + 1, len(boxes)), np.int64)  # the cell of each box
        self.moved: list[int] = []  # the box that each push moves
        self.player = [player, *(push >> 2 for push in pushes)]
        self.boxes[0] = boxes
        number = {int(cell): box for box, cell in enumerate(boxes)}
        for k, push in enumerate(pushes):
            box = number.pop(push >> 2)
            self.moved.append(box)
            self.boxes[k + 1] = self.boxes[k]
            self.boxes[k + 1, box] += steps[push & 3]
            number[int(self.boxes[k + 1, box])] = box
        changes = (k for k in range(1, len(pushes)) if self.moved[k] != self.moved[k - 1])
        self.runs = list(pairwise([0, *changes, len(pushes)])) if pushes else []  # each run moves a single box

    def windows(self, most: int) -> list[tuple[int, int]]:
        """Return the longest pieces in which at most `most` boxes move."""
        windows: list[tuple[int, int]] = []
        for first, (first_push, _) in enumerate(self.runs):
            boxes: set[int] = set()
            end = first_push
            for run_begin, run_end in self.runs[first:]:
                boxes.add(self.moved[run_begin])
                if len(boxes) > most:
                    break
                end = run_end
            if not windows or end > windows[-1][1]:
                windows.append((first_push, end))
        return windows

    def cost(self, begin: int, end: int, by_moves: bool) -> int:
        return int(self.spent[end] - self.spent[begin]) if by_moves else end - begin


class Improver:
    """One run.

    tick: called after every few thousand positions with the number of positions so far; if it returns False, the run
    stops. found: called with every better solution (box cell times four, plus direction, for each push).
    """

    def __init__(
        self, tables: LevelTables, boxes: np.ndarray, player: int, by_moves: bool, fixed: bool, memory: int,
        tick: Callable[[int], bool], found: Callable[[list[int]], object],
    ):  # fmt: skip
        self.tables, self.boxes, self.player, self.memory = tables, boxes, player, memory
        self.mode = SearchMode(by_moves, 1, fixed, False)
        self.tick, self.found = tick, found
        self.nodes, self.until, self.stopped, self.short_of_memory = 0, 0.0, False, False
        self.free = False  # whether all boxes may move in all windows, because otherwise nothing is left to try
        self.proved = False  # whether a search of the whole solution with all boxes has found nothing cheaper
        self.steps, self.queue = np.zeros(len(tables.wall), np.int32), np.zeros(len(tables.wall), np.int64)
        self.tried: dict[tuple[bytes, ...], int] = {}  # for each window, the positions that its search could store

    def run(self, pushes: list[int], until: float) -> bool:
        """Improve a solution until it is proved to be the best, the time is over, or `tick` returns False.

        Return True if the searches would need more memory.
        """
        self.until, self.proved = until, not pushes
        line = self._line(pushes)
        assert line is not None
        most, budget = _FIRST_MOST, _FIRST_BUDGET
        while not self.proved and not self._is_over():
            line, improved, complete = self._pass(self._gathered(line), most, budget)
            if improved or self.proved:
                continue
            if self.short_of_memory and most >= len(set(line.moved)):
                return True
            self.free = self.free or (complete and most >= len(set(line.moved)))
            most, budget = most + 1, budget if complete else budget * _GROWTH
        return False

    def _is_over(self) -> bool:
        self.stopped = self.stopped or not self.tick(self.nodes)
        return self.stopped or time.perf_counter() >= self.until

    def _pass(self, line: _Line, most: int, budget: int) -> tuple[_Line, bool, bool]:
        """Search all windows in which at most `most` boxes move.

        Return the solution, whether it is better, and whether every search was complete.
        """
        improved, complete = False, True
        for count in range(1, min(most, len(set(line.moved))) + 1):
            windows = line.windows(count)
            while windows:
                begin, end = windows.pop(0)
                if self.proved or self._is_over():
                    return line, improved, False
                pushes, is_complete = self._shorter(line, begin, end, budget)
                complete = complete and is_complete
                if pushes is not None:
                    better = self._line(line.pushes[:begin] + pushes + line.pushes[end:])
                    assert better is not None
                    line, improved = better, True
                    self.found(line.pushes)
                    windows = [window for window in line.windows(count) if window[1] > begin]
        return line, improved, complete

    def _shorter(self, line: _Line, begin_at: int, end_at: int, budget: int) -> tuple[list[int] | None, bool]:
        """Return a cheaper way through a window, if found, and whether the search was complete."""
        moved = sorted(range(len(self.boxes)) if self.free else set(line.moved[begin_at:end_at]))
        start, goal = line.boxes[begin_at][moved], line.boxes[end_at][moved]
        if not self.mode.fixed:
            start, goal = np.sort(start), np.sort(goal)
        walls = np.delete(line.boxes[begin_at], moved)
        player, last = line.player[begin_at], line.player[end_at]
        if not self.mode.by_moves:
            player, last = self._first_cell(line.boxes[begin_at], player), self._first_cell(line.boxes[end_at], last)
        key = start.tobytes(), goal.tobytes(), np.sort(walls).tobytes(), bytes(f"{player} {last}", "ascii")
        largest = self.memory // bytes_per_node(len(moved))
        capacity = min(largest, budget) + 4 * len(moved) + 1  # A* stops if it cannot store all moves of a position
        if self.tried.get(key, 0) >= capacity:
            return None, self.tried[key] == _COMPLETE
        tables = self._tables(walls, goal)
        w, nodes = new_workspace(tables, len(moved)), new_node_table(len(moved), capacity)
        w.ending[:] = self._ending(line, end_at)
        nodes.numbers[LIMIT] = line.cost(begin_at, end_at, self.mode.by_moves)
        result = GOING
        if begin(tables, nodes, w, self.mode, start, player):
            result = self._search(tables, nodes, w)
        is_complete = result in (SOLVED, EXHAUSTED)
        self.tried[key] = _COMPLETE if is_complete else capacity
        self.short_of_memory = self.short_of_memory or (result == FULL and budget > largest)
        is_everything = (begin_at, end_at, len(moved)) == (0, len(line.pushes), len(self.boxes))
        self.proved = self.proved or (is_complete and is_everything)
        return pushes_to(nodes, int(nodes.numbers[FOUND])) if nodes.numbers[FOUND] >= 0 else None, is_complete

    def _search(self, tables: LevelTables, nodes: NodeTable, w: SolverWorkspace) -> int:
        """Search a window until the end or until the time is over."""
        before = self.nodes
        while True:
            result = explore(tables, nodes, w, self.mode, _AT_A_TIME)
            self.nodes = before + int(nodes.numbers[EXPANDED])
            if result != GOING or self._is_over():
                return result

    def _tables(self, walls: np.ndarray, goals: np.ndarray) -> LevelTables:
        """Return the tables of a level in which some boxes are walls and the others have these goals."""
        wall, target = self.tables.wall.copy(), np.zeros_like(self.tables.target)
        wall[walls], target[goals] = True, True
        side = np.full((len(wall), 4), -1, np.int8)
        queue = np.zeros(4 * len(wall), np.int64)
        connect_sides(self.tables.width, wall, side, queue, np.zeros(len(wall), np.int64))
        distance = np.full((len(wall), len(goals)), FAR, np.int32)
        best = np.zeros((len(wall), 4), np.int32)
        measure_distances(self.tables.width, wall, side, goals, distance, best, queue)
        dead = distance.min(axis=1) >= FAR
        return self.tables._replace(wall=wall, target=target, distance=distance, dead=dead)

    def _ending(self, line: _Line, end: int) -> np.ndarray:
        """Return what it costs to go from each cell to the end of a window, where the next push starts."""
        if end == len(line.pushes):
            return np.zeros_like(self.steps)
        self._follow(line.boxes[end], line.player[end], [])
        if not self.mode.by_moves:
            self.steps[self.steps < FAR] = 0
        return self.steps

    def _first_cell(self, boxes: np.ndarray, player: int) -> int:
        """Return the first cell of the player's area."""
        self._follow(boxes, player, [])
        return int(np.argmax(self.steps < FAR))

    def _follow(self, boxes: np.ndarray, player: int, pushes: list[int]) -> np.ndarray | None:
        """Return the number of moves before each push and at the end, or None if a push is illegal."""
        board = np.where(self.tables.wall, WALL, EMPTY).astype(np.uint8)
        board[boxes] = BOX
        spent = np.zeros(len(pushes) + 1, np.int64)
        legal = follow(self.tables.width, board, player, np.array(pushes, np.int64), spent, self.steps, self.queue)
        return spent if legal else None

    def _line(self, pushes: list[int]) -> _Line | None:
        spent = self._follow(self.boxes, self.player, pushes)
        return None if spent is None else _Line(self.tables.width, self.boxes, self.player, pushes, spent)

    def _gathered(self, line: _Line) -> _Line:
        """Return the solution with runs of the same box joined, wherever one of them can wait or be made earlier."""
        number = 0
        while number < len(line.runs):
            begin_at, end_at = line.runs[number]
            before = (run for run in reversed(line.runs[:number]) if line.moved[run[0]] == line.moved[begin_at])
            earlier = next(before, None)
            better = earlier and self._joined(line, *earlier, begin_at, end_at)
            line, number = (better, number) if better else (line, number + 1)
        return line

    def _joined(self, line: _Line, first: int, first_end: int, second: int, second_end: int) -> _Line | None:
        """Return the solution with the second run right after the first, or right before it, if it is not worse."""
        p = line.pushes
        runs, between = (p[first:first_end], p[second:second_end]), p[first_end:second]
        for middle in ([*runs[0], *runs[1], *between], [*between, *runs[0], *runs[1]]):
            candidate = self._line(p[:first] + middle + p[second_end:])
            if candidate is None or len(candidate.runs) >= len(line.runs):
                continue
            if not self.mode.by_moves or candidate.spent[-1] <= line.spent[-1]:
                return candidate
        return None
