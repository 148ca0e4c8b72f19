"""`shover play --terminal`: the whole game in a terminal, with the keys of the window."""

from io import StringIO

from rich.console import Console
from rich.text import Text

from shoverworld.play.records import Records
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings

from .game import TerminalGame, direction_between
from .help import help_lines
from .keys import Mouse
from .screen import TerminalScreen
from .table import Page, page

SOON, SELDOM = 0.04, 0.25  # seconds to wait for a key while something happens by itself, and while nothing does
AGENT = "planner"


def run(session: Session, agent: str | None = None, settings: Settings | None = None, seed: int = 0) -> int:
    """Play until the person leaves. `agent`: who plays when Space is pressed. An error when this is no terminal."""
    messages = []
    if settings is None:
        settings, message = Settings.load()
        messages.append(message)
    records, message = Records.load()
    messages.append(message)
    with TerminalScreen() as screen:
        game = TerminalGame(session, settings, records, agent or settings.agent or AGENT, seed)
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
    seen, size, changed = Page([]), (0, 0), True
    while not game.leaving:
        if changed or screen.stale or size != screen.size:
            size, changed = screen.size, False
            seen = _page(game, *size)
            screen.show(painted(seen.lines, *size))
        for key in screen.read(SOON if game.lively else SELDOM):
            changed = True
            if isinstance(key, Mouse):
                pressed = _mouse(game, seen, key, pressed)
            elif key == "ctrl+l":
                screen.forget()
            else:
                game.press(key)
            if game.leaving:
                return
        changed |= game.update()


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
    if game.page is None:
        return page(game.look(), columns, rows)
    lines = help_lines(game.front)
    game.page = min(game.page, max(0, len(lines) - rows))
    return Page(lines[game.page : game.page + rows])


def painted(lines: list[Text], columns: int, rows: int) -> list[str]:
    """Lines with the colours this terminal has."""
    paper = StringIO()
    console = Console(file=paper, force_terminal=True, width=columns - 1, highlight=False, legacy_windows=False)
    console.print(Text("\n").join(lines[:rows]), no_wrap=True, overflow="ellipsis", crop=True)
    return paper.getvalue().split("\n")[: len(lines)]
