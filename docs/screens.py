"""Take the screenshots for the docs: `python docs/screens.py` (or `make pictures`) writes them to docs/pictures.

The script opens the real window on SDL's dummy screen and drives it with real events. The screenshots show the menu,
games with overlays under the three presets, the end of a game, the help, the replay viewer and the editor; the level
browser, a game and a replay for Sokoban; the list of players, a game, the results and a replay from the race; and the
terminal. Look at them after each change. A test fails if they are out of date. They do not depend on the time, on
random choices or on the speed of the machine.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

import numpy as np
import pygame
from PIL import Image, ImageDraw, ImageFont
from rich.style import Style

from shoverworld import Map
from shoverworld.core.plan import Plan
from shoverworld.core.replay import Replay
from shoverworld.core.ui import Act
from shoverworld.desktop.app import App
from shoverworld.desktop.browser import BrowserScreen
from shoverworld.desktop.editor import EditorScreen
from shoverworld.desktop.menu import MenuScreen
from shoverworld.desktop.players import PlayersScreen
from shoverworld.desktop.start import ready
from shoverworld.desktop.table import TableScreen
from shoverworld.desktop.viewer import ViewerScreen
from shoverworld.games import game_named
from shoverworld.play.browser import LevelBrowser
from shoverworld.play.edit_session import EditSession
from shoverworld.play.levels import LevelList
from shoverworld.play.players import Player
from shoverworld.play.records import Records
from shoverworld.play.replay_cursor import ReplayCursor
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings
from shoverworld.play.table import GameTable
from shoverworld.terminal.game import TerminalGame
from shoverworld.terminal.help import for_keyboard

FOLDER = Path(__file__).parent / "pictures"
SIZE = 1120, 760  # size of the window in pixels
COLUMNS, LINES = 90, 20  # size of the terminal
CELL = 9, 18  # pixels per character
INK, PAPER = (208, 208, 208), (24, 24, 24)
GAME = game_named("shover")
SOKOBAN = game_named("sokoban")
RACE = game_named("race")

WALKER = """// The back door
// rules: walker
// Every box has to be pushed from behind.
########L#
#....#..5#
#.B..#...#
#....B...L
##.###...#
#....#.B.#
L.7.A....#
#######L##
"""
LEAP = """// Three in a row
// rules: milestone1
// A chain in motion is cheap to push on.
............
..BBB....#L.
............
....#..9....
.BB.#.......
.BB....B..L.
.A..........
"""
SELECT = """// Two squares
// rules: phase2
// Complete the square, then choose: barriers or lava.
.............
.BBB.....3...
.BBB..#......
.BBB..#.BB...
......#.B....
..........B..
..L..........
.....7...L..A
.............
"""


# Plans found by the planner: the shortest plan for SELECT after a first push, and a plan for bundled map 9.
FIRST = (5, 10, 3)
SHORTEST = ((5, 9, 0), (5, 9, 4), (5, 9, 4), (1, 9, 0), (0, 9, 0), (7, 5, 2), (8, 5, 2))
CLEARED = ((1, 9, 2), (2, 9, 2), (2, 9, 4), (3, 6, 3), (3, 5, 3), (3, 4, 3), (3, 4, 4))
# A game with burns, both specials and an invalid action.
WATCHED = (
    FIRST,
    (5, 9, 0),
    *((7, col, 1) for col in (5, 6, 7, 8)),
    (0, 0, 0),
    (0, 0, 5),
    (0, 0, 4),
    (1, 9, 0),
    (0, 9, 0),
)


class Camera:
    """Opens the window, acts like a player and takes screenshots."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.app: App = None  # type: ignore[assignment]

    def open(self, first: Callable[[App], Any], **settings: Any) -> Any:
        if self.app is not None:
            self.app.close()
        self.app = App(Settings(**settings), SIZE)
        screen = first(self.app)
        self.app.animation = False
        self.app.go(screen)
        pygame.event.clear()
        self.frames()
        return screen

    def frames(self, count: int = 3) -> None:
        for _ in range(count):
            self.app.frame(1 / 30)

    def press(self, *names: str) -> None:
        for name in names:
            code = pygame.key.key_code(name)
            for kind in (pygame.KEYDOWN, pygame.KEYUP):
                letter = name if len(name) == 1 else ""
                pygame.event.post(pygame.event.Event(kind, key=code, mod=0, unicode=letter, scancode=0))
            self.frames(1)

    def point(self, place: tuple[int, int], click: bool = False) -> None:
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=place, rel=(1, 1), buttons=(0, 0, 0), touch=False))
        if click:
            for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
                pygame.event.post(pygame.event.Event(kind, pos=place, button=1, touch=False))
        self.frames()

    def take(self, name: str) -> None:
        self.frames()
        pixels = pygame.surfarray.array3d(self.app.surface).swapaxes(0, 1)
        save(pixels, self.folder / f"{name}.png")


def save(pixels: np.ndarray, path: Path) -> None:
    """Save a picture with 256 colours, which are enough for flat pictures and keep the files small."""
    Image.fromarray(pixels).quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


def board(text: str, name: str) -> Any:
    """Return a board drawn with symbols, in which a digit is a box of that strength."""
    rows = [line for line in text.splitlines() if not line.startswith("//")]
    marks = {(row, col): int(sign) for row, line in enumerate(rows) for col, sign in enumerate(line) if sign.isdigit()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.txt"
        comments = [line for line in text.splitlines() if line.startswith("//")]
        drawn = [line.translate(str.maketrans("123456789", "B" * 9)) for line in rows]
        path.write_text("\n".join(comments + drawn), encoding="utf-8")
        read = GAME.levels.read(str(path))
    grid = read.level.grid.copy()
    for cell, strength in marks.items():
        grid[cell] = strength
    return replace(read, level=Map(grid, read.level.agent, name), path=None)


def session(text: str, name: str) -> Session:
    return Session(GAME, board(text, name), seed=0)


def plan_ahead(screen: TableScreen, actions: Sequence[tuple[int, int, int]]) -> None:
    """Show a fixed plan, so that the screenshot does not depend on the speed of the planner."""
    begun = screen.session
    other = Session(GAME, begun.board, begun.preset, seed=0)
    other.env.set_state(begun.state)
    for action in actions:
        other.env.step(action)
    assert other.outcome == "cleared", "the plan does not clear the map"
    screen.table.hints.keep(Plan("solved", list(actions), proved_optimal=True, lower_bound=len(actions)))


# --- screenshots


def menu(camera: Camera) -> None:
    camera.open(MenuScreen, board="12-hellify", agent="planner")
    camera.take("menu")


def walker(camera: Camera) -> None:
    screen = camera.open(lambda app: TableScreen(app, session(WALKER, "back-door")), overlays="3")
    camera.press("up", "right", "up")
    camera.point(screen.view.rect_of((5, 7)).center)
    camera.take("table-walker")


def leap(camera: Camera) -> None:
    screen = camera.open(lambda app: TableScreen(app, session(LEAP, "three-in-a-row")), overlays="12")
    camera.point(screen.view.rect_of((1, 2)).center, click=True)
    camera.press("right", "right")
    rect = screen.view.rect_of((1, 4))
    camera.point((rect.right - 6, rect.centery))
    camera.take("table-milestone1")


def select(camera: Camera) -> None:
    screen = camera.open(lambda app: TableScreen(app, session(SELECT, "two-squares")), overlays="14")
    camera.point(screen.view.rect_of((5, 10)).center, click=True)
    camera.press("left")
    plan_ahead(screen, SHORTEST)
    camera.press("p")
    camera.take("table-phase2")
    camera.press("f1")
    camera.take("help")


def ending(camera: Camera) -> None:
    screen = camera.open(lambda app: TableScreen(app, Session(GAME, GAME.levels.read("09-perfect-square"), seed=0)))
    for action in CLEARED:
        screen.table.play(Act(action))
        camera.frames(1)
    camera.take("ending")


def viewer(camera: Camera) -> None:
    game = session(SELECT, "two-squares")
    for action in WATCHED:
        game.env.step(action)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "two-squares.replay"
        game.replay("Ada").write(path)
        cursor = ReplayCursor(Replay.read(path))
    camera.open(lambda app: ViewerScreen(app, cursor))
    camera.press("home", "right", "right", "right", "right", "right")
    camera.take("viewer")


def editor(camera: Camera) -> None:
    drawing = EditSession.of(GAME, board(LEAP, "three-in-a-row"))
    screen = camera.open(lambda app: EditorScreen(app, drawing))
    camera.press("w")
    camera.point(screen.view.rect_of((2, 8)).center)
    camera.take("editor")


def solved(board: Any, moves: int | None = None) -> Session:
    """Play the first `moves` moves of the solution to a packaged Sokoban level, or all of them."""
    played = Session(SOKOBAN, board)
    for letter in board.level.solution[:moves]:
        played.do(Act("UDLRudlr".index(letter) + 1))
    return played


def sokoban(camera: Camera) -> None:
    """Take screenshots of the level browser, a game with two overlays, and a replay."""

    def browser(app: App) -> BrowserScreen:
        levels = LevelList(SOKOBAN, "medium", app.records)
        for place in (0, 1, 2, 4, 7):
            app.records.note(solved(levels.boards[place]))
        return BrowserScreen(app, LevelBrowser(levels, 3), lambda *_: None)

    camera.open(browser, game="sokoban")
    camera.take("sokoban-levels")

    room = SOKOBAN.levels.boards("medium")[3]

    def table(app: App) -> TableScreen:
        return TableScreen(app, solved(room, 6), levels=LevelList(SOKOBAN, "medium", app.records))

    plan = next(overlay.key for overlay in SOKOBAN.ui.overlays.overlays if overlay.plans)
    screen = camera.open(table, game="sokoban", overlays=f"1{plan}")
    rest = ["UDLRudlr".index(letter) + 1 for letter in room.level.solution[6:]]
    screen.table.hints.keep(Plan("solved", rest, proved_optimal=True, lower_bound=1))  # type: ignore[arg-type]
    camera.press("p")
    camera.take("sokoban-table")

    camera.open(lambda app: ViewerScreen(app, ReplayCursor(solved(room).replay("Ada"))), game="sokoban")
    camera.press("home", *["right"] * 9)
    camera.take("sokoban-viewer")


SEATS = (Player("Ann"), Player("Bob"), Player("greedy", "greedy"), Player("Zoe", "racer"))


def driven(name: str, moves: int | None = None) -> Session:
    """Play a race in which all cars follow the planner, except for two illegal moves.

    `moves` limits the number of moves.
    """
    # There are no agents, because they would continue while the screenshot is taken.
    people = [Player(name) for name in ("Ann", "Bob", "Cleo", "Zoe")]
    played, tried = Session(RACE, RACE.levels.read(name), seed=1, players=people), 0
    while played.outcome is None and (moves is None or played.moves < moves):
        assert RACE.ui.multiplayer is not None
        legal = [choice.legal for choice in RACE.ui.multiplayer.move_buttons(played.env, played.state)]
        wanted: list[Any] = RACE.plan(played.env, played.state, time_limit=60.0).actions
        action: Any = wanted[0] if wanted and legal[wanted[0]] else (legal.index(True) if any(legal) else 4)
        if tried < 2 and played.moves > 10 + 8 * tried and not all(legal):
            action, tried = legal.index(False), tried + 1
        played.do(Act(action))
    return played


def race(camera: Camera) -> None:
    """Take screenshots of the list of players, a race with a hint and a ghost car, the results and the replay."""
    coast = RACE.levels.read("11-coast")
    camera.open(lambda app: PlayersScreen(app, RACE, coast, lambda _: None, SEATS), game="race")
    camera.take("race-players")
    screen = camera.open(lambda app: TableScreen(app, driven("07-fork", 28)), game="race", overlays="b")
    screen.table.hints.keep(RACE.plan(screen.session.env, screen.session.state, time_limit=60.0))
    camera.press("p")
    camera.take("race-table")
    camera.open(lambda app: TableScreen(app, driven("07-fork")), game="race")
    camera.take("race-ending")
    camera.open(lambda app: ViewerScreen(app, ReplayCursor(driven("07-fork").replay("Ann"))), game="race")
    camera.press("home", *["right"] * 24)
    camera.take("race-viewer")


def terminal(folder: Path) -> None:
    """Take a screenshot of a game in a terminal."""
    settings = Settings(overlays="1")
    table = GameTable(
        session(SELECT, "two-squares"), settings, Records(), "planner", adapt=for_keyboard, introduces=True
    )
    game = TerminalGame(table)
    game.click((5, 10))
    for key in ("left", "x", "up", "up"):
        game.press(key)
    table.update(0.0)
    lines = game.page(COLUMNS + 1, LINES).lines
    table.close()
    save(np.asarray(typed(lines)), folder / "terminal.png")


def typed(lines: Sequence[Any]) -> Image.Image:
    """Draw the lines of a terminal as a picture, in a font from Matplotlib."""
    import matplotlib
    from rich.console import Console

    fonts = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    plain, bold = (ImageFont.truetype(str(fonts / f"DejaVuSansMono{kind}.ttf"), 15) for kind in ("", "-Bold"))
    console = Console(width=COLUMNS, color_system="truecolor", force_terminal=True)
    image = Image.new("RGB", (COLUMNS * CELL[0] + 20, len(lines) * CELL[1] + 20), PAPER)
    draw = ImageDraw.Draw(image)
    for row, line in enumerate(lines):
        col = 0
        for segment in line.render(console):
            style = segment.style or Style()
            ink = style.color.get_truecolor() if style.color and not style.color.is_default else INK
            ground = style.bgcolor.get_truecolor() if style.bgcolor and not style.bgcolor.is_default else PAPER
            if style.dim:
                ink = tuple((2 * above + below) // 3 for above, below in zip(ink, ground, strict=True))
            if style.reverse:
                ink, ground = ground, ink
            for sign in segment.text.rstrip("\n"):
                x, y = 10 + col * CELL[0], 10 + row * CELL[1]
                draw.rectangle((x, y, x + CELL[0] - 1, y + CELL[1] - 1), fill=tuple(ground))
                draw.text((x, y), sign, fill=tuple(ink), font=bold if style.bold else plain)
                col += 1
    return image


SCREENS = (menu, walker, leap, select, ending, viewer, editor, sokoban, race)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=FOLDER, help="the output folder (default: %(default)s)")
    folder = parser.parse_args().out
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        os.environ["SHOVERWORLD_HOME"] = home  # do not use the user's settings and records
        while not ready(GAME):
            pygame.time.wait(20)
        camera = Camera(folder)
        for screen in SCREENS:
            screen(camera)
        camera.app.close()
        terminal(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
