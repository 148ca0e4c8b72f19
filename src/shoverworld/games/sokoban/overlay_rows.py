"""The overlays of Sokoban as rows of a sheet (core/sheet.py), and the pushes in a plan.

These functions visit every cell of the board, so they are kernels: plain Python would be too slow for large boards.
The numbers of phrases are arguments, because kernels are not compiled again when the table of phrases changes.
"""

from shoverworld.core.jit import kernel, rare
from shoverworld.core.sheet import CORNER, FRAME, NO_TEXT, PLAIN, SHADE, mark, rgb

from .paths import NOWHERE, find_walk, measure_lone_box
from .position import NOBODY, action_cell, allows_pulls, is_wall, player_at, player_count
from .queries import has_numbers, play
from .sentences import box_at, meaning_of, player_cell
from .solver.tables import FAR
from .state import PLAYING

GOOD, BAD, AHEAD = rgb(30, 140, 70), rgb(200, 30, 40), rgb(120, 50, 190)
REACH = (rgb(40, 110, 220), rgb(140, 60, 170))  # the colour for each player
NEAR, DISTANT, DEAD = (34, 140, 70), (40, 60, 160), rgb(60, 50, 56)

DEAD_SQUARES, WALKS, PLAN, DISTANCES = range(4)  # the overlays
MOST_PUSHES = 12  # the maximum number of planned pushes that are shown


@rare
def write_mark(sheet, width, kind, cell, colour, strength, style, phrase, number):
    mark(sheet, kind, cell // width, cell % width, colour, 1, 1, 0, strength, style, phrase, number)


@kernel
def shade_pushes(state, work, sheet):
    """Mark the cells that a box can be pushed to, after the search for its paths."""
    for cell in range(state.planes.shape[2]):
        if work.pushes[cell] > 0:
            write_mark(sheet, state.width, SHADE, cell, GOOD, 0.25, PLAIN, NO_TEXT, 0)


@kernel
def write_overlay(state, rules, number, counted, lost, work, sheet):
    """Write the marks of an overlay. The overlay that shows a plan has none.

    `counted` is a phrase for a number, and `lost` marks a box without a path to a target.
    """
    if number == DEAD_SQUARES and not allows_pulls(rules):  # if boxes can be pulled, no cell is dead
        dead_marks(state, lost, work, sheet)
    elif number == WALKS:
        for who in range(player_count(state)):
            reach_marks(state, who, work, sheet)
    elif number == DISTANCES and has_numbers(state):
        box_distance_marks(state, counted, lost, work, sheet)
    elif number == DISTANCES:
        distance_marks(state, counted, work, sheet)


@rare
def dead_marks(state, lost, work, sheet):
    """Mark dead cells and lost boxes."""
    width, numbered = state.width, has_numbers(state)
    measure_lone_box(state, 0, work)
    for cell in range(state.planes.shape[2]):
        if work.distance[cell] >= FAR and not is_wall(state, cell) and box_at(state, cell) == 0:
            strength = 0.45 if player_at(state, cell) == NOBODY else 0.2
            write_mark(sheet, width, SHADE, cell, DEAD, strength, PLAIN, NO_TEXT, 0)
    for cell in range(state.planes.shape[2]):
        if box_at(state, cell) != 0:
            if numbered:
                measure_lone_box(state, box_at(state, cell), work)
            if work.distance[cell] >= FAR:
                write_mark(sheet, width, FRAME, cell, BAD, 0.4, PLAIN, lost, 0)


@rare
def reach_marks(state, who, work, sheet):
    """Mark the cells that a player can walk to."""
    here = player_cell(state, who)
    find_walk(state, who, here, work)
    for cell in range(state.planes.shape[2]):
        if work.came[cell] != NOWHERE and cell != here:
            write_mark(sheet, state.width, SHADE, cell, REACH[who], 0.22, PLAIN, NO_TEXT, 0)


@rare
def box_distance_marks(state, counted, lost, work, sheet):
    """Mark numbered boxes with the distances to their own targets."""
    for cell in range(state.planes.shape[2]):
        if box_at(state, cell) != 0:
            measure_lone_box(state, box_at(state, cell), work)
            number = int(work.distance[cell])
            if number >= FAR:
                write_mark(sheet, state.width, FRAME, cell, BAD, 0.4, PLAIN, lost, 0)
            else:
                write_mark(sheet, state.width, FRAME, cell, AHEAD, 0.4, PLAIN, counted, number)


@rare
def distance_marks(state, counted, work, sheet):
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
            write_mark(sheet, state.width, SHADE, cell, DEAD, strength + 0.1, PLAIN, NO_TEXT, 0)
        else:
            style = CORNER if taken else PLAIN
            write_mark(sheet, state.width, SHADE, cell, between(number / most), strength, style, counted, number)


@rare
def between(share):
    """Return a colour between NEAR and DISTANT."""
    colour = 0
    for part in range(3):
        colour = 256 * colour + int(NEAR[part] + (DISTANT[part] - NEAR[part]) * share + 0.5)
    return colour


@kernel
def find_planned_pushes(state, rules, actions, trial, pushes):
    """Write the cell and the direction of the next pushes and pulls in a plan to `pushes`. Return their number.

    The actions are tried in the game `trial`.
    """
    planes, tried = state.planes[0], trial.planes[0]
    for plane in range(planes.shape[0]):
        for cell in range(planes.shape[1]):
            tried[plane, cell] = planes[plane, cell]
    trial.game[0] = state.game[0]
    game, count = trial.game[0], 0
    for action in actions:
        if game.outcome != PLAYING or count == len(pushes):
            break
        cell = action_cell(trial, rules, int(action))
        if play(trial, rules, int(action)):
            _, _, direction = meaning_of(rules, int(action))
            pushes[count, 0], pushes[count, 1] = cell, direction
            count += 1
    return count
