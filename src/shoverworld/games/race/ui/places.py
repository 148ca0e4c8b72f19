"""Tracks to race on: the bundled ones, files and folders, and tracks that are made."""

import json
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from importlib import resources
from pathlib import Path

from shoverworld.core.env import GridEnv
from shoverworld.core.errors import TrackError, TrackNotFound
from shoverworld.core.ui import Board, Collection, Score

from ..generate import random_track
from ..record import places_of, track_of
from ..tracks import Track, bundled, bundled_names
from .figures import score_of
from .grid import Grid, count
from .presets import RULES, USUAL, preset_of, rules_of

TRACKS = "tracks"
SUFFIXES = (".txt", ".png", ".bmp", ".gif", ".ppm", ".jpg", ".jpeg", ".webp")


@cache
def collections() -> tuple[Collection, ...]:
    names = bundled_names()
    return (Collection(TRACKS, "Tracks", f"{len(names)} tracks, from a straight to a long circuit."),)


@cache
def bundled_boards() -> tuple[Board, ...]:
    return tuple(_board(bundled(name), name) for name in bundled_names())


def boards(collection: str) -> list[Board]:
    """The bundled tracks, the track of a file, or those of a folder."""
    path = Path(collection)
    if collection == TRACKS and not path.exists():
        return list(bundled_boards())
    if not path.is_dir():
        return [read(collection)]
    files = sorted(file for file in path.iterdir() if file.suffix.lower() in SUFFIXES and file.is_file())
    found = []
    for file in files:
        try:
            found.append(read(str(file)))
        except TrackError:
            if len(files) == 1:
                raise
    if not found:
        raise TrackNotFound.at("there is no track in this folder; expected .txt or .png files", collection)
    return found


def read(path: str) -> Board:
    track = Track.read(path)
    if path in bundled_names() and not Path(path).exists():
        return _board(track, path)
    return _board(track, Path(path).stem, path)


def _board(track: Track, name: str, path: str | None = None) -> Board:
    title = track.title or name.split("-", 1)[-1].replace("-", " ").capitalize()
    about = f"{track.rows} x {track.cols} cells, start cells for {count(len(track.starts), 'car')}."
    return Board(name, USUAL, Grid(track), title, about, path)


def random_board(preset: str, seed: int) -> Board:
    track = random_track(seed, closed=bool(seed % 2))
    about = f"Made from the seed {seed}, start cells for {count(len(track.starts), 'car')}."
    return Board(f"random-{seed}", preset, Grid(track), f"Track {seed}", about, seed=seed)


def identity(grid: Grid, preset: str) -> str:
    """The same for the same track under the same rules, wherever the cars start."""
    rules, track = RULES[preset], grid.track
    said = f"race {track.rows} {track.cols} {rules.line} {rules.finish} {rules.penalty} "
    return blake2b(said.encode() + track.cells.tobytes(), digest_size=8).hexdigest()


# --- what is known of the bundled tracks


@cache
def _best() -> dict[str, int]:
    """The fewest steps from the best start, proved by the planner; benchmarks/race_best.py makes the file."""
    return json.loads((resources.files("shoverworld.games.race") / "best.json").read_text("utf-8"))


def best_known(of: str) -> Score | None:
    steps = _best().get(of)
    return None if steps is None else score_of(steps, proved=True)


@cache
def _by_track() -> dict[Track, Board]:
    return {board.level.track: board for board in bundled_boards()}


def recognise(env: GridEnv) -> Board:
    """The track of an environment that was just reset, with its cars where they stand."""
    state, preset = env.get_state(), preset_of(rules_of(env))
    grid = Grid(track_of(state), places_of(state))
    known = _by_track().get(grid.track)
    return replace(known, preset=preset, level=grid) if known else Board("replay", preset, grid)
