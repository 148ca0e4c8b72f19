"""The observation of a car: the possible parts, the spaces of the parts, and the buffers that hold the parts."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces

from shoverworld.core.checks import whole
from shoverworld.core.errors import ConfigError
from shoverworld.core.jit import inner

from . import rules as rulebook
from .codes import FINISH, OFF
from .state import PLAYING
from .store import TrackBank
from .zombie import NOWHERE

PARTS = ("view", "distances", "velocity", "position", "landing", "waiting", "action_mask")
SQUARES = ("view", "distances")
DEFAULT_PARTS = ("view", "velocity")
CAR_CODE = 2  # the code of another car in the view
WIDEST_VIEW = 100


class ObservationBuffers(NamedTuple):
    """The observations of N games. The array for a part that is not observed has no rows."""

    around: np.ndarray  # "view", int8 (N, side * side): the cells around the car; CAR_CODE for another car
    distances: np.ndarray  # int32 (N, side * side): the zombie array around the car
    velocity: np.ndarray  # int32 (N, 2): (x, y)
    position: np.ndarray  # int32 (N, 2): (x, y)
    landing: np.ndarray  # int32 (N, 9): the zombie array at each action's landing cell; -1 if the action is illegal
    waiting: np.ndarray  # int32 (N, 1): turns that the car still has to skip
    action_mask: np.ndarray  # int8 (N, 9): 1 for each legal action
    # `around` and `distances` are copied from the next two arrays. These contain the tracks, each inside a
    # frame as wide as the distance from a car to the edge of its view, so every cell of a view is in the array.
    ground: np.ndarray  # int8 (T, framed cells): the codes of the cells
    far: np.ndarray  # int32 (T, framed cells): the zombie arrays
    width: int  # number of columns, including the frame
    side: int  # side length of the view

    def shown(self) -> dict[str, np.ndarray]:
        """Return the observed parts by name, as views of the buffers."""
        arrays: Any = self[: len(PARTS)]
        square = -1, self.side, self.side
        return {
            name: array.reshape(square) if name in SQUARES else array
            for name, array in zip(PARTS, arrays, strict=True)
            if len(array)
        }

    def with_arrays(self, arrays: dict[str, np.ndarray]) -> "ObservationBuffers":
        """Return buffers in which these arrays hold the observed parts."""
        flat = {"view": "around"}
        return self._replace(**{flat.get(name, name): array.reshape(len(array), -1) for name, array in arrays.items()})


def new_buffers(names: Sequence[str], games: int, radius: int, bank: TrackBank) -> ObservationBuffers:
    side = 2 * radius + 1
    rows = {name: games if name in names else 0 for name in PARTS}
    return ObservationBuffers(
        np.zeros((rows["view"], side * side), np.int8),
        np.zeros((rows["distances"], side * side), np.int32),
        np.zeros((rows["velocity"], 2), np.int32),
        np.zeros((rows["position"], 2), np.int32),
        np.zeros((rows["landing"], rulebook.ACTIONS), np.int32),
        np.zeros((rows["waiting"], 1), np.int32),
        np.zeros((rows["action_mask"], rulebook.ACTIONS), np.int8),
        _framed(bank.ground if rows["view"] else bank.ground[:0], bank, radius, OFF),
        _framed(bank.distance if rows["distances"] else bank.distance[:0], bank, radius, NOWHERE),
        bank.cols + 2 * radius,
        side,
    )


def new_rows(buffers: ObservationBuffers, count: int) -> tuple[ObservationBuffers, list[dict[str, np.ndarray]]]:
    """Return buffers for this many observations with the same parts, and the observations as views of the buffers."""
    old: Any = buffers
    parts: list[Any] = [
        np.empty((count, part.shape[1]), part.dtype) if len(part) else part for part in old[: len(PARTS)]
    ]
    new = ObservationBuffers(*parts, *old[len(PARTS) :])
    observations: list[dict[str, np.ndarray]] = [{} for _ in range(count)]
    for name, arrays in new.shown().items():
        for observation, array in zip(observations, arrays, strict=True):
            observation[name] = array
    return new, observations


def _framed(maps: np.ndarray, bank: TrackBank, radius: int, frame: int) -> np.ndarray:
    boards = maps.reshape(len(maps), *bank.size)
    wide = np.pad(boards, ((0, 0), (radius, radius), (radius, radius)), constant_values=frame)
    return wide.reshape(len(maps), (bank.rows + 2 * radius) * (bank.cols + 2 * radius))


def checked_parts(given: Any) -> tuple[str, ...]:
    """Return the names of the parts, in the order of PARTS. `given` may also be a single name."""
    names = (given,) if isinstance(given, str) else given
    try:
        names = tuple(names)
        fits = names and len(set(names)) == len(names) and set(names) <= set(PARTS)
    except TypeError:
        fits = False
    if not fits:
        raise ConfigError(f"observation={given!r:.80}: must be one or more of {', '.join(map(repr, PARTS))}")
    return tuple(name for name in PARTS if name in names)


def checked_radius(given: Any) -> int:
    return whole("view", given, 1, WIDEST_VIEW)


def observation_space(names: Sequence[str], radius: int, bank: TrackBank, penalty: int) -> spaces.Dict:
    """Return the observation space with these parts for the boards of this bank."""
    side, cells = 2 * radius + 1, bank.rows * bank.cols
    last = np.maximum([bank.cols - 1, bank.rows - 1], 1).astype(np.int32)  # Gymnasium warns about an empty range
    all_parts = {
        "view": spaces.Box(OFF, FINISH, (side, side), np.int8),
        "distances": spaces.Box(NOWHERE, cells, (side, side), np.int32),
        "velocity": spaces.Box(-last, last, dtype=np.int32),
        "position": spaces.Box(np.zeros_like(last), last, dtype=np.int32),
        "landing": spaces.Box(NOWHERE, cells, (rulebook.ACTIONS,), np.int32),
        "waiting": spaces.Box(0, max(penalty, 1), (1,), np.int32),
        "action_mask": spaces.Box(0, 1, (rulebook.ACTIONS,), np.int8),
    }
    return spaces.Dict({name: all_parts[name] for name in names})


# ---------------------------------------------------------------- writing


@inner
def look(state, i, rules, who, buffers, k):
    """Write the observation for car `who` in game i into row k of the buffers."""
    car, track = state.cars[i, who], state.game[i].track
    if len(buffers.around) > 0:
        look_around(car, buffers.ground[track], buffers.width, buffers.side, buffers.around[k])
        mark_cars(state.cars[i], who, buffers.side, buffers.around[k])
    if len(buffers.distances) > 0:
        look_around(car, buffers.far[track], buffers.width, buffers.side, buffers.distances[k])
    if len(buffers.velocity) > 0:
        buffers.velocity[k, 0], buffers.velocity[k, 1] = car.dcol, car.drow
    if len(buffers.position) > 0:
        buffers.position[k, 0], buffers.position[k, 1] = car.col, car.row
    if len(buffers.landing) > 0:
        look_ahead(state, i, rules, who, buffers.landing[k])
    if len(buffers.waiting) > 0:
        buffers.waiting[k, 0] = car.wait
    if len(buffers.action_mask) > 0:
        mark_legal(state, i, rules, who, buffers.action_mask[k])


# Indices are unsigned here, so that Numba knows that no index counts from the end of an array. Numba can then copy
# several cells at once. (The sum of an unsigned and a signed integer would be a float, so the two must not be mixed.)
_1, _2, _3, _4, _5, _6, _7, _8 = (np.uint64(number) for number in range(1, 9))


@inner
def look_around(car, framed, width, side, window):
    """Copy the cells around the car, row by row, from the framed map of the track.

    . . . . . . . .      a row of 11 cells is copied in two parts that overlap: the first eight cells and the last eight
          . . . . . . . .
    """
    here, there = np.uint64(car.row * width + car.col), np.uint64(0)
    for _ in range(side):
        if side < 8:
            for col in range(np.uint64(side)):
                window[there + np.uint64(col)] = framed[here + np.uint64(col)]
        else:
            col, last = np.uint64(0), np.uint64(side - 8)
            while col < last:
                copy_eight(framed, here + col, window, there + col)
                col += _8
            copy_eight(framed, here + last, window, there + last)
        here += np.uint64(width)
        there += np.uint64(side)


@inner
def copy_eight(source, here, target, there):
    """Copy eight cells. All eight cells are read before the first is written, so the processor can copy them together.

    This is three times faster than a loop.
    """
    a, b, c, d = source[here], source[here + _1], source[here + _2], source[here + _3]
    e, f, g, h = source[here + _4], source[here + _5], source[here + _6], source[here + _7]
    target[there], target[there + _1], target[there + _2], target[there + _3] = a, b, c, d
    target[there + _4], target[there + _5], target[there + _6], target[there + _7] = e, f, g, h


@inner
def mark_cars(cars, who, side, window):
    """Mark every car in the view that is still racing, except car `who`."""
    for other in range(len(cars)):
        row = cars[other].row - cars[who].row + side // 2
        col = cars[other].col - cars[who].col + side // 2
        if other != who and cars[other].place == 0 and 0 <= row < side and 0 <= col < side:
            window[row * side + col] = CAR_CODE


@inner
def look_ahead(state, i, rules, who, landing):
    bank = state.bank
    for action in range(rulebook.ACTIONS):
        landing[action] = NOWHERE
        if rulebook.legal(state, i, rules, who, action):
            row, col = rulebook.landing_cell(state.cars[i, who], action)
            landing[action] = bank.distance[state.game[i].track, row * bank.cols + col]


@inner
def mark_legal(state, i, rules, who, mask):
    """Mark the legal actions for car `who`. No action is legal if the game is over or the car has finished."""
    playing = state.game[i].outcome == PLAYING and state.cars[i, who].place == 0
    for action in range(rulebook.ACTIONS):
        mask[action] = playing and rulebook.legal(state, i, rules, who, action)
