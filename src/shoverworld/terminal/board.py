"""A game in a terminal, under a line of figures: for games that are watched, whatever the game."""

from collections.abc import Iterator

from rich.console import Console, ConsoleOptions, Group
from rich.text import Text

from shoverworld.core.env import GridEnv
from shoverworld.core.game import Game
from shoverworld.core.ui import State
from shoverworld.games import game_of
from shoverworld.play.aim import focus_of

from .cells import View, lines, view_of

MOST_FIGURES = 3  # on the line above the board
ALWAYS = {"shover": "1"}  # the overlay of a room that is always to be seen: perfect squares
STYLES = {"good": "bold green", "bad": "bold red", "warn": "bold yellow"}


class Board:
    """The board as it lies. In a terminal that is too small for it: narrow cells, or the part around the player; `height`:
    so many rows at most. A file has room for all of it."""

    def __init__(self, game: Game, env: GridEnv, state: State, height: int | None = None):
        self.game, self.height, self.whole = game, height, game.ui.drawing.scene(state)
        key = ALWAYS.get(game.name)
        self.marks = game.ui.overlays.marks(key, env, state, None) if key else []

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        rows, cols = self.whole.tiles.shape
        view = View(0, 0, rows, cols)
        if console.is_terminal:
            height = rows if self.height is None else max(1, self.height)
            view = view_of(self.whole, options.max_width, height, focus_of(self.whole))
        yield Text("\n").join([*lines(self.game, self.whole, view, self.marks), Text()])


def scene(env: GridEnv, state: State, title: str, said: str = "", height: int | None = None) -> Group:
    """The board under a line of figures. `env`: with the rules of this game; it may stand elsewhere in it. `height`: rows of
    the board at most, in a terminal."""
    game = game_of(env)
    ending = game.ui.texts.ending(env, state)[0]  # without a tone it is none yet
    told = [figure for figure in game.ui.texts.figures(env, state, None) if figure.value != ending.value][:MOST_FIGURES]
    figures = "   ".join(f"{figure.label.lower()} {figure.value}" for figure in told)
    words = (ending.value.partition(":")[0], STYLES.get(ending.tone, "bold")) if ending.tone else (said, "dim")
    return Group(
        Text.assemble((title, "bold"), f"   {figures}   ", words),
        Board(game, env, state, height),
    )
