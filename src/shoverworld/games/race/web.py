# pyright: basic
# Numba infers the types of the functions that are compiled.
"""The WebAssembly module of the grid race: thin functions on top of the rules, and the description of the module.

core/web.py explains blocks and the functions that all modules have. web_ui.py contains the functions of the user interface.
"""

from typing import Any

import numpy as np
from numba import literal_unroll

from shoverworld.core.blocks import shaped
from shoverworld.core.jit import inner
from shoverworld.core.rules_text import parse_rules
from shoverworld.core.ui import Board
from shoverworld.core.web import WebLevel, WebModule, WebPreset, write_bytes, write_number

from . import rules as rulebook
from . import tiles, web_formats, web_pictures, web_ui
from .boards import best_run, identity
from .codes import FINISH, FREE, OFF, START
from .config import RULES as PRESETS
from .generate import COLS, ROWS, TWIST, WIDTH
from .observation import mark_legal
from .phrases import PHRASES
from .planner.costs import NEVER, weigh_by_zombie
from .reasons import TABLE
from .record import CARS, HASHED
from .rules import ACTIONS, KEEP
from .state import CAR_NAMES, OUTCOMES, PLAYING
from .ui.controls import PRESS_ACTIONS, PRESS_KEYS, deselect
from .web_block import BLOCK, car_count, col_count, row_count, state_of
from .web_generate import framed_of, generate_level
from .zombie import spread_from_finish

_game, _cars, _rules, _level, _distance, _starts, _start_count, _sizes, _input = (
    BLOCK[name] for name in ("game", "cars", "rules", "level", "distance", "starts", "start_count", "sizes", "input")
)
_start, _places, _mask, _best, _costs, _canonical = (
    BLOCK[name] for name in ("start", "places", "mask", "best", "costs", "canonical")
)
_reward, _result = BLOCK["reward"], BLOCK["result"]
FIGURES = ("steps", "penalties", "rounds", "finished")
_TITLE = np.frombuffer(b"race 1\n", np.uint8)


@inner
def measure(block):
    """Find the start cells and the distances to the finish, as `make_bank` does."""
    rows, cols, level, framed = row_count(block), col_count(block), _level(block), framed_of(block)
    spread_from_finish(level, rows, cols, 4, framed)
    count = 0
    for row in range(rows):
        for col in range(cols):
            cell = row * cols + col
            _distance(block)[cell] = framed.distance[(row + 1) * (cols + 2) + col + 1]
            if level[cell] == START:
                _starts(block)[count] = cell
                count += 1
    _start_count(block)[0] = count
    _sizes(block)[0], _sizes(block)[1] = rows, cols


@inner
def _reset(block):
    measure(block)
    deselect(_input(block)[0])
    start, cars = _start(block)[0], car_count(block)
    if start.places != 0:
        rulebook.reset_at(state_of(block), 0, 0, shaped(_places(block), (cars, 2)))
        return 0
    if _start_count(block)[0] < cars:
        return -1
    rulebook.reset(state_of(block), 0, np.int64(start.track))
    return 0


def reset(block):
    """Start a race on the track in `level`, as `start` specifies. Return 0, or -1 if there are too few start cells."""
    return _reset(block)


def generate(block):
    """Start a race on a random track that depends on the array `seed`. Return 0, or -1 if there is no such track.

    The track is the one that `levels.random` gives for the same seed. `start` contains its settings.
    """
    return _reset(block) if generate_level(block) else -1


def note_level(block):
    """Write the cells of the cars to `places`. The track is in `level` already. Return 0."""
    cars, places = _cars(block), _places(block)
    for car in range(len(cars)):
        places[2 * car], places[2 * car + 1] = cars[car].col, cars[car].row
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


def result(block):
    """Write the reward for the last step and the figures of all cars to `result`. Return the number of figures.

    With several cars, the rounds and the number of cars that have finished are figures too.
    """
    cars, game, values = _cars(block), _game(block)[0], _result(block)
    values[0] = rulebook.reward_of(cars, game, _reward(block)[0], game.car)
    values[1], values[2] = 0, 0
    for car in range(len(cars)):
        values[1] += cars[car].steps
        values[2] += cars[car].penalties
    values[3], values[4] = game.rounds, len(cars) - game.racing
    return len(FIGURES) if len(cars) > 1 else 2


def canonical(block):
    """Write the bytes that `canonical` in record.py returns."""
    target, game, cars, level = _canonical(block), _game(block)[0], _cars(block), _level(block)
    place = write_bytes(target, 0, _TITLE)
    place = write_number(target, place, row_count(block))
    place = write_number(target, place, col_count(block))
    place = write_number(target, place, car_count(block))
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
            "start": {"places": 0, "track": 0, "closed": -1, "width": WIDTH, "twist": TWIST},
            "rule_values": web_formats.RULES.values(rules),
        },
        {"rows": ROWS, "cols": COLS, "cars": rules.cars},
        (ACTIONS,),
        (0,),
    )


def web_level(board: Board, rules_text: str) -> WebLevel:
    track, starts = board.level
    dimensions: dict[str, int] = {"rows": track.rows, "cols": track.cols}
    arrays: dict[str, Any] = {"level": track.cells.reshape(-1)}
    if starts is not None:
        dimensions["cars"] = len(starts)
        arrays |= {"start": {"places": 1}, "places": np.array(starts, np.int64).reshape(-1)}
    return WebLevel(dimensions, arrays, best_run(identity(board, rules_text)))


WEB = WebModule(
    block=BLOCK,
    sprites=tiles.sprite_tiles(),
    players="cars",
    turn="turn",
    random="generate",
    state=("game", "cars"),
    step=step,
    mask=mask,
    is_valid=is_valid,
    result=result,
    figure_names=FIGURES,
    canonical=canonical,
    functions=(
        reset,
        generate,
        note_level,
        greedy,
        *web_ui.FUNCTIONS,
        *web_formats.format_functions(BLOCK),
        *web_pictures.picture_functions(BLOCK),
    ),
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
    bindings={key: ("action", action) for key, action in zip(PRESS_KEYS, PRESS_ACTIONS, strict=True)},
    phrases=PHRASES,
    press_keys=PRESS_KEYS,
    constants={"off": OFF, "free": FREE, "start": START, "finish": FINISH, "starts": CARS},
)
