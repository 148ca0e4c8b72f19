# pyright: basic
# Numba infers the types of the functions that are compiled.
"""The tracks of the race (bundled, random, or read from files and folders) and the environments for these tracks."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from shoverworld.core.env import GridEnv
from shoverworld.core.errors import ConfigError, ShoverWorldError
from shoverworld.core.jit import shared
from shoverworld.core.rules_text import describe_rules, parse_rules
from shoverworld.core.sheet import SCORE, new_sheet, row, text
from shoverworld.core.sheet_reader import SheetReader
from shoverworld.core.ui import Board, Collection, Score, count

from .config import RULES, USUAL, RaceRules
from .env import RaceEnv
from .generate import is_loop, random_track
from .images import is_picture
from .phrases import PHRASES, STEPS
from .record import places_of, read_map, track_of
from .state import RaceState
from .tracks import Track, bundled, bundled_names

TRACKS = "tracks"  # the collection of bundled tracks
PICTURES = (".png", ".bmp", ".gif", ".ppm", ".jpg", ".jpeg", ".webp")
SYMBOLS = "#.SF"
PLAYED = ("line", "finish", "penalty", "max_rounds")  # the rules that affect play, without `reward` and `cars`
OTHER_GAMES = set("BAL$@")  # symbols that occur in levels of other games but never in a track

suffixes = (".txt", *PICTURES)
formats = (
    ("numbers", "as in the race report: -1 off the track, 0 track, 1 start, 100 finish"),
    ("symbols", "easy to read: # off the track, . track, S start, F finish"),
)


class Grid(NamedTuple):
    """The level of a board: a track and the start cells (x, y) of the cars; None means random start cells."""

    track: Track
    starts: tuple[tuple[int, int], ...] | None = None


# --- Rules


def rules_of(env: GridEnv) -> RaceRules:
    return env.unwrapped.rules  # type: ignore[attr-defined]


def rules_for(board: Board, preset: str, players: int) -> RaceRules:
    """Return the rules for this number of players. Raise ConfigError if there are too few start cells."""
    starts = len(board.level.track.starts)
    if players > starts:
        raise ConfigError(
            f"{board.name} has {count(starts, 'start cell')}, so at most {starts} can race; there are {players} players"
        )
    return parse_rules(preset, RULES).change(cars=players)


# --- Tracks


def collections() -> list[Collection]:
    return [Collection(TRACKS, "Tracks", f"{len(bundled_names())} tracks, from a straight to a long circuit.")]


@cache
def packaged_boards() -> tuple[Board, ...]:
    return tuple(_board(bundled(name), name) for name in bundled_names())


def boards(collection: str | None = None) -> list[Board]:
    """Return the bundled tracks, or the track in a file."""
    if collection is None or (collection == TRACKS and not Path(collection).is_file()):
        return list(packaged_boards())
    return [read(collection)]


def read(path: str) -> Board:
    """Read a track file, or load a bundled track by name."""
    track = Track.read(path)
    if path in bundled_names() and not Path(path).exists():
        return _board(track, path)
    return _board(track, Path(path).stem, path)


def read_each(path: str) -> list[Board | ShoverWorldError]:
    """Return a list with the only board in a file."""
    return [read(path)]


def boards_in(text: str, name: str) -> list[Board]:
    """Return the track in a string, with the cells of the cars if the string comes from a replay (`map_text`)."""
    track, places = read_map(text, name)
    board = _board(track, name)
    return [board if places is None else replace(board, level=Grid(track, places))]


def _board(track: Track, name: str, path: str | None = None) -> Board:
    title = track.title or name.split("-", 1)[-1].replace("-", " ").capitalize()
    about = f"{track.rows} x {track.cols} cells, start cells for {count(len(track.starts), 'car')}."
    return Board(name, track.rules or USUAL, Grid(track), title, "\n".join(filter(None, (track.about, about))), path)


def recognises(head: bytes, suffix: str) -> float:
    """Return how likely it is, from 0 to 1, that a file contains a track.

    A track is an image, a grid of numbers that include -1, or a grid of symbols that include a start or a finish but no
    symbol of another game.
    """
    if is_picture(head) or suffix in PICTURES:
        return 0.9
    if suffix != ".txt":
        return 0.0
    lines = head.decode("utf-8", "replace").splitlines()
    rows = [row.split() for row in lines if row.strip() and not row.startswith("//")]
    if not rows:
        return 0.0
    if rows[0][0].lstrip("+-").isdecimal():
        return 0.9 if any("-1" in row for row in rows) else 0.0
    symbols = "".join("".join(row) for row in rows)
    own = sum(map(symbols.count, SYMBOLS))
    likely = set(symbols) & set("SF") and not set(symbols) & OTHER_GAMES and own >= 0.8 * len(symbols)
    return 0.9 if likely else 0.0


def random(preset: str, seed: int) -> Board:
    parse_rules(preset, RULES)  # raises an error if there are no such rules
    track = random_track(seed, closed=is_loop(seed))
    about = f"Generated from seed {seed}, with start cells for {count(len(track.starts), 'car')}."
    return Board(f"random-{seed}", preset, Grid(track), f"Track {seed}", about, seed=seed)


def environment(board: Board, preset: str, players: int = 1) -> GridEnv:
    return RaceEnv(track=board.level.track, rules=rules_for(board, preset, players))


def options(board: Board, players: int = 1) -> dict[str, Any]:
    """Return the `reset` options for a board. The start cells are random if the board specifies none or too few."""
    track, starts = board.level
    return {"map": track} if starts is None or len(starts) < players else {"map": track, "starts": starts[:players]}


def identity(board: Board, preset: str) -> str:
    """Return a key that is the same for equal tracks under equal rules, regardless of where the cars start."""
    return identity_of(board.level.track, parse_rules(preset, RULES))


def identity_of(track: Track, rules: RaceRules) -> str:
    key = f"race {track.rows} {track.cols} {rules.line} {rules.finish} {rules.penalty} "
    if rules.max_rounds != RaceRules.max_rounds:
        key += f"{rules.max_rounds} "
    return blake2b(key.encode() + track.cells.tobytes(), digest_size=8).hexdigest()


@cache
def _by_track() -> dict[Track, Board]:
    return {board.level.track: board for board in packaged_boards()}


def board_of(env: GridEnv) -> Board:
    """Return the board for an environment that has just been reset. Its start cells are the positions of the cars."""
    state, preset = env.get_state(), describe_rules(rules_of(env), RULES, PLAYED)
    grid = Grid(track_of(state), places_of(state))
    known = _by_track().get(grid.track)
    return replace(known, preset=preset, level=grid) if known else Board("replay", preset, grid)


# --- Results


@shared
def write_score(state, player, sheet):
    """Write the result of a player or, if `player` is -1, of the fastest car. Write nothing if there is no result."""
    steps = -1
    for number in range(state.cars.shape[1]):
        car = state.cars[0, number]
        if car.place > 0 and (player < 0 or number == player) and (steps < 0 or car.steps < steps):
            steps = int(car.steps)
    if steps >= 0:
        write_steps(steps, sheet)


@shared
def write_steps(steps, sheet):
    row(sheet, SCORE, steps)
    text(sheet, STEPS, steps)


def score(env: GridEnv, state: RaceState) -> Score | None:
    """Return the result of the fastest car, or None if no car has finished."""
    return score_of(state, -1)


def score_of(state: RaceState, player: int) -> Score | None:
    """Return the result of a player, or None if their car has not finished."""
    return _score(write_score, state, player)


def _score(write: Callable[..., None], *arguments: Any) -> Score | None:
    sheet = new_sheet(2)
    write(*arguments, sheet)
    return SheetReader(sheet, PHRASES).score(1)


@cache
def _best() -> dict[str, list[int]]:
    """Return, for each `identity`, the cells of a fastest run from the best start: x, y, x, y, ...

    The planner has proved that there is no faster run. benchmarks/race_best.py writes the file best.json.
    """
    return json.loads((resources.files("shoverworld.games.race") / "best.json").read_text("utf-8"))


def best_known(identity: str) -> Score | None:
    score = _score(write_steps, len(best_run(identity)) // 2 - 1) if identity in _best() else None
    return score and score._replace(proved=True)


def solution_score(board: Board, preset: str) -> Score | None:
    return None  # level files contain no solutions


def best_run(identity: str) -> list[int]:
    """Return the cells of a fastest run on a packaged track, x, y, x, y, ..., or an empty list."""
    return _best().get(identity, [])
