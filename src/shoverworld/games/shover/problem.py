"""The game as a search problem: positions, moves and what they cost, for any textbook search.

    problem = ShoverProblem.of_map(Map.parse("..B.L"), rules="phase2")
    for action, position, cost in problem.successors(problem.start()): ...

Every move is made by the compiled rules, so a plan that a search finds can be played as it stands.
"""

from typing import Any

import numpy as np

from shoverworld.core.grid import cell_at, col_of, framed, row_of
from shoverworld.core.jit import kernel, rare

from . import rules as rulebook
from .config import ACTION_KINDS, CONTACT, FIRST_SPECIAL, FRONT, LAST_PUSH, LEAP, WALK, Rules, resolve_rules
from .engine import copy_game
from .maps import Map
from .measure import NO_WAY, boxes_on, native, pushes_to_lava
from .state import EMPTY, PLAYING, ShoverStart, State, checked_state, frame_of, new_state, set_frame

Action = tuple[int, int, int]

SMALLEST_SQUARE = 4  # boxes: with fewer there can be no perfect square any more
FACTS = 7  # what a key says beside the board and the squares


# ---------------------------------------------------------------- making the moves


@rare
def write_key(children, j, rules, occupancy, facts):
    """Write down what the future of game j depends on, see `Position`."""
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
    write_key(games, 0, rules, occupancy[0], facts[0])


@rare
def try_move(parent, rules, row, col, z, children, moves, occupancy, facts, j):
    """Make the move in a copy, child j, if it is valid; returns how many children there are then."""
    if not rulebook.is_valid(parent, 0, rules, row, col, z):
        return j
    copy_game(parent, 0, children, j)
    rulebook.step(children, j, rules, row, col, z)
    moves[j, 0], moves[j, 1], moves[j, 2] = row, col, z
    write_key(children, j, rules, occupancy[j], facts[j])
    return j + 1


@kernel
def expand(parent, rules, children, moves, occupancy, facts):
    """Make every move worth trying, each in a child of its own; returns how many there are."""
    game, board, width = parent.game[0], parent.board[0], parent.width
    if game.outcome != PLAYING:
        return 0
    count, empty = 0, -1
    for cell in range(width, len(board) - width):
        if board[cell] == EMPTY:
            empty = cell
        here = cell == cell_at(game.row, game.col, width) if rules.actor == WALK else rulebook.is_box(board[cell])
        if here:  # a walker acts from where he stands, the others on any box
            row, col = row_of(cell, width), col_of(cell, width)
            for z in range(rules.z_base, rules.z_base + 4):
                count = try_move(parent, rules, row, col, z, children, moves, occupancy, facts, count)
    if game.squares > 0:
        for z in range(rules.z_base + FIRST_SPECIAL, rules.z_base + ACTION_KINDS):
            count = try_move(parent, rules, 0, 0, z, children, moves, occupancy, facts, count)
        # Time is on the shover's side only while a square grows older: then waiting is worth a try.
        if rules.noop:
            count = try_move(parent, rules, 0, 0, rules.z_base - 1, children, moves, occupancy, facts, count)
        elif rules.actor == LEAP and empty >= 0:
            row, col = row_of(empty, width), col_of(empty, width)
            count = try_move(parent, rules, row, col, rules.z_base, children, moves, occupancy, facts, count)
    return count


# ---------------------------------------------------------------- positions


def facts_of(games: State) -> int:
    """How many numbers stand before the board in the key of such a game."""
    return FACTS + 2 * games.squares.shape[1]


class Position:
    """One game as a search sees it: hashable, and equal to any other from which the game goes on the same way.

    The key holds what lies where (strength marks have no effect), the shover's place if he walks, the boxes in
    motion or the last push, whichever the rules ask for, the squares with their ages, and the outcome. Stamina and
    timestep are left out, or hardly two positions would be the same. A search over steps meets a position with the
    fewest steps first; where stamina is so short that a longer, cheaper way is the only one, it can miss that way.
    What it does find is exact, for `state` carries stamina and timestep all along.
    """

    __slots__ = ("_games", "_place", "boxes", "estimate", "key")

    def __init__(self, games: State, place: int, key: bytes, boxes: int, estimate: float):
        self._games, self._place = games, place  # with its siblings, which were made in one go
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
        """The game itself, as `env.set_state` takes it: a view, do not write to it."""
        return self._games.row(self._place)

    @property
    def grid(self) -> np.ndarray:
        """(rows, cols) in the codes of rule 1.7: a view."""
        return self._games.grid()[self._place]

    def fact(self, name: str) -> Any:
        """A number of the game by its name in `state.GAME_RECORD`: timestep, row, col, chain, burnt, outcome, ..."""
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
        """What lies where, and where the shover stands if he walks: the part of the key that one can see."""
        facts = 4 * facts_of(self._games)
        return self.key[: 2 * 4] + self.key[facts:]


# ---------------------------------------------------------------- the problem


class ShoverProblem:
    """Clear the map in as few steps as possible, from a game as `env.get_state()` gives it.

    A problem of another kind overrides `is_goal`, or `estimates` for another heuristic.
    """

    def __init__(self, start: State, rules: "Rules | str"):
        checked_state(start)
        self.rules = resolve_rules(rules)
        self.numbers = self.rules.numbers()
        games = start.copy()
        set_frame(games, self.rules.edge)
        self._make_room(games)
        native(write_first_key, games, self.numbers, self._keys["occupancy"], self._keys["facts"])
        self._start = self._positions(games, 1)[0]

    @classmethod
    def of_map(cls, dock: Map, rules: "Rules | str" = "milestone1") -> "ShoverProblem":
        """The problem of a map. One without a start for the shover begins on its first empty cell."""
        rules = resolve_rules(rules)
        games = new_state(1, dock.rows, dock.cols)
        row, col = dock.with_start().agent or (0, 0)
        rulebook.reset(
            games, 0, rules.numbers(), ShoverStart(framed(dock.grid, frame_of(rules.edge)), row, col, -1, 0, 0)
        )
        return cls(games, rules)

    def _make_room(self, games: State) -> None:
        """What the kernel writes to, made once: there are never more boxes than at the start."""
        most = 7 if self.rules.actor == "walk" else 4 * int(games.game["boxes"][0]) + 3
        self._children = new_state(most, *games.grid().shape[1:])
        self._moves = np.zeros((most, 3), np.int64)
        parts: Any = [("facts", np.int32, facts_of(games)), ("occupancy", np.int8, games.board.shape[1])]
        self._keys = np.zeros(most, np.dtype(parts, align=True))
        self._room = self._children, self._moves, self._keys["occupancy"], self._keys["facts"]

    def _positions(self, games: State, count: int) -> list[Position]:
        """The games whose keys have just been written, as positions."""
        keys, size = self._keys[:count].tobytes(), self._keys.itemsize
        boxes, estimates = games.game["boxes"].tolist(), self.estimates(games).tolist()
        return [Position(games, i, keys[i * size : i * size + size], boxes[i], estimates[i]) for i in range(count)]

    def start(self) -> Position:
        return self._start

    def is_goal(self, state: Position) -> bool:
        return state.boxes == 0

    def successors(self, state: Position) -> list[tuple[Action, Position, float]]:
        """Every move worth trying: (action, the position it leads to, 1.0 for the step it takes).

        That is every valid push, the specials when there is a square, and, while a square grows older, to wait. A
        walker has his four directions instead of the pushes. A game that is over has no successors.
        """
        count = native(expand, state.state, self.numbers, *self._room)
        if count == 0:
            return []
        board, game, squares, width = self._children
        children = State(board[:count].copy(), game[:count].copy(), squares[:count].copy(), width)
        moves = map(tuple, self._moves[:count].tolist())
        return [(move, child, 1.0) for move, child in zip(moves, self._positions(children, count), strict=True)]

    def heuristic(self, state: Position) -> float:
        return state.estimate

    def estimates(self, games: State) -> np.ndarray:
        """The heuristic of many games at once: at least how many steps are left. It never says too much:

        - four boxes or more might all go in one step (a special, or squares that dissolve together): 1;
        - with fewer there can be no square any more, and each box has to burn. A box needs at least the pushes it
          would need alone on the map, and a step burns one box at the most: of the k + 1 boxes that need p pushes or
          more, the first burns in step p at the earliest and the last k steps later: p + k.
        """
        boxes = games.game["boxes"]
        least = np.minimum(boxes, 1).astype(np.float64)
        few = np.flatnonzero((boxes > 0) & (boxes < SMALLEST_SQUARE))
        if len(few):
            pushes = pushes_to_lava(games, self.numbers)
            for i in few.tolist():
                lonely = np.sort(pushes[i][boxes_on(games.board[i])])[::-1]
                most = (lonely + np.arange(len(lonely))).max()
                least[i] = np.inf if most >= NO_WAY else most
        return least
