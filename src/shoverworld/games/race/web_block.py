# pyright: basic
# Numba infers the types of the functions that are compiled.
"""The memory of a race in a WebAssembly module: the layout of a block (core/blocks.py), and the state in it."""

import numpy as np

from shoverworld.core import mersenne, sha512
from shoverworld.core.blocks import Block, BlockArray, shaped
from shoverworld.core.format_web import format_arrays, rules_array
from shoverworld.core.grid import record_type
from shoverworld.core.jit import inner, type_of_record
from shoverworld.core.web import COMMON, SEED_WORDS, SHEET

from . import web_formats
from .config import RaceRules
from .generate import lattice_room, point_room
from .record import HASHED
from .rules import ACTIONS
from .state import CAR, CAR_NAMES, GAME_RECORD, RaceState
from .store import TrackBank
from .ui.controls import INPUT

RULES = type_of_record(RaceRules().numbers())
REWARD = type_of_record(RaceRules().reward_numbers())
START_RECORD = record_type(
    [
        ("places", np.int32),  # 1 if the cars start on the cells in `places`, 0 for random start cells
        ("track", np.int32),  # 0 or, to draw the track at random as an environment with a list of tracks does, -1
        # the settings of `generate`
        ("closed", np.int32),  # 1 for a loop, 0 for a road, or -1 to let the seed decide
        ("width", np.int32),
        ("twist", np.float64),
    ]
)
LONGEST_RUN = 1024  # cells


def _cells(rows, cols, cars):
    return rows * cols


def _framed(rows, cols, cars):
    return (rows + 2) * (cols + 2)


def _lattice(rows, cols, cars):
    return lattice_room(rows, cols)


BLOCK = Block(
    ("rows", "cols", "cars"),
    (
        BlockArray("game", GAME_RECORD),
        BlockArray("cars", CAR, lambda rows, cols, cars: cars),
        BlockArray("rules", RULES),
        BlockArray("reward", REWARD),
        rules_array(web_formats.RULES),
        BlockArray("level", np.int8, _cells),  # the kinds of the cells, row by row: OFF, FREE, START or FINISH
        BlockArray("distance", np.int32, _cells),  # steps to the finish (the zombie array), or -1
        BlockArray("starts", np.int32, _cells),  # the start cells in reading order
        BlockArray("start_count", np.int32),
        BlockArray("sizes", np.int32, 2),
        BlockArray("input", INPUT),  # what is selected
    ),
    (
        *COMMON,
        *SHEET,
        *format_arrays(3, 1, web_formats.RULES, web_formats.text_length),
        BlockArray("start", START_RECORD),
        BlockArray("places", np.int64, lambda rows, cols, cars: 2 * cars),  # the start cell (x, y) of each car
        BlockArray("mask", np.bool_, ACTIONS),
        BlockArray("best", np.bool_, ACTIONS),
        BlockArray("costs", np.int64, ACTIONS),
        BlockArray("faults", np.int64, ACTIONS),
        BlockArray("ranks", np.int64, lambda rows, cols, cars: cars),
        BlockArray("run", np.int32, 2 * LONGEST_RUN),  # the cells of a run for `ghost`: x, y, x, y, ...
        BlockArray("framed_level", np.int8, _framed),
        BlockArray("framed_distance", np.int32, _framed),
        BlockArray("queue", np.int64, _framed),
        BlockArray("neighbours", np.int64, 8),
        # the workspace of `generate`
        BlockArray("rng", np.int64, mersenne.STATE),
        BlockArray("seed_text", np.uint8, sha512.LONGEST + sha512.DIGEST),
        BlockArray("seed_words", np.int64, SEED_WORDS),
        BlockArray("text_workspace", np.uint64, sha512.WORKSPACE),
        BlockArray("side", np.int8, _lattice),
        BlockArray("corners", np.int64, lambda rows, cols, cars: 2 * lattice_room(rows, cols)),
        BlockArray("line", np.int64, lambda rows, cols, cars: 2 * lattice_room(rows, cols)),
        BlockArray("points", np.int64, lambda rows, cols, cars: 2 * point_room(rows, cols)),
        BlockArray("along", np.int64, lambda rows, cols, cars: point_room(rows, cols)),
        BlockArray("radius", np.int64),
        BlockArray("nearest", np.int64, _cells),
        BlockArray("cut", np.int8, _cells),
        BlockArray(
            "canonical",
            np.uint8,
            lambda rows, cols, cars: 7 + 8 * (3 + len(HASHED) + len(CAR_NAMES) * cars) + rows * cols,
        ),
    ),
)
row_count, col_count, car_count = (BLOCK.dimension(name) for name in BLOCK.dimensions)
_game, _cars, _level, _distance, _starts, _start_count, _sizes = (
    BLOCK[name] for name in ("game", "cars", "level", "distance", "starts", "start_count", "sizes")
)


@inner
def state_of(block):
    cells, cars = row_count(block) * col_count(block), _cars(block)
    bank = TrackBank(
        shaped(_level(block), (1, cells)),
        shaped(_distance(block), (1, cells)),
        shaped(_starts(block), (1, cells)),
        _start_count(block),
        shaped(_sizes(block), (1, 2)),
        row_count(block),
        col_count(block),
    )
    return RaceState(shaped(cars, (1, len(cars))), _game(block), bank)
