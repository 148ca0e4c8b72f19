"""Read and write tracks as text, and rules, in the WebAssembly module. symbols.py describes the formats, core/format_web.py
the functions.

The reader is compiled and separate from Python's: see core/text_reader.py for the reason.
"""

from typing import Any

import numpy as np

from shoverworld.core.blocks import Block, array_at, pointer_to
from shoverworld.core.files import LARGEST_FILE
from shoverworld.core.format_web import (
    BYTE,
    fill,
    mark_size,
    put_title_line,
    rules_functions,
    rules_line_writer,
)
from shoverworld.core.jit import shared
from shoverworld.core.letters import (
    NEWLINE,
    SPACE,
    count_letters,
    drop_space,
    is_space,
    letter_at,
    quote,
    size_at,
    skip_space,
)
from shoverworld.core.problems import CELL_PLACE
from shoverworld.core.rule_reader import RuleReader
from shoverworld.core.text_reader import (
    check_text,
    header_reader,
    is_comment,
    line_end,
    next_line,
    problem,
    problem_in_cell,
    write_rules_part,
)
from shoverworld.core.text_writer import SPARE, put_byte, put_integer
from shoverworld.core.web import sheet_view

from .boards import OTHER_GAMES
from .codes import FINISH, FREE, LARGEST_SIDE, OFF, START
from .config import FINISHES
from .config import RULES as PRESETS
from .problems import (
    LONGEST_CODE,
    NO_FINISH,
    NO_ROWS,
    NO_START,
    NOT_TRACK_TEXT,
    NUL_IN_TRACK,
    PROBLEMS,
    ROW_LENGTH,
    TOO_MANY_CELLS,
    TOO_MANY_ROWS,
    UNKNOWN_CODE,
    UNKNOWN_SYMBOL,
    UNREACHABLE,
)
from .rules import ACTIONS
from .zombie import NOWHERE, spread

UNKNOWN = 127  # not the code of a cell
_S, _F, _DOT, _HASH, _MINUS, _PLUS = map(ord, "SF.#-+")
_OTHERS = np.array(sorted(map(ord, OTHER_GAMES)), np.uint8)


# --- Rules


@shared
def check_rules(values):
    return -1


RULES = RuleReader(PRESETS, PROBLEMS, check_rules)
scan_header, check_header = header_reader(RULES)
put_rules_line = rules_line_writer(RULES)
_FIRST_PRESET = RULES.presets[0].copy()
_LINE, _FINISH, _PENALTY, _MAX_ROUNDS, _STEP, _REWARD_FINISH, _ILLEGAL = (
    RULES.names.index(name)
    for name in ("line", "finish", "penalty", "max_rounds", "reward.step", "reward.finish", "reward.illegal")
)
_CROSS = FINISHES.index("cross")


@shared
def set_numbers(values, rules, reward, ranges):
    """Turn the values of the rules into the numbers that the kernels use, as `RaceRules.numbers` does."""
    rules.line, rules.cross = int(values[_LINE]), values[_FINISH] == _CROSS
    rules.penalty, rules.max_rounds = int(values[_PENALTY]), int(values[_MAX_ROUNDS])
    reward.step, reward.finish, reward.illegal = values[_STEP], values[_REWARD_FINISH], values[_ILLEGAL]
    ranges[0], ranges[1] = ACTIONS, 0


# --- Rows


@shared
def code_of(text, start, end):
    """Return the code of a number, or UNKNOWN."""
    size, first = end - start, text[start]
    if size == 1:
        return FREE if first == 48 else START if first == 49 else UNKNOWN
    if size == 2:
        return OFF if first == _MINUS and text[start + 1] == 49 else UNKNOWN
    if size == 3 and first == 49 and text[start + 1] == 48 and text[start + 2] == 48:
        return FINISH
    return UNKNOWN


@shared
def code_of_symbol(symbol):
    """Return the code of a symbol, or UNKNOWN."""
    if symbol == _HASH:
        return OFF
    return FREE if symbol == _DOT else START if symbol == _S else FINISH if symbol == _F else UNKNOWN


@shared
def cell_end(text, start, end, is_numeric):
    """Return the end of the cell at an index: of a number or of a symbol."""
    stop = start + size_at(text, start)
    while is_numeric and stop < end and not is_space(letter_at(text, stop)):
        stop += size_at(text, stop)
    return stop


@shared
def check_row(text, start, end, is_numeric, line, sheet):
    """Return the number of cells in a row, or -1 if there are too many or one of them is unknown."""
    count, place, wrong = 0, skip_space(text, start, end), -1
    while place < end and count <= LARGEST_SIDE:
        stop = cell_end(text, place, end, is_numeric)
        code = code_of(text, place, stop) if is_numeric else code_of_symbol(letter_at(text, place))
        wrong = place if code == UNKNOWN and wrong < 0 else wrong
        count += 1
        place = skip_space(text, stop, end)
    if count > LARGEST_SIDE:
        problem(sheet, TOO_MANY_CELLS, line, a=LARGEST_SIDE)
        return -1
    if wrong >= 0:
        problem(sheet, UNKNOWN_CODE if is_numeric else UNKNOWN_SYMBOL, line, count_letters(text, start, wrong) + 1)
        quote(sheet, 0, text, wrong, cell_end(text, wrong, end, is_numeric), LONGEST_CODE, 200)
        return -1
    return count


@shared
def scan_rows(text, level, measured, sheet):
    """Read the rows of a track: the size, and the cells unless `level` is empty."""
    line, start, blank, rows, cols, is_numeric = 0, 0, 0, 0, 0, False
    while start < len(text):
        first, stop = start, line_end(text, start, True)
        start, line = next_line(text, stop, True), line + 1
        if is_comment(text, first, stop):
            continue
        end = drop_space(text, first, stop)
        if first == end:
            blank = line if blank == 0 and rows > 0 else blank
            continue
        if blank > 0 and rows < LARGEST_SIDE:
            return problem(sheet, ROW_LENGTH, blank, a=0, b=cols)
        if rows == LARGEST_SIDE:
            return problem(sheet, TOO_MANY_ROWS, blank if blank > 0 else line, a=LARGEST_SIDE)
        if rows == 0:
            sign = text[skip_space(text, first, end)]
            is_numeric = sign in (_MINUS, _PLUS) or 48 <= sign <= 57
        count = check_row(text, first, end, is_numeric, line, sheet)
        if count < 0:
            return 1
        if rows > 0 and count != cols:
            return problem(sheet, ROW_LENGTH, line, a=count, b=cols)
        cols = count
        place = skip_space(text, first, end)
        for col in range(cols):
            after = cell_end(text, place, end, is_numeric)
            if rows * cols + col < len(level):
                level[rows * cols + col] = (
                    code_of(text, place, after) if is_numeric else code_of_symbol(letter_at(text, place))
                )
            place = skip_space(text, after, end)
        rows += 1
    measured[0], measured[1] = rows, cols
    return problem(sheet, NO_ROWS) if rows == 0 else 0


# --- Checks


@shared
def flood(level, rows, cols, source, off, ground, distance, queue, neighbours):
    """Write the number of steps, in eight directions, from the nearest cell of the kind `source` to `distance`.

    Cells of the kind `off` block the way. All arrays except `level` and `neighbours` have a frame.
    """
    width = cols + 2
    neighbours[0], neighbours[1], neighbours[2], neighbours[3] = -width, 1, width, -1
    neighbours[4], neighbours[5], neighbours[6], neighbours[7] = -width - 1, -width + 1, width + 1, width - 1
    for cell in range(len(ground)):
        ground[cell], distance[cell] = OFF, NOWHERE
    waiting = 0
    for row in range(rows):
        for col in range(cols):
            framed, kind = (row + 1) * width + col + 1, level[row * cols + col]
            ground[framed] = OFF if kind == off else FREE
            if kind == source:
                distance[framed] = 0
                queue[waiting] = framed
                waiting += 1
    spread(ground, neighbours, queue, waiting, distance)


@shared
def is_joined(level, rows, cols, distance):
    """Return whether a finish was reached."""
    for row in range(rows):
        for col in range(cols):
            if level[row * cols + col] == FINISH and distance[(row + 1) * (cols + 2) + col + 1] >= 0:
                return True
    return False


@shared
def check_track(level, rows, cols, ground, distance, queue, neighbours, marks, sheet):
    """Check that there is a start, a finish, and a path between them, as `_check` in tracks.py does."""
    starts, finishes, width = 0, 0, cols + 2
    for k in range(len(level)):
        starts += int(level[k] == START)
        finishes += int(level[k] == FINISH)
    if starts == 0 or finishes == 0:
        return problem(sheet, NO_START if starts == 0 else NO_FINISH)
    flood(level, rows, cols, START, OFF, ground, distance, queue, neighbours)
    if is_joined(level, rows, cols, distance):
        return 0
    for row in range(rows):
        for col in range(cols):
            marks[row * cols + col] = distance[(row + 1) * width + col + 1]
    flood(level, rows, cols, FINISH, UNKNOWN, ground, distance, queue, neighbours)
    best, x, y = rows * cols, 0, 0
    for row in range(rows):
        for col in range(cols):
            away = distance[(row + 1) * width + col + 1]
            if marks[row * cols + col] >= 0 and away < best:
                best, x, y = away, col, row
    for row in range(rows):
        for col in range(cols):
            if level[row * cols + col] == FINISH and max(abs(row - y), abs(col - x)) == best:
                return problem_in_cell(sheet, UNREACHABLE, CELL_PLACE, 1.0 * x, 1.0 * y, 1.0 * col, 1.0 * row, 0.0, 0.0)
    return 0


@shared
def scan_track(text, level, values, measured, reading, out, sheet):
    """Read everything that is in the text."""
    if check_text(text, LARGEST_FILE, NOT_TRACK_TEXT, NUL_IN_TRACK, sheet) != 0:
        return 1
    fill(values, _FIRST_PRESET)
    reading.levels, reading.preset = 1, 0
    if scan_header(text, True, values, out, reading, sheet) != 0:
        return 1
    return scan_rows(text, level, measured, sheet)


# --- Writing


@shared
def write_track(level, rows, cols, values, title, out):
    """Write a track as numbers, as `Track.to_text` does. The first preset needs no header. Return the number of bytes."""
    place, is_usual = 0, True
    for k in range(len(values)):
        is_usual = is_usual and values[k] == _FIRST_PRESET[k]
    if not is_usual:
        place = put_rules_line(values, out, put_title_line(title, out, 0))
    for row in range(rows):
        for col in range(cols):
            code = np.int64(level[row * cols + col])
            if col > 0:
                place = put_byte(SPACE, out, place)
            if code < 0:
                place = put_byte(_MINUS, out, place)
            place = put_integer(abs(code), out, place, 1)
        place = put_byte(NEWLINE, out, place)
    return place


@shared
def track_score(text):
    """Return how likely it is, from 0 to 100, that a text is a track, as `recognises` in boards.py does."""
    start, is_any, is_numeric, has_off, has_ends, has_others = 0, False, False, False, False, False
    letters, own = 0, 0
    while start < len(text):
        first, end = start, line_end(text, start, True)
        start = next_line(text, end, True)
        place = end if is_comment(text, first, end) else skip_space(text, first, end)
        while place < end:
            stop = cell_end(text, place, end, True)
            if not is_any:
                digits = place
                while digits < stop and (text[digits] == _PLUS or text[digits] == _MINUS):
                    digits += 1
                is_any, is_numeric = True, digits < stop
                for k in range(digits, stop):
                    is_numeric = is_numeric and 48 <= text[k] <= 57
            has_off = has_off or code_of(text, place, stop) == OFF
            letters += count_letters(text, place, stop)
            for k in range(place, stop):
                own += int(code_of_symbol(np.int64(text[k])) != UNKNOWN)
                has_ends = has_ends or text[k] == _S or text[k] == _F
                for other in range(len(_OTHERS)):
                    has_others = has_others or text[k] == _OTHERS[other]
            place = skip_space(text, stop, end)
    if not is_any:
        return 0
    if is_numeric:
        return 90 if has_off else 0
    return 90 if has_ends and not has_others and own >= 0.8 * letters else 0


# --- The functions of the module


def format_functions(block: Block) -> tuple[Any, ...]:
    """Return the functions that read and write the formats of this game."""
    level_of, start_of, values_of, measured_of = (
        block[name] for name in ("level", "start", "rule_scratch", "measured")
    )
    reading_of, sheet_of, rule_values, text_out = (
        block["reading"],
        sheet_view(block),
        block["rule_values"],
        block["text_out"],
    )
    row_count, col_count, car_count = (block.dimension(name) for name in ("rows", "cols", "cars"))
    rules_of, reward_of, ranges_of = block["rules"], block["reward"], block["action_ranges"]
    ground_of, framed_distance_of, queue_of, neighbours_of, marks_of = (
        block[name] for name in ("framed_level", "framed_distance", "queue", "neighbours", "distance")
    )

    @shared
    def apply_rules(block):
        set_numbers(rule_values(block), rules_of(block)[0], reward_of(block)[0], ranges_of(block))

    def measure(block, text, bytes, number, out):
        """Find the size of a track."""
        skip, sheet, measured = mark_size(text, bytes), sheet_of(block), measured_of(block)
        source = array_at(pointer_to(text + skip), BYTE, bytes - skip)
        measured[2] = car_count(block)
        return scan_track(
            source, level_of(block)[:0], values_of(block), measured, reading_of(block)[0],
            array_at(pointer_to(out), BYTE, bytes + SPARE), sheet,
        )  # fmt: skip

    def read(block, text, bytes, number, out):
        """Read a track."""
        skip, sheet, level, measured = mark_size(text, bytes), sheet_of(block), level_of(block), measured_of(block)
        source, texts = (
            array_at(pointer_to(text + skip), BYTE, bytes - skip),
            array_at(pointer_to(out), BYTE, bytes + SPARE),
        )
        reading, rows, cols = reading_of(block)[0], row_count(block), col_count(block)
        if scan_track(source, level, values_of(block), measured, reading, texts, sheet) != 0:
            return 1
        if measured[0] != rows or measured[1] != cols:
            return -1
        if check_header(texts, reading, sheet) != 0:
            return 1
        if check_track(
            level, rows, cols, ground_of(block), framed_distance_of(block), queue_of(block), neighbours_of(block),
            marks_of(block), sheet,
        ) != 0:  # fmt: skip
            return 1
        write_rules_part(source, reading, texts)
        start_of(block)[0].places, start_of(block)[0].track = 0, 0
        return 0

    def write(block, title, bytes):
        """Write the track in `level` as numbers."""
        return write_track(
            level_of(block), row_count(block), col_count(block), rule_values(block),
            array_at(pointer_to(title), BYTE, bytes), text_out(block),
        )  # fmt: skip

    def recognises(block, text, bytes):
        """Return how likely it is, from 0 to 100, that a text is a track."""
        skip = mark_size(text, bytes)
        return track_score(array_at(pointer_to(text + skip), BYTE, bytes - skip))

    return (measure, read, *rules_functions(block, RULES, apply_rules), write, recognises)


@shared
def text_length(rows, cols, cars):
    """Return the size of the longest track as text."""
    return 4 * rows * cols
