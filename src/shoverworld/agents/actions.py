"""Check the actions that agents return, and count the steps that these actions take.

An invalid action raises an error that states what was expected.
"""

from operator import index
from typing import Any

import numpy as np
from gymnasium import spaces

from shoverworld.core.env import GridEnv
from shoverworld.core.errors import AgentError
from shoverworld.core.plan import Action

from .load import shortened

NAMES = ("row", "col", "z")  # names for the three numbers in an action


def numbers(action: Any, count: int = 3) -> Action | str:
    """Return an action as an int if `count` is 1, otherwise as a tuple of `count` ints.

    Three integers may also be given as ((row, col), z). A value that is not an action is returned as a string.
    """
    try:
        parts = action.tolist() if isinstance(action, np.ndarray) else action
        if count == 1:
            return index(parts)
        if count == 3 and len(parts) == 2:
            parts = (*parts[0], parts[1])
        found = tuple(index(part) for part in parts)
        if len(found) == count:
            return found
    except Exception:  # an agent may return any object, even one with methods that raise errors
        pass
    try:
        return shortened(repr(action), 80)
    except Exception:
        return f"a {type(action).__name__}"


def steps_of(env: GridEnv, actions: int) -> int:
    """Return the number of steps in the game so far, given the number of actions played.

    The game counts the steps: in a race, a skipped turn is a step too. If a game does not count steps, every action is
    one step.
    """
    return max(actions, int(env.figures().get("steps", 0)))


def bounds(space: Any) -> list[tuple[int, int]]:
    """Return the smallest and the largest possible value of each number in an action."""
    if isinstance(space, spaces.Discrete):
        return [(int(space.start), int(space.start + space.n - 1))]
    if isinstance(space, spaces.MultiDiscrete):
        return list(zip(space.start.tolist(), (space.start + space.nvec - 1).tolist(), strict=True))
    raise AgentError(f"the action space is {space}; agents support only Discrete and MultiDiscrete")


def legal(answer: Any, space: Any, step: int) -> Action:
    """Return the action that an agent chose.

    If the action is not in the action space, raise an AgentError that states what was expected.
    """
    limits = bounds(space)
    action = answer if isinstance(answer, str) else numbers(answer, len(limits))
    if not isinstance(action, str):
        given = action if isinstance(action, tuple) else (action,)
        if all(least <= x <= most for x, (least, most) in zip(given, limits, strict=True)):
            return action
    shown = shortened(str(action), 80)  # the agent chose it: a number may have thousands of digits
    raise AgentError(f"act() returned {shown} at step {step}: expected {expected(limits)}", "answer")


def expected(limits: list[tuple[int, int]]) -> str:
    """Describe the bounds in words: "an integer from 0 to 8", "integers (row, col, z) with row 0-5, col 0-8, z 1-6"."""
    if len(limits) == 1:
        return f"an integer from {limits[0][0]} to {limits[0][1]}"
    names = NAMES if len(limits) == len(NAMES) else [f"number {place}" for place in range(1, len(limits) + 1)]
    ranges = [f"{name} {least}-{most}" for name, (least, most) in zip(names, limits, strict=True)]
    return f"integers ({', '.join(names)}) with {', '.join(ranges)}"
