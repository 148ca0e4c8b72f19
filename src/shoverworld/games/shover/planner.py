"""A beam search that clears maps: layer by layer, the most promising games of each number of pushes.

The rules are the compiled ones, so what it finds is exact; that it finds nothing proves nothing.
"""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.checks import number, word
from shoverworld.core.grid import ahead, cell_at, col_of, row_of
from shoverworld.core.jit import kernel, rare
from shoverworld.core.plan import Plan

from . import rules as rulebook
from .config import WALK, RuleNumbers, Rules
from .state import BARRIER, CLEARED, EMPTY, LAVA, PLAYING, State, new_state

WIDTHS = (8, 64, 512, 2048)
_FAR = 99  # pushes to the lava that a box counts for when no way leads there


class Children(NamedTuple):
    """Every push that some game of a layer could make next."""

    score: np.ndarray
    parent: np.ndarray
    move: np.ndarray  # (most, 3): row, col, z
    key: np.ndarray
    stamina: np.ndarray
    cleared: np.ndarray


class Desk(NamedTuple):
    """Scratch paper: a queue of cells and the direction each was entered by (-1: not yet), for a walker's way;
    the moves of one game; a diary of actions and how many stand in it."""

    queue: np.ndarray
    entered: np.ndarray
    moves: np.ndarray
    diary: np.ndarray
    written: np.ndarray


# ---------------------------------------------------------------- one push, with the walk to it


@rare
def advance(state, i, rules, row, col, z, desk):
    """One step of game i, written down in the diary as long as there is room. Was it valid?"""
    valid = rulebook.step(state, i, rules, row, col, z).valid
    line = desk.written[0]
    if line < len(desk.diary):
        desk.diary[line, 0] = row
        desk.diary[line, 1] = col
        desk.diary[line, 2] = z
        desk.written[0] = line + 1
    return valid


@rare
def walk_to(state, i, rules, goal, desk):
    """Walk game i's shover to a cell by a shortest way of empty cells, step by step through the rules. Is he there?"""
    game, board, width = state.game[i], state.board[i], state.width
    start = cell_at(game.row, game.col, width)
    for cell in range(len(board)):
        desk.entered[cell] = -1
    # Search from the goal back to the start, so that the way can be read off forwards.
    desk.queue[0], desk.entered[goal] = goal, 4
    head, tail = 0, 1
    while head < tail and desk.entered[start] < 0:
        cell = desk.queue[head]
        head += 1
        for direction in range(4):
            behind = cell - ahead(direction, width)
            if board[behind] == EMPTY and desk.entered[behind] < 0:
                desk.entered[behind] = direction
                desk.queue[tail] = behind
                tail += 1
    if desk.entered[start] < 0:
        return False
    cell = start
    while cell != goal:
        direction = desk.entered[cell]
        cell += ahead(direction, width)
        if not advance(state, i, rules, game.row, game.col, rules.z_base + direction, desk) or game.outcome != PLAYING:
            return False
    return True


@rare
def make_move(state, i, rules, row, col, z, desk):
    """The push or special z at (row, col) in game i, after the walk to it. Did it work out?"""
    if rules.actor == WALK and z - rules.z_base < rulebook.BARRIER_MAKER:
        behind = cell_at(row, col, state.width) - ahead(z - rules.z_base, state.width)
        if state.board[i, behind] != EMPTY or not walk_to(state, i, rules, behind, desk):
            return False
    return rulebook.is_valid(state, i, rules, row, col, z) and advance(state, i, rules, row, col, z, desk)


@rare
def copy_game(source, i, target, j):
    for cell in range(source.board.shape[1]):
        target.board[j, cell] = source.board[i, cell]
    for q in range(source.squares.shape[1]):
        target.squares[j, q] = source.squares[i, q]
    target.game[j] = source.game[i]


@rare
def list_moves(state, i, rules, moves):
    """Every push at every box of game i, and the specials when there is a square; returns how many."""
    count = 0
    width = state.width
    for cell in range(width, state.board.shape[1] - width):
        if rulebook.is_box(state.board[i, cell]):
            for direction in range(4):
                moves[count, 0] = row_of(cell, width)
                moves[count, 1] = col_of(cell, width)
                moves[count, 2] = rules.z_base + direction
                count += 1
    if state.game[i].squares > 0:
        for special in range(rulebook.BARRIER_MAKER, rulebook.HELLIFY + 1):
            moves[count, 0] = 0
            moves[count, 1] = 0
            moves[count, 2] = rules.z_base + special
            count += 1
    return count


# ---------------------------------------------------------------- how promising a game is


def lava_distance(board: np.ndarray, width: int) -> np.ndarray:
    """For each cell, over how many pushes the nearest lava lies, boxes ignored; the frame counts as what it is."""
    distance = np.full(len(board), _FAR, np.int64)
    border = np.flatnonzero(board == LAVA).tolist()
    distance[border] = 0
    while border:
        following = []
        for cell in border:
            for step in (-width, 1, width, -1):
                near = cell + step
                if 0 <= near < len(board) and distance[near] == _FAR and board[near] not in (BARRIER, LAVA):
                    distance[near] = distance[cell] + 1
                    following.append(near)
        border = following
    return distance


@rare
def promise(state, i, rules, distance):
    """The lower, the better: pushes that every box still needs, boxes left, and the stamina spent so far."""
    board = state.board[i]
    needed = 0
    for cell in range(len(board)):
        if rulebook.is_box(board[cell]):
            needed += distance[cell] + 2
    return needed - state.game[i].stamina / (rules.initial_force + rules.unit_force + 1.0)


@rare
def key_of(state, i):
    """A number that games with the same board, motion and place of the shover share."""
    game, board = state.game[i], state.board[i]
    key = 2166136261
    for cell in range(len(board)):
        key = ((key ^ (board[cell] & 255)) * 16777619) & 0xFFFFFFFF
    for part in (game.row, game.col, game.moving, game.moving_cell, game.moving_direction):
        key = ((key ^ (part & 0xFFFF)) * 16777619) & 0xFFFFFFFF
    return key


@kernel
def expand(layer, games, rules, distance, desk, children):
    """Try every move in every game of the layer; returns how many children there are. The last row is for trying out."""
    count = 0
    spare = len(layer.game) - 1
    for i in range(games):
        moves = list_moves(layer, i, rules, desk.moves)
        for m in range(moves):
            row, col, z = desk.moves[m, 0], desk.moves[m, 1], desk.moves[m, 2]
            copy_game(layer, i, layer, spare)
            if not make_move(layer, spare, rules, row, col, z, desk):
                continue
            game = layer.game[spare]
            if game.outcome == PLAYING or game.outcome == CLEARED:
                children.score[count] = promise(layer, spare, rules, distance)
                children.parent[count] = i
                children.move[count, 0] = row
                children.move[count, 1] = col
                children.move[count, 2] = z
                children.key[count] = key_of(layer, spare)
                children.stamina[count] = game.stamina
                children.cleared[count] = game.outcome == CLEARED
                count += 1
    return count


@kernel
def follow(layer, rules, children, chosen, following, desk):
    """Build the next layer from the chosen children."""
    for j in range(len(chosen)):
        child = chosen[j]
        copy_game(layer, children.parent[child], following, j)
        row, col, z = children.move[child, 0], children.move[child, 1], children.move[child, 2]
        make_move(following, j, rules, row, col, z, desk)


@kernel
def write_out(state, i, rules, pushes, desk):
    """Make these pushes in game i, with every step of the walks to them written down in the diary."""
    for p in range(len(pushes)):
        make_move(state, i, rules, pushes[p, 0], pushes[p, 1], pushes[p, 2], desk)


# ---------------------------------------------------------------- the search


class Beam:
    """Beam searches from one game that was just begun."""

    def __init__(self, start: State, rules: RuleNumbers):
        self.start, self.rules = start, rules
        self.expanded = 0
        self.distance = lava_distance(start.board[0], start.width)
        self.most_moves = 4 * int(start.game["boxes"][0]) + 2

    def warm_up(self) -> "Beam":
        """Have everything compiled, so that it does not count as time spent searching."""
        layer, children, desk = self._room(1)
        expand(layer, 0, self.rules, self.distance, desk, children)
        follow(layer, self.rules, children, np.zeros(0, np.int64), layer, desk)
        write_out(layer, 0, self.rules, np.zeros((0, 3), np.int64), desk)
        return self

    def _room(self, width: int, diary: int = 0) -> tuple[State, Children, Desk]:
        layer = new_state(width + 1, *self.start.grid().shape[1:])
        most, cells = width * self.most_moves, layer.board.shape[1]
        parent, move, key = np.zeros(most, np.int64), np.zeros((most, 3), np.int64), np.zeros(most, np.int64)
        children = Children(np.zeros(most), parent, move, key, np.zeros(most), np.zeros(most, np.bool_))
        shapes = (cells, cells, (self.most_moves, 3), (diary, 3), 1)
        return layer, children, Desk(*(np.zeros(shape, np.int64) for shape in shapes))

    def search(self, width: int, deadline: float, most_expanded: int) -> list[tuple[int, int, int]] | None:
        """The actions that clear the map, or None. Keeps the `width` most promising games after each push."""
        layer, children, desk = self._room(width)
        following = layer.copy()
        for array, first in zip(layer[:3], self.start[:3], strict=True):
            array[0] = first[0]
        games, ways = 1, []
        for _ in range(self.rules.max_timestep):
            count = expand(layer, games, self.rules, self.distance, desk, children)
            self.expanded += games
            cleared = np.flatnonzero(children.cleared[:count])
            if len(cleared):
                best = cleared[np.argmax(children.stamina[cleared])]
                return self._way_to(ways, int(children.parent[best]), children.move[best])
            chosen = _best_different(children, count, width)
            if len(chosen) == 0 or self.expanded > most_expanded or time.perf_counter() > deadline:
                return None
            follow(layer, self.rules, children, chosen, following, desk)
            ways.append((children.parent[chosen], children.move[chosen]))
            layer, following, games = following, layer, len(chosen)
        return None

    def _way_to(self, ways: list, parent: int, last: np.ndarray) -> list[tuple[int, int, int]]:
        """Read the pushes off backwards, then play them forwards to fill in the walks."""
        pushes = [last]
        for parents, moves in reversed(ways):
            pushes.append(moves[parent])
            parent = parents[parent]
        _, _, desk = self._room(1, diary=self.rules.max_timestep)
        write_out(self.start.copy(), 0, self.rules, np.array(pushes[::-1]), desk)
        return [(row, col, z) for row, col, z in desk.diary[: desk.written[0]].tolist()]


def _best_different(children: Children, count: int, width: int) -> np.ndarray:
    """The `width` best children of which no two are the same game."""
    order = np.argsort(children.score[:count], kind="stable")
    _, first = np.unique(children.key[order], return_index=True)
    return order[np.sort(first)[:width]]


def searches(beam: Beam, deadline: float, most_expanded: int = 2**62) -> Iterator[tuple[Any, int]]:
    """Plans as they are found: (actions or None, games expanded so far)."""
    for width in WIDTHS:
        if time.perf_counter() > deadline or beam.expanded > most_expanded:
            return
        yield beam.search(width, deadline, most_expanded), beam.expanded


def solve(m: Any, rules: "str | Rules" = "milestone1", objective: str = "steps", time_limit: float = 10.0) -> Plan:
    """Look for a plan that clears a map: with the fewest steps, or with the most stamina left.

    The plan has been replayed through the rules. Where the shover starts matters to walkers only: a map without a
    start is planned for from the first empty cell.
    """
    from .env import ShoverWorldEnv  # the environment makes solvable maps with this module

    word("objective", objective, ("steps", "stamina"))
    limit = number("time_limit", time_limit, at_least=0)
    env = ShoverWorldEnv(rules=rules)
    if m.agent is None:
        m = type(m)(m.grid, tuple(np.argwhere(m.grid == EMPTY)[0].tolist()), m.name)
    env.reset(options={"map": m})
    start = env.get_state()
    least = 1 if start.game["boxes"][0] else 0
    best = Plan("unknown", lower_bound=least)
    beam = Beam(start, env.rules.numbers()).warm_up()
    began = time.perf_counter()
    for actions, expanded in searches(beam, began + limit):
        if actions is not None:
            env.set_state(start)
            stamina = [env.step(action)[4]["stamina"] for action in actions][-1]
            better = stamina > best.final_stamina if objective == "stamina" else len(actions) < best.steps
            if best.status == "unknown" or better:
                best = Plan("solved", actions, stamina, expanded, objective == "steps" and len(actions) == least, least)
        best = Plan(**{**best.__dict__, "expanded": expanded, "seconds": time.perf_counter() - began})
    env.set_state(start)
    best.verify(env)
    return best
