"""Shows a game move by move in a terminal: a line of statistics, then the board."""

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import nullcontext

from rich.console import Console, ConsoleOptions, Group
from rich.live import Live
from rich.text import Text

from shoverworld.core.env import GridEnv
from shoverworld.core.game import Game
from shoverworld.core.ui import State
from shoverworld.games import game_of
from shoverworld.play.board import focus_of
from shoverworld.play.guard import Guard

from .cells import BoardPart, lines, part_of

MOST_FIGURES = 3  # maximum number of statistics on the line above the board
GUARD = Guard(lambda text: print(text, file=sys.stderr))
STYLES = {"good": "bold green", "bad": "bold red", "warn": "bold yellow"}
BESIDES = 4  # terminal lines that the board cannot use: the statistics, and the cursor line


def show(
    moments: Iterable[tuple[GridEnv, State, str]],
    console: Console,
    speed: float = 0.12,
    title: str = "",
    keep: bool = True,
) -> None:
    """Show the moments of a game one after the other, for `speed` seconds each. A moment consists of an environment
    with the rules of the game, a state, and a remark about the move. `keep`: whether the final board stays on the screen.

    Without a terminal, only the last moment is printed.
    """
    last = None
    live = Live(console=console, auto_refresh=False, transient=not keep) if console.is_terminal else None
    with live or nullcontext():
        for env, state, text in moments:
            last = env, state, text
            if live is not None:
                live.update(snapshot(env, state, title, text, console.height - BESIDES), refresh=True)
                time.sleep(speed)
    if last is not None and live is None:
        env, state, text = last
        console.print(snapshot(env, state, title, text), soft_wrap=True)  # a file has no width limit


def snapshot(env: GridEnv, state: State, title: str, text: str = "", height: int | None = None) -> Group:
    """Return a line of statistics, followed by the board. `env` has the rules of the game, but may be in another state.
    `height`: the maximum number of board rows in a terminal."""
    game = game_of(env)
    ending = game.ui.texts.ending(env, state)[0]  # an ending without a tone means that the game is not over
    shown = [figure for figure in game.ui.texts.figures(env, state, None) if figure.value != ending.value][
        :MOST_FIGURES
    ]
    figures = "   ".join(f"{figure.label.lower()} {figure.value}" for figure in shown)
    words = (ending.value.partition(":")[0], STYLES.get(ending.tone, "bold")) if ending.tone else (text, "dim")
    return Group(
        Text.assemble((title, "bold"), f"   {figures}   ", words),
        BoardText(game, env, state, height),
    )


class BoardText:
    """A board that rich can print. If the terminal is too small, the board is shown with narrow cells, or only the part
    around the player is shown, with at most `height` rows. If the output goes to a file, the whole board is printed."""

    def __init__(self, game: Game, env: GridEnv, state: State, height: int | None = None):
        self.game, self.height, self.whole = game, height, game.ui.drawing.scene(state)
        keys = "".join(overlay.key for overlay in game.ui.overlays.overlays if overlay.always)
        marks = game.ui.overlays.marks
        self.marks = GUARD("the overlays", lambda: [mark for key in keys for mark in marks(key, env, state, None)], [])

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        rows, cols = self.whole.tiles.shape
        part = BoardPart(0, 0, rows, cols)
        if console.is_terminal:
            height = rows if self.height is None else max(1, self.height)
            part = part_of(self.whole, options.max_width, height, focus_of(self.whole))
        yield Text("\n").join([*lines(self.game, self.whole, part, self.marks), Text()])
