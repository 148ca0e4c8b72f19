"""How one scene becomes the next, told from the two states alone: boxes glide, burn, dissolve, turn into barriers.

A B B L  ->  . A B L     every box of the chain glides one cell; the front one shrinks into a flame
"""

from typing import Any

from shoverworld.core.hashing import game_numbers
from shoverworld.core.ui import Cell, Motion, Point, Sprite

from ..config import FIRST_SPECIAL
from ..state import EMPTY, State
from ..tiles import FLAME, LOOSE_BOX, SHOVER_TILE
from .cells import OPPOSITE, STEP, beside, is_box

WALK_SECONDS, PUSH_SECONDS, BUMP_SECONDS, CHANGE_SECONDS = 0.12, 0.14, 0.12, 0.28
BUMP = 0.16  # of a cell


def motion(before: State, after: State) -> Motion | None:
    """None when this is no single step forward (an undo, a jump) or when nothing is to be seen."""
    if before.board.shape != after.board.shape or before.width != after.width:
        return None
    old, new = game_numbers(before), game_numbers(after)
    if new["timestep"] - old["timestep"] not in (0, 1):
        return None
    steps = new["timestep"] > old["timestep"]
    film = _Film(before, after)
    if steps and new["chain"]:
        film.push(old, new)
    elif (old["row"], old["col"]) != (new["row"], new["col"]):
        film.walk(old, new)
    elif steps and not new["valid"]:
        film.bump(new)
    else:
        film.stand(new)
    film.change(burns=steps and new["hellified"] > 0)
    return film.developed()


class _Film:
    def __init__(self, before: State, after: State):
        self.old, self.new = before.grid()[0], after.grid()[0]
        self.rows, self.cols = self.new.shape
        self.expected = self.old.copy()  # what the push alone makes of the board; the rest is a change
        self.under: dict[Cell, int] = {}
        self.sprites: list[Sprite] = []
        self.shover: list[Sprite] = []
        self.seconds = 0.0

    def push(self, old: dict[str, Any], new: dict[str, Any]) -> None:
        """The chain begins where the shover stands now."""
        direction, target = new["direction"], (new["row"], new["col"])
        cells = [beside(target, direction, k) for k in range(new["chain"])]
        self.stand(new)
        if not all(self._on_map(cell) and is_box(self.old[cell]) for cell in cells):
            return  # not the same game
        self._hop(old, new, beside(target, OPPOSITE[direction]))
        self.seconds = PUSH_SECONDS
        for cell in reversed(cells):  # front box first
            box, goal = int(self.old[cell]), beside(cell, direction)
            self.expected[cell] = EMPTY
            if cell == cells[-1] and new["burnt"]:
                self._burn(box, cell, goal)
                continue
            self.expected[goal] = box
            stays = self.new[goal] == box
            if not stays:  # it dissolves at once
                self.expected[goal] = self.new[goal]
            self.under[goal] = EMPTY
            self.sprites.append(Sprite(LOOSE_BOX + box, cell, goal, (1.0, 1.0 if stays else 0.0)))

    def _burn(self, box: int, start: Cell, goal: Cell) -> None:
        """Into lava, or half over the edge of the map."""
        end: Point = goal
        if not self._on_map(goal):
            end = (start[0] + goal[0]) / 2, (start[1] + goal[1]) / 2
        self.seconds = CHANGE_SECONDS
        self.sprites.append(Sprite(LOOSE_BOX + box, start, end, (1.0, 0.15), (1.0, 0.4)))
        self.sprites.append(Sprite(FLAME, start, end, (0.3, 0.0), (0.4, 1.3)))
        self.sprites.append(Sprite(FLAME, end, end, (1.0, 0.0), (0.3, 1.1)))

    def walk(self, old: dict[str, Any], new: dict[str, Any]) -> None:
        self.seconds = WALK_SECONDS
        self._hop(old, new, (new["row"], new["col"]))

    def _hop(self, old: dict[str, Any], new: dict[str, Any], landing: Cell) -> None:
        """To the next cell he glides; farther off he vanishes here and appears there."""
        tile, here, there = SHOVER_TILE + new["direction"], (old["row"], old["col"]), (new["row"], new["col"])
        if abs(here[0] - there[0]) + abs(here[1] - there[1]) <= 1:
            self.shover = [Sprite(tile, here, there)]
        else:
            self.shover = [
                Sprite(SHOVER_TILE + old["direction"], here, here, (1.0, 0.0), (1.0, 0.6)),
                Sprite(tile, landing, there, (0.0, 1.0)),
            ]

    def bump(self, new: dict[str, Any]) -> None:
        """The shover runs against something and comes back. The box of the action does the same. An invalid special only
        makes the shover wince."""
        dy, dx = (BUMP * part for part in STEP[new["direction"]])
        here, target = (new["row"], new["col"]), (new["previous_row"], new["previous_col"])
        self.seconds = BUMP_SECONDS
        if new["kind"] >= FIRST_SPECIAL:
            self.shover = [Sprite(SHOVER_TILE + new["direction"], here, here, scale=(0.8, 1.0))]
            return
        self.shover = [Sprite(SHOVER_TILE + new["direction"], (here[0] + dy, here[1] + dx), here)]
        if self._on_map(target) and is_box(self.old[target]) and self.new[target] == self.old[target]:
            self.under[target] = EMPTY
            box = LOOSE_BOX + int(self.new[target])
            self.sprites.append(Sprite(box, (target[0] + dy, target[1] + dx), target))

    def stand(self, new: dict[str, Any]) -> None:
        here = new["row"], new["col"]
        self.shover = [Sprite(SHOVER_TILE + new["direction"], here, here)]

    def change(self, burns: bool) -> None:
        """Boxes that turned into barriers or lava, or dissolved; hellify burns them."""
        for row, col in zip(*(self.expected != self.new).nonzero(), strict=True):
            cell = int(row), int(col)
            was, becomes = int(self.expected[cell]), int(self.new[cell])
            self.seconds = max(self.seconds, CHANGE_SECONDS)
            self.under[cell] = EMPTY
            if becomes != EMPTY:
                self.sprites.append(Sprite(becomes, cell, cell, (0.0, 1.0), (0.5, 1.0)))
            if is_box(was):
                self.sprites.append(Sprite(LOOSE_BOX + was, cell, cell, (1.0, 0.0), (1.0, 0.6)))
                if burns:
                    self.sprites.append(Sprite(FLAME, cell, cell, (0.9, 0.0), (0.3, 1.0)))

    def _on_map(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.cols

    def developed(self) -> Motion | None:
        if self.seconds == 0:
            return None
        return Motion(self.under, (*self.sprites, *self.shover), self.seconds)
