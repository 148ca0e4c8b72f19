"""A layer-by-layer search. Each layer contains the best games that are one move away from the previous layer.

With a small width, the search is a beam search that finds plans. A search that drops no game covers everything within
its limits, so its result is proved. The same search can therefore find plans, prove that no better plan exists and
prove that a map cannot be cleared at all.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.grid import ahead, record_type
from shoverworld.core.jit import as_record, inner, kernel, rare

from ..config import ACTION_KINDS, FIRST_SPECIAL, WALK, ShoverRewardNumbers, ShoverRuleNumbers
from ..engine import copy_game, play
from ..state import CLEARED, PLAYING, State, new_state
from .bounds import is_stuck, most_stamina, rounding, too_late
from .boxes import CELL, Boxes, list_boxes, new_boxes, replace_box
from .distances import cached_row, measure_distances, new_distance_cache
from .heuristic import (
    FAR_BOXES,
    FEATURES,
    Weights,
    features_after_push,
    heuristic,
    measure_features,
    prepare_pushes,
)
from .keys import ENTRY, TERRAIN, A, B, board_keys, copy_entries, game_keys, insert, motion_of, moved_key
from .moves import ACTIONS, MoveWorkspace, find_reachable, list_moves, make_move, new_move_workspace, plan_move

STEPS, STAMINA = range(2)
_CHUNK, _CELLS = 1 << 15, 1 << 22  # maximum counts of moves and board cells between clock checks
_INITIAL_ENTRIES = 1 << 14
STAY = -1  # stands for the move that leads to the first game of a search
_NO_REWARD = ShoverRewardNumbers(0.0, 0.0, 0.0, 0.0, 0.0)


class Layer(NamedTuple):
    """Games that have been reached in the same number of moves."""

    state: State
    keys: np.ndarray  # uint64 (N, 3): the keys of the boards (see keys.py)


class Children(NamedTuple):
    """The candidates for the next layer."""

    score: np.ndarray
    parent: np.ndarray
    move: np.ndarray


class Workspace(NamedTuple):
    """Scratch arrays for the expansion of one game."""

    moves: MoveWorkspace
    boxes: Boxes  # the boxes of the game that is expanded
    features: np.ndarray  # its features
    child_boxes: Boxes  # the boxes of a child, listed only after a move that is not a push
    child_features: np.ndarray  # the features of a child
    counts: np.ndarray  # counters


# The limits of a search, which tighten as the search finds plans, and the best plan found in the current layer.
LIMITS = record_type(
    [
        ("steps", np.int64),  # the maximum number of steps
        ("stamina", np.float64),  # a plan must end with more stamina than this
        ("best_parent", np.int64),  # the game from which one more move clears the map, or -1 if there is no plan
        ("best_move", np.int64),
        ("best_steps", np.int64),
        ("best_stamina", np.float64),
        ("entries", np.int64),  # number of entries in the table
    ]
)


class SearchSettings(NamedTuple):
    """The settings of a search."""

    objective: int
    careful: bool  # whether to use the costly bounds
    search: int  # the search number; table entries from earlier searches count as empty
    layer: int


@kernel
def expand(
    origin, parents, made, layer, first, begun, games, count, rules, settings, weights, limits, cache, table, children,
    scratch, workspace,
):  # fmt: skip
    """Try every move of each game from `first` onwards until `children` is full or it is time to check the clock.

    Game i of the layer is built first: it results from the move made[i] in the game parents[i] of the layer `origin`.
    The first `begun` moves of the first game have already been tried. Return the first game that is not fully expanded,
    the number of its moves that have been tried, the number of children and the number of moves tried by this call.
    """
    rules, weights, limits = rules[0], weights[0], limits[0]
    state, spare, width = layer.state, scratch.state, layer.state.width
    here = len(scratch.keys) - 1  # the row of the spare game; a literal 0 would trigger another compilation
    boxes, features = workspace.boxes, workspace.features
    most_moves, tried = len(workspace.moves.moves), 0
    chunk = min(_CHUNK, _CELLS // state.board.shape[1])
    i, m = first, begun
    while i < games and count + most_moves <= len(children.score) and tried < chunk:
        if m == 0:
            build(origin, parents[i], made[i], layer, i, rules, workspace.moves)
        row = cached_row(cache, layer.keys[i, TERRAIN], state.board[i], width, rules, workspace.moves.queue)
        measure_features(state.board[i], width, cache.distance[row], weights, boxes, features)
        moves = list_moves(state, i, rules, boxes.each, workspace.moves)
        prepared = -1
        copy_game(state, i, spare, here)
        while m < moves and tried < chunk:
            move = workspace.moves.moves[m]
            valid, chain, burnt = make_move(spare, here, rules, move, workspace.moves)
            is_push = valid and chain > 0 and spare.game[here].boxes == state.game[i].boxes - burnt
            if is_push and boxes.index[move // ACTIONS] != prepared:
                prepared = boxes.index[move // ACTIONS]
                prepare_pushes(boxes.each, state.game[i].boxes, weights, prepared)
            if valid:
                count = consider(
                    layer, i, move, is_push, chain, burnt, row, count, rules, settings, weights, limits, cache, table,
                    children, scratch, workspace,
                )  # fmt: skip
            if is_push:
                undo_push(state, i, spare, here, move, chain)
            else:
                copy_game(state, i, spare, here)
            m += 1
            tried += 1
        if m >= moves:
            i, m = i + 1, 0
    return i, m, count, tried


@inner
def build(origin, parent, move, layer, i, rules, workspace):
    """Build game i of a layer by making a move in a game of the layer `origin`."""
    copy_game(origin.state, np.int64(parent), layer.state, i)
    if move != STAY:
        if move >= ACTIONS and rules.actor == WALK:
            find_reachable(layer.state.game[i], layer.state.board[i], layer.state.width, workspace)
        make_move(layer.state, i, rules, np.int64(move), workspace)
    board_keys(layer.state.board[i], layer.state.width, layer.keys[i])


@inner
def undo_push(source, i, target, j, move, chain):
    """Make game j equal to game i again after a push in game j that changed only the boxes of the chain."""
    cell, forward = move // ACTIONS, ahead(move % ACTIONS, source.width)
    for _ in range(chain + 1):
        target.board[j, cell] = source.board[i, cell]
        cell += forward
    if source.game[i].squares > 0 or target.game[j].squares > 0:
        for place in range(source.squares.shape[1]):
            target.squares[j, place] = source.squares[i, place]
    target.game[j] = source.game[i]


@inner
def consider(
    layer, i, move, is_push, chain, burnt, row, count, rules, settings, weights, limits, cache, table, children, scratch,
    workspace,
):  # fmt: skip
    """Add the game in `scratch`, which results from a move in game i, to the children unless it can be discarded.

    Return the new number of children.
    """
    parent, width = layer.state.game[i], layer.state.width
    game, board, squares = scratch.state.game[0], scratch.state.board[0], scratch.state.squares[0]
    steps_left = limits.steps - game.timestep
    if game.outcome == CLEARED:
        record_end(game, settings.objective, limits, i, move)
        return count
    if game.outcome != PLAYING or steps_left < 1:
        return count

    inserted = insert_child(layer, i, move, is_push, chain, burnt, rules, settings, table, scratch, steps_left)
    if inserted.dominated:
        return count
    limits.entries += inserted.slot >= 0

    target, direction = move // ACTIONS, move % ACTIONS
    beyond, moved = target + chain * ahead(direction, width), workspace.boxes.index[target]
    distance, boxes, features = cache.distance[row], workspace.child_boxes.each, workspace.child_features
    if is_push:
        boxes = workspace.boxes.each
        features_after_push(
            layer.state.board[i], board, width, distance, weights, workspace.boxes, parent.boxes, workspace.features,
            moved, direction, beyond, burnt, features,
        )  # fmt: skip
    else:
        if FIRST_SPECIAL <= move < ACTION_KINDS:  # the move creates barriers or lava
            distance = cache.distance[-1]
            measure_distances(board, width, rules, distance, workspace.moves.queue)
        measure_features(board, width, distance, weights, workspace.child_boxes, features)
    if settings.careful or settings.objective == STAMINA or features[FAR_BOXES] > 0:
        if is_push:
            replace_box(boxes, moved, boxes[CELL, game.boxes] if burnt else beyond, width)
        pruned = can_prune(game, squares, rules, settings, limits, distance, boxes, steps_left, workspace.counts)
        if is_push:
            replace_box(boxes, moved, target, width)
        if pruned:
            return count
    place = inserted.place
    if place < 0:
        place = count
        count += 1
        if inserted.slot >= 0:
            table[inserted.slot].child = place
    children.score[place] = heuristic(game, squares, rules, weights, features)
    children.parent[place] = i
    children.move[place] = move
    return count


@inner
def insert_child(layer, i, move, is_push, chain, burnt, rules, settings, table, scratch, steps_left):
    """Insert the game in `scratch`, which results from a move in game i, into the transposition table."""
    parent, width = layer.state.game[i], layer.state.width
    game, board, squares = scratch.state.game[0], scratch.state.board[0], scratch.state.squares[0]
    a, b = layer.keys[i, A], layer.keys[i, B]
    if is_push:
        target = move // ACTIONS
        beyond = target + chain * ahead(move % ACTIONS, width)
        a, b = moved_key(a, A, target, beyond, burnt), moved_key(b, B, target, beyond, burnt)
    elif game.boxes != parent.boxes:
        board_keys(board, width, scratch.keys[0])
        a, b = scratch.keys[0, A], scratch.keys[0, B]
    a, b = game_keys(game, squares, rules, width, a, b, steps_left)
    enough = np.inf
    if settings.objective == STEPS:
        enough = steps_left * highest_cost(rules, width, len(board)) + 1.0
    force = rules.initial_force
    if force > 0:
        force += rounding(rules, game.stamina, 1)
    return insert(
        table, a, b, settings.search, settings.layer, game.timestep, game.stamina, motion_of(game, rules), enough, force
    )


@inner
def highest_cost(rules, width, cells):
    """Return the highest stamina cost that a step can have."""
    return rules.initial_force + rules.unit_force * max(width, cells // width) + rules.step_cost


@rare
def record_end(game, objective, limits, i, move):
    """Store a plan that clears the map, provided that it is the best plan so far."""
    if objective == STEPS:
        better = game.timestep <= limits.steps
        same = limits.best_parent >= 0 and game.timestep == limits.steps + 1 and game.stamina > limits.best_stamina
    else:
        better = game.stamina > limits.stamina
        same = limits.best_parent >= 0 and game.stamina == limits.stamina and game.timestep < limits.best_steps
    if better or same:
        limits.best_parent, limits.best_move = i, move
        limits.best_steps, limits.best_stamina = game.timestep, game.stamina
        if objective == STEPS:
            limits.steps = game.timestep - 1
        else:
            limits.stamina = game.stamina


@rare
def can_prune(game, squares, rules, settings, limits, distance, boxes, steps_left, counts):
    """Return whether this game certainly cannot lead to a plan within the limits."""
    if is_stuck(game.boxes, boxes, distance, counts):
        return True
    if settings.objective == STAMINA and most_stamina(game, squares, rules, distance, boxes) <= limits.stamina:
        return True
    return settings.careful and too_late(game, squares, rules, distance, boxes, steps_left, counts)


@kernel
def root_bounds(layer, rules, most_steps, distance, boxes, queue, counts):
    """Return whether the first game is stuck, and bounds on its steps and final stamina.

    The bounds are a lower bound on the steps needed to clear the map and an upper bound on the final stamina.
    """
    rules = rules[0]
    game, board, squares = layer.state.game[0], layer.state.board[0], layer.state.squares[0]
    measure_distances(board, layer.state.width, rules, distance, queue)
    list_boxes(board, layer.state.width, boxes)
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

    def __init__(self, start: State, rules: ShoverRuleNumbers, memory: int):
        """Set up the searches.

        `memory` is the number of bytes for the games, the children and the table. The workspace and the distances need
        a little additional memory.
        """
        self.start, self.rules = start, rules
        self._rules = as_record(rules)
        self.boxes = int(start.game["boxes"][0])
        rows, cols = start.grid().shape[1:]
        self._size = rows, cols
        self._workspace = new_workspace(start.board.shape[1], start.width, self.boxes)
        self._cache = new_distance_cache(start.board.shape[1])
        self._most_moves = len(self._workspace.moves.moves)
        node = sum(a.nbytes for a in self._rows(1)[:3]) + 24
        # The table gets a quarter of the memory, two layers get half, and the children and the history get the rest.
        self.max_entries = 1 << int(np.log2(max(memory / 4 / ENTRY.itemsize, _INITIAL_ENTRIES)))
        self.table = np.zeros(_INITIAL_ENTRIES, ENTRY)  # starts small and grows, because touching memory takes time
        self.most_games = max(64, int(memory / 2 / (2 * node)))
        self.most_children = max(8 * self._most_moves, int(memory / 8 / 20))
        self.most_history = int(memory / 8 / 8)
        self._searches = 0
        self.expanded = self.tried = 0
        self._layers: list[Layer] = []
        self._scratch = self._layer(1)

    def _rows(self, games: int) -> State:
        state = new_state(games, *self._size)
        squares = min(state.squares.shape[1], max(1, self.boxes // 4))  # a square has at least four boxes
        return state._replace(squares=np.zeros((games, squares), state.squares.dtype))

    def _layer(self, games: int) -> Layer:
        return Layer(self._rows(games), np.zeros((games, 3), np.uint64))

    def _layers_for(self, games: int) -> list[Layer]:
        """Return two layers with space for at least this many games."""
        if not self._layers or len(self._layers[0].keys) < games:
            self._layers = []
            self._layers = [self._layer(games), self._layer(games)]
        return self._layers

    def _put_first(self, layer: Layer, start: State) -> None:
        layer.state.board[0] = start.board[0]
        layer.state.game[0] = start.game[0]
        layer.state.squares[0] = start.squares[0, : layer.state.squares.shape[1]]

    def bounds(self) -> tuple[bool, int, float]:
        """Return whether the game is stuck, a lower bound on the steps left and an upper bound on the final stamina."""
        layer = self._layer(1)
        self._put_first(layer, self.start)
        left = int(self.rules.max_timestep - self.start.game["timestep"][0])
        workspace = self._workspace
        return root_bounds(
            layer, self._rules, left, self._cache.distance[-1], workspace.boxes, workspace.moves.queue, workspace.counts
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
        self._searches += 1
        width = min(width, self.most_games)
        capacity = min(width * self._most_moves + self._most_moves, self.most_children)
        children = Children(np.empty(capacity), np.empty(capacity, np.int32), np.empty(capacity, np.int32))
        games_at_first = min(width, 1024)
        origin, layer = self._layers_for(games_at_first)
        self._put_first(origin, start)
        parents, made = np.zeros(1, np.int32), np.full(1, STAY, np.int32)
        all_limits, all_weights = new_limits(most_steps, least_stamina), as_record(weights)
        limits: Any = all_limits[0]
        history: list[tuple[np.ndarray, np.ndarray]] = []
        found, complete, games, kept, number = None, True, 1, 0, 0
        while games:
            settings = SearchSettings(objective, careful, self._searches, number)
            first = begun = count = 0
            limits.best_parent = -1
            while first < games:
                first, begun, count, tried = expand(
                    origin, parents, made, layer, first, begun, games, count, self._rules, settings, all_weights,
                    all_limits, self._cache, self.table, children, self._scratch, self._workspace,
                )  # fmt: skip
                self.tried += tried
                if 2 * limits.entries > len(self.table) < self.max_entries:
                    limits.entries = self._enlarge_table()
                if stop():
                    self.expanded += first
                    if limits.best_parent >= 0:
                        found = self._solution(history, limits)
                    return Outcome(found, False)
                if count + self._most_moves > capacity and first < games:
                    count = self._halve(children, count)
                    complete = False
                    number += 1  # the children have moved, so their indices in the table are no longer valid
                    settings = settings._replace(layer=number)
            self.expanded += games
            number += 1
            if limits.best_parent >= 0:
                found = self._solution(history, limits)
            chosen = np.arange(count)
            kept += min(count, width)
            if kept > self.most_history:
                return Outcome(found, False)
            if count > width:
                complete = False
                chosen = np.argpartition(children.score[:count], width)[:width]
                chosen.sort()
            parents, made = children.parent[chosen], children.move[chosen]
            history.append((parents, made))
            origin, layer = layer, origin
            if len(chosen) > len(layer.keys):
                origin, layer = self._grow(origin, games, len(chosen))
            games = len(chosen)
        return Outcome(found, complete)

    def _enlarge_table(self) -> int:
        larger = np.zeros(min(4 * len(self.table), self.max_entries), ENTRY)
        count = copy_entries(self.table, larger, self._searches)
        self.table = larger
        return count

    def _grow(self, layer: Layer, games: int, needed: int) -> list[Layer]:
        """Return two larger layers, the first of which contains the games of `layer`."""
        size = min(max(needed, 4 * len(layer.keys)), max(self.most_games, needed))
        larger = [self._layer(size), self._layer(size)]
        for target, source in zip(larger[0].state[:3], layer.state[:3], strict=True):
            target[:games] = source[:games]
        larger[0].keys[:games] = layer.keys[:games]
        self._layers = larger
        return larger

    def _halve(self, children: Children, count: int) -> int:
        """Keep only the better half of the children to free up space."""
        half = count // 2
        better = np.argpartition(children.score[:count], half)[:half]
        for array in children:
            array[:half] = array[better]
        return half

    def _solution(self, history: list, limits: Any) -> Solution:
        """Reconstruct the best plan by following the history backwards."""
        parent, moves = int(limits.best_parent), [int(limits.best_move)]
        for parents, made in reversed(history):
            moves.append(int(made[parent]))
            parent = int(parents[parent])
        return Solution(np.array(moves[::-1], np.int64), int(limits.best_steps), float(limits.best_stamina))

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


def new_workspace(cells: int, width: int, boxes: int) -> Workspace:
    listed = [(new_boxes(boxes, cells, width), np.zeros(FEATURES, np.int64)) for _ in range(2)]
    return Workspace(new_move_workspace(cells, boxes), *listed[0], *listed[1], np.zeros(2 * cells + 2, np.int64))


def new_limits(steps: int, stamina: float) -> np.ndarray:
    """Return the limits at the start of a search as a record array with one row."""
    return np.array([(steps, stamina, -1, 0, 0, 0.0, 0)], LIMITS)
