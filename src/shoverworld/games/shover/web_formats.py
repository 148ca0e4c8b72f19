"""Read and write maps and rules in the WebAssembly module. maps.py describes the formats; core/format_web.py the functions.

The reader is compiled and separate from Python's: see core/text_reader.py for the reason.
"""

import numpy as np

from shoverworld.core.blocks import Block, array_at, pointer_to
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
from shoverworld.core.problems import NOT_TEXT, NUL_BYTE
from shoverworld.core.rule_reader import RuleReader
from shoverworld.core.text_reader import (
    check_text,
    header_reader,
    is_comment,
    line_end,
    next_line,
    problem,
    word_bytes,
    write_rules_part,
)
from shoverworld.core.text_writer import SPARE, put_byte, put_bytes, put_integer
from shoverworld.core.web import sheet_view

from .config import ACTION_KINDS, LARGEST_SIDE, PRESETS, WORDS, lava_reward, rule_problem
from .maps import LARGEST_FILE
from .problems import (
    LONGEST_CODE,
    NO_EMPTY_CELL,
    NO_ROWS,
    PROBLEMS,
    ROW_LENGTH,
    SECOND_START,
    START_EXPECTED,
    START_NOT_EMPTY,
    START_OUTSIDE,
    STRENGTH_EXPECTED,
    TOO_LARGE,
    UNKNOWN_CODE,
    UNKNOWN_SYMBOL,
)
from .state import BARRIER, BOX, EMPTY, LAVA

UNKNOWN = 127  # not the code of a cell
MOST = 10**9  # a larger number in a directive counts as this number
START, STRENGTH = 1, 2  # the kinds of directives
_DIRECTIVE, _START, _STRENGTH, _HUNDRED = map(word_bytes, ("//!", "start", "strength", "100"))
_STRENGTH_LINE = word_bytes("//! strength")
_A, _B, _L, _DOT, _HASH, _MINUS = map(ord, "ABL.#-")


# --- Rules


@shared
def check_rules(values):
    return rule_problem(values[_NOOP] != 0, values[_Z_BASE], values[_INITIAL_STAMINA])


_NAMES = RuleReader.names_of(PRESETS)
_AT = {name: k for k, name in enumerate(_NAMES)}
_NOOP, _Z_BASE, _INITIAL_STAMINA, _EDGE = (_AT[name] for name in ("noop", "z_base", "initial_stamina", "edge"))
_LAVA_EDGE = WORDS["edge"].index("lava")
(
    _ACTOR, _STEP_COST, _PUSH_PAYS, _INITIAL_FORCE, _UNIT_FORCE, _STATIONARY, _PICK, _ORDER, _HELLIFY, _BARRIER_STAMINA,
    _AGE, _MAX_TIMESTEP, _REWARD_LAVA, _REWARD_BARRIER, _REWARD_HELLIFY, _REWARD_COST, _REWARD_INVALID,
) = (
    _AT[name] for name in (
        "actor", "step_cost", "push_pays_step_cost", "initial_force", "unit_force", "stationary", "pick", "order",
        "hellify", "barrier_stamina", "perf_sq_initial_age", "max_timestep", "reward.lava", "reward.barrier",
        "reward.hellify", "reward.push_cost", "reward.invalid",
    )
)  # fmt: skip
RULES = RuleReader(PRESETS, PROBLEMS, check_rules)
scan_header, check_header = header_reader(RULES)
put_rules_line = rules_line_writer(RULES)
_FIRST_PRESET = RULES.presets[0].copy()


@shared
def set_numbers(values, rules, reward, start, ranges):
    """Turn the values of the rules into the numbers that the kernels use, as `Rules.numbers` does."""
    rules.actor, rules.z_base, rules.noop = int(values[_ACTOR]), int(values[_Z_BASE]), values[_NOOP] != 0
    rules.step_cost, rules.push_pays_step_cost = values[_STEP_COST], values[_PUSH_PAYS] != 0
    rules.initial_force, rules.unit_force = values[_INITIAL_FORCE], values[_UNIT_FORCE]
    rules.stationary, rules.pick, rules.order = int(values[_STATIONARY]), int(values[_PICK]), int(values[_ORDER])
    rules.hellify, rules.barrier_stamina = int(values[_HELLIFY]), values[_BARRIER_STAMINA]
    rules.perf_sq_initial_age, rules.initial_stamina = int(values[_AGE]), values[_INITIAL_STAMINA]
    rules.max_timestep = int(values[_MAX_TIMESTEP])
    reward.lava = lava_reward(values[_REWARD_LAVA], values[_INITIAL_FORCE])
    reward.barrier, reward.hellify = values[_REWARD_BARRIER], values[_REWARD_HELLIFY]
    reward.push_cost, reward.invalid = values[_REWARD_COST], values[_REWARD_INVALID]
    start.frame = LAVA if values[_EDGE] == _LAVA_EDGE else BARRIER
    noop = int(values[_NOOP])
    ranges[2], ranges[5] = ACTION_KINDS + noop, int(values[_Z_BASE]) - noop


# --- Rows


@shared
def code_of(text, start, end):
    """Return the code of a cell in Format A, or UNKNOWN."""
    is_negative = text[start] == _MINUS
    first = start + int(is_negative)
    is_hundred = end - first == 3
    for k in range(3):
        is_hundred = is_hundred and text[first + k] == _HUNDRED[k]
    if is_hundred:
        return LAVA if is_negative else BARRIER
    if is_negative or end - start > 2:
        return UNKNOWN
    if end - start == 2:
        return 10 if text[start] == 49 and text[start + 1] == 48 else UNKNOWN
    return np.int64(text[start]) - 48 if 48 <= text[start] <= 57 else UNKNOWN


@shared
def code_of_symbol(symbol):
    """Return the code of a cell in Format B, or UNKNOWN."""
    if symbol in (_DOT, _A):
        return EMPTY
    return BOX if symbol == _B else BARRIER if symbol == _HASH else LAVA if symbol == _L else UNKNOWN


@shared
def cell_end(text, start, end, is_numeric):
    """Return the end of the cell at an index: of the number in Format A, of the letter in Format B."""
    stop = start + size_at(text, start)
    while is_numeric and stop < end and not is_space(letter_at(text, stop)):
        stop += size_at(text, stop)
    return stop


@shared
def check_row(text, start, end, is_numeric, line, sheet):
    """Return the number of cells in a row, or -1 if one of them is unknown."""
    count, place = 0, skip_space(text, start, end)
    while place < end:
        stop = cell_end(text, place, end, is_numeric)
        code = code_of(text, place, stop) if is_numeric else code_of_symbol(letter_at(text, place))
        if code == UNKNOWN:
            problem(sheet, UNKNOWN_CODE if is_numeric else UNKNOWN_SYMBOL, line, count_letters(text, start, place) + 1)
            quote(sheet, 0, text, place, stop, LONGEST_CODE, 200)
            return -1
        count += 1
        place = skip_space(text, stop, end)
    return count


@shared
def scan_rows(text, level, measured, cell, sheet):
    """Read the rows of a map: the size, the start cell of the shover, and the cells unless `level` is empty."""
    line, start, blank, rows, cols, is_numeric = 0, 0, 0, 0, 0, False
    cell[0], cell[1] = -1, -1
    while start < len(text):
        first, stop = start, line_end(text, start, False)
        start, line = next_line(text, stop, False), line + 1
        end = drop_space(text, first, stop)
        if is_comment(text, first, end):
            continue
        if first == end:
            blank = line if blank == 0 and rows > 0 else blank
            continue
        if blank > 0:
            return problem(sheet, ROW_LENGTH, blank, a=0, b=cols)
        if rows == 0:
            sign = text[skip_space(text, first, end)]
            is_numeric = sign == _MINUS or 48 <= sign <= 57
        count = check_row(text, first, end, is_numeric, line, sheet)
        if count < 0:
            return 1
        if rows > 0 and count != cols:
            return problem(sheet, ROW_LENGTH, line, a=count, b=cols)
        if count > LARGEST_SIDE or rows == LARGEST_SIDE:
            return problem(sheet, TOO_LARGE, line, a=LARGEST_SIDE)
        cols = count
        place = skip_space(text, first, end)
        for col in range(cols):
            after = cell_end(text, place, end, is_numeric)
            if text[place] == _A:
                if cell[0] >= 0:
                    return problem(sheet, SECOND_START, line, count_letters(text, first, place) + 1)
                cell[0], cell[1] = rows, col
            if rows * cols + col < len(level):
                level[rows * cols + col] = (
                    code_of(text, place, after) if is_numeric else code_of_symbol(letter_at(text, place))
                )
            place = skip_space(text, after, end)
        rows += 1
    measured[0], measured[1] = rows, cols
    return problem(sheet, NO_ROWS) if rows == 0 else 0


# --- Directives


@shared
def is_plain_space(byte):
    return 9 <= byte <= 13 or byte == 32


@shared
def skip_plain_space(text, start, end):
    while start < end and is_plain_space(text[start]):
        start += 1
    return start


@shared
def has_word(text, start, end, word):
    if end - start < len(word):
        return False
    for k in range(len(word)):  # noqa: SIM110 - compiled code has no generators
        if text[start + k] != word[k]:
            return False
    return True


@shared
def directive(text, start, end):
    """Return the kind of a directive (0 for another line) and where its numbers begin."""
    place = skip_plain_space(text, start + len(_DIRECTIVE), end)
    kind = 0
    if has_word(text, place, end, _START):
        kind, place = START, place + len(_START)
    elif has_word(text, place, end, _STRENGTH):
        kind, place = STRENGTH, place + len(_STRENGTH)
    first, count = place, 0
    while kind > 0 and place < end:
        gap = skip_plain_space(text, place, end)
        if gap == end:
            break
        if gap == place or not 48 <= text[gap] <= 57:
            return 0, first
        while gap < end and 48 <= text[gap] <= 57:
            gap += 1
        place = gap
        count += 1
    return (kind if count > 0 else 0), first


@shared
def number_at(text, start, end):
    """Return the number after white space, its end, and whether there is one."""
    place = skip_plain_space(text, start, end)
    first, number = place, 0
    while place < end and 48 <= text[place] <= 57:
        number = number * 10 + np.int64(text[place]) - 48 if place - first < 8 else MOST
        place += 1
    return number, place, place > first


@shared
def apply_directives(text, level, cell, sheet):
    """Set the strengths of the boxes and the start cell, as `_apply` in maps.py does."""
    boxes, line, start, strengths, strengths_end = 0, 0, 0, -1, 0
    for k in range(len(level)):
        boxes += int(EMPTY < level[k] < BARRIER)
    while start < len(text):
        first, stop = start, line_end(text, start, False)
        start, line = next_line(text, stop, False), line + 1
        end = drop_space(text, first, stop)
        if not has_word(text, first, end, _DIRECTIVE):
            continue
        kind, place = directive(text, first, end)
        if kind == 0:
            continue
        numbers, count, in_range, one, two = place, 0, True, 0, 0
        number, place, is_number = number_at(text, place, end)
        while is_number:
            one, two = number if count == 0 else one, number if count == 1 else two
            in_range = in_range and 1 <= number <= 10
            count += 1
            number, place, is_number = number_at(text, place, end)
        if kind == START:
            if count != 2:
                return problem(sheet, START_EXPECTED, line)
            if cell[0] < 0:
                cell[0], cell[1] = one, two
        else:
            if not in_range or (count != 1 and count != boxes):
                return problem(sheet, STRENGTH_EXPECTED, line, a=boxes)
            strengths, strengths_end = numbers, end
    if strengths >= 0:
        set_strengths(text, strengths, strengths_end, level)
    return 0


@shared
def set_strengths(text, place, end, level):
    number, place, _ = number_at(text, place, end)
    for k in range(len(level)):
        if EMPTY < level[k] < BARRIER:
            level[k] = number
            following, after, is_number = number_at(text, place, end)
            if is_number:
                number, place = following, after


@shared
def check_map(level, measured, cell, sheet):
    """Check a map as its constructor does."""
    rows, cols, empty = measured[0], measured[1], 0
    for k in range(len(level)):
        empty += int(level[k] == EMPTY)
    if empty == 0:
        return problem(sheet, NO_EMPTY_CELL)
    if cell[0] >= 0:
        if cell[0] >= rows or cell[1] >= cols:
            problem(sheet, START_OUTSIDE, a=cell[0], b=cell[1], c=rows)
            sheet.rows[sheet.used[0] - 1, 5] = cols  # {3}
            return 1
        if level[cell[0] * cols + cell[1]] != EMPTY:
            return problem(sheet, START_NOT_EMPTY, a=cell[0], b=cell[1])
    return 0


@shared
def scan_map(text, level, values, measured, cell, reading, out, sheet):
    """Read everything except the directives."""
    if check_text(text, LARGEST_FILE, NOT_TEXT, NUL_BYTE, sheet) != 0:
        return 1
    fill(values, _FIRST_PRESET)
    reading.levels, reading.preset = 1, 0
    if scan_header(text, False, values, out, reading, sheet) != 0:
        return 1
    return scan_rows(text, level, measured, cell, sheet)


# --- Writing


@shared
def write_map(level, rows, cols, start, values, title, out):
    """Write a map in Format B, as `Map.to_text` does. Return the number of bytes."""
    place = put_rules_line(values, out, put_title_line(title, out, 0))
    first, is_plain, is_same = 0, True, True
    for k in range(len(level)):
        if EMPTY < level[k] < BARRIER:
            first = level[k] if first == 0 else first
            is_plain, is_same = is_plain and level[k] == BOX, is_same and level[k] == first
    if not is_plain:
        place = put_bytes(_STRENGTH_LINE, out, place)
        left = 1 if is_same else len(level)
        for k in range(len(level)):
            if EMPTY < level[k] < BARRIER and left > 0:
                place = put_integer(level[k], out, put_byte(SPACE, out, place), 1)
                left -= 1
        place = put_byte(NEWLINE, out, place)
    for row in range(rows):
        for col in range(cols):
            code = level[row * cols + col]
            symbol = _L if code == LAVA else _DOT if code == EMPTY else _HASH if code == BARRIER else _B
            place = put_byte(_A if row == start.row and col == start.col else symbol, out, place)
        place = put_byte(NEWLINE, out, place)
    return place


@shared
def map_score(text):
    """Return how likely it is, from 0 to 100, that a text is a map, as `recognises` in boards.py does."""
    start, is_any, is_numeric, is_symbolic, has_own = 0, False, True, True, False
    while start < len(text):
        first, end = start, line_end(text, start, True)
        start = next_line(text, end, True)
        place = end if is_comment(text, first, end) else skip_space(text, first, end)
        while place < end:
            stop = cell_end(text, place, end, True)
            is_any = True
            digits = place
            while digits < stop and (text[digits] == 43 or text[digits] == _MINUS):
                digits += 1
            is_numeric = is_numeric and digits < stop
            for k in range(place, stop):
                is_numeric = is_numeric and (k < digits or 48 <= text[k] <= 57)
                is_symbolic = is_symbolic and code_of_symbol(np.int64(text[k])) != UNKNOWN
                has_own = has_own or text[k] == _A or text[k] == _B or text[k] == _L
            place = skip_space(text, stop, end)
    if not is_any:
        return 0
    if is_numeric:
        return 50
    return (80 if is_symbolic else 30) if has_own else 10


# --- The functions of the module


def format_functions(block: Block) -> tuple:
    """Return the functions that read and write the formats of this game."""
    level_of, start_of, values_of, measured_of, cell_of = (
        block[name] for name in ("level", "start", "rule_scratch", "measured", "start_cell")
    )
    reading_of, sheet_of, rule_values, text_out = (
        block["reading"],
        sheet_view(block),
        block["rule_values"],
        block["text_out"],
    )
    row_count, col_count = block.dimension("rows"), block.dimension("cols")
    rules_of, reward_of, ranges_of = block["rules"], block["reward"], block["action_ranges"]

    @shared
    def apply_rules(block):
        set_numbers(rule_values(block), rules_of(block)[0], reward_of(block)[0], start_of(block)[0], ranges_of(block))

    def measure(block, text, bytes, number, out):
        """Find the size of a map."""
        skip, sheet = mark_size(text, bytes), sheet_of(block)
        source = array_at(pointer_to(text + skip), BYTE, bytes - skip)
        return scan_map(
            source, level_of(block)[:0], values_of(block), measured_of(block), cell_of(block), reading_of(block)[0],
            array_at(pointer_to(out), BYTE, bytes + SPARE), sheet,
        )  # fmt: skip

    def read(block, text, bytes, number, out):
        """Read a map."""
        skip, sheet, level, cell = mark_size(text, bytes), sheet_of(block), level_of(block), cell_of(block)
        source = array_at(pointer_to(text + skip), BYTE, bytes - skip)
        measured, reading, texts, start = (
            measured_of(block),
            reading_of(block)[0],
            array_at(pointer_to(out), BYTE, bytes + SPARE),
            start_of(block)[0],
        )
        if scan_map(source, level, values_of(block), measured, cell, reading, texts, sheet) != 0:
            return 1
        if measured[0] != row_count(block) or measured[1] != col_count(block):
            return -1
        if apply_directives(source, level, cell, sheet) != 0 or check_map(level, measured, cell, sheet) != 0:
            return 1
        if check_header(texts, reading, sheet) != 0:
            return 1
        write_rules_part(source, reading, texts)
        start.row, start.col, start.boxes, start.barriers, start.lavas = cell[0], cell[1], -1, 0, 0
        return 0

    def write(block, title, bytes):
        """Write the map in `level` and `start` in Format B."""
        return write_map(
            level_of(block), row_count(block), col_count(block), start_of(block)[0], rule_values(block),
            array_at(pointer_to(title), BYTE, bytes), text_out(block),
        )  # fmt: skip

    def recognises(block, text, bytes):
        """Return how likely it is, from 0 to 100, that a text is a map."""
        skip = mark_size(text, bytes)
        return map_score(array_at(pointer_to(text + skip), BYTE, bytes - skip))

    return (measure, read, *rules_functions(block, RULES, apply_rules), write, recognises)


@shared
def text_length(rows, cols):
    """Return the size of the longest map as text."""
    return rows * (cols + 1) + 3 * rows * cols + 32
