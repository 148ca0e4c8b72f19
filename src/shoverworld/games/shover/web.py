"""The WebAssembly module of Shover-World: the layout of a game's block, and thin functions on top of the rules.

core/web.py explains blocks and the functions that all modules have.
"""

from typing import Any

import numpy as np
from numba import literal_unroll

from shoverworld.core.blocks import Block, BlockArray, shaped
from shoverworld.core.format_web import format_arrays, rules_array
from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP, cell_at, col_of, record_type, row_of
from shoverworld.core.jit import inner, rare, type_of_record
from shoverworld.core.rules_text import parse_rules
from shoverworld.core.ui import Board
from shoverworld.core.web import COMMON, SHEET, WebLevel, WebModule, WebPreset, write_bytes, write_number

from . import engine
from . import rules as rulebook
from .config import ACTION_KINDS, FIRST_SPECIAL, NOOP, PRESETS, SPECIALS, WALK, Rules
from .maps import Map
from .reasons import TABLE
from .record import HASHED
from .setup import ShoverSetup
from .state import (
    BARRIER,
    BOX,
    EMPTY,
    GAME_RECORD,
    LAVA,
    OUTCOMES,
    PLAYING,
    SQUARE,
    ShoverStart,
    State,
    frame_of,
    most_squares,
)
from . import web_formats
from .tiles import FLAME, LOOSE_BOX, PLAIN_BOX, SHOVER_TILE
from .ui.controls import ARROWS, SPECIAL_KEYS, WAIT

RULES = type_of_record(Rules().numbers())
REWARD = type_of_record(Rules().reward_numbers())
START = record_type(
    [
        ("frame", np.int32),  # the content of the frame around the map
        ("row", np.int32),  # the start cell of the shover, or -1 for a random cell
        ("col", np.int32),
        ("boxes", np.int32),  # the number of boxes on a random map, or -1 to use the map as it is
        ("barriers", np.int32),
        ("lavas", np.int32),
    ]
)
PREVIEW = record_type(
    [
        *((name, np.float64) for name in ("cost", "cost_from_rest", "cost_in_motion")),
        *((name, np.int32) for name in ("row", "col", "content", "chain", "beyond_row", "beyond_col", "beyond")),
        *((name, np.bool_) for name in ("charged", "valid")),
    ]
)  # the fields of engine.PushPreview


def _framed(rows, cols):
    return (rows + 2) * (cols + 2)


def _cells(rows, cols):
    return rows * cols


def _canonical_bytes(rows, cols):
    return 9 + 8 * (32 + 4 * (((rows + 1) // 3) * ((cols + 1) // 3) + 1)) + rows * cols


BLOCK = Block(
    ("rows", "cols"),
    (
        BlockArray("game", GAME_RECORD),
        BlockArray("board", np.int8, _framed),
        BlockArray("squares", SQUARE, most_squares),
        BlockArray("rules", RULES),
        BlockArray("reward", REWARD),
        rules_array(web_formats.RULES),
    ),
    (
        *COMMON,
        *SHEET,
        *format_arrays(2, 3, web_formats.RULES, web_formats.text_length),
        BlockArray("level", np.int8, _cells),  # the contents of the cells, row by row
        BlockArray("start", START),
        BlockArray("start_board", np.int8, _framed),
        BlockArray("start_cell", np.int64, 2),
        BlockArray("mask", np.bool_, lambda rows, cols: rows * cols * (ACTION_KINDS + 1)),  # rows x cols x actions
        BlockArray("preview", PREVIEW),
        BlockArray("reach", np.bool_, _cells),
        BlockArray("queue", np.int32, _cells),
        BlockArray("canonical", np.uint8, _canonical_bytes),
    ),
)
_game, _board, _squares, _rules, _reward = (BLOCK[name] for name in ("game", "board", "squares", "rules", "reward"))
_level, _start, _start_board, _start_cell = (BLOCK[name] for name in ("level", "start", "start_board", "start_cell"))
_mask, _preview, _reach, _queue, _canonical = (
    BLOCK[name] for name in ("mask", "preview", "reach", "queue", "canonical")
)
_row_count, _col_count = BLOCK.dimension("rows"), BLOCK.dimension("cols")
_TITLE = np.frombuffer(b"shover 1\n", np.uint8)


@inner
def state_of(block):
    board, squares = _board(block), _squares(block)
    return State(
        shaped(board, (1, len(board))), _game(block), shaped(squares, (1, len(squares))), _col_count(block) + 2
    )


def reset(block):
    """Start a game: on the map in `level` or, if `start.boxes` is not -1, on a random map.

    `start` also contains the start cell of the shover.
    """
    rows, cols = _row_count(block), _col_count(block)
    level, start, board, cell = _level(block), _start(block)[0], _start_board(block), _start_cell(block)
    for k in range(len(board)):
        board[k] = start.frame
    for row in range(rows):
        for col in range(cols):
            board[cell_at(row, col, cols + 2)] = EMPTY if start.boxes >= 0 else level[row * cols + col]
    cell[0], cell[1] = start.row, start.col
    begin = ShoverStart(
        shaped(board, (1, len(board))),
        shaped(cell, (1, 2)),
        -1,
        int(start.boxes),
        int(start.barriers),
        int(start.lavas),
    )
    rulebook.reset(state_of(block), 0, _rules(block)[0], begin)
    return 0


def step(block, row, col, z):
    """Play an action."""
    rulebook.step(state_of(block), 0, _rules(block)[0], np.int64(row), np.int64(col), np.int64(z))
    return _game(block)[0].outcome


def mask(block):
    """Write whether each action is valid: mask[(row * cols + col) * actions + z - first_z]."""
    rules, marks = _rules(block)[0], _mask(block)
    rows, cols, actions = _row_count(block), _col_count(block), ACTION_KINDS + int(rules.noop)
    for k in range(len(marks)):
        marks[k] = False
    shape = 1, rows, cols, actions
    engine.mark_valid(state_of(block), rules, rules.z_base - int(rules.noop), shaped(marks, shape))
    return rows * cols * actions


def is_valid(block, row, col, z):
    """Return whether an action is valid. No action is valid if the game is over."""
    if _game(block)[0].outcome != PLAYING:
        return 0
    return int(rulebook.is_valid(state_of(block), 0, _rules(block)[0], np.int64(row), np.int64(col), np.int64(z)))


def preview(block, row, col, direction):
    """Write to `preview` what would happen if a direction were played. Return whether the action is valid."""
    found = engine.preview_row(state_of(block), 0, _rules(block)[0], np.int64(row), np.int64(col), np.int64(direction))
    shown = _preview(block)[0]
    shown.row, shown.col, shown.content, shown.chain = found[0], found[1], found[2], found[3]
    shown.beyond_row, shown.beyond_col, shown.beyond = found[4], found[5], found[6]
    shown.charged, shown.cost, shown.cost_from_rest, shown.cost_in_motion = found[7], found[8], found[9], found[10]
    shown.valid = found[11]
    return int(shown.valid)


@rare
def mark_reach(block):
    """Mark the cells that the shover can reach over empty cells, including its own cell. Return their number."""
    rows, cols = _row_count(block), _col_count(block)
    game, board, marks, queue, width = _game(block)[0], _board(block), _reach(block), _queue(block), cols + 2
    for cell in range(rows * cols):
        marks[cell] = False
    here = game.row * cols + game.col
    marks[here] = True
    queue[0] = here
    done, count = 0, 1
    while done < count:
        row, col = queue[done] // cols, queue[done] % cols
        done += 1
        for direction in range(4):
            down = int(direction == DOWN) - int(direction == UP)
            right = int(direction == RIGHT) - int(direction == LEFT)
            cell = (row + down) * cols + col + right
            if board[cell_at(row + down, col + right, width)] == EMPTY and not marks[cell]:
                marks[cell] = True
                queue[count] = cell
                count += 1
    return count


def reach(block):
    """In the array `reach`, mark the cells that a walker can reach. Return the number of these cells."""
    return mark_reach(block)


def place(block, row, col):
    """Put the shover on an empty cell (1.1) without a step. Return 0 and change nothing if this is not allowed."""
    rows, cols, game = _row_count(block), _col_count(block), _game(block)[0]
    if game.outcome != PLAYING or not (0 <= row < rows and 0 <= col < cols):
        return 0
    if _board(block)[cell_at(row, col, cols + 2)] != EMPTY:
        return 0
    if _rules(block)[0].actor == WALK:
        mark_reach(block)
        if not _reach(block)[row * cols + col]:
            return 0
    game.row, game.col = row, col
    return 1


def canonical(block):
    """Write the bytes that `canonical` in record.py returns."""
    target, game, squares = _canonical(block), _game(block)[0], _squares(block)
    rows, cols = _row_count(block), _col_count(block)
    place = write_bytes(target, 0, _TITLE)
    place = write_number(target, place, rows)
    place = write_number(target, place, cols)
    for name in literal_unroll(HASHED):
        place = write_number(target, place, game[name])
    if game.moving != 0:
        place = write_number(target, place, row_of(game.moving_cell, cols + 2))
        place = write_number(target, place, col_of(game.moving_cell, cols + 2))
        place = write_number(target, place, game.moving_direction)
    place = write_number(target, place, game.squares)
    for k in range(game.squares):
        place = write_number(target, place, squares[k].n)
        place = write_number(target, place, squares[k].row)
        place = write_number(target, place, squares[k].col)
        place = write_number(target, place, squares[k].born)
    stamina = game.stamina + 0.0  # -0.0 becomes 0.0
    place = write_number(target, place, np.float64(stamina).view(np.int64))
    board = _board(block)
    for row in range(rows):
        for col in range(cols):
            target[place] = board[cell_at(row, col, cols + 2)]
            place += 1
    return place


# --- The description


def web_preset(rules_text: str) -> WebPreset:
    rules = parse_rules(rules_text, PRESETS)
    boxes, barriers, lavas = ShoverSetup({"rules": rules}).counts
    start = {"frame": frame_of(rules.edge), "row": -1, "col": -1, "boxes": boxes, "barriers": barriers, "lavas": lavas}
    return WebPreset(
        {
            "rules": rules.numbers()._asdict(),
            "reward": rules.reward_numbers()._asdict(),
            "start": start,
            "rule_values": web_formats.RULES.values(rules),
        },
        {"rows": rules.n_rows, "cols": rules.n_cols},
        (0, 0, rules.z_count),  # 0: a row or a column of the map
        (0, 0, rules.first_z),
    )


def web_level(board: Board, rules_text: str) -> WebLevel:
    level: Map = board.level
    row, col = level.agent or (-1, -1)
    start: dict[str, Any] = {"row": row, "col": col, "boxes": -1, "barriers": 0, "lavas": 0}
    return WebLevel({"rows": level.rows, "cols": level.cols}, {"level": level.grid.reshape(-1), "start": start})


WEB = WebModule(
    block=BLOCK,
    state=("game", "board", "squares"),
    step=step,
    mask=mask,
    is_valid=is_valid,
    canonical=canonical,
    functions=(reset, preview, reach, place, *web_formats.format_functions(BLOCK)),
    preset=web_preset,
    level=web_level,
    outcomes=OUTCOMES,
    reasons=TABLE,
    reason_field="reason",
    tiles={
        "empty": EMPTY,
        "lava": LAVA,
        "barrier": BARRIER,
        "box": BOX,
        "plain box": PLAIN_BOX,
        "shover": SHOVER_TILE,
        "loose box": LOOSE_BOX,
        "flame": FLAME,
    },
    bindings={
        **{key: ("direction", direction) for key, direction in ARROWS.items()},
        **{key: ("special", kind) for key, kind in SPECIAL_KEYS.items()},
        WAIT: ("wait", NOOP),
    },
    problems=web_formats.PROBLEMS,
    rules=web_formats.RULES,
    constants={
        "first_special": FIRST_SPECIAL,
        "specials": [special._asdict() for special in SPECIALS],
    },
)
