"""The layout of a game in the window: the board with its marks, the panel, the log, and the line of text below."""

import pygame
from pygame import Rect

from shoverworld.core.game import Game
from shoverworld.core.ui import Mark, Scene
from shoverworld.play.board import CURSOR
from shoverworld.play.commands import buttons
from shoverworld.play.table import GameTable

from . import theme
from .figures import Specials, figure_blocks
from .move_list import MoveList
from .multiplayer import ChoicePad, LogBox
from .panel import Block, Heading, Keys, Line, Panel, Space, Switch, Switches, Words
from .view import BoardView
from .widgets import Label

LINE = 36  # height of the line of text in pixels
LEAST = 7  # minimum cell size in multiplayer games, in pixels; if the board does not fit, only part of it is shown
LOG = 0.17, 48, 132  # the height of the log: fraction of the window, minimum and maximum
LOG_BESIDE = 280, 700  # the width of a log beside a tall board, and the minimum width of a panel next to a log
ROOMY = 220  # minimum width and height of a panel in an unusual position
LARGE = 48  # cells larger than this, in pixels, have no advantage
WORTH = 1.3  # a panel in an unusual position must make the cells larger by at least this factor
BUTTONS = (
    "continue",
    "players",
    "undo",
    "hint",
    "agent",
    "restart",
    "random",
    "next",
    "levels",
    "help",
)  # command names


class MessageLine(Label):
    """A line of text. Long text is written in a smaller font and on two lines."""

    def draw(self, surface: pygame.Surface) -> None:
        if theme.width_of(self.text) <= self.rect.width:
            super().draw(surface)
            return
        surface.fill(self.ground, self.rect)
        tall = theme.line_height(theme.SMALL)
        lines = theme.wrapped(self.text, self.rect.width, theme.SMALL)
        if len(lines) > 2:
            lines = [lines[0], theme.fitted(" ".join(lines[1:]), self.rect.width, theme.SMALL)]
        middle = Rect(self.rect.left, 0, self.rect.width, tall * len(lines))
        middle.centery = self.rect.centery
        theme.write_lines(surface, lines, middle, theme.SMALL, self.colour)


class TableView:
    """Lays out and draws what a `GameTable` provides. It can be drawn in every frame, as only changes are redrawn."""

    def __init__(self, game: Game):
        self.game = game
        self.view, self.panel = BoardView(game, rulers=True, least=LEAST if game.ui.multiplayer else 1), Panel()
        self.line = MessageLine()
        self.log = LogBox()  # shown only in multiplayer games
        self._laid_out: tuple[tuple[int, int] | None, tuple[int, int]] = None, (1, 1)  # the window and the board

    # --- layout

    def lay_out(self, size: tuple[int, int]) -> None:
        """Place the panel beside the board or below it, and the log of a multiplayer game where space is left."""
        self._laid_out = size, self.view.shape
        width, height = size
        self.line.rect = Rect(theme.MARGIN, height - LINE, max(0, width - 2 * theme.MARGIN), LINE)
        whole = Rect(0, 0, width, max(1, height - LINE))
        area, self.panel.rect = split(whole, size, (0.32, 0.5), self.view.shape)
        if self.game.ui.multiplayer is not None:
            area = self._place_log(area, height)
        self.view.area = area.inflate(-2 * theme.GAP, -2 * theme.GAP)

    def _place_log(self, area: Rect, height: int) -> Rect:
        """Place the log beside a wide panel, beside a tall board, or else below the board. Return the area that is left
        for the board."""
        panel, shape = self.panel.rect, self.view.shape
        if panel.top >= area.bottom and panel.width >= LOG_BESIDE[1]:
            wide = min(round(panel.width * 0.3), 340)
            self.log.rect = Rect(panel.right - wide, panel.top, wide, panel.height)
            panel.width -= wide
            return area
        tall = min(max(round(height * LOG[0]), LOG[1]), LOG[2], area.height // 3)
        below = Rect(area.left, area.top, area.width, area.height - tall)
        beside = Rect(area.left, area.top, area.width - LOG_BESIDE[0], area.height)
        if cell_size(beside, shape) > cell_size(below, shape):
            self.log.rect = Rect(beside.right, area.top, LOG_BESIDE[0], area.height)
            return beside
        self.log.rect = Rect(area.left, below.bottom, area.width, tall)
        return below

    def begin(self, scene: Scene) -> bool:
        """Show the first scene of a game. Return whether the layout had to be adapted to the shape of the board."""
        self.view.show(scene)
        size, shape = self._laid_out
        if size is None or shape == self.view.shape:
            return False
        self.lay_out(size)
        return True

    def draw(self, surface: pygame.Surface, whole: bool) -> list[Rect]:
        if whole:
            surface.fill(theme.GROUND)
            self.view.refresh()
            self.panel.stale = self.line.stale = self.log.stale = True
        drawn = self.view.draw(surface) + self.panel.draw(surface)
        for part in (self.line, self.log):
            if part.stale and part.rect.width:
                part.draw(surface)
                part.stale = False
                drawn.append(part.rect.copy())
        return drawn

    # --- content

    def show(self, table: GameTable) -> None:
        cell = table.cursor.cell
        cursor = () if cell is None else (Mark("frame", cell, CURSOR),)
        self.view.marks((*table.marks(), *cursor))
        self.line.set(text=table.message.text, colour=theme.TONES[table.message.tone])
        self.log.show(table.log())
        session, hints, on = table.session, table.hints, "".join(sorted(table.overlays))
        texts = hints.text, hints.plan_ahead, table.agent_status
        if table.is_new("panel", session, session.state, session.handler.selected, on, texts, table.moves()):
            self.panel.show(self._blocks(table))

    def _blocks(self, table: GameTable) -> list[Block]:
        board, hints = table.session.board, table.hints
        name = table.position or (board.name if board.name != board.title else "")
        several = int(self.game.ui.multiplayer is not None)  # in multiplayer games, the buttons come first
        rules = f"{table.session.preset.partition(',')[0]}, changed" if table.changes else table.rules
        blocks: list[Block] = [Heading(table.title, " · ".join(filter(None, (name, rules))))]
        if table.changes:
            blocks.append(Words(table.changes, "Changed rules", "warn", rank=1))
        if board.about:
            blocks += [Words(board.about, rank=2, size=theme.SMALL), Space()]
        blocks += figure_blocks(table.figures(), several + 1)
        if specials := table.specials():
            blocks += [Space(), Specials(specials)]
        blocks += [Line(figure, rank=3) for figure in table.best_results()]
        blocks.append(Space())
        blocks += self._players(table)
        if hints.text:
            blocks.append(Words(hints.text, "Hint", rank=1))
        if table.agent_status:
            blocks.append(Words(table.agent_status, "Agent", rank=1))
        switches = [
            Switch(overlay.key, overlay.name, overlay.key in table.overlays)
            for overlay in self.game.ui.overlays.overlays
        ]
        blocks += [Switches(tuple(switches)), Keys(buttons(BUTTONS, table.offered, table.game))]
        if hints.plan_ahead:
            blocks.append(Words(hints.plan_ahead, "Plan ahead", "soft", rank=3))
        moves = table.moves()
        if moves is not None and (moves.before or moves.after):
            blocks.append(MoveList(moves))
        return blocks

    def _players(self, table: GameTable) -> list[Block]:
        """Return the standings and the move buttons for a multiplayer game."""
        multiplayer, session = self.game.ui.multiplayer, table.session
        blocks: list[Block] = [Line(figure, rank=2) for figure in table.standings()]
        choices = table.choices()
        if multiplayer is not None and choices:
            pad = ChoicePad(choices, session.waits_for is None, multiplayer.colour(session.place), rank=1)
            blocks += [Space(), pad]
        return blocks


def split(
    whole: Rect,
    window: tuple[int, int],
    below: tuple[float, float],
    shape: tuple[int, int] = (1, 1),
    taken: int = 0,
) -> tuple[Rect, Rect]:
    """Return the areas of the board and the panel: side by side in a wide window, otherwise one below the other. For a
    long board, the opposite arrangement is used if it makes the cells much larger. `below` contains the usual and the
    maximum height of a panel below the board, as fractions of the window's height. `shape` is the shape of the board.
    `taken` is the height of a strip at the bottom of the board's area in which something else is shown."""
    width, height = window
    beside, under = _beside(whole, width), _under(whole, height, below)
    usual, other = (beside, under) if width >= 1.05 * height else (under, beside)
    roomy = min(other[1].size) >= ROOMY and width >= 2 * ROOMY
    now, then = (cell_size(Rect(0, 0, area.width, max(1, area.height - taken)), shape) for area in (usual[0], other[0]))
    return other if roomy and then >= WORTH * now else usual


def _beside(whole: Rect, width: int) -> tuple[Rect, Rect]:
    side = min(max(round(width * 0.27), 230), 340, round(width * 0.45))
    board = Rect(whole.left, whole.top, whole.width - side, whole.height)
    return board, Rect(board.right, whole.top, side, whole.height)


def _under(whole: Rect, height: int, below: tuple[float, float]) -> tuple[Rect, Rect]:
    low = min(max(round(height * below[0]), 150), 280, round(height * below[1]))
    board = Rect(whole.left, whole.top, whole.width, whole.height - low)
    return board, Rect(whole.left, board.bottom, whole.width, low)


def cell_size(area: Rect, shape: tuple[int, int]) -> float:
    """Return the cell size for a board with this shape. The result is at most LARGE."""
    return min(area.height / shape[0], area.width / shape[1], LARGE)
