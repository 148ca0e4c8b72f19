"""The WebAssembly module of Shover-World: thin functions on top of the rules, and the description of the module.

core/web.py explains the functions that all modules have. web_block.py contains the layout of a game's memory, and
web_ui.py the functions of the user interface.
"""

from typing import Any

import numpy as np
from numba import literal_unroll

from shoverworld.core.blocks import shaped
from shoverworld.core.grid import cell_at, col_of, row_of
from shoverworld.core.rules_text import parse_rules
from shoverworld.core.ui import Board
from shoverworld.core.web import WebLevel, WebModule, WebPreset, write_bytes, write_number

from . import engine, web_formats
from . import rules as rulebook
from .config import ACTION_KINDS, FIRST_SPECIAL, NOOP, PRESETS, SPECIALS, WALK
from .maps import Map
from .phrases import PHRASES, REASON_TABLE, SCORE_NUMBERS
from .record import HASHED
from .scan import mark_reach
from .setup import ShoverSetup
from .state import BARRIER, BOX, EMPTY, LAVA, OUTCOMES, PLAYING, ShoverStart, frame_of
from .tiles import FLAME, LOOSE_BOX, PLAIN_BOX, SHOVER_TILE, sprite_tiles
from .ui.intents import DIRECTION_KEYS, PRESS_KEYS, WAIT, deselect, forget_push
from .ui.position import in_reach
from .web_block import BLOCK, chosen_of, col_count, row_count, rules_of, scratch_of, state_of
from .web_ui import UI_FUNCTIONS

_game, _board, _squares = (BLOCK[name] for name in ("game", "board", "squares"))
_level, _start, _start_board, _start_cell = (BLOCK[name] for name in ("level", "start", "start_board", "start_cell"))
_mask, _preview, _reach, _queue, _canonical = (
    BLOCK[name] for name in ("mask", "preview", "reach", "queue", "canonical")
)
_reward, _result = BLOCK["reward"], BLOCK["result"]
FIGURES = ("steps", "stamina")
_TITLE = np.frombuffer(b"shover 1\n", np.uint8)


def reset(block):
    """Start a game: on the map in `level` or, if `start.boxes` is not -1, on a random map.

    `start` also contains the start cell of the shover.
    """
    rows, cols = row_count(block), col_count(block)
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
    rulebook.reset(state_of(block), 0, rules_of(block), begin)
    forget_push(chosen_of(block))
    deselect(chosen_of(block))
    return 0


def note_level(block):
    """Write the position on the board to `level` and `start`, where `write` finds it. Return 0."""
    rows, cols, game, start = row_count(block), col_count(block), _game(block)[0], _start(block)[0]
    level, board = _level(block), _board(block)
    for row in range(rows):
        for col in range(cols):
            level[row * cols + col] = board[cell_at(row, col, cols + 2)]
    start.row, start.col, start.boxes = game.row, game.col, -1
    return 0


def step(block, row, col, z):
    """Play an action."""
    engine.step_unless_over(state_of(block), rules_of(block), np.int64(row), np.int64(col), np.int64(z))
    return _game(block)[0].outcome


def mask(block):
    """Write whether each action is valid: mask[(row * cols + col) * actions + z - first_z]."""
    rules, marks = rules_of(block), _mask(block)
    rows, cols, actions = row_count(block), col_count(block), ACTION_KINDS + int(rules.noop)
    for k in range(len(marks)):
        marks[k] = False
    shape = 1, rows, cols, actions
    engine.mark_valid(state_of(block), rules, rules.z_base - int(rules.noop), shaped(marks, shape))
    return rows * cols * actions


def is_valid(block, row, col, z):
    """Return whether an action is valid. No action is valid if the game is over."""
    if _game(block)[0].outcome != PLAYING:
        return 0
    return int(rulebook.is_valid(state_of(block), 0, rules_of(block), np.int64(row), np.int64(col), np.int64(z)))


def preview(block, row, col, direction):
    """Write to `preview` what would happen if a direction were played. Return whether the action is valid."""
    found = engine.preview_row(state_of(block), 0, rules_of(block), np.int64(row), np.int64(col), np.int64(direction))
    shown = _preview(block)[0]
    shown.row, shown.col, shown.content, shown.chain = found[0], found[1], found[2], found[3]
    shown.beyond_row, shown.beyond_col, shown.beyond = found[4], found[5], found[6]
    shown.charged, shown.cost, shown.cost_from_rest, shown.cost_in_motion = found[7], found[8], found[9], found[10]
    shown.valid = found[11]
    return int(shown.valid)


def reach(block):
    """In the array `reach`, mark the cells that a walker can reach. Return the number of these cells."""
    return mark_reach(state_of(block), _reach(block), _queue(block))


def place(block, row, col):
    """Put the shover on an empty cell (1.1) without a step. Return 0 and change nothing if this is not allowed."""
    rows, cols, game = row_count(block), col_count(block), _game(block)[0]
    if game.outcome != PLAYING or not (0 <= row < rows and 0 <= col < cols):
        return 0
    if _board(block)[cell_at(row, col, cols + 2)] != EMPTY:
        return 0
    if rules_of(block).actor == WALK and not in_reach(state_of(block), scratch_of(block), row, col):
        return 0
    game.row, game.col = row, col
    return 1


def result(block):
    """Write the reward for the last step, the timestep and the stamina to `result`. Return the number of figures."""
    game, values = _game(block)[0], _result(block)
    values[0] = rulebook.reward_of(game, _reward(block)[0])
    values[1], values[2] = game.timestep, game.stamina
    return len(FIGURES)


def canonical(block):
    """Write the bytes that `canonical` in record.py returns."""
    target, game, squares = _canonical(block), _game(block)[0], _squares(block)
    rows, cols = row_count(block), col_count(block)
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
    sprites=sprite_tiles(),
    random="reset",
    state=("game", "board", "squares"),
    step=step,
    mask=mask,
    is_valid=is_valid,
    result=result,
    figure_names=FIGURES,
    canonical=canonical,
    functions=(reset, note_level, preview, reach, place, *UI_FUNCTIONS, *web_formats.format_functions(BLOCK)),
    problems=web_formats.PROBLEMS,
    rules=web_formats.RULES,
    level_start=("row", "col", "boxes", "barriers", "lavas"),
    preset=web_preset,
    level=web_level,
    outcomes=OUTCOMES,
    reasons=REASON_TABLE,
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
        **{key: ("direction", number % 4) for number, key in enumerate(DIRECTION_KEYS)},
        **{special.key: ("special", kind) for kind, special in enumerate(SPECIALS, FIRST_SPECIAL)},
        WAIT: ("wait", NOOP),
    },
    constants={
        "first_special": FIRST_SPECIAL,
        "specials": [special._asdict() for special in SPECIALS],
    },
    phrases=PHRASES,
    press_keys=PRESS_KEYS,
    score_numbers=SCORE_NUMBERS,
)
