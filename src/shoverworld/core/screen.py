"""A plain window for `render_mode="human"`. It shows labelled values above an image and does not depend on any game."""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from .errors import MissingExtra, ShoverWorldError

Entry = tuple[str, str]  # a label and its value, such as ("Stamina", "640")

NARROWEST = 360  # minimum width of the window in pixels, so that the values above a small board are readable
LABEL, VALUE = 16, 24  # font heights of a label and its value
MARGIN, GAP = 10, 22  # space around the values and between them
GROUND, SOFT, TEXT = (27, 30, 37), (172, 180, 194), (232, 234, 238)


class RenderWindow:
    """A window that opens with the first image, adapts to the image size and shows at most `fps` images per second."""

    def __init__(self, title: str, fps: int):
        self.title, self.fps = title, fps
        self._window: Any = None
        self._clock: Any = None
        self._image_size = 0, 0
        self._rows = 0  # number of rows of values; it never decreases while the images have the same size

    def show(self, image: np.ndarray, entries: Sequence[Entry] = ()) -> None:
        """Show an image below these values."""
        pygame = pygame_for('render_mode="human"')
        size = image.shape[1], image.shape[0]
        width = max(NARROWEST, size[0])
        pygame.font.init()
        placed = _flow(pygame, entries, width)
        if size != self._image_size:
            self._image_size, self._rows = size, 0
        self._rows = max(self._rows, max((row for row, *_ in placed), default=-1) + 1)
        high = self._rows * (LABEL + VALUE) + (MARGIN if self._rows else 0)
        if self._window is None or self._window.get_size() != (width, high + size[1]):
            self._open(pygame, (width, high + size[1]))
        window: Any = self._window
        pygame.event.pump()
        window.fill(GROUND)
        for row, x, label, value in placed:
            window.blit(label, (x, row * (LABEL + VALUE) + MARGIN // 2))
            window.blit(value, (x, row * (LABEL + VALUE) + MARGIN // 2 + LABEL - 2))
        picture = pygame.surfarray.make_surface(image.swapaxes(0, 1))
        window.blit(picture, ((width - size[0]) // 2, high))
        pygame.display.flip()
        self._clock.tick(self.fps)

    def _open(self, pygame: Any, size: tuple[int, int]) -> None:
        try:
            pygame.display.init()
            self._window = pygame.display.set_mode(size)
        except pygame.error as reason:
            raise ShoverWorldError(
                f'render_mode="human" needs a display, but no window could be opened ({reason}); '
                'use "rgb_array" or "ansi", or set SDL_VIDEODRIVER=dummy to run without a display'
            ) from None
        pygame.display.set_caption(self.title)
        self._clock = self._clock or pygame.time.Clock()

    def close(self) -> None:
        if self._window is not None:
            pygame_for('render_mode="human"').display.quit()
            self._window = None


def _flow(pygame: Any, entries: Sequence[Entry], width: int) -> list[tuple[int, int, Any, Any]]:
    """For each value, return its row and x coordinate, and its label and value as surfaces.

    A row is as wide as the window; longer values are cut off.
    """
    fonts = [pygame.font.Font(None, height) for height in (LABEL, VALUE)]
    placed: list[tuple[int, int, Any, Any]] = []
    row, x = 0, MARGIN
    for entry in entries:
        drawn = [font.render(text, True, colour) for font, text, colour in zip(fonts, entry, (SOFT, TEXT), strict=True)]
        wide = min(max(part.get_width() for part in drawn), width - 2 * MARGIN)
        if x > MARGIN and x + wide > width - MARGIN:
            row, x = row + 1, MARGIN
        parts = [part.subsurface((0, 0, min(wide, part.get_width()), part.get_height())) for part in drawn]
        placed.append((row, x, parts[0], parts[1]))
        x += wide + GAP
    return placed


def pygame_for(what: str) -> Any:
    """Return pygame, or raise a MissingExtra that names the extra to install for `what`."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ImportError:
        raise MissingExtra.of(what, "pygame-ce", "gui") from None
    return pygame
