"""The messages of a page: JSON of bounded size and depth, whose fields are checked before any work starts.

The checks here need no game. A worker process checks the rest, such as rules, levels and actions.
"""

import json
import re
from typing import Any, NoReturn

from shoverworld.core.checks import known, number, whole, word
from shoverworld.core.errors import ConfigError
from shoverworld.games import all_games

from .limits import Limits

KINDS = ("hint", "solve", "agent")
SECONDS = {"hint": 2.0, "solve": 60.0, "agent": 60.0}  # the default time limit of each kind of job
MOST_PLAYERS = 64
MOST_NUMBERS = 4  # numbers in an action
LARGEST_SEED = 2**53 - 1  # the largest integer that JavaScript represents exactly
LARGEST_NUMBER = 2**31 - 1
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_BRACKET = re.compile(rb"[\[\]{}]")


def parse_json(body: bytes, limits: Limits) -> Any:
    """Return the value in a message. Raise ConfigError if it is not JSON or nested too deeply."""
    if _depth(body) > limits.depth:
        raise ConfigError(f"the message is nested too deeply; at most {limits.depth} levels are allowed")
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError) as reason:
        raise ConfigError(f"the message is not JSON: {reason!s:.200}") from None


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number in JSON")


def _depth(body: bytes) -> int:
    """Return how deeply lists and objects are nested, without building them."""
    depth = deepest = 0
    for bracket in _BRACKET.finditer(_STRING.sub(b"", body)):
        if bracket[0] in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        else:
            depth -= 1
    return deepest


# --- requests


def checked_job(message: Any, limits: Limits) -> dict[str, Any]:
    """Return the request for a job, with a value for every field."""
    known(message, ("kind", "position", "objective", "agent", "seconds", "seed", "moves"), "field")
    kind = word("kind", message.get("kind"), KINDS)
    position = checked_position(message.get("position"), limits)
    game = all_games()[position["game"]]
    seconds = message.get("seconds", SECONDS[kind])
    seconds = number("seconds", seconds, at_least=0)
    if seconds > limits.job_seconds:
        raise ConfigError(f"seconds={seconds:g}: must be at most {limits.job_seconds:g}")
    objective = message.get("objective")
    if objective is not None:
        word("objective", objective, game.objectives)
    agent = message.get("agent")
    if agent is not None or kind == "agent":
        word("agent", agent, game.agent_names)  # only packaged agents: a page must not name a file
    return {
        "kind": kind,
        "position": position,
        "objective": objective,
        "agent": agent,
        "seconds": seconds,
        "seed": whole("seed", message.get("seed", 0), 0, LARGEST_NUMBER),
        "moves": whole("moves", message.get("moves", limits.moves), 1, limits.moves),
    }


def checked_record(message: Any, limits: Limits) -> dict[str, Any]:
    """Return the request to save a record."""
    known(message, ("position", "numbers"), "field")
    numbers = message.get("numbers")
    if not isinstance(numbers, list) or not 1 <= len(numbers) <= 8:
        raise ConfigError(f"numbers={numbers!r:.60}: must be the list of numbers of the score")
    return {
        "kind": "save_record",
        "position": checked_position(message.get("position"), limits),
        "numbers": [number("numbers", value) for value in numbers],
    }


def checked_records(game: Any, rules: Any, limits: Limits) -> dict[str, Any]:
    """Return the request for the records of a game."""
    return {"kind": "records", "game": word("game", game, all_games()), "rules": _text("rules", rules or "", limits)}


# --- positions


def checked_position(position: Any, limits: Limits) -> dict[str, Any]:
    """Return a position with a value for every field. play/positions.py builds the game."""
    known(position, ("game", "rules", "level", "players", "seed", "moves", "hash"), "field of the position")
    seed, code = position.get("seed"), position.get("hash")
    if code is not None and not (isinstance(code, str) and re.fullmatch("[0-9a-f]{16}", code)):
        raise ConfigError(f"position.hash={code!r:.60}: must be 16 hexadecimal digits")
    return {
        "game": word("position.game", position.get("game"), all_games()),
        "rules": _text("position.rules", position.get("rules") or "", limits),
        "level": _level(position.get("level"), limits),
        "players": _players(position.get("players", 1), limits),
        "seed": None if seed is None else whole("position.seed", seed, 0, LARGEST_SEED),
        "moves": _moves(position.get("moves", []), limits),
        "hash": code,
    }


def _text(name: str, value: Any, limits: Limits) -> str:
    if not isinstance(value, str) or len(value) > limits.text:
        raise ConfigError(f"{name}={value!r:.60}: must be a string of at most {limits.text} characters")
    return value


def _level(level: Any, limits: Limits) -> dict[str, Any]:
    if isinstance(level, dict):
        if set(level) == {"seed"}:
            return {"seed": whole("position.level.seed", level["seed"], 0, LARGEST_NUMBER)}
        if set(level) == {"collection", "name"}:
            return {name: _text(f"position.level.{name}", level[name], limits) for name in level}
        if {"text"} <= set(level) <= {"text", "number"} and isinstance(level["text"], str):
            place = whole("position.level.number", level.get("number", 1), 1, LARGEST_NUMBER)
            return {"text": level["text"], "number": place}
    expected = '{"collection", "name"}, {"text"}, {"text", "number"} or {"seed"}'
    raise ConfigError(f"position.level={level!r:.60}: must be an object with the fields {expected}")


def _players(players: Any, limits: Limits) -> int | list[str]:
    """Return the number of people, or a word for each player."""
    if not isinstance(players, list):
        return whole("position.players", players, 1, MOST_PLAYERS)
    if not 1 <= len(players) <= MOST_PLAYERS:
        raise ConfigError(f"position.players: a game has 1 to {MOST_PLAYERS} players, not {len(players)}")
    return [_text("position.players", player, limits) for player in players]


def _moves(moves: Any, limits: Limits) -> list[Any]:
    if not isinstance(moves, list) or len(moves) > limits.moves:
        raise ConfigError(f"position.moves={moves!r:.60}: must be a list of at most {limits.moves:,} moves")
    return [_move(number, move) for number, move in enumerate(moves, 1)]


def _move(place: int, move: Any) -> Any:
    if isinstance(move, dict) and set(move) == {"place"}:
        cell = move["place"]
        if isinstance(cell, list) and len(cell) == 2 and all(map(_is_number, cell)):
            return {"place": cell}
    elif isinstance(move, list) and 1 <= len(move) <= MOST_NUMBERS and all(map(_is_number, move)):
        return move
    expected = 'must be a list of the numbers of an action, or {"place": [row, col]}'
    raise ConfigError(f"position.moves, move {place}: {move!r:.60}: {expected}")


def _is_number(value: Any) -> bool:
    return type(value) is int and -LARGEST_NUMBER <= value <= LARGEST_NUMBER
