"""Tracks (docs/rules.md, section 3) as text and images, errors, the zombie array, and the bundled tracks."""

import io
import os
import pickle
import re
import struct
import zlib
from collections import deque
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image

from shoverworld import race
from shoverworld.core.errors import ConfigError, SaveError, ShoverWorldError
from shoverworld.core.files import LARGEST_FILE
from shoverworld.games import game_named
from shoverworld.games.race.symbols import decode
from shoverworld.games.race.tracks import bundled_title
from shoverworld.race import FINISH, FREE, OFF, START, Track, TrackError, TrackNotFound, bundled, bundled_names
from tests.paths import ROOT

SHARED = ROOT.parent / "shared"
TRACKS = sorted((SHARED / "data" / "race").glob("*.txt"))
REPORT = sorted((SHARED / "seeds").glob("004*.txt"))
SMALL = """\
#######
#S...F#
#S.#.F#
#######
"""
CELLS = [
    [-1, -1, -1, -1, -1, -1, -1],
    [-1, 1, 0, 0, 0, 100, -1],
    [-1, 1, 0, -1, 0, 100, -1],
    [-1, -1, -1, -1, -1, -1, -1],
]
RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)


def assert_error(make, *parts, line=None, column=None, cell=None, source="bad.txt", kind=TrackError):
    """Assert that `make` raises an error at this location, with a message that contains these parts."""
    with pytest.raises(kind) as caught:
        make()
    error = caught.value
    assert isinstance(error, ShoverWorldError) and isinstance(error, ValueError)
    assert (error.source, error.line, error.column, error.cell) == (source, line, column, cell), error
    message = str(error)
    assert message.startswith(source)
    assert line is None or f"line {line}" in message
    assert column is None or f"column {column}" in message
    assert cell is None or f"x={cell[0]} y={cell[1]}" in message
    for part in parts:
        assert part in message
    assert error.what in message


def assert_bad_text(text, *parts, **place):
    assert_error(lambda: Track.parse(text, "bad.txt"), *parts, **place)


def picture(rows):
    """Return pixels from letters: r g b w, k black, y yellow, s silver, o orange, m magenta."""
    colours = {
        "r": RED, "g": GREEN, "b": BLUE, "w": WHITE, "k": (0, 0, 0), "y": (255, 255, 0), "s": (128, 128, 128),
        "o": (255, 165, 0), "m": (255, 0, 255),
    }  # fmt: skip
    return np.array([[colours[letter] for letter in row] for row in rows.split()], np.uint8)


def png(pixels, **options):
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG", **options)
    return file.getvalue()


# --- Text


def test_positions_are_given_as_x_and_y():
    track = Track.parse(SMALL)
    assert (track.rows, track.cols) == (4, 7)
    assert track.starts == ((1, 1), (1, 2))
    assert track.finishes == ((5, 1), (5, 2))
    assert track.cells.tolist() == CELLS
    assert track.cells.dtype == np.int8
    assert (OFF, FREE, START, FINISH) == (-1, 0, 1, 100)
    with pytest.raises(ValueError, match="read-only"):
        track.cells[0, 0] = FREE
    with pytest.raises(ValueError, match="read-only"):
        track.distance[0, 0] = 0


NUMBERS = "".join(" ".join(map(str, row)) + "\n" for row in CELLS)


@pytest.mark.parametrize(
    "text",
    [
        SMALL,
        NUMBERS,
        NUMBERS.replace(" ", "\t  "),
        NUMBERS.replace("\n", " \r\n"),
        SMALL.rstrip("\n"),
        "\n \n" + SMALL + "\n\n",
        "// a track\n" + SMALL,
        SMALL.replace("#S...F#\n", "#S...F#\n// in the middle\n"),
        SMALL.replace("#", " # ").replace(".", " ."),
    ],
)
def test_numbers_and_symbols_with_or_without_spaces_and_comments_give_the_same_track(text):
    assert Track.parse(text) == Track(CELLS)


@pytest.mark.parametrize("style", ["numbers", "symbols"])
def test_tracks_round_trip_through_text(style):
    track = Track(CELLS, title="A small one")
    read_back = Track.parse(track.to_text(style))
    assert read_back == track
    assert hash(read_back) == hash(track)
    assert track.to_text("symbols") == "// A small one\n" + SMALL
    assert track.to_text() == NUMBERS
    assert read_back.title == ("A small one" if style == "symbols" else "")


def test_the_title_is_the_first_comment_above_the_rows():
    assert Track.parse("\n// One\n// Two\n" + SMALL).title == "One"
    assert Track.parse(SMALL + "// below").title == ""
    assert Track(CELLS, title=" two\n lines\0 ").title == "two lines"
    assert str(Track.parse("S.F")) == "S.F"
    assert repr(Track.parse("S.F", "tiny.txt")) == "<Track tiny.txt: 1 x 3, 1 start>"


def test_tracks_with_equal_cells_are_equal():
    assert Track(CELLS, "a", "A") == Track(CELLS, "b", "B")
    assert Track.parse("S.F") != Track.parse("S..F")
    assert Track.parse("SF") != "SF"
    assert len({Track.parse("S.F"), Track.parse("1 0 100"), Track.parse("SFF")}) == 2


@pytest.mark.parametrize("path", TRACKS, ids=lambda path: path.stem)
def test_the_shared_track_files_round_trip(path, tmp_path):
    track = Track.read(path)
    assert track.to_text() == path.read_text()
    for name in ("copy.txt", "copy.png"):
        track.write(tmp_path / name)
        assert Track.read(tmp_path / name) == track


# --- Errors in text

WANTED_NUMBERS = "expected -1 off the track, 0 track, 1 start or 100 finish"
WANTED_SYMBOLS = "expected # off the track, . track, S start or F finish"


def test_errors_name_the_line_and_the_column():
    assert_bad_text("1 0 0\n0 0 7", "'7'", WANTED_NUMBERS, line=2, column=5)
    assert_bad_text("1 0 0\n0  -100 7", "'-100'", WANTED_NUMBERS, line=2, column=4)
    assert_bad_text("// x\n\n1 0 01", "'01'", line=3, column=5)
    assert_bad_text("+1 0 100", "'+1'", line=1, column=1)
    assert_bad_text("1,0,100", "'1,0,100'", line=1, column=1)
    assert_bad_text("1 0 " + "9" * 500, "'" + "9" * 20 + "'", line=1, column=5)
    assert_bad_text("#S..F#\n#s..F#", "'s'", WANTED_SYMBOLS, line=2, column=2)
    assert_bad_text("S. .x\n", "'x'", line=1, column=5)
    assert_bad_text("S.F\n1 0 100", "'1'", WANTED_SYMBOLS, line=2, column=1)
    assert_bad_text("1 0 100\nS.F", "'S.F'", WANTED_NUMBERS, line=2, column=1)


def test_rows_of_different_lengths_raise_an_error():
    assert_bad_text("#S.F#\n#S.F\n#####", "this row has 4 cells; expected 5 as in the first row", line=2)
    assert_bad_text("1 0 100\n1 0 100 0", "this row has 4 cells; expected 3", line=2)
    assert_bad_text("1 0 100\n\n1 0 100", "this row has 0 cells; expected 3", line=2)


def test_a_board_without_a_start_or_finish_or_track_cell_raises_an_error():
    assert_bad_text(
        "#..F#", "the track has no start cell; expected at least one (1 as a number, S as a symbol, blue in an image)"
    )
    assert_bad_text(
        "#S..#",
        "the track has no finish cell; expected at least one (100 as a number, F as a symbol, white in an image)",
    )
    for nothing in ("", "\n\n  \n", "// only a comment\n"):
        assert_bad_text(nothing, "the track is empty; expected rows of numbers (-1 0 1 100) or of symbols (# . S F)")


def test_an_unreachable_finish_raises_an_error():
    """The error message names the reachable cell nearest to a finish cell, and that finish cell."""
    board = """
#########
#S....#F#
#S....#F#
#.#####F#
#########"""
    assert_bad_text(board, "no finish can be reached", "to the finish at x=7 y=1", cell=(5, 1))
    assert_bad_text("S#F", "no finish can be reached", cell=(0, 0))


def test_cars_can_drive_diagonally():
    corner = Track.parse("S##\n#.#\n##F")
    assert corner.distance.tolist() == [[-1, -1, -1], [-1, -1, -1], [-1, -1, 0]]


def test_a_start_cell_from_which_the_finish_is_unreachable_is_allowed():
    assert Track.parse("S#S.F").starts == ((0, 0), (2, 0))


def test_tracks_beyond_the_size_limits_raise_an_error():
    assert Track.parse("\n".join(["S" + "." * 998 + "F"] * 1000)).cells.shape == (1000, 1000)
    assert_bad_text("S" + "." * 999 + "F", "this row has too many cells; expected at most 1000", line=1)
    assert_bad_text("1 " + "0 " * 999 + "100", "this row has too many cells; expected at most 1000", line=1)
    assert_bad_text("S" + "." * 10**6 + "F", "this row has too many cells; expected at most 1000", line=1)
    assert_bad_text("SF\n" * 1001, "too many rows; expected at most 1000", line=1001)
    assert Track.parse((" " * 20).join("S" + "." * 998 + "F")).cols == 1000


@pytest.mark.parametrize(
    ("cells", "part", "cell"),
    [
        ([[1, 0, 2, 100]], "2; expected -1", (2, 0)),
        ([[1, 100], [0, 0.5]], "0.5; expected -1", (1, 1)),
        ([[1, 100], [0, np.nan]], "nan; expected -1", (1, 1)),
        ([[1, 100], [0, 256]], "256; expected -1", (1, 1)),
        ([1, 0, 100], "the size is 3; expected 1 to 1000 rows and columns", None),
        ([], "the size is 0", None),
        ([[]], "the size is 1 x 0", None),
        (np.ones((1001, 2), np.int8), "the size is 1001 x 2", None),
        ([["S", "F"]], "not an array of numbers", None),
        ([[1, 0], [100]], "not an array of numbers", None),
        (None, "not an array of numbers", None),
    ],
)
def test_invalid_arrays_of_cells_raise_an_error(cells, part, cell):
    assert_error(lambda: Track(cells, "mine"), part, cell=cell, source="mine")


# --- Files


def assert_bad_file(path, data, *parts, **place):
    path.write_bytes(data)
    assert_error(lambda: Track.read(path), *parts, source=str(path), **place)


def test_files_that_are_not_utf_8_raise_an_error(tmp_path):
    path = tmp_path / "bad.txt"
    assert_bad_file(path, b"", "the track is empty")
    assert_bad_file(path, b"#S.F#\n#\xff.F#", "not UTF-8 text", line=2, column=2)
    assert_bad_file(path, "S.F\n".encode("utf-16"), "not UTF-8 text", line=1, column=1)
    assert_bad_file(
        path,
        b"#S.F#\n#S\0F#",
        "the file contains a NUL byte, so it is not a text file; expected a track",
        line=2,
        column=3,
    )
    assert_bad_file(path, b"S" * (LARGEST_FILE + 5), "it is larger than 32 MiB")
    path.write_bytes(b"\xef\xbb\xbfS.F\r\n")  # a byte order mark is ignored
    assert Track.read(path) == Track.parse("S.F")
    assert decode(b"S.F", "x") == "S.F"


def test_missing_files_raise_an_error_with_suggestions(tmp_path):
    assert_error(lambda: Track.read("03-s-bnd"), "did you mean 03-s-bend", source="03-s-bnd", kind=TrackNotFound)
    assert_error(lambda: Track.read("hairpim"), "did you mean 04-hairpin?", source="hairpim", kind=TrackNotFound)
    assert_error(lambda: Track.read("grand"), "15-grand-prix or 16-grand-tour?", source="grand", kind=TrackNotFound)
    assert_error(
        lambda: Track.read("qqq"), "the bundled tracks are 01-straight, 02-bend", source="qqq", kind=TrackNotFound
    )
    assert_error(lambda: bundled("04-hairpn"), "; did you mean 04-hairpin?", source="04-hairpn", kind=FileNotFoundError)
    assert_error(
        lambda: bundled("qqq"), "the bundled tracks are 01-straight, 02-bend", source="qqq", kind=FileNotFoundError
    )
    assert_error(lambda: Track.read(tmp_path), "not a regular file", source=str(tmp_path))
    assert_error(lambda: Track.read("a\0b"), "the file cannot be read", source="a\0b")
    with pytest.raises(TrackError, match="must be a path or the name of a bundled track"):
        Track.read(7)  # pyright: ignore


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_raises_an_error_without_blocking(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert_error(lambda: Track.read(tmp_path / "pipe"), "not a regular file", source=str(tmp_path / "pipe"))


def test_a_file_takes_precedence_over_a_bundled_track(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert Track.read("01-straight") == bundled("01-straight")
    Path("01-straight").write_text("S.F")
    assert Track.read("01-straight") == Track.parse("S.F")


def test_tracks_are_written_to_text_and_image_files(tmp_path):
    track = Track(CELLS, title="A small one")
    for name in ("a.txt", "a.png", "a.PNG", "a.bmp", "a.ppm"):
        track.write(tmp_path / name)
        assert Track.read(tmp_path / name) == track
    track.write(tmp_path / "a.txt", "symbols")
    assert (tmp_path / "a.txt").read_bytes() == b"// A small one\n" + SMALL.encode()
    with pytest.raises(SaveError, match=r"the file name must end in \.txt or \.png"):
        track.write(tmp_path / "a.jpg")  # JPEG is lossy
    with pytest.raises(SaveError, match=r"nowhere.a\.txt cannot be written: "):
        track.write(tmp_path / "nowhere" / "a.txt")
    with pytest.raises(ConfigError, match="must be one of 'numbers', 'symbols'"):
        track.to_text("letters")


# --- Images


def test_an_image_has_one_pixel_per_cell(tmp_path):
    pixels = picture("rrrrrrr rbgggwr rbgrgwr rrrrrrr")
    track = Track.from_image(pixels)
    assert track == Track(CELLS)
    assert np.array_equal(track.to_image(), pixels)
    assert np.array_equal(track.to_image(3), pixels.repeat(3, axis=0).repeat(3, axis=1))
    (tmp_path / "picture.txt").write_bytes(png(pixels))  # an image is recognised by its content, not by its name
    assert Track.read(tmp_path / "picture.txt") == track
    with pytest.raises(ConfigError, match="scale=0"):
        track.to_image(0)


@pytest.mark.parametrize("mode", ["P", "RGBA", "RGB"])
@pytest.mark.parametrize("format", ["PNG", "GIF", "BMP", "WEBP"])
def test_all_image_modes_and_formats_are_read(mode, format):
    file = io.BytesIO()
    image = Image.fromarray(picture("rrrrrrr rbgggwr rbgrgwr rrrrrrr")).convert(mode)
    image.save(file, format, **({"lossless": True} if format == "WEBP" else {}))
    assert Track.decode(file.getvalue()) == Track(CELLS)


@pytest.mark.parametrize(
    ("colour", "code"),
    [
        ((200, 40, 40), OFF), ((255, 60, 60), OFF), ((237, 28, 36), OFF),
        ((0, 128, 0), FREE), ((34, 177, 76), FREE), ((60, 230, 60), FREE), ((50, 205, 50), FREE),
        ((40, 40, 200), START), ((63, 72, 204), START),
        ((240, 240, 240), FINISH), ((255, 250, 230), FINISH),
    ],
)  # fmt: skip
def test_a_pixel_is_read_as_the_nearest_colour(colour, code):
    pixels = picture("bgggggw rrrrrrr")
    pixels[1, 3] = colour
    assert Track.from_image(pixels).cells[1, 3] == code


@pytest.mark.parametrize("letter", "kysom")
def test_the_error_for_an_unknown_colour_names_the_pixel(letter):
    pixels = picture(f"bgggw rrrrr rr{letter}rr rrr{letter}r")
    assert_error(
        lambda: Track.decode(png(pixels), "bad.png"),
        "pixel x=2 y=2",
        f"({', '.join(map(str, pixels[2, 2].tolist()))})",
        "expected red (off the track), green (track), blue (start) or white (finish)",
        cell=(2, 2),
        source="bad.png",
    )


def test_transparent_pixels_raise_an_error():
    pixels = np.dstack([picture("bgggw"), np.full((1, 5), 255, np.uint8)])
    assert Track.from_image(pixels) == Track.parse("S...F")
    pixels[0, 3, 3] = 20
    assert_error(lambda: Track.decode(png(pixels), "bad.png"), "transparent", cell=(3, 0), source="bad.png")


def test_invalid_arrays_of_pixels_raise_an_error():
    for pixels in (np.zeros((3, 3), np.uint8), np.zeros((3, 3, 3)), np.zeros((3, 3, 2), np.uint8), [[1]]):
        assert_error(lambda pixels=pixels: Track.from_image(pixels, "array"), "expected uint8", source="array")
    assert_error(lambda: Track.from_image([[1], [1, 2]], "array"), "not an array of pixels", source="array")
    assert_error(lambda: Track.from_image(np.zeros((0, 3, 3), np.uint8), "array"), "empty", source="array")
    assert_error(lambda: Track.from_image(np.zeros((1, 1001, 3), np.uint8), "array"), "1001 x 1 pixels", source="array")


def header(wide, high):
    """Return a PNG file with this size in the header but without pixels. Decoding it would give a different error."""
    body = b"IHDR" + struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)
    data = b"IDAT" + zlib.compress(b"\0")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(part) - 4) + part + struct.pack(">I", zlib.crc32(part)) for part in (body, data, b"IEND")
    )


@pytest.mark.parametrize(("wide", "high"), [(20_000, 1), (1, 20_000), (1001, 1000), (20_000, 20_000), (2**31 - 1, 2)])
def test_a_huge_image_is_rejected_as_soon_as_its_header_is_read(wide, high, tmp_path):
    assert_bad_file(tmp_path / "huge.png", header(wide, high), f"{wide} x {high} pixels", "at most 1000 x 1000")


def test_a_huge_complete_image_is_rejected(tmp_path):
    Image.new("1", (20_000, 20)).save(tmp_path / "huge.png")
    assert_error(lambda: Track.read(tmp_path / "huge.png"), "20000 x 20 pixels", source=str(tmp_path / "huge.png"))
    Image.new("1", (20_000, 10_000)).save(tmp_path / "huge.bmp")  # larger than Pillow's limit
    assert_error(lambda: Track.read(tmp_path / "huge.bmp"), "pixels; expected", source=str(tmp_path / "huge.bmp"))


def test_damaged_images_raise_an_error():
    whole = png(picture("bgggw"))
    for data in (header(10, 10), whole[:30], whole[:-30], whole[:8], b"BM", b"P6\n3 3\n", b"GIF89a", b"RIFF1234WEBP"):
        assert_error(lambda data=data: Track.decode(data, "bad.png"), "cannot read the image", source="bad.png")
    assert_error(
        lambda: Track.decode(png(picture("rgggw")), "bad.png"), "the track has no start cell", source="bad.png"
    )


# --- Random input gives either a track or a TrackError


def assert_track_or_error(data):
    try:
        track = Track.decode(data, "any")
    except TrackError as error:
        assert str(error).startswith("any")
        return
    assert Track.parse(track.to_text()) == track
    assert_picture_round_trips_or_is_rejected(track)


def assert_picture_round_trips_or_is_rejected(track):
    """A picture is rejected only if it shows signs of another colour scheme."""
    if plausible(track.cells):
        assert Track.decode(png(track.to_image())) == track
    else:
        assert_error(lambda: Track.decode(png(track.to_image()), "any"), "specify its colours", source="any")


def plausible(cells):
    """Return whether there is at least as much track as finish, no start cell touches a finish cell, and swapping the track with
    the cells off the track would not be more plausible."""
    finishes, starts = np.argwhere(cells == FINISH).tolist(), np.argwhere(cells == START).tolist()
    apart = all(max(abs(y - v), abs(x - u)) > 1 for y, x in starts for v, u in finishes)
    return apart and (cells == FREE).sum() >= max(1, len(finishes)) and not probably_swapped(cells)


def probably_swapped(cells):
    """Return whether most of the border is track, and cells off the track connect a start with a finish."""
    rows, cols = cells.shape
    border = [cells[y, x] for y in range(rows) for x in range(cols) if y in (0, rows - 1) or x in (0, cols - 1)]
    connected = np.isin(cells, (OFF, START, FINISH))
    reached = cells == START
    for _ in range(cells.size):
        near = np.pad(reached, 1)
        reached = connected & np.any([near[y : y + rows, x : x + cols] for y in range(3) for x in range(3)], axis=0)
    return 2 * border.count(FREE) > len(border) and (reached & (cells == FINISH)).any()


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200))
@example(b"\xef\xbb\xbf")
@example(b"BM")
@example(b"\x89PNG\r\n\x1a\n")
def test_reading_random_bytes_gives_a_track_or_raises_an_error(data):
    assert_track_or_error(data)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="#.SF \n\r\t/-01", max_size=80))
def test_parsing_random_track_characters_gives_a_track_or_raises_an_error(text):
    assert_track_or_error(text.encode())


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_reading_an_image_with_corrupted_bytes_gives_a_track_or_raises_an_error(data):
    format = data.draw(st.sampled_from(["PNG", "BMP", "GIF", "PPM", "JPEG", "WEBP"]))
    file = io.BytesIO()
    Image.fromarray(picture("rrrrrrr rbgggwr rrrrrrr")).save(file, format)
    content = bytearray(file.getvalue())
    for _ in range(data.draw(st.integers(0, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    assert_track_or_error(bytes(content[: data.draw(st.integers(0, len(content)))]))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_random_tracks_round_trip(data):
    rows, cols = data.draw(st.integers(1, 6)), data.draw(st.integers(2, 6))
    cells = np.array(
        data.draw(st.lists(st.sampled_from([OFF, FREE, START, FINISH]), min_size=rows * cols, max_size=rows * cols))
    ).reshape(rows, cols)
    cells[0, 0], cells[0, data.draw(st.sampled_from([1, cols - 1]))] = START, FINISH
    cells[0] = np.where(cells[0] == OFF, FREE, cells[0])
    track = Track(cells, title=data.draw(st.text(max_size=20)))
    read_back = Track.decode(track.to_text("symbols").encode())
    assert read_back == Track.parse(track.to_text()) == track
    assert_picture_round_trips_or_is_rejected(track)
    assert read_back.title == track.title


# --- The zombie array


def plain_zombie_array(cells):
    """Compute the zombie array in plain Python."""
    rows, cols = cells.shape
    distance = np.full((rows, cols), -1)
    waiting = deque((y, x) for y in range(rows) for x in range(cols) if cells[y, x] == FINISH)
    for y, x in waiting:
        distance[y, x] = 0
    while waiting:
        y, x = waiting.popleft()
        for beside in ((y - 1, x), (y, x + 1), (y + 1, x), (y, x - 1)):
            inside = 0 <= beside[0] < rows and 0 <= beside[1] < cols
            if inside and cells[beside] != OFF and distance[beside] < 0:
                distance[beside] = distance[y, x] + 1
                waiting.append(beside)
    return distance


def test_the_zombie_array_of_a_small_track_is_correct():
    track = Track.parse("#####\n#S..#\n###.#\n#.#F#")
    expected = [[-1, -1, -1, -1, -1], [-1, 4, 3, 2, -1], [-1, -1, -1, 1, -1], [-1, -1, -1, 0, -1]]
    assert track.distance.tolist() == expected
    assert track.distance.dtype == np.int32


@pytest.mark.parametrize("seed", range(20))
def test_the_zombie_array_agrees_with_a_plain_search(seed):
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(1, 30, 2))
    cells = rng.choice([OFF, FREE, START, FINISH], shape, p=[0.35, 0.6, 0.02, 0.03]).astype(np.int8)
    assert np.array_equal(race.zombie_array(cells), plain_zombie_array(cells))


@pytest.mark.skipif(not REPORT, reason="the race report is not available")
def test_the_zombie_array_matches_figure_2_of_the_race_report():
    rows = re.findall(r"^-1(?:\t-?\d+){11}$", REPORT[0].read_text(encoding="utf-8"), re.MULTILINE)
    figure = np.array([[int(number) for number in row.split()] for row in rows])
    assert figure.shape == (12, 12)
    cells = np.where(np.isin(figure, (OFF, FINISH)), figure, FREE).astype(np.int8)
    figure[figure == FINISH] = 0  # the figure shows the code of the finish instead of distance 0
    assert np.array_equal(race.zombie_array(cells), figure)


# --- Bundled tracks

NAMES = bundled_names()


def test_the_bundled_tracks_come_in_many_sizes():
    assert len(NAMES) >= 14
    assert len({bundled(name) for name in NAMES}) == len(NAMES)
    lengths = [int(bundled(name).distance.max()) for name in NAMES]
    assert min(lengths) < 40
    assert max(lengths) > 500
    assert len({bundled_title(name) for name in NAMES}) == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_each_bundled_track_is_valid(name):
    track = Track.read(name)
    assert track.name == name
    assert track.title
    assert len(track.starts) >= 4
    assert (track.distance[track.cells == START] > 0).all()
    assert (track.distance[track.cells != OFF] >= 0).all()  # the finish is reachable from every cell
    edge = np.concatenate([track.cells[[0, -1]].reshape(-1), track.cells[:, [0, -1]].reshape(-1)])
    assert (edge == OFF).all()


def test_bundled_tracks_match_the_script_that_draws_them():
    from benchmarks.race_tracks import DRAWN

    assert tuple(DRAWN) == NAMES
    for name, (title, draw) in DRAWN.items():
        assert np.array_equal(draw(), bundled(name).cells)
        assert title == bundled_title(name)


def test_every_public_name_exists():
    for name in race.__all__:
        assert getattr(race, name) is not None
    assert set(race.__all__) <= set(dir(race))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        race.nothing  # noqa: B018  # pyright: ignore


# --- the header


ROAD = """\
// The road
// Brake early.
// rules: cross, penalty=3
#####
#S.F#
#####
"""


def test_the_title_and_description_and_rules_of_a_track_are_read_from_its_header():
    track = Track.parse(ROAD)
    assert (track.title, track.about, track.rules) == ("The road", "Brake early.", "cross, penalty=3")
    assert track.to_text("symbols") == ROAD
    assert pickle.loads(pickle.dumps(track)).rules == track.rules
    plain = Track.parse("#####\n#S.F#\n#####")
    assert track == plain and plain.rules is None


@pytest.mark.parametrize("style", ["numbers", "symbols"])
def test_a_track_that_is_written_and_read_keeps_the_rules_in_its_header(style, tmp_path):
    track = Track.parse(ROAD)
    track.write(tmp_path / "road.txt", style)
    again = Track.read(tmp_path / "road.txt")
    assert (again.title, again.about, again.rules) == (track.title, track.about, track.rules)


def test_environments_and_plans_and_boards_use_the_rules_in_the_header_of_a_track(tmp_path):
    (tmp_path / "road.txt").write_text(ROAD, encoding="utf-8")
    expected = race.RaceRules(finish="cross", penalty=3)
    assert race.RaceEnv(track=tmp_path / "road.txt").rules == expected
    assert race.make_env(tmp_path / "road.txt", penalty=1).rules == expected.change(penalty=1)
    assert race.make_env(tmp_path / "road.txt", rules="landing").rules == race.RaceRules(line="landing")
    assert race.make_env([Track.parse(ROAD), Track.read("01-straight")]).rules == race.RaceRules()
    board = game_named("race").levels.read(str(tmp_path / "road.txt"))
    assert board.preset == "cross, penalty=3"
    assert game_named("race").levels.environment(board, board.preset).rules == expected
    hairpin = bundled("04-hairpin")
    jumping = Track(hairpin.cells, rules="landing")
    assert race.solve(jumping).steps == race.solve(hairpin, line="landing").steps < race.solve(hairpin).steps
    assert race.solve(jumping, line="valid_line").steps == race.solve(hairpin).steps


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("// rules: cros", "did you mean 'cross'?"),
        ("// rules: race, penalti=3", "did you mean 'penalty'?"),
        ("// rules: race, cars=3", "cars cannot be set"),
        ("// rules: race\n// rules: cross", "a second line with rules"),
    ],
)
def test_invalid_rules_in_a_track_file_are_reported_with_their_line_number(line, words):
    with pytest.raises(TrackError) as error:
        Track.parse(f"// The road\n{line}\n#####\n#S.F#\n#####", "road.txt")
    assert str(error.value).startswith(f"road.txt, line {2 + line.count(chr(10))}: ") and words in str(error.value)
