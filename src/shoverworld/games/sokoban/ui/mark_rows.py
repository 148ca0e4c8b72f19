"""The marks of Sokoban as rows of a sheet: the selection, hints, and overlays that need no plan."""

from shoverworld.core.cells import OPPOSITE
from shoverworld.core.jit import both, shared
from shoverworld.core.sheet import ARROW, CORNER, FRAME, NO_TEXT, PLAIN, SHADE, mark, rgb

from ..paths import NOWHERE, find_pushes, find_walk, measure_lone_box
from ..phrases import HOLD, LOST, NUMBER
from ..queries import has_numbers
from ..rules import NOTHING, PULL
from ..sentences import box_at, cell_ahead, meaning_of, player_cell
from ..solver.tables import FAR
from .input_rows import MOST_VISITS, selected_box
from .position import NO_CELL, NOBODY, allows_pulls, is_wall, player_at, player_count

GOOD, BAD = rgb(30, 140, 70), rgb(200, 30, 40)
NEUTRAL = rgb(250, 250, 250)  # colour of the cell under the pointer when no direction is chosen
SELECTED, AHEAD, HINT = rgb(20, 110, 230), rgb(120, 50, 190), rgb(200, 20, 130)
REACH = (rgb(40, 110, 220), rgb(140, 60, 170))  # the colour for each player
NEAR, DISTANT, DEAD = (34, 140, 70), (40, 60, 160), rgb(60, 50, 56)

DEAD_SQUARES, WALKS, PLAN, DISTANCES = range(4)  # the overlays


@both
def cell_mark(sheet, state, kind, cell, colour, direction=0, strength=0.4, style=PLAIN, phrase=NO_TEXT, number=0.0):
    """Write a mark on a cell."""
    mark(
        sheet, kind, cell // state.width, cell % state.width, colour,
        direction=direction, strength=strength, style=style, phrase=phrase, number=number,
    )  # fmt: skip


# --- The selection and hints


@shared
def selection(state, rules, chosen, work, sheet):
    """Mark the selected box and the cells that it can be pushed to, or else the player that the mouse moves."""
    box, who = selected_box(state, chosen), int(chosen.who)
    if box != NO_CELL:
        find_pushes(state, who, box, MOST_VISITS, work)
        for cell in range(state.planes.shape[2]):
            if work.pushes[cell] > 0:
                cell_mark(sheet, state, SHADE, cell, GOOD, strength=0.25)
        cell_mark(sheet, state, FRAME, box, SELECTED)
    elif chosen.holding or rules.players > 1:
        phrase = HOLD if chosen.holding else NO_TEXT
        cell_mark(sheet, state, FRAME, player_cell(state, who), SELECTED, phrase=phrase)


@shared
def action_cell(state, rules, action):
    """Return the cell of the box that an action moves, or else the cell that the player walks to.

    Return NO_CELL for a no-op.
    """
    who, kind, direction = meaning_of(rules, action)
    if kind == NOTHING:
        return NO_CELL
    here = player_cell(state, who)
    behind = cell_ahead(here, OPPOSITE[direction], state.width)
    return behind if kind == PULL and box_at(state, behind) else cell_ahead(here, direction, state.width)


@shared
def action_mark(state, rules, action, colour, sheet):
    """Write an arrow on the cell that an action is about."""
    cell = action_cell(state, rules, action)
    if cell != NO_CELL:
        _, _, direction = meaning_of(rules, action)
        cell_mark(sheet, state, ARROW, cell, colour, direction)


@shared
def hint(state, rules, action, sheet):
    """Write an arrow for an action and a frame around the same cell."""
    action_mark(state, rules, action, HINT, sheet)
    cell = action_cell(state, rules, action)
    if cell != NO_CELL:
        cell_mark(sheet, state, FRAME, cell, HINT)


# --- Overlays


@shared
def overlay(state, rules, number, work, sheet):
    """Write the marks of an overlay. The overlay that shows a plan has none."""
    if number == DEAD_SQUARES and not allows_pulls(rules):  # if boxes can be pulled, no cell is dead
        dead_marks(state, work, sheet)
    elif number == WALKS:
        for who in range(player_count(state)):
            reach_marks(state, who, work, sheet)
    elif number == DISTANCES and has_numbers(state):
        box_distance_marks(state, work, sheet)
    elif number == DISTANCES:
        distance_marks(state, work, sheet)


@shared
def dead_marks(state, work, sheet):
    """Mark dead cells and lost boxes."""
    numbered = has_numbers(state)
    measure_lone_box(state, 0, work)
    for cell in range(state.planes.shape[2]):
        if work.distance[cell] >= FAR and not is_wall(state, cell) and box_at(state, cell) == 0:
            strength = 0.45 if player_at(state, cell) == NOBODY else 0.2
            cell_mark(sheet, state, SHADE, cell, DEAD, strength=strength)
    for cell in range(state.planes.shape[2]):
        if box_at(state, cell):
            if numbered:
                measure_lone_box(state, box_at(state, cell), work)
            if work.distance[cell] >= FAR:
                cell_mark(sheet, state, FRAME, cell, BAD, phrase=LOST)


@shared
def reach_marks(state, who, work, sheet):
    """Mark the cells that a player can walk to."""
    here = player_cell(state, who)
    find_walk(state, who, here, work)
    for cell in range(state.planes.shape[2]):
        if work.came[cell] != NOWHERE and cell != here:
            cell_mark(sheet, state, SHADE, cell, REACH[who], strength=0.22)


@shared
def box_distance_marks(state, work, sheet):
    """Mark numbered boxes with the distances to their own targets."""
    for cell in range(state.planes.shape[2]):
        if box_at(state, cell):
            measure_lone_box(state, box_at(state, cell), work)
            if work.distance[cell] >= FAR:
                cell_mark(sheet, state, FRAME, cell, BAD, phrase=LOST)
            else:
                cell_mark(sheet, state, FRAME, cell, AHEAD, phrase=NUMBER, number=int(work.distance[cell]))


@shared
def distance_marks(state, work, sheet):
    """Mark all floor cells with their distances to the nearest target."""
    measure_lone_box(state, 0, work)
    most = 1
    for cell in range(state.planes.shape[2]):
        if work.distance[cell] < FAR:
            most = max(most, int(work.distance[cell]))
    for cell in range(state.planes.shape[2]):
        if is_wall(state, cell):
            continue
        taken = box_at(state, cell) != 0 or player_at(state, cell) != NOBODY
        strength, number = 0.2 if taken else 0.4, int(work.distance[cell])
        if number >= FAR:
            cell_mark(sheet, state, SHADE, cell, DEAD, strength=strength + 0.1)
        else:
            colour, style = between(number / most), CORNER if taken else PLAIN
            cell_mark(sheet, state, SHADE, cell, colour, 0, strength, style, NUMBER, number)


@shared
def between(share):
    """Return a colour between NEAR and DISTANT."""
    colour = 0
    for part in range(3):
        colour = 256 * colour + int(NEAR[part] + (DISTANT[part] - NEAR[part]) * share + 0.5)
    return colour
