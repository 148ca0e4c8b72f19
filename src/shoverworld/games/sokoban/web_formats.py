"""Read and write levels and rules in the WebAssembly module. formats.py describes the formats, core/format_web.py the functions.

The reader is compiled and separate from Python's: see core/text_reader.py for the reason. `about` is the line "By AUTHOR";
comments and solutions are not read.
"""

from typing import Any

import numpy as np

from shoverworld.core.blocks import Block, BlockArray, array_at, pointer_to, shaped
from shoverworld.core.files import LARGEST_FILE
from shoverworld.core.format_web import BYTE, fill, mark_size, put_title, rules_functions
from shoverworld.core.jit import shared
from shoverworld.core.letters import NEWLINE, SPACE
from shoverworld.core.problems import NOT_TEXT, NUL_BYTE
from shoverworld.core.rule_reader import RuleReader
from shoverworld.core.text_reader import check_text, line_end, next_line, problem, word_bytes
from shoverworld.core.text_writer import SPARE, put_byte, put_bytes, put_integer
from shoverworld.core.web import sheet_view

from .boards import BOARD_LETTERS, OWN_LETTERS
from .config import FIXED, MOVES, PUSH_ONLY, TWO, count_actions, rule_problem
from .config import RULES as PRESETS
from .levels import LARGEST_SIDE
from .lurd import LETTERS
from .problems import NO_SUCH_LEVEL, PROBLEMS
from .rle import MAX_DEPTH
from .state import BOX, TARGET, WALL
from .web_boards import (
    MOST_EXPANDED,
    MOST_ROWS,
    apply_numbers,
    check_board,
    decode_board,
    expand,
    fill_board,
)
from .web_collection import EVENT, FOUND, find_level, scan_file, write_name

NO_MOVE, BLANK, CODING, SECOND_PREFIX, PULL_PREFIX, DIRECTION = range(6)
_MOVE_KINDS = np.full(256, NO_MOVE, np.int64)  # what each character means in a list of moves
for _kind, _characters in ((BLANK, " \t\n\v\f\r"), (CODING, "0123456789()"), (SECOND_PREFIX, "+"), (PULL_PREFIX, "<")):
    _MOVE_KINDS[list(map(ord, _characters))] = _kind
_MOVE_KINDS[list(map(ord, LETTERS))] = DIRECTION
_BOARD_LETTERS, _OWN_LETTERS = np.zeros(256, np.bool_), np.zeros(256, np.bool_)
_BOARD_LETTERS[list(map(ord, BOARD_LETTERS))] = True
_OWN_LETTERS[list(map(ord, OWN_LETTERS))] = True
_BY, _LEVEL = word_bytes("By "), word_bytes("Level ")
_TITLE_LINE, _RULES_LINE, _BOXES_LINE, _TARGETS_LINE, _ORDER_LINE = map(
    word_bytes, ("; ", "Rules: ", "Box numbers:", "Target numbers:", "Player order: 2 1\n")
)
_XSB = np.frombuffer(b" #.?$?*?@?+?????", np.uint8)  # as in `Level.lines`

# The scratch memory of the reader
ARRAYS = (
    BlockArray("event", EVENT),
    BlockArray("found", FOUND),
    BlockArray(
        "board_letters", np.uint8, MOST_ROWS * LARGEST_SIDE
    ),  # the letters of each row, from its first non-space
    BlockArray("board_rows", np.int32, 3 * (MOST_ROWS + 1)),  # for each row: leading spaces, length, line
    BlockArray("expanded", np.uint8, MOST_EXPANDED),
    BlockArray("groups", np.int32, 4 * (MAX_DEPTH + 2)),  # for each open group: size, first letter, repeat count, start
    BlockArray("outside", np.uint8, lambda rows, cols, players, boxes: (rows + 2) * (cols + 2)),
    BlockArray("outside_queue", np.int32, lambda rows, cols, players, boxes: (rows + 2) * (cols + 2)),
)


# --- Rules


@shared
def check_rules(values):
    return rule_problem(values[_PULL] != 0, values[_MOVES] == _FOUR)


_NAMES = RuleReader.names_of(PRESETS)
_PLAYERS, _PULL, _FIXED_TARGETS, _MOVES, _MAX_STEPS, _STEP, _ON, _OFF, _SOLVED = (
    _NAMES.index(name)
    for name in (
        "players", "pull", "fixed_targets", "moves", "max_steps", "reward.step", "reward.on_target", "reward.off_target",
        "reward.solved",
    )
)  # fmt: skip
_FOUR = MOVES.index("four")
RULES = RuleReader(PRESETS, PROBLEMS, check_rules)
_read_rules, _put_rules, _PRESETS = RULES.read, RULES.write, RULES.presets
_USUAL, _USUAL_FIXED, _USUAL_TWO = (list(PRESETS).index(name) for name in (PUSH_ONLY, FIXED, TWO))


@shared
def set_numbers(values, rules, reward, start, ranges, measured):
    """Turn the values of the rules into the numbers that the kernels use, as `SokobanRules.numbers` does."""
    four = values[_MOVES] == _FOUR
    rules.players, rules.actions_each = int(values[_PLAYERS]), count_actions(values[_PULL] != 0, four)
    rules.first_code, rules.max_steps = int(four), int(values[_MAX_STEPS])
    reward.step, reward.on_target = values[_STEP], values[_ON]
    reward.off_target, reward.solved = values[_OFF], values[_SOLVED]
    start.fixed = int(values[_FIXED_TARGETS])
    ranges[0], ranges[1] = int(not four) + rules.players * rules.actions_each, 0
    measured[2] = rules.players


# --- Moves


@shared
def pack_moves(text):
    """Remove the white space from moves in LURD notation. Return their size, or 0 if the text is something else."""
    size, letters = 0, 0
    for place in range(len(text)):
        kind = _MOVE_KINDS[text[place]]
        if kind == NO_MOVE:
            return 0
        if kind != BLANK:
            text[size] = text[place]
            size += 1
        letters += int(kind == DIRECTION)
    return size if letters > 0 else 0


@shared
def are_moves(letters):
    """Return whether decoded letters are moves: a prefix stands before each letter at most once, `+` before `<`."""
    last = DIRECTION
    for place in range(len(letters)):
        kind = _MOVE_KINDS[letters[place]]
        if kind != DIRECTION and last != DIRECTION and (last != SECOND_PREFIX or kind != PULL_PREFIX):
            return False
        last = kind
    return last == DIRECTION


# --- Levels


@shared
def begin_level(text, number, event, found, reading, sheet):
    """Find a level in a file. Return 1 after an error."""
    if found.scanned != len(text) + 1 and (
        check_text(text, LARGEST_FILE, NOT_TEXT, NUL_BYTE, sheet) != 0 or scan_file(text, event, found, sheet) != 0
    ):
        return 1
    reading.levels = found.levels
    if not 0 <= number < found.levels:
        return problem(sheet, NO_SUCH_LEVEL, a=number + 1, b=found.levels)
    return find_level(text, number, event, found, sheet)


@shared
def usual_preset(level, start, cells):
    """Return the index of the preset that applies if the level does not specify its rules."""
    for cell in range(cells):
        if level[BOX, cell] > 1 and start.second < 0:
            return _USUAL_FIXED
    return _USUAL_TWO if start.second >= 0 else _USUAL


@shared
def check_level_rules(text, found, values, start, scratch, number, sheet):
    if found.rules_line == 0:
        return 0
    fill(values, _PRESETS[_USUAL_TWO if start.second >= 0 else _USUAL])
    return _read_rules(text, found.rules_start, found.rules_end, values, scratch, found.rules_line, number, sheet)


@shared
def write_texts(text, found, reading, number, out):
    """Write the title, the author and the rules of a level."""
    end = write_name(text, found.title_start, found.title_end, out, 0)
    is_number = True
    for k in range(end):
        is_number = is_number and 48 <= out[k] <= 57
    if is_number:
        end = put_bytes(_LEVEL, out, 0)
        if found.title_end > found.title_start and write_name(text, found.title_start, found.title_end, out, end) > end:
            end = write_name(text, found.title_start, found.title_end, out, end)
        else:
            end = put_integer(number, out, end, 1)
    reading.title = end
    first = put_byte(NEWLINE, out, end)
    start = put_bytes(_BY, out, first)
    end = write_name(text, found.by_start, found.by_end, out, start)
    end = end if end > start else first
    reading.about = end - first
    first = put_byte(NEWLINE, out, end)
    reading.rules = found.rules_end - found.rules_start if found.rules_line > 0 else 0
    for k in range(reading.rules):
        out[first + k] = text[found.rules_start + k]


# --- Writing


@shared
def put_plane(level, plane, out, place):
    for cell in range(level.shape[1]):
        if level[plane, cell] != 0:
            place = put_integer(level[plane, cell], out, put_byte(SPACE, out, place), 1)
    return put_byte(NEWLINE, out, place)


@shared
def write_level(level, rows, cols, start, values, title, out):
    """Write a level in the XSB format, as `levels_text` does. Return the number of bytes."""
    first = put_bytes(_TITLE_LINE, out, 0)
    place = put_title(title, out, first)
    place = put_byte(NEWLINE, out, place) if place > first else 0
    is_numbered = False
    for cell in range(rows * cols):
        is_numbered = is_numbered or level[BOX, cell] > 1
        code = 4 * int(level[BOX, cell] != 0) + 2 * int(level[TARGET, cell] != 0) + int(level[WALL, cell] != 0)
        code += 8 * int(cell == start.player or cell == start.second)
        place = put_byte(_XSB[code], out, place)
        if cell % cols == cols - 1:
            place = put_byte(NEWLINE, out, place)
    usual = _USUAL_TWO if start.second >= 0 else _USUAL_FIXED if is_numbered else _USUAL
    is_usual = True
    for k in range(len(values)):
        is_usual = is_usual and values[k] == _PRESETS[usual, k]
    if not is_usual:
        place = put_byte(NEWLINE, out, _put_rules(values, out, put_bytes(_RULES_LINE, out, place)))
    if is_numbered:
        place = put_plane(level, BOX, out, put_bytes(_BOXES_LINE, out, place))
        place = put_plane(level, TARGET, out, put_bytes(_TARGETS_LINE, out, place))
    return put_bytes(_ORDER_LINE, out, place) if 0 <= start.second < start.player else place


@shared
def level_score(text):
    """Return how likely it is, from 0 to 100, that a text contains levels, as `recognises` in boards.py does."""
    start = 0
    while start < len(text):
        end, is_board, has_own = line_end(text, start, True), True, False
        for place in range(start, end):
            is_board, has_own = is_board and _BOARD_LETTERS[text[place]], has_own or _OWN_LETTERS[text[place]]
        if is_board and has_own:
            return 95
        start = next_line(text, end, True)
    return 5


# --- The functions of the module


def format_functions(block: Block) -> tuple[Any, ...]:
    """Return the functions that read and write the formats of this game."""
    level_of, start_of, values_of, measured_of, marks_of = (
        block[name] for name in ("level", "start", "rule_scratch", "measured", "bank_cells")
    )
    reading_of, sheet_of, rule_values, text_out = (
        block["reading"],
        sheet_view(block),
        block["rule_values"],
        block["text_out"],
    )
    row_count, col_count, player_count = (block.dimension(name) for name in ("rows", "cols", "players"))
    rules_of, reward_of, ranges_of = block["rules"], block["reward"], block["action_ranges"]
    event_of, found_of, letters_of, rows_of, expanded_of, groups_of, outside_of, queue_of = (
        block[array.name] for array in ARRAYS
    )

    @shared
    def apply_rules(block):
        set_numbers(
            rule_values(block), rules_of(block)[0], reward_of(block)[0], start_of(block)[0], ranges_of(block),
            measured_of(block),
        )  # fmt: skip

    @shared
    def decode(block, text, number, measured, sheet):
        """Find a level and decode its board."""
        found = found_of(block)[0]
        if begin_level(text, number, event_of(block)[0], found, reading_of(block)[0], sheet) != 0:
            return 1
        return decode_board(
            text, found, shaped(letters_of(block), (MOST_ROWS, LARGEST_SIDE)), shaped(rows_of(block), (MOST_ROWS + 1, 3)),
            expanded_of(block), shaped(groups_of(block), (MAX_DEPTH + 2, 4)), measured, number + 1, sheet,
        )  # fmt: skip

    def measure(block, text, bytes, number, out):
        """Find the size of a level. `measured` contains 0 for the dimension `boxes`."""
        skip, sheet, measured = mark_size(text, bytes), sheet_of(block), measured_of(block)
        if decode(block, array_at(pointer_to(text + skip), BYTE, bytes - skip), np.int64(number), measured, sheet) != 0:
            return 1
        measured[3] = 0
        return 0

    def read(block, text, bytes, number, out):
        """Read a level."""
        skip, sheet, measured, start = mark_size(text, bytes), sheet_of(block), measured_of(block), start_of(block)[0]
        source, texts = (
            array_at(pointer_to(text + skip), BYTE, bytes - skip),
            array_at(pointer_to(out), BYTE, bytes + SPARE),
        )
        found, which = found_of(block)[0], np.int64(number) + 1
        if decode(block, source, np.int64(number), measured, sheet) != 0:
            return 1
        if measured[0] != row_count(block) or measured[1] != col_count(block) or measured[2] > player_count(block):
            return -1
        cells, rows = row_count(block) * col_count(block), shaped(rows_of(block), (MOST_ROWS + 1, 3))
        level = shaped(level_of(block), (BOX + 1, cells))
        fill_board(shaped(letters_of(block), (MOST_ROWS, LARGEST_SIDE)), rows, measured, level, start)
        if check_board(level, start, measured, rows, outside_of(block), queue_of(block), which, sheet) != 0:
            return 1
        if check_level_rules(source, found, values_of(block), start, texts, which, sheet) != 0:
            return 1
        if apply_numbers(source, found, level, start, cells, marks_of(block), which, sheet) != 0:
            return 1
        write_texts(source, found, reading_of(block)[0], which, texts)
        reading_of(block)[0].preset = usual_preset(level, start, cells)
        return 0

    def write(block, title, bytes):
        """Write the level in `level` and `start` in the XSB format."""
        rows, cols = row_count(block), col_count(block)
        return write_level(
            shaped(level_of(block), (BOX + 1, rows * cols)), rows, cols, start_of(block)[0], rule_values(block),
            array_at(pointer_to(title), BYTE, bytes), text_out(block),
        )  # fmt: skip

    def recognises(block, text, bytes):
        """Return how likely it is, from 0 to 100, that a text contains levels."""
        skip = mark_size(text, bytes)
        return level_score(array_at(pointer_to(text + skip), BYTE, bytes - skip))

    def read_moves(block, text, bytes, out, most):
        """Decode moves in LURD notation into the `most` bytes at `out`, one character for each letter and each prefix.

        Return their number, 0 if the text does not contain moves, or -1 after an error. The text is overwritten.
        """
        source, letters = array_at(pointer_to(text), BYTE, bytes), array_at(pointer_to(out), BYTE, most)
        groups = shaped(groups_of(block), (MAX_DEPTH + 2, 4))
        size = pack_moves(source)
        size = expand(source, 0, size, letters, groups, 0, 0, sheet_of(block))
        return size if size < 0 or are_moves(letters[: max(0, size)]) else 0

    return (measure, read, *rules_functions(block, RULES, apply_rules), write, recognises, read_moves)


@shared
def text_length(rows, cols, players, boxes):
    """Return the size of the longest level as text."""
    return 9 * rows * cols + rows + 128
