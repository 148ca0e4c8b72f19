"""The parts of a race that a replay stores: the recipe, the track with the cars, step descriptions, and hashes.

A track is written as symbols. The last line gives the cell (x, y) of each car, beginning with the first car:

    #######
    #S...F#
    #S...##
    #######
    cars 1,2 1,1
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoverworld.core.config import field_names
from shoverworld.core.env import changed_fields, check_rule_names
from shoverworld.core.errors import TrackError
from shoverworld.core.hashing import digest, game_numbers, packed

from .config import RaceRules
from .game import GAME
from .phrases import PHRASES, WAYS
from .reasons import FINE
from .rules import car_on
from .state import CAR_NAMES, PLAYING, RaceState
from .symbols import symbol_text
from .tracks import Track

CARS = "cars"
_PLACE = re.compile(r"([0-9]{1,6}),([0-9]{1,6})")

Places = tuple[tuple[int, int], ...]  # the cell (x, y) of each car


def recipe(rules: RaceRules, env_id: str | None = None) -> tuple[str, dict[str, Any]]:
    """Return the environment id (default: the game's first id) and the keyword arguments for the rules.

    Only rules that differ from the defaults are included. The track is omitted because the map contains it.
    """
    return env_id or GAME.default_id, changed_fields(rules, RaceRules())


def check_recipe(env_id: str, keywords: Mapping[str, Any]) -> None:
    """Raise ConfigError unless all arguments are rules."""
    check_rule_names(keywords, field_names(RaceRules))


def track_of(state: RaceState, i: int = 0, name: str = "track") -> Track:
    """Return the track of game i."""
    return Track(state.bank.board(int(state.game["track"][i])), name)


def places_of(state: RaceState, i: int = 0) -> Places:
    """Return the positions (x, y) of the cars in game i. A finished car stays where it finished."""
    return tuple((x, y) for x, y in state.car_numbers()[i, :, :2].tolist())


class CarStanding(NamedTuple):
    """The entry for a car in the ranking. Cars that have not finished come last and share a place."""

    place: int
    car: int
    steps: int
    penalties: int
    finished: bool


def ranking(state: RaceState, i: int = 0) -> list[CarStanding]:
    """Return the cars of game i, sorted by place."""
    cars = [dict(zip(CAR_NAMES, car, strict=True)) for car in state.cars[i].tolist()]
    last = 1 + sum(car["place"] > 0 for car in cars)
    return sorted(
        CarStanding(car["place"] or last, who, car["steps"], car["penalties"], car["place"] > 0)
        for who, car in enumerate(cars)
    )


def map_text(state: RaceState, i: int = 0) -> str:
    return text_with_cars(state.bank.board(int(state.game["track"][i])), places_of(state, i))


def text_with_cars(board: NDArray[np.int8], places: Sequence[tuple[int, int]]) -> str:
    """Return a track and the cells (x, y) of the cars as a string that `read_map` accepts."""
    return symbol_text(board) + f"{CARS} {' '.join(f'{x},{y}' for x, y in places)}\n"


def read_map(text: str, source: str = "map") -> tuple[Track, Places | None]:
    """Parse a track and, if the string comes from `map_text`, the cells of the cars.

    Raise TrackError if the string is invalid.
    """
    lines = text.rstrip().split("\n")
    number = len(lines)
    if lines[-1].split()[:1] != [CARS]:
        return Track.parse(text, source), None
    places = []
    for word in lines.pop().split()[1:]:
        match = _PLACE.fullmatch(word)
        if match is None:
            raise TrackError.at(f"{word!r:.30}: expected the position of a car, such as {CARS} 3,1 3,2", source, number)
        places.append((int(match[1]), int(match[2])))
    return Track.parse("\n".join(lines), source), tuple(places)


def action_words(action: int) -> str:
    """Describe an action by the change in velocity that it causes, such as "up-left"."""
    return WAYS[action]


def remark(state: RaceState, i: int = 0) -> str:
    """Describe the last step of game i."""
    game = game_numbers(state, i)
    if game["car"] < 0:
        return ""
    car = state.cars[i, game["car"]]
    words = [f"car {game['car'] + 1}" if state.car_count > 1 else "", action_words(game["action"])]
    words.append(f"to {game['to_col']},{game['to_row']}")
    if game["fault"] != FINE:
        words.append(f"illegal: {why_invalid(state, i)}")
    if game["finished"]:
        words.append(f"finished in {car['steps']} {'step' if car['steps'] == 1 else 'steps'}, place {car['place']}")
    return ", ".join(word for word in words if word)


def why_invalid(state: RaceState, i: int = 0) -> str:
    """Return a sentence that explains why the last move of game i was illegal, or "" if the move was legal."""
    game = state.game[i]
    return PHRASES.text([(game.fault, 1 + car_on(state.cars[i], game.car, game.to_row, game.to_col))])


def text(state: RaceState, i: int = 0) -> str:
    """Return game i as a string: the track as symbols with the cars on it, and one line for each car.

    Cars 1 to 9 are shown as digits, and further cars are shown as letters.
    """
    game = game_numbers(state, i)
    rows = [list(row) for row in symbol_text(state.bank.board(game["track"])).splitlines()]
    about = []
    for who, car in enumerate(state.cars[i]):
        letter = letter_of(who)
        if car["place"] == 0:
            rows[car["row"]][car["col"]] = letter
        mark = ">" if who == game["turn"] and game["outcome"] == PLAYING else " "
        about.append(f"{mark}{letter}  {_car_words(car)}")
    head = f"round {game['rounds']}" + (f", {game['turn'] + 1} to move" if state.car_count > 1 else "")
    return "\n".join([head, *("".join(row) for row in rows), *about]) + "\n"


def letter_of(who: int) -> str:
    """Return the symbol of a car in text output."""
    return "123456789abcdefghijklmnopqrstuvwxyz"[who % 35]


def _car_words(car: Any) -> str:
    words = [f"at {car['col']},{car['row']}", f"velocity {car['dcol']},{car['drow']}", f"steps {car['steps']}"]
    if car["wait"]:
        words.append(f"waits {car['wait']}")
    if car["place"]:
        words.append(f"finished, place {car['place']}")
    return ", ".join(words)


# --- The hash of a game. It is the same on every machine, whether the game is played alone or in a batch.

HASHED = (
    "turn", "rounds", "racing", "outcome", "car", "action", "from_row", "from_col", "to_row", "to_col", "fault", "finished",
)  # fmt: skip


def state_hash(state: RaceState, i: int = 0) -> str:
    """Return the hash of game i as 16 hexadecimal digits."""
    return digest(canonical(state, i))


def canonical(state: RaceState, i: int = 0) -> bytes:
    """Return everything that matters in game i as bytes: 64-bit integers for the game and each car, then the cells.

    The last step is included. The state of the random number generator and the track's index in the bank are omitted.
    """
    game = game_numbers(state, i)
    board = state.bank.board(game["track"])
    cars = [number for car in state.cars[i].tolist() for number in car]
    numbers = packed(*board.shape, state.car_count, *(game[name] for name in HASHED), *cars)
    return b"race 1\n" + numbers + board.tobytes()
