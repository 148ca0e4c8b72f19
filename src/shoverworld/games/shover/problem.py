"""Shover-World as a problem for the textbook search algorithms: positions, moves and costs.

    problem = ShoverProblem.of_map(Map.parse("..B.L"), rules="phase2")
    for action, position, cost in problem.successors(problem.start()): ...

Every move is made by the compiled rules, so a plan found by a search can be played unchanged.
"""

from typing import Any

import numpy as np

from shoverworld.core.grid import cell_at, col_of, framed, row_of
from shoverworld.core.jit import kernel, rare

from . import rules as rulebook
from .checking import checked_state
from .config import ACTION_KINDS, CONTACT, FIRST_SPECIAL, FRONT, LAST_PUSH, LEAP, USUAL, WALK, Rules, resolve_rules
from .engine import copy_game
from .maps import Map
from .measure import NO_WAY, boxes_on, native, pushes_to_lava
from .state import EMPTY, PLAYING, State, adopt_rules, frame_of, new_state, start_on

Action = tuple[int, int, int]

SMALLEST_SQUARE = 4  # the number of boxes in the smallest perfect square
FACTS = 7  # the number of values in a key besides the board and the squares


# ---------------------------------------------------------------- making the moves


@rare
def write_key(children, j, rules, occupancy, facts):
    """Write the key of game j, which contains everything that the rest of the game depends on (see `Position`)."""
    board, squares, game = children.board[j], children.squares[j], children.game[j]
    for cell in range(len(board)):
        occupancy[cell] = 1 if rulebook.is_box(board[cell]) else board[cell]
    for place in range(len(facts)):
        facts[place] = 0
    if rules.actor == WALK:
        facts[0], facts[1] = game.row, game.col
    facts[2] = game.outcome
    if (rules.stationary == CONTACT or rules.stationary == FRONT) and game.moving > 0:
        facts[3], facts[4], facts[5] = game.moving, game.moving_cell, game.moving_direction
    if rules.stationary == LAST_PUSH:
        facts[6] = game.last_push
    for place in range(game.squares):
        facts[FACTS + 2 * place] = squares[place].corner
        facts[FACTS + 2 * place + 1] = game.timestep - squares[place].born


@kernel
def write_first_key(games, rules, occupancy, facts):
    """Write the key of game 0."""
    write_key(games, 0, rules, occupancy[0], facts[0])


@rare
def try_move(parent, rules, row, col, z, children, moves, occupancy, facts, j):
    """If the move is valid, make it in child j, a copy of the parent. Return the number of children so far."""
    if not rulebook.is_valid(parent, 0, rules, row, col, z):
        return j
    copy_game(parent, 0, children, j)
    rulebook.step(children, j, rules, row, col, z)
    moves[j, 0], moves[j, 1], moves[j, 2] = row, col, z
    write_key(children, j, rules, occupancy[j], facts[j])
    return j + 1


@kernel
def expand(parent, rules, children, moves, occupancy, facts):
    """Make every useful move, each in a separate child. Return the number of children."""
    game, board, width = parent.game[0], parent.board[0], parent.width
    if game.outcome != PLAYING:
        return 0
    count, empty = 0, -1
    for cell in range(width, len(board) - width):
        if board[cell] == EMPTY:
            empty = cell
        here = cell == cell_at(game.row, game.col, width) if rules.actor == WALK else rulebook.is_box(board[cell])
        if here:  # a walker acts from its own cell; other actors act on any box
            row, col = row_of(cell, width), col_of(cell, width)
            for z in range(rules.z_base, rules.z_base + 4):
                count = try_move(parent, rules, row, col, z, children, moves, occupancy, facts, count)
    if game.squares > 0:
        for z in range(rules.z_base + FIRST_SPECIAL, rules.z_base + ACTION_KINDS):
            count = try_move(parent, rules, 0, 0, z, children, moves, occupancy, facts, count)
        # Waiting can help only while a square ages.
        if rules.noop:
            count = try_move(parent, rules, 0, 0, rules.z_base - 1, children, moves, occupancy, facts, count)
        elif rules.actor == LEAP and empty >= 0:
            row, col = row_of(empty, width), col_of(empty, width)
            count = try_move(parent, rules, row, col, rules.z_base, children, moves, occupancy, facts, count)
    return count


# ---------------------------------------------------------------- positions


def facts_of(games: State) -> int:
    """Return how many numbers precede the board in the key of each of these games."""
    return FACTS + 2 * games.squares.shape[1]


class Position:
    """One game as a search node. Positions are hashable, and positions with equal keys are equal.

    The key contains the board (without strength marks, which have no effect), the cell of a walking shover, the moving
    boxes or the last push (depending on the rules), the squares with their ages, and the outcome. The key does not
    contain the stamina or the timestep, since otherwise hardly any two positions would be equal. A search that
    minimises steps therefore first reaches each position by a shortest path. If stamina is so scarce that only a
    longer, cheaper path works, the search can miss that path. The plans that the search finds are exact because `state`
    contains the stamina and the timestep.
    """

    __slots__ = ("_games", "_place", "boxes", "estimate", "key")

    def __init__(self, games: State, place: int, key: bytes, boxes: int, estimate: float):
        self._games, self._place = games, place  # siblings share the same `games`
        self.key = key
        self.boxes = boxes
        self.estimate = estimate

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Position({self.boxes} boxes, stamina {self.stamina:g}, timestep {self.fact('timestep')})"

    @property
    def state(self) -> State:
        """The state of the game, for `env.set_state`. It is a view and must not be modified."""
        return self._games.row(self._place)

    @property
    def grid(self) -> np.ndarray:
        """A view of the grid (rows, cols) with the codes from rule 1.7."""
        return self._games.grid()[self._place]

    def fact(self, name: str) -> Any:
        """Return the value of a field in `state.GAME_RECORD`, such as timestep, row, chain or outcome."""
        return self._games.game[name][self._place].item()

    @property
    def stamina(self) -> float:
        return self.fact("stamina")

    @property
    def squares(self) -> list[tuple[int, tuple[int, int]]]:
        """The perfect squares as `(n, (row, col))`, oldest first."""
        found = self._games.squares_found()[self._place, : self.fact("squares")].tolist()
        return [(n, (row, col)) for n, row, col in found]

    @property
    def layout(self) -> bytes:
        """The visible part of the key: the board and the cell of a walking shover."""
        facts = 4 * facts_of(self._games)
        return self.key[: 2 * 4] + self.key[facts:]


# ---------------------------------------------------------------- the problem


class ShoverProblem:
    """The problem of clearing the map in as few steps as possible, starting from a state (`env.get_state()`).

    A subclass may override `is_goal` for a different goal, or `estimates` for a different heuristic.
    """

    def __init__(self, start: State, rules: "Rules | str"):
        checked_state(start)
        self.rules = resolve_rules(rules)
        self.numbers = self.rules.numbers()
        games = start.copy()
        adopt_rules(games, self.rules)
        self._allocate(games)
        native(write_first_key, games, self.numbers, self._keys["occupancy"], self._keys["facts"])
        self._start = self._positions(games, 1)[0]

    @classmethod
    def of_map(cls, dock: Map, rules: "Rules | str | None" = None) -> "ShoverProblem":
        """Create the problem of clearing a map. If the map has no start, the shover starts on the first empty cell.

        rules: the rules of the game. The default is the rules in the header of the map, or "milestone1" if there are
        none.
        """
        rules = resolve_rules(rules or dock.rules or USUAL)
        games = new_state(1, dock.rows, dock.cols)
        board = framed(dock.grid, frame_of(rules.edge))
        rulebook.reset(games, 0, rules.numbers(), start_on([board], [dock.with_start().agent]))
        return cls(games, rules)

    def _allocate(self, games: State) -> None:
        """Allocate the arrays that the kernel writes to. The number of boxes never grows, so one call is enough."""
        most = 7 if self.rules.actor == "walk" else 4 * int(games.game["boxes"][0]) + 3
        self._children = new_state(most, *games.grid().shape[1:])
        self._moves = np.zeros((most, 3), np.int64)
        parts: Any = [("facts", np.int32, facts_of(games)), ("occupancy", np.int8, games.board.shape[1])]
        self._keys = np.zeros(most, np.dtype(parts, align=True))
        self._buffers = self._children, self._moves, self._keys["occupancy"], self._keys["facts"]

    def _positions(self, games: State, count: int) -> list[Position]:
        """Return the positions of the games whose keys have just been written."""
        keys, size = self._keys[:count].tobytes(), self._keys.itemsize
        boxes, estimates = games.game["boxes"].tolist(), self.estimates(games).tolist()
        return [Position(games, i, keys[i * size : i * size + size], boxes[i], estimates[i]) for i in range(count)]

    def start(self) -> Position:
        return self._start

    def is_goal(self, state: Position) -> bool:
        return state.boxes == 0

    def successors(self, state: Position) -> list[tuple[Action, Position, float]]:
        """Return (action, next position, 1.0) for every useful action; each action costs one step.

        The useful actions are all valid pushes, the special actions if there is a square, and waiting while a square
        ages. For a walker, the four directions replace the pushes. A finished game has no successors.
        """
        count = native(expand, state.state, self.numbers, *self._buffers)
        if count == 0:
            return []
        board, game, squares, width = self._children
        children = State(board[:count].copy(), game[:count].copy(), squares[:count].copy(), width)
        moves = map(tuple, self._moves[:count].tolist())
        return [(move, child, 1.0) for move, child in zip(moves, self._positions(children, count), strict=True)]

    def heuristic(self, state: Position) -> float:
        return state.estimate

    def estimates(self, games: State) -> np.ndarray:
        """Return the heuristic values of many games. They are admissible lower bounds on the remaining steps.

        - Four or more boxes may all disappear in one step (through a special action or dissolving squares): the
          bound is 1.
        - Fewer boxes cannot form a square, so each box has to burn. A box needs at least as many pushes as it would if
          it were alone on the map, and a step burns at most one box. If k + 1 boxes each need at least p pushes, the
          first of them burns in step p at the earliest and the last at least k steps later, so the bound is p + k.
        """
        boxes = games.game["boxes"]
        least = np.minimum(boxes, 1).astype(np.float64)
        few = np.flatnonzero((boxes > 0) & (boxes < SMALLEST_SQUARE))
        if len(few):
            pushes = pushes_to_lava(games, self.numbers)
            for i in few.tolist():
                alone = np.sort(pushes[i][boxes_on(games.board[i])])[::-1]
                most = (alone + np.arange(len(alone))).max()
                least[i] = np.inf if most >= NO_WAY else most
        return least
