"""Read the board of a level in the WebAssembly module: run-length encoding, rows, checks, and the numbers of boxes and targets."""

import numpy as np

from shoverworld.core.jit import shared
from shoverworld.core.letters import SPACE, add_letter, skip_space
from shoverworld.core.sheet import text as add_phrase
from shoverworld.core.text_reader import line_end, next_line, problem

from .formats import LONGEST_LINE
from .levels import LARGEST_SIDE, SMALLEST_SIDE
from .problems import (
    IN_CELL,
    LONG_LINE,
    MANY_PLAYERS,
    NO_BOX,
    NO_PLAYER,
    OPEN_BOX,
    OPEN_PLAYER,
    OPEN_TARGET,
    RLE_CLOSED,
    RLE_COLUMN,
    RLE_DEPTH,
    RLE_LONG,
    RLE_NOTHING,
    RLE_NUMBER,
    RLE_OPEN,
    RLE_ZERO,
    SIZE,
    TOO_MANY_ROWS,
    UNEQUAL,
    WRONG_NUMBERS,
)
from .rle import MAX_DEPTH
from .state import BOX, TARGET, WALL
from .web_collection import BOXES, TARGETS

MOST_ROWS = 2 * LARGEST_SIDE + 2  # rows of a board, with the empty rows around it
MOST_EXPANDED = (LARGEST_SIDE + 2) * (LARGEST_SIDE + 2) * 2  # letters of a line after run-length decoding
LONGEST_NUMBER = 8  # digits that a message quotes
MOST_TIMES = 9  # digits of a repeat count that are used
_HASH, _DOT, _DOLLAR, _STAR, _AT, _PLUS, _BAR, _OPEN, _CLOSE = map(ord, "#.$*@+|()")
_LETTERS = np.arange(256).astype(np.uint8)  # what each letter of a board means
for _given, _meant in zip("-_bBopP", "  $*.@+", strict=True):
    _LETTERS[ord(_given)] = ord(_meant)
_WRONG = np.array([0, 0, 0, *WRONG_NUMBERS.values()], np.int32)  # by property


# --- Run-length encoding


@shared
def rle_problem(sheet, phrase, column, line, level, number):
    """Write an error in a run-length encoding. Return -1."""
    problem(sheet, RLE_COLUMN, line, a=column, level=level)
    add_phrase(sheet, phrase, number)
    return -1


@shared
def expand(text, start, end, out, groups, line, level, sheet):
    """Decode a row into `out`, as `expand` in rle.py does. Return its size, or -1 after an error."""
    groups[0, 0], groups[0, 1], groups[0, 2], groups[0, 3] = 0, 0, 1, 0
    depth, size, place = 0, 0, start
    while place < end:
        letter, times = place, 0
        while letter < end and 48 <= text[letter] <= 57:
            times = times * 10 + np.int64(text[letter]) - 48 if letter - place < MOST_TIMES else times
            letter += 1
        column = place - start + 1
        if letter == end:
            rle_problem(sheet, RLE_NOTHING, column, line, level, 0)
            for k in range(place, min(end, place + LONGEST_NUMBER)):
                add_letter(sheet, 0, text[k])
            return -1
        has_digits = letter > place
        times = times if has_digits else 1
        if times == 0:
            return rle_problem(sheet, RLE_ZERO, column, line, level, 0)
        count = 1
        if text[letter] == _OPEN:
            if depth >= MAX_DEPTH:
                return rle_problem(sheet, RLE_DEPTH, column, line, level, MAX_DEPTH)
            depth += 1
            groups[depth, 0], groups[depth, 1], groups[depth, 2], groups[depth, 3] = 0, size, times, column
            place = letter + 1
            continue
        if text[letter] == _CLOSE:
            if has_digits and depth >= 0:
                rle_problem(sheet, RLE_NUMBER, column, line, level, 0)
                for k in range(place, min(letter, place + LONGEST_NUMBER)):
                    add_letter(sheet, 0, text[k])
                return -1
            if depth == 0:
                return rle_problem(sheet, RLE_CLOSED, column, line, level, 0)
            count, times, first = np.int64(groups[depth, 0]), np.int64(groups[depth, 2]), np.int64(groups[depth, 1])
            depth -= 1
            if groups[depth, 0] + times * count <= len(out):
                for k in range((times - 1) * count):
                    if first + count + k < len(out):
                        out[first + count + k] = out[first + k]
                size = first + times * count
        else:
            for k in range(min(times, len(out) + 1)):
                if size + k < len(out):
                    out[size + k] = text[letter]
            size += times
        groups[depth, 0] += min(times * count, 2 * len(out))
        if groups[depth, 0] > len(out):
            return rle_problem(sheet, RLE_LONG, column, line, level, len(out))
        place = letter + 1
    if depth > 0:
        return rle_problem(sheet, RLE_OPEN, groups[depth, 3], line, level, 0)
    return size


# --- Boards


@shared
def add_rows(text, start, end, line, letters, rows, count):
    """Store the rows of a decoded line. Return the new number of rows, which may exceed the number of stored rows."""
    at, length, lead = 0, 0, 0
    for place in range(start, end + 1):
        letter = np.int64(_LETTERS[text[place]]) if place < end else _BAR
        if letter == _BAR:
            if count <= MOST_ROWS:
                rows[count, 0], rows[count, 1], rows[count, 2] = lead, length, line
            count += 1
            at, length, lead = 0, 0, 0
            continue
        if letter != SPACE:
            lead = at if length == 0 else lead
            length = at + 1
        if length > 0 and at - lead < LARGEST_SIDE and count < MOST_ROWS:
            letters[count, at - lead] = letter
        at += 1
    return count


@shared
def decode_board(text, found, letters, rows, expanded, groups, measured, level, sheet):
    """Decode the rows of a board. Write its size, its first row and its indent to `measured`. Return 1 after an error."""
    start, line, count = np.int64(found.board), np.int64(found.board_line), 0
    while start < found.board_end:
        end = line_end(text, start, True)
        if end - start > LONGEST_LINE:
            return problem(sheet, LONG_LINE, line, a=end - start, b=LONGEST_LINE, level=level)
        is_encoded = False
        for place in range(start, end):
            byte = text[place]
            is_encoded = is_encoded or 48 <= byte <= 57 or byte in (_OPEN, _CLOSE)
        if is_encoded:
            size = expand(text, start, end, expanded, groups, line, level, sheet)
            if size < 0:
                return 1
            count = add_rows(expanded, 0, size, line, letters, rows, count)
        else:
            count = add_rows(text, start, end, line, letters, rows, count)
        if count > MOST_ROWS:
            return problem(sheet, TOO_MANY_ROWS, line, a=SMALLEST_SIDE, b=LARGEST_SIDE, level=level)
        start, line = next_line(text, end, True), line + 1
    return measure_board(letters, rows, count, measured, found.board_line, level, sheet)


@shared
def measure_board(letters, rows, count, measured, line, level, sheet):
    """Find the size of a decoded board: `measured` becomes rows, columns, players, the first row and the indent."""
    first = 0
    while first < count and rows[first, 1] == 0:
        first += 1
    while count > first and rows[count - 1, 1] == 0:
        count -= 1
    has_wall, indent, width = False, 1 << 30, 0
    for k in range(first, count):
        has_wall = has_wall or (rows[k, 1] > 0 and rows[k, 0] == 0 and letters[k, 0] == _HASH)
        indent = min(indent, np.int64(rows[k, 0])) if rows[k, 1] > 0 else indent
        width = max(width, np.int64(rows[k, 1]))
    indent = 0 if has_wall or first == count else indent
    width -= indent
    height = count - first
    measured[0], measured[1], measured[3], measured[4] = height, width, first, indent
    if max(height, width) > LARGEST_SIDE or min(height, width) < SMALLEST_SIDE:
        problem(sheet, SIZE, rows[first, 2] if first < count else line, a=height, b=width, c=SMALLEST_SIDE, level=level)
        sheet.rows[sheet.used[0] - 1, 5] = LARGEST_SIDE  # {3}
        return 1
    return count_players(letters, rows, first, count, measured, indent, level, sheet)


@shared
def count_players(letters, rows, first, count, measured, indent, level, sheet):
    players, row, col = 0, 0, 0
    for k in range(first, count):
        for at in range(rows[k, 1] - rows[k, 0]):
            if letters[k, at] == _AT or letters[k, at] == _PLUS:
                players += 1
                if players == 3:
                    row, col = k - first, np.int64(rows[k, 0]) + at - indent
    measured[2] = min(players, 2)
    if players == 0:
        return problem(sheet, NO_PLAYER, rows[first, 2], level=level)
    if players > 2:
        problem(sheet, MANY_PLAYERS, rows[first + row, 2], a=players, level=level)
        add_phrase(sheet, IN_CELL, row, col)
        return 1
    return 0


@shared
def fill_board(letters, rows, measured, level, start):
    """Write a decoded board to the planes of `level`, and the players to `start`."""
    height, width, first, indent = measured[0], measured[1], measured[3], measured[4]
    start.player, start.second = -1, -1
    for row in range(height):
        lead, length = rows[first + row, 0], rows[first + row, 1]
        for col in range(width):
            at = col + indent - lead
            letter = np.int64(letters[first + row, at]) if 0 <= at < length - lead else SPACE
            cell = row * width + col
            level[WALL, cell] = int(letter == _HASH)
            level[TARGET, cell] = int(letter in (_DOT, _STAR, _PLUS))
            level[BOX, cell] = int(letter in (_DOLLAR, _STAR))
            if letter in (_AT, _PLUS):
                start.second = cell if start.player >= 0 else start.second
                start.player = cell if start.player < 0 else start.player


@shared
def open_cell(sheet, phrase, cell, cols, rows, first, number):
    problem(sheet, phrase, rows[first + cell // cols, 2], level=number)
    add_phrase(sheet, IN_CELL, cell // cols, cell % cols)
    return 1


@shared
def check_board(level, start, measured, rows, outside, queue, number, sheet):
    """Check a board as the constructor of a level does, and fill the cells outside with walls."""
    height, width, first = measured[0], measured[1], measured[3]
    cells, framed = height * width, width + 2
    boxes, targets = 0, 0
    for cell in range(cells):
        boxes += int(level[BOX, cell] != 0)
        targets += int(level[TARGET, cell] != 0)
    if boxes == 0:
        return problem(sheet, NO_BOX, rows[first, 2], level=number)
    if boxes != targets:
        return problem(sheet, UNEQUAL, rows[first, 2], a=boxes, b=targets, level=number)
    for cell in range(len(outside)):
        row, col = cell // framed - 1, cell % framed - 1
        is_on_board = 0 <= row < height and 0 <= col < width
        outside[cell] = int(is_on_board and level[WALL, row * width + col] != 0)
    outside[0], queue[0], done, waiting = 2, 0, 0, 1
    while done < waiting:
        cell = queue[done]
        done += 1
        for way in range(4):
            beside = cell + (-framed if way == 0 else framed if way == 1 else -1 if way == 2 else 1)
            if 0 <= beside < len(outside) and outside[beside] == 0:
                outside[beside] = 2
                queue[waiting] = beside
                waiting += 1
    for k in range(2):
        cell = start.player if k == 0 else start.second
        if cell >= 0 and outside[(cell // width + 1) * framed + cell % width + 1] == 2:
            return open_cell(sheet, OPEN_PLAYER, cell, width, rows, first, number)
    for thing in range(2):
        plane = BOX if thing == 0 else TARGET
        for cell in range(cells):
            if level[plane, cell] != 0 and outside[(cell // width + 1) * framed + cell % width + 1] == 2:
                return open_cell(sheet, OPEN_BOX if thing == 0 else OPEN_TARGET, cell, width, rows, first, number)
    for cell in range(cells):
        if outside[(cell // width + 1) * framed + cell % width + 1] == 2:
            level[WALL, cell] = 1
    return 0


# --- Numbers


@shared
def check_numbers(text, start, end, count, marks):
    """Return whether a text contains the numbers from 1 to `count`, each exactly once."""
    for k in range(len(marks)):
        marks[k] = 0
    seen, place = 0, skip_space(text, start, end)
    while place < end:
        number = 0
        while place < end and 48 <= text[place] <= 57:
            number = number * 10 + np.int64(text[place]) - 48
            place += 1
        place = skip_space(text, place, end)
        seen += 1
        if not 1 <= number <= count or marks[number - 1] != 0:
            return False
        marks[number - 1] = 1
    return seen == count


@shared
def set_plane(text, start, end, level, plane, cells):
    """Number the boxes or targets in reading order."""
    place = skip_space(text, start, end)
    for cell in range(cells):
        if level[plane, cell] != 0:
            number = 0
            while place < end and 48 <= text[place] <= 57:
                number = number * 10 + np.int64(text[place]) - 48
                place += 1
            level[plane, cell] = number
            place = skip_space(text, place, end)


@shared
def apply_numbers(text, found, level, start, cells, marks, number, sheet):
    """Number the boxes and targets and order the players, as `_numbered` in formats.py does."""
    boxes, order, last = 0, np.int64(found.first_numbered), 0
    for cell in range(cells):
        boxes += int(level[BOX, cell] != 0)
    power = 100
    while power > 0:
        key = order // power % 10
        power //= 10
        if key == 0:
            continue
        first, end, line, count = found.players_start, found.players_end, found.players_line, 1 + int(start.second >= 0)
        if key == BOXES:
            first, end, line, count = found.boxes_start, found.boxes_end, found.boxes_line, boxes
        elif key == TARGETS:
            first, end, line, count = found.targets_start, found.targets_end, found.targets_line, boxes
        last = line
        if not check_numbers(text, first, end, count, marks):
            return problem(sheet, _WRONG[key], line, a=count, level=number)
    if (
        found.players_line > 0
        and start.second >= 0
        and text[skip_space(text, found.players_start, found.players_end)] == 50
    ):
        start.player, start.second = start.second, start.player
    if (found.boxes_line > 0) != (found.targets_line > 0) and boxes > 1:
        return problem(sheet, _WRONG[TARGETS if found.boxes_line > 0 else BOXES], last, a=boxes, level=number)
    if found.boxes_line > 0:
        set_plane(text, found.boxes_start, found.boxes_end, level, BOX, cells)
    if found.targets_line > 0:
        set_plane(text, found.targets_start, found.targets_end, level, TARGET, cells)
    return 0
