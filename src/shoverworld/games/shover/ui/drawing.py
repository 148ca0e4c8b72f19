"""The graphics of Shover-World: a tile for each cell, the shover on top, motions, and characters for a terminal."""

from typing import Any

import numpy as np

from shoverworld.core.cells import OPPOSITE, STEPS, beside
from shoverworld.core.grid import DOWN
from shoverworld.core.hashing import game_numbers
from shoverworld.core.rules_text import parse_rules
from shoverworld.core.ui import Board, Cell, Motion, Point, Scene, Sprite

from ..config import FIRST_SPECIAL, PRESETS
from ..state import BARRIER, EMPTY, LAVA, State, frame_of
from ..tiles import FLAME, LOOSE_BOX, PLAIN_BOX, SHOVER_TILE, differ_in_strength, tiles_of
from ..tiles import tile as tile
from .position import is_box


def scene(state: State) -> Scene:
    game: Any = state.game[0]
    shover = (int(game.row), int(game.col)) if game.shover else None
    return still(tiles_of(state.grid()[0]), shover, int(game.direction), int(state.board[0, 0]))


def thumbnail(board: Board) -> Scene:
    rules = parse_rules(board.preset, PRESETS)
    shover = board.level.agent if rules.actor != "select" else None
    return still(tiles_of(board.level.grid), shover, frame=frame_of(rules.edge))


def still(tiles: np.ndarray, shover: Cell | None, direction: int = DOWN, frame: int | None = None) -> Scene:
    """Return the scene of a map, with the shover unless `shover` is None. A lava edge is drawn; a wall edge is not."""
    actors = () if shover is None else (Sprite(SHOVER_TILE + direction, shover, shover),)
    return Scene(tiles.astype(np.int16), actors, LAVA if frame == LAVA else None)


# --- Motions: boxes slide, burn, dissolve or become barriers

WALK_SECONDS, PUSH_SECONDS, BUMP_SECONDS, CHANGE_SECONDS = 0.12, 0.14, 0.12, 0.28
BUMP = 0.16  # how far a blocked shover moves, in cells


def motion(before: State, after: State) -> Motion | None:
    """Return the motion from `before` to `after`, or None if they are not consecutive or nothing visible happens."""
    if before.board.shape != after.board.shape or before.width != after.width:
        return None
    old, new = game_numbers(before), game_numbers(after)
    if new["timestep"] - old["timestep"] not in (0, 1):
        return None
    steps = new["timestep"] > old["timestep"]
    builder = _MotionBuilder(before, after)
    if steps and new["chain"]:
        builder.push(old, new)
    elif (old["row"], old["col"]) != (new["row"], new["col"]):
        builder.walk(old, new)
    elif steps and not new["valid"]:
        builder.bump(new)
    else:
        builder.stand(new)
    builder.change(burns=steps and new["hellified"] > 0)
    return builder.motion()


class _MotionBuilder:
    """Collects the sprites of a motion."""

    def __init__(self, before: State, after: State):
        self.old, self.new = before.grid()[0], after.grid()[0]
        self.rows, self.cols = self.new.shape
        self.numbered = differ_in_strength(self.old)
        self.seen = bool(after.game["shover"][0])  # whether there is a shover to draw
        self.expected = self.old.copy()  # the board after the push, without other changes
        self.under: dict[Cell, int] = {}
        self.sprites: list[Sprite] = []
        self.shover: list[Sprite] = []
        self.seconds = 0.0

    def push(self, old: dict[str, Any], new: dict[str, Any]) -> None:
        """Show a push. The chain began at the cell where the shover is now."""
        direction, target = new["direction"], (new["row"], new["col"])
        cells = [beside(target, direction, k) for k in range(new["chain"])]
        self.stand(new)
        if not all(self._on_map(cell) and is_box(self.old[cell]) for cell in cells):
            return  # the two states are not consecutive states of one game
        self._hop(old, new, beside(target, OPPOSITE[direction]))
        self.seconds = PUSH_SECONDS
        for cell in reversed(cells):  # beginning with the front box
            box, goal = int(self.old[cell]), beside(cell, direction)
            self.expected[cell] = EMPTY
            if cell == cells[-1] and new["burnt"]:
                self._burn(box, cell, goal)
                continue
            self.expected[goal] = box
            stays = self.new[goal] == box
            if not stays:  # the box dissolves in the same step
                self.expected[goal] = self.new[goal]
            self.under[goal] = EMPTY
            self.sprites.append(Sprite(self._loose(box), cell, goal, (1.0, 1.0 if stays else 0.0)))

    def _burn(self, box: int, start: Cell, goal: Cell) -> None:
        """Show a box that moves into lava, or halfway over the edge of the map, and burns."""
        end: Point = goal
        if not self._on_map(goal):
            end = (start[0] + goal[0]) / 2, (start[1] + goal[1]) / 2
        self.seconds = CHANGE_SECONDS
        self.sprites.append(Sprite(self._loose(box), start, end, (1.0, 0.15), (1.0, 0.4)))
        self.sprites.append(Sprite(FLAME, start, end, (0.3, 0.0), (0.4, 1.3)))
        self.sprites.append(Sprite(FLAME, end, end, (1.0, 0.0), (0.3, 1.1)))

    def walk(self, old: dict[str, Any], new: dict[str, Any]) -> None:
        self.seconds = WALK_SECONDS
        self._hop(old, new, (new["row"], new["col"]))

    def _hop(self, old: dict[str, Any], new: dict[str, Any], landing: Cell) -> None:
        """Slide the shover to the next cell. For a longer leap, fade it out at the start and in at the destination."""
        tile, here, there = SHOVER_TILE + new["direction"], (old["row"], old["col"]), (new["row"], new["col"])
        if abs(here[0] - there[0]) + abs(here[1] - there[1]) <= 1:
            self.shover = [Sprite(tile, here, there)]
        else:
            self.shover = [
                Sprite(SHOVER_TILE + old["direction"], here, here, (1.0, 0.0), (1.0, 0.6)),
                Sprite(tile, landing, there, (0.0, 1.0)),
            ]

    def bump(self, new: dict[str, Any]) -> None:
        """Show an invalid action: the shover and any box that it failed to push jerk forward and slide back.

        A special action has no direction, so the shover only shrinks for a moment.
        """
        dy, dx = (BUMP * part for part in STEPS[new["direction"]])
        here, target = (new["row"], new["col"]), (new["previous_row"], new["previous_col"])
        self.seconds = BUMP_SECONDS
        if new["kind"] >= FIRST_SPECIAL:
            self.shover = [Sprite(SHOVER_TILE + new["direction"], here, here, scale=(0.8, 1.0))]
            return
        self.shover = [Sprite(SHOVER_TILE + new["direction"], (here[0] + dy, here[1] + dx), here)]
        if self._on_map(target) and is_box(self.old[target]) and self.new[target] == self.old[target]:
            self.under[target] = EMPTY
            box = self._loose(int(self.new[target]))
            self.sprites.append(Sprite(box, (target[0] + dy, target[1] + dx), target))

    def stand(self, new: dict[str, Any]) -> None:
        here = new["row"], new["col"]
        self.shover = [Sprite(SHOVER_TILE + new["direction"], here, here)]

    def change(self, burns: bool) -> None:
        """Show the boxes that dissolved or became barriers or lava. If `burns` is true, add flames to the boxes."""
        for row, col in zip(*(self.expected != self.new).nonzero(), strict=True):
            cell = int(row), int(col)
            was, becomes = int(self.expected[cell]), int(self.new[cell])
            self.seconds = max(self.seconds, CHANGE_SECONDS)
            self.under[cell] = EMPTY
            if becomes != EMPTY:
                self.sprites.append(Sprite(becomes, cell, cell, (0.0, 1.0), (0.5, 1.0)))
            if is_box(was):
                self.sprites.append(Sprite(self._loose(was), cell, cell, (1.0, 0.0), (1.0, 0.6)))
                if burns:
                    self.sprites.append(Sprite(FLAME, cell, cell, (0.9, 0.0), (0.3, 1.0)))

    def _loose(self, box: int) -> int:
        return LOOSE_BOX + (box if self.numbered else PLAIN_BOX)

    def _on_map(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.cols

    def motion(self) -> Motion | None:
        if self.seconds == 0:
            return None
        sprites = (*self.sprites, *self.shover) if self.seen else tuple(self.sprites)
        return Motion(self.under, sprites, self.seconds) if sprites else None


# --- Terminal: each kind of cell has its own colour and shape

FACING = ("▲", "▶", "▼", "◀")
CELLS = {
    LAVA: ("~~", "bold yellow1 on red3"),
    EMPTY: ("· ", "grey50 on grey15"),
    BARRIER: ("▒▒", "grey62 on grey35"),
    FLAME: ("**", "bold yellow on dark_red"),
}
BOX = "bold black on orange3"
SHOVER = "bold white on dodger_blue2"


def glyph(tile: int, width: int) -> tuple[str, str]:
    if tile in CELLS:
        text, style = CELLS[tile]
        return text[:width], style
    if SHOVER_TILE <= tile < SHOVER_TILE + 4:
        return FACING[tile - SHOVER_TILE].ljust(width), SHOVER
    strength = tile - LOOSE_BOX if tile > LOOSE_BOX else tile
    return ("■" if strength > 9 else str(strength)).ljust(width), BOX  # the space separates adjacent boxes
