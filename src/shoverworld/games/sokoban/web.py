"""The WebAssembly module of Sokoban: the layout of a game's block, and thin functions on top of the rules.

core/web.py explains blocks and the functions that all modules have.
"""

import numpy as np
from numba import literal_unroll

from shoverworld.core.blocks import Block, BlockArray, shaped
from shoverworld.core.grid import record_type
from shoverworld.core.jit import inner, type_of_record
from shoverworld.core.rules_text import parse_rules
from shoverworld.core.ui import Board
from shoverworld.core.web import COMMON, WebLevel, WebModule, WebPreset, write_bytes, write_number

from . import engine, tiles
from . import rules as rulebook
from .config import RULES as PRESETS
from .config import SokobanRules
from .levels import Level
from .reasons import TABLE
from .record import HASHED
from .reverse import (
    BOXES,
    MAX_PRIORITY,
    RoomWorkspace,
    area_words,
    cell_key,
    max_positions,
    ring_table,
    slot_count,
    solution_size,
)
from .rooms import LETTERS, RoomNumbers, draw_room, widths
from .rules import DIRECTIONS
from .state import BOX, GAME_RECORD, OUTCOMES, PLAYER, PLAYING, SECOND, TARGET, WALL, SokobanState
from .store import LevelBank
from .topology import walk_length
from .two_players import for_two
from .ui import controls

RULES = type_of_record(SokobanRules().numbers())
REWARD = type_of_record(SokobanRules().reward_numbers())
START = record_type(
    [
        ("player", np.int32),  # the cell of the player, row * cols + col
        ("second", np.int32),  # the cell of the second player, or -1
        ("fixed", np.int32),  # 1 if every box has its own target
        ("min_score", np.int32),  # the minimum difficulty of a generated room
        ("min_pushes", np.int32),
    ]
)


def _cells(rows, cols, players, boxes):
    return rows * cols


def _room_cells(rows, cols, players, boxes):
    return rows * cols if boxes > 0 else 0


def _positions(rows, cols, players, boxes):
    return max_positions(rows * cols, boxes) if boxes > 0 else 0


# The scratch memory for generating rooms, which is empty if the dimension `boxes` is 0. See RoomWorkspace.
WORKSPACE = (
    *(BlockArray(name, np.int32, _room_cells) for name in ("places", "order", "number", "row", "col", "seen", "queue")),
    *(BlockArray(name, np.uint8, _room_cells) for name in ("floor", "is_target", "taken")),
    BlockArray("came", np.int8, _room_cells),
    BlockArray("near", np.int32, lambda rows, cols, players, boxes: 4 * rows * cols if boxes > 0 else 0),
    BlockArray("ring", np.int32, lambda rows, cols, players, boxes: 8 * rows * cols if boxes > 0 else 0),
    BlockArray("box_key", np.int64, _room_cells),
    BlockArray(
        "nodes",
        np.int32,
        lambda rows, cols, players, boxes: max_positions(rows * cols, boxes) * (BOXES + boxes) if boxes > 0 else 0,
    ),
    BlockArray("keys", np.int64, _positions),
    BlockArray(
        "areas",
        np.int64,
        lambda rows, cols, players, boxes: (
            max_positions(rows * cols, boxes) * area_words(rows * cols) if boxes > 0 else 0
        ),
    ),
    BlockArray(
        "slots",
        np.int64,
        lambda rows, cols, players, boxes: 2 * slot_count(max_positions(rows * cols, boxes)) if boxes > 0 else 0,
    ),
    BlockArray("counts", np.int32, MAX_PRIORITY + 1),
    BlockArray("numbers", np.int64, 3),
    BlockArray(
        "solution", np.uint8, lambda rows, cols, players, boxes: solution_size(rows * cols) if boxes > 0 else 0
    ),  # indices into the constant `letters`
    BlockArray("solution_length", np.int64),
)
BLOCK = Block(
    ("rows", "cols", "players", "boxes"),
    (
        BlockArray("game", GAME_RECORD),
        BlockArray("planes", np.uint8, lambda rows, cols, players, boxes: (PLAYER + players) * rows * cols),
        BlockArray("rules", RULES),
        BlockArray("reward", REWARD),
    ),
    (
        *COMMON,
        # walls, targets and boxes, each row by row; a target or a box is its number, or 1 if it has none
        BlockArray("level", np.uint8, lambda rows, cols, players, boxes: PLAYER * rows * cols),
        BlockArray("start", START),
        BlockArray("bank_cells", np.uint8, _cells),
        BlockArray("bank_numbers", np.uint8, lambda rows, cols, players, boxes: 2 * rows * cols),
        BlockArray("bank_players", np.int32, 2),
        BlockArray("bank_counts", np.int32, 2),
        BlockArray("mask", np.bool_, 1 + 2 * 12),
        BlockArray(
            "canonical",
            np.uint8,
            lambda rows, cols, players, boxes: 10 + 8 * (3 + len(HASHED)) + (PLAYER + players) * rows * cols,
        ),
        *WORKSPACE,
    ),
)
_game, _planes, _rules, _level, _start = (BLOCK[name] for name in ("game", "planes", "rules", "level", "start"))
_bank_cells, _bank_numbers, _bank_players, _bank_counts = (
    BLOCK[name] for name in ("bank_cells", "bank_numbers", "bank_players", "bank_counts")
)
_mask, _canonical, _box_key = BLOCK["mask"], BLOCK["canonical"], BLOCK["box_key"]
_floor, _places, _order, _number, _row, _col, _near, _ring, _is_target, _taken, _seen, _queue, _came = (
    BLOCK[name]
    for name in (
        "floor", "places", "order", "number", "row", "col", "near", "ring", "is_target", "taken", "seen", "queue", "came",
    )
)  # fmt: skip
_nodes, _keys, _areas, _slots, _counts, _numbers, _solution, _solution_length = (
    BLOCK[name] for name in ("nodes", "keys", "areas", "slots", "counts", "numbers", "solution", "solution_length")
)
_row_count, _col_count, _player_count, _box_count = (BLOCK.dimension(name) for name in BLOCK.dimensions)
_CLOSED = ring_table()
_TITLE = np.frombuffer(b"sokoban 1\n", np.uint8)


@inner
def state_of(block):
    cells = _row_count(block) * _col_count(block)
    return SokobanState(
        shaped(_planes(block), (1, PLAYER + _player_count(block), cells)), _game(block), _col_count(block)
    )


@inner
def number_of(thing, fixed, is_numbered, counted):
    """Return the number of a box or a target: with fixed targets its own or, if there is none, one in reading order."""
    if not fixed:
        return 1
    return thing if is_numbered else counted


@inner
def bank_of(block):
    """Return the level as a bank with one level, as `make_bank` does."""
    cells, level, start = (
        _row_count(block) * _col_count(block),
        shaped(_level(block), (PLAYER, len(_bank_cells(block)))),
        _start(block)[0],
    )
    bits, numbers = _bank_cells(block), shaped(_bank_numbers(block), (1, 2, len(_bank_cells(block))))
    players, counts = _bank_players(block), _bank_counts(block)
    is_numbered = False
    for cell in range(cells):
        is_numbered |= level[TARGET, cell] > 1 or level[BOX, cell] > 1
    targets, boxes, on_target = 0, 0, 0
    for cell in range(cells):
        bits[cell] = int(level[WALL, cell] != 0) << WALL
        target, box = 0, 0
        if level[TARGET, cell] != 0:
            targets += 1
            bits[cell] |= 1 << TARGET
            target = number_of(np.int64(level[TARGET, cell]), start.fixed != 0, is_numbered, targets)
        if level[BOX, cell] != 0:
            boxes += 1
            bits[cell] |= 1 << BOX
            box = number_of(np.int64(level[BOX, cell]), start.fixed != 0, is_numbered, boxes)
        numbers[0, 0, cell], numbers[0, 1, cell] = target, box
        on_target += int(box != 0 and box == target)
    players[0], players[1] = start.player, start.second if _player_count(block) > 1 else -1
    bits[players[0]] |= 1 << PLAYER
    if players[1] >= 0:
        bits[players[1]] |= 1 << SECOND
    counts[0], counts[1] = boxes, on_target
    return LevelBank(
        shaped(bits, (1, cells)), numbers, shaped(players, (1, 2)), counts[:1], counts[1:], _col_count(block)
    )


def reset(block):
    """Start a game on the level in `level`, with the players in `start`."""
    rulebook.reset(state_of(block), 0, bank_of(block), 0)
    _game(block)[0].level = -1
    return 0


@inner
def workspace_of(block):
    cells, boxes = _row_count(block) * _col_count(block), _box_count(block)
    positions = len(_keys(block))
    slots = _slots(block)
    return RoomWorkspace(
        _floor(block),
        _places(block),
        _order(block),
        _number(block),
        _row(block),
        _col(block),
        shaped(_near(block), (cells, 4)),
        shaped(_ring(block), (cells, 8)),
        _CLOSED,
        _is_target(block),
        _taken(block),
        _seen(block),
        _queue(block),
        _came(block),
        shaped(_nodes(block), (positions, BOXES + boxes)),
        _keys(block),
        shaped(_areas(block), (positions, area_words(cells))),
        _box_key(block),
        shaped(slots, (len(slots) // 2, 2)),
        _counts(block),
        _numbers(block),
        _solution(block),
        _solution_length(block),
    )


def generate(block):
    """Start a game in a generated room with `boxes` boxes (a dimension of the block) and the difficulty in `start`.

    Return the score of the room, or 0 if no room was found. The array `solution` contains a solution.
    """
    start, boxes, box_key = _start(block)[0], _box_count(block), _box_key(block)
    for cell in range(len(box_key)):
        box_key[cell] = cell_key(cell)
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
    return draw_room(state_of(block), 0, numbers, workspace_of(block))


def step(block, action):
    """Play an action."""
    rulebook.step(state_of(block), 0, _rules(block)[0], np.int64(action))
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
        {"rules": rules.numbers()._asdict(), "reward": rules.reward_numbers()._asdict(), "start": start},
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
        {"rows": level.rows, "cols": level.cols},
        {
            "level": np.concatenate([table.reshape(-1).astype(np.uint8) for table in tables]),
            "start": {"player": first, "second": others[0] if others else -1},
        },
    )


WEB = WebModule(
    block=BLOCK,
    state=("game", "planes"),
    step=step,
    mask=mask,
    is_valid=is_valid,
    canonical=canonical,
    functions=(reset, generate),
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
        **{key: ("direction", direction) for key, direction in controls.ARROWS.items()},
        **{key: ("second direction", direction) for key, direction in controls.LETTERS.items()},
        controls.WAIT: ("wait", 0),
        controls.GRAB: ("grab", 0),
        controls.SHIFT: ("pull", 0),
    },
    constants={"letters": LETTERS, "directions": DIRECTIONS, "planes": ["wall", "target", "box", "player", "second"]},
)
