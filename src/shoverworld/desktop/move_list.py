"""A block in the panel that lists the moves in the game's notation, with the current position marked."""

from typing import NamedTuple

import pygame
from pygame import Rect

from shoverworld.core.ui import Colour
from shoverworld.play.clipboard import WrittenMoves

from . import theme

LINES = 5  # maximum number of lines
MOST = 400  # maximum number of moves that are laid out before the current position
CARET = 2  # width in pixels


class MoveList(NamedTuple):
    """The moves in the game's notation.

    Moves after the current position are dimmed. Only the lines around this position are shown.
    """

    moves: WrittenMoves
    head: str = "Moves"
    rank: int = 7

    def _lines(self, width: int) -> list[tuple[str, str]]:
        """Return the lines around the current position: for each line, the text before and after that position."""
        before = [one for one in self.moves.before if one]
        after = [one for one in self.moves.after if one]
        cut = max(0, len(before) - MOST)
        lines, at = [("…" if cut else "", "")], 0  # `at`: the line with the current position
        for past, symbols in ((True, before[cut:]), (False, after[:MOST])):
            for symbol in symbols:
                text = symbol + self.moves.separator
                first, second = lines[-1]
                longer = (first + text, second) if past else (first, second + text)
                if first + second and sum(map(theme.width_of, longer)) + 2 * CARET > width:
                    lines.append((text, "") if past else ("", text))
                else:
                    lines[-1] = longer
            at = len(lines) - 1 if past else at
        top = min(max(0, at - LINES // 2), max(0, len(lines) - LINES))
        return lines[top : top + LINES]

    def height(self, width: int) -> int:
        return (1 + len(self._lines(width - theme.GAP))) * theme.line_height() + theme.GAP

    def draw(self, surface: pygame.Surface, rect: Rect) -> None:
        tall = theme.line_height()
        pygame.draw.line(surface, theme.LINE, rect.topleft, (rect.left, rect.bottom - theme.GAP), 2)
        line = Rect(rect.left + theme.GAP, rect.top, rect.width - theme.GAP, tall)
        theme.write(surface, self.head, line, colour=theme.SOFT)
        lines = self._lines(line.width)
        at = max((place for place, (first, _) in enumerate(lines) if first), default=0)
        for place, (first, second) in enumerate(lines):
            line = line.move(0, tall)
            x = _written(surface, first, line, theme.TEXT)
            after = x + 2 * CARET if place == at else x
            _written(surface, second, Rect(after, line.top, line.right - after, tall), theme.SOFT)
            if place == at:
                pygame.draw.rect(surface, theme.ACCENT, Rect(x, line.top + 2, CARET, tall - 4))


def _written(surface: pygame.Surface, text: str, rect: Rect, colour: Colour) -> int:
    """Write a string, and return the x coordinate of its end."""
    theme.write(surface, text, rect, colour=colour)
    return rect.left + theme.width_of(text)
