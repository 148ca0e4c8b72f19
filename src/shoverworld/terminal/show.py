"""A game played before your eyes, in a terminal."""

import time
from collections.abc import Iterable
from contextlib import nullcontext

from rich.console import Console
from rich.live import Live

from shoverworld.core.env import GridEnv
from shoverworld.core.ui import State

from .board import scene

BESIDES = 4  # lines of a terminal that are not the board's: the figures, and where the cursor stands


def show(
    moments: Iterable[tuple[GridEnv, State, str]],
    console: Console,
    speed: float = 0.12,
    title: str = "",
    keep: bool = True,
) -> None:
    """Show the moments of a game one after the other, `speed` seconds each: an environment with its rules, the state, what
    was done. `keep`: the last one stays on the terminal.

    Where there is no terminal, only the last one is printed.
    """
    last = None
    live = Live(console=console, auto_refresh=False, transient=not keep) if console.is_terminal else None
    with live or nullcontext():
        for env, state, said in moments:
            last = env, state, said
            if live is not None:
                live.update(scene(env, state, title, said, console.height - BESIDES), refresh=True)
                time.sleep(speed)
    if last is not None and live is None:
        env, state, said = last
        console.print(scene(env, state, title, said), soft_wrap=True)  # a file has no edge
