"""The memory of Sokoban's WebAssembly module: the arrays of a block, and the objects that the rules expect.

core/blocks.py explains blocks. web.py and web_ui.py contain the functions of the module.
"""

import numpy as np

from shoverworld.core.blocks import Block, BlockArray, shaped
from shoverworld.core.format_web import format_arrays, rules_array
from shoverworld.core.grid import record_type
from shoverworld.core.jit import both, inner, type_of_record
from shoverworld.core.web import COMMON, SHEET

from . import web_formats
from .areas import words_for
from .config import SokobanRules
from .overlay_rows import MOST_PUSHES
from .path_workspace import ARRAYS, SEARCHED, PathWorkspace, most_steps
from .record import HASHED
from .room_workspace import (
    MAX_PRIORITY,
    RoomWorkspace,
    most_numbers,
    most_positions,
    slots_for,
    solution_size,
)
from .state import BOX, GAME_RECORD, PLAYER, SECOND, TARGET, WALL, SokobanState
from .store import LevelBank
from .ui.input_rows import INPUT

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


# The sizes of arrays for generating rooms. They are empty if the dimension `boxes` is 0.


@both
def _map_cells(rows, cols, players, boxes):
    return rows * cols if boxes > 0 else 0


@both
def _numbers(rows, cols, players, boxes):
    return most_numbers(rows * cols) if boxes > 0 else 0


@both
def _directions(rows, cols, players, boxes):
    return 4 * most_numbers(rows * cols) if boxes > 0 else 0


@both
def _words(rows, cols, players, boxes):
    return words_for(rows * cols) if boxes > 0 else 0


@both
def _positions(rows, cols, players, boxes):
    return most_positions(rows * cols, boxes) if boxes > 0 else 0


@both
def _pulls(rows, cols, players, boxes):
    return 4 * boxes + 1


# The scratch memory for generating rooms: the arrays of RoomWorkspace, in the same order.
WORKSPACE = (
    BlockArray("floor", np.uint8, _map_cells),
    BlockArray("number", np.uint16, _map_cells),
    BlockArray("places", np.int32, _numbers),
    BlockArray("row", np.int32, _numbers),
    BlockArray("col", np.int32, _numbers),
    BlockArray("is_target", np.uint8, _numbers),
    BlockArray("near", np.uint16, _directions),
    BlockArray("beside", np.uint64, _numbers),
    BlockArray("line", np.uint64, _directions),
    BlockArray("landing", np.uint16, _directions),
    BlockArray("key_change", np.uint64, _directions),
    BlockArray("box_key", np.uint64, _numbers),
    BlockArray("order", np.uint16, _numbers),
    BlockArray("queue", np.uint16, _numbers),
    BlockArray("came", np.int8, _numbers),
    BlockArray("nodes", np.int32, lambda rows, cols, players, boxes: 5 * _positions(rows, cols, players, boxes)),
    BlockArray("swaps", np.int32, _positions),
    BlockArray("boxes", np.uint16, lambda rows, cols, players, boxes: boxes * _positions(rows, cols, players, boxes)),
    BlockArray(
        "areas",
        np.uint64,
        lambda rows, cols, players, boxes: words_for(rows * cols) * _positions(rows, cols, players, boxes),
    ),
    BlockArray("keys", np.uint64, _positions),
    BlockArray(
        "slots",
        np.uint16,
        lambda rows, cols, players, boxes: slots_for(most_positions(rows * cols, boxes)) if boxes > 0 else 0,
    ),
    BlockArray("floor_area", np.uint64, _words),
    BlockArray("sides", np.uint64, 2),
    BlockArray("free", np.uint64, _words),
    BlockArray("edge", np.uint64, _words),
    BlockArray("pulls", np.uint16, _pulls),
    BlockArray("pull_keys", np.uint64, _pulls),
    BlockArray("counts", np.int32, MAX_PRIORITY + 1),
    BlockArray(
        "solution", np.uint8, lambda rows, cols, players, boxes: solution_size(rows * cols) if boxes > 0 else 0
    ),  # indices into the constant `letters`
    BlockArray("room_results", np.int64, 5),  # the score, the length of the solution, and numbers about the search
)


def _four_cells(rows, cols, players, boxes):
    return 4 * rows * cols


def _steps(rows, cols, players, boxes):
    return most_steps(rows * cols)


# The memory of the searches for paths: the arrays of PathWorkspace, in the same order.
_LENGTHS = {"steps": _steps, "searched": SEARCHED}
PATHS = tuple(
    BlockArray(f"path_{name}", dtype, _LENGTHS.get(name, _cells if each == 1 else _four_cells))
    for name, (dtype, each) in ARRAYS.items()
)
BLOCK = Block(
    ("rows", "cols", "players", "boxes"),
    (
        BlockArray("game", GAME_RECORD),
        BlockArray("planes", np.uint8, lambda rows, cols, players, boxes: (PLAYER + players) * rows * cols),
        BlockArray("rules", RULES),
        BlockArray("reward", REWARD),
        rules_array(web_formats.RULES),
        BlockArray("input", INPUT),  # what is selected
    ),
    (
        *COMMON,
        *SHEET,
        *format_arrays(5, 1, web_formats.RULES, web_formats.text_length),
        *web_formats.ARRAYS,
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
        *PATHS,
        # a copy of the game for trying a plan, and its next pushes
        BlockArray("trial_game", GAME_RECORD),
        BlockArray("trial_planes", np.uint8, lambda rows, cols, players, boxes: (PLAYER + players) * rows * cols),
        BlockArray("planned_pushes", np.int32, 2 * MOST_PUSHES),
    ),
)
_game, _planes, _level, _start = (BLOCK[name] for name in ("game", "planes", "level", "start"))
_bank_cells, _bank_numbers, _bank_players, _bank_counts = (
    BLOCK[name] for name in ("bank_cells", "bank_numbers", "bank_players", "bank_counts")
)
(
    _floor, _number, _places, _row, _col, _is_target, _near, _beside, _line, _landing, _key_change, _box_key, _order,
    _queue, _came, _nodes, _swaps, _boxes, _areas, _keys, _slots, _floor_area, _sides, _free, _edge, _pulled, _pull_keys,
    _counts, _solution, _results,
) = (BLOCK[array.name] for array in WORKSPACE)  # fmt: skip
(
    _occupied, _walked, _walk_queue, _ground, _seen, _box_sides, _before, _depth, _pending, _route, _pushes, _last,
    _path_steps, _searched, _walls, _lone_sides, _best, _distance, _goals,
) = (BLOCK[array.name] for array in PATHS)  # fmt: skip
_trial_game, _trial_planes = BLOCK["trial_game"], BLOCK["trial_planes"]
_row_count, _col_count, _player_count, _box_count = (BLOCK.dimension(name) for name in BLOCK.dimensions)


@inner
def state_of(block):
    cells = _row_count(block) * _col_count(block)
    return SokobanState(
        shaped(_planes(block), (1, PLAYER + _player_count(block), cells)), _game(block), _col_count(block)
    )


@inner
def trial_of(block):
    """Return a game for trying actions."""
    shape = 1, PLAYER + _player_count(block), _row_count(block) * _col_count(block)
    return SokobanState(shaped(_trial_planes(block), shape), _trial_game(block), _col_count(block))


@inner
def number_of(thing, fixed, is_numbered, counted):
    """Return the number of a box or a target: 1 or, with fixed targets, its own number (`counted` if it has none)."""
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


@inner
def room_workspace_of(block):
    """Return the scratch memory for generating rooms."""
    cells, boxes = _row_count(block) * _col_count(block), _box_count(block)
    positions = most_positions(cells, boxes)
    return RoomWorkspace(
        _floor(block),
        _number(block),
        _places(block),
        _row(block),
        _col(block),
        _is_target(block),
        _near(block),
        _beside(block),
        _line(block),
        _landing(block),
        _key_change(block),
        _box_key(block),
        _order(block),
        _queue(block),
        _came(block),
        shaped(_nodes(block), (positions, 5)),
        _swaps(block),
        shaped(_boxes(block), (positions, boxes)),
        shaped(_areas(block), (positions, words_for(cells))),
        _keys(block),
        _slots(block),
        _floor_area(block),
        _sides(block),
        _free(block),
        _edge(block),
        _pulled(block),
        _pull_keys(block),
        _counts(block),
        _solution(block),
        _results(block),
    )


@inner
def path_workspace_of(block):
    """Return the memory of the searches for paths."""
    cells = _row_count(block) * _col_count(block)
    return PathWorkspace(
        _occupied(block),
        _walked(block),
        _walk_queue(block),
        _ground(block),
        _seen(block),
        _box_sides(block),
        _before(block),
        _depth(block),
        _pending(block),
        _route(block),
        _pushes(block),
        _last(block),
        _path_steps(block),
        _searched(block),
        _walls(block),
        shaped(_lone_sides(block), (cells, 4)),
        shaped(_best(block), (cells, 4)),
        _distance(block),
        _goals(block),
    )
