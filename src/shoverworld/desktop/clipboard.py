"""The system clipboard, accessed through pygame."""

import pygame

from shoverworld.core.errors import ShoverWorldError


class WindowClipboard:
    def put(self, text: str) -> None:
        try:
            pygame.scrap.put_text(text)
        except (pygame.error, AttributeError) as reason:
            raise ShoverWorldError(f"nothing was copied: no clipboard is available ({reason})") from None

    def get(self) -> str:
        try:
            return pygame.scrap.get_text()
        except (pygame.error, AttributeError, UnicodeDecodeError):  # no clipboard is available, or it contains no text
            return ""


CLIPBOARD = WindowClipboard()
