"""The overlays of Shover-World (perfect squares, boxes in motion, distances to lava, plan ahead) and other marks."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from shoverworld.core.cells import beside
from shoverworld.core.env import GridEnv
from shoverworld.core.hashing import game_numbers
from shoverworld.core.plan import Plan
from shoverworld.core.ui import Cell, Colour, Mark, Overlay

from ..boards import rules_of
from ..config import Rules
from ..engine import PushPreview
from ..measure import NO_WAY, pushes_to_lava
from ..state import BARRIER, EMPTY, LAVA, State
from .position import (
    after,
    is_direction,
    is_special,
    kind_of,
    on_map,
    push_preview,
    shover_of,
    squares_of,
    taken_square,
)

GOOD, BAD, BURNS = (30, 140, 70), (200, 30, 40), (214, 92, 0)
NEUTRAL = (250, 250, 250)  # colour of the cell under the pointer when no direction is chosen
SQUARE = (100, 120, 0)
SELECTED, MOVING, AHEAD, HINT = (20, 110, 230), (0, 130, 150), (120, 50, 190), (200, 20, 130)
NEAR, FAR, NOWHERE = (214, 60, 20), (40, 60, 160), (70, 70, 70)  # colours for distances to lava

MOST_STEPS = 12  # the maximum number of plan steps that are shown

SQUARES, MOTION, DISTANCES, PLAN = "1", "2", "3", "4"
overlays = (
    Overlay(SQUARES, "perfect squares", "the ages of the squares, and the steps until they dissolve", default=True),
    Overlay(MOTION, "boxes in motion", "boxes that moved in the last step, and their direction"),
    Overlay(
        DISTANCES, "distance to lava", "pushes needed to burn a box from here, ignoring other boxes (grey: impossible)"
    ),
    Overlay(PLAN, "plan ahead", "the next steps of the plan, numbered", plans=True, most=MOST_STEPS),
)


def marks(overlay: str, env: GridEnv, state: State, plan: Plan | None) -> list[Mark]:
    rules = rules_of(env)
    if overlay == SQUARES:
        return square_marks(rules, state)
    if overlay == MOTION:
        return motion_marks(state)
    if overlay == DISTANCES:
        return distance_marks(rules, state)
    if overlay == PLAN and plan is not None:
        return plan_marks(rules, state, plan.actions)
    return []


def chain_marks(state: State, push: PushPreview, direction: int) -> tuple[Mark, ...]:
    """Return a frame around the chain of a push, labelled with the cost, and an arrow in the direction of the push."""
    colour = BAD if not push.valid else BURNS if push.beyond == LAVA else GOOD
    first, last = (push.row, push.col), beside((push.row, push.col), direction, push.chain - 1)
    frame = Mark(
        "frame",
        (min(first[0], last[0]), min(first[1], last[1])),
        colour,
        f"{push.cost:g}" if push.valid else "x",
        abs(first[0] - last[0]) + 1,
        abs(first[1] - last[1]) + 1,
    )
    beyond = push.beyond_row, push.beyond_col
    if not push.valid:
        return (frame,)
    return frame, Mark("arrow", beyond if on_map(state, beyond) else last, colour, direction=direction)


def square_marks(rules: Rules, state: State) -> list[Mark]:
    return [
        Mark(
            "frame",
            (row, col),
            SQUARE,
            f"age {age}, {max(0, rules.perf_sq_initial_age - age)} left",
            n,
            n,
            style="double",
        )
        for n, row, col, age in squares_of(state)
    ]


def motion_marks(state: State) -> list[Mark]:
    game = game_numbers(state)
    if not game["moving"]:
        return []
    width, direction = state.width, game["moving_direction"]
    first = game["moving_cell"] // width - 1, game["moving_cell"] % width - 1
    cells = [beside(first, direction, k) for k in range(game["moving"])]
    return [Mark("arrow", cell, MOVING, direction=direction) for cell in cells]


def distance_marks(rules: Rules, state: State) -> list[Mark]:
    grid = state.grid()[0]
    pushes = pushes_to_lava(state, rules.numbers()).reshape(-1, state.width)[1:-1, 1:-1]
    known = pushes[(pushes < NO_WAY) & (pushes > 0)]
    most = max(2, int(known.max())) if known.size else 2
    found, shover = [], shover_of(state) if state.game["shover"][0] else None
    for row, (contents, numbers) in enumerate(zip(grid.tolist(), pushes.tolist(), strict=True)):
        for col, (content, number) in enumerate(zip(contents, numbers, strict=True)):
            if content != LAVA and content != BARRIER:
                found.append(_distance_mark(row, col, number, most, content != EMPTY or (row, col) == shover))
    return found


@lru_cache(maxsize=1 << 15)  # a large map has thousands of marks, and a move changes only a few
def _distance_mark(row: int, col: int, number: int, most: int, taken: bool) -> Mark:
    """Return the mark for one cell. On a box or the shover, the mark is fainter, so that the tile stays visible."""
    strength, style = (0.2, "corner") if taken else (0.4, "")
    if number >= NO_WAY:
        return Mark("shade", (row, col), NOWHERE, strength=strength + 0.05)
    colour = _between((number - 1) / (most - 1))
    return Mark("shade", (row, col), colour, str(number), strength=strength, style=style)


def _between(share: float) -> Colour:
    red, green, blue = (round(near + (far - near) * share) for near, far in zip(NEAR, FAR, strict=True))
    return red, green, blue


def plan_marks(rules: Rules, state: State, actions: Iterable[Any]) -> list[Mark]:
    """Return numbered marks for the next steps, in the cells where the steps happen."""
    numbers: dict[Mark, list[int]] = {}
    for number, action in enumerate(list(actions)[:MOST_STEPS], 1):
        for mark in action_marks(rules, state, action, AHEAD):
            numbers.setdefault(mark, []).append(number)
        state = after(rules, state, action)
    return [
        mark._replace(text=", ".join(map(str, steps)) + (" x" if mark.colour == BAD else ""))
        for mark, steps in numbers.items()
    ]


def action_marks(rules: Rules, state: State, action: Any, colour: Colour) -> tuple[Mark, ...]:
    """Return an arrow on an action's target, a frame around the square it uses, shading on the shover's cell for a
    no-op, or a red frame around the cell of an action that is impossible."""
    row, col, z = (int(x) for x in action)
    kind = kind_of(rules, z)
    if is_special(kind):
        square = taken_square(rules, state, action)
        if square:
            return (Mark("frame", (square.row, square.col), colour, "", square.n, square.n),)
    elif is_direction(kind):
        push = push_preview(rules, state, (row, col), kind)
        target: Cell = push.row, push.col
        if on_map(state, target):
            return (Mark("arrow", target, colour, direction=kind),)
    else:
        return (Mark("shade", shover_of(state), colour, strength=0.3),) if state.game["shover"][0] else ()
    cell = (row, col) if is_direction(kind) and on_map(state, (row, col)) else shover_of(state)
    return (Mark("frame", cell, BAD),)


def hint(env: GridEnv, state: State, action: Any) -> tuple[Mark, ...]:
    """Return the marks for an action, with a frame around each cell that has an arrow."""
    found = action_marks(rules_of(env), state, action, HINT)
    return found + tuple(Mark("frame", mark.cell, HINT) for mark in found if mark.kind == "arrow")
