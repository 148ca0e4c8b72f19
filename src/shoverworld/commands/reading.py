"""Options that specify how level files are read, such as the colours of pictures (`Game.read_options`)."""

import argparse
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from shoverworld.games import all_games


@contextmanager
def reading_options(chosen: argparse.Namespace) -> Iterator[None]:
    """Make all parts of the program read level files according to the command-line options until the command ends."""
    with ExitStack() as stack:
        for game in all_games().values():
            values = {option.dest: getattr(chosen, option.dest, None) for option in game.read_options}
            if game.reading is not None and any(value is not None for value in values.values()):
                stack.enter_context(game.reading(values))
                stack.callback(_forget)
        yield


def _forget() -> None:
    from shoverworld.play.levels import forget  # imports NumPy, which most commands load later

    forget()
