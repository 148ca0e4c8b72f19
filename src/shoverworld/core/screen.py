"""A plain window for `render_mode="human"`. It shows images and knows nothing about games."""

import os
from typing import Any

import numpy as np

from .errors import MissingExtra, ShoverWorldError


class RenderWindow:
    """A window that opens with the first image, adapts to the image size and shows at most `fps` images per second."""

    def __init__(self, title: str, fps: int):
        self.title, self.fps = title, fps
        self._window: Any = None
        self._clock: Any = None

    def show(self, image: np.ndarray) -> None:
        pygame = pygame_for('render_mode="human"')
        size = image.shape[1], image.shape[0]
        if self._window is None or self._window.get_size() != size:
            self._open(pygame, size)
        window: Any = self._window
        pygame.event.pump()
        window.blit(pygame.surfarray.make_surface(image.swapaxes(0, 1)), (0, 0))
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
        self._clock = pygame.time.Clock()

    def close(self) -> None:
        if self._window is not None:
            pygame_for('render_mode="human"').display.quit()
            self._window = None


def pygame_for(what: str) -> Any:
    """Return pygame, or raise a MissingExtra that names the extra to install for `what`."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ImportError:
        raise MissingExtra.of(what, "pygame-ce", "gui") from None
    return pygame
