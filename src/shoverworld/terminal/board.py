"""A game of Shover-World in a terminal, under a line of figures: for games that are watched."""

from typing import Any

from rich.console import Group
from rich.text import Text

from shoverworld.core.front import Mark
from shoverworld.games.shover.state import OUTCOMES, State
from shoverworld.play.rooms import front_of

from .cells import View, lines

SQUARE = (40, 150, 90)


def board(state: State, i: int = 0) -> Text:
    """The map with the shover; boxes in a perfect square are green."""
    record: Any = state.game[i]
    squares = [
        Mark("frame", (row, col), SQUARE, rows=n, cols=n)
        for n, row, col in state.squares_found()[i, : record.squares].tolist()
    ]
    front = front_of("shover")
    whole = front.scene(state.row(i))
    rows, cols = whole.tiles.shape
    return Text("\n").join([*lines(front, whole, View(0, 0, rows, cols), squares), Text()])


def scene(state: State, title: str, said: str = "", i: int = 0) -> Group:
    """The board under a line of figures."""
    record: Any = state.game[i]
    figures = Text.assemble(
        (title, "bold"),
        f"   step {record.timestep}   stamina {record.stamina:g}   boxes {record.boxes}   destroyed {record.destroyed}   ",
        (OUTCOMES[record.outcome] or said, "bold green" if record.outcome else "dim"),
    )
    return Group(figures, board(state, i))
