"""The transposition table, with the hash keys of games and the test of whether a known game dominates a new game.

Two games with the same board, the same square ages and (for a walker) the same shover position can differ only in
the steps taken, the stamina and the moving boxes. Moving boxes save at most one initial force in total. So a new game
is *dominated*, and a search can discard it, if the table contains a game with the same key that has taken no more steps
and has at least as much stamina. If the moving boxes differ, the stamina of the known game must be higher by at least
one initial force. In a search for the fewest steps, the stamina of the known game is also high enough if it cannot run
out in the remaining steps.

Keys have 128 bits. The probability that any two of a hundred million games share a key is below 10^-22.
"""

from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.grid import cell_at, scatter
from shoverworld.core.jit import inner, kernel, rare

from .. import rules as rulebook
from ..config import LAST_PUSH, WALK
from ..state import EMPTY, LAVA

A, B, TERRAIN = range(3)  # the two halves of a board key, and the key of the barriers and lava alone
_BOX, _BARRIER, _LAVA, _SHOVER = range(4)
_SQUARE_SALT = 4
_MOST_PROBES = 12

ENTRY = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("a", np.uint64),
                ("b", np.uint64),
                ("stamina", np.float64),
                ("steps", np.int32),
                ("motion", np.int32),
                ("search", np.int32),  # the search number; entries from earlier searches count as empty
                ("layer", np.int32),
                ("child", np.int32),  # index of the game among the children of that layer
            ],
            align=True,
        ),
    )
)


class InsertResult(NamedTuple):
    """The result of an insertion into the transposition table."""

    dominated: bool
    place: int  # index of the child in this layer that the new game replaces, or -1
    slot: Any  # slot in the table, or -1 if the game was not stored


@inner
def kind_of(content):
    """Return the kind of the object in a cell, for hashing."""
    if rulebook.is_box(content):
        return _BOX
    return _LAVA if content == LAVA else _BARRIER


@rare
def board_keys(board, width, keys):
    """Compute the keys for a board from scratch."""
    keys[A] = np.uint64(0)
    keys[B] = np.uint64(0)
    keys[TERRAIN] = np.uint64(1)
    for cell in range(width, len(board) - width):
        if board[cell] != EMPTY:
            thing = cell * 4 + kind_of(board[cell])
            keys[A] ^= scatter(thing, A)
            keys[B] ^= scatter(thing, B)
            if not rulebook.is_box(board[cell]):
                keys[TERRAIN] ^= scatter(thing, TERRAIN)


@inner
def moved_key(key, salt, target, beyond, burnt):
    """Return the key for a board after a push.

    The box at the target disappears from the key, and a box beyond the chain is added unless the front box burnt.
    """
    key ^= scatter(target * 4 + _BOX, salt)
    return key if burnt else key ^ scatter(beyond * 4 + _BOX, salt)


@inner
def shover_key(game, width, salt):
    return scatter(cell_at(game.row, game.col, width) * 4 + _SHOVER, salt)


@rare
def square_keys(game, squares, rules, steps_left):
    """Return the two halves of the key for the perfect squares and their ages."""
    a, b = np.uint64(0), np.uint64(0)
    # If no square can dissolve in the remaining steps, only the order of the squares matters.
    oldest = game.timestep - squares[0].born
    ageless = oldest + steps_left < rules.perf_sq_initial_age
    for place in range(game.squares):
        age = place if ageless else game.timestep - squares[place].born
        thing = ((squares[place].corner * 2 + ageless) << 32) + age
        a ^= scatter(thing, A + _SQUARE_SALT)
        b ^= scatter(thing, B + _SQUARE_SALT)
    return a, b


@inner
def game_keys(game, squares, rules, width, a, b, steps_left):
    """Return the key for everything that affects the future of a game, except stamina and moving boxes.

    `a` and `b` are the two halves of its board key.
    """
    if rules.actor == WALK:
        a ^= shover_key(game, width, A)
        b ^= shover_key(game, width, B)
    if game.squares > 0:
        a_squares, b_squares = square_keys(game, squares, rules, steps_left)
        a ^= a_squares
        b ^= b_squares
    return a, b


@inner
def motion_of(game, rules):
    """Return a number that identifies the moving boxes, or 0 if no box is moving."""
    if rules.stationary == LAST_PUSH:
        return game.last_push + 1
    if game.moving == 0:
        return 0
    return (game.moving_cell * 4 + game.moving_direction + 1) * 256 + min(game.moving, 255)


@rare
def insert(table, a, b, search, layer, steps, stamina, motion, enough, force):
    """Insert a game unless it is dominated. A new entry has the child index -1, which the caller replaces."""
    mask = np.uint64(len(table) - 1)
    slot = np.int64(a & mask)
    for _ in range(_MOST_PROBES):
        entry = table[slot]
        if entry.search != search:
            entry.a, entry.b, entry.search = a, b, search
            entry.stamina, entry.steps, entry.motion = stamina, steps, motion
            entry.layer, entry.child = layer, -1
            return InsertResult(False, -1, slot)
        if entry.a == a and entry.b == b:
            rest = 0.0 if motion == 0 or motion == entry.motion else force
            if entry.steps <= steps and entry.stamina >= min(stamina + rest, enough):
                return InsertResult(True, -1, slot)
            rest = 0.0 if entry.motion == 0 or motion == entry.motion else force
            better = steps <= entry.steps and stamina >= entry.stamina + rest
            place = entry.child if better and entry.layer == layer else -1
            if better or stamina > entry.stamina:
                entry.stamina, entry.steps, entry.motion = stamina, steps, motion
                entry.layer, entry.child = layer, place
                return InsertResult(False, place, slot)
            return InsertResult(False, -1, -1)
        slot = np.int64((np.uint64(slot) + np.uint64(1)) & mask)
    return InsertResult(False, -1, -1)


@kernel
def copy_entries(old, new, search):
    """Copy the entries of this search into a larger table and return the number of entries copied."""
    mask = np.uint64(len(new) - 1)
    count = 0
    for i in range(len(old)):
        if old[i].search == search:
            slot = np.int64(old[i].a & mask)
            for _ in range(_MOST_PROBES):
                if new[slot].search != search:
                    new[slot] = old[i]
                    count += 1
                    break
                slot = np.int64((np.uint64(slot) + np.uint64(1)) & mask)
    return count
