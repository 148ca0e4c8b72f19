"""`shover play --terminal`: the loop that reads keys and shows pages."""

import sys
import time
from collections.abc import Callable
from io import StringIO

from rich.text import Text

from shoverworld.core.ui import Board, count
from shoverworld.play.board import direction_between
from shoverworld.play.levels import LevelList
from shoverworld.play.records import Records
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings
from shoverworld.play.table import GameTable

from .console import SafeConsole
from .game import TerminalGame
from .help import for_keyboard
from .keys import Mouse, Paste
from .page import TerminalPage
from .screen import TerminalScreen

SOON, SELDOM = 0.04, 0.25  # seconds to wait for a key: if the page can change without one, and if it cannot


def run(
    session: Session,
    agent: str | None = None,
    settings: Settings | None = None,
    seed: int = 0,
    rules: str | None = None,
    levels: LevelList | None = None,
    browse: bool = False,
    make_random: Callable[[int], Board] | None = None,
    players: bool = False,
) -> int:
    """Play until the player leaves the game. Raise an error if there is no terminal. `browse`: begin with the list of
    levels. `players`: begin with the choice of players in a multiplayer game. For the other arguments, see
    `GameTable`."""
    messages = []
    if settings is None:
        settings, message = Settings.load()
        messages.append(message)
    records, message = Records.load()
    messages.append(message)
    with TerminalScreen() as screen:
        table = GameTable(
            session, settings, records, agent or "", rules or "", levels, make_random, seed,
            adapt=for_keyboard, introduces=True,
        )  # fmt: skip
        table.clipboard = screen
        game = TerminalGame(table)
        if browse:
            game.browse(is_first=True)
        elif players and session.game.ui.multiplayer is not None:
            game.begin_with_players()
        try:
            for message in filter(None, messages):
                table.say(message, "warn")
            _play(game, screen)
        finally:
            trouble = game.close()
    settings.save()
    if not browse or game.table.session.moves:  # otherwise, perhaps no level was chosen
        SafeConsole().print(_result(game.table.session), soft_wrap=True)
    if trouble:
        print(trouble, file=sys.stderr)
    elif game.table.is_unfinished:
        print("The game has been saved. The next `shover play` offers to continue it.")
    return 0


def _result(session: Session) -> str:
    """Describe how far the game went, with the number of steps for each player."""
    result = f"{session.board.name}: {session.outcome or 'not finished'}, "
    if len(session.players) < 2:
        return result + count(session.steps, "step")
    steps = (f"{player.name} {count(session.steps_of(at), 'step')}" for at, player in enumerate(session.players))
    return result + ", ".join(steps)


def _play(game: TerminalGame, screen: TerminalScreen) -> None:
    pressed: tuple[int, int] | None = None  # the cell where the mouse button was pressed
    seen, size, news = TerminalPage([]), (0, 0), ()
    before, changed = time.monotonic(), True
    while not game.over:
        if changed or screen.stale or size != screen.size or news != game.table.news:
            size, news = screen.size, game.table.news
            seen = game.page(*size)
            screen.show(painted(seen.lines, *size))
        keys = screen.read(SOON if game.is_active else SELDOM)
        changed = bool(keys)
        for key in keys:
            if isinstance(key, Mouse):
                pressed = _mouse(game, seen, key, pressed)
            elif isinstance(key, Paste):
                game.paste(key.text)
            elif key == "ctrl+l":
                screen.forget()
            elif not game.over:
                game.press(key)
        now = time.monotonic()
        changed = game.update(now - before) or changed
        before = now


def _mouse(
    game: TerminalGame, seen: TerminalPage, mouse: Mouse, pressed: tuple[int, int] | None
) -> tuple[int, int] | None:
    """Handle a mouse event. Return the cell where the button was pressed, or None if the button is not held down."""
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


def painted(lines: list[Text], columns: int, rows: int) -> list[str]:
    """Return the lines as strings, with codes for the colours that this terminal supports."""
    paper = StringIO()
    console = SafeConsole(file=paper, force_terminal=True, width=columns - 1, legacy_windows=False)
    console.print(Text("\n").join(lines[:rows]), no_wrap=True, overflow="ellipsis", crop=True)
    return paper.getvalue().split("\n")[: len(lines)]
