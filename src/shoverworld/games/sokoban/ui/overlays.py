"""Overlays for Sokoban: dead squares, reachable cells, the next pushes of the plan, and distances to the targets."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from shoverworld.core.cells import OPPOSITE, beside
from shoverworld.core.env import GridEnv
from shoverworld.core.plan import Plan
from shoverworld.core.ui import Colour, Mark, Overlay

from .. import engine
from ..boards import rules_of
from ..config import SokobanRules
from ..rules import PULL
from ..solver.tables import FAR
from ..state import PLAYING, WALL, SokobanState
from .paths import reach
from .position import (
    box_at,
    boxes_of,
    dead_squares,
    is_numbered,
    lost_boxes,
    meaning_of,
    player_of,
    players_of,
    pushes_to_target,
)

GOOD, BAD = (30, 140, 70), (200, 30, 40)
NEUTRAL = (250, 250, 250)  # colour of the cell under the pointer when no direction is chosen
SELECTED, AHEAD, HINT = (20, 110, 230), (120, 50, 190), (200, 20, 130)
REACH = ((40, 110, 220), (140, 60, 170))  # the colour for each player
NEAR, DISTANT, DEAD = (34, 140, 70), (40, 60, 160), (60, 50, 56)

MOST_PUSHES = 12  # the maximum number of planned pushes that are shown

DEAD_SQUARES, WALKS, PLAN, DISTANCES = "1", "2", "3", "4"
overlays = (
    Overlay(DEAD_SQUARES, "dead squares", "a box in a dead square cannot reach any target; a frame marks a lost box"),
    Overlay(WALKS, "where you can go", "cells that the player can walk to without a push"),
    Overlay(PLAN, "plan ahead", f"the solver's next {MOST_PUSHES} pushes, numbered", plans=True),
    Overlay(DISTANCES, "distance to targets", "pushes from each cell to a target, for a box alone on the board"),
)


def marks(overlay: str, env: GridEnv, state: SokobanState, plan: Plan | None) -> list[Mark]:
    rules = rules_of(env)
    if overlay == DEAD_SQUARES:
        return dead_marks(rules, state)
    if overlay == WALKS:
        return reach_marks(state)
    if overlay == DISTANCES:
        return distance_marks(state)
    if overlay == PLAN and plan is not None:
        return plan_marks(rules, state, plan.actions)
    return []


def _cells(table: np.ndarray) -> list[tuple[int, int]]:
    return [(row, col) for row, col in np.argwhere(table).tolist()]


def dead_marks(rules: SokobanRules, state: SokobanState) -> list[Mark]:
    """Mark dead cells and lost boxes. If boxes can be pulled, no cell is dead."""
    if rules.pull:
        return []
    here = players_of(state)
    shades = [
        Mark("shade", cell, DEAD, strength=0.2 if cell in here else 0.45)
        for cell in _cells(dead_squares(state))
        if not box_at(state, cell)
    ]
    return shades + [Mark("frame", cell, BAD, "!") for cell in _cells(lost_boxes(state))]


def reach_marks(state: SokobanState) -> list[Mark]:
    return [
        Mark("shade", cell, REACH[who], strength=0.22)
        for who in range(state.players)
        for cell in sorted(reach(state, who))
        if cell != player_of(state, who)
    ]


def distance_marks(state: SokobanState) -> list[Mark]:
    """Mark all floor cells with their distances to the nearest target.

    If boxes are numbered, mark only the boxes, because the distances differ from box to box.
    """
    if is_numbered(state):
        found = []
        for cell in boxes_of(state):
            number = int(pushes_to_target(state, box_at(state, cell))[cell])
            found.append(Mark("frame", cell, BAD if number >= FAR else AHEAD, "!" if number >= FAR else str(number)))
        return found
    pushes = pushes_to_target(state)
    known = pushes[pushes < FAR]
    most = max(1, int(known.max())) if known.size else 1
    taken = {*boxes_of(state), *players_of(state)}
    floor = _cells(state.rooms()[0][WALL] == 0)
    numbers = pushes[tuple(zip(*floor, strict=True))].tolist()
    return [_distance_mark(cell, number, most, cell in taken) for cell, number in zip(floor, numbers, strict=True)]


@lru_cache(maxsize=1 << 13)  # a large board has thousands of marks, and a move changes only a few
def _distance_mark(cell: tuple[int, int], number: int, most: int, taken: bool) -> Mark:
    strength, style = (0.2, "corner") if taken else (0.4, "")
    if number >= FAR:
        return Mark("shade", cell, DEAD, strength=strength + 0.1)
    return Mark("shade", cell, _between(number / most), str(number), strength=strength, style=style)


def _between(share: float) -> Colour:
    red, green, blue = (round(near + (far - near) * share) for near, far in zip(NEAR, DISTANT, strict=True))
    return red, green, blue


def after(rules: SokobanRules, state: SokobanState, action: Any) -> SokobanState:
    """Return the state after an action, or an unchanged copy if the game is already over."""
    tried = state.copy()
    if tried.game["outcome"][0] == PLAYING:
        engine.play(tried, 0, rules.numbers(), rules.reward_numbers(), int(action))
    return tried


def plan_marks(rules: SokobanRules, state: SokobanState, actions: Iterable[Any]) -> list[Mark]:
    """Mark the next pushes with numbers in the cells where the pushes happen. Walks are not marked."""
    numbers: dict[Mark, list[int]] = {}
    pushes = 0
    for action in actions:
        mark = action_mark(rules, state, action, AHEAD)
        state = after(rules, state, action)
        if mark is not None and (state.game["pushed"][0] or state.game["pulled"][0]):
            pushes += 1
            numbers.setdefault(mark, []).append(pushes)
        if pushes == MOST_PUSHES:
            break
    return [mark._replace(text=", ".join(map(str, steps))) for mark, steps in numbers.items()]


def action_mark(rules: SokobanRules, state: SokobanState, action: Any, colour: Colour) -> Mark | None:
    """Return an arrow on the box that an action moves, or else on the cell that the player walks to.

    Return None for a no-op.
    """
    found = meaning_of(rules, action)
    if found is None:
        return None
    who, kind, direction = found
    here = player_of(state, who)
    behind = beside(here, OPPOSITE[direction])
    pulls = kind == PULL and box_at(state, behind)
    return Mark("arrow", behind if pulls else beside(here, direction), colour, direction=direction)


def hint(env: GridEnv, state: SokobanState, action: Any) -> tuple[Mark, ...]:
    """Return the arrow for an action and a frame around the same cell."""
    mark = action_mark(rules_of(env), state, action, HINT)
    return () if mark is None else (mark, Mark("frame", mark.cell, HINT))
