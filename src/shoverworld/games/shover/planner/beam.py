# pyright: basic
"""The memory of a layer-by-layer search, and how the search goes from one layer to the next.

    layer 0    layer 1    layer 2
                 +-- a ----- d         the start and the games that are one move away from the layer before;
    start -------+-- b                 each of them is a node of the path memory, which knows its parent and its move
                 +-- c ----- e

With a small width, the search is a beam search that finds plans. A search that drops no game covers everything within
its limits, so its result is proved. The same search can therefore find plans, prove that no better plan exists and
prove that a map cannot be cleared at all.

Of two children with the same score, the search keeps the one that was found first. A search therefore gives the same
result on every machine (NumPy's own selection of the best does not).
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import record_type
from shoverworld.core.jit import inner, kernel, rare

from ..state import State, new_state

STAY = -1  # stands for the move that leads to the first game of a search


class Layer(NamedTuple):
    """Games that have been reached in the same number of moves."""

    state: State
    keys: np.ndarray  # uint64 (N, 3): the keys of the boards (see keys.py)


class Children(NamedTuple):
    """The candidates for the next layer."""

    score: np.ndarray  # float64: the lower, the better
    parent: np.ndarray  # int32: the index of the parent in its layer
    move: np.ndarray  # int32
    cost: np.ndarray  # float64: the cost of the path, or an empty array (see `Beam.cost`)


class Paths(NamedTuple):
    """The nodes of all layers of a search."""

    parent: np.ndarray  # int32: the node of the parent; 0 for the start
    move: np.ndarray  # int32: the move that leads from the parent to this node, or STAY


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

# How far a search has come.
PROGRESS = record_type(
    [
        ("search", np.int64),  # the number of the search; table entries from earlier searches count as empty
        ("layer", np.int64),  # the number of the layer that is being expanded
        ("stamp", np.int64),  # changes when the indices of children in the table become invalid
        ("games", np.int64),  # the number of games in the layer, or 0 if the search is over
        ("node", np.int64),  # the node of the first of them
        ("origin", np.int64),  # the node of the first game in the layer before
        ("first", np.int64),  # the first game that is not fully expanded
        ("begun", np.int64),  # the number of its moves that have been tried
        ("children", np.int64),  # the number of children so far
        ("expanded", np.int64),  # the number of games expanded by this search
        ("tried", np.int64),  # the number of moves tried by this search
        ("complete", np.int64),  # 1 if no game was dropped, otherwise 0
        ("found", np.int64),  # the node before the last move of the best plan, or -1
        ("move", np.int64),  # the last move of the best plan
        ("steps", np.int64),  # its number of steps
        ("stamina", np.float64),  # its final stamina
    ]
)


class Beam(NamedTuple):
    """The memory of a search."""

    even: Layer  # the layers with even numbers
    odd: Layer  # the layers with odd numbers; at the beginning, the first game
    children: Children
    paths: Paths
    scores: np.ndarray  # float64 (children,): scratch
    cost: np.ndarray  # float64: the cost of the path of each game in the layer; empty if a search does not need costs
    progress: np.ndarray  # PROGRESS (1,)
    limits: np.ndarray  # LIMITS (1,)


def new_layer(games: int, rows: int, cols: int, boxes: int) -> Layer:
    """Allocate a layer for games with at most this many boxes."""
    state = new_state(games, rows, cols)
    squares = min(state.squares.shape[1], max(1, boxes // 4))  # a square has at least four boxes
    state = state._replace(squares=np.zeros((games, squares), state.squares.dtype))
    return Layer(state, np.zeros((games, 3), np.uint64))


def new_children(count: int, costs: bool) -> Children:
    return Children(np.empty(count), np.empty(count, np.int32), np.empty(count, np.int32), np.empty(count * costs))


@rare
def begin_search(beam, start, i, most_steps, least_stamina):
    """Begin a search from game i of `start`."""
    progress, limits, first = beam.progress[0], beam.limits[0], beam.odd.state
    for cell in range(first.board.shape[1]):
        first.board[0, cell] = start.board[i, cell]
    for place in range(first.squares.shape[1]):
        first.squares[0, place] = start.squares[i, place]
    first.game[0] = start.game[i]
    beam.paths.parent[0], beam.paths.move[0] = 0, STAY
    for place in range(min(1, len(beam.cost))):
        beam.cost[place] = 0.0
    limits.steps, limits.stamina, limits.best_parent, limits.entries = most_steps, least_stamina, -1, 0
    progress.search += 1
    progress.layer, progress.stamp, progress.games, progress.complete, progress.found = 0, 0, 1, 1, -1
    progress.node, progress.origin, progress.first, progress.begun, progress.children = 0, 0, 0, 0, 0
    progress.expanded, progress.tried = 0, 0


@kernel
def begin(beam, start, most_steps, least_stamina):
    """Begin a search from the last game of `start`."""
    begin_search(beam, start, len(start.game) - 1, most_steps, least_stamina)


@inner
def layers_of(beam):
    """Return the layer before the current one, and the current layer."""
    if beam.progress[0].layer % 2 == 0:
        return beam.odd, beam.even
    return beam.even, beam.odd


@inner
def origin_of(beam, i):
    """Return the index in the layer before from which game i results, and the move that leads there."""
    node = beam.progress[0].node + i
    return beam.paths.parent[node] - beam.progress[0].origin, beam.paths.move[node]


@rare
def smallest(values, count, k):
    """Return the value that `count` values have at place k when they are sorted. Reorders the values."""
    low, high = 0, count - 1
    while low < high:
        one, two, three = values[low], values[(low + high) // 2], values[high]
        pivot = max(min(one, two), min(max(one, two), three))
        i, j = low, high
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if k <= j:
            high = j
        elif k >= i:
            low = i
        else:
            break
    return values[k]


@rare
def keep_best(beam, most):
    """Keep only the best `most` children, in the order in which they were found."""
    children, count = beam.children, beam.progress[0].children
    for c in range(count):
        beam.scores[c] = children.score[c]
    limit, ties = smallest(beam.scores, count, most - 1), most
    for c in range(count):
        ties -= children.score[c] < limit
    kept = 0
    for c in range(count):
        score = children.score[c]
        if score < limit or (score == limit and ties > 0):
            ties -= score == limit
            children.score[kept], children.parent[kept] = score, children.parent[c]
            children.move[kept] = children.move[c]
            if len(children.cost) > 0:
                children.cost[kept] = children.cost[c]
            kept += 1
    beam.progress[0].children = kept
    beam.progress[0].complete = 0


@rare
def note_plan(beam):
    """Store the best plan of the current layer, which is better than those of the layers before."""
    progress, limits = beam.progress[0], beam.limits[0]
    if limits.best_parent >= 0:
        progress.found, progress.move = progress.node + limits.best_parent, limits.best_move
        progress.steps, progress.stamina = limits.best_steps, limits.best_stamina


@rare
def next_layer(beam, width):
    """Begin the next layer if this one is expanded. Otherwise, make room for more children by dropping the worse half."""
    progress, children, paths = beam.progress[0], beam.children, beam.paths
    note_plan(beam)
    if progress.first < progress.games:
        keep_best(beam, progress.children // 2)
        progress.stamp += 1
        return
    if progress.children > width:
        keep_best(beam, width)
    node, count = progress.node + progress.games, progress.children
    if node + count > len(paths.parent):
        progress.games, progress.complete = 0, 0
        return
    for c in range(count):
        paths.parent[node + c], paths.move[node + c] = progress.node + children.parent[c], children.move[c]
        if len(beam.cost) > 0:
            beam.cost[c] = children.cost[c]
    beam.limits[0].best_parent = -1
    progress.origin, progress.node, progress.games = progress.node, node, count
    progress.first, progress.begun, progress.children = 0, 0, 0
    progress.layer += 1
    progress.stamp += 1


@rare
def follow(beam, moves):
    """Write the moves of the best plan to `moves` and return their number, which is -1 if there is no plan or no room."""
    progress, paths = beam.progress[0], beam.paths
    node, count = progress.found, 1
    if node < 0:
        return -1
    while paths.move[node] != STAY:
        node = np.int64(paths.parent[node])
        count += 1
    if count > len(moves):
        return -1
    node = progress.found
    moves[count - 1] = progress.move
    for place in range(count - 2, -1, -1):
        moves[place] = paths.move[node]
        node = np.int64(paths.parent[node])
    return count


@kernel
def read_plan(beam, moves):
    """Call `follow` from Python."""
    return follow(beam, moves)
