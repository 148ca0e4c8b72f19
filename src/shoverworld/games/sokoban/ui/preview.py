"""What the pointer is on, and what would happen there."""

from collections.abc import Callable
from typing import NamedTuple

from shoverworld.core.ui import Cell, Mark, Preview

from ..config import SokobanRules
from ..rules import PULL
from ..state import SokobanState
from .cells import (
    NAMES,
    beside,
    box_at,
    box_name,
    count,
    is_numbered,
    is_wall,
    place_name,
    players_of,
    target_at,
    target_name,
    way_name,
)
from .ground import FAR, pushes_to_target
from .marks import BAD, GOOD, NEUTRAL
from .ways import box_ways, walk


class Hover(NamedTuple):
    """A game that is pointed at: who the mouse moves, which box is in his hand, and how he would shove one."""

    rules: SokobanRules
    state: SokobanState
    who: int
    box: Cell | None
    shove: Callable[[SokobanState, Cell, int], list[tuple[int, int]] | str]

    def preview(self, cell: Cell, toward: int | None) -> Preview:
        """`toward`: the side that is pointed at, or the way of a drag; None: the middle, where no way is meant yet."""
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
            return Preview((), f"{what}No free way leads here")
        return Preview((Mark("frame", cell, NEUTRAL),), f"{what}Click to walk here: {count(len(way), 'step')}")

    def _of_player(self, who: int) -> Preview:
        if self.rules.players == 1:
            return Preview((), "You. Arrows or WASD walk and push")
        keys = "WASD move" if who else "Arrows move"
        return Preview((), f"The {NAMES[who]}. {keys} him{'' if who == self.who else '; a click gives him the mouse'}")

    def _of_goal(self, box: Cell, cell: Cell) -> Preview:
        name, pushes = box_name(self.state, box), box_ways(self.state, self.who, box).pushes.get(cell)
        if pushes is None:
            return Preview((Mark("frame", cell, BAD),), f"No way brings the {name} here by itself")
        told = f"Click: push the {name} here, {count(pushes, 'push')}{self._after(box, cell)}"
        return Preview((Mark("frame", cell, GOOD, str(pushes)),), told)

    def _of_box(self, cell: Cell, toward: int | None) -> Preview:
        name = box_name(self.state, cell)
        if toward is None:
            return Preview((Mark("frame", cell, NEUTRAL),), self._what(cell))
        steps = self.shove(self.state, cell, toward)
        if isinstance(steps, str):
            return Preview((Mark("frame", cell, BAD, "x"),), steps)
        there = beside(cell, toward)
        verb = "Pull" if steps[-1][0] == PULL else "Push"
        walked = f", {count(len(steps) - 1, 'step')} away" if len(steps) > 1 else ""
        after = self._after(cell, there)
        colour = BAD if "lost" in after else GOOD
        marks = Mark("frame", cell, colour), Mark("arrow", there, colour, direction=toward)
        return Preview(marks, f"Drag: {verb.lower()} the {name} {way_name(toward)}{walked}{after}")

    def _what(self, cell: Cell) -> str:
        name, goal = box_name(self.state, cell).capitalize(), target_at(self.state, cell)
        where = f"{name} at {place_name(cell)}"
        if goal and goal == box_at(self.state, cell):
            where += ", on its target"
        elif goal:
            where += f", on {target_name(self.state, cell)}, which is not its own"
        return f"{where}. Click selects it, a drag pushes it"

    def _after(self, box: Cell, cell: Cell) -> str:
        """What becomes of a box in that cell."""
        number = box_at(self.state, box)
        goal = target_at(self.state, cell)
        if goal == number:
            return ": onto its target" if is_numbered(self.state) else ": onto a target"
        if self.rules.pull:
            return ""
        pushes = pushes_to_target(self.state, number if is_numbered(self.state) else 0)
        return ": it would be lost there, no target can be reached" if pushes[cell] >= FAR else ""
