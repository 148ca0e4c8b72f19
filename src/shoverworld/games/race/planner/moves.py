"""Where which move is legal: for each displacement a row of bits, one a cell, made when it is first asked for."""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, rare

from .gates import cells_crossed, gates_of, most_gates
from .ground import Ground


class Moves(NamedTuple):
    """A velocity and the displacement that it came from are the same numbers, and have the same place here."""

    known: np.ndarray  # bool (velocities,)
    go: np.ndarray  # uint64 (velocities, words): from these cells the move is legal, and the race goes on
    end: np.ndarray  # uint64 (velocities, words): from these it is legal, and finishes
    gates: np.ndarray  # int64 (most gates, 2): scratch
    count: np.ndarray  # int64 (1,): how many are known


def new_moves(ground: Ground) -> Moves:
    """Zeros take no memory until something is written to them."""
    planes = [np.zeros((ground.velocities, ground.words), np.uint64) for _ in range(2)]
    gates = np.zeros((most_gates(ground.fast_x, ground.fast_y), 2), np.int64)
    return Moves(np.zeros(ground.velocities, np.bool_), planes[0], planes[1], gates, np.zeros(1, np.int64))


@inner
def cells_from(bits, place):
    """64 cells from this one on."""
    word, over = place >> 6, np.uint64(place & 63)
    # Two shifts, for one by 64 would not be defined.
    return (bits[word] >> over) | ((bits[word + 1] << np.uint64(1)) << (np.uint64(63) - over))


@rare
def learn(ground, moves, velocity):
    """Find out from where this displacement is legal, and from where it finishes."""
    wide = 2 * ground.fast_x + 1
    dx, dy = velocity % wide - ground.fast_x, velocity // wide - ground.fast_y
    go, end, gates, words = moves.go, moves.end, moves.gates, ground.words
    begin = ground.margin * 64
    # Not from a finish cell: who is there races no more.
    for k in range(words):
        go[velocity, k] = ground.track[ground.margin + k] & ~ground.finish[ground.margin + k]
    for g in range(gates_of(ground.pitch, dx, dy, ground.line, gates)):
        one, other = begin + gates[g, 0], begin + gates[g, 1]
        if one == other:
            for k in range(words):
                go[velocity, k] &= cells_from(ground.track, one + 64 * k)
        else:
            for k in range(words):
                go[velocity, k] &= cells_from(ground.track, one + 64 * k) | cells_from(ground.track, other + 64 * k)
    count = 1
    gates[0, 0] = dy * ground.pitch + dx
    if ground.cross:
        count = cells_crossed(ground.pitch, dx, dy, gates)
    for g in range(count):
        at = begin + gates[g, 0]
        for k in range(words):
            finishes = go[velocity, k] & cells_from(ground.finish, at + 64 * k)
            if finishes:
                end[velocity, k] |= finishes
                go[velocity, k] &= ~finishes
    moves.known[velocity] = True
    moves.count[0] += 1
