"""The on-screen text of Sokoban as rows of a sheet: panel lines, and descriptions of actions and moves."""

from shoverworld.core.cells import OPPOSITE
from shoverworld.core.jit import shared
from shoverworld.core.sheet import (
    BAD,
    GOAL,
    GOOD,
    INVALID,
    LOSS,
    MOVE,
    NEUTRAL,
    NOTHING,
    PUSHED,
    WALKED,
    WARN,
    figure,
    row,
    text,
)  # fmt: skip

from .. import phrases as say
from ..boards import GENEROUS
from ..position import allows_pulls, player_count, target_at
from ..queries import has_numbers, reason_for
from ..rules import NOTHING as NO_OP
from ..rules import PULL
from ..sentences import box_at, cell_ahead, meaning_of, player_cell, write_box, write_reason, write_why_invalid
from ..state import SOLVED, TIMEOUT


@shared
def counter(sheet, label, number, large=False):
    """Write a panel line with a number."""
    figure(sheet, label, large=large)
    text(sheet, say.COUNTER, number)


@shared
def figures(state, rules, sheet):
    """Write the lines of the panel."""
    game = state.game[0]
    home, boxes, max_steps = int(game.on_target), int(game.boxes), int(rules.max_steps)
    figure(sheet, say.BOXES_ON_TARGET, GOOD if home == boxes else NEUTRAL, home / boxes if boxes else 1.0, large=True)
    text(sheet, say.OF, home, boxes)
    counter(sheet, say.PUSHES, int(game.pushes), True)
    counter(sheet, say.MOVES, int(game.moves))
    if allows_pulls(rules):
        counter(sheet, say.PULLS, int(game.pulls))
    if max_steps < GENEROUS:
        left = max(0, max_steps - int(game.steps))
        share = left / max_steps
        figure(sheet, say.STEPS_LEFT, WARN if share < 0.2 else NEUTRAL, share)
        text(sheet, say.OF, left, max_steps)
    if game.last_action < 0:
        figure(sheet, say.LAST_ACTION, idle=True)
        text(sheet, say.NO_ACTION)
    elif game.valid:
        figure(sheet, say.LAST_ACTION, GOOD)
        text(sheet, say.VALID_ACTION)
    else:
        figure(sheet, say.LAST_ACTION, BAD)
        text(sheet, say.INVALID_ACTION)
        write_why_invalid(sheet, state, rules)


@shared
def input_figures(rules, chosen, sheet):
    """Write the lines of the panel about the input: the player that the mouse moves, and grabbing."""
    if rules.players > 1:
        figure(sheet, say.MOUSE_MOVES)
        text(sheet, say.THE_PLAYER_NAME, int(chosen.who))
    if allows_pulls(rules):
        figure(sheet, say.GRABBING)
        text(sheet, say.GRABS if chosen.holding else say.DOES_NOT_GRAB)


@shared
def ending(state, rules, sheet):
    """Write the lines of the end screen."""
    game = state.game[0]
    outcome = int(game.outcome)
    figure(sheet, say.OUTCOME, GOOD if outcome == SOLVED else WARN if outcome == TIMEOUT else NEUTRAL)
    text(sheet, say.ENDINGS[outcome])
    counter(sheet, say.PUSHES, int(game.pushes), True)
    counter(sheet, say.MOVES, int(game.moves), True)
    if allows_pulls(rules):
        counter(sheet, say.PULLS, int(game.pulls))
    if game.on_target < game.boxes:
        figure(sheet, say.BOXES_ON_TARGET)
        text(sheet, say.OF, int(game.on_target), int(game.boxes))


# --- Moves


@shared
def describe(state, rules, action, sheet):
    """Write an action as an instruction, such as "push the box at row 2, column 5 to the right"."""
    width = state.width
    who, kind, direction = meaning_of(rules, action)
    if kind == NO_OP:
        text(sheet, say.WAIT)
        return
    if rules.players > 1:
        text(sheet, say.PLAYER_COLON, who)
    here = player_cell(state, who)
    ahead, behind = cell_ahead(here, direction, width), cell_ahead(here, OPPOSITE[direction], width)
    if reason_for(state, rules, action):
        text(sheet, say.BLOCKED, direction)
    elif box_at(state, ahead):
        text(sheet, say.PUSH)
        write_box(sheet, state, ahead)
        text(sheet, say.AT_TOWARD, ahead // width, ahead % width, direction)
    elif kind == PULL and box_at(state, behind):
        text(sheet, say.PULL)
        write_box(sheet, state, behind)
        text(sheet, say.AT_TOWARD, behind // width, behind % width, direction)
    else:
        text(sheet, say.WALK, direction)


@shared
def move(before, after, rules, sheet):
    """Write what the last step did."""
    game = after.game[0]
    if game.steps == before.game[0].steps:
        return
    who, kind, direction = meaning_of(rules, int(game.last_action))
    if kind == NO_OP:
        row(sheet, MOVE, NOTHING)
        text(sheet, say.WAITED)
    elif not game.valid:
        row(sheet, MOVE, INVALID)
        if player_count(after) > 1:
            text(sheet, say.PLAYER_COMMA, who)
        text(sheet, say.WAY, direction)
        write_reason(sheet, after, who, direction, int(game.reason))
    elif game.pushed or game.pulled:
        move_of_box(after, who, direction, sheet)
    else:
        row(sheet, MOVE, WALKED)
        if player_count(after) > 1:
            text(sheet, say.PLAYER_NAME, who)
        text(sheet, say.WALKED, direction)


@shared
def move_of_box(after, who, direction, sheet):
    """Write what a step did in which a player moved a box."""
    game, numbered = after.game[0], has_numbers(after)
    box = cell_ahead(player_cell(after, who), direction if game.pushed else OPPOSITE[direction], after.width)
    row(sheet, MOVE, GOAL if game.change > 0 else LOSS if game.change < 0 else PUSHED)
    if player_count(after) > 1:
        text(sheet, say.PLAYER_NAME, who)
    text(sheet, say.PUSHED if game.pushed else say.PULLED)
    write_box(sheet, after, box)
    text(sheet, say.TOWARD, direction)
    if game.change > 0:
        text(sheet, say.ONTO_ITS_TARGET if numbered else say.ONTO_A_TARGET)
    elif game.change < 0:
        text(sheet, say.OFF_ITS_TARGET)
    elif target_at(after, box):  # moved to another target or to another box's target
        text(sheet, say.ONTO_ANOTHER_TARGET if numbered else say.ONTO_A_TARGET)
