"""A game in a terminal, under a line of figures: for games that are watched, whatever the game."""

from rich.console import Group
from rich.text import Text

from shoverworld.core.env import GridEnv
from shoverworld.core.front import Front, State
from shoverworld.play.rooms import front_of_env

from .cells import View, lines

MOST_FIGURES = 3  # on the line above the board
ALWAYS = {"shover": "1"}  # the overlay of a room that is always to be seen: perfect squares
STYLES = {"good": "bold green", "bad": "bold red", "warn": "bold yellow"}


def board(front: Front, env: GridEnv, state: State) -> Text:
    """The board as it lies."""
    whole = front.scene(state)
    rows, cols = whole.tiles.shape
    key = ALWAYS.get(front.game)
    marks = front.marks(key, env, state, None) if key else []
    return Text("\n").join([*lines(front, whole, View(0, 0, rows, cols), marks), Text()])


def scene(env: GridEnv, state: State, title: str, said: str = "") -> Group:
    """The board under a line of figures. `env`: with the rules of this game; it may stand elsewhere in it."""
    front = front_of_env(env)
    told = front.figures(env, state, None)[:MOST_FIGURES]
    figures = "   ".join(f"{figure.label.lower()} {figure.value}" for figure in told)
    ending = front.ending(env, state)[0]  # without a tone it is none yet
    words = (ending.value.partition(":")[0], STYLES.get(ending.tone, "bold")) if ending.tone else (said, "dim")
    return Group(
        Text.assemble((title, "bold"), f"   {figures}   ", words),
        board(front, env, state),
    )
