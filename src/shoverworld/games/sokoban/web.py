"""The WebAssembly module of Sokoban: thin functions on top of the rules, and the description of the module.

core/web.py explains the functions that all modules have. web_block.py contains the layout of the memory, and web_ui.py
the functions of the user interface.
"""

import numpy as np
from numba import literal_unroll

from shoverworld.core.blocks import bytes_of, shaped
from shoverworld.core.jit import inner
from shoverworld.core.rules_text import parse_rules
from shoverworld.core.ui import Board
from shoverworld.core.web import WebLevel, WebModule, WebPreset, write_bytes, write_number

from . import engine, tiles, web_formats, web_ui
from . import rules as rulebook
from .boards import SCORE_NUMBERS
from .config import RULES as PRESETS
from .levels import Level
from .phrases import phrases
from .queries import play
from .reasons import TABLE
from .record import HASHED
from .rooms import LETTERS, RoomNumbers, draw_room, widths
from .rules import DIRECTIONS
from .state import OUTCOMES, PLAYING
from .topology import walk_length
from .two_players import for_two
from .ui.input_rows import GRAB_KEY, KEYS, LETTER_KEYS, PRESS_KEYS, SHIFT, WAIT_KEY
from .web_block import BLOCK, bank_of, room_workspace_of, state_of

_game, _planes, _rules, _start, _input, _mask, _canonical = (
    BLOCK[name] for name in ("game", "planes", "rules", "start", "input", "mask", "canonical")
)
_row_count, _col_count, _player_count, _box_count = (BLOCK.dimension(name) for name in BLOCK.dimensions)
_level, _reward, _result = BLOCK["level"], BLOCK["reward"], BLOCK["result"]
FIGURES = ("steps", "moves", "pushes")
_TITLE = np.frombuffer(b"sokoban 1\n", np.uint8)


@inner
def select_nothing(block):
    bytes_of(_input(block))[:] = 0


def reset(block):
    """Start a game on the level in `level`, with the players in `start`."""
    select_nothing(block)
    rulebook.reset(state_of(block), 0, bank_of(block), 0)
    _game(block)[0].level = -1
    return 0


def generate(block):
    """Start a game in a generated room with `boxes` boxes (a dimension of the block) and the difficulty in `start`.

    Return the score of the room, or 0 if no room was found. The array `solution` contains a solution, and
    `room_results` its length (index LENGTH in room_workspace.py).
    """
    select_nothing(block)
    start, boxes = _start(block)[0], _box_count(block)
    width, narrow = widths(boxes)
    numbers = RoomNumbers(
        _row_count(block),
        _col_count(block),
        boxes,
        _player_count(block),
        int(start.fixed),
        int(start.min_score),
        int(start.min_pushes),
        walk_length(_row_count(block), _col_count(block)),
        width,
        narrow,
    )
    return draw_room(state_of(block), 0, numbers, room_workspace_of(block))


def note_level(block):
    """Write the position on the board to `level` and `start`, where `write` finds it. Return 0."""
    level, planes, start, game = _level(block), _planes(block), _start(block)[0], _game(block)[0]
    for k in range(len(level)):
        level[k] = planes[k]
    start.player, start.second = game.player, game.second
    return 0


def step(block, action):
    """Play an action."""
    play(state_of(block), _rules(block)[0], np.int64(action))
    return _game(block)[0].outcome


def mask(block):
    """Write whether each action is valid: mask[action]."""
    rules, marks = _rules(block)[0], _mask(block)
    actions = 1 - rules.first_code + rules.players * rules.actions_each
    engine.mark_valid(state_of(block), rules, shaped(marks, (1, actions)))
    return actions


def is_valid(block, action):
    """Return whether an action is valid. No action is valid if the game is over."""
    if _game(block)[0].outcome != PLAYING:
        return 0
    return int(rulebook.is_valid(state_of(block), 0, _rules(block)[0], np.int64(action)))


def result(block):
    """Write the reward for the last step, the steps, the moves and the pushes to `result`. Return the number of figures."""
    game, values = _game(block)[0], _result(block)
    values[0] = rulebook.reward_of(game, game, _reward(block)[0])
    values[1], values[2], values[3] = game.steps, game.moves, game.pushes
    return len(FIGURES)


def canonical(block):
    """Write the bytes that `canonical` in record.py returns."""
    target, game, planes = _canonical(block), _game(block)[0], _planes(block)
    place = write_bytes(target, 0, _TITLE)
    place = write_number(target, place, _row_count(block))
    place = write_number(target, place, _col_count(block))
    place = write_number(target, place, _player_count(block))
    for name in literal_unroll(HASHED):
        place = write_number(target, place, game[name])
    return write_bytes(target, place, planes)


# --- The description


def web_preset(rules_text: str) -> WebPreset:
    rules = parse_rules(rules_text, PRESETS)
    rows, cols = rules.dim_room
    start = {"player": -1, "second": -1, "fixed": int(rules.fixed_targets), "min_score": 0, "min_pushes": 0}
    return WebPreset(
        {
            "rules": rules.numbers()._asdict(),
            "reward": rules.reward_numbers()._asdict(),
            "start": start,
            "rule_values": web_formats.RULES.values(rules),
        },
        {"rows": rows, "cols": cols, "players": rules.players, "boxes": rules.num_boxes},
        (rules.action_count,),
        (0,),
    )


def web_level(board: Board, rules_text: str) -> WebLevel:
    rules = parse_rules(rules_text, PRESETS)
    level: Level = for_two(board.level) if rules.players == 2 else board.level
    first, *others = (row * level.cols + col for row, col in level.players)
    tables = (level.walls, level.targets, level.boxes)
    return WebLevel(
        {"rows": level.rows, "cols": level.cols, "boxes": 0},  # no memory for generating rooms
        {
            "level": np.concatenate([table.reshape(-1).astype(np.uint8) for table in tables]),
            "start": {"player": first, "second": others[0] if others else -1},
        },
    )


WEB = WebModule(
    block=BLOCK,
    sprites=tiles.sprite_tiles(),
    random="generate",
    state=("game", "planes"),
    step=step,
    mask=mask,
    is_valid=is_valid,
    result=result,
    figure_names=FIGURES,
    canonical=canonical,
    functions=(reset, generate, note_level, *web_ui.FUNCTIONS, *web_formats.format_functions(BLOCK)),
    problems=web_formats.PROBLEMS,
    rules=web_formats.RULES,
    level_start=("player", "second"),
    preset=web_preset,
    level=web_level,
    outcomes=OUTCOMES,
    reasons=TABLE,
    reason_field="reason",
    tiles={
        "outside": tiles.OUTSIDE,
        "wall": tiles.WALL,
        "floor": tiles.FLOOR,
        "loose target": tiles.LOOSE_TARGET,
        "loose box": tiles.LOOSE_BOX,
        "player": tiles.PLAYER_TILE,
        "second player": tiles.SECOND_TILE,
    },
    bindings={
        **{key: ("direction", direction) for direction, key in enumerate(KEYS[:LETTER_KEYS])},
        **{key: ("second direction", direction) for direction, key in enumerate(KEYS[LETTER_KEYS:WAIT_KEY])},
        KEYS[WAIT_KEY]: ("wait", 0),
        KEYS[GRAB_KEY]: ("grab", 0),
        SHIFT: ("pull", 0),
    },
    phrases=phrases,
    press_keys=PRESS_KEYS,
    score_numbers=SCORE_NUMBERS,
    constants={"letters": LETTERS, "directions": DIRECTIONS, "planes": ["wall", "target", "box", "player", "second"]},
)
