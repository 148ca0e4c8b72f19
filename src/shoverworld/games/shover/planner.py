"""A beam search that clears maps: layer by layer, the most promising games of each number of pushes.

The rules are the compiled ones, so what it finds is exact; that it finds nothing proves nothing.
"""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.checks import number, word
from shoverworld.core.grid import UP, ahead, cell_at, col_of, row_of
from shoverworld.core.jit import inner, kernel, rare
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
    row: np.ndarray
    col: np.ndarray
    z: np.ndarray
    key: np.ndarray
    stamina: np.ndarray
    cleared: np.ndarray


class Feet(NamedTuple):
    """Scratch for a walker's way: a queue of cells, and the direction each was entered by (-1: not yet)."""

    queue: np.ndarray
    entered: np.ndarray


# ---------------------------------------------------------------- one push, with the walk to it


@rare
def advance(state, i, rules, row, col, z):
    return rulebook.step(state, i, rules, row, col, z).valid


@rare
def walk_to(state, i, rules, goal, feet, diary, written):
    """Walk game i's shover to a cell by a shortest way of empty cells, step by step through the rules.

    Returns how many actions stand in the diary then, or -1 when there is no way or the game ended on it.
    """
    game, board, width = state.game[i], state.board[i], state.width
    start = cell_at(game.row, game.col, width)
    for cell in range(len(board)):
        feet.entered[cell] = -1
    # Search from the goal back to the start, so that the way can be read off forwards.
    feet.queue[0], feet.entered[goal] = goal, 4
    head, tail = 0, 1
    while head < tail and feet.entered[start] < 0:
        cell = feet.queue[head]
        head += 1
        for direction in range(4):
            behind = cell - ahead(direction, width)
            if board[behind] == EMPTY and feet.entered[behind] < 0:
                feet.entered[behind] = direction
                feet.queue[tail] = behind
                tail += 1
    if feet.entered[start] < 0:
        return -1
    cell = start
    while cell != goal:
        direction = feet.entered[cell]
        cell += ahead(direction, width)
        z = rules.z_base + direction
        advance(state, i, rules, game.row, game.col, z)
        written = write(diary, written, game.row, game.col, z)
        if game.outcome != PLAYING or cell_at(game.row, game.col, width) != cell:
            return -1
    return written


@inner
def write(diary, written, row, col, z):
    if written < len(diary):
        diary[written, 0] = row
        diary[written, 1] = col
        diary[written, 2] = z
    return written + 1


@rare
def make_push(state, i, rules, row, col, z, feet, diary, written):
    """The push (or special) z at (row, col) in game i, after the walk to it. Returns the entries in the diary, or -1."""
    width = state.width
    if rules.actor == WALK and z - rules.z_base < 4:
        behind = cell_at(row, col, width) - ahead(z - rules.z_base, width)
        if state.board[i, behind] != EMPTY:
            return -1
        written = walk_to(state, i, rules, behind, feet, diary, written)
        if written < 0 or not rulebook.is_valid(state, i, rules, row, col, z):
            return -1
    if not advance(state, i, rules, row, col, z):
        return -1
    return write(diary, written, row, col, z)


@rare
def copy_game(source, i, target, j):
    for cell in range(source.board.shape[1]):
        target.board[j, cell] = source.board[i, cell]
    for q in range(max(source.game[i].squares, target.game[j].squares)):
        target.squares[j, q] = source.squares[i, q]
    target.game[j] = source.game[i]


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
def expand(layer, games, rules, distance, scratch, feet, diary, children):
    """Try every push and special in every game of the layer; returns how many children there are."""
    count = 0
    width = layer.width
    for i in range(games):
        for cell in range(width, layer.board.shape[1] - width):
            if rulebook.is_box(layer.board[i, cell]):
                row, col = row_of(cell, width), col_of(cell, width)
                for direction in range(UP, 4):
                    count = try_child(
                        layer, i, rules, distance, scratch, feet, diary, children, count, row, col, rules.z_base + direction
                    )
        if layer.game[i].squares > 0:
            for special in (rulebook.BARRIER_MAKER, rulebook.HELLIFY):
                count = try_child(
                    layer, i, rules, distance, scratch, feet, diary, children, count, 0, 0, rules.z_base + special
                )
    return count


@rare
def try_child(layer, i, rules, distance, scratch, feet, diary, children, count, row, col, z):
    copy_game(layer, i, scratch, 0)
    if count == len(children.score) or make_push(scratch, 0, rules, row, col, z, feet, diary, 0) < 0:
        return count
    outcome = scratch.game[0].outcome
    if outcome != PLAYING and outcome != CLEARED:
        return count
    children.score[count] = promise(scratch, 0, rules, distance)
    children.parent[count] = i
    children.row[count] = row
    children.col[count] = col
    children.z[count] = z
    children.key[count] = key_of(scratch, 0)
    children.stamina[count] = scratch.game[0].stamina
    children.cleared[count] = outcome == CLEARED
    return count + 1


@kernel
def follow(layer, rules, children, chosen, following, feet, diary):
    """Build the next layer from the chosen children."""
    for j in range(len(chosen)):
        child = chosen[j]
        copy_game(layer, children.parent[child], following, j)
        make_push(following, j, rules, children.row[child], children.col[child], children.z[child], feet, diary, 0)


@kernel
def perform(state, rules, row, col, z, feet, diary, written):
    """One push on game 0, written down action by action."""
    return make_push(state, 0, rules, row, col, z, feet, diary, written)


# ---------------------------------------------------------------- the search


class Beam:
    """Beam searches from one game, each twice as careful as the one before."""

    def __init__(self, start: State, rules: RuleNumbers):
        self.start, self.rules = start, rules
        self.expanded = 0
        cells = start.board.shape[1]
        self.distance = lava_distance(start.board[0], start.width)
        self.feet = Feet(np.zeros(cells + 1, np.int64), np.zeros(cells, np.int64))
        self.no_diary = np.zeros((0, 3), np.int64)

    def warm_up(self) -> "Beam":
        """Have everything compiled, so that it does not count as time spent searching."""
        nothing = new_state(1, *self.start.grid().shape[1:])
        children, nobody = _new_children(1), np.zeros(0, np.int64)
        expand(nothing, 0, self.rules, self.distance, nothing, self.feet, self.no_diary, children)
        follow(nothing, self.rules, children, nobody, nothing, self.feet, self.no_diary)
        perform(nothing, self.rules, 0, 0, self.rules.z_base + 4, self.feet, self.no_diary, 0)
        return self

    def search(self, width: int, deadline: float, most_expanded: int) -> list[tuple[int, int, int]] | None:
        """The pushes that clear the map, the walks to them included, or None."""
        start = self.start
        rows, cols = start.grid().shape[1:]
        layer, following = new_state(width, rows, cols), new_state(width, rows, cols)
        scratch = new_state(1, rows, cols)
        for array, first in zip(layer[:3], start[:3], strict=True):
            array[0] = first[0]
        children = _new_children(width * (4 * int(start.game["boxes"][0]) + 2))
        games, ways = 1, []
        for _ in range(int(self.rules.max_timestep)):
            count = expand(layer, games, self.rules, self.distance, scratch, self.feet, self.no_diary, children)
            self.expanded += games
            cleared = np.flatnonzero(children.cleared[:count])
            if len(cleared):
                best = cleared[np.argmax(children.stamina[cleared])]
                return self._way_back([*ways, (children, np.array([best]))])
            chosen = _best_different(children, count, width)
            if len(chosen) == 0 or self.expanded > most_expanded or time.perf_counter() > deadline:
                return None
            follow(layer, self.rules, children, chosen, following, self.feet, self.no_diary)
            ways.append((Children(*(array[:count].copy() for array in children)), chosen))
            layer, following, games = following, layer, len(chosen)
        return None

    def _way_back(self, ways: list[tuple[Children, np.ndarray]]) -> list[tuple[int, int, int]]:
        """From the last child back to the first, then forwards through the rules to fill in the walks."""
        pushes, place = [], 0
        for children, chosen in reversed(ways):
            child = chosen[place]
            pushes.append((int(children.row[child]), int(children.col[child]), int(children.z[child])))
            place = children.parent[child]
        game = self.start.copy()
        diary = np.zeros((int(self.rules.max_timestep), 3), np.int64)
        written = 0
        for row, col, z in reversed(pushes):
            written = perform(game, self.rules, row, col, z, self.feet, diary, written)
        return [tuple(action) for action in diary[:written].tolist()]


def _new_children(most: int) -> Children:
    whole = [np.zeros(most, np.int64) for _ in range(5)]
    return Children(np.zeros(most), *whole, np.zeros(most), np.zeros(most, np.bool_))


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
