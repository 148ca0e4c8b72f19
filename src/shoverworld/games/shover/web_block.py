"""The layout of a Shover-World game in memory, for the WebAssembly module. core/blocks.py explains blocks."""

import numpy as np

from shoverworld.core.blocks import Block, BlockArray, shaped
from shoverworld.core.format_web import format_arrays, rules_array
from shoverworld.core.grid import record_type
from shoverworld.core.jit import inner, type_of_record
from shoverworld.core.sheet import COLUMNS, Sheet
from shoverworld.core.web import COMMON, SHEET, sheet_view

from . import web_formats
from .config import ACTION_KINDS, Rules
from .state import GAME_RECORD, SQUARE, State, most_squares
from .ui.position import INPUT, MOST_STEPS, Scratch

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
        BlockArray("input", INPUT),  # what is selected
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
        BlockArray("canonical", np.uint8, _canonical_bytes),
        BlockArray("tried_game", GAME_RECORD),  # a game in which actions are tried
        BlockArray("tried_board", np.int8, _framed),
        BlockArray("tried_squares", SQUARE, most_squares),
        BlockArray("reach", np.bool_, _cells),
        BlockArray("queue", np.int64, _framed),
        BlockArray("pushes", np.int64, _framed),
        BlockArray("plan", np.float64, MOST_STEPS * COLUMNS),
        BlockArray("plan_used", np.int64),
    ),
)
row_count, col_count = BLOCK.dimension("rows"), BLOCK.dimension("cols")
empty_sheet = sheet_view(BLOCK)
_game, _board, _squares, _rules, _input = (BLOCK[name] for name in ("game", "board", "squares", "rules", "input"))
_tried_game, _tried_board, _tried_squares = (BLOCK[name] for name in ("tried_game", "tried_board", "tried_squares"))
_reach, _queue, _pushes, _plan, _plan_used = (BLOCK[name] for name in ("reach", "queue", "pushes", "plan", "plan_used"))


@inner
def state_of(block):
    board, squares = _board(block), _squares(block)
    return State(shaped(board, (1, len(board))), _game(block), shaped(squares, (1, len(squares))), col_count(block) + 2)


@inner
def rules_of(block):
    return _rules(block)[0]


@inner
def chosen_of(block):
    """Return the record of what is selected."""
    return _input(block)[0]


@inner
def scratch_of(block):
    board, squares = _tried_board(block), _tried_squares(block)
    tried = State(
        shaped(board, (1, len(board))), _tried_game(block), shaped(squares, (1, len(squares))), col_count(block) + 2
    )
    plan = Sheet(shaped(_plan(block), (MOST_STEPS, COLUMNS)), _plan_used(block))
    return Scratch(tried, _reach(block), _queue(block), _pushes(block), plan)
