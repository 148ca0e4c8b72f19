"""Draw how the Sokoban solver sees a level: `python docs/solver_pictures.py` (or `make pictures`).

The four panels show the rooms, the packing plan, the features of a position and a PI-corral. Everything that is drawn
comes from the solver itself, which is run on the level below.
"""

import argparse
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import matplotlib
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from shoverworld.core.jit import kernel
from shoverworld.games.sokoban.levels import Level
from shoverworld.games.sokoban.solver.corral import find_pi_corral, new_corral_workspace
from shoverworld.games.sokoban.solver.features import (
    AREAS,
    OUT_OF_PLAN,
    PACKED,
    ROOMS,
    measure_position,
    new_position_features,
)
from shoverworld.games.sokoban.solver.freeze import BOX
from shoverworld.games.sokoban.solver.layout import number_groups
from shoverworld.games.sokoban.solver.macro import flood, new_macro_workspace
from shoverworld.games.sokoban.solver.satisficing import STRATEGIES, SatisficingSearch
from shoverworld.games.sokoban.solver.tables import build_tables, in_order

FOLDER = Path(__file__).parent / "pictures"
FONTS = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
CELL, GAP, CAPTION = 26, 18, 46
LINK, SINK = (255, 210, 0), (40, 200, 120)
PARKED, LOST, CORRAL = (40, 200, 120), (230, 40, 40), (170, 80, 255)
AREA_COLOURS = ((64, 140, 255), (255, 150, 40), (170, 80, 255), (0, 190, 190))

LEVEL = """
###################
#     ##    #     #
# $ $    $  ##  ..#
#   ###  $   #  ..#
##  ######       .#
##     @#    #  ..#
### $ $##  ###  ..#
###  $     ########
###   ##   #
### $    $ #
###   ##   #
############
"""
# Later: three boxes are parked, one blocks the link to the room with the targets, and one is out of plan.
LATER = """
###################
#     ##    #     #
# $      $  ##  ..#
#   ###      #  ..#
##  ######   $   .#
##      #    #  .*#
### @  ##  ### $**#
###  $     ########
###   ##   #
###      $ #
###   ##   #
############
"""
# Three boxes hide the right half of the level from the player.
HIDDEN = """
###################
#     ##    #     #
# $   $     ##  ..#
#   ###  $   #  ..#
##  ######   $   .#
##      #    #  .*#
### @  ##  ###  **#
###    $   ########
###   ##   #
###   $    #
###   ##   #
############
"""


@kernel
def measure(tables, features, board, cells, player, macro, position):
    first = flood(tables.width, board, player, macro)
    measure_position(tables, features, board, cells, first, True, macro, position)


@kernel
def mark_corral(tables, board, cells, player, corral):
    return find_pi_corral(tables, board, cells, player, True, corral)


class Panel:
    """A picture of a position on which cells can be tinted and labelled."""

    def __init__(self, level: Level):
        self.width = level.walls.shape[1] + 2  # the solver adds a frame of walls
        self.picture = Image.fromarray(level.picture(CELL)).convert("RGBA")
        self.font = ImageFont.truetype(str(FONTS / "DejaVuSans-Bold.ttf"), 12)

    def corner(self, cell: int) -> tuple[int, int]:
        row, col = divmod(int(cell), self.width)
        return (col - 1) * CELL, (row - 1) * CELL

    def tint(self, cells: Iterable[int], colour: tuple[int, int, int], strength: int = 90) -> None:
        layer = Image.new("RGBA", self.picture.size)
        draw = ImageDraw.Draw(layer)
        for cell in cells:
            x, y = self.corner(cell)
            draw.rectangle((x, y, x + CELL - 1, y + CELL - 1), fill=(*colour, strength))
        self.picture.alpha_composite(layer)

    def frame(self, cells: Iterable[int], colour: tuple[int, int, int]) -> None:
        draw = ImageDraw.Draw(self.picture)
        for cell in cells:
            x, y = self.corner(cell)
            draw.rectangle((x + 1, y + 1, x + CELL - 2, y + CELL - 2), outline=(*colour, 255), width=3)

    def label(self, cell: int, text: str) -> None:
        x, y = self.corner(cell)
        draw = ImageDraw.Draw(self.picture)
        middle = x + CELL // 2, y + CELL // 2
        draw.text(
            middle, text, font=self.font, anchor="mm", fill="white", stroke_width=2, stroke_fill=(30, 30, 30, 255)
        )


class Solver:
    """The solver's knowledge about the level, and its packing plan."""

    def __init__(self, level: Level):
        self.tables = build_tables(level.walls, level.targets)
        self.goals = np.flatnonzero(self.tables.target)
        self.search = SatisficingSearch(
            self.tables, boxes_of(level), player_of(level), self.goals, 64 << 20, lambda nodes: True
        )
        self.layout = self.search.layout
        self.features = self.search._plan(STRATEGIES[0], time.perf_counter() + 60)
        assert self.features.member[-1][self.goals].all(), "the packing plan is not complete"

    def measure(self, level: Level) -> np.ndarray:
        """Return the features of a position."""
        boxes, player = boxes_of(level), player_of(level)
        macro, position = new_macro_workspace(self.tables, len(boxes)), new_position_features(self.features)
        measure(self.tables, self.features, self.board(level), boxes, player, macro, position)
        return position.values

    def board(self, level: Level) -> np.ndarray:
        board = self.tables.wall.astype(np.uint8)
        board[boxes_of(level)] = BOX
        return board


def boxes_of(level: Level) -> np.ndarray:
    return np.sort(in_order(np.pad(level.boxes, 1).reshape(-1)))


def player_of(level: Level) -> int:
    row, col = level.players[0]
    return (row + 1) * (level.walls.shape[1] + 2) + col + 1


def draw_rooms(solver: Solver, level: Level) -> Panel:
    panel, layout = Panel(level), solver.layout
    panel.tint(np.flatnonzero(layout.sink.of_cell), SINK)
    panel.tint(np.flatnonzero(layout.link), LINK, 150)
    return panel


def draw_plan(solver: Solver, level: Level) -> Panel:
    """Number the cells in the order in which the plan fills them."""
    panel, member = Panel(replace(level, boxes=level.targets)), solver.features.member
    for step in range(1, len(member)):
        for cell in np.flatnonzero(member[step] & ~member[step - 1]):
            panel.label(cell, str(step))
    return panel


def draw_features(solver: Solver, level: Level) -> tuple[Panel, np.ndarray]:
    panel, values = Panel(level), solver.measure(level)
    free = np.zeros(len(solver.tables.wall), bool)
    free[solver.layout.floor] = True
    free[boxes_of(level)] = False
    areas, count = number_groups(free, panel.width)
    assert count == values[AREAS]
    for area in range(count):
        panel.tint(np.flatnonzero(areas == area + 1), AREA_COLOURS[area])
    parked = solver.features.member[values[PACKED]]
    boxes = boxes_of(level)
    panel.frame(boxes[parked[boxes]], PARKED)
    later = solver.features.serves[boxes] & solver.features.later[values[PACKED]]
    panel.frame(boxes[(later == 0) & ~parked[boxes]], LOST)
    panel.frame(boxes[solver.layout.link[boxes] > 0], LINK)
    return panel, values


def draw_corral(solver: Solver, level: Level) -> Panel:
    panel, workspace = Panel(level), new_corral_workspace(solver.tables)
    board, boxes = solver.board(level), boxes_of(level)
    pushes = mark_corral(solver.tables, board, boxes, player_of(level), workspace)
    assert pushes > 0, "the position has no PI-corral"
    fence = np.flatnonzero(workspace.best)
    steps = (-panel.width, panel.width, -1, 1)
    first = [box for box in fence if any(workspace.area[box + step] == 0 for step in steps)]
    reach = np.zeros(len(board), bool)
    reach[solver.layout.floor] = True
    reach[boxes] = False
    areas, _ = number_groups(reach, panel.width)
    panel.tint(np.flatnonzero(reach & (areas != areas[player_of(level)])), CORRAL)
    panel.frame(first, CORRAL)
    return panel


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=FOLDER, help="the output folder (default: %(default)s)")
    folder = parser.parse_args().out
    start, later, hidden = (Level.parse(text.strip("\n")) for text in (LEVEL, LATER, HIDDEN))
    solver = Solver(start)
    features, values = draw_features(solver, later)
    panels = {
        "Rooms: the link (yellow) and the sink (green), where\nthe backward search takes boxes off the board": draw_rooms(solver, start),
        "The packing plan: the order in which\nthe targets are filled": draw_plan(solver, start),
        f"Features: packed {values[PACKED]} (green), {values[AREAS]} areas, out of plan {values[OUT_OF_PLAN]} (red),\n"
        f"blocked links {values[ROOMS]} (yellow)": features,
        "A PI-corral: the player cannot reach the tinted cells,\nso one of the framed boxes is pushed next": draw_corral(solver, hidden),
    }  # fmt: skip
    save(panels, folder / "sokoban-solver.png")


def save(panels: dict[str, Panel], path: Path) -> None:
    """Save the panels with their captions, two in a row."""
    font = ImageFont.truetype(str(FONTS / "DejaVuSans.ttf"), 14)
    wide, high = next(iter(panels.values())).picture.size
    sheet = Image.new("RGB", (2 * wide + 3 * GAP, 2 * (high + CAPTION) + GAP), "white")
    draw = ImageDraw.Draw(sheet)
    for i, (caption, panel) in enumerate(panels.items()):
        x, y = GAP + i % 2 * (wide + GAP), GAP // 2 + i // 2 * (high + CAPTION)
        draw.multiline_text((x, y), caption, font=font, fill=(30, 30, 30))
        sheet.paste(panel.picture.convert("RGB"), (x, y + CAPTION - 6))
    sheet.quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    main()
