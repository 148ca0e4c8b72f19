"""The error messages that the docs quote. The messages are produced by the program, so they are always up to date."""

import contextlib
import os
import struct
import tempfile
import textwrap
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from PIL import Image

from shoverworld import Map, ShoverWorldEnv, ShoverWorldError
from shoverworld.race import Track
from shoverworld.sokoban import read_levels

WIDTH = 120  # characters per line

MAPS = (
    "..B\n.x.\n..L",
    "0 0 0\n0 11 0",
    "// map.txt\n0 0 0 0 0\n0 0 0 0 0 0",
    "...\n..A\nA..",
    "// rules: phase2, initial_forse=30\n.B.",
    "//! start 1\n.B.",
    "//! strength 3 4 5\n.BB",
    "//! start 0 1\n.B.",
    "BBB",
    "",
    "...\n" * 257,
    b"..B\n.\xff.",
)
TRACKS = (
    "-1 -1 -1\n1 0 7 100\n",
    "#####\n#s.F#\n#####",
    "#####\n#S.#\n#####",
    "#####\n#..F#\n#####",
    "#########\n#S....#F#\n#########",
)
FIRST = "; First\n\n#####\n#@$.#\n#####\n\n"  # a valid level: the errors are in the second level
LEVELS = (
    FIRST + "#####\n# $.#\n#####\n",
    FIRST + "######\n#@@$.#\n######\n",
    FIRST + "#####\n#@$ #\n#####\n",
    FIRST + "#####\n @$.#\n#####\n",
    FIRST + "#####\n#@$x.#\n#####\n",
    FIRST + "#####\n#@$.#\n####3\n",
    FIRST + "##\n#@\n",
    b"#####\n#@$.#\n#####\n; \xff\n",
    "no board\n",
)


def map_errors() -> list[str]:
    return [_error(Map.read, "dock.txt", content) for content in MAPS]


def missing_map() -> list[str]:
    return [_error(Map.read, "dock.txt", None)]


def crowded_map() -> list[str]:
    return [_message(lambda: ShoverWorldEnv(n_rows=2, n_cols=2, number_of_boxes=4))]


def unsolvable_map() -> list[str]:
    env = ShoverWorldEnv(number_of_boxes=5, number_of_barriers=0, number_of_lavas=0, solvable=True)
    return [_message(lambda: env.reset(seed=1))]


def track_errors() -> list[str]:
    return [
        *(_error(Track.read, "bad.txt", content) for content in TRACKS),
        _error(Track.read, "bad.png", _orange_pixel),
        _error(Track.read, "bad.png", _huge_header),
    ]


def missing_track() -> list[str]:
    return [_error(Track.read, "hairpim", None)]


def level_errors() -> list[str]:
    return [_error(read_levels, "levels.txt", content) for content in LEVELS]


# The block of messages after "<!-- errors: NAME -->" on each page.
BLOCKS = {
    "maps.md": {
        "files": map_errors,
        "missing": missing_map,
        "crowded": crowded_map,
        "unsolvable": unsolvable_map,
    },
    "race-tracks.md": {"files": track_errors, "missing": missing_track},
    "sokoban-levels.md": {"files": level_errors},
}


def with_errors(page: str, text: str) -> str:
    """Replace the blocks of error messages in a page."""
    for name, messages in BLOCKS[page].items():
        before, marker, rest = text.partition(f"<!-- errors: {name} -->\n")
        assert marker, f"{page}: the marker for the errors {name!r} is missing"
        _, _, after = rest.partition("```\n")[2].partition("```\n")
        lines = [line for message in messages() for line in _wrapped(message)]
        text = f"{before}{marker}```\n" + "\n".join(lines) + f"\n```\n{after}"
    return text


def _wrapped(message: str) -> list[str]:
    return textwrap.wrap(message, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _error(read: Callable[[str], object], name: str, content: str | bytes | Callable[[Path], object] | None) -> str:
    """Return the error message for a file with this content. If the content is None, the file does not exist."""
    with _temporary_folder() as folder:
        path = folder / name
        if isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        elif isinstance(content, bytes):
            path.write_bytes(content)
        elif content is not None:
            content(path)
        return _message(lambda: read(name))


def _message(call: Callable[[], object]) -> str:
    try:
        call()
    except ShoverWorldError as error:
        return str(error)
    raise AssertionError("no error was raised")


@contextlib.contextmanager
def _temporary_folder() -> Iterator[Path]:
    """Make a temporary folder the working directory, so that messages contain plain file names."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(before)


def _orange_pixel(path: Path) -> None:
    image = Image.new("RGB", (4, 4), (0, 255, 0))
    image.putpixel((2, 2), (255, 165, 0))
    image.save(path)


def _huge_header(path: Path) -> None:
    """A PNG file whose header claims 20000 x 20000 pixels."""
    Image.new("RGB", (1, 1)).save(path)
    data = bytearray(path.read_bytes())
    data[16:24] = struct.pack(">II", 20000, 20000)
    data[29:33] = struct.pack(">I", zlib.crc32(data[12:29]))
    path.write_bytes(data)
