"""A game played before your eyes, in a terminal."""

import time
from collections.abc import Iterable
from contextlib import nullcontext

from rich.console import Console
from rich.live import Live

from shoverworld.games.shover.state import State

from .board import scene


def show(
    states_with_captions: Iterable[tuple[State, str]],
    console: Console,
    speed: float = 0.12,
    title: str = "",
    keep: bool = True,
) -> None:
    """Show the states one after the other, `speed` seconds each. `keep`: the last one stays on the terminal.

    Where there is no terminal, only the last one is printed.
    """
    last = None
    live = Live(console=console, auto_refresh=False, transient=not keep) if console.is_terminal else None
    with live or nullcontext():
        for state, said in states_with_captions:
            last = state, said
            if live is not None:
                live.update(scene(state, title, said), refresh=True)
                time.sleep(speed)
    if last is not None and live is None:
        state, said = last
        console.print(scene(state, title, said))
