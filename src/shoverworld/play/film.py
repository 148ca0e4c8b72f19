"""Games as films: pictures in a row, of one size, and the GIF, MP4 or PNG made of them.

A film of a long game takes no more memory than one of a short game: its pictures are made one after the other and
written as they come. What is being written is not seen under its name before all of it is there.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO, Any

import numpy as np

from shoverworld.core.errors import ConfigError, ShoverWorldError
from shoverworld.core.game import Game
from shoverworld.core.ui import State

from .pictures import BACKGROUND, Painter

Progress = Callable[
    [float], Any
]  # told how much is done, from 0 to 1; when it returns something true, the film is given up
Size = tuple[int, int]  # width and height

CANVAS: Size = (520, 360)
LONGEST = 2048  # pixels of a picture's longer side
HOLD = 6  # how many times the picture of the end is shown
MOST_PICTURES = 400  # of a game in a film without motion: longer games skip some
SHORT = 100  # states of a film that is shown with its motions as a GIF
PALETTE = 256  # colours of a GIF
_numbers = count(1)


def still(game: Game, state: State, cell_size: int | None = None) -> np.ndarray:
    """The picture of a game, nothing around it; of a large one the cells are smaller, if not told otherwise."""
    scene = game.ui.drawing.scene(state)
    cell_size = cell_size or max(4, min(64, LONGEST // max(scene.tiles.shape)))
    return Painter(game, scene, cell=cell_size).picture(scene)


def frames(
    game: Game,
    states: Sequence[State],
    size: Size = CANVAS,
    motion: bool = False,
    fps: float = 25,
    seconds: float = 0.25,
) -> Iterator[np.ndarray]:
    """A game as pictures (height, width, 3). Without motion one a state; with it so many that a step lasts `seconds`."""
    return (picture for _, picture in _shots(game, states, size, motion, fps, seconds))


def _shots(
    game: Game, states: Sequence[State], size: Size, motion: bool, fps: float, seconds: float
) -> Iterator[tuple[int, np.ndarray]]:
    """The pictures, each with the place of the state it leads to."""
    scene = game.ui.drawing.scene(states[0])
    painter = Painter(game, scene, size)
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
    """One game or several, one after the other, each in the middle of the canvas and as large as fits."""

    def __init__(self, size: Size = CANVAS, motion: bool = False, fps: float = 25, seconds: float = 0.14):
        self.size, self.motion, self.seconds = size, motion, seconds
        self.fps = fps if motion else 1 / seconds  # pictures a second
        self.games: list[tuple[Game, Sequence[State]]] = []

    def add(self, game: Game, states: Sequence[State]) -> "Film":
        """Without motion, a long game skips some of its states, but never the last."""
        if not self.motion:
            every = 1 + len(states) // MOST_PICTURES
            states = [state for place, state in enumerate(states) if place % every == 0 or place == len(states) - 1]
        self.games.append((game, states))
        return self

    @property
    def states(self) -> int:
        return sum(len(states) for _, states in self.games)

    def shots(self) -> Iterator[tuple[float, np.ndarray]]:
        """The pictures, each with how much of the film is over after it, from 0 to 1."""
        before = 0
        for game, states in self.games:
            for place, picture in _shots(game, states, self.size, self.motion, self.fps, self.seconds):
                yield (before + place) / self.states, picture
            before += len(states)

    def sample(self) -> np.ndarray:
        """Some of its pictures, one below the other: all its colours, as good as."""
        every = max(1, self.states // 16)
        chosen = [(game, states[place]) for game, states in self.games for place in range(0, len(states), every)]
        chosen += [(game, states[-1]) for game, states in self.games]
        return np.concatenate([next(frames(game, [state], self.size)) for game, state in chosen])


def film_of(games: Sequence[tuple[Game, Sequence[State]]], ending: str, longest: int = 640) -> Film:
    """A film of these games that suits a file with this ending: as large as the largest of them wants, no side longer than
    `longest`. A GIF shows the motions of short games only: it would become too large."""
    sizes = [fitting(game, states[0], longest) for game, states in games]
    size = max(width for width, _ in sizes), max(height for _, height in sizes)
    motion = ending == ".mp4" or sum(len(states) for _, states in games) <= SHORT
    film = Film(size, motion, *((30, 0.3) if ending == ".mp4" else (25, 0.24) if motion else ()))
    for game, states in games:
        film.add(game, states)
    return film


def fitting(game: Game, state: State, longest: int = 640, largest_cell: int = 48) -> Size:
    """The size of a canvas that a game fills: no side longer than this, and even, as videos want it."""
    scene = game.ui.drawing.scene(state)
    rows, cols = scene.tiles.shape
    rimmed = 0 if scene.rim is None else 1
    cell = max(4, min(largest_cell, longest // (max(rows, cols) + rimmed)))
    width, height = (min(longest, (side + rimmed) * cell) for side in (cols, rows))
    return width + width % 2, height + height % 2


def save(film: Film, path: str | os.PathLike, progress: Progress | None = None) -> Path | None:
    """Write a GIF or an MP4, as the name of the file says. None: it was given up, and there is no file."""
    return (save_mp4 if Path(path).suffix.lower() == ".mp4" else save_gif)(film, path, progress)


# --- GIF


def save_gif(film: Film, path: str | os.PathLike, progress: Progress | None = None) -> Path | None:
    """Write an animated GIF; all pictures share one palette. None: it was given up, and there is no file."""
    from PIL import Image

    target = checked(path, ".gif")
    palette = Image.fromarray(film.sample()).quantize(PALETTE, dither=Image.Dither.NONE)
    try:
        with _whole(target) as part, open(part, "wb") as file:
            gif = _Gif(file, film.size, palette, 1000 / film.fps)
            for picture in _told(film, progress):
                gif.add(picture)
            gif.end()
    except _GivenUp:
        return None
    return target


def _told(film: Film, progress: Progress | None) -> Iterator[np.ndarray]:
    """The pictures of a film that is being written."""
    for share, picture in film.shots():
        yield picture
        if progress is not None and progress(share):
            raise _GivenUp


class _Gif:
    """Writes a GIF as its pictures come, and of each only the part that is new. Pillow's own way keeps all of them."""

    def __init__(self, file: IO[bytes], size: Size, palette: Any, milliseconds: float):
        self.file, self.palette, self.milliseconds = file, palette, milliseconds
        self.before: np.ndarray | None = None
        self.waiting: tuple[Any, tuple[int, int]] | None = (
            None  # a part and where it goes: how long it stays is not yet known
        )
        self.shown_until = self.told_until = 0.0  # GIF counts in hundredths of a second: rounding must not add up
        colours = bytes(palette.getpalette()[: 3 * 256]).ljust(3 * 256, b"\0")
        screen = b"GIF89a" + size[0].to_bytes(2, "little") + size[1].to_bytes(2, "little") + b"\xf7\0\0"
        file.write(screen + colours + b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0")  # again and again

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
        hundredths = min(65535, max(2, round((self.shown_until - self.told_until) / 10)))  # browsers want 2 at least
        self.told_until += hundredths * 10
        part, corner = self.waiting
        for block in GifImagePlugin.getdata(part, corner, duration=hundredths * 10, disposal=1):
            self.file.write(block)

    def end(self) -> None:
        self._write_waiting()
        self.file.write(b";")


def _span(these: np.ndarray) -> slice:
    """From the first to the last that is true."""
    places = np.flatnonzero(these)
    return slice(int(places[0]), int(places[-1]) + 1) if len(places) else slice(0, 0)


# --- MP4


def ffmpeg() -> str | None:
    """Where ffmpeg is, which turns pictures into videos; None when it is not installed."""
    return shutil.which("ffmpeg")


def save_mp4(film: Film, path: str | os.PathLike, progress: Progress | None = None) -> Path | None:
    """Write an MP4 through ffmpeg. None: it was given up, and there is no file."""
    target, program = checked(path, ".mp4"), ffmpeg()
    if program is None:
        raise ShoverWorldError(
            f"{target}: an MP4 is made by ffmpeg, which is not installed (or not in PATH); "
            "install it from https://ffmpeg.org or your package manager, or save a GIF instead (--gif FILE; G in the window)"
        )
    width, height = (side + side % 2 for side in film.size)  # of this video format both sides are even
    try:
        with _whole(target) as part:
            _encode(program, film, part, (width, height), progress)
    except _GivenUp:
        return None
    return target


def _encode(program: str, film: Film, part: Path, size: Size, progress: Progress | None) -> None:
    """Let ffmpeg write the file: raw pictures go in."""
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
        except OSError:  # it has ended early, and has said why
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
    """Write one picture."""
    from PIL import Image

    target = checked(path, ".png")
    with _whole(target) as part:
        Image.fromarray(picture).save(part, "PNG", optimize=True)
    return target


def checked(path: str | os.PathLike, ending: str, where: str = "") -> Path:
    """The path, if it can be that of a file of this kind. `where` it was given is told before it."""
    target = Path(path)
    if target.suffix.lower() != ending:
        raise ConfigError(f"{where}{target}: expected the name of a file that ends in {ending}, like game{ending}")
    if target.is_dir():
        raise ConfigError(f"{where}{target}: this is a folder; expected the name of a file, like game{ending}")
    if not target.parent.is_dir():
        raise ConfigError(f"{where}{target}: there is no folder {target.parent}")
    return target


class _GivenUp(Exception):
    """Whoever was told of the progress wants no more of it."""


@contextmanager
def _whole(target: Path) -> Iterator[Path]:
    """Another path, whose file gets this name when all of it is written, and is gone when that fails."""
    number = next(_numbers)
    part = target.with_name(f".{target.stem}-{os.getpid()}-{number}.part")
    try:
        yield part
        os.replace(part, target)
    except OSError as reason:
        raise ConfigError(f"{target}: cannot be written ({reason}); expected a path like game{target.suffix}") from None
    finally:
        with suppress(OSError):
            part.unlink()
