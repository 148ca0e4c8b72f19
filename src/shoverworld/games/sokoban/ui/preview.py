"""Previews of the cell under the pointer and of the effect of a click or a drag there."""

from collections.abc import Callable
from typing import NamedTuple

from shoverworld.core.cells import beside, place_name, way_name
from shoverworld.core.ui import Cell, Mark, Preview, count

from ..config import SokobanRules
from ..rules import PULL
from ..state import SokobanState
from .overlays import BAD, GOOD, NEUTRAL
from .paths import box_paths, walk
from .position import (
    FAR,
    NAMES,
    box_at,
    box_name,
    is_numbered,
    is_wall,
    players_of,
    pushes_to_target,
    target_at,
    target_name,
    the_box,
)


class Hover(NamedTuple):
    """The data for a preview: the player that the mouse moves, the selected box, and a function that plans a push."""

    rules: SokobanRules
    state: SokobanState
    who: int
    box: Cell | None
    shove: Callable[[SokobanState, Cell, int], list[tuple[int, int]] | str]

    def preview(self, cell: Cell, toward: int | None) -> Preview:
        """Return the preview for a cell.

        `toward` is the side of the cell that the pointer is on, or the direction of a drag. It is None if the pointer
        is in the middle of the cell.
        """
        state = self.state
        if is_wall(state, cell):
            return Preview((), "A wall")
        if box_at(state, cell):
            return self._of_box(cell, toward)
        if cell in players_of(state):
            return self._of_player(players_of(state).index(cell))
        if self.box is not None:
            return self._of_goal(self.box, cell)
        return self._of_floor(cell)

    def _of_floor(self, cell: Cell) -> Preview:
        what = f"{target_name(self.state, cell).capitalize()}. " if target_at(self.state, cell) else ""
        way = walk(self.state, self.who, cell)
        if way is None:
            return Preview((), f"{what}No free path leads here")
        return Preview((Mark("frame", cell, NEUTRAL),), f"{what}Click to walk here: {count(len(way), 'step')}")

    def _of_player(self, who: int) -> Preview:
        if self.rules.players == 1:
            return Preview((), "The player. Move with the arrow keys or WASD")
        keys = "WASD" if who else "the arrow keys"
        return Preview(
            (), f"The {NAMES[who]}. Move with {keys}{'' if who == self.who else ', or click to use the mouse'}"
        )

    def _of_goal(self, box: Cell, cell: Cell) -> Preview:
        name, pushes = the_box(self.state, box), box_paths(self.state, self.who, box).pushes.get(cell)
        if pushes is None:
            return Preview((Mark("frame", cell, BAD),), f"{name.capitalize()} cannot be pushed here now")
        text = f"Click to push {name} here ({count(pushes, 'push')}){self._after(box, cell)}"
        return Preview((Mark("frame", cell, GOOD, str(pushes)),), text)

    def _of_box(self, cell: Cell, toward: int | None) -> Preview:
        name = the_box(self.state, cell)
        if toward is None:
            return Preview((Mark("frame", cell, NEUTRAL),), self._what(cell))
        steps = self.shove(self.state, cell, toward)
        if isinstance(steps, str):
            return Preview((Mark("frame", cell, BAD, "x"),), steps)
        there = beside(cell, toward)
        verb = "pull" if steps[-1][0] == PULL else "push"
        walked = f" ({count(len(steps) - 1, 'step')} away)" if len(steps) > 1 else ""
        after = self._after(cell, there)
        colour = BAD if "lost" in after else GOOD
        marks = Mark("frame", cell, colour), Mark("arrow", there, colour, direction=toward)
        return Preview(marks, f"Drag to {verb} {name} {way_name(toward)}{walked}{after}")

    def _what(self, cell: Cell) -> str:
        name, goal = box_name(self.state, cell).capitalize(), target_at(self.state, cell)
        where = f"{name} at {place_name(cell)}"
        if goal and goal == box_at(self.state, cell):
            where += ", on its target"
        elif goal:
            where += f", on {target_name(self.state, cell)}, the target of another box"
        return f"{where}. Click to select it, drag to push it"

    def _after(self, box: Cell, cell: Cell) -> str:
        """Return a phrase that describes the consequence of the move for the box."""
        number = box_at(self.state, box)
        goal = target_at(self.state, cell)
        if goal == number:
            return ": onto its target" if is_numbered(self.state) else ": onto a target"
        if self.rules.pull:
            return ""
        pushes = pushes_to_target(self.state, number if is_numbered(self.state) else 0)
        return ": it would be lost there, without a path to a target" if pushes[cell] >= FAR else ""
