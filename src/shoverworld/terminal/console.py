"""A console that prints untrusted text (file names, titles, errors from agents) literally and safely."""

import os
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions
from rich.segment import Segment
from rich.text import Text

from shoverworld.core.text import visible

UNLIMITED = 10_000  # the width, in characters, of output that is not limited by a terminal


class SafeConsole(Console):
    """A Rich console without markup, emoji codes or highlighting.

    `render` processes all text before it is laid out or printed, in tables and progress bars too, and replaces control
    characters and invisible characters with visible ones.
    """

    def __init__(self, **options: Any):
        super().__init__(markup=False, emoji=False, highlight=False, **options)
        if self.columns is None and "width" not in options:
            self.width = UNLIMITED  # Rich assumes 80 columns and would cut wider tables

    @property
    def columns(self) -> int | None:
        """The width that the output must fit, or None if it goes to a file and COLUMNS is not set."""
        return self.width if self.is_terminal or os.environ.get("COLUMNS", "").isdigit() else None

    def on_broken_pipe(self) -> None:
        raise  # BrokenPipeError, which the command line handles in one place

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(visible(text), **options)

    def render(self, renderable: Any, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        return super().render(safe(renderable) if isinstance(renderable, Text) else renderable, options)


def safe(text: Text) -> Text:
    """Return the text with its styles and with visible characters only."""
    plain = visible(text.plain)
    if plain == text.plain:
        return text
    text = text.copy()
    text.plain = plain  # the length is unchanged, so the styles still apply to the same characters
    return text
