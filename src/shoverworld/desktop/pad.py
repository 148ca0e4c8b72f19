"""The buttons for the moves of a game that has few of them: three in a row, as on the number pad of a keyboard."""

from typing import NamedTuple

import pygame
from pygame import Rect

from shoverworld.core.ui import Cell, Colour, MoveButton

from . import theme

PAD, PAD_GAP = 30, 4  # the height of a button, and what is between two


class Pad(NamedTuple):
    """Moves as buttons, three in a row: each with its key and an arrow that shows where it leads. `ready`: it is a
    person's turn."""

    choices: tuple[MoveButton, ...]
    ready: bool = True
    colour: Colour = theme.ACCENT  # of who moves
    rank: int = 1

    def places(self, width: int) -> list[Rect]:
        """Where each of them is, from the top left."""
        wide = min((width - 2 * PAD_GAP) // 3, 2 * PAD)
        return [
            Rect(place % 3 * (wide + PAD_GAP), place // 3 * (PAD + PAD_GAP), wide, PAD)
            for place in range(len(self.choices))
        ]

    def key_at(self, rect: Rect, pos: tuple[int, int]) -> str | None:
        inside = pos[0] - rect.left, pos[1] - rect.top
        places = zip(self.choices, self.places(rect.width), strict=True)
        return next((choice.key for choice, place in places if place.collidepoint(inside)), None)

    def height(self, width: int) -> int:
        return -(-len(self.choices) // 3) * (PAD + PAD_GAP) + theme.GAP

    def draw(self, surface: pygame.Surface, rect: Rect) -> None:
        for choice, place in zip(self.choices, self.places(rect.width), strict=True):
            place.move_ip(rect.topleft)
            good = choice.legal and self.ready
            pygame.draw.rect(surface, theme.RAISED if good else theme.GROUND, place, border_radius=5)
            if good:
                pygame.draw.rect(surface, self.colour, place, 1, border_radius=5)
            ink = theme.TEXT if good else theme.BAD if self.ready else theme.LINE
            cap = Rect(place.left + 6, place.top, 12, place.height)
            theme.write(surface, choice.key, cap, theme.SMALL, theme.SOFT if self.ready else theme.LINE)
            self._draw_way(surface, choice.offset, place.center, ink)
            if self.ready and not choice.legal:  # told by more than a colour
                reach = PAD // 4
                x, y = place.right - reach - 4, place.centery
                for slope in (-1, 1):
                    pygame.draw.line(
                        surface,
                        ink,
                        (x - reach // 2, y - slope * reach // 2),
                        (x + reach // 2, y + slope * reach // 2),
                        2,
                    )

    def _draw_way(self, surface: pygame.Surface, way: Cell, middle: tuple[int, int], ink: Colour) -> None:
        (down, right), (x, y) = way, middle
        if not down and not right:
            pygame.draw.circle(surface, ink, middle, 4)
            return
        reach = PAD // 4 if down and right else PAD // 3
        tip = x + right * reach, y + down * reach
        pygame.draw.line(surface, ink, (x - right * reach, y - down * reach), tip, 3 if down and right else 2)
        for turn in (-1, 1):  # the two halves of its head, half a right angle off the shaft
            back = (-right - turn * down, -down + turn * right)
            scale = 5 / max(1, abs(back[0]) + abs(back[1]))
            pygame.draw.line(surface, ink, tip, (tip[0] + back[0] * scale, tip[1] + back[1] * scale), 2)
