"""Monte Carlo tree search against rivals that drive as if they were alone.

A rival chooses at random among its legal actions with the smallest regret. The car that plans learns which of its own
actions work best against such rivals: at each of its turns, it chooses by UCB1 (Auer et al., 2002). This finds the moves
that leave the rivals the fewest ways to avoid a loss, which a search for the worst case cannot distinguish.
"""

from math import log, sqrt
from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import roll, seed_rng
from shoverworld.core.jit import inner, kernel, rare

from ..state import GAME_RECORD
from .paranoid import NO_ACTION, key_of
from .turns import NOBODY, list_actions, play_here, play_turn, value_of

EXPLORATION = 60.0  # weight of the UCB1 bonus, on the scale of `turns.lead_value`
SELFISH = -(1 << 40)  # a slack that leaves only the actions with the smallest regret
ROOT = 0  # the entry of the root in the table


class Samples(NamedTuple):
    """The results of the drives so far, for each position in which the car that plans had to move."""

    key: np.ndarray  # int64 (entries,): a power of two entries; 0 if the entry is free
    count: np.ndarray  # int64 (entries, 9): the number of drives with each action
    total: np.ndarray  # float64 (entries, 9): the sum of their values
    path: np.ndarray  # int64 (turns + 1, 2): the entries and actions of the current drive
    rng: np.ndarray  # GAME_RECORD (2,): a random number generator, and its state at the start of each search


def new_samples(turns: int, entries: int) -> Samples:
    rng = np.zeros(2, GAME_RECORD)
    seed_rng(rng[1], 0)
    return Samples(
        np.zeros(entries, np.int64), np.zeros((entries, 9), np.int64), np.zeros((entries, 9)),
        np.zeros((turns + 1, 2), np.int64), rng,
    )  # fmt: skip


@kernel
def sample(samples, positions, rules, ground, turns, times, slack, mean):
    """Replace each finite number in `mean` by the average value of this action over `times` drives of `turns` turns."""
    me = positions.who[0]
    samples.key[:] = 0
    samples.count[:], samples.total[:] = 0, 0.0
    samples.rng[0] = samples.rng[1]
    for _ in range(times):
        list_root(positions, mean)
        action = choose(samples, ROOT, positions, 0)
        samples.path[0, 0], samples.path[0, 1] = ROOT, action
        play_turn(positions, 0, rules, ground, action)
        length = drive_on(samples, positions, rules, ground, turns, slack)
        value = value_of(positions, 1, me)
        for step in range(length):
            entry, action = samples.path[step, 0], samples.path[step, 1]
            samples.count[entry, action] += 1
            samples.total[entry, action] += value
    for action in range(len(mean)):
        if samples.count[ROOT, action] > 0:
            mean[action] = samples.total[ROOT, action] / samples.count[ROOT, action]


@inner
def list_root(positions, mean):
    """List the actions with a finite number in `mean`."""
    count = 0
    for action in range(len(mean)):
        if mean[action] > -np.inf:
            positions.order[0, count] = action
            count += 1
    positions.count[0] = count


@rare
def drive_on(samples, positions, rules, ground, turns, slack):
    """Play the other turns of a drive, in the second row. Return the number of entries on the path.

    Each drive adds one entry. After it, the car that plans chooses in the same way as its rivals.
    """
    me, length, known = positions.who[0], 1, True
    for _ in range(1, turns):
        if positions.who[1] == NOBODY:
            break
        entry = -1
        if known and positions.who[1] == me:
            entry, known = find(samples, key_of(positions, 1))
        if entry > 0:
            list_actions(positions, 1, rules, ground, slack, NO_ACTION)
            action = choose(samples, entry, positions, 1)
            samples.path[length, 0], samples.path[length, 1] = entry, action
            length += 1
        else:
            list_actions(positions, 1, rules, ground, SELFISH, NO_ACTION)
            action = positions.order[1, roll(samples.rng[0], positions.count[1])]
        play_here(positions, 1, rules, ground, action)
    return length


@inner
def find(samples, key):
    """Return the entry of a position, and whether it was known. The entry is -1 if another position occupies it."""
    entry = max(key & (len(samples.key) - 1), 1)
    known = samples.key[entry] == key
    if not known and samples.key[entry] != 0:
        return -1, False
    samples.key[entry] = key
    return entry, known


@inner
def choose(samples, entry, positions, turn):
    """Return an action that has not been tried yet, or the action with the largest UCB1 value."""
    drives = 0
    for place in range(positions.count[turn]):
        drives += samples.count[entry, positions.order[turn, place]]
    best, chosen = -np.inf, positions.order[turn, 0]
    for place in range(positions.count[turn]):
        action = positions.order[turn, place]
        count = samples.count[entry, action]
        if count == 0:
            return action
        bound = samples.total[entry, action] / count + EXPLORATION * sqrt(log(drives) / count)
        if bound > best:
            best, chosen = bound, action
    return chosen
