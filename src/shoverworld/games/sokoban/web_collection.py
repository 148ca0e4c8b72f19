"""Find a level and its texts in a level file, compiled for the WebAssembly module. collection.py describes the rules.

`next_event` classifies one line after the other: rows of a board, notes and properties. `find_level` uses it to find the
board with a given number, its title, its author, its rules and the numbers of its boxes.
"""

import numpy as np

from shoverworld.core.grid import record_type
from shoverworld.core.jit import shared
from shoverworld.core.letters import (
    SPACE,
    TAB,
    begins,
    count_letters,
    drop_space,
    is_printable,
    is_space,
    letter_at,
    lower,
    quote,
    size_at,
    skip_space,
)
from shoverworld.core.text_reader import COLON, find_byte, line_end, next_line, problem, word_bytes

from .collection import MOST_LEVELS
from .problems import INVALID_LETTER, NO_LEVELS, NUMBERED, NUMBERS_EXPECTED, TOO_MANY_LEVELS

BLANK, ROW, INVALID_ROW, NOTE, PROPERTY = range(5)
TITLE, AUTHOR, RULES, BOXES, TARGETS, PLAYERS, OTHER = range(7)  # properties
KEYS = ("title", "author", "rules", *NUMBERED)
_EXPECTED = np.array([0, 0, 0, *NUMBERS_EXPECTED.values()], np.int32)
MOST_KEY, MOST_SOLUTION = 31, 30  # letters in the name of a property, and after the word "solution"
_TITLE, _AUTHOR, _RULES, _BOXES, _TARGETS, _PLAYERS = map(word_bytes, KEYS)
_SOLUTION, _COMMENT, _COMMENT_END = map(word_bytes, ("solution", "comment", "comment-end"))
_HASH, _SEMICOLON, _ZERO, _NINE = map(ord, "#;09")

_ROW_LETTERS, _INNER_LETTERS, _LURD_LETTERS = (np.zeros(256, np.bool_) for _ in range(3))
_ROW_LETTERS[list(b"#@+$*. -_bBopP0123456789|()")] = True
_INNER_LETTERS[list(b"@+$*. -_")] = True
_LURD_LETTERS[list(b"ludrLUDR0123456789() \t")] = True

# One line of a file, or several lines that belong together: what `next_event` found
EVENT = record_type(
    [
        ("kind", np.int32),
        ("key", np.int32),  # which property
        ("line", np.int32),  # the number of its first line
        ("start", np.int32),  # the text of a row or a note, or the value of a property
        ("end", np.int32),
        ("next", np.int32),  # where the next line begins, and its number
        ("next_line", np.int32),
        ("inside", np.int32),  # whether the line belongs to a board
    ]
)

# What `find_level` found: ranges of bytes, and line numbers. 0 means that there is none.
FOUND = record_type(
    [
        ("scanned", np.int32),  # 1 + the size of the file if the next four fields are known
        ("levels", np.int32),
        ("properties_above", np.int32),  # whether properties belong to the board below them
        ("notes_above", np.int32),  # whether titles are above the boards
        ("author_start", np.int32),
        ("author_end", np.int32),
        ("number", np.int32),  # the level at which the next search can begin, and where its board begins
        ("place", np.int32),
        ("place_line", np.int32),
        ("board", np.int32),  # where the rows begin
        ("board_end", np.int32),
        ("board_line", np.int32),
        *((f"{key}_{part}", np.int32) for key in ("title", "by", "rules", "boxes", "targets", "players") for part in ("start", "end", "line")),
        ("last_numbers_line", np.int32),
        ("first_numbered", np.int32),  # the order in which boxes, targets and players are numbered: three digits
    ]
)  # fmt: skip


@shared
def all_in(text, start, end, letters):
    """Return whether a text consists of these letters."""
    for place in range(start, end):  # noqa: SIM110 - compiled code has no generators
        if not letters[text[place]]:
            return False
    return True


@shared
def is_row(text, start, end):
    return find_byte(text, start, end, _HASH) < end and all_in(text, start, end, _ROW_LETTERS)


@shared
def same_word(text, start, end, word):
    return end - start == len(word) and begins(text, start, end, word)


@shared
def key_of(text, start, end):
    """Return which property has this name. Single spaces separate its words in KEYS."""
    if same_word(text, start, end, _TITLE):
        return TITLE
    if same_word(text, start, end, _AUTHOR):
        return AUTHOR
    if same_word(text, start, end, _RULES):
        return RULES
    if same_words(text, start, end, _BOXES):
        return BOXES
    if same_words(text, start, end, _TARGETS):
        return TARGETS
    return PLAYERS if same_words(text, start, end, _PLAYERS) else OTHER


@shared
def same_words(text, start, end, words):
    """Return whether a text consists of these words, in upper or lower case, separated by one or more spaces."""
    k = 0
    while start < end and k < len(words):
        if lower(text[start]) != words[k]:
            return False
        start += 1
        while words[k] == SPACE and start < end and text[start] == SPACE:
            start += 1
        k += 1
    return start == end and k == len(words)


@shared
def solution_colon(text, start, end):
    """Return where the colon of a line such as `Solution (12 moves): rR` is, `end` without a colon, -1 for another line."""
    if not begins(text, start, end, _SOLUTION):
        return -1
    first = start + len(_SOLUTION)
    colon = find_byte(text, first, end, COLON)
    stop = colon
    while stop > first and (text[stop - 1] == SPACE or text[stop - 1] == TAB):
        stop -= 1
    is_name = stop == first or (
        count_letters(text, first, stop) <= MOST_SOLUTION and drop_space(text, first, stop) == stop
    )
    return colon if is_name else -1


@shared
def property_colon(text, start, end):
    """Return where the colon of a property is, or -1 for another line."""
    colon = find_byte(text, start, end, COLON)
    stop = colon
    while stop > start and (text[stop - 1] == SPACE or text[stop - 1] == TAB):
        stop -= 1
    if colon == end or stop == start or stop - start > MOST_KEY or not 97 <= lower(text[start]) <= 122:
        return -1
    for place in range(start, stop):
        byte = text[place]
        is_letter = 97 <= lower(byte) <= 122 or _ZERO <= byte <= _NINE
        if not (is_letter or byte == SPACE or byte == 47 or byte == 95 or byte == 45):
            return -1
    return colon


@shared
def next_event(text, event):
    """Classify the line at `event.next`."""
    start, line = np.int64(event.next), np.int64(event.next_line)
    stop = line_end(text, start, True)
    event.next, event.next_line, event.line = next_line(text, stop, True), line + 1, line
    first = skip_space(text, start, stop)
    last = drop_space(text, first, stop)
    if first == stop:
        event.kind, event.inside = BLANK, 0
    elif is_row(text, start, stop) or (event.inside != 0 and all_in(text, start, stop, _INNER_LETTERS)):
        event.kind, event.start, event.end = ROW, start, stop
    elif event.inside != 0 and text[first] == _HASH and text[last - 1] == _HASH:
        event.kind, event.start, event.end = INVALID_ROW, start, stop
    else:
        event.inside = 0
        classify_text(text, first, last, event)


@shared
def classify_text(text, start, end, event):
    """Classify a line that does not belong to a board."""
    event.kind, event.start, event.end, event.key = NOTE, start, end, OTHER
    if text[start] == _SEMICOLON:
        event.start = skip_space(text, start + 1, end)
        event.kind = NOTE if event.start < end else BLANK
        return
    colon = solution_colon(text, start, end)
    if colon >= 0:
        has_letters = colon < end and skip_space(text, colon + 1, end) < end
        while event.next < len(text):
            stop = line_end(text, event.next, True)
            first = skip_space(text, event.next, stop)
            if first == stop or not all_in(text, event.next, stop, _LURD_LETTERS):
                break
            has_letters = True
            event.next, event.next_line = next_line(text, stop, True), event.next_line + 1
        event.kind = PROPERTY if has_letters else NOTE
        return
    colon = property_colon(text, start, end)
    if colon < 0:
        return
    stop = drop_space(text, start, colon)
    event.kind, event.key = PROPERTY, key_of(text, start, stop)
    event.start = colon + 1 + int(colon + 1 < end and text[colon + 1] == SPACE)
    if same_word(text, start, stop, _COMMENT) and event.start >= end:
        skip_comment(text, event)


@shared
def skip_comment(text, event):
    """Skip a comment of several lines, if its end is marked."""
    start, line = np.int64(event.next), np.int64(event.next_line)
    while start < len(text):
        stop = line_end(text, start, True)
        first = skip_space(text, start, stop)
        start, line = next_line(text, stop, True), line + 1
        if begins(text, first, stop, _COMMENT_END):
            event.next, event.next_line = start, line
            return
        if begins(text, first, stop, _COMMENT):
            return


@shared
def begin_events(event, place, line):
    event.next, event.next_line, event.inside = place, line, 0


@shared
def scan_file(text, event, found, sheet):
    """Count the levels, and find out where titles and properties are."""
    begin_events(event, 0, 1)
    levels, titles, has_ends, all_titled = 0, 0, False, True
    found.notes_above, found.author_start, found.author_end = 0, 0, 0
    while event.next < len(text):
        next_event(text, event)
        if event.kind == ROW:
            if event.inside == 0:
                if levels == MOST_LEVELS:
                    return problem(sheet, TOO_MANY_LEVELS, event.line, a=MOST_LEVELS)
                levels += 1
                all_titled = all_titled and titles == 1
                titles, has_ends = 0, False
            event.inside = 1
        elif event.kind == PROPERTY:
            titles += int(event.key == TITLE)
            has_ends = has_ends or event.key == TITLE or event.key == AUTHOR
            if event.key == AUTHOR and levels == 0:
                found.author_start, found.author_end = event.start, event.end
        elif event.kind == NOTE and levels == 0:
            found.notes_above = 1
    if levels == 0:
        return problem(sheet, NO_LEVELS)
    found.levels = levels
    found.properties_above = int(all_titled and not has_ends)
    if found.properties_above != 0:
        found.author_start, found.author_end = 0, 0
    found.scanned, found.number, found.place, found.place_line = len(text) + 1, 0, 0, 1
    return 0


@shared
def find_level(text, number, event, found, sheet):
    """Find level `number`, counted from 0. Return 1 after an error in its lines. `scan_file` must have been called."""
    if found.number >= number:  # the text above the board may belong to the level
        found.number, found.place, found.place_line = 0, 0, 1
    begin_events(event, found.place, found.place_line)
    clear_found(found)
    board = np.int64(found.number) - 1  # the board above the current line
    note_start, note_end, error = 0, 0, 0
    while event.next < len(text) and board <= number:
        place, line = np.int64(event.next), np.int64(event.next_line)
        next_event(text, event)
        if event.kind == ROW:
            if event.inside == 0:
                board += 1
                if board > number:
                    break
                if board == number:
                    found.board, found.board_line = event.start, event.line
                else:
                    found.number, found.place, found.place_line = board, place, line
            event.inside = 1
            if board == number:
                found.board_end = event.next
        elif event.kind == INVALID_ROW:
            if board == number and error == 0:
                error = invalid_row(text, event, number, sheet)
        elif event.kind == NOTE:
            if board == number - 1 and found.notes_above != 0:
                note_start, note_end = event.start, event.end
            if board == number and found.notes_above == 0 and note_end == 0:
                note_start, note_end = event.start, event.end
        elif error == 0 and event.kind == PROPERTY and board == number - found.properties_above:
            error = keep_property(text, event, found, number, sheet)
    if found.title_line == 0 and note_end > 0:
        found.title_start, found.title_end = note_start, note_end
    if found.by_line == 0:
        found.by_start, found.by_end = found.author_start, found.author_end
    return error


@shared
def clear_found(found):
    found.title_line, found.by_line, found.rules_line = 0, 0, 0
    found.title_start, found.title_end, found.by_start, found.by_end = 0, 0, 0, 0
    found.rules_start, found.rules_end = 0, 0
    found.boxes_line, found.targets_line, found.players_line = 0, 0, 0
    found.board, found.board_end, found.first_numbered = 0, 0, 0


@shared
def invalid_row(text, event, number, sheet):
    """Write the error for a board row that contains an invalid letter."""
    place = np.int64(event.start)
    while _ROW_LETTERS[text[place]]:
        place += 1
    column = count_letters(text, event.start, place) + 1
    problem(sheet, INVALID_LETTER, event.line, b=column, level=number + 1)
    quote(sheet, 0, text, place, place + size_at(text, place), 1, 200)
    return 1


@shared
def is_numbers(text, start, end):
    """Return whether a text consists of positive integers with at most three digits."""
    place, count = skip_space(text, start, end), 0
    while place < end:
        stop = place
        while stop < end and _ZERO <= text[stop] <= _NINE:
            stop += 1
        after = skip_space(text, stop, end)
        if stop == place or stop - place > 3 or (after == stop and stop < end):
            return False
        count += 1
        place = after
    return count > 0


@shared
def keep_property(text, event, found, number, sheet):
    """Store where the value of a property is. Return 1 after an error."""
    start, end, line = event.start, event.end, event.line
    if event.key == OTHER:
        return 0
    if event.key == TITLE:
        found.title_start, found.title_end, found.title_line = start, end, int(start < end)
    elif event.key == AUTHOR:
        found.by_start, found.by_end, found.by_line = start, end, int(start < end)
    elif event.key == RULES:
        found.rules_start, found.rules_end, found.rules_line = start, end, line
    elif not is_numbers(text, start, end):
        return problem(sheet, _EXPECTED[event.key], line, level=number + 1)
    elif event.key == BOXES:
        found.first_numbered = found.first_numbered * 10 + BOXES if found.boxes_line == 0 else found.first_numbered
        found.boxes_start, found.boxes_end, found.boxes_line = start, end, line
    elif event.key == TARGETS:
        found.first_numbered = found.first_numbered * 10 + TARGETS if found.targets_line == 0 else found.first_numbered
        found.targets_start, found.targets_end, found.targets_line = start, end, line
    else:
        found.first_numbered = found.first_numbered * 10 + PLAYERS if found.players_line == 0 else found.first_numbered
        found.players_start, found.players_end, found.players_line = start, end, line
    return 0


@shared
def write_name(text, start, end, out, place):
    """Write a title or a name as one line without unprintable letters. Return the new number of bytes."""
    first, is_gap = place, False
    while start < end:
        code, size = letter_at(text, start), size_at(text, start)
        if is_space(code):
            is_gap = True
        elif is_printable(code):
            if is_gap and place > first:
                out[place] = SPACE
                place += 1
            is_gap = False
            for k in range(size):
                out[place + k] = text[start + k]
            place += size
        start += size
    return place
