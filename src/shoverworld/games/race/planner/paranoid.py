"""Plan against the other cars: an alpha-beta search in which all rivals play against one car (paranoid search).

The search is selective. No car may lose more than `slack` steps compared with its drive alone, unless it is forced to, so
the search looks many rounds ahead. Positions that were reached before are looked up in a table.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import scatter
from shoverworld.core.jit import inner, kernel, rare

from .turns import (
    COL,
    COST,
    DCOL,
    DONE,
    DROW,
    NOBODY,
    ROW,
    WAIT,
    Positions,
    list_actions,
    new_positions,
    play_turn,
    value_of,
)  # fmt: skip

INFINITE = 1 << 40
OPEN = 1 << 41  # the value is not known yet
EXACT, AT_LEAST, AT_MOST = range(3)  # the kinds of values in the table
NO_ACTION = 15
KEY, VALUE, DEPTH, KIND, ACTION = range(5)  # the fields of an entry in the table
SIDE = 1 << 13  # more than the cells on a side of a track


class SearchTree(NamedTuple):
    """Scratch memory for the search, with one row per turn."""

    positions: Positions
    tried: np.ndarray  # int64 (turns + 1,): the number of actions tried
    low: np.ndarray  # int64 (turns + 1,): alpha, the value that `me` can already force
    high: np.ndarray  # int64 (turns + 1,): beta, the value to which the rivals can already limit `me`
    window: np.ndarray  # int64 (turns + 1, 2): alpha and beta when the position was opened
    value: np.ndarray  # int64 (turns + 1,): the best value so far for the car whose turn it is
    action: np.ndarray  # int64 (turns + 1,): the action with this value
    key: np.ndarray  # int64 (turns + 1,): the key of the position in the table
    table: np.ndarray  # int64 (entries, 5): a power of two entries
    answer: np.ndarray  # int64 (9,): the value of each action at the root, or an upper bound if it is below the maximum
    visited: np.ndarray  # int64 (1,): the number of positions visited


def new_tree(cars: int, turns: int, entries: int) -> SearchTree:
    rows = turns + 1
    return SearchTree(
        positions=new_positions(cars, turns),
        tried=np.zeros(rows, np.int64),
        low=np.zeros(rows, np.int64),
        high=np.zeros(rows, np.int64),
        window=np.zeros((rows, 2), np.int64),
        value=np.zeros(rows, np.int64),
        action=np.zeros(rows, np.int64),
        key=np.zeros(rows, np.int64),
        table=np.zeros((entries, 5), np.int64),
        answer=np.zeros(9, np.int64),
        visited=np.zeros(1, np.int64),
    )


# ---------------------------------------------------------------- alpha-beta search


@kernel
def clear(tree):
    """Forget all positions, so that a search does not depend on earlier ones."""
    tree.table[:] = 0
    tree.visited[0] = 0


@kernel
def search(tree, rules, ground, turns, slack, most, first):
    """Search `turns` turns ahead, and write `tree.answer`. Return the best action.

    If the tree has visited `most` positions, return -1. `first` is the action to try first.
    """
    positions, me = tree.positions, tree.positions.who[0]
    tree.answer[:] = -INFINITE
    open_position(tree, rules, ground, 0, -INFINITE, INFINITE, slack, first)
    turn = 0
    while True:
        if tree.tried[turn] < positions.count[turn] and tree.low[turn] < tree.high[turn]:
            action = positions.order[turn, tree.tried[turn]]
            tree.tried[turn] += 1
            tree.visited[0] += 1
            if tree.visited[0] > most:
                return -1
            play_turn(positions, turn, rules, ground, action)
            low, high = tree.low[turn], tree.high[turn]
            if turn == 0:
                low -= 1  # an action as good as the best one gets its exact value
            turn += 1
            if turn == turns or positions.who[turn] == NOBODY:
                value = value_of(positions, turn, me)
            else:
                value, hint = look_up(tree, turn, turns - turn, low, high)
                if value == OPEN:
                    open_position(tree, rules, ground, turn, low, high, slack, hint)
                    continue
        elif turn == 0:
            return tree.action[0]
        else:
            value = tree.value[turn]
            store(tree, turn, turns - turn)
        turn -= 1
        back_up(tree, turn, me, value)


@inner
def open_position(tree, rules, ground, turn, low, high, slack, first):
    positions = tree.positions
    tree.low[turn], tree.high[turn] = low, high
    tree.window[turn, 0], tree.window[turn, 1] = low, high
    tree.value[turn] = -INFINITE if positions.who[turn] == positions.who[0] else INFINITE
    tree.action[turn], tree.tried[turn] = NO_ACTION, 0
    list_actions(positions, turn, rules, ground, slack, first)


@inner
def back_up(tree, turn, me, value):
    """Take the value of the action just tried into account."""
    action = tree.positions.order[turn, tree.tried[turn] - 1]
    if turn == 0:
        tree.answer[action] = value
    mine = tree.positions.who[turn] == me
    if (value > tree.value[turn]) if mine else (value < tree.value[turn]):
        tree.value[turn], tree.action[turn] = value, action
    if mine:
        tree.low[turn] = max(tree.low[turn], value)
    else:
        tree.high[turn] = min(tree.high[turn], value)


# ---------------------------------------------------------------- the table of positions


@rare
def look_up(tree, turn, depth, low, high):
    """Return the value of a position if the table determines it, or OPEN, and the action to try first."""
    key = key_of(tree.positions, turn)
    tree.key[turn] = key
    entry = tree.table[key & (len(tree.table) - 1)]
    if entry[KEY] != key:
        return OPEN, NO_ACTION
    value, kind = entry[VALUE], entry[KIND]
    settled = kind == EXACT or (kind == AT_LEAST and value >= high) or (kind == AT_MOST and value <= low)
    return value if settled and entry[DEPTH] == depth else OPEN, entry[ACTION]


@inner
def store(tree, turn, depth):
    value, kind = tree.value[turn], EXACT
    if value >= tree.window[turn, 1]:
        kind = AT_LEAST
    elif value <= tree.window[turn, 0]:
        kind = AT_MOST
    entry = tree.table[tree.key[turn] & (len(tree.table) - 1)]
    entry[KEY], entry[VALUE], entry[DEPTH], entry[KIND] = tree.key[turn], value, depth, kind
    entry[ACTION] = tree.action[turn]


@inner
def key_of(positions, turn):
    """Return a hash of a position, which is never 0."""
    key = np.uint64(positions.who[turn])
    for who in range(positions.cars.shape[1]):
        car = positions.cars[turn, who]
        place = car[ROW] * SIDE + car[COL]
        velocity = (car[DROW] + SIDE // 2) * SIDE + car[DCOL] + SIDE // 2
        key = scatter(key ^ np.uint64(place * SIDE * SIDE + velocity), 2 * who)
        key = scatter(key ^ np.uint64((car[COST] << 16) + 2 * car[WAIT] + car[DONE]), 2 * who + 1)
    return np.int64(key >> np.uint64(2)) + 1
