"""The WebAssembly module of the grid race: the layout of a game's block, and thin functions on top of the rules.

core/web.py explains blocks and the functions that all modules have.
"""

import numpy as np
from numba import literal_unroll

from shoverworld.core.blocks import Block, BlockArray, shaped
from shoverworld.core.format_web import format_arrays, rules_array
from shoverworld.core.grid import record_type
from shoverworld.core.jit import inner, type_of_record
from shoverworld.core.rules_text import parse_rules
from shoverworld.core.ui import Board
from shoverworld.core.web import COMMON, SHEET, WebLevel, WebModule, WebPreset, write_bytes, write_number

from . import rules as rulebook
from . import tiles, web_formats, web_pictures
from .codes import FINISH, FREE, OFF, START
from .config import RULES as PRESETS
from .config import RaceRules
from .observation import mark_legal
from .planner.rivals import NEVER, weigh_by_zombie
from .reasons import TABLE
from .record import HASHED
from .rules import ACTIONS, KEEP
from .state import CAR, CAR_NAMES, GAME_RECORD, OUTCOMES, PLAYING, RaceState
from .store import TrackBank
from .ui.controls import ARROWS
from .ui.position import KEYS
from .zombie import NOWHERE, spread

RULES = type_of_record(RaceRules().numbers())
REWARD = type_of_record(RaceRules().reward_numbers())
START_RECORD = record_type(
    [
        ("places", np.int32),  # 1 if the cars start on the cells in `places`, 0 for random start cells
        ("track", np.int32),  # 0 or, to draw the track at random as an environment with a list of tracks does, -1
    ]
)


def _cells(rows, cols, cars):
    return rows * cols


def _framed(rows, cols, cars):
    return (rows + 2) * (cols + 2)


BLOCK = Block(
    ("rows", "cols", "cars"),
    (
        BlockArray("game", GAME_RECORD),
        BlockArray("cars", CAR, lambda rows, cols, cars: cars),
        BlockArray("rules", RULES),
        BlockArray("reward", REWARD),
        BlockArray("level", np.int8, _cells),  # the kinds of the cells, row by row: OFF, FREE, START or FINISH
        BlockArray("distance", np.int32, _cells),  # steps to the finish (the zombie array), or -1
        BlockArray("starts", np.int32, _cells),  # the start cells in reading order
        BlockArray("start_count", np.int32),
        BlockArray("sizes", np.int32, 2),
        rules_array(web_formats.RULES),
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
        BlockArray("framed_level", np.int8, _framed),
        BlockArray("framed_distance", np.int32, _framed),
        BlockArray("queue", np.int64, _framed),
        BlockArray("neighbours", np.int64, 4),
        BlockArray("all_neighbours", np.int64, 8),  # those in eight directions
        BlockArray(
            "canonical",
            np.uint8,
            lambda rows, cols, cars: 7 + 8 * (3 + len(HASHED) + len(CAR_NAMES) * cars) + rows * cols,
        ),
    ),
)
_game, _cars, _rules, _level, _distance, _starts, _start_count, _sizes = (
    BLOCK[name] for name in ("game", "cars", "rules", "level", "distance", "starts", "start_count", "sizes")
)
_start, _places, _mask, _best, _costs, _canonical = (
    BLOCK[name] for name in ("start", "places", "mask", "best", "costs", "canonical")
)
_framed_level, _framed_distance, _queue, _neighbours = (
    BLOCK[name] for name in ("framed_level", "framed_distance", "queue", "neighbours")
)
_row_count, _col_count, _car_count = (BLOCK.dimension(name) for name in BLOCK.dimensions)
_TITLE = np.frombuffer(b"race 1\n", np.uint8)


@inner
def state_of(block):
    cells, cars = _row_count(block) * _col_count(block), _cars(block)
    bank = TrackBank(
        shaped(_level(block), (1, cells)),
        shaped(_distance(block), (1, cells)),
        shaped(_starts(block), (1, cells)),
        _start_count(block),
        shaped(_sizes(block), (1, 2)),
        _row_count(block),
        _col_count(block),
    )
    return RaceState(shaped(cars, (1, len(cars))), _game(block), bank)


@inner
def measure(block):
    """Find the start cells and the distances to the finish, as `make_bank` does."""
    rows, cols, level, starts = _row_count(block), _col_count(block), _level(block), _starts(block)
    ground, distance, queue = _framed_level(block), _framed_distance(block), _queue(block)
    neighbours, width = _neighbours(block), cols + 2
    neighbours[0], neighbours[1], neighbours[2], neighbours[3] = -width, 1, width, -1
    for cell in range(len(ground)):
        ground[cell], distance[cell] = OFF, NOWHERE
    waiting, count = 0, 0
    for row in range(rows):
        for col in range(cols):
            kind, framed = level[row * cols + col], (row + 1) * width + col + 1
            ground[framed] = kind
            if kind == FINISH:
                distance[framed] = 0
                queue[waiting] = framed
                waiting += 1
            if kind == START:
                starts[count] = row * cols + col
                count += 1
    spread(ground, neighbours, queue, waiting, distance)
    for row in range(rows):
        for col in range(cols):
            _distance(block)[row * cols + col] = distance[(row + 1) * width + col + 1]
    _start_count(block)[0] = count
    _sizes(block)[0], _sizes(block)[1] = rows, cols


def reset(block):
    """Start a race on the track in `level`, as `start` specifies. Return 0, or -1 if there are too few start cells."""
    measure(block)
    start, cars = _start(block)[0], _car_count(block)
    if start.places != 0:
        rulebook.reset_at(state_of(block), 0, 0, shaped(_places(block), (cars, 2)))
        return 0
    if _start_count(block)[0] < cars:
        return -1
    rulebook.reset(state_of(block), 0, np.int64(start.track))
    return 0


def step(block, action):
    """Play the turn of the current car."""
    rulebook.step(state_of(block), 0, _rules(block)[0], np.int64(action))
    return _game(block)[0].outcome


def mask(block):
    """Write which actions of the current car are legal: mask[action]."""
    mark_legal(state_of(block), 0, _rules(block)[0], np.int64(_game(block)[0].turn), _mask(block))
    return ACTIONS


def is_valid(block, action):
    """Return whether an action of the current car is legal. No action is legal if the race is over."""
    game = _game(block)[0]
    if game.outcome != PLAYING:
        return 0
    return int(rulebook.legal(state_of(block), 0, _rules(block)[0], np.int64(game.turn), np.int64(action)))


def greedy(block, pick):
    """Return an action that the greedy agent may choose.

    The agent moves to the cell nearest to the finish. The array `best` marks its equally good actions. `pick` selects
    one of them, counting from 0 and starting again after the last one. If no action is legal, keep the velocity.
    """
    costs, best = _costs(block), _best(block)
    weigh_by_zombie(state_of(block), 0, _rules(block)[0], costs)
    least, count = np.int64(NEVER), 0
    for action in range(ACTIONS):
        least = min(least, costs[action])
    for action in range(ACTIONS):
        best[action] = costs[action] == least and least < NEVER
        count += best[action]
    if count == 0:
        return KEEP
    left = pick % count
    for action in range(ACTIONS):
        if best[action]:
            if left == 0:
                return action
            left -= 1
    return KEEP


def canonical(block):
    """Write the bytes that `canonical` in record.py returns."""
    target, game, cars, level = _canonical(block), _game(block)[0], _cars(block), _level(block)
    place = write_bytes(target, 0, _TITLE)
    place = write_number(target, place, _row_count(block))
    place = write_number(target, place, _col_count(block))
    place = write_number(target, place, _car_count(block))
    for name in literal_unroll(HASHED):
        place = write_number(target, place, game[name])
    for car in range(len(cars)):
        for name in literal_unroll(CAR_NAMES):
            place = write_number(target, place, cars[car][name])
    return write_bytes(target, place, level)


# --- The description


def web_preset(rules_text: str) -> WebPreset:
    rules = parse_rules(rules_text, PRESETS)
    return WebPreset(
        {
            "rules": rules.numbers()._asdict(),
            "reward": rules.reward_numbers()._asdict(),
            "start": {"places": 0, "track": 0},
            "rule_values": web_formats.RULES.values(rules),
        },
        {"rows": 30, "cols": 40, "cars": rules.cars},
        (ACTIONS,),
        (0,),
    )


def web_level(board: Board, rules_text: str) -> WebLevel:
    track = board.level.track
    return WebLevel({"rows": track.rows, "cols": track.cols}, {"level": track.cells.reshape(-1)})


WEB = WebModule(
    block=BLOCK,
    state=("game", "cars"),
    step=step,
    mask=mask,
    is_valid=is_valid,
    canonical=canonical,
    functions=(reset, greedy, *web_formats.format_functions(BLOCK), *web_pictures.picture_functions(BLOCK)),
    problems=web_formats.PROBLEMS,
    rules=web_formats.RULES,
    preset=web_preset,
    level=web_level,
    outcomes=OUTCOMES,
    reasons=TABLE,
    reason_field="fault",
    tiles={
        "grass": tiles.GRASS,
        "sand": tiles.SAND,
        "road": tiles.ROAD,
        "start": tiles.START_CELL,
        "finish": tiles.FINISH_CELL,
        "car": tiles.CAR,
    },
    bindings={
        **{key: ("action", action) for action, key in enumerate(KEYS)},
        **{key: ("action", action) for key, action in ARROWS.items()},
    },
    constants={"off": OFF, "free": FREE, "start": START, "finish": FINISH},
)
