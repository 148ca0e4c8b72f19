"""Tracks as pictures, as in the report: one pixel a cell; red is off the track, green track, blue a start, white a finish.

The nearest of these colours counts; a pixel that is near none of them is an error which names it.
"""

import io
import struct
import warnings

import numpy as np
from PIL import Image, UnidentifiedImageError

from shoverworld.core.errors import TrackError

from .codes import COLOURS, LARGEST_SIDE, NEAR, SHADES

FORMATS = ("PNG", "BMP", "GIF", "PPM", "JPEG", "WEBP")  # what is read; others would run programs, or huge readers
SUFFIXES = {".png": "PNG", ".bmp": "BMP", ".ppm": "PPM"}  # what is written: what loses nothing
_STARTS = (b"\x89PNG", b"BM", b"GIF8", b"P1", b"P2", b"P3", b"P4", b"P5", b"P6", b"\xff\xd8\xff", b"RIFF")
_WANTED = "expected red (off the track), green (track), blue (start) or white (finish)"


def is_picture(data: bytes) -> bool:
    """By what it begins with: no track in text begins so."""
    return data.startswith(_STARTS)


def decode(data: bytes, source: str) -> np.ndarray:
    """The cells of a picture file. Its size is read from its header, and a huge one is never decoded."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of Pillow: our own limit is far lower
            with Image.open(io.BytesIO(data), formats=FORMATS) as picture:
                _check_size(picture.height, picture.width, source)
                pixels = np.asarray(picture.convert("RGBA"))
    except Image.DecompressionBombError:  # Pillow looked at the size before we could
        raise _too_large(_pixels_of(data), source) from None
    except TrackError:
        raise
    except UnidentifiedImageError:  # its text speaks of Python, not of the picture
        raise TrackError.at(
            "the picture cannot be read (its header is broken); expected a whole PNG file", source
        ) from None
    except Exception as reason:  # a broken picture can break its reader in any way
        what = f"the picture cannot be read ({str(reason) or type(reason).__name__:.80}); expected a whole PNG file"
        raise TrackError.at(what, source) from None
    return from_pixels(pixels, source)


def from_pixels(pixels: np.ndarray, source: str) -> np.ndarray:
    """int8 (rows, cols) from uint8 (rows, cols, 3), or 4 with opacity."""
    try:
        pixels = np.asarray(pixels)
    except ValueError as reason:
        raise TrackError.at(f"the picture is not a table of pixels ({reason})", source) from None
    if pixels.ndim != 3 or pixels.shape[2] not in (3, 4) or pixels.dtype != np.uint8:
        what = f"a picture of {pixels.dtype} {pixels.shape}; expected uint8 of shape (rows, cols, 3), or 4 with opacity"
        raise TrackError.at(what, source)
    rows, cols, layers = pixels.shape
    _check_size(rows, cols, source)
    if layers == 3:
        pixels = np.dstack([pixels, np.full((rows, cols), 255, np.uint8)])
    # Pixels are few in kind, so each kind is looked at once.
    packed = np.ascontiguousarray(pixels).view(np.uint32).reshape(-1)
    kinds, place = np.unique(packed, return_inverse=True)
    kinds = kinds.view(np.uint8).reshape(-1, 4)
    away = np.array([colour for colour, _ in SHADES])[None] - kinds[:, None, :3].astype(np.int64)
    squares = (away * away).sum(axis=2)
    strange = (squares.min(axis=1) > NEAR * NEAR) | (kinds[:, 3] < 128)
    place = place.reshape(-1)
    if strange.any():
        y, x = divmod(int(np.flatnonzero(strange[place])[0]), cols)
        raise TrackError.at(f"{_colour(pixels[y, x].tolist())}; {_WANTED}", source, pixel=(x, y))
    codes = np.array([code for _, code in SHADES], np.int8)[squares.argmin(axis=1)]
    return codes[place].reshape(rows, cols)


def _colour(pixel: list[int]) -> str:
    red, green, blue, opacity = pixel
    if opacity < 128:
        return "this pixel is transparent"
    return f"the colour ({red}, {green}, {blue}) is near none of ours"


def _check_size(rows: int, cols: int, source: str) -> None:
    if not rows or not cols:
        raise TrackError.at(f"the picture is empty, {cols} x {rows} pixels; expected one pixel a cell", source)
    if max(rows, cols) > LARGEST_SIDE:
        raise _too_large(f"{cols} x {rows}", source)


def _too_large(pixels: str, source: str) -> TrackError:
    limit = f"expected one pixel a cell, {LARGEST_SIDE} x {LARGEST_SIDE} at the most"
    return TrackError.at(f"the picture has {pixels} pixels; {limit}", source)


def _pixels_of(data: bytes) -> str:
    """The size of a PNG file, from its header; of other files, that it is beyond what Pillow opens."""
    if data.startswith(b"\x89PNG"):
        return "{} x {}".format(*struct.unpack(">II", data[16:24]))
    return "more than a hundred million"


def to_pixels(cells: np.ndarray, scale: int = 1) -> np.ndarray:
    """uint8 (rows * scale, cols * scale, 3)."""
    shades = np.zeros((256, 3), np.uint8)
    for code, colour in COLOURS.items():
        shades[code] = colour  # -1 is the last one
    return shades[cells].repeat(scale, axis=0).repeat(scale, axis=1)


def encode(cells: np.ndarray, suffix: str) -> bytes:
    """The picture file, one pixel a cell, in the format that goes by this suffix."""
    file = io.BytesIO()
    Image.fromarray(to_pixels(cells)).save(file, SUFFIXES[suffix])
    return file.getvalue()
