"""Runs the searches of expansion.py for one game: provides their memory, and stops them."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.jit import as_record, kernel

from ..config import WALK, ShoverRewardNumbers, ShoverRuleNumbers
from ..engine import play
from ..state import State
from .beam import LIMITS, PROGRESS, Beam, Layer, Paths, begin, new_children, new_layer, read_plan
from .bounds import is_stuck, most_stamina, too_late
from .boxes import list_boxes
from .distances import measure_distances, new_distance_cache
from .expansion import SearchSettings, advance, new_workspace
from .heuristic import Weights
from .keys import ENTRY, copy_entries
from .moves import ACTIONS, find_reachable, plan_move

_CHUNK, _CELLS = 1 << 12, 1 << 22  # maximum counts of moves and board cells between clock checks
_INITIAL_ENTRIES = 1 << 14
_NO_REWARD = ShoverRewardNumbers(0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def root_bounds(start, rules, most_steps, distance, boxes, queue, counts):
    """Return whether the first game is stuck, and bounds on its steps and final stamina.

    The bounds are a lower bound on the steps needed to clear the map and an upper bound on the final stamina.
    """
    rules = rules[0]
    game, board, squares = start.game[0], start.board[0], start.squares[0]
    measure_distances(board, start.width, rules, distance, queue)
    list_boxes(board, start.width, boxes)
    stuck = is_stuck(game.boxes, boxes.each, distance, counts)
    steps = 0
    while steps <= most_steps and too_late(game, squares, rules, distance, boxes.each, steps, counts):
        steps += 1
    return stuck, steps, most_stamina(game, squares, rules, distance, boxes.each)


@kernel
def list_actions(state, rules, move, workspace):
    """Write the actions for a move in the first game to `workspace.actions`, and return their number."""
    rules, first = rules[0], len(state.game) - 1
    if move >= ACTIONS and rules.actor == WALK:
        find_reachable(state.game[first], state.board[first], state.width, workspace)
    return plan_move(state, first, rules, move, workspace)


class Solution(NamedTuple):
    """A sequence of moves that clears the map, with its number of steps and its final stamina."""

    moves: np.ndarray
    steps: int
    stamina: float


class Outcome(NamedTuple):
    """The result of one search."""

    found: Solution | None  # the best solution within the limits
    complete: bool  # whether no game was dropped; if so, no better solution exists within the limits


class Searcher:
    """Runs the searches for one game. All searches share the same memory."""

    def __init__(self, start: State, rules: ShoverRuleNumbers, memory: int, costs: bool = False):
        """Set up the searches.

        `memory` is the number of bytes for the games, the children and the table. The workspace and the distances need
        a little additional memory. `costs`: whether the searches need the costs of paths (see `Beam.cost`).
        """
        self.start, self.rules = start, rules
        self._rules = as_record(rules)
        self.boxes = int(start.game["boxes"][0])
        rows, cols = start.grid().shape[1:]
        self._size = rows, cols
        self._workspace = new_workspace(start.board.shape[1], start.width, self.boxes)
        self._cache = new_distance_cache(start.board.shape[1])
        self._most_moves = len(self._workspace.moves.moves)
        node = sum(a.nbytes for a in new_layer(1, rows, cols, self.boxes).state[:3]) + 24
        # The table gets a quarter of the memory, two layers get half, and the children and the paths get the rest.
        self.max_entries = 1 << int(np.log2(max(memory / 4 / ENTRY.itemsize, _INITIAL_ENTRIES)))
        self.table = np.zeros(_INITIAL_ENTRIES, ENTRY)  # starts small and grows, because touching memory takes time
        self.most_games = max(64, int(memory / 2 / (2 * node)))
        self.most_children = max(8 * self._most_moves, int(memory / 8 / 32))
        self.expanded = self.tried = 0
        self._scratch = self._layer(1)
        most_nodes = int(memory / 8 / 8)
        self._beam = Beam(
            self._layer(0),
            self._layer(0),
            new_children(0, costs),
            Paths(np.empty(most_nodes, np.int32), np.empty(most_nodes, np.int32)),
            np.empty(0),
            np.empty(self.most_games * costs),
            np.zeros(1, PROGRESS),
            np.zeros(1, LIMITS),
        )

    def _layer(self, games: int) -> Layer:
        return new_layer(games, *self._size, self.boxes)

    def bounds(self) -> tuple[bool, int, float]:
        """Return whether the game is stuck, a lower bound on the steps left and an upper bound on the final stamina."""
        left = int(self.rules.max_timestep - self.start.game["timestep"][0])
        workspace = self._workspace
        return root_bounds(
            self.start,
            self._rules,
            left,
            self._cache.distance[-1],
            workspace.boxes,
            workspace.moves.queue,
            workspace.counts,
        )

    def search(
        self,
        start: State,
        width: int,
        objective: int,
        most_steps: int,
        least_stamina: float,
        weights: Weights,
        careful: bool,
        stop: Callable[[], bool],
    ) -> Outcome:
        """Search for the best plan from `start` that clears the map.

        The plan takes at most `most_steps` steps, counted from the beginning of the game. For the STAMINA objective, it
        ends with more stamina than `least_stamina`. Each layer keeps at most `width` games. The search calls `stop()`
        regularly and ends as soon as a call returns True.
        """
        beam = self._begin(start, width, most_steps, least_stamina)
        settings = SearchSettings(objective, careful, min(width, self.most_games))
        all_weights = as_record(weights)

        def continue_by(most: int, most_entries: int) -> None:
            advance(
                beam, settings, self._rules, all_weights, self._cache, self.table, self._scratch, self._workspace, most,
                most_entries,
            )  # fmt: skip

        return self._run(continue_by, stop)

    def _begin(self, start: State, width: int, most_steps: int, least_stamina: float) -> Beam:
        """Begin a search with room for layers of this width."""
        beam, width = self._beam, min(width, self.most_games)
        if len(beam.even.keys) < width:
            beam = beam._replace(even=self._layer(0), odd=self._layer(0))  # frees the memory
            beam = beam._replace(even=self._layer(width), odd=self._layer(width))
        children = min((width + 1) * self._most_moves, self.most_children)
        if len(beam.children.score) != children:
            beam = beam._replace(children=new_children(children, len(beam.cost) > 0), scores=np.empty(children))
        self._beam = beam
        begin(beam, start, most_steps, least_stamina)
        return beam

    def _run(self, continue_by: Callable[[int, int], None], stop: Callable[[], bool]) -> Outcome:
        """Run the search that has just begun. `continue_by` continues it by a number of moves."""
        progress: Any = self._beam.progress[0]
        limits: Any = self._beam.limits[0]
        chunk = min(_CHUNK, _CELLS // self.start.board.shape[1])
        expanded, tried = self.expanded, self.tried
        while progress.games:
            continue_by(chunk, len(self.table) // 2 if len(self.table) < self.max_entries else 2**62)
            while 2 * limits.entries > len(self.table) < self.max_entries:
                limits.entries = self._enlarge_table(int(progress.search))
            self.expanded, self.tried = expanded + int(progress.expanded), tried + int(progress.tried)
            if progress.games and stop():
                return Outcome(self._found(), False)
        return Outcome(self._found(), bool(progress.complete))

    def _found(self) -> Solution | None:
        """Return the best plan of the current search."""
        progress: Any = self._beam.progress[0]
        moves = np.zeros(int(progress.layer) + 1, np.int64)
        count = read_plan(self._beam, moves)
        return None if count < 0 else Solution(moves[:count], int(progress.steps), float(progress.stamina))

    def _next_search(self) -> int:
        """Return the number of a new search, which is not run by `_run`."""
        progress: Any = self._beam.progress[0]
        progress.search += 1
        return int(progress.search)

    def _enlarge_table(self, search: int) -> int:
        larger = np.zeros(min(4 * len(self.table), self.max_entries), ENTRY)
        count = copy_entries(self.table, larger, search)
        self.table = larger
        return count

    def after(self, moves: np.ndarray) -> State:
        """Return the game that results from making these moves from the start."""
        return self._played(moves)[0]

    def actions(self, moves: np.ndarray) -> list[tuple[int, int, int]]:
        """Return the actions played when these moves are made from the start."""
        return self._played(moves)[1]

    def _played(self, moves: np.ndarray) -> tuple[State, list[tuple[int, int, int]]]:
        state, workspace = self.start.copy(), self._workspace.moves
        actions: list[tuple[int, int, int]] = []
        for move in moves.tolist():
            count = list_actions(state, self._rules, move, workspace)
            for row, col, z in workspace.actions[:count].tolist():
                play(state, 0, self.rules, _NO_REWARD, row, col, z)
                actions.append((row, col, z))
        return state, actions
