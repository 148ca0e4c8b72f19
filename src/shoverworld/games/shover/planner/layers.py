"""One search: layer by layer, all games that one more move leads to, the most promising of them kept.

With few games kept it is a beam search, which finds plans; when nothing had to be dropped it has seen everything
within its limits, which is a proof. So the same search finds plans, proves that there is no better one, and proves
that there is none.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import ahead, cell_at
from shoverworld.core.jit import kernel, rare

from ..config import ACTION_KINDS, FIRST_SPECIAL, WALK, RuleNumbers
from ..engine import copy_game
from ..state import CLEARED, PLAYING, State, new_state
from .bounds import is_stuck, most_stamina, rounding, too_late
from .field import field_of, measure, new_fields
from .keys import MET, TERRAIN, A, B, board_keys, game_key, look_up, motion_of, move_entries, moved_key
from .moves import ACTIONS, Workspace, list_moves, make_move, new_workspace, reach
from .promise import Weights, promise

STEPS, STAMINA = range(2)
_CHUNK, _CELLS = 1 << 15, 1 << 22  # moves, and cells of their boards, between two looks at the clock
_FEW_MET = 1 << 14


class Layer(NamedTuple):
    """Games after so many moves."""

    state: State
    keys: np.ndarray  # uint64 (N, 3): of the boards, see keys.py


class Children(NamedTuple):
    """Moves that are worth following."""

    score: np.ndarray
    parent: np.ndarray
    move: np.ndarray


class Limits(NamedTuple):
    """What a plan must stay within to be of interest; the search tightens it as it finds plans."""

    steps: np.ndarray  # (1,): the most steps
    stamina: np.ndarray  # (1,): it must end with more than this
    best: np.ndarray  # (3,): parent and move of the best end found in this layer, and its steps; parent -1: none
    best_stamina: np.ndarray  # (1,)
    noted: np.ndarray  # (1,): games in the table


class Order(NamedTuple):
    """What kind of search this is."""

    objective: int
    careful: bool  # use the costly bounds
    weights: Weights
    search: int  # its number: entries of the table that earlier searches made count as empty
    layer: int


@kernel
def expand(layer, first, begun, games, count, rules, order, limits, fields, met, children, scratch, workspace):
    """Try every move in the games from `first` on, as long as there is room for their children and it is not yet time
    to look at the clock. `begun` moves of the first game were tried before.

    Returns the first game not expanded, how many of its moves were tried, the number of children, and how many moves
    were tried in all.
    """
    spare, width = scratch.state, layer.state.width
    here = len(scratch.keys) - 1  # the row of the spare game; a variable, for a literal 0 would be compiled for anew
    most_moves, tried = len(workspace.moves), 0
    chunk = min(_CHUNK, _CELLS // layer.state.board.shape[1])
    dearest = rules.initial_force + rules.unit_force * max(width, layer.state.board.shape[1] // width) + rules.step_cost
    i, m = first, begun
    while i < games and count + most_moves <= len(children.score) and tried < chunk:
        row = field_of(fields, layer.keys[i, TERRAIN], layer.state.board[i], width, rules, workspace)
        distance = fields.distance[row]
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
                consider_end(game, order, limits, i, move)
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
            enough = steps_left * dearest + 1.0 if order.objective == STEPS else np.inf
            force = rules.initial_force
            if force > 0:
                force += rounding(rules, game.stamina, 1)
            verdict = look_up(met, a, b, order.search, order.layer, game.timestep, game.stamina, motion, enough, force)
            if verdict.dominated:
                continue
            limits.noted[0] += verdict.slot >= 0

            if FIRST_SPECIAL <= move % ACTIONS < ACTION_KINDS:  # new barriers or lava
                measure(spare.board[here], width, rules, fields.distance[-1], workspace.queue)
                distance = fields.distance[-1]
            else:
                distance = fields.distance[row]
            if hopeless(spare, here, rules, order, limits, distance, steps_left, workspace):
                continue
            place = verdict.place
            if place < 0:
                place = count
                count += 1
                if verdict.slot >= 0:
                    met[verdict.slot].child = place
            score = promise(spare, here, rules, distance, order.weights, workspace.boxes)
            children.score[place] = score
            children.parent[place] = i
            children.move[place] = move
        if m >= moves:
            i, m = i + 1, 0
    return i, m, count, tried


@rare
def consider_end(game, order, limits, i, move):
    """The dock is empty: is it the best way so far?"""
    if order.objective == STEPS:
        better = game.timestep <= limits.steps[0]
        same = limits.best[0] >= 0 and game.timestep == limits.steps[0] + 1 and game.stamina > limits.best_stamina[0]
    else:
        better = game.stamina > limits.stamina[0]
        same = limits.best[0] >= 0 and game.stamina == limits.stamina[0] and game.timestep < limits.best[2]
    if better or same:
        limits.best[0], limits.best[1], limits.best[2] = i, move, game.timestep
        limits.best_stamina[0] = game.stamina
        if order.objective == STEPS:
            limits.steps[0] = game.timestep - 1
        else:
            limits.stamina[0] = game.stamina


@rare
def hopeless(state, i, rules, order, limits, distance, steps_left, workspace):
    """Is it certain that nothing of interest comes of this game?"""
    if is_stuck(state, i, distance, workspace.counts):
        return True
    if order.objective == STAMINA and most_stamina(state, i, rules, distance) <= limits.stamina[0]:
        return True
    return order.careful and too_late(state, i, rules, distance, steps_left, workspace)


@kernel
def follow(layer, rules, children, chosen, following, workspace):
    """Build the next layer from the chosen children."""
    for j in range(len(chosen)):
        child = chosen[j]
        i, move = np.int64(children.parent[child]), np.int64(children.move[child])
        copy_game(layer.state, i, following.state, j)
        if move >= ACTIONS and rules.actor == WALK:
            reach(following.state, j, workspace)
        make_move(following.state, j, rules, move, workspace)
        board_keys(following.state.board[j], layer.state.width, following.keys[j])


@kernel
def root_bounds(layer, rules, fields, limits, workspace):
    """The keys of the first game; whether it is stuck; the fewest steps it needs by the bounds; the most stamina."""
    width, first = layer.state.width, len(layer.keys) - 1
    board_keys(layer.state.board[first], width, layer.keys[first])
    row = field_of(fields, layer.keys[first, TERRAIN], layer.state.board[first], width, rules, workspace)
    distance = fields.distance[row]
    stuck = is_stuck(layer.state, first, distance, workspace.counts)
    steps = 0
    while steps <= limits.steps[0] and too_late(layer.state, first, rules, distance, steps, workspace):
        steps += 1
    return stuck, steps, most_stamina(layer.state, first, rules, distance)


class Found(NamedTuple):
    """A way to the end: moves, and what they cost."""

    moves: np.ndarray
    steps: int
    stamina: float


class Outcome(NamedTuple):
    found: Found | None  # the best way within the limits
    complete: bool  # nothing was dropped: there is no better one within the limits


class Searcher:
    """Searches from one game; the memory is taken once and used again."""

    def __init__(self, start: State, rules: RuleNumbers, memory: int):
        """`memory`: bytes for games, children and the table; a few more for the desk and the fields."""
        self.start, self.rules = start, rules
        self.boxes = int(start.game["boxes"][0])
        rows, cols = start.grid().shape[1:]
        self._size = rows, cols
        self._desk = new_workspace(start, self.boxes)
        self._fields = new_fields(start.board.shape[1])
        self._most_moves = len(self._desk.moves)
        node = sum(a.nbytes for a in self._rows(1)[:3]) + 24
        # A quarter for the table of games met, half for two layers, the rest for children and the way back.
        self.most_met = 1 << int(np.log2(max(memory / 4 / MET.itemsize, _FEW_MET)))
        self.met = np.zeros(_FEW_MET, MET)  # grows with what is met: touching much memory takes time, too
        self.most_games = max(64, int(memory / 2 / (2 * node)))
        self.most_children = max(8 * self._most_moves, int(memory / 8 / 20))
        self.most_history = int(memory / 8 / 8)
        self._searches = 0
        self.expanded = self.tried = 0
        self._layers: list[Layer] = []
        self._scratch = self._layer(1)

    def _rows(self, games: int) -> State:
        state = new_state(1, *self._size)
        shapes = state.board.shape[1], min(state.squares.shape[1], max(1, self.boxes // 4))  # a square takes four
        return State(
            np.zeros((games, shapes[0]), np.int8),
            np.zeros(games, state.game.dtype),
            np.zeros((games, shapes[1]), state.squares.dtype),
            state.width,
        )

    def _layer(self, games: int) -> Layer:
        return Layer(self._rows(games), np.zeros((games, 3), np.uint64))

    def _room(self, games: int) -> list[Layer]:
        """Two layers of at least this many games."""
        if not self._layers or len(self._layers[0].keys) < games:
            self._layers = []
            self._layers = [self._layer(games), self._layer(games)]
        return self._layers

    def _put_first(self, layer: Layer, start: State) -> None:
        layer.state.board[0] = start.board[0]
        layer.state.game[0] = start.game[0]
        layer.state.squares[0] = start.squares[0, : layer.state.squares.shape[1]]

    def bounds(self) -> tuple[bool, int, float]:
        """Of the first game: is it stuck; the fewest steps and the most stamina by the bounds."""
        layer = self._layer(1)
        self._put_first(layer, self.start)
        left = int(self.rules.max_timestep - self.start.game["timestep"][0])
        limits = new_limits(left, -np.inf)
        return root_bounds(layer, self.rules, self._fields, limits, self._desk)

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
        """Look for ways from `start` to an empty dock in at most so many steps (counted from the game's beginning)
        and, for the objective stamina, with more than `least_stamina`. Keeps `width` games a layer. `stop` is asked
        now and then."""
        self._searches += 1
        width = min(width, self.most_games)
        room = min(width * self._most_moves + self._most_moves, self.most_children)
        children = Children(np.empty(room), np.empty(room, np.int32), np.empty(room, np.int32))
        games_at_first = min(width, 1024)
        layer, following = self._room(games_at_first)
        self._put_first(layer, start)
        first_keys(layer)
        limits = new_limits(most_steps, least_stamina)
        ways: list[tuple[np.ndarray, np.ndarray]] = []
        found, complete, games, kept, number = None, True, 1, 0, 0
        while games:
            order = Order(objective, careful, weights, self._searches, number)
            first = begun = count = 0
            limits.best[0] = -1
            while first < games:
                first, begun, count, tried = expand(
                    layer, first, begun, games, count, self.rules, order, limits, self._fields, self.met, children,
                    self._scratch, self._desk,
                )  # fmt: skip
                self.tried += tried
                if 2 * limits.noted[0] > len(self.met) < self.most_met:
                    limits.noted[0] = self._enlarge_table()
                if stop():
                    self.expanded += first
                    if limits.best[0] >= 0:
                        found = self._found(ways, limits)
                    return Outcome(found, False)
                if count + self._most_moves > room and first < games:
                    count = self._halve(children, count)
                    complete = False
                    number += 1  # children have moved: what the table says of their places no longer holds
                    order = order._replace(layer=number)
            self.expanded += games
            number += 1
            if limits.best[0] >= 0:
                found = self._found(ways, limits)
            chosen = np.arange(count)
            kept += min(count, width)
            if kept > self.most_history:
                return Outcome(found, False)
            if count > width:
                complete = False
                chosen = np.argpartition(children.score[:count], width)[:width]
                chosen.sort()
            if len(chosen) > len(following.keys):
                layer, following = self._grow(layer, games, len(chosen))
            follow(layer, self.rules, children, chosen, following, self._desk)
            ways.append((children.parent[chosen], children.move[chosen]))
            layer, following, games = following, layer, len(chosen)
        return Outcome(found, complete)

    def _enlarge_table(self) -> int:
        larger = np.zeros(min(8 * len(self.met), self.most_met), MET)
        count = move_entries(self.met, larger, self._searches)
        self.met = larger
        return count

    def _grow(self, layer: Layer, games: int, needed: int) -> list[Layer]:
        """Larger layers with the same games in the first."""
        size = min(max(needed, 4 * len(layer.keys)), max(self.most_games, needed))
        larger = [self._layer(size), self._layer(size)]
        for target, source in zip(larger[0].state[:3], layer.state[:3], strict=True):
            target[:games] = source[:games]
        larger[0].keys[:games] = layer.keys[:games]
        self._layers = larger
        return larger

    def _halve(self, children: Children, count: int) -> int:
        """Keep the better half, to make room."""
        half = count // 2
        better = np.argpartition(children.score[:count], half)[:half]
        for array in children:
            array[:half] = array[better]
        return half

    def _found(self, ways: list, limits: Limits) -> Found:
        """Read the moves off backwards."""
        parent, moves = int(limits.best[0]), [int(limits.best[1])]
        for parents, made in reversed(ways):
            moves.append(int(made[parent]))
            parent = int(parents[parent])
        return Found(np.array(moves[::-1], np.int64), int(limits.best[2]), float(limits.best_stamina[0]))

    def after(self, moves: np.ndarray) -> State:
        """The game after these moves from the start."""
        return self._played(moves, self._desk)

    def actions(self, moves: np.ndarray) -> list[tuple[int, int, int]]:
        """The actions that these moves from the start are made of."""
        steps = int(self.after(moves).game["timestep"][0] - self.start.game["timestep"][0])
        workspace = new_workspace(self.start, self.boxes, steps)
        self._played(moves, workspace)
        return [(row, col, z) for row, col, z in workspace.diary[: workspace.written[0]].tolist()]

    def _played(self, moves: np.ndarray, workspace: Workspace) -> State:
        layer, following = self._layer(1), self._layer(1)
        self._put_first(layer, self.start)
        one = Children(np.zeros(1), np.zeros(1, np.int32), np.zeros(1, np.int32))
        for move in moves:
            one.move[0] = move
            follow(layer, self.rules, one, np.zeros(1, np.int64), following, workspace)
            layer, following = following, layer
        return layer.state


def new_limits(steps: int, stamina: float) -> Limits:
    return Limits(np.array([steps]), np.array([stamina]), np.full(3, -1), np.zeros(1), np.zeros(1, np.int64))


@kernel
def first_keys(layer):
    board_keys(layer.state.board[0], layer.state.width, layer.keys[0])
