"""How the window looks: colours, type and spacing, and text drawn with them.

Dark and calm, so that the board is the brightest thing on it. Every text has a contrast of at least 4.5 to its ground,
and nothing is told by colour alone.
"""

from functools import lru_cache

import pygame

from shoverworld.core.ui import Colour

GROUND: Colour = (27, 30, 37)  # behind everything
PANEL: Colour = (36, 40, 49)
RAISED: Colour = (52, 58, 70)  # buttons, fields
HOT: Colour = (66, 74, 90)  # under the pointer
LINE: Colour = (74, 82, 98)
TEXT: Colour = (232, 234, 238)
SOFT: Colour = (172, 180, 194)  # labels, notes
ACCENT: Colour = (86, 156, 214)  # what is chosen or has the focus
CHOSEN: Colour = (44, 84, 122)  # behind a text that is selected
GOOD: Colour = (126, 200, 120)
WARN: Colour = (240, 190, 90)
BAD: Colour = (240, 128, 112)
FLOOR: Colour = (226, 222, 211)  # under tiles that do not cover their cell
INK: Colour = (20, 22, 26)  # dark text on light grounds

TONES = {"": TEXT, "good": GOOD, "bad": BAD, "warn": WARN}

SMALL, NORMAL, LARGE, HUGE = 12, 14, 18, 26  # heights of type, in pixels
GAP = 8  # between things that belong together
MARGIN = 14  # between groups, and to the edge of the window


FINE = 4  # text is drawn so many times larger and made smaller: letters then keep their distances
WIDEST = 8000  # pixels of a line; pygame breaks down at some more


@lru_cache(maxsize=64)
def font(size: int) -> pygame.font.Font:
    """The font that comes with pygame, so that every machine shows the same; `FINE` times as large."""
    return pygame.font.Font(None, round(size * FINE * 16 / 11))  # pygame takes 11/16 of what it is asked for


@lru_cache(maxsize=2048)
def written(text: str, size: int = NORMAL, colour: Colour = TEXT) -> pygame.Surface:
    """A line of text as a picture. Do not change it: it is kept."""
    shown = _plain(fitted(text, WIDEST, size))
    large = font(size).render(shown if font(size).size(shown)[0] else "", True, colour)
    return pygame.transform.smoothscale(large, (-(-large.get_width() // FINE), -(-large.get_height() // FINE)))


def _plain(text: str) -> str:
    """As it can be drawn: in one line; what is no letter at all, as in the names of some files, is a question mark."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() or c == "\0" else "?" for c in text)


def forget() -> None:
    """Fonts and pictures made with them die with the window."""
    font.cache_clear()
    written.cache_clear()
    width_of.cache_clear()


def line_height(size: int = NORMAL) -> int:
    """From one line to the next, with some air between them."""
    return round(font(size).get_linesize() / FINE * 1.18)


@lru_cache(maxsize=4096)
def width_of(text: str, size: int = NORMAL) -> int:
    return -(-font(size).size(_plain(text))[0] // FINE)


def fitted(text: str, width: int, size: int = NORMAL) -> str:
    """The text, cut with an ellipsis when it is wider than this."""
    if width_of(text, size) <= width:
        return text
    low, high = 0, len(text)
    while low < high:  # the longest beginning that fits
        middle = (low + high + 1) // 2
        if width_of(text[:middle].rstrip() + "…", size) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…" if low else ""


def wrapped(text: str, width: int, size: int = NORMAL) -> list[str]:
    """The text in lines of at most this width; its own line breaks are kept, words that are too long are broken."""
    lines = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}" if line else word
            if width_of(longer, size) <= width:
                line = longer
                continue
            if line:
                lines.append(line)
            while width_of(word, size) > width and len(word) > 1:
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
    """One line, in the vertical middle of a rectangle, cut to its width; align: left, middle or right."""
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
    """Lines from the top of a rectangle, as many as fit; the y after the last one."""
    y, height = rect.top, line_height(size)
    for line in lines:
        if y + height > rect.bottom:
            break
        picture = written(line, size, colour)
        surface.blit(picture, (rect.left, y + (height - picture.get_height()) // 2))
        y += height
    return y


def veil(surface: pygame.Surface) -> None:
    """Darken all that is there, so that something can be laid over it."""
    dark = pygame.Surface(surface.get_size(), pygame.SRCALPHA)
    dark.fill((0, 0, 0, 130))
    surface.blit(dark, (0, 0))


def light(colour: Colour) -> bool:
    """Is it a colour that dark text is read on best?"""
    red, green, blue = colour
    return 0.299 * red + 0.587 * green + 0.114 * blue > 140
