"""What a replay keeps of a race: its recipe, its track with the cars on it, a remark about each step, and hashes.

A track is written in symbols, and below it where the cars stand, (x, y) in their order:

    #######
    #S...F#
    #S...##
    #######
    cars 1,2 1,1
"""

import re
from typing import Any, NamedTuple

from shoverworld.core.env import changed_fields
from shoverworld.core.errors import TrackError
from shoverworld.core.hashing import digest, game_numbers, packed

from .config import RaceRules
from .game import GAME
from .state import CAR_NAMES, FAULTS, FINE, PLAYING, RaceState
from .symbols import symbol_text
from .tracks import Track

CARS = "cars"
ARROWS = (
    ("up-left", "up", "up-right"),
    ("left", "straight on", "right"),
    ("down-left", "down", "down-right"),
)  # what an action adds to the velocity
FAULT_WORDS = dict(
    zip(FAULTS, ("", "lands off the track", "the line leaves the track", "another car stands there"), strict=True)
)
_PLACE = re.compile(r"([0-9]{1,6}),([0-9]{1,6})")

Places = tuple[tuple[int, int], ...]  # (x, y) of each car


def recipe(rules: RaceRules, env_id: str | None = None) -> tuple[str, dict[str, Any]]:
    """The id (default: the game's first) and the keywords that differ from its rules. The track is left out: the map has it."""
    return env_id or GAME.default_id, changed_fields(rules, RaceRules())


def track_of(state: RaceState, i: int = 0, name: str = "track") -> Track:
    """The track of game i."""
    return Track(state.bank.board(int(state.game["track"][i])), name)


def places_of(state: RaceState, i: int = 0) -> Places:
    """Where the cars of game i stand, (x, y); finished ones, where they finished."""
    return tuple((x, y) for x, y in state.car_numbers()[i, :, :2].tolist())


class CarStanding(NamedTuple):
    """A car in the ranking. Cars that have not finished come last and share a place."""

    place: int
    car: int
    steps: int
    penalties: int
    finished: bool


def ranking(state: RaceState, i: int = 0) -> list[CarStanding]:
    """The cars of game i by place."""
    cars = [dict(zip(CAR_NAMES, car, strict=True)) for car in state.cars[i].tolist()]
    last = 1 + sum(car["place"] > 0 for car in cars)
    return sorted(
        CarStanding(car["place"] or last, who, car["steps"], car["penalties"], car["place"] > 0)
        for who, car in enumerate(cars)
    )


def map_text(state: RaceState, i: int = 0) -> str:
    board = state.bank.board(int(state.game["track"][i]))
    return symbol_text(board) + f"{CARS} {' '.join(f'{x},{y}' for x, y in places_of(state, i))}\n"


def read_map(text: str, source: str = "map") -> tuple[Track, Places | None]:
    """A track as `map_text` writes it, or any other; a TrackError says what is wrong with it."""
    lines = text.rstrip().split("\n")
    number = len(lines)
    if lines[-1].split()[:1] != [CARS]:
        return Track.parse(text, source), None
    places = []
    for word in lines.pop().split()[1:]:
        match = _PLACE.fullmatch(word)
        if match is None:
            raise TrackError.at(f"{word!r:.30}: expected the place of a car, such as {CARS} 3,1 3,2", source, number)
        places.append((int(match[1]), int(match[2])))
    return Track.parse("\n".join(lines), source), tuple(places)


def action_words(action: int) -> str:
    """An action in words: what it adds to the velocity, such as "up-left"."""
    return ARROWS[action // 3][action % 3]


def remark(state: RaceState, i: int = 0) -> str:
    """What the last step of game i did."""
    game = game_numbers(state, i)
    if game["car"] < 0:
        return ""
    car = state.cars[i, game["car"]]
    words = [f"car {game['car'] + 1}" if state.car_count > 1 else "", action_words(game["action"])]
    words.append(f"to {game['to_col']},{game['to_row']}")
    if game["fault"] != FINE:
        words.append(f"illegal: {FAULT_WORDS[FAULTS[game['fault']]]}")
    if game["finished"]:
        words.append(f"finished in {car['steps']} steps, place {car['place']}")
    return ", ".join(word for word in words if word)


def text_of(state: RaceState, i: int = 0) -> str:
    """Game i as text: the track in symbols, cars as 1, 2, ... (from 10 on a, b, ...), and a line about each."""
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
    """The sign of a car in a text."""
    return "123456789abcdefghijklmnopqrstuvwxyz"[who % 35]


def _car_words(car: Any) -> str:
    words = [f"at {car['col']},{car['row']}", f"velocity {car['dcol']},{car['drow']}", f"steps {car['steps']}"]
    if car["wait"]:
        words.append(f"waits {car['wait']}")
    if car["place"]:
        words.append(f"finished, place {car['place']}")
    return ", ".join(words)


# --- The hash of a game. It is the same on every machine, for one game and for a row of a batch.

HASHED = (
    "turn", "rounds", "racing", "outcome", "car", "action", "from_row", "from_col", "to_row", "to_col", "fault", "finished",
)  # fmt: skip


def state_hash(state: RaceState, i: int = 0) -> str:
    """16 hexadecimal digits for game i."""
    return digest(canonical(state, i))


def canonical(state: RaceState, i: int = 0) -> bytes:
    """All that matters in game i, as bytes: integers of 64 bits, the cars one after another, the track row by row.

    They leave out the random numbers, and the place of the track in its bank. They include what the last step did.
    """
    game = game_numbers(state, i)
    board = state.bank.board(game["track"])
    cars = [number for car in state.cars[i].tolist() for number in car]
    numbers = packed(*board.shape, state.car_count, *(game[name] for name in HASHED), *cars)
    return b"race 1\n" + numbers + board.tobytes()
