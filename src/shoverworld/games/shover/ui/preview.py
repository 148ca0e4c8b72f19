"""Previews of the cell under the pointer and of the effect of a click there."""

from shoverworld.core.cells import OPPOSITE, SIDES, beside, direction_to_neighbour, place_name, way_name
from shoverworld.core.ui import Cell, Mark, Preview

from ..config import Rules
from ..engine import PushPreview
from ..state import BARRIER, EMPTY, LAVA, State
from .overlays import NEUTRAL, chain_marks
from .position import content_of, in_reach, is_box, on_map, push_preview, push_preview_from, shover_of, squares_of
from .texts import push_text


def preview(rules: Rules, state: State, cell: Cell, toward: int | None) -> Preview:
    """Return the preview for a cell. `toward` is the side of the cell that the pointer is on, or None in the middle."""
    content = content_of(state, cell)
    if is_box(content):
        marks, text = _of_box(rules, state, cell, toward)
        return Preview(marks, text + _in_square(rules, state, cell))
    return Preview((), _of_cell(rules, state, cell, content))


def preview_of_push(rules: Rules, state: State, cell: Cell, direction: int) -> Preview:
    """Return the preview of the push that a click would make."""
    marks, text = _push(rules, state, push_preview(rules, state, cell, direction), direction)
    return Preview(marks, f"Click: {text[0].lower()}{text[1:]}")


def ways_text(rules: Rules, state: State, cell: Cell) -> str:
    """Return the possible pushes of a box and their costs, as in "up 50, right 60 (burns)", or "" if there are none."""
    ways = []
    for direction in range(4):
        push = push_preview(rules, state, cell, direction)
        if push.valid:
            burns = " (burns)" if push.beyond == LAVA else ""
            ways.append(f"{way_name(direction)} {push.cost:g}{burns}")
    return ", ".join(ways)


def choose_text(rules: Rules, state: State, cell: Cell) -> str:
    """Describe what the player can do with a selected box."""
    ways = ways_text(rules, state, cell)
    return f"Choose a direction with the arrows or WASD: {ways}." if ways else "It cannot be pushed in any direction."


def _of_box(rules: Rules, state: State, cell: Cell, toward: int | None) -> tuple[tuple[Mark, ...], str]:
    if rules.actor != "walk":
        if toward is None:
            ways = ways_text(rules, state, cell)
            text = f". Cost of a push: {ways}. Click to select it" if ways else ": it cannot be pushed in any direction"
            return (Mark("frame", cell, NEUTRAL),), f"Box at {place_name(cell)}{text}"
        return _push(rules, state, push_preview(rules, state, cell, toward), toward)
    away = direction_to_neighbour(shover_of(state), cell)
    if away is not None:
        return _push(rules, state, push_preview(rules, state, shover_of(state), away), away)
    frame = (Mark("frame", cell, NEUTRAL),)  # no push yet, because the shover is not next to the box
    if toward is None:
        return frame, f"Box at {place_name(cell)}. Stand next to it first"
    behind = beside(cell, OPPOSITE[toward])
    if not on_map(state, behind) or content_of(state, behind) != EMPTY:
        return frame, f"This box cannot be pushed {way_name(toward)}: there is no room {SIDES[OPPOSITE[toward]]} it"
    text = push_text(rules, state, push_preview_from(rules, state, behind, toward), toward)
    return frame, f"Stand next to the box first. From {place_name(behind)}: {text[0].lower()}{text[1:]}"


def _push(rules: Rules, state: State, push: PushPreview, direction: int) -> tuple[tuple[Mark, ...], str]:
    return chain_marks(state, push, direction), push_text(rules, state, push, direction)


def _in_square(rules: Rules, state: State, cell: Cell) -> str:
    for n, row, col, age in squares_of(state):
        if row <= cell[0] < row + n and col <= cell[1] < col + n:
            left = max(0, rules.perf_sq_initial_age - age)
            return f". In a perfect {n} x {n} square that dissolves in {left} step{'' if left == 1 else 's'}"
    return ""


def _of_cell(rules: Rules, state: State, cell: Cell, content: int) -> str:
    if content == BARRIER:
        return "A barrier: it cannot be moved"
    if content == LAVA:
        return f"Lava: boxes burn in it, and each returns {rules.initial_force:g} stamina"
    if rules.actor == "select":
        return "Empty"
    if cell == shover_of(state):
        return f"The shover, facing {way_name(int(state.game['direction'][0]))}"
    if rules.actor == "walk" and not in_reach(state, cell):
        return "Empty; no free path leads here"
    return "Click to stand here; this costs nothing"
