"""A layer-by-layer search. Each layer contains the best games that are one move away from the previous layer.

With a small width, the search is a beam search that finds plans. A search that drops no game covers everything within
its limits, so its result is proved. The same search can therefore find plans, prove that no better plan exists and
prove that a map cannot be cleared at all.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import ahead, cell_at
from shoverworld.core.jit import kernel, rare

from ..config import ACTION_KINDS, FIRST_SPECIAL, WALK, ShoverRuleNumbers
from ..engine import copy_game
from ..state import CLEARED, PLAYING, State, new_state
from .bounds import is_stuck, most_stamina, rounding, too_late
from .distances import cached_row, measure_distances, new_distance_cache
from .heuristic import Weights, heuristic
from .keys import ENTRY, TERRAIN, A, B, board_keys, copy_entries, game_key, insert, motion_of, moved_key
from .moves import ACTIONS, MoveWorkspace, find_reachable, list_moves, make_move, new_workspace

STEPS, STAMINA = range(2)
_CHUNK, _CELLS = 1 << 15, 1 << 22  # maximum numbers of moves and board cells processed between clock checks
_INITIAL_ENTRIES = 1 << 14


class Layer(NamedTuple):
    """Games that have been reached in the same number of moves."""

    state: State
    keys: np.ndarray  # uint64 (N, 3): the keys of the boards (see keys.py)


class Children(NamedTuple):
    """The candidates for the next layer."""

    score: np.ndarray
    parent: np.ndarray
    move: np.ndarray


class Limits(NamedTuple):
    """The limits of a search, which tighten as the search finds plans, and the best plan found in the current layer."""

    steps: np.ndarray  # (1,): the maximum number of steps
    stamina: np.ndarray  # (1,): a plan must end with more stamina than this
    best: np.ndarray  # (3,): parent, move and steps of the best plan in this layer; parent is -1 if there is no plan
    best_stamina: np.ndarray  # (1,): the final stamina of that plan
    entries: np.ndarray  # (1,): number of entries in the table


class SearchSettings(NamedTuple):
    """The settings of a search."""

    objective: int
    careful: bool  # whether to use the costly bounds
    weights: Weights
    search: int  # the search number; table entries from earlier searches count as empty
    layer: int


@kernel
def expand(layer, first, begun, games, count, rules, settings, limits, cache, table, children, scratch, workspace):
    """Try every move of each game from `first` onwards until `children` is full or it is time to check the clock.

    The first `begun` moves of the first game have already been tried. Return the first game that is not fully expanded,
    the number of its moves that have been tried, the number of children and the number of moves tried by this call.
    """
    spare, width = scratch.state, layer.state.width
    here = len(scratch.keys) - 1  # the row of the spare game; a literal 0 would trigger another compilation
    most_moves, tried = len(workspace.moves), 0
    chunk = min(_CHUNK, _CELLS // layer.state.board.shape[1])
    highest_cost = (
        rules.initial_force + rules.unit_force * max(width, layer.state.board.shape[1] // width) + rules.step_cost
    )
    i, m = first, begun
    while i < games and count + most_moves <= len(children.score) and tried < chunk:
        row = cached_row(cache, layer.keys[i, TERRAIN], layer.state.board[i], width, rules, workspace)
        distance = cache.distance[row]
        moves = list_moves(layer.state, i, rules, workspace)
        boxes = layer.state.game[i].boxes
        while m < moves and tried < chunk:
            move = workspace.moves[m]
            m += 1
            copy_game(layer.state, i, spare, here)
            tried += 1
            if not make_move(spare, here, rules, move, workspace):
                continue
            game = spare.game[here]
            steps_left = limits.steps[0] - game.timestep
            if game.outcome == CLEARED:
                record_end(game, settings, limits, i, move)
                continue
            if game.outcome != PLAYING or steps_left < 1:
                continue

            a, b = layer.keys[i, A], layer.keys[i, B]
            if game.chain > 0 and game.boxes == boxes - game.burnt:
                target = cell_at(game.row, game.col, width)
                beyond = target + game.chain * ahead(game.direction, width)
                a, b = moved_key(a, A, target, beyond, game.burnt), moved_key(b, B, target, beyond, game.burnt)
            elif game.boxes != boxes:
                board_keys(spare.board[here], width, scratch.keys[here])
                a, b = scratch.keys[here, A], scratch.keys[here, B]
            a, b = game_key(spare, here, rules, a, A, steps_left), game_key(spare, here, rules, b, B, steps_left)
            motion = motion_of(game, rules)
            enough = steps_left * highest_cost + 1.0 if settings.objective == STEPS else np.inf
            force = rules.initial_force
            if force > 0:
                force += rounding(rules, game.stamina, 1)
            inserted = insert(
                table, a, b, settings.search, settings.layer, game.timestep, game.stamina, motion, enough, force
            )
            if inserted.dominated:
                continue
            limits.entries[0] += inserted.slot >= 0

            if FIRST_SPECIAL <= move % ACTIONS < ACTION_KINDS:  # the move creates barriers or lava
                measure_distances(spare.board[here], width, rules, cache.distance[-1], workspace.queue)
                distance = cache.distance[-1]
            else:
                distance = cache.distance[row]
            if can_prune(spare, here, rules, settings, limits, distance, steps_left, workspace):
                continue
            place = inserted.place
            if place < 0:
                place = count
                count += 1
                if inserted.slot >= 0:
                    table[inserted.slot].child = place
            score = heuristic(spare, here, rules, distance, settings.weights, workspace.boxes)
            children.score[place] = score
            children.parent[place] = i
            children.move[place] = move
        if m >= moves:
            i, m = i + 1, 0
    return i, m, count, tried


@rare
def record_end(game, settings, limits, i, move):
    """Store a plan that clears the map if it is the best plan so far."""
    if settings.objective == STEPS:
        better = game.timestep <= limits.steps[0]
        same = limits.best[0] >= 0 and game.timestep == limits.steps[0] + 1 and game.stamina > limits.best_stamina[0]
    else:
        better = game.stamina > limits.stamina[0]
        same = limits.best[0] >= 0 and game.stamina == limits.stamina[0] and game.timestep < limits.best[2]
    if better or same:
        limits.best[0], limits.best[1], limits.best[2] = i, move, game.timestep
        limits.best_stamina[0] = game.stamina
        if settings.objective == STEPS:
            limits.steps[0] = game.timestep - 1
        else:
            limits.stamina[0] = game.stamina


@rare
def can_prune(state, i, rules, settings, limits, distance, steps_left, workspace):
    """Return whether this game certainly cannot lead to a plan within the limits."""
    if is_stuck(state, i, distance, workspace.counts):
        return True
    if settings.objective == STAMINA and most_stamina(state, i, rules, distance) <= limits.stamina[0]:
        return True
    return settings.careful and too_late(state, i, rules, distance, steps_left, workspace)


@kernel
def build_layer(layer, rules, children, chosen, next_layer, workspace):
    """Build the next layer from the chosen children."""
    for j in range(len(chosen)):
        child = chosen[j]
        i, move = np.int64(children.parent[child]), np.int64(children.move[child])
        copy_game(layer.state, i, next_layer.state, j)
        if move >= ACTIONS and rules.actor == WALK:
            find_reachable(next_layer.state, j, workspace)
        make_move(next_layer.state, j, rules, move, workspace)
        board_keys(next_layer.state.board[j], layer.state.width, next_layer.keys[j])


@kernel
def root_bounds(layer, rules, cache, limits, workspace):
    """Compute the keys of the first game.

    Return whether this game is stuck, a lower bound on the steps needed to clear it and an upper bound on its final
    stamina.
    """
    width, first = layer.state.width, len(layer.keys) - 1
    board_keys(layer.state.board[first], width, layer.keys[first])
    row = cached_row(cache, layer.keys[first, TERRAIN], layer.state.board[first], width, rules, workspace)
    distance = cache.distance[row]
    stuck = is_stuck(layer.state, first, distance, workspace.counts)
    steps = 0
    while steps <= limits.steps[0] and too_late(layer.state, first, rules, distance, steps, workspace):
        steps += 1
    return stuck, steps, most_stamina(layer.state, first, rules, distance)


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
        self.boxes = int(start.game["boxes"][0])
        rows, cols = start.grid().shape[1:]
        self._size = rows, cols
        self._workspace = new_workspace(start, self.boxes)
        self._cache = new_distance_cache(start.board.shape[1])
        self._most_moves = len(self._workspace.moves)
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
        state = new_state(1, *self._size)
        shapes = (
            state.board.shape[1],
            min(state.squares.shape[1], max(1, self.boxes // 4)),
        )  # a square has at least four boxes
        return State(
            np.zeros((games, shapes[0]), np.int8),
            np.zeros(games, state.game.dtype),
            np.zeros((games, shapes[1]), state.squares.dtype),
            state.width,
        )

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
        limits = new_limits(left, -np.inf)
        return root_bounds(layer, self.rules, self._cache, limits, self._workspace)

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
        layer, next_layer = self._layers_for(games_at_first)
        self._put_first(layer, start)
        first_keys(layer)
        limits = new_limits(most_steps, least_stamina)
        history: list[tuple[np.ndarray, np.ndarray]] = []
        found, complete, games, kept, number = None, True, 1, 0, 0
        while games:
            settings = SearchSettings(objective, careful, weights, self._searches, number)
            first = begun = count = 0
            limits.best[0] = -1
            while first < games:
                first, begun, count, tried = expand(
                    layer, first, begun, games, count, self.rules, settings, limits, self._cache, self.table, children,
                    self._scratch, self._workspace,
                )  # fmt: skip
                self.tried += tried
                if 2 * limits.entries[0] > len(self.table) < self.max_entries:
                    limits.entries[0] = self._enlarge_table()
                if stop():
                    self.expanded += first
                    if limits.best[0] >= 0:
                        found = self._solution(history, limits)
                    return Outcome(found, False)
                if count + self._most_moves > capacity and first < games:
                    count = self._halve(children, count)
                    complete = False
                    number += 1  # the children have moved, so their indices in the table are no longer valid
                    settings = settings._replace(layer=number)
            self.expanded += games
            number += 1
            if limits.best[0] >= 0:
                found = self._solution(history, limits)
            chosen = np.arange(count)
            kept += min(count, width)
            if kept > self.most_history:
                return Outcome(found, False)
            if count > width:
                complete = False
                chosen = np.argpartition(children.score[:count], width)[:width]
                chosen.sort()
            if len(chosen) > len(next_layer.keys):
                layer, next_layer = self._grow(layer, games, len(chosen))
            build_layer(layer, self.rules, children, chosen, next_layer, self._workspace)
            history.append((children.parent[chosen], children.move[chosen]))
            layer, next_layer, games = next_layer, layer, len(chosen)
        return Outcome(found, complete)

    def _enlarge_table(self) -> int:
        larger = np.zeros(min(8 * len(self.table), self.max_entries), ENTRY)
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

    def _solution(self, history: list, limits: Limits) -> Solution:
        """Reconstruct the best plan by following the history backwards."""
        parent, moves = int(limits.best[0]), [int(limits.best[1])]
        for parents, made in reversed(history):
            moves.append(int(made[parent]))
            parent = int(parents[parent])
        return Solution(np.array(moves[::-1], np.int64), int(limits.best[2]), float(limits.best_stamina[0]))

    def after(self, moves: np.ndarray) -> State:
        """Return the game that results from making these moves from the start."""
        return self._played(moves, self._workspace)

    def actions(self, moves: np.ndarray) -> list[tuple[int, int, int]]:
        """Return the actions played when these moves are made from the start."""
        steps = int(self.after(moves).game["timestep"][0] - self.start.game["timestep"][0])
        workspace = new_workspace(self.start, self.boxes, steps)
        self._played(moves, workspace)
        return [(row, col, z) for row, col, z in workspace.log[: workspace.logged[0]].tolist()]

    def _played(self, moves: np.ndarray, workspace: MoveWorkspace) -> State:
        layer, next_layer = self._layer(1), self._layer(1)
        self._put_first(layer, self.start)
        one = Children(np.zeros(1), np.zeros(1, np.int32), np.zeros(1, np.int32))
        for move in moves:
            one.move[0] = move
            build_layer(layer, self.rules, one, np.zeros(1, np.int64), next_layer, workspace)
            layer, next_layer = next_layer, layer
        return layer.state


def new_limits(steps: int, stamina: float) -> Limits:
    """Return the limits at the start of a search."""
    return Limits(np.array([steps]), np.array([stamina]), np.full(3, -1), np.zeros(1), np.zeros(1, np.int64))


@kernel
def first_keys(layer):
    """Compute the keys of the first game of a layer."""
    board_keys(layer.state.board[0], layer.state.width, layer.keys[0])
