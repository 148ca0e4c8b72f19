"""Read pictures of tracks in the WebAssembly module, as images.py does with the colours of the race report.

A page decodes the image file and passes its pixels: red, green, blue and opacity of each pixel, row by row. The messages
are those of images.py without the advice on `--colours`, which a page does not have.
"""

from typing import Any

import numpy as np

from shoverworld.core.blocks import Block, array_at, pointer_to
from shoverworld.core.format_web import BYTE
from shoverworld.core.jit import shared
from shoverworld.core.problems import PIXEL_PLACE
from shoverworld.core.text_reader import problem, problem_in_cell
from shoverworld.core.web import sheet_view

from . import problems as say
from .codes import FINISH, FREE, LARGEST_SIDE, NEAR, START
from .colours import REPORT, WORDS
from .images import meanings_of
from .problems import EMPTY_PICTURE, LARGE_PICTURE, PROBLEMS
from .web_formats import UNKNOWN, check_track, flood, is_joined

OPAQUE = 128  # the lowest opacity of a pixel that is not transparent
_SHADES = np.array([shade for shade, _ in REPORT.shades], np.int32)
_CODES = np.array([code for _, code in REPORT.shades], np.int8)
_COLOUR = PROBLEMS(say.unknown_colour(REPORT.expected))
_TRANSPARENT = PROBLEMS(say.transparent_pixel(REPORT.expected))
_NO_START, _NO_FINISH = (PROBLEMS(say.no_pixel(WORDS[code], REPORT.names[code])) for code in (START, FINISH))
_NO_TRACK, _FINISHES, _TOUCHING, _BORDER = (
    PROBLEMS(say.other_scheme(sign, meanings_of(REPORT)))
    for sign in (say.NO_TRACK_CELL, say.MORE_FINISHES, say.TOUCHING, say.TRACK_BORDER)
)


@shared
def code_of_pixel(pixels, place):
    """Return the code of the nearest colour to a pixel, or UNKNOWN if the pixel is transparent or no colour is near."""
    best, code = NEAR * NEAR + 1, UNKNOWN
    for k in range(len(_SHADES)):
        away = 0
        for part in range(3):
            difference = np.int64(pixels[place + part]) - _SHADES[k, part]
            away += difference * difference
        if away < best:
            best, code = away, _CODES[k]
    return code if pixels[place + 3] >= OPAQUE else UNKNOWN


@shared
def check_size(width, height, sheet):
    if width == 0 or height == 0:
        return problem(sheet, EMPTY_PICTURE, a=width, b=height)
    if max(width, height) > LARGEST_SIDE:
        return problem(sheet, LARGE_PICTURE, a=width, b=height, c=LARGEST_SIDE)
    return 0


@shared
def scan_pixels(pixels, level, rows, cols, sheet):
    """Read the cells of a picture."""
    starts, finishes = 0, 0
    for k in range(len(level)):
        code = code_of_pixel(pixels, 4 * k)
        if code == UNKNOWN:
            phrase = _COLOUR if pixels[4 * k + 3] >= OPAQUE else _TRANSPARENT
            return problem_in_cell(
                sheet, phrase, PIXEL_PLACE, 1.0 * (k % cols), 1.0 * (k // cols), 1.0 * pixels[4 * k],
                1.0 * pixels[4 * k + 1], 1.0 * pixels[4 * k + 2], 0.0,
            )  # fmt: skip
        level[k] = code
        starts += int(code == START)
        finishes += int(code == FINISH)
    if starts == 0 or finishes == 0:
        return problem(sheet, _NO_START if starts == 0 else _NO_FINISH)
    return 0


@shared
def touches_finish(level, rows, cols, cell):
    row, col = cell // cols, cell % cols
    for y in range(max(row - 1, 0), min(row + 2, rows)):
        for x in range(max(col - 1, 0), min(col + 2, cols)):
            if level[y * cols + x] == FINISH:
                return True
    return False


@shared
def check_scheme(level, rows, cols, ground, distance, queue, neighbours, sheet):
    """Write an error if the colours seem to mean something else, as `sign_of_another_scheme` in images.py does."""
    finishes, track, edge, on_border = 0, 0, 0, 0
    for k in range(len(level)):
        finishes += int(level[k] == FINISH)
        track += int(level[k] == FREE)
        if k // cols == 0 or k // cols == rows - 1 or k % cols == 0 or k % cols == cols - 1:
            edge += 1
            on_border += int(level[k] == FREE)
    if track == 0:
        return problem(sheet, _NO_TRACK)
    if finishes > track:
        return problem(sheet, _FINISHES, a=finishes, b=track)
    for k in range(len(level)):
        if level[k] == START and touches_finish(level, rows, cols, k):
            return problem(sheet, _TOUCHING, a=k % cols, b=k // cols)
    if 2 * on_border > edge:
        flood(level, rows, cols, START, FREE, ground, distance, queue, neighbours)
        if is_joined(level, rows, cols, distance):
            return problem(sheet, _BORDER, a=on_border, b=edge)
    return 0


def picture_functions(block: Block) -> tuple[Any, ...]:
    """Return the functions that read pictures."""
    level_of, start_of, measured_of, sheet_of = block["level"], block["start"], block["measured"], sheet_view(block)
    row_count, col_count, car_count = (block.dimension(name) for name in ("rows", "cols", "cars"))
    ground_of, framed_distance_of, queue_of, neighbours_of, marks_of = (
        block[name] for name in ("framed_level", "framed_distance", "queue", "neighbours", "distance")
    )

    def measure_picture(block, pixels, width, height):
        """Write the dimensions of the track in a picture to `measured`."""
        measured = measured_of(block)
        measured[0], measured[1], measured[2] = height, width, car_count(block)
        return check_size(width, height, sheet_of(block))

    def read_picture(block, pixels, width, height):
        """Fill `level` and `start` from the pixels of a picture."""
        rows, cols, level, sheet = row_count(block), col_count(block), level_of(block), sheet_of(block)
        ground, distance = ground_of(block), framed_distance_of(block)
        queue, neighbours = queue_of(block), neighbours_of(block)
        if rows != height or cols != width:
            return -1
        if scan_pixels(array_at(pointer_to(pixels), BYTE, 4 * rows * cols), level, rows, cols, sheet) != 0:
            return 1
        if check_scheme(level, rows, cols, ground, distance, queue, neighbours, sheet) != 0:
            return 1
        start_of(block)[0].places, start_of(block)[0].track = 0, 0
        return check_track(level, rows, cols, ground, distance, queue, neighbours, marks_of(block), sheet)

    return measure_picture, read_picture
