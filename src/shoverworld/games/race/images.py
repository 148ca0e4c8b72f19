"""Tracks as images with one pixel per cell, as in the race report.

Pixels are red (off the track), green (track), blue (start) or white (finish), unless another scheme is given
(colours.py). Each pixel is read as the nearest of these colours. A pixel that is not close to any of them is an error.
A picture in another scheme may also contain these four colours with other meanings. `from_pixels` rejects such a
picture if the resulting track would be implausible.
"""

import io
import struct
import warnings

import numpy as np
from PIL import Image, UnidentifiedImageError

from shoverworld.core.errors import TrackError
from shoverworld.core.problems import completed

from . import colours as schemes
from . import problems as say
from .codes import COLOURS, FINISH, FREE, LARGEST_SIDE, NEAR, OFF, START
from .problems import PROBLEMS
from .zombie import steps_from

FORMATS = (
    "PNG",
    "BMP",
    "GIF",
    "PPM",
    "JPEG",
    "WEBP",
)  # formats that are read; the decoders of Pillow's other formats are large or may run programs
SUFFIXES = {".png": "PNG", ".bmp": "BMP", ".ppm": "PPM"}  # formats that are written, all lossless
_STARTS = (b"\x89PNG", b"BM", b"GIF8", b"P1", b"P2", b"P3", b"P4", b"P5", b"P6", b"\xff\xd8\xff", b"RIFF")


def is_picture(data: bytes) -> bool:
    """Return whether a file is an image, judging by its first bytes. No track in text form starts with these bytes."""
    return data.startswith(_STARTS)


def decode(data: bytes, source: str) -> np.ndarray:
    """Decode an image file into pixels, uint8 (rows, cols, 4).

    An image that is too large according to its header is not decoded.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow warns about large images, but our limit is far lower
            with Image.open(io.BytesIO(data), formats=FORMATS) as picture:
                _check_size(picture.height, picture.width, source)
                return np.asarray(picture.convert("RGBA"))
    except Image.DecompressionBombError:  # Pillow checks the size before `_check_size` does
        raise _too_large(_pixels_of(data), source) from None
    except TrackError:
        raise
    except UnidentifiedImageError:  # Pillow's message names a Python object instead of the file
        raise TrackError.at(
            "cannot read the image (its header is damaged); expected a valid PNG file", source
        ) from None
    except Exception as reason:  # decoders raise many kinds of errors for damaged files
        what = f"cannot read the image ({str(reason) or type(reason).__name__:.80}); expected a valid PNG file"
        raise TrackError.at(what, source) from None


def from_pixels(pixels: np.ndarray, source: str, colours: schemes.Colours | None = None) -> np.ndarray:
    """Convert pixels, uint8 (rows, cols, 3) or (rows, cols, 4) with opacity, to cells, int8 (rows, cols)."""
    scheme = schemes.scheme(colours)
    pixels, kinds, place = _colours_of(pixels, source)
    rows, cols, _ = pixels.shape
    away = np.array([colour for colour, _ in scheme.shades])[None] - kinds[:, None, :3].astype(np.int64)
    squares = (away * away).sum(axis=2)
    invalid = (squares.min(axis=1) > NEAR * NEAR) | (kinds[:, 3] < 128)
    if invalid.any():
        y, x = divmod(int(np.flatnonzero(invalid[place])[0]), cols)
        what = f"{_colour(pixels[y, x].tolist(), scheme.expected)}; {described(pixels, scheme)}"
        raise TrackError.at(what, source, pixel=(x, y))
    codes = np.array([code for _, code in scheme.shades], np.int8)[squares.argmin(axis=1)]
    cells = codes[place].reshape(rows, cols)
    for code in (START, FINISH):
        if not (cells == code).any():
            what = say.no_pixel(schemes.WORDS[code], scheme.names[code])
            raise TrackError.at(f"{what}; {described(pixels, scheme)}", source)
    if sign := sign_of_another_scheme(cells):
        what = f"{say.other_scheme(sign, meanings_of(scheme))}; {described(pixels, scheme)}"
        raise TrackError.at(what, source)
    return cells


def sign_of_another_scheme(cells: np.ndarray) -> str:
    """Return a sign that the picture of these cells uses another scheme, or "" if the cells are plausible."""
    finishes, track = int((cells == FINISH).sum()), int((cells == FREE).sum())
    if not track:
        return say.NO_TRACK_CELL
    if finishes > track:
        return completed(say.MORE_FINISHES, finishes, track)
    rows, cols = cells.shape
    finish = np.pad(cells == FINISH, 1)
    beside = np.any([finish[y : y + rows, x : x + cols] for y in range(3) for x in range(3)], axis=0)
    for y, x in np.argwhere(beside & (cells == START))[:1].tolist():
        return completed(say.TOUCHING, x, y)
    edge = border(cells)
    on_border = int((edge == FREE).sum())
    if 2 * on_border > len(edge) and _joined_off_the_track(cells):
        return completed(say.TRACK_BORDER, on_border, len(edge))
    return ""


def border(cells: np.ndarray) -> np.ndarray:
    """Return the cells on the border, each of them once."""
    inside = np.zeros(cells.shape, bool)
    inside[1:-1, 1:-1] = True
    return cells[~inside]


def _joined_off_the_track(cells: np.ndarray) -> bool:
    """Return whether a car could get from a start to a finish if the track and the cells off the track were swapped."""
    swapped = np.where(cells == OFF, FREE, np.where(cells == FREE, OFF, cells))
    return bool((steps_from(swapped, cells == START, diagonal=True)[cells == FINISH] >= 0).any())


def described(pixels: np.ndarray, scheme: schemes.Scheme) -> str:
    """Return the number of pixels of each colour, and advice in case the scheme does not fit."""
    pixels, kinds, place = _colours_of(pixels, "")
    name_of_kind = schemes.names_of(kinds)
    names = list(dict.fromkeys(name_of_kind))
    index = {name: i for i, name in enumerate(names)}
    named = np.array([index[name] for name in name_of_kind])[place]  # for each pixel, the index of its name
    counts = np.bincount(named).tolist()
    there = schemes.in_words(dict(zip(names, counts, strict=True)))
    edge = border(named.reshape(pixels.shape[:2]))
    change = "specify its colours" if scheme is schemes.REPORT else "correct the colours given"
    example = schemes.example_for(names, counts, named, edge, scheme)
    advice = f"{change} with --colours (in Python: colours=...), {example}"
    if len(kinds) > schemes.MOST_LISTED:
        there += f" in {len(kinds):,} shades"
        advice = (
            f"if it was scaled, smoothed or saved as JPEG, save it as PNG with one pixel per cell; otherwise {advice}"
        )
    return f"the picture has {there}; {advice}"


def meanings_of(scheme: schemes.Scheme) -> str:
    """Describe the meanings of the colours: "blue is start, white is finish and green is track"."""
    *others, last = (f"{scheme.names[code]} is {schemes.WORDS[code]}" for code in (START, FINISH, FREE))
    return f"{', '.join(others)} and {last}"


def _colours_of(pixels: np.ndarray, source: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Check an array of pixels. Return the pixels with opacity, the distinct colours, and each pixel's colour index."""
    try:
        pixels = np.asarray(pixels)
    except ValueError as reason:
        raise TrackError.at(f"the image is not an array of pixels ({reason})", source) from None
    if pixels.ndim != 3 or pixels.shape[2] not in (3, 4) or pixels.dtype != np.uint8:
        what = f"the image is {pixels.dtype} of shape {pixels.shape}; expected uint8 of shape (rows, cols, 3) or (rows, cols, 4)"
        raise TrackError.at(what, source)
    rows, cols, layers = pixels.shape
    _check_size(rows, cols, source)
    if layers == 3:
        pixels = np.dstack([pixels, np.full((rows, cols), 255, np.uint8)])
    packed = np.ascontiguousarray(pixels).view(np.uint32).reshape(-1)
    kinds, place = np.unique(packed, return_inverse=True)  # each colour is classified only once
    return pixels, kinds.view(np.uint8).reshape(-1, 4), place.reshape(-1)


def _colour(pixel: list[int], expected: str) -> str:
    *colour, opacity = pixel
    return say.transparent_pixel(expected) if opacity < 128 else completed(say.unknown_colour(expected), *colour)


def _check_size(rows: int, cols: int, source: str) -> None:
    if not rows or not cols:
        raise TrackError.at(PROBLEMS.sentence(say.EMPTY_PICTURE, cols, rows), source)
    if max(rows, cols) > LARGEST_SIDE:
        raise TrackError.at(PROBLEMS.sentence(say.LARGE_PICTURE, cols, rows, LARGEST_SIDE), source)


def _too_large(pixels: str, source: str) -> TrackError:
    limit = f"expected one pixel per cell, at most {LARGEST_SIDE} x {LARGEST_SIDE}"
    return TrackError.at(f"the image has {pixels} pixels; {limit}", source)


def _pixels_of(data: bytes) -> str:
    """Return the size of an image that Pillow refuses to open: exactly for a PNG file, otherwise only roughly."""
    if data.startswith(b"\x89PNG"):
        return "{} x {}".format(*struct.unpack(">II", data[16:24]))
    return "more than a hundred million"


def to_pixels(cells: np.ndarray, scale: int = 1) -> np.ndarray:
    """Convert cells to pixels, uint8 (rows * scale, cols * scale, 3)."""
    shades = np.zeros((256, 3), np.uint8)
    for code, colour in COLOURS.items():
        shades[code] = colour  # code -1 indexes the last row
    return shades[cells].repeat(scale, axis=0).repeat(scale, axis=1)


def encode(cells: np.ndarray, suffix: str) -> bytes:
    """Encode cells as an image file with one pixel per cell, in the format for this file suffix."""
    file = io.BytesIO()
    Image.fromarray(to_pixels(cells)).save(file, SUFFIXES[suffix])
    return file.getvalue()
