"""LURD notation as rows of a sheet: the symbol of an action, and the action of a symbol."""

from shoverworld.core.jit import shared
from shoverworld.core.sheet import ACT, SAY, row, text

from ..phrases import (
    LETTER,
    NOT_A_LETTER,
    ONLY_ONE_PLAYER,
    PULLING,
    PULLS_NOT_ALLOWED,
    SECOND_PLAYER,
    WAY,
)  # fmt: skip
from ..position import action_of, allows_pulls
from ..queries import reason_for
from ..rules import NOTHING, PULL, PUSH
from ..sentences import box_at, cell_ahead, meaning_of, player_cell, write_reason

# Character codes. The letters are the codes of l, u, r and d; an upper-case letter has the same last five bits.
CASE_BITS = 31
LETTER_CODES = tuple(ord(letter) & CASE_BITS for letter in "urdl")  # for each direction
FIRST_LETTER, LAST_LETTER = ord("A"), ord("z")
SECOND_CODE, PULL_CODE, SPACE = ord("+"), ord("<"), ord(" ")
SECOND_PREFIX, PULL_PREFIX = 1, 2  # the bits of a prefix: what has been read before a letter


@shared
def symbol(state, rules, action, sheet):
    """Write the symbol of an action, or nothing for a no-op or a blocked move."""
    who, kind, direction = meaning_of(rules, action)
    if kind == NOTHING or reason_for(state, rules, action):
        return
    if who:
        text(sheet, SECOND_PLAYER)
    if kind == PULL:
        text(sheet, PULLING)
    pushes = box_at(state, cell_ahead(player_cell(state, who), direction, state.width)) != 0
    text(sheet, LETTER, direction + 4 * pushes)


@shared
def direction_of(code):
    """Return the direction of a LURD letter, or -1. The case is ignored, because the board decides what a move does."""
    if FIRST_LETTER <= code <= LAST_LETTER:
        for direction in range(4):
            if code & CASE_BITS == LETTER_CODES[direction]:
                return direction
    return -1


@shared
def letter(state, rules, chosen, code, sheet):
    """Write the action for a character of a string in LURD notation, or the reason why it is impossible.

    `+` and `<` are prefixes, which `chosen` keeps until the letter follows. Spaces and control characters are ignored.
    """
    if code <= SPACE:
        return
    prefix, direction = int(chosen.prefix), direction_of(code)
    chosen.prefix = 0
    if code == SECOND_CODE:
        chosen.prefix = prefix | SECOND_PREFIX
    elif code == PULL_CODE:
        chosen.prefix = prefix | PULL_PREFIX
    elif direction < 0:
        row(sheet, SAY)
        text(sheet, NOT_A_LETTER)
    else:
        step(state, rules, prefix & SECOND_PREFIX, prefix & PULL_PREFIX != 0, direction, sheet)


@shared
def step(state, rules, who, pulls, direction, sheet):
    """Write the action for a step in a direction, or the reason why it is impossible."""
    if who >= rules.players:
        row(sheet, SAY)
        text(sheet, ONLY_ONE_PLAYER)
        return
    if pulls and not allows_pulls(rules):
        row(sheet, SAY)
        text(sheet, PULLS_NOT_ALLOWED)
        return
    action = action_of(rules, who, PULL if pulls else PUSH, direction)
    reason = reason_for(state, rules, action)
    if reason:
        row(sheet, SAY)
        text(sheet, WAY, direction)
        write_reason(sheet, state, who, direction, reason)
    else:
        row(sheet, ACT, action)
