"""Films of games: sequences of pictures of the same size, written to GIF or MP4 files; also single PNG pictures.

A film of a long game needs no more memory than a film of a short game, because each picture is written before the next
one is made. A file appears under its final name only when it is complete.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import numpy as np

from shoverworld.core.errors import ConfigError, ShoverWorldError
from shoverworld.core.files import replacing
from shoverworld.core.game import Game
from shoverworld.core.ui import State

from .pictures import BACKGROUND, RULED, RULER, ScenePainter

Progress = Callable[[float], Any]  # called with the completed fraction (0 to 1); a true return value cancels the film
Size = tuple[int, int]  # width and height

CANVAS: Size = (520, 360)
LONGEST = 2048  # maximum length of a picture's longer side, in pixels
HOLD = 6  # in a film without motion, how many extra times the last picture of a game is shown
MOST_PICTURES = 400  # in a film without motion, if a game has at least this many states, some are skipped
SHORT = 100  # the maximum number of states for a GIF with motion
PALETTE = 256  # the number of colours in a GIF
_PATIENCE = 10.0  # seconds that `FilmExport.close` waits for the current picture to be finished and for ffmpeg to end


def still(game: Game, state: State, cell_size: int | None = None, rulers: bool = False) -> np.ndarray:
    """Return a picture that shows only the board, with rulers on request. By default, a large board is drawn with
    smaller cells."""
    scene = game.ui.drawing.scene(state)
    cell_size = cell_size or max(4, min(64, LONGEST // max(scene.tiles.shape)))
    return ScenePainter(game, scene, cell=cell_size, rulers=rulers).picture(scene)


def frames(
    game: Game,
    states: Sequence[State],
    size: Size = CANVAS,
    motion: bool = False,
    fps: float = 25,
    seconds: float = 0.25,
    rulers: bool = False,
) -> Iterator[np.ndarray]:
    """Yield pictures of a game as arrays (height, width, 3): one picture per state or, with motion, several per step.
    `seconds`: the duration of a step in a film with motion."""
    return (picture for _, picture in _shots(game, states, size, motion, fps, seconds, rulers))


def _shots(
    game: Game, states: Sequence[State], size: Size, motion: bool, fps: float, seconds: float, rulers: bool
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the pictures, each with the index of the state that the picture shows or leads to."""
    scene = game.ui.drawing.scene(states[0])
    painter = ScenePainter(game, scene, size, rulers=rulers)
    at_rest = max(1, round(seconds * fps)) if motion else 1
    picture = painter.picture(scene)
    for _ in range(at_rest):
        yield 0, picture
    for place in range(1, len(states)):
        scene, pause = game.ui.drawing.scene(states[place]), at_rest
        way = game.ui.drawing.motion(states[place - 1], states[place]) if motion else None
        if way is not None:
            count = max(1, round(way.seconds * fps))
            for number in range(1, count):
                yield place, painter.moving(scene, way, number / count)
            pause = max(1, at_rest - count + 1)
        picture = painter.picture(scene)
        for _ in range(pause):
            yield place, picture
    for _ in range(HOLD if not motion else round(fps)):
        yield len(states) - 1, picture


class Film:
    """A film of one or more games. Each game is centred on the canvas and drawn as large as possible, with rulers on
    request."""

    def __init__(
        self,
        size: Size = CANVAS,
        motion: bool = False,
        fps: float = 25,
        seconds: float = 0.14,
        rulers: bool = False,
    ):
        self.size, self.motion, self.seconds, self.rulers = size, motion, seconds, rulers
        self.fps = fps if motion else 1 / seconds  # pictures per second
        self.games: list[tuple[Game, Sequence[State]]] = []

    def add(self, game: Game, states: Sequence[State]) -> "Film":
        """Add a game. Without motion, some states of a long game are skipped, but never its last state."""
        if not self.motion:
            every = 1 + len(states) // MOST_PICTURES
            states = [state for place, state in enumerate(states) if place % every == 0 or place == len(states) - 1]
        self.games.append((game, states))
        return self

    @property
    def states(self) -> int:
        return sum(len(states) for _, states in self.games)

    def shots(self) -> Iterator[tuple[float, np.ndarray]]:
        """Yield the pictures, each with the fraction of the film (from 0 to 1) that is complete after it."""
        before = 0
        for game, states in self.games:
            for place, picture in _shots(game, states, self.size, self.motion, self.fps, self.seconds, self.rulers):
                yield (before + place) / self.states, picture
            before += len(states)

    def sample(self) -> np.ndarray:
        """Return some of the film's pictures, stacked vertically. Together they contain nearly all the colours of
        the film."""
        every = max(1, self.states // 16)
        chosen = [(game, states[place]) for game, states in self.games for place in range(0, len(states), every)]
        chosen += [(game, states[-1]) for game, states in self.games]
        return np.concatenate([next(frames(game, [state], self.size, rulers=self.rulers)) for game, state in chosen])


def film_of(games: Sequence[tuple[Game, Sequence[State]]], ending: str, longest: int = 640) -> Film:
    """Return a film of these games, with rulers, for a file with the suffix `ending`. The canvas is large enough for
    the largest game, but neither side is longer than `longest`. A GIF shows motion only if the games are
    short, because otherwise the file would become too large."""
    sizes = [fitting(game, states[0], longest) for game, states in games]
    size = max(width for width, _ in sizes), max(height for _, height in sizes)
    motion = ending == ".mp4" or sum(len(states) for _, states in games) <= SHORT
    fps, seconds = (30, 0.3) if ending == ".mp4" else (25, 0.24 if motion else 0.14)
    film = Film(size, motion, fps, seconds, rulers=True)
    for game, states in games:
        film.add(game, states)
    return film


def fitting(game: Game, state: State, longest: int = 640, largest_cell: int = 48) -> Size:
    """Return the canvas size for a game with rulers: neither side is longer than `longest`, and both lengths are even,
    as videos require."""
    scene = game.ui.drawing.scene(state)
    rows, cols = scene.tiles.shape
    rimmed = 0 if scene.rim is None else 1
    cell = max(4, min(largest_cell, (longest - RULER) // (max(rows, cols) + rimmed)))
    ruler = RULER if cell >= RULED else 0
    width, height = (min(longest, (side + rimmed) * cell + ruler) for side in (cols, rows))
    return width + width % 2, height + height % 2


def save(film: Film, path: str | os.PathLike, progress: Progress | None = None) -> Path | None:
    """Write a GIF or MP4 file, depending on the suffix of `path`. If `progress` cancels the film, write no file and
    return None."""
    return (save_mp4 if Path(path).suffix.lower() == ".mp4" else save_gif)(film, path, progress)


# --- GIF


def save_gif(film: Film, path: str | os.PathLike, progress: Progress | None = None) -> Path | None:
    """Write an animated GIF file, whose pictures all share one palette. If `progress` cancels the film, write no file
    and return None."""
    from PIL import Image

    target = checked(path, ".gif")
    palette = Image.fromarray(film.sample()).quantize(PALETTE, dither=Image.Dither.NONE)
    try:
        with replacing(target, make_folder=False) as part, open(part, "wb") as file:
            gif = _Gif(file, film.size, palette, 1000 / film.fps)
            for picture in _told(film, progress):
                gif.add(picture)
            gif.end()
    except _GivenUp:
        return None
    return target


def _told(film: Film, progress: Progress | None) -> Iterator[np.ndarray]:
    """Yield the pictures of a film, and call `progress` after each. Raise _GivenUp if `progress` cancels the film."""
    for share, picture in film.shots():
        yield picture
        if progress is not None and progress(share):
            raise _GivenUp


class _Gif:
    """Writes a GIF one picture at a time, and stores only the part of each picture that differs from the picture before
    it. Pillow would keep all pictures in memory."""

    def __init__(self, file: IO[bytes], size: Size, palette: Any, milliseconds: float):
        self.file, self.palette, self.milliseconds = file, palette, milliseconds
        self.before: np.ndarray | None = None
        self.waiting: tuple[Any, tuple[int, int]] | None = (
            None  # a changed part and its position, kept until the duration of the part is known
        )
        self.shown_until = self.told_until = 0.0  # GIF uses hundredths of a second; rounding errors must not add up
        colours = bytes(palette.getpalette()[: 3 * 256]).ljust(3 * 256, b"\0")
        screen = b"GIF89a" + size[0].to_bytes(2, "little") + size[1].to_bytes(2, "little") + b"\xf7\0\0"
        file.write(screen + colours + b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0")  # repeat the film forever

    def add(self, picture: np.ndarray) -> None:
        from PIL import Image

        if self.before is None:
            rows, cols = slice(0, len(picture)), slice(0, len(picture[0]))
        else:
            new = (picture != self.before).any(2)
            rows, cols = _span(new.any(1)), _span(new.any(0))
        if rows.stop > rows.start:
            self._write_waiting()
            part = Image.fromarray(np.ascontiguousarray(picture[rows, cols]))
            part = part.quantize(palette=self.palette, dither=Image.Dither.NONE)
            self.waiting = part, (cols.start, rows.start)
        self.before = picture
        self.shown_until += self.milliseconds

    def _write_waiting(self) -> None:
        from PIL import GifImagePlugin

        if self.waiting is None:
            return
        hundredths = min(65535, max(2, round((self.shown_until - self.told_until) / 10)))  # browsers need at least 2
        self.told_until += hundredths * 10
        part, corner = self.waiting
        for block in GifImagePlugin.getdata(part, corner, duration=hundredths * 10, disposal=1):
            self.file.write(block)

    def end(self) -> None:
        self._write_waiting()
        self.file.write(b";")


def _span(these: np.ndarray) -> slice:
    """Return the shortest slice that contains all true elements."""
    places = np.flatnonzero(these)
    return slice(int(places[0]), int(places[-1]) + 1) if len(places) else slice(0, 0)


# --- MP4


def ffmpeg() -> str | None:
    """Return the path to ffmpeg, the program that makes videos, or None if ffmpeg is not installed."""
    return shutil.which("ffmpeg")


def save_mp4(film: Film, path: str | os.PathLike, progress: Progress | None = None) -> Path | None:
    """Write an MP4 file with ffmpeg. If `progress` cancels the film, write no file and return None."""
    target, program = checked(path, ".mp4"), ffmpeg()
    if program is None:
        raise ShoverWorldError(
            f"{target}: MP4 needs ffmpeg, which is not installed or not in PATH; "
            "install it from https://ffmpeg.org or your package manager, or save a GIF instead (--gif FILE; G in the window)"
        )
    width, height = (side + side % 2 for side in film.size)  # both lengths must be even
    try:
        with replacing(target, make_folder=False) as part:
            _encode(program, film, part, (width, height), progress)
    except _GivenUp:
        return None
    return target


def _encode(program: str, film: Film, part: Path, size: Size, progress: Progress | None) -> None:
    """Send the raw pictures to ffmpeg, which writes the MP4 file."""
    command = [
        program, "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}",
        "-framerate", f"{film.fps:g}", "-i", "pipe:0", "-an", "-pix_fmt", "yuv420p", "-movflags", "+faststart",
        "-f", "mp4", str(part),
    ]  # fmt: skip
    apart: dict[str, Any] = {"creationflags": 0x08000000} if sys.platform == "win32" else {"start_new_session": True}
    with tempfile.TemporaryFile() as complaints:
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=complaints, **apart)
        pipe: Any = child.stdin
        try:
            for picture in _told(film, progress):
                pipe.write(_grown(picture, *size).tobytes())
            pipe.close()
        except OSError:  # ffmpeg ended early; its error message is read below
            pass
        except BaseException:
            child.kill()
            raise
        finally:
            with suppress(OSError):
                pipe.close()
            child.wait()
        if child.returncode != 0:
            complaints.seek(0)
            said = complaints.read().decode("utf-8", "replace").strip().splitlines()
            raise ShoverWorldError(f"ffmpeg failed: {said[-1] if said else f'exit code {child.returncode}'}")


def _grown(picture: np.ndarray, width: int, height: int) -> np.ndarray:
    if picture.shape[:2] == (height, width):
        return picture
    grown = np.full((height, width, 3), BACKGROUND, np.uint8)
    grown[: picture.shape[0], : picture.shape[1]] = picture
    return grown


# --- files


def save_png(picture: np.ndarray, path: str | os.PathLike) -> Path:
    """Write one picture to a PNG file. Return the path of the file."""
    from PIL import Image

    target = checked(path, ".png")
    with replacing(target, make_folder=False) as part:
        Image.fromarray(picture).save(part, "PNG", optimize=True)
    return target


def checked(path: str | os.PathLike, ending: str, where: str = "") -> Path:
    """Return `path` as a Path. Raise ConfigError if the path does not have the suffix `ending`, if it refers
    to a folder, or if its parent folder does not exist. `where`: a prefix for the error message."""
    target = Path(path)
    if target.suffix.lower() != ending:
        raise ConfigError(f"{where}{target}: expected a file name with the suffix {ending}, for example game{ending}")
    if target.is_dir():
        raise ConfigError(f"{where}{target}: this is a folder; expected a file name, for example game{ending}")
    if not target.parent.is_dir():
        raise ConfigError(f"{where}{target}: the folder {target.parent} does not exist")
    return target


class _GivenUp(Exception):
    """Raised when the progress function has cancelled the film."""


class FilmExport:
    """Writes a film in a background thread. `over` is true once the export has finished, been cancelled, or failed.
    After a failure, `error` is the reason."""

    def __init__(self, film: Film, path: Path):
        self.path, self.share = path, 0.0
        self.over = self.cancelled = False
        self.error: str | None = None
        self._film = film
        self._thread = threading.Thread(target=self._work, name="film", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        try:
            save(self._film, self.path, self._progress)
        except ShoverWorldError as reason:
            self.error = str(reason)
        except Exception as reason:  # a bug or lack of memory must not end the program
            self.error = f"{self.path} could not be written: {type(reason).__name__}: {reason}"
        self.over = True

    def _progress(self, share: float) -> bool:
        self.share = share
        return self.cancelled

    def cancel(self) -> None:
        """Stop the export; no file is left behind."""
        self.cancelled = True

    def close(self) -> None:
        self.cancel()
        self._thread.join(_PATIENCE)
