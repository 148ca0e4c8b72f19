"""Keeps a game running if a part that is only for display (an overlay, a hint, a thumbnail) fails."""

from collections.abc import Callable
from typing import Any, TypeVar

from shoverworld.core.game import Game
from shoverworld.core.ui import Board, Scene

T = TypeVar("T")


class Guard:
    """Calls a game's functions that are only for display. If a function raises an exception, `report` is called with a
    message, but only once for each part of the game, and the game continues."""

    def __init__(self, report: Callable[[str], Any]):
        self._report = report
        self._reported: set[str] = set()

    def __call__(self, what: str, make: Callable[[], T], otherwise: T) -> T:
        """Return the result of `make`, or `otherwise` if `make` fails. `what` describes the part in the message, such
        as "the overlay plan ahead"."""
        try:
            return make()
        except Exception as reason:  # a failed picture must not end the game
            if what not in self._reported:
                self._reported.add(what)
                self._report(f"{what[:1].upper()}{what[1:]} failed: {type(reason).__name__}: {reason}")
            return otherwise


def thumbnail(game: Game, board: Board, guard: Guard) -> Scene | None:
    """Return the picture of a level, or None if the game cannot draw it."""
    return guard(f"the picture of {board.name}", lambda: game.ui.drawing.thumbnail(board), None)
