"""Kernels that answer questions about a single game: the batch of one that a user interface shows."""

from shoverworld.core.jit import inner, kernel, rare

from . import rules as rulebook
from .state import BOX, TARGET, WALL


@inner
def is_numbered(planes):
    """Return whether boxes have their own targets. If there is only one box, it counts as unnumbered."""
    most = 0
    for cell in range(planes.shape[1]):
        most = max(most, planes[BOX, cell], planes[TARGET, cell])
    return most > 1


@kernel
def has_numbers(state):
    """Return whether boxes have their own targets."""
    return is_numbered(state.planes[0])


@kernel
def reason_for(state, rules, action):
    """Return why an action is invalid, as an index into the table in reasons.py."""
    return int(rulebook.reason_for(state, 0, rules, action))


@kernel
def moved_box(before, after):
    """Return the old and the new cell of the box that moved between two states.

    Both are 0, which is always a wall, if no box or several boxes moved. Both are -1 if the rooms differ.
    """
    old, new = before.planes[0], after.planes[0]
    start, end, moved = 0, 0, 0
    for cell in range(old.shape[1]):
        if old[WALL, cell] != new[WALL, cell] or old[TARGET, cell] != new[TARGET, cell]:
            return -1, -1
        if old[BOX, cell] != 0 and new[BOX, cell] == 0:
            start, moved = cell, moved + 1
        if old[BOX, cell] == 0 and new[BOX, cell] != 0:
            end, moved = cell, moved + 1
    if start != 0 and end != 0 and moved == 2:
        return start, end
    return 0, 0


@rare
def play(state, rules, action):
    """Play an action. Return whether a box moved. This function is not inlined, which keeps WebAssembly modules small."""
    event = rulebook.step(state, 0, rules, action)
    return event.pushed or event.pulled
