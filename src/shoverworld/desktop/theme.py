"""The appearance of the window: colours, font sizes, spacing, and functions that draw text.

The window is dark, so that the board is the brightest part. All text has a contrast ratio of at least 4.5, and
nothing is shown by colour alone.
"""

from functools import lru_cache

import pygame

from shoverworld.core.text import one_line, visible
from shoverworld.core.ui import Colour

GROUND: Colour = (27, 30, 37)  # the background of everything
PANEL: Colour = (36, 40, 49)
RAISED: Colour = (52, 58, 70)  # buttons and text fields
HOT: Colour = (66, 74, 90)  # widgets under the pointer
LINE: Colour = (74, 82, 98)
TEXT: Colour = (232, 234, 238)
SOFT: Colour = (172, 180, 194)  # labels and notes
ACCENT: Colour = (86, 156, 214)  # the selection and the focus
CHOSEN: Colour = (44, 84, 122)  # behind selected text
STRONG: Colour = (48, 94, 138)  # the default button, and buttons that are switched on
STRONG_HOT: Colour = (58, 110, 158)  # strong buttons under the pointer
GOOD: Colour = (126, 200, 120)
WARN: Colour = (240, 190, 90)
BAD: Colour = (240, 128, 112)
FLOOR: Colour = (226, 222, 211)  # under tiles that do not cover their cell
INK: Colour = (20, 22, 26)  # dark text on light backgrounds

TONES = {"": TEXT, "good": GOOD, "bad": BAD, "warn": WARN}

SMALL, NORMAL, LARGE, HUGE = 12, 14, 18, 26  # font heights in pixels
GAP = 8  # spacing within a group
MARGIN = 14  # spacing between groups and at the edge of the window


FINE = 4  # text is drawn larger by this factor and scaled down, which preserves the letter spacing
WIDEST = 8000  # maximum width of a line in pixels; pygame fails at greater widths
LONGEST = 20_000  # maximum number of characters that are split into lines; a screen has no room for more
LONGEST_CAPTION = 200  # maximum number of characters in the title of the window


@lru_cache(maxsize=64)
def font(size: int) -> pygame.font.Font:
    """Return pygame's default font, which is the same on every machine, at `FINE` times the given size."""
    return pygame.font.Font(None, round(size * FINE * 16 / 11))  # pygame draws this font at 11/16 of the given size


@lru_cache(maxsize=2048)
def written(text: str, size: int = NORMAL, colour: Colour = TEXT) -> pygame.Surface:
    """Return a line of text as a picture. The picture is cached, so do not modify it."""
    shown = _plain(fitted(text, WIDEST, size))
    large = font(size).render(shown if font(size).size(shown)[0] else "", True, colour)
    return pygame.transform.smoothscale(large, (-(-large.get_width() // FINE), -(-large.get_height() // FINE)))


def _plain(text: str) -> str:
    """Return the text on one line, with question marks in place of characters that are invisible or cannot be drawn."""
    if text.isascii() and text.isprintable():
        return text
    shown = zip(text, visible(text), strict=True)
    return "".join(c if c == v != "\n" else " " if c.isspace() or c == "\0" else "?" for c, v in shown)


def set_caption(text: str) -> None:
    """Set the title of the window. The title may be untrusted text, for example from a level file."""
    pygame.display.set_caption(one_line(text[:LONGEST_CAPTION]))


def forget() -> None:
    """Clear the caches, because fonts become invalid when the window is closed."""
    font.cache_clear()
    written.cache_clear()
    width_of.cache_clear()


def line_height(size: int = NORMAL) -> int:
    """Return the distance between lines."""
    return round(font(size).get_linesize() / FINE * 1.18)


@lru_cache(maxsize=4096)
def width_of(text: str, size: int = NORMAL) -> int:
    return -(-font(size).size(_plain(text))[0] // FINE)


def _fits(text: str, width: int, size: int) -> bool:
    """Return whether a line has at most this width. Long texts are not measured: a character is at least a pixel wide."""
    return len(text) <= width and width_of(text, size) <= width


def fitted(text: str, width: int, size: int = NORMAL) -> str:
    """Return the text, shortened with an ellipsis if it is wider than `width`."""
    if _fits(text, width, size):
        return text
    low, high = 0, min(len(text), max(0, width))
    while low < high:  # find the longest prefix that fits
        middle = (low + high + 1) // 2
        if width_of(text[:middle].rstrip() + "…", size) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…" if low else ""


def wrapped(text: str, width: int, size: int = NORMAL) -> list[str]:
    """Split the text into lines of at most this width. Line breaks are kept; words that are too long are broken. Only
    the first `LONGEST` characters are used."""
    lines = []
    for paragraph in text[:LONGEST].split("\n"):
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}" if line else word
            if _fits(longer, width, size):
                line = longer
                continue
            if line:
                lines.append(line)
            while len(word) > 1 and not _fits(word, width, size):
                cut = max(1, len(fitted(word, width, size)) - 1)
                lines.append(word[:cut])
                word = word[cut:]
            line = word
        lines.append(line)
    return lines


def write(
    surface: pygame.Surface,
    text: str,
    rect: pygame.Rect,
    size: int = NORMAL,
    colour: Colour = TEXT,
    align: str = "left",
) -> pygame.Rect:
    """Write one line, vertically centred in a rectangle and cut to fit. `align` is left, middle or right."""
    picture = written(fitted(text, rect.width, size), size, colour)
    place = picture.get_rect(centery=rect.centery)
    if align == "left":
        place.left = rect.left
    elif align == "right":
        place.right = rect.right
    else:
        place.centerx = rect.centerx
    surface.blit(picture, place)
    return place


def write_lines(
    surface: pygame.Surface, lines: list[str], rect: pygame.Rect, size: int = NORMAL, colour: Colour = TEXT
) -> int:
    """Write as many lines as fit, from the top of a rectangle, and return the y coordinate below the last line."""
    y, height = rect.top, line_height(size)
    for line in lines:
        if y + height > rect.bottom:
            break
        picture = written(line, size, colour)
        surface.blit(picture, (rect.left, y + (height - picture.get_height()) // 2))
        y += height
    return y


def draw_bar(surface: pygame.Surface, rect: pygame.Rect, share: float, tone: str = "") -> None:
    """Draw a bar, and fill this fraction of it (0 to 1) from the left."""
    pygame.draw.rect(surface, RAISED, rect, border_radius=3)
    full = round(rect.width * min(max(share, 0.0), 1.0))
    if full > 0:
        filled = pygame.Rect(rect.left, rect.top, full, rect.height)
        pygame.draw.rect(surface, TONES[tone] if tone else ACCENT, filled, border_radius=3)


def veil(surface: pygame.Surface) -> None:
    """Darken the surface behind a dialog."""
    dark = pygame.Surface(surface.get_size(), pygame.SRCALPHA)
    dark.fill((0, 0, 0, 130))
    surface.blit(dark, (0, 0))


def light(colour: Colour) -> bool:
    """Return whether dark text is readable on this colour."""
    red, green, blue = colour
    return 0.299 * red + 0.587 * green + 0.114 * blue > 140
