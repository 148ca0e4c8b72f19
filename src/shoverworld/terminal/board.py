"""A game in a terminal: two characters a cell, every kind of cell its own colour and its own sign."""

from typing import Any

from rich.console import Group
from rich.text import Text

from shoverworld.games.shover.state import BARRIER, EMPTY, LAVA, OUTCOMES, State

ARROWS = ("▲", "▶", "▼", "◀")
STYLES = {LAVA: ("~~", "bold yellow on red"), EMPTY: ("· ", "grey50 on grey15"), BARRIER: ("▒▒", "grey62 on grey35")}
BOX_STYLE, SQUARE_STYLE = "bold black on orange3", "bold black on green3"
SHOVER_STYLE = "bold white on dodger_blue2"


def board(state: State, i: int = 0) -> Text:
    """The map with the shover; boxes in a perfect square are green."""
    grid, game = state.grid()[i], state.game[i]
    record: Any = game
    in_square = set()
    for n, row, col in state.squares_found()[i, : record.squares].tolist():
        in_square |= {(r, c) for r in range(row, row + n) for c in range(col, col + n)}
    text = Text()
    for row, line in enumerate(grid.tolist()):
        for col, content in enumerate(line):
            if (row, col) == (record.row, record.col) and content == EMPTY:
                text.append(ARROWS[record.direction] + " ", SHOVER_STYLE)
            elif content in STYLES:
                text.append(*STYLES[content])
            else:
                text.append(f"{content:>2}", SQUARE_STYLE if (row, col) in in_square else BOX_STYLE)
        text.append("\n")
    return text


def scene(state: State, title: str, said: str = "", i: int = 0) -> Group:
    """The board under a line of figures."""
    record: Any = state.game[i]
    figures = Text.assemble(
        (title, "bold"),
        f"   step {record.timestep}   stamina {record.stamina:g}   boxes {record.boxes}   destroyed {record.destroyed}   ",
        (OUTCOMES[record.outcome] or said, "bold green" if record.outcome else "dim"),
    )
    return Group(figures, board(state, i))
