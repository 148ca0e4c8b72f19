"""`shover play --terminal`: the whole game in a terminal, with the keys of the window."""

import time
from collections.abc import Callable
from io import StringIO

from rich.console import Console
from rich.text import Text

from shoverworld.core.ui import Board
from shoverworld.play.records import Records
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings
from shoverworld.play.shelf import Shelf

from .game import TerminalGame, direction_between
from .help import BACK, help_lines
from .keys import Mouse
from .screen import TerminalScreen
from .table import Page, page

SOON, SELDOM = 0.04, 0.25  # seconds to wait for a key while something happens by itself, and while nothing does


def run(
    session: Session,
    agent: str | None = None,
    settings: Settings | None = None,
    seed: int = 0,
    rules: str | None = None,
    shelf: Shelf | None = None,
    browse: bool = False,
    draw: Callable[[int], Board] | None = None,
    players: bool = False,
) -> int:
    """Play until the person leaves; an error when this is no terminal. `agent`: who plays when Space is pressed.
    `rules`: the preset for every level; None: what the level asks for. `shelf`: the collection it is of; with `browse`
    its list is seen first. `draw` makes a random level from a seed; None: that of the room. `players`: who plays is asked
    first, in a game for several."""
    messages = []
    if settings is None:
        settings, message = Settings.load()
        messages.append(message)
    records, message = Records.load()
    messages.append(message)
    with TerminalScreen() as screen:
        game = TerminalGame(
            session, settings, records, agent or settings.agent or session.game.agent_names[0], seed, rules, shelf, draw
        )
        if browse:
            game.browse()
        elif players and session.game.ui.multiplayer is not None:
            game.ask_players()
        try:
            for message in filter(None, messages):
                game.tell(message, "warn")
            _play(game, screen)
        finally:
            game.close()
    settings.save()
    last = game.session
    print(f"{last.board.name}: {last.outcome or 'not finished'}, {last.steps} steps")
    return 0


def _play(game: TerminalGame, screen: TerminalScreen) -> None:
    pressed: tuple[int, int] | None = None  # the cell where the mouse button went down
    seen, size, told = Page([]), (0, 0), ()
    before, changed = time.monotonic(), True
    while not game.leaving:
        if changed or screen.stale or size != screen.size or told != game.news:
            size, told = screen.size, game.news
            seen = _page(game, *size)
            screen.show(painted(seen.lines, *size))
        keys = screen.read(SOON if game.lively else SELDOM)
        changed = bool(keys)
        for key in keys:
            if isinstance(key, Mouse):
                pressed = _mouse(game, seen, key, pressed)
            elif key == "ctrl+l":
                screen.forget()
            elif not game.leaving:
                game.press(key)
        now = time.monotonic()
        game.update(now - before)
        before = now


def _mouse(game: TerminalGame, seen: Page, mouse: Mouse, pressed: tuple[int, int] | None) -> tuple[int, int] | None:
    """A click, or a box dragged the way it should go; returns where the button is down."""
    cell = seen.cell_at(mouse.row, mouse.col)
    if mouse.kind != "up":
        return cell if mouse.kind == "down" else pressed
    if pressed is not None and cell is not None:
        direction = direction_between(pressed, cell)
        if direction is None:
            game.click(cell)
        else:
            game.drag(pressed, direction)
    return None


def _page(game: TerminalGame, columns: int, rows: int) -> Page:
    if game.levels is not None:
        return Page(game.levels.lines(columns - 1, rows))
    if game.players is not None:
        return Page(game.players.lines(columns - 1, rows))
    if game.page is None:
        return page(game.look(), columns, rows)
    lines = help_lines(game.game, game.session.board.about, game.look().said, columns - 1)
    game.page = min(game.page, max(0, len(lines) - (rows - 1)))
    seen = lines[game.page : game.page + rows - 1]
    return Page([*seen, *[Text()] * (rows - 1 - len(seen)), Text(BACK, "dim")])


def painted(lines: list[Text], columns: int, rows: int) -> list[str]:
    """Lines with the colours this terminal has."""
    paper = StringIO()
    console = Console(file=paper, force_terminal=True, width=columns - 1, highlight=False, legacy_windows=False)
    console.print(Text("\n").join(lines[:rows]), no_wrap=True, overflow="ellipsis", crop=True)
    return paper.getvalue().split("\n")[: len(lines)]
